//! A search that learns: programs get more of the constructs that lead to what no program before has reached.
//!
//! Programs go in rounds. A program's constructs are drawn by chances that follow from all rounds but the last
//! one before its own, so that every program is the same whatever the number of workers, and workers seldom
//! wait for each other. What a program brought is what no earlier round has: findings first, then
//! executed edges of a compiler that counts, for each byte of source. Within a round programs are compared by their
//! places, because new edges become rare; a construct's chance follows from the mean place of the programs
//! with it and of those without.

use base::{Seed, atomic_write};
use cgen::Construct;
use coverage::Set;
use oracle::Bug;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Programs in a round.
const ROUND: u64 = 50;

/// The chance of a construct of which nothing is known.
const START: f64 = 0.75;

/// No construct is given up, and each is missing now and then.
const CHANCES: [f64; 2] = [0.1, 0.95];

/// How much a round weighs after the next.
const MEMORY: f64 = 0.95;

/// Programs in the middle that each construct is believed to have had, with it and without.
const DOUBT: f64 = 5.0;

/// How far a chance moves when one half of the programs is better than all of the other.
const SPEED: f64 = 2.0;

/// What is learned, kept in the campaign's folder.
#[derive(Debug)]
pub(crate) struct Learning {
    seed: Seed,
    /// Those that programs may do without.
    constructs: Vec<Construct>,
    /// Edges of the compiler that counts, if there is one.
    edges: Option<usize>,
    state: Mutex<State>,
    folder: OnceLock<PathBuf>,
}

#[derive(Debug, Default)]
struct State {
    learned: Learned,
    /// The edges that settled rounds have executed.
    covered: Option<Set>,
    /// What programs under way have executed.
    executed: BTreeMap<u64, Set>,
    /// What programs brought that are not yet safe in the store.
    written: BTreeMap<u64, Brought>,
    /// What programs brought that are, and whose round is not settled.
    brought: BTreeMap<u64, Brought>,
}

/// What is known after a number of rounds.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Learned {
    /// How many.
    pub rounds: u64,
    /// The chance of each construct, and what it follows from.
    pub constructs: BTreeMap<Construct, Chance>,
    /// Kinds and signatures of findings.
    pub findings: BTreeSet<String>,
    /// How many edges were executed.
    pub edges: usize,
}

/// How often programs have a construct.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chance {
    /// Now.
    pub now: f64,
    /// A round before.
    before: f64,
    with: Places,
    without: Places,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance { now: START, before: START, with: Places::default(), without: Places::default() }
    }
}

/// Places of programs within their rounds, 0 for the last and 1 for the first.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Places {
    sum: f64,
    number: f64,
}

impl Places {
    fn mean(self) -> f64 {
        (self.sum + DOUBT / 2.0) / (self.number + DOUBT)
    }
}

/// What one program brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Brought {
    without: BTreeSet<Construct>,
    findings: BTreeSet<String>,
    bytes: u64,
    /// What it executed; in a file of its own format.
    #[serde(skip)]
    executed: Option<Set>,
}

/// The name of what is kept of all settled rounds.
const LEARNED: &str = "learned";

/// The name of the folder with what programs brought whose rounds are not settled.
const BROUGHT: &str = "learning";

