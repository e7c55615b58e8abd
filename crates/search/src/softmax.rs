//! Probabilities from logits.

use base::Random;

/// The logarithms of the softmax of `logits`. The largest is subtracted first, so that no exponential
/// overflows and the most likely arm never gets the logarithm of 0.
pub(crate) fn log_softmax(logits: &[f64]) -> Vec<f64> {
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|logit| (logit - largest).exp()).sum();
    logits.iter().map(|logit| logit - largest - sum.ln()).collect()
}

/// An index, drawn by the logarithms of probabilities that sum to 1.
pub(crate) fn sample(log_probabilities: &[f64], random: &mut Random) -> usize {
    let mut left = random.unit();
    for (index, log_probability) in log_probabilities.iter().enumerate() {
        left -= log_probability.exp();
        if left < 0.0 {
            return index;
        }
    }
    // Rounding may leave a little; it goes to the last that can happen at all.
    log_probabilities.iter().rposition(|log| log.exp() > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn huge_logits_have_finite_logarithms() {
        let log = log_softmax(&[1e4, 1e4, -1e4]);
        assert!((log[0] - 0.5_f64.ln()).abs() < 1e-12);
        assert!((log[2] + 2e4 + 2.0_f64.ln()).abs() < 1e-9);
        assert!(log_softmax(&[-1e308, -1e308]).iter().all(|value| value.is_finite()));
    }

    #[test]
    fn arms_are_drawn_by_their_probabilities() {
        let log = log_softmax(&[0.0, 3.0_f64.ln(), f64::NEG_INFINITY]);
        let mut random = Seed(1).stream("sample", 0);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[sample(&log, &mut random)] += 1;
        }
        assert_eq!(counts[2], 0);
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
    }
}
