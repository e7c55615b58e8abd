//! How dense values are: Silverman, "Density estimation for statistics and data analysis", 1986.

use crate::summary::quantile;

/// The width of kernels that Silverman recommends (formula 3.31): 0.9 min(σ, IQR/1.34) n^(−1/5). 0 if
/// the values do not differ.
///
/// ```
/// // σ = 1.5811 (by n−1), IQR/1.34 = 2/1.34 = 1.4925, 5^(-1/5) = 0.72478
/// let width = plot::silverman_bandwidth(&[1.0, 2.0, 3.0, 4.0, 5.0]);
/// assert!((width - 0.9 * 1.4925373 * 0.7247797).abs() < 1e-6);
/// ```
#[must_use]
pub fn silverman_bandwidth(sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    if n < 2.0 {
        return 0.0;
    }
    let mean = sorted.iter().sum::<f64>() / n;
    let deviation = (sorted.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let at = |share| quantile(sorted, share).unwrap_or(mean);
    let middle = (at(0.75) - at(0.25)) / 1.34;
    // Half of the values being equal says nothing about the others.
    let spread = if middle > 0.0 { deviation.min(middle) } else { deviation };
    0.9 * spread * n.powf(-0.2)
}

/// The density of `values` at `x`, by Gaussian kernels of a width above 0 (Silverman's formula 2.2a).
///
/// ```
/// // In the middle of a single kernel of width 2: 1 / (2 √(2π)).
/// assert!((plot::density(&[7.0], 2.0, 7.0) - 0.19947114).abs() < 1e-8);
/// ```
#[must_use]
pub fn density(values: &[f64], width: f64, x: f64) -> f64 {
    let kernel = |value: &f64| (-0.5 * ((x - value) / width).powi(2)).exp();
    let scale = values.len() as f64 * width * std::f64::consts::TAU.sqrt();
    values.iter().map(kernel).sum::<f64>() / scale
}
