//! The only door to processes.
//!
//! In: a [`Job`]: a program, its arguments and input, a private directory, limits. Out: a
//! [`Run`]: how it ended, what it wrote, what it used. An `Err` means that we failed; all that a
//! program can do wrong is an [`Ended`].
//!
//! [`run`] forks a supervisor, which forks the job:
//!
//! ```text
//! run (watch, tree) ──fork──▶ supervisor ──vfork──▶ child ──exec──▶ the program
//!        ▲                        │
//!        └────────report──────────┘
//! ```
//!
//! - `cage`: the supervisor is the first process of a PID namespace, so that nothing survives it;
//!   where the kernel forbids that, it adopts orphans and `hunt`s them.
//! - `child`: takes on rlimits, `landlock` and `seccomp`.
//! - `watch`: reads output, and looks at the `tree` of processes for what the kernel doesn't limit.
//! - `heap`: what a fork need not copy.
//! - `prepared`: all that is needed after the fork, where nothing may be allocated.
//!
//! No process outlives its [`run`], not even if we are killed; no test program writes outside of
//! its directory; no descriptor of one job reaches another.

mod abilities;
mod cage;
mod child;
mod descriptor;
mod error;
mod handle;
mod heap;
mod hunt;
mod interrupt;
mod job;
mod landlock;
mod limits;
mod outcome;
mod output;
mod prepared;
mod procfs;
mod report;
mod scratch;
mod seccomp;
mod supervisor;
mod tree;
mod watch;

pub use abilities::Abilities;
pub use error::ProcessError;
pub use heap::Heap;
pub use interrupt::{interrupt_all, resume_all};
pub use job::{Confine, Job};
pub use limits::{Limit, Limits};
pub use outcome::{Ended, Run, Usage};
pub use report::Step;
pub use scratch::Scratch;

use base::Stopwatch;
use cage::Cage;
use std::cell::Cell;
use std::time::Duration;

/// Runs `job` to its end, or to the first limit that it reaches. May be called from several
/// threads at once.
///
/// # Errors
/// When the program is missing or no program, its directory is missing, the system is out of
/// processes or descriptors, or [`interrupt_all`] was called.
pub fn run(job: &Job) -> Result<Run, ProcessError> {
    run_in(job, Cage::of(job))
}

/// [`run`] as on a machine without PID namespaces, for tests.
///
/// # Errors
/// As [`run`].
#[doc(hidden)]
pub fn run_without_namespace(job: &Job) -> Result<Run, ProcessError> {
    run_in(job, Cage::Subreaper)
}

fn run_in(job: &Job, cage: Cage) -> Result<Run, ProcessError> {
    let program = || job.program.clone();
    let epoch =
        interrupt::Epoch::now().ok_or_else(|| ProcessError::Interrupted { program: program() })?;
    let (prepared, ends) = prepared::Prepared::new(job, cage)?;
    let clock = Stopwatch::start();
    let handle = handle::Handle::start(&prepared)
        .map_err(|source| ProcessError::Fork { program: program(), source })?;
    // Our copies of the job's ends of the pipes, which would keep them open.
    drop(prepared);
    let run = watch::Watch::new(job, handle, ends, clock, epoch).follow()?;
    JOBS_CPU.set(JOBS_CPU.get() + run.usage.cpu());
    Ok(run)
}

thread_local! {
    static JOBS_CPU: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The CPU time that this thread and the jobs that it ran have used.
#[must_use]
pub fn thread_work() -> Duration {
    crate::machine::thread_cpu_time() + JOBS_CPU.get()
}
