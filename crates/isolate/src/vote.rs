//! Blame by vote: each witness says what the failing run did and it did not.

use crate::neighbour::Differs;
use crate::ranking::{is_ranked_file, sorted};
use coverage::{Map, Set};
use std::collections::BTreeMap;

/// Votes on the edges of the failing run.
///
/// A witness acquits what it runs and spreads one unit of blame evenly over what the failing run runs and it does
/// not: one that differs in 200 edges says much about each, one that differs in 20,000 little. Blame is
/// averaged within each kind of witness, so that many of one kind do not drown few of another; each edge counts by
/// the share of failing runs that have it.
#[derive(Clone, Debug)]
pub struct Votes {
    /// The edges of the failing run, in order.
    edges: Vec<u32>,
    /// By kind of witness: how many, and the blame of each edge.
    kinds: BTreeMap<Differs, (u32, Vec<f64>)>,
    /// How many failing runs have each edge.
    failing: Vec<u32>,
    runs: u32,
}

impl Votes {
    /// Of one failing run, and no witness.
    #[must_use]
    pub fn of(failing: &Set) -> Votes {
        let edges: Vec<u32> = failing.iter().map(|edge| edge as u32).collect();
        let failing = vec![1; edges.len()];
        Votes { edges, kinds: BTreeMap::new(), failing, runs: 1 }
    }

    /// One more witness; `against` is the failing run that it is one step from.
    pub fn add_passing(&mut self, differs: Differs, against: &Set, run: &Set) {
        let blamed = |edge: &u32| against.contains(*edge as usize) && !run.contains(*edge as usize);
        let count = self.edges.iter().filter(|edge| blamed(edge)).count();
        let (witnesses, blame) =
            self.kinds.entry(differs).or_insert_with(|| (0, vec![0.0; self.edges.len()]));
        *witnesses += 1;
        for (edge, blame) in self.edges.iter().zip(blame) {
            if blamed(edge) {
                *blame += 1.0 / count as f64;
            }
        }
    }

    /// One more failing run.
    pub fn add_failing(&mut self, run: &Set) {
        for (edge, count) in self.edges.iter().zip(&mut self.failing) {
            *count += u32::from(run.contains(*edge as usize));
        }
        self.runs += 1;
    }

    /// The blame of each edge of the failing run.
    pub fn blame(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.edges.iter().enumerate().map(|(at, &edge)| {
            let votes = self.kinds.values();
            let sum: f64 = votes.map(|(count, blame)| blame[at] / f64::from(*count)).sum();
            let share = f64::from(self.failing[at]) / f64::from(self.runs);
            (edge as usize, sum * share)
        })
    }

    /// Files by the blame of their edges, divided by the root of how many the failing run has: a mean would
    /// punish large files, a sum small ones.
    #[must_use]
    pub fn file_scores(&self, map: &Map) -> Vec<(usize, f64)> {
        let ranked: Vec<bool> = map.files.iter().map(|file| is_ranked_file(file)).collect();
        let mut sums: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
        for (edge, blame) in self.blame() {
            let file = map.file_of(edge);
            if ranked[file] {
                let (sum, edges) = sums.entry(file).or_default();
                *sum += blame;
                *edges += 1;
            }
        }
        let scores =
            sums.into_iter().map(|(file, (sum, edges))| (file, sum / f64::from(edges).sqrt()));
        sorted(scores.collect(), |file| &map.files[file])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> Set {
        Set::of(8, members.iter().copied())
    }

    #[test]
    fn a_witness_that_differs_in_little_says_much() {
        let failing = set(&[0, 1, 2, 3]);
        let mut votes = Votes::of(&failing);
        votes.add_passing(Differs::Option, &failing, &set(&[0, 1, 2, 7]));
        votes.add_passing(Differs::Option, &failing, &set(&[0]));
        // Two of a kind share what one of another kind has alone.
        votes.add_passing(Differs::Program, &failing, &set(&[0, 2, 3]));
        let blame: Vec<(usize, f64)> = votes.blame().collect();
        let third = 1.0 / 3.0;
        let expect = [(0, 0.0), (1, third / 2.0 + 1.0), (2, third / 2.0), (3, (1.0 + third) / 2.0)];
        for ((edge, found), (wanted, expect)) in blame.into_iter().zip(expect) {
            assert!(edge == wanted && (found - expect).abs() < 1e-12, "{edge}: {found}");
        }
        votes.add_failing(&set(&[0, 1, 2]));
        let of_three = votes.blame().nth(3).unwrap().1;
        assert!((of_three - (1.0 + third) / 4.0).abs() < 1e-12, "half of the failing runs have it");
    }

    #[test]
    fn a_witness_is_held_against_the_run_that_it_is_one_step_from() {
        let mut votes = Votes::of(&set(&[0, 1, 2, 3]));
        votes.add_passing(Differs::Pass, &set(&[0, 1]), &set(&[0]));
        assert_eq!(votes.blame().map(|(_, blame)| blame).collect::<Vec<_>>(), [0.0, 1.0, 0.0, 0.0]);
    }
}
