//! Bugs × methods × seeds, each run once and kept.

use super::bench::BenchBug;
use super::kept::Kept;
use base::{Budget, Seed, atomic_write};
use campaign::{Case, Isolator};
use cluster::ClusterError;
use isolate::{Formula, IsolateError, Method, Parameters, Settings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// What is to be run.
pub struct IsolationExperiment<'a> {
    /// The build.
    pub isolator: &'a Isolator,
    /// The bugs.
    pub bugs: Vec<BenchBug>,
    /// The methods, each with its parameters.
    pub methods: Vec<MethodWith>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The time of a run.
    pub time: Option<Duration>,
    /// Is what each run executed kept?
    pub spectra: bool,
    /// The CPU time of each run, if it is limited.
    pub cpu: Option<Duration>,
    /// The evaluations of a run.
    pub evaluations: Option<u64>,
    /// The formula.
    pub formula: &'static Formula,
    /// Whether variants are screened.
    pub screen: bool,
    /// Runs at the same time.
    pub side_by_side: usize,
    /// Variants at the same time in each run.
    pub jobs: usize,
    /// The folder in which runs are kept; what is there is not run again.
    pub out: PathBuf,
}

/// A method with parameters.
#[derive(Clone, Debug)]
pub struct MethodWith {
    /// Its name, with the parameters that are not the papers': `recbi alpha=0.5`.
    pub name: String,
    /// The method.
    pub method: &'static Method,
    /// Its parameters.
    pub parameters: Parameters,
}

/// A run, as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IsolationRun {
    /// The bug.
    pub bug: String,
    /// Its kind.
    pub kind: String,
    /// What its program is written in.
    #[serde(default)]
    pub language: String,
    /// Its report.
    pub report: String,
    /// How far its truth is to be trusted.
    pub confidence: String,
    /// The method, with its parameters.
    pub method: String,
    /// The seed.
    pub seed: u64,
    /// What was allowed: `60s`, `500 evaluations`, and all else that decides.
    pub terms: String,
    /// The rank of each guilty file; empty if there was no answer.
    pub ranks: Vec<usize>,
    /// How many files were ranked.
    pub files: usize,
    /// Why there was no answer.
    pub error: Option<String>,
    /// Variants that compiled and ran on both sides.
    pub evaluations: u64,
    /// Witnesses.
    pub witnesses: u64,
    /// Failing variants.
    pub failing: u64,
    /// What was dropped, by reason.
    pub dropped: BTreeMap<String, u64>,
    /// Witnesses by the move that made them.
    pub by: BTreeMap<String, u64>,
    /// Mean similarity of the witnesses to the failing program.
    pub similarity: Option<f64>,
    /// Mean of all distances between two.
    pub diversity_pairs: Option<f64>,
    /// Mean distance to the nearest.
    pub diversity_nearest: Option<f64>,
    /// How long it took.
    pub seconds: f64,
    /// Why it ended.
    pub ended: String,
}

impl IsolationRun {
    /// The best rank of a guilty file.
    #[must_use]
    pub fn first_rank(&self) -> Option<f64> {
        self.ranks.iter().min().map(|&rank| rank as f64)
    }

    /// The mean rank of the guilty files.
    #[must_use]
    pub fn mean_rank(&self) -> Option<f64> {
        let sum: usize = self.ranks.iter().sum();
        (!self.ranks.is_empty()).then(|| sum as f64 / self.ranks.len() as f64)
    }
}

/// Why an experiment ended early.
#[derive(Debug, thiserror::Error)]
pub enum IsolationEvalError {
    /// A run can't be kept or read.
    #[error("{path}: {source}")]
    Io {
        /// The file of runs.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that is no run.
    #[error("{path}, line {line}: {why}: give another --out")]
    NoRun {
        /// The file of runs.
        path: PathBuf,
        /// The line's number.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A run that was made on other terms.
    #[error("{path} has {bug} made with {was}, this experiment has {now}: give another --out")]
    OtherTerms {
        /// The file of runs.
        path: PathBuf,
        /// The bug.
        bug: String,
        /// Its terms.
        was: String,
        /// Ours.
        now: String,
    },
    /// The cluster.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The machine.
    #[error(transparent)]
    Isolate(#[from] IsolateError),
}

/// One run to be made.
#[derive(Clone, Copy)]
pub(super) struct Planned<'a> {
    pub bug: &'a BenchBug,
    pub method: &'a MethodWith,
    pub seed: u64,
}

/// Runs that look for the same, and differ only in how they weigh what is found, are made by one search.
pub(super) fn searches<'a, 'b>(planned: &'b [Planned<'a>]) -> Vec<&'b [Planned<'a>]> {
    let alike = |one: &Planned<'_>, other: &Planned<'_>| {
        one.bug.id == other.bug.id
            && one.seed == other.seed
            && one.method.method == other.method.method
            && one.method.parameters.search_alike(&other.method.parameters)
    };
    planned.chunk_by(alike).collect()
}

