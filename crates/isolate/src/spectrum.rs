//! Which runs executed what.

use crate::formula::{Formula, Tally};
use coverage::Set;

/// Elements of the compiler (lines, or whole files) and how many runs executed each.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// What the first failing run executed: only that can be to blame.
    base: Set,
    /// By element of the base, in order: failing runs that execute it.
    ef: Vec<u32>,
    /// The same for passing runs.
    ep: Vec<u32>,
    failing: u32,
    passing: u32,
}

impl Spectrum {
    /// Of one failing run.
    #[must_use]
    pub fn of(failing: &Set) -> Spectrum {
        let elements = failing.len();
        Spectrum {
            base: failing.clone(),
            ef: vec![1; elements],
            ep: vec![0; elements],
            failing: 1,
            passing: 0,
        }
    }

    /// One more failing run.
    pub fn add_failing(&mut self, run: &Set) {
        add(&self.base, run, &mut self.ef);
        self.failing += 1;
    }

    /// One more passing run.
    pub fn add_passing(&mut self, run: &Set) {
        add(&self.base, run, &mut self.ep);
        self.passing += 1;
    }

    /// How many passing runs it has.
    #[must_use]
    pub fn passing(&self) -> u32 {
        self.passing
    }

    /// The elements that the failing run executed, each with its score.
    pub fn scores(&self, formula: &Formula) -> impl Iterator<Item = (usize, f64)> {
        // The score depends on two small numbers: each pair is computed once.
        let mut known: Vec<Option<f64>> = Vec::new();
        let width = self.passing as usize + 1;
        self.base.iter().zip(self.ef.iter().zip(&self.ep)).map(move |(element, (&ef, &ep))| {
            let at = ef as usize * width + ep as usize;
            if known.len() <= at {
                known.resize(at + 1, None);
            }
            let score = *known[at].get_or_insert_with(|| formula.score(self.tally(ef, ep)));
            (element, score)
        })
    }

    /// The elements that the failing run executed, each with the number of passing runs that did not.
    pub fn skipped(&self) -> impl Iterator<Item = (usize, u32)> {
        self.base.iter().zip(&self.ep).map(|(element, &ep)| (element, self.passing - ep))
    }

    fn tally(&self, ef: u32, ep: u32) -> Tally {
        Tally {
            ef: f64::from(ef),
            nf: f64::from(self.failing - ef),
            ep: f64::from(ep),
            np: f64::from(self.passing - ep),
        }
    }
}

fn add(base: &Set, run: &Set, counts: &mut [u32]) {
    for (element, count) in base.iter().zip(counts) {
        *count += u32::from(run.contains(element));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> Set {
        Set::of(8, members.iter().copied())
    }

    #[test]
    fn only_what_the_failing_run_executed_is_scored() {
        let mut spectrum = Spectrum::of(&set(&[1, 2, 5]));
        spectrum.add_passing(&set(&[1, 7]));
        spectrum.add_passing(&set(&[1, 2]));
        spectrum.add_passing(&set(&[1]));
        let scores: Vec<(usize, f64)> = spectrum.scores(&Formula::OCHIAI).collect();
        assert_eq!(scores, [(1, 0.5), (2, 1.0 / 2.0_f64.sqrt()), (5, 1.0)]);
        assert_eq!(spectrum.skipped().collect::<Vec<_>>(), [(1, 0), (2, 2), (5, 3)]);
    }

    #[test]
    fn further_failing_runs_count() {
        let mut spectrum = Spectrum::of(&set(&[1, 2]));
        spectrum.add_failing(&set(&[2, 3]));
        spectrum.add_passing(&set(&[1, 2]));
        let scores: Vec<(usize, f64)> = spectrum.scores(&Formula::OCHIAI).collect();
        assert_eq!(scores, [(1, 1.0 / 4.0_f64.sqrt()), (2, 2.0 / 6.0_f64.sqrt())]);
    }
}
