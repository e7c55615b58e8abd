//! A source's programs, of many those that stand for all (CTOS, section 3.3).

use super::{Source, SourceError, Sourced, Wanted};
use base::{LineFile, Seed};
use embedding::doc2vec::{Corpus, Settings, train};
use embedding::xmeans::XMeansSettings;
use embedding::{choose, points::Points};
use passes::program::{OPCODES, Passing, Program as Structure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use toolchain::process::Limits;
use toolchain::{Configuration, DataModel, Language, printed_by_passes, unoptimised};

/// What programs are told apart by, under the names of the paper's Table 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProgramChoice {
    /// SP: the vectors of Algorithms 1 and 2. Ours, `sp-whole`, differs in when a block passes on what came before it.
    Vectors(Passing),
    /// SPS: counts of what they are made of.
    ///
    /// Deviation: the paper only cites a list of static features. These are how often each opcode is used, and
    /// how many functions, blocks, edges, regions, calls and loops there are, and how deep regions are nested.
    Features,
}

impl ProgramChoice {
    /// The choice of this name; nothing for programs as they come.
    pub(crate) fn named(name: &str) -> Option<ProgramChoice> {
        match name {
            "sp" => Some(ProgramChoice::Vectors(Passing::Found)),
            "sp-whole" => Some(ProgramChoice::Vectors(Passing::Selected)),
            "sps" => Some(ProgramChoice::Features),
            _ => None,
        }
    }
}

/// How many programs are chosen from how many in each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Round {
    pub from: u64,
    pub count: u64,
}

/// Programs are drawn and chosen in rounds, each when its first program is wanted.
pub(crate) struct Selected {
    inner: Box<dyn Source>,
    by: ProgramChoice,
    round: Round,
    /// What reads programs: a compiler whose optimiser tells their regions and calls.
    reader: Configuration,
    limits: Limits,
    threads: usize,
    /// The indices that each round has chosen.
    chosen: Mutex<BTreeMap<u64, Vec<u64>>>,
    /// Where they are kept, so that a hunt that goes on need not choose again.
    kept: OnceLock<LineFile>,
}

/// A round as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    round: u64,
    chosen: Vec<u64>,
}

/// Makes the optimiser print what `passes::program` reads.
pub(crate) const PRINT: &str = "print-callgraph,function(print<regions>)";

impl Selected {
    pub(crate) fn new(
        inner: Box<dyn Source>,
        by: ProgramChoice,
        round: Round,
        reader: Configuration,
        limits: Limits,
        threads: usize,
    ) -> Selected {
        let (chosen, kept) = (Mutex::default(), OnceLock::new());
        Selected { inner, by, round, reader, limits, threads: threads.max(1), chosen, kept }
    }

    /// What a program is told apart by; nothing where it is not understood.
    fn read(&self, wanted: &Wanted<'_>, scratch: &Path) -> Result<Option<Structure>, SourceError> {
        let Ok(program) = self.inner.program(wanted, scratch)?.program else { return Ok(None) };
        let module = unoptimised(&self.reader, &program, self.limits, scratch)?;
        let Some(module) = module else { return Ok(None) };
        let Some(printed) = printed_by_passes(&self.reader, &module, self.limits, scratch)? else {
            return Ok(None);
        };
        let text = module.files.first().map(|file| file.bytes.as_slice()).unwrap_or_default();
        Ok(Structure::read(text, &printed, &printed).ok())
    }

