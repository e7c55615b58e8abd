//! Ranks, where equal values share the mean of theirs.

/// The ranks of values, and how often each value occurs.
pub(super) struct Ranks {
    /// Of each value, in the order in which they came; the smallest value has rank 1.
    pub of: Vec<f64>,
    /// How many values are equal, for each different value.
    ties: Vec<usize>,
}

impl Ranks {
    /// Whether some values are equal, so that exact distributions do not hold.
    pub fn have_ties(&self) -> bool {
        self.ties.iter().any(|count| *count > 1)
    }

    /// Σ (t³ − t) over groups of t equal values: what variances of rank sums are corrected by.
    pub fn tie_term(&self) -> f64 {
        self.ties.iter().map(|count| *count as f64).map(|t| t * t * t - t).sum()
    }
}

pub(super) fn ranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = Ranks { of: vec![0.0; values.len()], ties: Vec::new() };
    let mut before = 0;
    for tie in order.chunk_by(|a, b| values[*a] == values[*b]) {
        for index in tie {
            ranks.of[*index] = before as f64 + (tie.len() + 1) as f64 / 2.0;
        }
        ranks.ties.push(tie.len());
        before += tie.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_the_mean_of_their_ranks() {
        // scipy.stats.rankdata([3, 1, 3, 2, 3])
        let ranks = ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]);
        assert_eq!(ranks.of, [4.0, 1.0, 4.0, 2.0, 4.0]);
        assert!(ranks.have_ties());
        assert_eq!(ranks.tie_term(), 24.0);
    }
}
