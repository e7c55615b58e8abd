//! Running what a compiler made.

use crate::compiler::Compiler;
use crate::printed::Printed;
use crate::process::{self, Confine, Ended, Job, Limit, Limits, ProcessError};
use base::ContentId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// What a compiled program did, as far as two correct compilers must agree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Behaviour {
    /// How it ended.
    pub end: End,
    /// What it printed on standard output, but for the numbers that need not be exact.
    pub output: ContentId,
    /// The beginning of that, for people.
    pub head: String,
    /// Those numbers, as bits of `f32`; see [`Printed`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<u32>,
}

/// How a compiled program ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// By itself.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// Not within its CPU time, or not at all.
    Endless,
    /// By wanting too much: memory, output, files, processes.
    Excess(String),
}

/// One run of a compiled program.
#[derive(Clone, Debug)]
pub struct Executed {
    /// What it did.
    pub behaviour: Behaviour,
    /// The CPU time that it took.
    pub cpu: Duration,
    /// What it said on standard error: sanitizers speak there.
    pub stderr: String,
    /// Its whole standard output.
    pub stdout: Vec<u8>,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.end {
            End::Exit(0) => {}
            End::Exit(code) => write!(f, "exit status {code}, ")?,
            End::Signal(signal) => write!(f, "killed by signal {signal}, ")?,
            End::Endless => f.write_str("does not end, ")?,
            End::Excess(what) => write!(f, "exceeds its {what} limit, ")?,
        }
        match self.head.as_str() {
            "" => f.write_str("prints nothing"),
            head => write!(f, "prints {head:?}"),
        }
    }
}

/// Runs `executable` in `dir`, by the compiler's runner if it has one.
///
/// # Errors
/// When we failed.
pub fn execute(
    compiler: &Compiler,
    executable: &Path,
    dir: &Path,
    limits: Limits,
    confine: Confine,
    env: &[(&str, &str)],
) -> Result<Executed, ProcessError> {
    let mut job = match compiler.runner.split_first() {
        None => Job::new(executable, dir),
        Some((runner, args)) => Job::new(runner, dir).args(args).arg(executable),
    };
    // An emulator reserves address space as sanitizers do.
    let confine = Confine {
        spare_address_space: confine.spare_address_space || !compiler.runner.is_empty(),
        ..confine
    };
    for (name, value) in env {
        job = job.env(name, value);
    }
    let run = process::run(&job.limits(limits).confine(confine))?;
    let end = match run.ended {
        Ended::Exit(code) => End::Exit(code),
        Ended::Signal(signal) => End::Signal(signal),
        Ended::Limit(Limit::Wall | Limit::Stopped | Limit::Cpu) => End::Endless,
        Ended::Limit(limit) => End::Excess(format!("{limit:?}").to_lowercase()),
    };
    // What an endless program printed before it was stopped depends on when that was.
    let printed: &[u8] = match end {
        End::Exit(_) | End::Signal(_) => &run.stdout,
        End::Endless | End::Excess(_) => &[],
    };
    let head: String = String::from_utf8_lossy(printed).chars().take(200).collect();
    let Printed { exact: output, about } = Printed::of(printed);
    Ok(Executed {
        behaviour: Behaviour { end, output, head: head.trim_end().to_owned(), about },
        cpu: run.usage.user + run.usage.system,
        stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        stdout: run.stdout,
    })
}
