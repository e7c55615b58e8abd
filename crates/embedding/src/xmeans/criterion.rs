//! The Bayesian information criterion: how well clusters explain points, less what they cost.

use std::f64::consts::TAU;

/// Points in clusters.
pub(super) struct Fit<'a> {
    /// How many points each cluster has.
    pub sizes: &'a [usize],
    /// The sum of the squares of the distances to the centres.
    pub error: f64,
}

/// BIC for K clusters of N points in d dimensions, with n points in a cluster, larger for the better:
///
/// σ² = error / (N − K), p = (K − 1) + d·K + 1,
/// Σ over the clusters of n·ln n − n·ln N − n/2·ln 2π − n·d/2·ln σ² − (n − K)/2 − p/2·ln N.
///
/// Pelleg and Moore count p once, PyClustering once for each cluster, and so do we; both leave out that σ²
/// is over d dimensions, which makes no difference between one cluster and two. Without any error the
/// likelihood has no bound.
///
/// There must be more points than clusters, and no empty cluster.
pub(super) fn information_criterion(fit: &Fit<'_>, dimensions: usize) -> f64 {
    if fit.error <= 0.0 {
        return f64::INFINITY;
    }
    let clusters = fit.sizes.len() as f64;
    let points = fit.sizes.iter().sum::<usize>() as f64;
    let dimensions = dimensions as f64;
    let variance = fit.error / (points - clusters);
    let parameters = (clusters - 1.0) + dimensions * clusters + 1.0;
    let of_cluster = |size: &usize| {
        let size = *size as f64;
        size * size.ln()
            - size * points.ln()
            - size / 2.0 * TAU.ln()
            - size * dimensions / 2.0 * variance.ln()
            - (size - clusters) / 2.0
            - parameters / 2.0 * points.ln()
    };
    fit.sizes.iter().map(of_cluster).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are a separate calculation with NumPy, and what PyClustering 0.10.1 says, for (0,0) (0,2)
    /// (2,0) (2,2) (10,0) (10,2) (12,0) (12,3): all as one, the left four and the right four, and the last
    /// one alone.
    #[test]
    fn two_clusters_explain_two_groups_best() {
        let check = |sizes: &[usize], error: f64, expected: f64| {
            let value = information_criterion(&Fit { sizes, error }, 2);
            assert!((value - expected).abs() < 1e-12, "{sizes:?}: {value}");
        };
        check(&[8], 218.875, -41.511_395_710_562_76);
        check(&[4, 4], 18.75, -36.488_809_225_702_87);
        check(&[4, 3, 1], 40.0 / 3.0, -50.565_121_125_363_77);
    }

    #[test]
    fn nothing_explains_better_than_no_error() {
        assert_eq!(information_criterion(&Fit { sizes: &[3, 3], error: 0.0 }, 1), f64::INFINITY);
    }
}