impl IsolationExperiment<'_> {
    /// What a compiler may use while it works, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.isolator.memory()
    }

    /// All runs, in order.
    pub(super) fn planned(&self) -> Vec<Planned<'_>> {
        let mut planned = Vec::new();
        // Seeds last: whoever stops early has every method on every bug.
        for &seed in &self.seeds {
            for bug in &self.bugs {
                planned.extend(self.methods.iter().map(|method| Planned { bug, method, seed }));
            }
        }
        planned
    }

    pub(super) fn terms(&self) -> String {
        let amount = match (self.time, self.cpu, self.evaluations) {
            (_, _, Some(evaluations)) => format!("{evaluations} evaluations"),
            (_, Some(cpu), None) => format!("{}s of CPU", cpu.as_secs_f64()),
            (Some(time), None, None) => format!("{}s", time.as_secs_f64()),
            (None, None, None) => "no limit".to_owned(),
        };
        let screen = if self.screen { "screened" } else { "not screened" };
        let (jobs, by) = (self.jobs, self.side_by_side);
        let version = &self.isolator.build.compiler.version_line;
        format!("{amount}, {screen}, {}, {jobs} jobs, {by} at once, {version}", self.formula.name)
    }

    /// Runs what has not been run yet, and gives all runs in order. Tells each as it ends.
    ///
    /// # Errors
    /// When a run can't be kept, or the machine is in trouble.
    pub fn run(
        &self,
        scratch: &Path,
        stop: &(dyn Fn() -> bool + Sync),
        tell: &(dyn Fn(&IsolationRun, usize, usize) + Sync),
    ) -> Result<Vec<IsolationRun>, IsolationEvalError> {
        let planned = self.planned();
        let searches = searches(&planned);
        let kept = Kept::open(&self.out)?;
        let next = AtomicUsize::new(0);
        let runs: Mutex<BTreeMap<usize, Vec<IsolationRun>>> = Mutex::default();
        let failed: Mutex<Option<IsolationEvalError>> = Mutex::default();
        let locked = "no thread panics with it";
        thread::scope(|scope| {
            for _ in 0..self.side_by_side.max(1) {
                scope.spawn(|| {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let has_failed = failed.lock().expect(locked).is_some();
                        if at >= searches.len() || stop() || has_failed {
                            return;
                        }
                        match self.one(searches[at], &kept, scratch, stop) {
                            Ok(None) => return,
                            Ok(Some(made)) => {
                                let mut runs = runs.lock().expect(locked);
                                let before: usize = runs.values().map(Vec::len).sum();
                                for (more, run) in (1..).zip(&made) {
                                    tell(run, before + more, planned.len());
                                }
                                runs.insert(at, made);
                            }
                            Err(error) => *failed.lock().expect(locked) = Some(error),
                        }
                    }
                });
            }
        });
        match failed.into_inner().expect(locked) {
            Some(error) => Err(error),
            None => Ok(runs.into_inner().expect(locked).into_values().flatten().collect()),
        }
    }

    /// The runs of one search.
    fn one(
        &self,
        search: &[Planned<'_>],
        kept: &Kept,
        scratch: &Path,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<IsolationRun>>, IsolationEvalError> {
        let terms = self.terms();
        let known = search.iter().map(|Planned { bug, method, seed }| {
            let mut run = kept.run(&bug.id, &method.name, *seed, &terms)?;
            if let Some(run) = &mut run {
                // Runs were kept without it once.
                run.language = bug.program.language.to_string();
            }
            Ok(run)
        });
        let known: Vec<Option<IsolationRun>> = known.collect::<Result<_, IsolationEvalError>>()?;
        let unknown: Vec<Planned<'_>> = search
            .iter()
            .zip(&known)
            .filter(|(_, run)| run.is_none())
            .map(|(one, _)| *one)
            .collect();
        let mut made = Vec::new();
        if !unknown.is_empty() {
            match self.isolate(&unknown, terms, scratch, stop)? {
                Some(runs) => made = runs,
                None => return Ok(None),
            }
            made.iter().try_for_each(|run| kept.keep(run))?;
        }
        let mut made = made.into_iter();
        Ok(Some(known.into_iter().filter_map(|run| run.or_else(|| made.next())).collect()))
    }

    /// The runs of one search; nothing when it was stopped on the way: a run that was cut short is no run.
    pub(super) fn isolate(
        &self,
        search: &[Planned<'_>],
        terms: String,
        scratch: &Path,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<IsolationRun>>, IsolationEvalError> {
        let (Planned { bug, method, seed }, others) = search.split_first().expect("it has a run");
        let case = Case {
            program: &bug.program,
            fail: bug.fail.clone(),
            pass: bug.pass.clone().map(|args| self.isolator.configuration(args)),
        };
        let settings = Settings {
            method: method.method,
            parameters: method.parameters,
            also: others.iter().map(|other| other.method.parameters).collect(),
            seed: Seed(*seed),
            jobs: self.jobs,
            formula: self.formula,
            cpu: self.cpu,
            record: self.spectra,
            // Each method gets all of its time: that is what is compared.
            stable: 0,
        };
        let budget = Budget::new(self.time, self.evaluations);
        let mut run = IsolationRun {
            bug: bug.id.clone(),
            kind: bug.kind.clone(),
            language: bug.program.language.to_string(),
            report: bug.report.clone(),
            confidence: bug.confidence.clone(),
            method: method.name.clone(),
            seed: *seed,
            terms,
            ranks: Vec::new(),
            files: 0,
            error: None,
            evaluations: 0,
            witnesses: 0,
            failing: 0,
            dropped: BTreeMap::new(),
            by: BTreeMap::new(),
            similarity: None,
            diversity_pairs: None,
            diversity_nearest: None,
            seconds: 0.0,
            ended: String::new(),
        };
        let mut also = Vec::new();
        match self.isolator.isolate(&case, &settings, &budget, scratch, stop, &mut |_| ()) {
            Ok(isolated) => {
                let isolation = isolated.isolation;
                if isolation.ended == isolate::Ended::Stopped {
                    return Ok(None);
                }
                if let Some(record) = &isolation.record {
                    let folder = self.out.join("spectra");
                    let name = format!("{}.{}.{seed}.jsonl", bug.id, method.name);
                    let path = folder.join(name);
                    let written = fs::create_dir_all(&folder)
                        .and_then(|()| atomic_write(&path, &record.lines()));
                    written.map_err(|source| IsolationEvalError::Io { path, source })?;
                }
                let ranking = &isolation.ranking;
                run.ranks = bug.ranks(ranking);
                also = isolation.also.iter().map(|ranking| bug.ranks(ranking)).collect();
                run.files = ranking.files.len();
                run.evaluations = isolation.evaluations;
                run.witnesses = isolation.witnesses.all().len() as u64;
                run.failing = isolation.failing;
                let dropped = isolation.dropped.iter();
                run.dropped = dropped.map(|(why, count)| ((*why).to_owned(), *count)).collect();
                for witness in isolation.witnesses.all() {
                    *run.by.entry(witness.by.clone()).or_default() += 1;
                }
                run.similarity = isolation.witnesses.similarity();
                run.diversity_pairs = isolation.witnesses.pairwise_diversity();
                run.diversity_nearest = isolation.witnesses.nearest_diversity();
                run.seconds = isolation.took.as_secs_f64();
                run.ended = isolation.ended.name().to_owned();
            }
            Err(error @ (IsolateError::Machine(_) | IsolateError::Process(_))) => {
                return Err(error.into());
            }
            Err(error) => run.error = Some(error.to_string()),
        }
        also.resize(others.len(), Vec::new());
        let others = others.iter().zip(also).map(|(other, ranks)| IsolationRun {
            method: other.method.name.clone(),
            ranks,
            ..run.clone()
        });
        let others: Vec<IsolationRun> = others.collect();
        Ok(Some([run].into_iter().chain(others).collect()))
    }
}
