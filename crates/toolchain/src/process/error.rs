//! How running a job can fail on our side.

use super::{Job, Step};
use std::{io, path::PathBuf};

/// Why a job could not be run or followed. What a job does wrong itself is no error but an
/// [`Ended`](super::Ended).
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// There is no such program.
    #[error("cannot run {program}: there is no such program (or its interpreter is missing)")]
    NotFound {
        /// The program.
        program: PathBuf,
    },
    /// The file is no program that may be executed.
    #[error("cannot run {program}: {source}; is it executable and made for this machine?")]
    NotExecutable {
        /// The file.
        program: PathBuf,
        /// The kernel's reason.
        source: io::Error,
    },
    /// The private directory can't be used.
    #[error("cannot run {program} in {dir}: {source}; the directory must exist before the job")]
    Dir {
        /// The program.
        program: PathBuf,
        /// The directory.
        dir: PathBuf,
        /// The kernel's reason.
        source: io::Error,
    },
    /// An argument or a variable holds a NUL byte.
    #[error("cannot run {program}: the argument or variable {what:?} holds a NUL byte")]
    NulByte {
        /// The program.
        program: PathBuf,
        /// What holds it.
        what: String,
    },
    /// No process could be made.
    #[error("cannot fork to run {program}: {source}; are there too many processes (ulimit -u)?")]
    Fork {
        /// The program.
        program: PathBuf,
        /// The kernel's reason.
        source: io::Error,
    },
    /// No descriptor could be made.
    #[error("cannot run {program}: {source} while opening its pipes; see ulimit -n")]
    Descriptors {
        /// The program.
        program: PathBuf,
        /// The kernel's reason.
        source: io::Error,
    },
    /// A step between fork and exec failed.
    #[error("cannot run {program}: {step} failed: {source}")]
    Setup {
        /// The program.
        program: PathBuf,
        /// The step.
        step: Step,
        /// The kernel's reason.
        source: io::Error,
    },
    /// The supervising process died without a report: the OOM killer, or an administrator.
    #[error("the supervisor of {program} was killed from outside; nothing is known of the job")]
    SupervisorLost {
        /// The program.
        program: PathBuf,
    },
    /// [`interrupt_all`](super::interrupt_all) was called.
    #[error("interrupted while running {program}")]
    Interrupted {
        /// The program.
        program: PathBuf,
    },
}

impl ProcessError {
    /// The error for a `step` that failed in the forked process.
    pub(super) fn setup(job: &Job, step: Step, source: io::Error) -> ProcessError {
        let program = job.program.clone();
        match (step, source.raw_os_error()) {
            (Step::Exec, Some(libc::ENOENT | libc::ENOTDIR | libc::ELOOP | libc::ENAMETOOLONG)) => {
                ProcessError::NotFound { program }
            }
            (
                Step::Exec,
                Some(libc::EACCES | libc::EPERM | libc::ENOEXEC | libc::ELIBBAD | libc::EINVAL),
            ) => ProcessError::NotExecutable { program, source },
            (Step::Dir, _) => ProcessError::Dir { program, dir: job.dir.clone(), source },
            (Step::Fork, _) => ProcessError::Fork { program, source },
            _ => ProcessError::Setup { program, step, source },
        }
    }
}
