//! What a job may use, and which of it a job used up.

use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// What a job, with all its descendants, may use.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Time on the clock; a job that computes has more of it, since a busy machine makes no hang.
    pub wall: Duration,
    /// Processor time of all processes together.
    pub cpu: Duration,
    /// Bytes of memory of all processes together.
    pub memory: u64,
    /// Bytes that are kept of each of stdout and stderr; one more ends the job.
    pub output: u64,
    /// Bytes that one file may have.
    pub file: u64,
    /// Processes that may live at once.
    pub processes: u32,
}

const MIB: u64 = 1 << 20;
/// How many times as long something may take to be slow, and not without end.
const PATIENCE: u32 = 6;

impl Limits {
    /// For one call of a compiler: 10 s of processor time and 4 GiB, as in CTOS.
    #[must_use]
    pub fn compiler() -> Limits {
        Limits {
            wall: Duration::from_secs(60),
            cpu: Duration::from_secs(10),
            memory: 4096 * MIB,
            output: 16 * MIB,
            file: 1024 * MIB,
            processes: 64,
        }
    }

    /// With much more time: what ends then was only slow.
    #[must_use]
    pub fn patient(self) -> Limits {
        Limits { wall: self.wall * PATIENCE, cpu: self.cpu * PATIENCE, ..self }
    }

    /// For a compiled test program, which has little to do and little to say.
    #[must_use]
    pub fn program() -> Limits {
        Limits {
            wall: Duration::from_secs(30),
            // Generated programs end within a second or never do.
            cpu: Duration::from_secs(5),
            memory: 1024 * MIB,
            output: MIB,
            file: 64 * MIB,
            processes: 64,
        }
    }

    /// For other tools: linkers, disassemblers, coverage readers.
    #[must_use]
    pub fn tool() -> Limits {
        Limits {
            wall: Duration::from_secs(120),
            cpu: Duration::from_secs(60),
            ..Limits::compiler()
        }
    }

    /// The address space a process may have. Twice the memory: programs map more than they touch,
    /// and memory proper is watched.
    pub(super) fn address_space(&self) -> u64 {
        self.memory.saturating_mul(2)
    }
}

/// The limit that ended a job.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// Time on the clock ran out.
    Wall,
    /// Time on the clock ran out while the job had stopped itself (`SIGSTOP`).
    Stopped,
    /// Processor time ran out.
    Cpu,
    /// Too much memory.
    Memory,
    /// Too much written to stdout or stderr.
    Output,
    /// A file grew too large.
    FileSize,
    /// Too many processes at once.
    Processes,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Wall => "out of time",
            Limit::Stopped => "out of time, having stopped itself",
            Limit::Cpu => "out of processor time",
            Limit::Memory => "out of memory",
            Limit::Output => "too much output",
            Limit::FileSize => "a file too large",
            Limit::Processes => "too many processes",
        })
    }
}
