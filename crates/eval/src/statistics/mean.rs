//! Means, and which of two is larger.

use serde::Serialize;

/// Which of two means is larger, if one can be 95 % confident.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// The first.
    Better,
    /// The second.
    Worse,
    /// Neither.
    Comparable,
}

/// Compares the means of two samples by Welch's test with the normal approximation, which is good
/// from about 30 values each (the paper's section 4.3 has 30 repetitions).
///
/// ```
/// let (high, low): (Vec<f64>, Vec<f64>) = (0..40).map(|i| (5.0 + f64::from(i % 3), f64::from(i % 4))).unzip();
/// assert_eq!(eval::compare_means(&high, &low), eval::Comparison::Better);
/// assert_eq!(eval::compare_means(&low, &low), eval::Comparison::Comparable);
/// ```
#[must_use]
pub fn compare_means(first: &[f64], second: &[f64]) -> Comparison {
    let (mean_1, error_1) = mean_and_squared_error(first);
    let (mean_2, error_2) = mean_and_squared_error(second);
    let spread = (error_1 + error_2).sqrt();
    let difference = mean_1 - mean_2;
    if spread == 0.0 && difference == 0.0 || difference.abs() <= 1.96 * spread {
        Comparison::Comparable
    } else if difference > 0.0 {
        Comparison::Better
    } else {
        Comparison::Worse
    }
}

/// The mean, and the square of its standard error.
fn mean_and_squared_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    if values.len() < 2 {
        return (values.iter().sum(), f64::INFINITY);
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance / n)
}

/// The geometric mean of positive numbers; 1 for none.
///
/// ```
/// assert!((eval::geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        n += 1.0;
    }
    if n == 0.0 { 1.0 } else { (sum / n).exp() }
}
