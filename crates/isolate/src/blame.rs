//! Blame by all that is known about a failing compilation.

use crate::method::Parameters;
use crate::named::Standing;
use crate::neighbour::Differs;
use crate::ranking::{Evidence, is_ranked_file, sorted};
use coverage::{Map, Set};
use std::collections::{BTreeMap, BTreeSet};

/// So many witnesses are told for a file.
const MOST_EVIDENCE: usize = 3;

/// Evidence on the edges of the failing run.
///
/// - A run of the same program that fails too acquits what it does without: the bug does not need it.
/// - A witness spreads one unit of blame over what the failing run executes and it does not, each edge by how likely
///   it is after the acquittals; witnesses of a kind share the weight of their kind.
/// - The step with which it begins to fail is a witness of its own kind: with all later passes off, what it executes
///   has no consequences.
/// - What runs at the lowest level too, or to report a crash, has little to do with it.
/// - So has what most unrelated programs execute with the failing arguments; what few of them do stands out.
#[derive(Clone, Debug)]
pub(crate) struct Blame {
    /// The edges of the failing run, in order.
    edges: Vec<u32>,
    /// Are they executed by every failing run of the same program?
    needed: Vec<bool>,
    /// How many failing variants of the program execute them, and how many there are.
    varied: (Vec<u32>, u32),
    witnesses: BTreeMap<Differs, Vec<Lacking>>,
    /// Executed at the lowest level too.
    at_lowest: Vec<bool>,
    /// Executed to report a crash.
    reports: Vec<bool>,
    /// How many unrelated programs execute them, and how many there are.
    unrelated: (Vec<u32>, u32),
}

/// A witness.
#[derive(Clone, Debug)]
struct Lacking {
    what: String,
    /// What it does without, by places in `edges`.
    lacks: Vec<u32>,
    /// What it executes less often than the failing run, with the share that is missing.
    fewer: Vec<(u32, f32)>,
}

impl Lacking {
    /// All of it, with how much each counts.
    fn all(&self, counts: f64) -> impl Iterator<Item = (usize, f64)> {
        let fewer = self.fewer.iter().take_while(move |_| counts > 0.0);
        let fewer = fewer.map(move |(at, share)| (*at as usize, counts * f64::from(*share)));
        self.lacks.iter().map(|at| (*at as usize, 1.0)).chain(fewer)
    }
}

impl Blame {
    /// Of one failing run.
    pub(crate) fn of(failing: &Set) -> Blame {
        let edges: Vec<u32> = failing.iter().map(|edge| edge as u32).collect();
        let all = edges.len();
        Blame {
            edges,
            needed: vec![true; all],
            varied: (vec![0; all], 0),
            witnesses: BTreeMap::new(),
            at_lowest: vec![false; all],
            reports: vec![false; all],
            unrelated: (vec![0; all], 0),
        }
    }

    /// A run that passes; `against` is the failing run that it is one step from, `what` is what it differs in, `fewer`
    /// is what it executes less often than that one.
    pub(crate) fn add_passing(
        &mut self,
        differs: Differs,
        what: &str,
        (against, run): (&Set, &Set),
        fewer: Vec<(u32, f32)>,
    ) {
        if differs == Differs::Level {
            self.at_lowest = self.has(run);
            return;
        }
        let places = (0..).zip(&self.edges);
        let lacks = places.filter(|(_, edge)| {
            against.contains(**edge as usize) && !run.contains(**edge as usize)
        });
        let lacks: Vec<u32> = lacks.map(|(at, _)| at).collect();
        let what = what.to_owned();
        self.witnesses.entry(differs).or_default().push(Lacking { what, lacks, fewer });
    }

    /// A run that fails as the first does.
    pub(crate) fn add_failing(&mut self, differs: Differs, run: &Set) {
        let has = self.has(run);
        match differs {
            Differs::Program => {
                let (counts, all) = &mut self.varied;
                counts.iter_mut().zip(has).for_each(|(count, has)| *count += u32::from(has));
                *all += 1;
            }
            _ => self.needed.iter_mut().zip(has).for_each(|(needed, has)| *needed &= has),
        }
    }

