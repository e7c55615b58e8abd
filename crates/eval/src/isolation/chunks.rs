//! An experiment in chunks of runs, on a cluster.

use super::kept::Kept;
use super::run::{IsolationEvalError, IsolationExperiment, IsolationRun, Planned, searches};
use base::ContentId;
use cluster::{Chunk, Gathered, Spent, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// A run, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
struct Key {
    bug: String,
    method: String,
    seed: u64,
}

impl Key {
    fn of(planned: &Planned<'_>) -> Key {
        let (bug, method) = (planned.bug.id.clone(), planned.method.name.clone());
        Key { bug, method, seed: planned.seed }
    }
}

fn keys(chunk: &Chunk) -> Vec<Key> {
    serde_json::from_value(chunk.body.clone()).unwrap_or_default()
}

/// Runs that are to be made on a cluster.
pub struct IsolationChunks<'a> {
    experiment: &'a IsolationExperiment<'a>,
    kept: Kept,
    /// Runs of a chunk.
    each: usize,
    /// How long it takes.
    seconds: u64,
    tell: &'a (dyn Fn(&IsolationRun) + 'a),
}

/// What opening the build takes, and what a run takes beside its budget.
const BESIDE: Duration = Duration::from_secs(20);

impl<'a> IsolationChunks<'a> {
    /// Chunks of about this length of what is not in the experiment's folder.
    ///
    /// # Errors
    /// When what is there can't be read, or was made on other terms.
    pub fn new(
        experiment: &'a IsolationExperiment<'a>,
        length: Duration,
        tell: &'a (dyn Fn(&IsolationRun) + 'a),
    ) -> Result<IsolationChunks<'a>, IsolationEvalError> {
        let kept = Kept::open(&experiment.out)?;
        let one = experiment.time.or(experiment.cpu).unwrap_or(Duration::from_secs(120)) + BESIDE;
        let each = (length.as_secs_f64() / one.as_secs_f64()).ceil().max(1.0) as usize;
        let seconds = (one * each as u32).as_secs();
        let chunks = IsolationChunks { experiment, kept, each, seconds, tell };
        chunks.missing()?;
        Ok(chunks)
    }

    /// The runs that are there, in order.
    ///
    /// # Errors
    /// When one was made on other terms.
    pub fn runs(&self) -> Result<Vec<IsolationRun>, IsolationEvalError> {
        let terms = self.experiment.terms();
        let planned = self.experiment.planned();
        let runs = planned.iter().map(|planned| {
            self.kept.run(&planned.bug.id, &planned.method.name, planned.seed, &terms)
        });
        runs.filter_map(Result::transpose).collect()
    }

    fn missing(&self) -> Result<Vec<Key>, IsolationEvalError> {
        let terms = self.experiment.terms();
        let mut missing = Vec::new();
        for planned in self.experiment.planned() {
            let run = self.kept.run(&planned.bug.id, &planned.method.name, planned.seed, &terms)?;
            if run.is_none() {
                missing.push(Key::of(&planned));
            }
        }
        Ok(missing)
    }
}

impl Workload for IsolationChunks<'_> {
    type Error = IsolationEvalError;

    fn next(&mut self, under_way: &[&Chunk], room: usize) -> Result<Vec<Chunk>, Self::Error> {
        let taken: BTreeSet<Key> = under_way.iter().flat_map(|chunk| keys(chunk)).collect();
        let mut missing = self.missing()?;
        missing.retain(|key| !taken.contains(key));
        let chunk = |keys: &[Key]| {
            let body = serde_json::to_value(keys).expect("plain data with string keys");
            Chunk {
                name: format!("runs-{}", ContentId::of(body.to_string().as_bytes()).short()),
                stage: "isolate".to_owned(),
                seconds: self.seconds,
                after: None,
                body,
            }
        };
        Ok(missing.chunks(self.each).take(room).map(chunk).collect())
    }

    fn is_wanted(&self, chunk: &Chunk) -> bool {
        let missing = self.missing().unwrap_or_default();
        keys(chunk).iter().all(|key| missing.contains(key))
    }

    fn gather(
        &mut self,
        chunk: &Chunk,
        _: &Spent,
        content: &[u8],
    ) -> Result<Gathered, Self::Error> {
        let lines = content.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let runs: Result<Vec<IsolationRun>, _> = lines.map(serde_json::from_slice).collect();
        let runs = match runs {
            Ok(runs) if runs.is_empty() => return Ok(Gathered::Damaged("it is empty".to_owned())),
            Ok(runs) => runs,
            Err(error) => return Ok(Gathered::Damaged(error.to_string())),
        };
        let (terms, wanted) = (self.experiment.terms(), keys(chunk));
        for run in runs {
            if run.terms != terms {
                let why = format!("it was made with {}, not {terms}", run.terms);
                return Ok(Gathered::Damaged(why));
            }
            let key = Key { bug: run.bug.clone(), method: run.method.clone(), seed: run.seed };
            if wanted.contains(&key) {
                (self.tell)(&run);
                self.kept.keep_new(run)?;
            }
        }
        Ok(Gathered::Done)
    }
}

impl IsolationExperiment<'_> {
    /// Makes the runs of a chunk, as many as there is time for, and gives them as lines.
    ///
    /// # Errors
    /// When the machine is in trouble.
    pub fn work(
        &self,
        chunk: &Chunk,
        scratch: &Path,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<u8>, IsolationEvalError> {
        let wanted = keys(chunk);
        let mut lines = Vec::new();
        let mut planned = self.planned();
        planned.retain(|planned| wanted.contains(&Key::of(planned)));
        for search in searches(&planned) {
            let Some(runs) = self.isolate(search, self.terms(), scratch, stop)? else { break };
            for run in runs {
                serde_json::to_writer(&mut lines, &run).expect("plain data into memory");
                lines.push(b'\n');
            }
        }
        Ok(lines)
    }
}
