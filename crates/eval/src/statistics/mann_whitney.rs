//! The rank-sum test: Mann and Whitney, "On a test of whether one of two random variables is
//! stochastically larger than the other", 1947.

use super::normal::two_sided;
use super::ranks::ranks;
use serde::Serialize;

/// What the test says about two samples.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RankSum {
    /// U: in how many pairs of one value of each sample the first is larger; equal ones count half.
    pub u: f64,
    /// The chance of a U at least as far from the middle, if neither sample tends to be larger.
    pub p: f64,
    /// Whether `p` is exact; else it is by the normal approximation.
    pub exact: bool,
}

/// Up to this many values in each sample all orders are counted: C(40, 20) is still exact in a float.
const EXACT: usize = 20;

/// Whether one of two independent samples tends to be larger, two-sided.
///
/// Up to 20 values each without ties `p` is exact; else it is by the normal approximation with the
/// corrections for ties and for continuity (Hollander and Wolfe, "Nonparametric statistical methods",
/// 2nd edition, section 4.1). A sample without values shows nothing: p is 1.
///
/// ```
/// // All of the first are smaller: U is 0, and so are 2 of the C(5, 2) = 10 orders as uneven.
/// let result = eval::statistics::mann_whitney(&[1.0, 2.0], &[3.0, 4.0, 5.0]);
/// assert_eq!((result.u, result.p), (0.0, 0.2));
/// ```
#[must_use]
pub fn mann_whitney(first: &[f64], second: &[f64]) -> RankSum {
    let (m, n) = (first.len(), second.len());
    let ranks = ranks(&[first, second].concat());
    let u = ranks.of[..m].iter().sum::<f64>() - (m * (m + 1)) as f64 / 2.0;
    let pairs = (m * n) as f64;
    let exact = m.max(n) <= EXACT && !ranks.have_ties();
    let p = if exact {
        exact_p(m, n, u.min(pairs - u))
    } else {
        let all = (m + n) as f64;
        let variance = pairs / 12.0 * (all + 1.0 - ranks.tie_term() / (all * (all - 1.0)));
        let distance = ((u - pairs / 2.0).abs() - 0.5).max(0.0);
        // All values equal, or one sample empty: nothing varies.
        if variance > 0.0 { two_sided(distance / variance.sqrt()) } else { 1.0 }
    };
    RankSum { u, p, exact }
}

/// Twice the share of orders of `m` and `n` values whose U is at most `smaller`.
fn exact_p(m: usize, n: usize, smaller: f64) -> f64 {
    // The number of orders for each U has as its generating function the Gaussian binomial
    // coefficient: the product of (1 - q^(n+i)) / (1 - q^i) for i from 1 to m.
    let mut orders = vec![0.0; m * n + 1];
    orders[0] = 1.0;
    for i in 1..=m {
        for u in (n + i..orders.len()).rev() {
            orders[u] -= orders[u - n - i];
        }
        for u in i..orders.len() {
            orders[u] += orders[u - i];
        }
    }
    let all: f64 = orders.iter().sum();
    let ways: f64 = orders[..=smaller as usize].iter().sum();
    (2.0 * ways / all).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    fn check(first: &[f64], second: &[f64], u: f64, p: f64, exact: bool) {
        let result = mann_whitney(first, second);
        assert_eq!((result.u, result.exact), (u, exact));
        assert_close(result.p, p);
        assert_close(mann_whitney(second, first).p, p);
    }

    fn line(n: u32, slope: f64, start: f64) -> Vec<f64> {
        (0..n).map(|i| f64::from(i) * slope + start).collect()
    }

    #[test]
    fn small_samples_without_ties_are_exact() {
        // scipy.stats.mannwhitneyu(m, f, method='exact')
        let (m, f) = ([19., 22., 16., 29., 24.], [20., 11., 17., 12.]);
        check(&m, &f, 17.0, 0.1111111111111111, true);
        // scipy.stats.mannwhitneyu([2*i for i in range(20)], [2*i + 7 for i in range(20)], method='exact')
        check(&line(20, 2.0, 0.0), &line(20, 2.0, 7.0), 136.0, 0.0859140199856938, true);
    }

    #[test]
    fn large_samples_and_ties_are_approximated() {
        // scipy.stats.mannwhitneyu(range(30), [1.5*i + 10.25 for i in range(25)], method='asymptotic')
        check(&line(30, 1.0, 0.0), &line(25, 1.5, 10.25), 133.0, 4.463153497368238e-5, false);
        // scipy.stats.mannwhitneyu(a, b, method='asymptotic')
        let (a, b) = ([1., 2., 2., 3., 5., 5., 5., 8.], [2., 4., 5., 6., 6., 7., 9., 9., 10.]);
        check(&a, &b, 15.5, 0.05193759572394502, false);
    }

    #[test]
    fn what_does_not_vary_shows_nothing() {
        check(&[1.0; 5], &[1.0; 4], 10.0, 1.0, false);
        check(&[], &[1.0, 2.0], 0.0, 1.0, true);
        check(&[], &[], 0.0, 1.0, true);
        check(&[], &line(30, 1.0, 0.0), 0.0, 1.0, false);
    }
}