    /// A program that has nothing to do with the failing one, and compiles with the failing arguments.
    pub(crate) fn add_unrelated(&mut self, run: &Set) {
        let has = self.has(run);
        let (counts, all) = &mut self.unrelated;
        counts.iter_mut().zip(has).for_each(|(count, has)| *count += u32::from(has));
        *all += 1;
    }

    /// What the compiler executes to report trouble.
    pub(crate) fn reporting(&mut self, run: &Set) {
        self.reports = self.has(run);
    }

    fn has(&self, run: &Set) -> Vec<bool> {
        self.edges.iter().map(|edge| run.contains(*edge as usize)).collect()
    }

    /// How likely each edge is before any witness is heard.
    fn likely(&self, parameters: &Parameters) -> Vec<f64> {
        let (counts, all) = &self.varied;
        let likely = |at: usize| {
            let varied = match all {
                0 => 1.0,
                all => f64::from(counts[at]) / f64::from(*all),
            };
            let usual = match self.unrelated.1 {
                0 => 0.0,
                all => f64::from(self.unrelated.0[at]) / f64::from(all),
            };
            let unless = |is_acquitted: bool, left: f64| if is_acquitted { left } else { 1.0 };
            varied
                * unless(!self.needed[at], 1.0 - parameters.acquit)
                * unless(self.at_lowest[at], 1.0 - parameters.lowest)
                * unless(self.reports[at], 1.0 - parameters.report)
                * (1.0 - parameters.usual * usual)
        };
        (0..self.edges.len()).map(likely).collect()
    }

    /// The blame of each edge, in the order of the failing run's.
    fn blame(&self, parameters: &Parameters) -> Vec<f64> {
        let likely = self.likely(parameters);
        let mut blame = vec![0.0; self.edges.len()];
        for (differs, witnesses) in &self.witnesses {
            let share = parameters.weight(*differs) / witnesses.len() as f64;
            for witness in witnesses {
                let lacks = || witness.all(parameters.counts);
                let all: f64 = lacks().map(|(at, much)| much * likely[at]).sum();
                if all > 0.0 {
                    lacks().for_each(|(at, much)| blame[at] += share * much * likely[at] / all);
                }
            }
        }
        if self.unrelated.1 > 0 && parameters.unusual > 0.0 {
            // As Ochiai has it of one failing run, sharper.
            let stands_out = |at: usize| likely[at] / (1.0 + f64::from(self.unrelated.0[at]));
            let all: f64 = (0..blame.len()).map(stands_out).sum();
            if all > 0.0 {
                let share = parameters.unusual / all;
                blame
                    .iter_mut()
                    .enumerate()
                    .for_each(|(at, blame)| *blame += share * stands_out(at));
            }
        }
        blame
    }

    /// The blame of each line that the failing run executed; an edge shares its blame among its lines, and the most
    /// blamed has 1.
    pub(crate) fn line_scores(&self, map: &Map, parameters: &Parameters) -> Vec<Option<f64>> {
        let mut scores: Vec<Option<f64>> = vec![None; map.lines.len()];
        for (edge, blame) in self.edges.iter().zip(self.blame(parameters)) {
            let lines = map.lines_of(*edge as usize);
            for line in lines {
                *scores[*line as usize].get_or_insert(0.0) += blame / lines.len() as f64;
            }
        }
        let most = scores.iter().flatten().copied().fold(0.0, f64::max);
        if most > 0.0 {
            scores.iter_mut().flatten().for_each(|score| *score /= most);
        }
        scores
    }

