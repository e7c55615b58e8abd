//! Runs on disk, a line each: an experiment that was stopped goes on, on another machine too.

use super::run::{IsolationEvalError, IsolationRun};
use base::LineFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The runs of a folder, by bug, method and seed.
pub(super) struct Kept {
    path: PathBuf,
    known: BTreeMap<(String, String, u64), IsolationRun>,
    file: LineFile,
}

impl Kept {
    pub(super) fn open(folder: &Path) -> Result<Kept, IsolationEvalError> {
        let path = folder.join("runs.jsonl");
        let io = |source| IsolationEvalError::Io { path: path.clone(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        let (file, lines) = LineFile::open(&path).map_err(io)?;
        let mut known = BTreeMap::new();
        for (line, text) in (1..).zip(&lines) {
            let run: IsolationRun = serde_json::from_str(text).map_err(|error| {
                IsolationEvalError::NoRun { path: path.clone(), line, why: error.to_string() }
            })?;
            known.insert((run.bug.clone(), run.method.clone(), run.seed), run);
        }
        Ok(Kept { path, known, file })
    }

    /// A run that was kept before.
    pub(super) fn run(
        &self,
        bug: &str,
        method: &str,
        seed: u64,
        terms: &str,
    ) -> Result<Option<IsolationRun>, IsolationEvalError> {
        match self.known.get(&(bug.to_owned(), method.to_owned(), seed)) {
            Some(run) if run.terms != terms => Err(IsolationEvalError::OtherTerms {
                path: self.path.clone(),
                bug: bug.to_owned(),
                was: run.terms.clone(),
                now: terms.to_owned(),
            }),
            run => Ok(run.cloned()),
        }
    }

    /// Keeps a run that is not known yet, and knows it.
    pub(super) fn keep_new(&mut self, run: IsolationRun) -> Result<(), IsolationEvalError> {
        let key = (run.bug.clone(), run.method.clone(), run.seed);
        if !self.known.contains_key(&key) {
            self.keep(&run)?;
            self.known.insert(key, run);
        }
        Ok(())
    }

    pub(super) fn keep(&self, run: &IsolationRun) -> Result<(), IsolationEvalError> {
        let line = serde_json::to_string(run).expect("a run is plain data");
        self.file
            .append(&line)
            .map_err(|source| IsolationEvalError::Io { path: self.path.clone(), source })
    }
}