    /// Does something with all programs of a round, several at a time, and with what came of it in their order.
    fn each<T: Send>(
        &self,
        first: u64,
        wanted: &Wanted<'_>,
        scratch: &Path,
        read: impl Fn(Structure) -> T + Sync,
        mut take: impl FnMut(u64, T),
    ) -> Result<(), SourceError> {
        // Few programs at a time are in memory.
        let piece = self.threads * 8;
        for start in (0..self.round.from).step_by(piece) {
            let count = (self.round.from - start).min(piece as u64) as usize;
            let next = AtomicUsize::new(0);
            let read_some = || -> Result<Vec<(u64, T)>, SourceError> {
                let mut found = Vec::new();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        return Ok(found);
                    }
                    let index = first + start + at as u64;
                    // Chosen for all data models: what a program is like hardly depends on that.
                    // The same whoever asks first.
                    let data_model = DataModel::Lp64;
                    let one = Wanted { index, data_model, extensions: true, ..*wanted };
                    found.extend(self.read(&one, scratch)?.map(|program| (index, read(program))));
                }
            };
            let found: Vec<Result<Vec<(u64, T)>, SourceError>> = thread::scope(|scope| {
                let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(read_some)).collect();
                threads.into_iter().map(|one| one.join().expect("no panic in readers")).collect()
            });
            let mut all = Vec::new();
            for found in found {
                all.extend(found?);
            }
            all.sort_by_key(|(index, _)| *index);
            all.into_iter().for_each(|(index, one)| take(index, one));
        }
        Ok(())
    }

    /// The indices of the programs of a round that could be read, and a point for each.
    fn points(
        &self,
        number: u64,
        wanted: &Wanted<'_>,
        scratch: &Path,
    ) -> Result<(Vec<u64>, Vec<f32>, usize), SourceError> {
        let first = number * self.round.from;
        let mut indices = Vec::new();
        match self.by {
            ProgramChoice::Features => {
                let mut values: Vec<f32> = Vec::new();
                self.each(
                    first,
                    wanted,
                    scratch,
                    |program| features(&program),
                    |index, counts| {
                        indices.push(index);
                        values.extend(counts);
                    },
                )?;
                let dimensions = values.len() / indices.len().max(1);
                standardise(&mut values, dimensions);
                Ok((indices, values, dimensions))
            }
            ProgramChoice::Vectors(passing) => {
                let documents = |program| documents(program, passing);
                let mut edges = Edges::default();
                let mut programs: Vec<Vec<(usize, f32)>> = Vec::new();
                self.each(first, wanted, scratch, documents, |index, documents| {
                    indices.push(index);
                    programs.push(edges.known(documents));
                })?;
                let seed = wanted.seed.derive("programs doc2vec", number);
                let vectors = train(&edges.corpus, &Settings::INSTRUCTIONS, seed, self.threads);
                let dimensions = vectors.dimensions();
                let mut values = vec![0.0; programs.len() * dimensions];
                for (point, shares) in values.chunks_exact_mut(dimensions).zip(&programs) {
                    for &(edge, share) in shares {
                        let row = vectors.row(edge);
                        point.iter_mut().zip(row).for_each(|(sum, value)| *sum += share * value);
                    }
                }
                Ok((indices, values, dimensions))
            }
        }
    }

    /// The indices that a round chooses, in the order in which they are tested.
    fn choose(
        &self,
        number: u64,
        wanted: &Wanted<'_>,
        scratch: &Path,
    ) -> Result<Vec<u64>, SourceError> {
        let (indices, values, dimensions) = self.points(number, wanted, scratch)?;
        let count = self.round.count as usize;
        let Ok(points) = Points::new(&values, dimensions) else {
            return Ok(indices.into_iter().take(count).collect());
        };
        let seed = wanted.seed.derive("programs choose", number);
        let settings = XMeansSettings::default();
        let chosen = choose::representatives(points, count, &settings, seed, self.threads);
        Ok(chosen.into_iter().map(|at| indices[at]).collect())
    }
}

impl Source for Selected {
    fn describe(&self) -> String {
        let Round { from, count } = self.round;
        let by = match self.by {
            ProgramChoice::Vectors(Passing::Found) => "vectors of their edges",
            ProgramChoice::Vectors(Passing::Selected) => "vectors of all their edges",
            ProgramChoice::Features => "counts of what they are made of",
        };
        let reader = &self.reader.compiler.name;
        format!("{}, {count} of each {from} selected by {by} ({reader})", self.inner.describe())
    }

    fn language(&self) -> Language {
        self.inner.language()
    }

    fn uses_extensions(&self) -> bool {
        self.inner.uses_extensions()
    }

    fn round(&self) -> u64 {
        self.round.count
    }

    fn keep_in(&self, folder: &Path) -> std::io::Result<()> {
        let (file, lines) = LineFile::open(&folder.join("selected.jsonl"))?;
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        for kept in lines.iter().filter_map(|line| serde_json::from_str::<Kept>(line).ok()) {
            chosen.insert(kept.round, kept.chosen);
        }
        let _ = self.kept.set(file);
        self.inner.keep_in(folder)
    }