    /// The witnesses that blame a file most, each with the lines of the file that it did without and that no other
    /// failing run did without.
    pub(crate) fn evidence(
        &self,
        map: &Map,
        file: usize,
        parameters: &Parameters,
    ) -> Vec<Evidence> {
        let likely = self.likely(parameters);
        let mut all: Vec<(f64, Evidence)> = Vec::new();
        for (differs, witnesses) in &self.witnesses {
            for Lacking { what, lacks, .. } in witnesses {
                let blames = |at: &&u32| {
                    let at = **at as usize;
                    self.needed[at] && map.file_of(self.edges[at] as usize) == file
                };
                let sum = |places: &mut dyn Iterator<Item = &u32>| -> f64 {
                    places.map(|at| likely[*at as usize]).sum()
                };
                let (here, everywhere) =
                    (sum(&mut lacks.iter().filter(blames)), sum(&mut lacks.iter()));
                if here == 0.0 {
                    continue;
                }
                let edges = lacks.iter().filter(blames).map(|at| self.edges[*at as usize]);
                let lines = edges.flat_map(|edge| map.lines_of(edge as usize));
                let own = lines.map(|line| map.lines[*line as usize]);
                let lines: BTreeSet<u32> =
                    own.filter(|line| line.file as usize == file).map(|line| line.number).collect();
                let weight = parameters.weight(*differs) / witnesses.len() as f64;
                let evidence =
                    Evidence { differs: differs.key().to_owned(), what: what.clone(), lines };
                all.push((weight * here / everywhere, evidence));
            }
        }
        all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        all.into_iter().take(MOST_EVIDENCE).map(|(_, evidence)| evidence).collect()
    }

