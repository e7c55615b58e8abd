//! A hunt from its plan to its end.
//!
//! In: a config, the compilers of the machine, a campaign's folder. Out: a campaign full of
//! judged programs and findings, and progress on the way. This crate does not know how anything
//! looks on a screen.

mod config;
mod configurations;
mod hunt;
mod pipeline;
mod plan;
mod progress;
mod record;
mod reduce_stage;
mod reduction;
mod replay;
mod source;

pub use config::{
    CompilerConfig, Config, ConfigError, CsmithConfig, GenConfig, LimitsConfig, ReduceConfig,
    TestSet,
};
pub use hunt::{Ended, HuntError, Hunted, Stop, hunt};
pub use plan::{Amount, Choice, Plan, PlanError, SourceChoice};
pub use progress::{Event, Snapshot};
pub use record::{FileRecord, FindingBody, PlanRecord, ProgramBody, ReducedBody};
pub use reduce_stage::{REDUCE, reduced_of};
pub use reduction::{
    OutsideTool, ReduceError, Reduced, Reduction, Told, ask_server, reduce_program, witnesses_of,
};
pub use replay::{ReplayError, Replayed, replay};
