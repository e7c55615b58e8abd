//! A sample in a few numbers.

/// What a box plot shows of a sample, and its mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// How many values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// The smallest.
    pub least: f64,
    /// A quarter of the values is below.
    pub lower_quartile: f64,
    /// Half of the values is below.
    pub median: f64,
    /// A quarter of the values is above.
    pub upper_quartile: f64,
    /// The largest.
    pub most: f64,
}

/// Sums up `values`; none if there are none.
///
/// ```
/// let summary = plot::summary(&[4.0, 1.0, 2.0, 3.0]).expect("there are values");
/// assert_eq!((summary.mean, summary.median), (2.5, 2.5));
/// assert_eq!((summary.lower_quartile, summary.upper_quartile), (1.75, 3.25));
/// ```
#[must_use]
pub fn summary(values: &[f64]) -> Option<Summary> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share| quantile(&sorted, share);
    Some(Summary {
        n: values.len(),
        mean: values.iter().sum::<f64>() / values.len() as f64,
        least: at(0.0)?,
        lower_quartile: at(0.25)?,
        median: at(0.5)?,
        upper_quartile: at(0.75)?,
        most: at(1.0)?,
    })
}

/// The value below which a `share` of `sorted` lies, none if it is empty: type 7 of Hyndman and Fan,
/// "Sample quantiles in statistical packages", 1996, which is the default of R and NumPy. It is at
/// place 1 + (n−1)·share, between two values in proportion.
///
/// ```
/// assert_eq!(plot::quantile(&[10.0, 20.0, 40.0], 0.75), Some(30.0));
/// ```
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = last as f64 * share.clamp(0.0, 1.0);
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    Some(low + (high - low) * (place - below as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], q)
        let sorted = [1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 9.0];
        for (q, expected) in [(0.0, 1.0), (0.1, 1.0), (0.25, 1.75), (0.5, 3.5), (0.75, 5.25)] {
            let found = quantile(&sorted, q).expect("there are values");
            assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
        }
        assert_eq!(quantile(&sorted, 1.0), Some(9.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(summary(&[]), None);
    }
}