    /// Files by the blame of their edges, divided by a root of how many the failing run has: a mean would punish
    /// large files, a sum small ones. The most blamed has 1; `standing` are files that stand out without any witness.
    pub(crate) fn file_scores(
        &self,
        map: &Map,
        parameters: &Parameters,
        standing: &[Standing<'_>],
    ) -> Vec<(usize, f64)> {
        let ranked: Vec<bool> = map.files.iter().map(|file| is_ranked_file(file)).collect();
        let mut sums: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
        for (edge, blame) in self.edges.iter().zip(self.blame(parameters)) {
            let file = map.file_of(*edge as usize);
            if ranked[file] {
                let (sum, edges) = sums.entry(file).or_default();
                *sum += blame;
                *edges += 1;
            }
        }
        let mut scores: Vec<(usize, f64)> = sums
            .into_iter()
            .map(|(file, (sum, edges))| (file, sum / f64::from(edges).powf(parameters.size)))
            .collect();
        let first = scores.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let first = if first > 0.0 { first } else { 1.0 };
        scores.iter_mut().for_each(|(_, score)| *score /= first);
        let by_blame = scores.clone();
        for one in standing {
            one.lift(map, &by_blame, &mut scores);
        }
        sorted(scores, |file| &map.files[file])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coverage::{Function, Line};

    fn set(members: &[usize]) -> Set {
        Set::of(8, members.iter().copied())
    }

    fn parameters() -> Parameters {
        let plain = Parameters { usual: 0.0, unusual: 0.0, ..Parameters::default() };
        Parameters { acquit: 1.0, lowest: 1.0, report: 1.0, step: 1.0, ..plain }
    }

    fn near(blame: &Blame, parameters: &Parameters, expect: &[f64]) {
        let found = blame.blame(parameters);
        let is_near = |(found, expect): (&f64, &f64)| (found - expect).abs() < 1e-12;
        assert!(found.iter().zip(expect).all(is_near), "{found:?} is not {expect:?}");
    }

    #[test]
    fn what_a_failing_run_does_without_is_acquitted() {
        let failing = set(&[0, 1, 2, 3]);
        let mut blame = Blame::of(&failing);
        blame.add_passing(Differs::Option, "off", (&failing, &set(&[0])), Vec::new());
        near(&blame, &parameters(), &[0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
        blame.add_failing(Differs::Pass, &set(&[0, 1, 2]));
        near(&blame, &parameters(), &[0.0, 0.5, 0.5, 0.0]);
        blame.add_passing(Differs::Level, "off", (&failing, &set(&[0, 1])), Vec::new());
        near(&blame, &parameters(), &[0.0, 0.0, 1.0, 0.0]);
        let trusting = Parameters { acquit: 0.0, lowest: 0.0, ..parameters() };
        near(&blame, &trusting, &[0.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn kinds_weigh_what_they_are_given_and_variants_of_the_program_doubt() {
        let failing = set(&[0, 1, 2]);
        let mut blame = Blame::of(&failing);
        blame.add_passing(Differs::Option, "off", (&failing, &set(&[0, 1])), Vec::new());
        blame.add_passing(Differs::Program, "off", (&failing, &set(&[0, 2])), Vec::new());
        blame.add_passing(Differs::Program, "off", (&failing, &set(&[0])), Vec::new());
        blame.add_failing(Differs::Program, &set(&[0, 1, 2]));
        blame.add_failing(Differs::Program, &set(&[0, 1]));
        // Edge 2 is in one of two failing variants: half as likely as edge 1.
        let third = 1.0 / 3.0;
        near(&blame, &parameters(), &[0.0, 0.5 + third, 1.0 + third / 2.0]);
        let without = Parameters { options: 0.0, ..parameters() };
        near(&blame, &without, &[0.0, 0.5 + third, third / 2.0]);
    }

    #[test]
    fn what_runs_less_often_has_its_share_of_blame() {
        let failing = set(&[0, 1, 2]);
        let mut blame = Blame::of(&failing);
        let fewer = vec![(1, 0.5)];
        blame.add_passing(Differs::Option, "off", (&failing, &set(&[0, 1])), fewer);
        let counting = Parameters { counts: 0.5, ..parameters() };
        near(&blame, &counting, &[0.0, 0.2, 0.8]);
        near(&blame, &Parameters { counts: 0.0, ..parameters() }, &[0.0, 0.0, 1.0]);
    }

    #[test]
    fn what_unrelated_programs_execute_is_usual() {
        let failing = set(&[0, 1, 2]);
        let mut blame = Blame::of(&failing);
        let unusual = Parameters { unusual: 1.0, usual: 0.0, ..parameters() };
        blame.add_passing(Differs::Option, "off", (&failing, &set(&[0])), Vec::new());
        near(&blame, &unusual, &[0.0, 0.5, 0.5]);
        blame.add_unrelated(&set(&[0, 1]));
        blame.add_unrelated(&set(&[0]));
        // 1/3, 1/2 and 1 of them.
        let [a, b, c] = [1.0 / 3.0, 0.5, 1.0].map(|share: f64| share / (11.0 / 6.0));
        near(&blame, &unusual, &[a, 0.5 + b, 0.5 + c]);
        let usual = Parameters { unusual: 0.0, usual: 1.0, ..parameters() };
        near(&blame, &usual, &[0.0, 1.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn a_file_that_the_message_names_comes_forward() {
        let files = ["a.cc", "b.cc"].map(str::to_owned).to_vec();
        let functions = vec![Function { name: "f".to_owned(), file: 0 }];
        let lines = vec![Line { file: 0, number: 1 }, Line { file: 1, number: 1 }];
        let map = Map::new(files, functions, lines, [(0, vec![0]), (0, vec![1])]);
        let failing = Set::of(2, 0..2);
        let mut blame = Blame::of(&failing);
        let passing = Set::of(2, [1]);
        blame.add_passing(Differs::Option, "off", (&failing, &passing), Vec::new());
        let first = |standing: &[Standing]| blame.file_scores(&map, &parameters(), standing)[0].0;
        assert_eq!(first(&[]), 0);
        assert_eq!(first(&[Standing { file: "b.cc", weight: 2.0, kin: 0.0 }]), 1);
        let evidence = blame.evidence(&map, 0, &parameters());
        let (what, lines) = ("off".to_owned(), [1].into());
        assert_eq!(evidence, [Evidence { differs: "option".to_owned(), what, lines }]);
        assert_eq!(blame.evidence(&map, 1, &parameters()), []);
        assert_eq!(blame.line_scores(&map, &parameters()), [Some(1.0), Some(0.0)]);
    }
}
