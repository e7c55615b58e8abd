//! The size of an effect: Vargha and Delaney, "A critique and improvement of the CL common language
//! effect size statistics of McGraw and Wong", 2000.

use super::mann_whitney::mann_whitney;
use serde::Serialize;

/// How likely a value of the first sample is to be larger than one of the second, where equal ones
/// count half: 0.5 means no difference. None if a sample is empty.
///
/// ```
/// // Of the 6 pairs the first is larger in 4 and equal in 1.
/// assert_eq!(eval::statistics::a12(&[3.0, 5.0], &[1.0, 2.0, 5.0]), Some(4.5 / 6.0));
/// ```
#[must_use]
pub fn a12(first: &[f64], second: &[f64]) -> Option<f64> {
    let pairs = first.len() * second.len();
    (pairs > 0).then(|| mann_whitney(first, second).u / pairs as f64)
}

/// What one calls an effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Magnitude {
    /// Less than 0.56 one way or the other.
    Negligible,
    /// From 0.56.
    Small,
    /// From 0.64.
    Medium,
    /// From 0.71.
    Large,
}

/// The word for an effect, in either direction, by Vargha and Delaney's thresholds.
///
/// ```
/// use eval::statistics::{Magnitude, magnitude};
/// assert_eq!(magnitude(0.55), Magnitude::Negligible);
/// assert_eq!(magnitude(0.30), Magnitude::Medium);
/// assert_eq!(magnitude(1.00), Magnitude::Large);
/// ```
#[must_use]
pub fn magnitude(a12: f64) -> Magnitude {
    match a12.max(1.0 - a12) {
        effect if effect >= 0.71 => Magnitude::Large,
        effect if effect >= 0.64 => Magnitude::Medium,
        effect if effect >= 0.56 => Magnitude::Small,
        _ => Magnitude::Negligible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_the_share_of_pairs_that_the_first_wins() {
        let (a, b) = ([1., 2., 2., 3., 5., 5., 5., 8.], [2., 4., 5., 6., 6., 7., 9., 9., 10.]);
        let won: f64 = a
            .iter()
            .flat_map(|a| b.iter().map(move |b| if a > b { 1.0 } else { 0.5 * f64::from(a == b) }))
            .sum();
        assert_eq!(a12(&a, &b), Some(won / 72.0));
        assert_eq!(a12(&a, &[]), None);
    }
}
