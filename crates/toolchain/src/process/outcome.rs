//! What came of a job.

use super::Limit;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a job did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote to stdout, at most [`Limits::output`](super::Limits::output) bytes.
    pub stdout: Vec<u8>,
    /// What it wrote to stderr, at most [`Limits::output`](super::Limits::output) bytes.
    pub stderr: Vec<u8>,
    /// What it used.
    pub usage: Usage,
    /// The time it took on the clock.
    pub wall: Duration,
    /// Descendants that were still alive at its end, and were killed. Some may be missing here,
    /// if their dying parent had just the time to wait for them.
    pub killed: u32,
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Ended {
    /// It exited with this code.
    Exit(i32),
    /// This signal killed it.
    Signal(i32),
    /// It reached a limit.
    Limit(Limit),
}

/// What a job used, with all its descendants.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
    /// Bytes of memory the largest process had. A process starts as a copy of ours, and the
    /// kernel counts that: a number at or below our own memory says "at most this".
    pub max_rss: u64,
}

impl Usage {
    /// Processor time in all.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}
