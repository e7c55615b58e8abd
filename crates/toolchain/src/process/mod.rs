//! The only door to processes.
//!
//! In: a [`Job`]: a program, its arguments and input, a private directory, limits. Out: a
//! [`Run`]: how it ended, what it wrote, what it used. An `Err` means that we failed; all that a
//! program can do wrong is an [`Ended`].
//!
//! [`run`] sends an order to the zygote, which forks a supervisor, which forks the job:
//!
//! ```text
//! run (watch, tree) ──order──▶ zygote ──fork──▶ supervisor ──vfork──▶ child ──exec──▶ the program
//!        ▲                                          │
//!        └──────────────────report──────────────────┘
//! ```
//!
//! - `order`, `zygote`: what is to be started, and the small process that is told: a fork of us
//!   would copy the page tables of all that we hold.
//! - `cage`: the supervisor is the first process of a PID namespace, so that nothing survives it;
//!   where the kernel forbids that, it adopts orphans and `hunt`s them.
//! - `child`: takes on rlimits, `landlock` and `seccomp`.
//! - `watch`: reads output, and looks at the `tree` of processes for what the kernel doesn't limit.
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
mod hunt;
mod interrupt;
mod job;
mod landlock;
mod limits;
mod order;
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
mod zygote;

pub use abilities::Abilities;
pub use error::ProcessError;
pub use interrupt::{interrupt_all, resume_all};
pub use job::{Confine, Job};
pub use limits::{Limit, Limits};
pub use outcome::{Ended, Run, Usage};
pub use report::Step;
pub use scratch::Scratch;

use base::Stopwatch;
use cage::Cage;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
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
    let (order, descriptors, ends) = order::Order::new(job, cage)?;
    let clock = Stopwatch::start();
    let handle = handle::Handle::start(&order, &descriptors)
        .map_err(|source| ProcessError::Fork { program: program(), source })?;
    // Our copies of the job's ends of the pipes, which would keep them open.
    drop(descriptors);
    let run = watch::Watch::new(job, handle, ends, clock, epoch).follow()?;
    JOBS_CPU.set(JOBS_CPU.get() + run.usage.cpu());
    ALL_JOBS_MICROS.fetch_add(run.usage.cpu().as_micros() as u64, Ordering::Relaxed);
    Ok(run)
}

/// Of all jobs that have ended.
static ALL_JOBS_MICROS: AtomicU64 = AtomicU64::new(0);

/// The CPU time of all jobs that have ended, and that of the processes that started and supervised them.
#[must_use]
pub fn cpu_of_jobs() -> (Duration, Duration) {
    let jobs = Duration::from_micros(ALL_JOBS_MICROS.load(Ordering::Relaxed));
    let (zygote, below) = zygote::cpu();
    (jobs, zygote + below.saturating_sub(jobs))
}

thread_local! {
    static JOBS_CPU: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The CPU time that this thread and the jobs that it ran have used.
#[must_use]
pub fn thread_work() -> Duration {
    crate::machine::thread_cpu_time() + JOBS_CPU.get()
}