/// What a campaign has learned, if it learns and has settled a round.
///
/// # Errors
/// When it can't be read.
pub fn learned(campaign: &Path) -> io::Result<Option<Learned>> {
    match std::fs::read(campaign.join(LEARNED)) {
        Ok(bytes) => Ok(Some(split(&bytes)?.0)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Learning {
    pub(crate) fn new(seed: Seed, constructs: Vec<Construct>, edges: Option<usize>) -> Learning {
        let state = State { covered: edges.map(Set::none), ..State::default() };
        Learning { seed, constructs, edges, state: Mutex::new(state), folder: OnceLock::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with what earlier sessions learned; `is_done` says which programs are safe in the store.
    pub(crate) fn keep_in(&self, dir: &Path, is_done: &dyn Fn(u64) -> bool) -> io::Result<()> {
        let folder = dir.join(BROUGHT);
        std::fs::create_dir_all(&folder)?;
        match std::fs::read(dir.join(LEARNED)) {
            Ok(bytes) => {
                let (learned, set) = split::<Learned>(&bytes)?;
                let mut state = self.lock();
                state.learned = learned;
                state.covered = self.edges.map(|edges| set_of(set, edges)).transpose()?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let rounds = self.lock().learned.rounds;
        for entry in folder.read_dir()? {
            let entry = entry?;
            let index = entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok());
            match index {
                Some(index) if index / ROUND >= rounds && is_done(index) => {
                    let bytes = std::fs::read(entry.path())?;
                    let (mut brought, set) = split::<Brought>(&bytes)?;
                    brought.executed = self.edges.map(|edges| set_of(set, edges)).transpose()?;
                    self.lock().brought.insert(index, brought);
                }
                // Of a round that is settled, or of a program that will be tested again.
                _ => std::fs::remove_file(entry.path())?,
            }
        }
        let _ = self.folder.set(dir.to_owned());
        self.settle()
    }

    /// May the program with this index be made now?
    pub(crate) fn is_ready(&self, index: u64) -> bool {
        index / ROUND <= self.lock().learned.rounds + 1
    }

    /// What the program with this index does without.
    pub(crate) fn without(&self, index: u64) -> BTreeSet<Construct> {
        let state = self.lock();
        // A program whose round is the next but one to be settled has the newest chances.
        let is_newest = index / ROUND > state.learned.rounds;
        let mut random = self.seed.stream("mix of constructs", index);
        let mut is_left_out = |construct: &Construct| {
            let chance = state.learned.constructs.get(construct).copied().unwrap_or_default();
            random.unit() >= if is_newest { chance.now } else { chance.before }
        };
        self.constructs.iter().copied().filter(|construct| is_left_out(construct)).collect()
    }

    /// What a program made the compiler execute that counts.
    pub(crate) fn executed(&self, index: u64, edges: Set) {
        self.lock().executed.insert(index, edges);
    }

    /// Keeps what a program brought, before the program is in the store.
    pub(crate) fn brought(
        &self,
        index: u64,
        without: &BTreeSet<Construct>,
        bytes: u64,
        bugs: &[Bug],
    ) -> io::Result<()> {
        let findings = bugs.iter().map(key).collect();
        let mut state = self.lock();
        let none = || self.edges.map(Set::none);
        let executed = state.executed.remove(&index).or_else(none);
        let brought = Brought { without: without.clone(), findings, bytes, executed };
        if let Some(dir) = self.folder.get() {
            let path = dir.join(BROUGHT).join(index.to_string());
            atomic_write(&path, &joined(&brought, brought.executed.as_ref()))?;
        }
        state.written.insert(index, brought);
        Ok(())
    }

    /// The program is in the store: what it brought counts. A round must not be settled before, or a program that is
    /// tested again after a kill would be another one.
    pub(crate) fn committed(&self, index: u64) -> io::Result<()> {
        let mut state = self.lock();
        if let Some(brought) = state.written.remove(&index) {
            state.brought.insert(index, brought);
        }
        drop(state);
        self.settle()
    }

    /// Settles all rounds whose programs are all there.
    fn settle(&self) -> io::Result<()> {
        let mut state = self.lock();
        loop {
            let first = state.learned.rounds * ROUND;
            let round: Vec<u64> =
                state.brought.range(first..first + ROUND).map(|(index, _)| *index).collect();
            if round.len() as u64 != ROUND {
                return Ok(());
            }
            let programs: Vec<Brought> =
                round.iter().filter_map(|index| state.brought.remove(index)).collect();
            state.take(&programs);
            if let Some(dir) = self.folder.get() {
                let bytes = joined(&state.learned, state.covered.as_ref());
                atomic_write(&dir.join(LEARNED), &bytes)?;
                for index in round {
                    std::fs::remove_file(dir.join(BROUGHT).join(index.to_string()))?;
                }
            }
        }
    }
}

impl State {
    /// Learns from the programs of a round.
    fn take(&mut self, programs: &[Brought]) {
        let scores: Vec<(usize, f64)> =
            programs.iter().map(|program| self.score(program)).collect();
        let places = places(&scores);
        let learned = &mut self.learned;
        let constructs: BTreeSet<Construct> = programs
            .iter()
            .flat_map(|program| program.without.iter().copied())
            .chain(learned.constructs.keys().copied())
            .collect();
        for construct in constructs {
            let chance = learned.constructs.entry(construct).or_default();
            chance.before = chance.now;
            let Some(places) = &places else { continue };
            for side in [&mut chance.with, &mut chance.without] {
                side.sum *= MEMORY;
                side.number *= MEMORY;
            }
            for (program, place) in programs.iter().zip(places) {
                let without = program.without.contains(&construct);
                let side = if without { &mut chance.without } else { &mut chance.with };
                side.sum += place;
                side.number += 1.0;
            }
            let better = chance.with.mean() - chance.without.mean();
            chance.now = (START + SPEED * better).clamp(CHANCES[0], CHANCES[1]);
        }
        for program in programs {
            learned.findings.extend(program.findings.iter().cloned());
            if let (Some(covered), Some(executed)) = (&mut self.covered, &program.executed) {
                *covered = covered.union(executed);
            }
        }
        learned.edges = self.covered.as_ref().map_or(0, Set::len);
        learned.rounds += 1;
    }

    /// New findings, and new edges for each byte.
    fn score(&self, program: &Brought) -> (usize, f64) {
        let findings = program.findings.difference(&self.learned.findings).count();
        let edges = match (&self.covered, &program.executed) {
            (Some(covered), Some(executed)) => executed.difference(covered).len(),
            _ => 0,
        };
        (findings, edges as f64 / program.bytes.max(1) as f64)
    }
}

/// The place of each score among all, ties sharing the mean; nothing if all are alike.
fn places(scores: &[(usize, f64)]) -> Option<Vec<f64>> {
    let less = |one: &(usize, f64), other: &(usize, f64)| {
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).is_lt()
    };
    let place = |score: &(usize, f64)| {
        let below = scores.iter().filter(|other| less(other, score)).count();
        let above = scores.iter().filter(|other| less(score, other)).count();
        let same = scores.len() - below - above;
        (below as f64 + same as f64 / 2.0) / scores.len() as f64
    };
    let places: Vec<f64> = scores.iter().map(place).collect();
    places.windows(2).any(|pair| pair[0] != pair[1]).then_some(places)
}

/// What tells findings apart before anybody has looked into them.
fn key(bug: &Bug) -> String {
    let compiler = bug.culprits.first().and_then(|label| label.split(' ').next());
    format!("{} {} {}", bug.kind, compiler.unwrap_or_default(), bug.signature)
}

/// A line of JSON, and a set behind it.
fn joined(value: &impl Serialize, set: Option<&Set>) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("plain data with string keys");
    bytes.push(b'\n');
    bytes.extend(set.map(Set::to_bytes).unwrap_or_default());
    bytes
}

fn split<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> io::Result<(T, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let value = serde_json::from_slice(&bytes[..end])?;
    Ok((value, bytes.get(end + 1..).unwrap_or_default()))
}

fn set_of(bytes: &[u8], edges: usize) -> io::Result<Set> {
    let other = || io::Error::other("what was learned is of another build");
    Set::from_bytes(bytes, edges).ok_or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: usize = 10_000;

    fn learning(dir: &Path, is_done: &dyn Fn(u64) -> bool) -> Learning {
        let constructs = vec![Construct::Loops, Construct::Switch, Construct::Vectors];
        let learning = Learning::new(Seed(1), constructs, Some(EDGES));
        learning.keep_in(dir, is_done).unwrap();
        learning
    }

    /// A program with loops executes something new, others do not.
    fn test(learning: &Learning, index: u64) {
        let without = learning.without(index);
        let new = (!without.contains(&Construct::Loops)).then_some(index as usize);
        learning.executed(index, Set::of(EDGES, new));
        learning.brought(index, &without, 1000, &[]).unwrap();
    }

    #[test]
    fn what_brings_new_edges_is_made_more_often() {
        let dir = tempfile::tempdir().unwrap();
        let learning = learning(dir.path(), &|_| false);
        for index in 0..ROUND * 10 {
            assert!(learning.is_ready(index));
            test(&learning, index);
            learning.committed(index).unwrap();
        }
        let learned = learned(dir.path()).unwrap().expect("rounds are settled");
        assert_eq!(learned.rounds, 10);
        let now = |construct| learned.constructs[&construct].now;
        assert_eq!(now(Construct::Loops), CHANCES[1]);
        let others = [now(Construct::Switch), now(Construct::Vectors)];
        assert!(others.iter().all(|chance| (0.5..0.95).contains(chance)), "{others:?}");
    }

    #[test]
    fn programs_are_the_same_in_whatever_order_and_however_often_it_is_killed() {
        let mixes = |order: &mut dyn Iterator<Item = u64>, kills: bool| {
            let dir = tempfile::tempdir().unwrap();
            let mut all = BTreeMap::new();
            let mut open = learning(dir.path(), &|_| false);
            for index in order {
                assert!(open.is_ready(index));
                all.insert(index, open.without(index));
                test(&open, index);
                open.committed(index).unwrap();
                if kills && index % 20 == 0 {
                    open = learning(dir.path(), &|index| all.contains_key(&index));
                }
            }
            all
        };
        let last = ROUND * 8;
        // The last program of each round is tested a round later.
        let late = |index: u64| if index % ROUND == ROUND - 1 { index + ROUND } else { index };
        let mut order: Vec<u64> = (0..last).collect();
        order.sort_by_key(|index| late(*index));
        let one_by_one = mixes(&mut (0..last), false);
        assert_eq!(mixes(&mut order.iter().copied(), false), one_by_one);
        assert_eq!(mixes(&mut order.iter().copied(), true), one_by_one);
        assert!(!learning(tempfile::tempdir().unwrap().path(), &|_| false).is_ready(2 * ROUND));
    }

    #[test]
    fn a_round_waits_for_programs_that_are_not_in_the_store() {
        let dir = tempfile::tempdir().unwrap();
        let open = learning(dir.path(), &|_| false);
        (0..ROUND).for_each(|index| test(&open, index));
        (1..ROUND).for_each(|index| open.committed(index).unwrap());
        // Killed now, the first is tested again, as it was.
        let again = learning(dir.path(), &|index| (1..ROUND).contains(&index));
        assert_eq!(again.lock().learned.rounds, 0);
        assert_eq!(again.without(0), open.without(0));
        test(&again, 0);
        again.committed(0).unwrap();
        assert_eq!(again.lock().learned.rounds, 1);
    }

    #[test]
    fn places_count_findings_before_edges_and_say_nothing_where_all_are_alike() {
        assert_eq!(places(&[(0, 1.0), (0, 1.0)]), None);
        assert_eq!(
            places(&[(0, 9.0), (1, 0.0), (0, 1.0), (0, 1.0)]),
            Some(vec![0.625, 0.875, 0.25, 0.25])
        );
    }
}
