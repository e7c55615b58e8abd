//! The little statistics that tables need: one test or measure a file, each with its source.
//!
//! In: finite numbers. Out: numbers. Nothing here rounds, or knows what significant means.

mod a12;
mod incomplete_beta;
mod mann_whitney;
mod mean;
mod normal;
mod pearson;
mod ranks;
mod wilcoxon;

pub use a12::{Magnitude, a12, magnitude};
pub use incomplete_beta::incomplete_beta;
pub use mann_whitney::{RankSum, mann_whitney};
pub use mean::{Comparison, compare_means, geometric_mean};
pub use pearson::{Correlation, pearson};
pub use plot::{Summary, quantile, summary};
pub use wilcoxon::{SignedRank, wilcoxon};

/// Numbers of the tests come from scipy 1.17, whose call stands beside each.
#[cfg(test)]
#[track_caller]
fn assert_close(value: f64, expected: f64) {
    let error = (value - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error < 1e-10, "{value} is not {expected}");
}
