//! Exit codes: part of the contract with scripts.

use campaign::{ConfigError, ExclusionError, HuntError, PlanError, ReduceError, ReplayError};
use cluster::ClusterError;
use eval::EvalError;
use isolate::IsolateError;
use oracle::Premise;
use std::fmt::Display;
use store::StoreError;
use toolchain::process::ProcessError;
use toolchain::{BuildError, CompilerError, ProgramError};
use triage::BisectError;

/// Nothing found, or done.
pub const NOTHING: u8 = 0;
/// A bug.
pub const BUG: u8 = 1;
/// Bad usage or input.
pub const INPUT: u8 = 2;
/// whodunit itself failed.
pub const OURS: u8 = 3;
/// Not comparable.
pub const NOT_COMPARABLE: u8 = 4;

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    /// [`INPUT`] or [`OURS`].
    pub code: u8,
    /// One message.
    pub message: String,
}

impl Failure {
    /// The user's mistake.
    pub fn input(message: impl Display) -> Failure {
        Failure { code: INPUT, message: message.to_string() }
    }

    /// Ours, or the machine's.
    pub fn ours(message: impl Display) -> Failure {
        Failure { code: OURS, message: message.to_string() }
    }
}

impl From<CompilerError> for Failure {
    fn from(error: CompilerError) -> Failure {
        match error {
            CompilerError::Process(
                ProcessError::NotFound { .. } | ProcessError::NotExecutable { .. },
            ) => Failure::input(error),
            CompilerError::Process(_) | CompilerError::Scratch(_) => Failure::ours(error),
            _ => Failure::input(error),
        }
    }
}

impl From<ProgramError> for Failure {
    fn from(error: ProgramError) -> Failure {
        Failure::input(error)
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Failure {
        match error {
            BuildError::NoOpt(_) | BuildError::NoCxx(_) => Failure::input(error),
            BuildError::Process(ref process) => match process {
                ProcessError::NotFound { .. } | ProcessError::NotExecutable { .. } => {
                    Failure::input(error)
                }
                _ => Failure::ours(error),
            },
            BuildError::Scratch { .. } => Failure::ours(error),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::NotACampaign { .. }
            | StoreError::OtherVersion { .. }
            | StoreError::Locked { .. }
            | StoreError::ReadOnly { .. }
            | StoreError::NoSuchFinding { .. } => Failure::input(error),
            _ => Failure::ours(error),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::input(error)
    }
}

impl From<ExclusionError> for Failure {
    fn from(error: ExclusionError) -> Failure {
        match error {
            ExclusionError::Wrong { .. } => Failure::input(error),
            ExclusionError::File { .. } => Failure::ours(error),
        }
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Failure {
        match error {
            PlanError::Compiler(error) => error.into(),
            PlanError::Build(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl From<HuntError> for Failure {
    fn from(error: HuntError) -> Failure {
        match error {
            HuntError::Store(error) => error.into(),
            HuntError::Build(error) => error.into(),
            HuntError::Exclusions(error) => error.into(),
            HuntError::Cluster(error) => error.into(),
            HuntError::OtherPlan { .. } => Failure::input(error),
            error => Failure::ours(error),
        }
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        match error {
            ClusterError::NoSlurm(_)
            | ClusterError::Refused { .. }
            | ClusterError::UnknownPartition { .. }
            | ClusterError::TooLong { .. }
            | ClusterError::Locked(_) => Failure::input(error),
            _ => Failure::ours(error),
        }
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Failure {
        match error {
            EvalError::Build(error) => error.into(),
            error => Failure::ours(error),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Failure {
        match error {
            ReplayError::Store(error) => error.into(),
            ReplayError::Compiler(error) => error.into(),
            ReplayError::Build(error) => error.into(),
            ReplayError::NoSuchFinding(_) => Failure::input(error),
            ReplayError::Unreadable { .. } => Failure::ours(error),
        }
    }
}

impl From<IsolateError> for Failure {
    fn from(error: IsolateError) -> Failure {
        match error {
            IsolateError::Build(error) | IsolateError::Premise(Premise::Build(error)) => {
                error.into()
            }
            IsolateError::Compiler(error) => error.into(),
            IsolateError::Premise(_)
            | IsolateError::NoPass
            | IsolateError::NoSwitches(..)
            | IsolateError::NoSequence { .. }
            | IsolateError::NotByPasses { .. }
            | IsolateError::Pipeline(..)
            | IsolateError::NotSource { .. }
            | IsolateError::NothingToMutate { .. }
            | IsolateError::NoDonors(..)
            | IsolateError::NothingExecuted(_)
            | IsolateError::NoLines(_) => Failure::input(error),
            IsolateError::Machine(_)
            | IsolateError::Fault(_)
            | IsolateError::Counts(_)
            | IsolateError::Process(_) => Failure::ours(error),
        }
    }
}

impl From<BisectError> for Failure {
    fn from(error: BisectError) -> Failure {
        match error {
            BisectError::Build(error) | BisectError::Premise(Premise::Build(error)) => error.into(),
            BisectError::Compiler(error) => error.into(),
            BisectError::Premise(_) | BisectError::NoSwitches(_) => Failure::input(error),
            BisectError::Stopped | BisectError::Machine(_) => Failure::ours(error),
        }
    }
}

impl From<ReduceError> for Failure {
    fn from(error: ReduceError) -> Failure {
        match error {
            ReduceError::Premise(Premise::Build(error)) | ReduceError::Build(error) => error.into(),
            ReduceError::Premise(_)
            | ReduceError::Library(_)
            | ReduceError::NoTool(_)
            | ReduceError::WrongTool { .. }
            | ReduceError::Pipeline(_) => Failure::input(error),
            ReduceError::Tool { .. } | ReduceError::Journal { .. } | ReduceError::Failed(_) => {
                Failure::ours(error)
            }
        }
    }
}
