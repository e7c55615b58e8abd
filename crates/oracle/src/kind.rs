//! The kinds of bug.

use serde::{Deserialize, Serialize};
use std::fmt;
use toolchain::Stage;
use toolchain::family::{Crash, Failure};

/// What is wrong with the compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The program does something else than it says; it may also crash or hang.
    WrongCode,
    /// The compiler crashes.
    Crash,
    /// The compiler does not end.
    Hang,
    /// The compiler wants more memory than it may have; CTOS calls it "performance".
    Memory,
    /// A pass leaves IR that the verifier refuses.
    InvalidIr,
    /// The code generator fails on IR that the optimiser made.
    Codegen,
    /// The compiler refuses a program that others take.
    RejectsValid,
    /// A sanitizer reports a program that is clean.
    SanitizerAlarm,
}

impl Kind {
    /// The kind of bug behind a failure of the compiler, with its signature; nothing if it is the
    /// machine's fault, or the program may deserve it.
    #[must_use]
    pub fn of_failure(stage: Stage, failure: &Failure) -> Option<(Kind, String)> {
        let crash = |kind, crash: &Crash| Some((kind, crash.signature.clone()));
        match failure {
            Failure::Crash(found) if stage == Stage::Codegen => crash(Kind::Codegen, found),
            Failure::Crash(found) => crash(Kind::Crash, found),
            Failure::InvalidIr(found) => crash(Kind::InvalidIr, found),
            Failure::Hang => Some((Kind::Hang, "does not end".to_owned())),
            Failure::Memory => Some((Kind::Memory, "out of memory".to_owned())),
            Failure::Rejected(_) | Failure::Machine(_) => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::WrongCode => "wrong-code",
            Kind::Crash => "crash",
            Kind::Hang => "hang",
            Kind::Memory => "memory",
            Kind::InvalidIr => "invalid-ir",
            Kind::Codegen => "codegen",
            Kind::RejectsValid => "rejects-valid",
            Kind::SanitizerAlarm => "sanitizer-alarm",
        })
    }
}
