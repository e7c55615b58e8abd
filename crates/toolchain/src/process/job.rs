//! What is to be run, and how it is held.

use super::Limits;
use serde::{Deserialize, Serialize};
use std::{ffi::OsString, path::PathBuf};

/// One program to run in its private directory.
#[derive(Clone, Debug)]
pub struct Job {
    /// The program; a bare name is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments, without the program's name.
    pub args: Vec<OsString>,
    /// Its private working directory, the only place where it may write.
    pub dir: PathBuf,
    /// Variables added to the clean environment (`PATH`, `LC_ALL`, `LANG`, `TZ`, `HOME`,
    /// `TMPDIR`), or put in their place.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads from stdin.
    pub stdin: Vec<u8>,
    /// What it may use.
    pub limits: Limits,
    /// What it may reach.
    pub confine: Confine,
    /// Lies its memory at the same addresses each time? Compilers hash pointers: what they execute
    /// depends on their addresses, a little.
    pub fixed_addresses: bool,
}

impl Job {
    /// `program` without arguments, run in `dir` under the limits of a tool, fully confined.
    pub fn new(program: impl Into<PathBuf>, dir: impl Into<PathBuf>) -> Job {
        Job {
            program: program.into(),
            args: Vec::new(),
            dir: dir.into(),
            env: Vec::new(),
            stdin: Vec::new(),
            limits: Limits::tool(),
            confine: Confine::full(),
            fixed_addresses: false,
        }
    }

    /// Puts its memory at the same addresses each time, as far as the kernel can.
    #[must_use]
    pub fn fixed_addresses(mut self) -> Job {
        self.fixed_addresses = true;
        self
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Job {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<I, S>(mut self, args: I) -> Job
    where
        I: IntoIterator<Item = S>,
        S: Into<OsString>,
    {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds one variable to the environment.
    #[must_use]
    pub fn env(mut self, key: impl Into<OsString>, value: impl Into<OsString>) -> Job {
        self.env.push((key.into(), value.into()));
        self
    }

    /// Sets what it may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Job {
        self.limits = limits;
        self
    }

    /// Sets what it may reach.
    #[must_use]
    pub fn confine(mut self, confine: Confine) -> Job {
        self.confine = confine;
        self
    }

    /// Sets what it reads from stdin.
    #[must_use]
    pub fn stdin(mut self, stdin: Vec<u8>) -> Job {
        self.stdin = stdin;
        self
    }
}

/// What a job is kept from, as far as the kernel can ([`Abilities`](super::Abilities) says).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Confine {
    /// Keep it from writing anywhere but in its directory and to `/dev/null`, `/dev/zero`,
    /// `/dev/full` (Landlock). Reading and executing stay free.
    pub writes: bool,
    /// Keep it from the network (seccomp, and Landlock for TCP).
    pub network: bool,
    /// Leave the address space free, for programs that reserve terabytes and touch little:
    /// sanitizer binaries, qemu. Touched memory is watched all the same.
    pub spare_address_space: bool,
}

impl Confine {
    /// No writes elsewhere, no network, limited address space.
    #[must_use]
    pub fn full() -> Confine {
        Confine { writes: true, network: true, spare_address_space: false }
    }

    /// As [`full`](Confine::full), with a free address space.
    #[must_use]
    pub fn sanitizer() -> Confine {
        Confine { spare_address_space: true, ..Confine::full() }
    }

    /// Only the limits hold.
    #[must_use]
    pub fn none() -> Confine {
        Confine { writes: false, network: false, spare_address_space: true }
    }
}

impl Default for Confine {
    fn default() -> Confine {
        Confine::full()
    }
}
