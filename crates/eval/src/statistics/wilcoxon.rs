//! Wilcoxon's signed-rank test: Wilcoxon, "Individual comparisons by ranking methods", 1945.

use super::normal::two_sided;
use super::ranks::ranks;
use serde::Serialize;

/// What the test says about pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SignedRank {
    /// How many pairs differ; the others were dropped, as Wilcoxon does.
    pub n: usize,
    /// The sum of the ranks of pairs whose first is larger.
    pub plus: f64,
    /// The sum of the ranks of pairs whose second is larger.
    pub minus: f64,
    /// The chance of sums that are at least as uneven, if neither side tends to be larger.
    pub p: f64,
    /// Whether `p` is exact; else it is by the normal approximation.
    pub exact: bool,
}

/// Up to this many pairs all signs are counted; beyond, the approximation is as good (and tables in
/// books end).
const EXACT: usize = 25;

/// Whether one of two paired samples tends to be larger, two-sided.
///
/// Up to 25 pairs without ties `p` is exact; else it is by the normal approximation with the
/// corrections for ties and for continuity (Hollander and Wolfe, "Nonparametric statistical methods",
/// 2nd edition, section 3.1).
///
/// ```
/// // Differences 1, -2, 3, 4: of the 16 ways to sign ranks 1 to 4, the sum of the negative ones is
/// // at most 2 in three (none, {1}, {2}), and as many on the other side.
/// let result = eval::statistics::wilcoxon(&[1.0, 0.0, 3.0, 4.0, 7.0], &[0.0, 2.0, 0.0, 0.0, 7.0]);
/// assert_eq!((result.n, result.plus, result.minus), (4, 8.0, 2.0));
/// assert_eq!(result.p, 6.0 / 16.0);
/// ```
///
/// # Panics
///
/// If there are not as many in `first` as in `second`.
#[must_use]
pub fn wilcoxon(first: &[f64], second: &[f64]) -> SignedRank {
    assert_eq!(first.len(), second.len(), "pairs have two sides");
    let differences: Vec<f64> =
        first.iter().zip(second).map(|(a, b)| a - b).filter(|d| *d != 0.0).collect();
    let n = differences.len();
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = ranks(&sizes);
    let signed = differences.iter().zip(&ranks.of);
    let plus: f64 = signed.filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let all = (n * (n + 1)) as f64 / 2.0;
    let minus = all - plus;
    let exact = n <= EXACT && !ranks.have_ties();
    let p = if exact {
        exact_p(n, plus.min(minus))
    } else {
        let variance = all * (2 * n + 1) as f64 / 12.0 - ranks.tie_term() / 48.0;
        let distance = ((plus - all / 2.0).abs() - 0.5).max(0.0);
        two_sided(distance / variance.sqrt())
    };
    SignedRank { n, plus, minus, p, exact }
}

/// Twice the share of the 2ⁿ ways to sign the ranks 1 to n whose smaller sum is at most `smaller`.
fn exact_p(n: usize, smaller: f64) -> f64 {
    // How many subsets of the ranks so far have each sum.
    let mut subsets = vec![0u64; n * (n + 1) / 2 + 1];
    subsets[0] = 1;
    for rank in 1..=n {
        for sum in (rank..subsets.len()).rev() {
            subsets[sum] += subsets[sum - rank];
        }
    }
    let ways: u64 = subsets[..=smaller as usize].iter().sum();
    (2.0 * ways as f64 / 2.0_f64.powi(n as i32)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    fn check(differences: &[f64], n: usize, smaller: f64, p: f64, exact: bool) {
        let result = wilcoxon(differences, &vec![0.0; differences.len()]);
        assert_eq!((result.n, result.plus.min(result.minus)), (n, smaller));
        assert_eq!(result.exact, exact);
        assert_close(result.p, p);
        let swapped = wilcoxon(&vec![0.0; differences.len()], differences);
        assert_eq!((swapped.plus, swapped.p), (result.minus, result.p), "sides are alike");
    }

    #[test]
    fn few_pairs_without_ties_are_exact() {
        // Darwin's plants; scipy.stats.wilcoxon(d, method='exact')
        let plants = [6., 8., 14., 16., 23., 24., 28., 29., 41., -48., 49., 56., 60., -67., 75.];
        check(&plants, 15, 24.0, 0.041259765625, true);
        // scipy.stats.wilcoxon([i if i % 4 else -i for i in range(1, 26)], method='exact')
        check(&signed(25, 4), 25, 84.0, 0.034173786640167236, true);
    }

    #[test]
    fn many_pairs_are_approximated() {
        // scipy.stats.wilcoxon([i if i % 3 else -i for i in range(1, 31)], method='approx', correction=True)
        check(&signed(30, 3), 30, 165.0, 0.1681789797233525, false);
        // The same with i % 10 and range(1, 91).
        check(&signed(90, 10), 90, 450.0, 1.3115105662806487e-10, false);
    }

    #[test]
    fn ties_are_corrected_for_and_equal_pairs_dropped() {
        // scipy.stats.wilcoxon(a, b, method='approx', correction=True)
        let a = [125., 115., 130., 140., 140., 115., 140., 125., 140., 135.];
        let b = [110., 122., 125., 120., 140., 124., 123., 137., 135., 145.];
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        check(&differences, 9, 18.0, 0.6352893188352069, false);
    }

    #[test]
    fn pairs_that_are_all_equal_show_nothing() {
        check(&[0.0, 0.0], 0, 0.0, 1.0, true);
        check(&[], 0, 0.0, 1.0, true);
    }

    /// 1, 2, … `n`, of which every `every`-th is negative.
    fn signed(n: u32, every: u32) -> Vec<f64> {
        (1..=n).map(|i| if i % every == 0 { -f64::from(i) } else { f64::from(i) }).collect()
    }
}
