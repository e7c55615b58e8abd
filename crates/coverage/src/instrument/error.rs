//! What can go wrong with a build.

use crate::symbolise::SymboliseError;
use std::io;
use std::path::PathBuf;
use toolchain::CompilerError;
use toolchain::process::ProcessError;

/// Why there is no build.
#[derive(Debug, thiserror::Error)]
pub enum InstrumentError {
    /// An option that this compiler does not have.
    #[error("{0}")]
    Refused(&'static str),
    /// Something is there already.
    #[error("{0} is there already; remove it, or name another folder with --out")]
    Exists(PathBuf),
    /// A folder that does not hold the source.
    #[error("{folder} is not the source of {project}: it has no {landmark}")]
    NotSource {
        /// Which folder.
        folder: PathBuf,
        /// What was looked for.
        project: &'static str,
        /// By what.
        landmark: &'static str,
    },
    /// Packages are missing, and we may not install them.
    #[error("packages are missing; as root: apt install {}", .0.join(" "))]
    Missing(Vec<String>),
    /// Too little of something.
    #[error("{what}: {free} GB free, the build needs {needs} GB")]
    Room {
        /// Disk or memory.
        what: String,
        /// What there is.
        free: u64,
        /// What it takes.
        needs: u64,
    },
    /// A step failed.
    #[error("{step} failed ({how}); the end of {log}:\n{tail}")]
    Step {
        /// Which one.
        step: String,
        /// How it ended.
        how: String,
        /// Where all its words are.
        log: PathBuf,
        /// The last of them.
        tail: String,
    },
    /// A step failed because the disk is full. What it said may not even be in the log.
    #[error(
        "{step} failed: the disk of {folder} is full; make room there, and the same command goes on"
    )]
    Full {
        /// Which one.
        step: String,
        /// The work folder.
        folder: PathBuf,
    },
    /// The work folder belongs to another request.
    #[error("{folder} holds another build in the making ({was}); remove it to start anew")]
    OtherWork {
        /// Which folder.
        folder: PathBuf,
        /// What it is for.
        was: String,
    },
    /// Another process is at work there.
    #[error("another whodunit is building in {0}")]
    Busy(PathBuf),
    /// The driver of the system does not fit.
    #[error("{0}")]
    Front(String),
    /// A program that was built is not as it should be.
    #[error("{program}: {source}")]
    Program {
        /// Which one.
        program: PathBuf,
        /// Why.
        source: SymboliseError,
    },
    /// The disk says no.
    #[error("{path}: {source}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A process could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A compiler can't be used.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
}

/// The error of an operation on `path`.
pub(super) fn at(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> InstrumentError {
    let path = path.into();
    move |source| InstrumentError::Io { path, source }
}
