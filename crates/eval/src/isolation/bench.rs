//! Benchmarks: folders of real bugs whose guilty files are known.

use isolate::Ranking;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toolchain::{Program, ProgramError};

/// A bug of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchBug {
    /// Its name.
    pub id: String,
    /// Its kind, as the benchmark says.
    pub kind: String,
    /// The program.
    pub program: Program,
    /// Arguments that fail.
    pub fail: Vec<String>,
    /// Arguments that pass, if any are known.
    pub pass: Option<Vec<String>>,
    /// The files that the fix changed.
    pub truth: Vec<String>,
    /// How far that is to be trusted; empty where nothing is said.
    pub confidence: String,
    /// The report that it is of; bugs of one report count once.
    pub report: String,
}

impl BenchBug {
    /// The rank of each guilty file.
    pub(super) fn ranks(&self, ranking: &Ranking) -> Vec<usize> {
        self.truth.iter().map(|file| ranking.rank_of(file)).collect()
    }
}

/// Why a benchmark can't be read.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A file can't be read.
    #[error("cannot read {path}: {source}")]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file has another form.
    #[error("{path} is no description of a bug: {why}")]
    Form {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A program can't be read.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Nothing in it.
    #[error("{0} holds no bug: no folder with a bug.toml")]
    Empty(PathBuf),
}

/// `bug.toml`; fields that we do not know are left alone, for benchmarks grow.
#[derive(Deserialize)]
struct Described {
    id: String,
    kind: String,
    program: String,
    fail: String,
    #[serde(default)]
    pass: String,
    truth: Vec<String>,
    #[serde(default)]
    confidence: String,
    #[serde(default)]
    reports: Vec<String>,
}

/// The bugs in the folders of `bench`, by name.
///
/// # Errors
/// When there are none, or one can't be read.
pub fn read_bench(bench: &Path) -> Result<Vec<BenchBug>, BenchError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| BenchError::Io { path, source }
    };
    let mut folders = BTreeSet::new();
    for entry in bench.read_dir().map_err(io(bench))? {
        let folder = entry.map_err(io(bench))?.path();
        if folder.join("bug.toml").is_file() {
            folders.insert(folder);
        }
    }
    if folders.is_empty() {
        return Err(BenchError::Empty(bench.to_owned()));
    }
    folders.into_iter().map(|folder| read_bug(&folder)).collect()
}

fn read_bug(folder: &Path) -> Result<BenchBug, BenchError> {
    let path = folder.join("bug.toml");
    let text = std::fs::read_to_string(&path)
        .map_err(|source| BenchError::Io { path: path.clone(), source })?;
    let form = |why: String| BenchError::Form { path: path.clone(), why };
    let described: Described = toml::from_str(&text).map_err(|error| form(error.to_string()))?;
    if described.truth.is_empty() {
        return Err(form("truth names no file".to_owned()));
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let pass = words(&described.pass);
    let report = described.reports.first().cloned();
    Ok(BenchBug {
        program: Program::read_file(&folder.join(&described.program))?,
        fail: words(&described.fail),
        pass: (!pass.is_empty()).then_some(pass),
        report: report.unwrap_or_else(|| described.id.clone()),
        id: described.id,
        kind: described.kind,
        truth: described.truth,
        confidence: described.confidence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn bugs_are_read_and_strange_folders_named() {
        let folder = tempfile::tempdir().unwrap();
        let empty = read_bench(folder.path()).unwrap_err().to_string();
        assert!(empty.contains("holds no bug"), "{empty}");
        let bug = folder.path().join("one");
        fs::create_dir(&bug).unwrap();
        fs::write(bug.join("main.c"), "int main(void) { return 0; }\n").unwrap();
        let text = "id = \"one\"\nkind = \"crash\"\nprogram = \"main.c\"\nfail = \"-O2 -g\"\n\
                    pass = \"\"\ntruth = [\"gcc/a.cc\"]\nnews = 1\n";
        fs::write(bug.join("bug.toml"), text).unwrap();
        let bugs = read_bench(folder.path()).unwrap();
        assert_eq!((bugs[0].fail.len(), &bugs[0].pass), (2, &None));
        assert_eq!(bugs[0].report, "one");
        fs::write(bug.join("bug.toml"), text.replace("\"gcc/a.cc\"", "")).unwrap();
        assert!(read_bench(folder.path()).unwrap_err().to_string().contains("names no file"));
        fs::write(bug.join("bug.toml"), "id = 3\n").unwrap();
        assert!(read_bench(folder.path()).unwrap_err().to_string().contains("bug.toml"));
    }
}
