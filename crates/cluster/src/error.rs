//! Why work on a cluster can't go on. What came back before is kept.

use std::path::PathBuf;
use toolchain::process::ProcessError;

/// Why work on a cluster can't go on.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// No Slurm.
    #[error(
        "there is no Slurm here: {0} is not in PATH (Debian: apt install slurm-client; or log in where sbatch is)"
    )]
    NoSlurm(&'static str),
    /// It does not answer.
    #[error(
        "Slurm does not answer: {command}: {said}; jobs under way go on, and the same command takes up their results"
    )]
    Silent {
        /// What was asked.
        command: String,
        /// What came back.
        said: String,
    },
    /// It will not.
    #[error("Slurm refuses: {said}{advice}")]
    Refused {
        /// Its words.
        said: String,
        /// What to do, after a semicolon.
        advice: String,
    },
    /// A partition that there is not.
    #[error("there is no partition {name} here; known: {known}")]
    UnknownPartition {
        /// The name.
        name: String,
        /// All names.
        known: String,
    },
    /// A time that the partition does not give.
    #[error(
        "a chunk would ask for {wanted} minutes and partition {partition} gives at most {most}: use a smaller --chunk-minutes, or another partition"
    )]
    TooLong {
        /// Which.
        partition: String,
        /// What a chunk asks for.
        wanted: u64,
        /// What it may.
        most: u64,
    },
    /// A process of ours failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A file.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file with other content than we write.
    #[error("{path}: {why}")]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Somebody else is at it.
    #[error("another whodunit controls the jobs of {0}: let it, or stop it first")]
    Locked(PathBuf),
    /// Chunk after chunk came to nothing.
    #[error(
        "gave up: {chunk} {why}; {done} of the chunks came back and are kept, and the same command goes on{log}"
    )]
    GaveUp {
        /// The last one.
        chunk: String,
        /// Why.
        why: String,
        /// Chunks that came back.
        done: usize,
        /// Where to look.
        log: String,
    },
}

impl ClusterError {
    /// The same with its file.
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> ClusterError {
        let path = path.to_owned();
        move |source| ClusterError::Io { path, source }
    }
}
