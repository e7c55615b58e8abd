//! Pearson's correlation: Pearson, "Notes on regression and inheritance in the case of two parents",
//! 1895; its p by Student's t (Fisher, 1915).

use super::incomplete_beta::incomplete_beta;
use serde::Serialize;

/// How much two measures go together.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Correlation {
    /// How many pairs there were.
    pub n: usize,
    /// Between −1 and 1.
    pub r: f64,
    /// The chance of an `r` at least as far from 0, if both measures are normal and independent; 1 for
    /// two pairs, which always lie on a line.
    pub p: f64,
}

/// The correlation of pairs; none if there are fewer than two, or if one side is constant.
///
/// ```
/// // From the means -1, 0, 1 and -2, 2, 0: r = 2 / sqrt(2 · 8).
/// let found = eval::statistics::pearson(&[1.0, 2.0, 3.0], &[1.0, 5.0, 3.0]).expect("both vary");
/// assert!((found.r - 0.5).abs() < 1e-12);
/// assert!((found.p - 2.0 / 3.0).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// If there are not as many in `first` as in `second`.
#[must_use]
pub fn pearson(first: &[f64], second: &[f64]) -> Option<Correlation> {
    assert_eq!(first.len(), second.len(), "pairs have two sides");
    let n = first.len();
    if n < 2 || is_constant(first) || is_constant(second) {
        return None;
    }
    let (x, y) = (deviations(first), deviations(second));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let r = (product(&x, &y) / (product(&x, &x) * product(&y, &y)).sqrt()).clamp(-1.0, 1.0);
    // With t = r sqrt(df / (1 - r²)), P(|T| ≥ t) = I(df/2, 1/2) at df / (df + t²), which is 1 - r².
    let freedom = (n - 2) as f64;
    let p = if n == 2 { 1.0 } else { incomplete_beta(freedom / 2.0, 0.5, (1.0 - r) * (1.0 + r)) };
    Some(Correlation { n, r, p })
}

fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

fn deviations(values: &[f64]) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    #[test]
    fn values_are_those_of_scipy() {
        // scipy.stats.pearsonr(x, y)
        let (x, y) = ([1., 2., 3., 4., 5., 6., 7.], [10., 9., 2.5, 6., 4., 3., 2.]);
        let found = pearson(&x, &y).unwrap();
        assert_close(found.r, -0.8285038835884277);
        assert_close(found.p, 0.021280260007523342);

        // y = [(37*i) % 50 + i / 2 for i in range(50)]
        let x: Vec<f64> = (0..50).map(f64::from).collect();
        let y: Vec<f64> = (0..50).map(|i| f64::from(37 * i % 50) + f64::from(i) / 2.0).collect();
        let found = pearson(&x, &y).unwrap();
        assert_close(found.r, 0.4202303859757033);
        assert_close(found.p, 0.0023787522804511905);

        // y = [2*i + (7*i) % 5 for i in range(40)]
        let y: Vec<f64> = (0..40).map(|i| f64::from(2 * i + 7 * i % 5)).collect();
        let found = pearson(&x[..40], &y).unwrap();
        assert_close(found.r, 0.9981499627910249);
        assert_close(found.p, 7.912571170229752e-48);
    }

    #[test]
    fn what_has_no_correlation_has_none() {
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&[1.0, 2.0, 3.0], &[0.1; 3]), None);
        assert_eq!(pearson(&[1.0, 2.0], &[5.0, 3.0]), Some(Correlation { n: 2, r: -1.0, p: 1.0 }));
    }
}