    fn program(&self, wanted: &Wanted<'_>, scratch: &Path) -> Result<Sourced, SourceError> {
        let (number, at) = (wanted.index / self.round.count, wanted.index % self.round.count);
        // Whoever comes second waits: there is nothing else to test.
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let round = match chosen.entry(number) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let round = self.choose(number, wanted, scratch)?;
                if let Some(file) = self.kept.get() {
                    let kept = Kept { round: number, chosen: round.clone() };
                    // A round that can't be kept is chosen again by whoever goes on.
                    let _ = file.append(&serde_json::to_string(&kept).expect("plain data"));
                }
                unknown.insert(round)
            }
        };
        let index = round.get(at as usize).copied();
        drop(chosen);
        match index {
            Some(index) => self.inner.program(&Wanted { index, ..*wanted }, scratch),
            None => Ok(Sourced {
                seed: Seed(wanted.index),
                program: Err("fewer programs could be read than are selected".to_owned()),
            }),
        }
    }
}

/// The documents of a program and how much each counts in its vector.
fn documents(program: Structure, passing: Passing) -> Vec<(Vec<u32>, f64)> {
    let shares = program.shares(passing);
    let all = program.documents().zip(shares);
    all.filter(|(_, share)| *share > 0.0).collect()
}

/// All documents of a round, each once.
///
/// Deviation: edges with the same instructions have one vector. The paper says nothing of them; a vector for
/// each edge of 5,000 programs would take gigabytes.
#[derive(Default)]
struct Edges {
    corpus: Corpus,
    places: BTreeMap<Vec<u32>, usize>,
}

impl Edges {
    /// The shares of a program's documents by their place in the corpus.
    fn known(&mut self, documents: Vec<(Vec<u32>, f64)>) -> Vec<(usize, f32)> {
        let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
        for (words, share) in documents {
            let place = match self.places.get(&words) {
                Some(place) => *place,
                None => {
                    let place = self.corpus.len();
                    self.corpus.push(words.iter().copied());
                    self.places.insert(words, place);
                    place
                }
            };
            *shares.entry(place).or_default() += share;
        }
        shares.into_iter().map(|(place, share)| (place, share as f32)).collect()
    }
}

/// How often each opcode occurs, then how many functions, blocks, edges, regions, calls and loops there are,
/// then the depth of the deepest region; as logarithms, for some programs are a hundred times as large.
fn features(program: &Structure) -> Vec<f32> {
    let mut counts = vec![0usize; OPCODES.len()];
    let (mut blocks, mut edges, mut regions, mut loops, mut depth) = (0, 0, 0, 0, 0);
    for function in &program.functions {
        for block in &function.blocks {
            block.words.iter().for_each(|word| counts[*word as usize] += 1);
        }
        blocks += function.blocks.len();
        edges += function.edges.len();
        regions += function.regions.len();
        loops += function.loop_entries().iter().filter(|is_entry| **is_entry).count();
        depth =
            (0..function.blocks.len()).map(|block| function.depth(block)).fold(depth, usize::max);
    }
    let functions = program.functions.len();
    let calls: usize = (0..functions).map(|caller| program.calls.callees(caller).len()).sum();
    counts.extend([functions, blocks, edges, regions, calls, loops, depth]);
    counts.into_iter().map(|count| (count as f32).ln_1p()).collect()
}

/// Gives each dimension the mean 0 and the deviation 1; those that are the same for all become 0.
fn standardise(values: &mut [f32], dimensions: usize) {
    let dimensions = dimensions.max(1);
    let count = (values.len() / dimensions) as f64;
    for at in 0..dimensions {
        let column = || values.iter().skip(at).step_by(dimensions).map(|value| f64::from(*value));
        let mean = column().sum::<f64>() / count;
        let deviation = (column().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
        for value in values.iter_mut().skip(at).step_by(dimensions) {
            let off = f64::from(*value) - mean;
            *value = if deviation > 0.0 { (off / deviation) as f32 } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_that_say_the_same_are_one_document() {
        let mut edges = Edges::default();
        let first = edges.known(vec![(vec![1, 2], 0.25), (vec![3], 0.5), (vec![1, 2], 0.125)]);
        assert_eq!(first, [(0, 0.375), (1, 0.5)]);
        assert_eq!(edges.known(vec![(vec![4], 0.5), (vec![3], 0.5)]), [(1, 0.5), (2, 0.5)]);
        assert_eq!(edges.corpus.len(), 3);
    }

    #[test]
    fn columns_get_mean_and_deviation() {
        let mut values = [1.0, 7.0, 3.0, 7.0];
        standardise(&mut values, 2);
        assert_eq!(values, [-1.0, 0.0, 1.0, 0.0]);
        standardise(&mut [], 0);
    }
}
