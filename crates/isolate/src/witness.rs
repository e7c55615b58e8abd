//! Programs that narrowly avoid the bug, and what makes a set of them good.

use base::ContentId;
use coverage::{Map, Set};
use std::collections::BTreeSet;

/// What a run of the compiler executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// Its edges.
    pub edges: Set,
    /// Its lines: the papers' statements.
    pub lines: Set,
    /// How often it executed each edge of the failing run, in their order, as far as that is counted.
    pub counts: Vec<u16>,
}

/// The edges of a run, and how often it executed those of the failing run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    pub edges: Set,
    pub counts: Vec<u16>,
}

impl Counted {
    /// A run of nothing.
    pub(crate) fn none(map: &Map) -> Counted {
        Counted { edges: Set::none(map.edges()), counts: Vec::new() }
    }
}

impl Executed {
    /// The lines of some edges beside them.
    pub(crate) fn new(map: &Map, Counted { edges, counts }: Counted) -> Executed {
        Executed { lines: map.lines(&edges), edges, counts }
    }

    /// The edges of the failing run, by their places, that another run executed more often than this one, which executed
    /// them too; each with the share that is missing.
    pub(crate) fn less_often(&self, than: &Executed) -> Vec<(u32, f32)> {
        let both = (0..).zip(than.counts.iter().zip(&self.counts));
        let fewer = both.filter(|(_, (more, few))| **few > 0 && few < more);
        fewer.map(|(at, (more, few))| (at, f32::from(more - few) / f32::from(*more))).collect()
    }

    /// The coverage distance of the papers: one minus the share of lines that both have.
    #[must_use]
    pub fn distance(&self, other: &Executed) -> f64 {
        1.0 - self.lines.jaccard(&other.lines)
    }
}

/// A passing program.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Its text; of several files the one that differs.
    pub text: Vec<u8>,
    /// How it differs from the failing program, in words.
    pub what: String,
    /// The move that made it: a rule, an operator, a donor.
    pub by: String,
    /// The evaluation that found it, from 1.
    pub evaluation: u64,
    /// What the compiler executed for it; not kept for more than a thousand.
    pub executed: Option<Executed>,
    /// Its distance from the failing program.
    pub distance: f64,
}

/// Coverage of more witnesses is not kept: each takes half a megabyte. Diversity is that of these.
const KEPT: usize = 1000;

/// The witnesses so far.
#[derive(Clone, Debug, Default)]
pub struct Witnesses {
    all: Vec<Witness>,
    /// Every text that was tried.
    texts: BTreeSet<ContentId>,
    /// Distances of each to those before it.
    distances: Vec<Vec<f64>>,
}

impl Witnesses {
    /// Is this text new? It is not from then on.
    pub fn is_new_text(&mut self, text: &[u8]) -> bool {
        self.texts.insert(ContentId::of(text))
    }

    /// Has a witness executed the very same?
    #[must_use]
    pub fn has_executed(&self, executed: &Executed) -> bool {
        self.kept().any(|kept| kept.lines == executed.lines)
    }

    /// The distances to all witnesses whose coverage is kept, in order.
    #[must_use]
    pub fn distances(&self, executed: &Executed) -> Vec<f64> {
        self.kept().map(|kept| kept.distance(executed)).collect()
    }

    fn kept(&self) -> impl Iterator<Item = &Executed> {
        self.all.iter().filter_map(|witness| witness.executed.as_ref())
    }

    /// One more, with its distances to the others.
    pub fn push(&mut self, mut witness: Witness, distances: Vec<f64>) {
        match self.distances.len() < KEPT {
            true => self.distances.push(distances),
            false => witness.executed = None,
        }
        self.all.push(witness);
    }

    /// All, in the order in which they were found.
    #[must_use]
    pub fn all(&self) -> &[Witness] {
        &self.all
    }

    /// The distance of each to the nearest of those that were found before it, where coverage was kept.
    #[must_use]
    pub fn novelties(&self) -> Vec<Option<f64>> {
        self.distances.iter().map(|before| before.iter().copied().reduce(f64::min)).collect()
    }

    /// How similar they are to the failing program: RecBi's formula 1.
    #[must_use]
    pub fn similarity(&self) -> Option<f64> {
        mean(self.all.iter().map(|witness| 1.0 - witness.distance))
    }

    /// The mean of all distances between two of them: RecBi's formula 2.
    #[must_use]
    pub fn pairwise_diversity(&self) -> Option<f64> {
        mean(self.distances.iter().flatten().copied())
    }

    /// The mean of each one's distance to its nearest: DiWi 5.6.3.
    #[must_use]
    pub fn nearest_diversity(&self) -> Option<f64> {
        if self.distances.len() < 2 {
            return None;
        }
        let mut nearest = vec![f64::INFINITY; self.distances.len()];
        for (one, row) in self.distances.iter().enumerate() {
            for (other, &distance) in row.iter().enumerate() {
                nearest[one] = nearest[one].min(distance);
                nearest[other] = nearest[other].min(distance);
            }
        }
        mean(nearest.into_iter())
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executed(members: &[usize]) -> Executed {
        let set = Set::of(8, members.iter().copied());
        Executed { edges: set.clone(), lines: set, counts: Vec::new() }
    }

    #[test]
    fn what_ran_less_often_is_told_by_its_share() {
        let counted = |counts: &[u16]| Executed { counts: counts.to_vec(), ..executed(&[]) };
        let (failing, passing) = (counted(&[4, 4, 4, 4, 0]), counted(&[4, 3, 0, 9, 1]));
        assert_eq!(passing.less_often(&failing), [(1, 0.25)]);
        assert_eq!(passing.less_often(&executed(&[])), []);
    }

    #[test]
    fn similarity_and_both_diversities_are_those_of_the_papers() {
        let failing = executed(&[0, 1, 2, 3]);
        let mut witnesses = Witnesses::default();
        for members in [&[0, 1][..], &[0, 1, 2, 4], &[0, 1, 2, 3]] {
            let executed = executed(members);
            let distances = witnesses.distances(&executed);
            let distance = executed.distance(&failing);
            let witness = Witness {
                text: Vec::new(),
                what: String::new(),
                by: String::new(),
                evaluation: 1,
                executed: Some(executed),
                distance,
            };
            witnesses.push(witness, distances);
        }
        // Jaccard with the failing run: 2/4, 3/5, 4/4.
        assert!((witnesses.similarity().unwrap() - (0.5 + 0.6 + 1.0) / 3.0).abs() < 1e-12);
        // Distances of pairs: 1 - 2/4, 1 - 2/4, 1 - 3/5.
        let pairs = witnesses.pairwise_diversity().unwrap();
        assert!((pairs - (0.5 + 0.5 + 0.4) / 3.0).abs() < 1e-12);
        let nearest = witnesses.nearest_diversity().unwrap();
        assert!((nearest - (0.5 + 0.4 + 0.4) / 3.0).abs() < 1e-12);
        assert!(witnesses.has_executed(&executed(&[0, 1])));
        assert!(!witnesses.has_executed(&executed(&[0])));
    }
}
