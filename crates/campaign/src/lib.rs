//! A hunt from its plan to its end.
//!
//! In: a config, the compilers of the machine, a campaign's folder. Out: a campaign full of
//! judged programs and findings, and progress on the way. This crate does not know how anything
//! looks on a screen.

mod bug_report;
mod bugs;
mod cluster;
mod config;
mod configurations;
mod covered;
mod exclusions;
mod hunt;
mod isolation;
mod known;
mod leaders;
mod learning;
mod overview;
mod pipeline;
mod plan;
mod progress;
mod random_programs;
mod recheck;
mod record;
mod reduction;
mod refusal;
mod replay;
mod saved;
mod sequences;
mod source;
mod stage;

pub use ::cluster::Standing;
pub use bugs::{CampaignBug, bugs, frequent_pairs, split};
pub use cluster::{
    OnCluster, Parcel, ParcelError, Worked, chunks, cluster_folder, hunt_on_cluster,
    plan_on_cluster, work,
};
pub use config::{
    CompilerConfig, Config, ConfigError, CsmithConfig, GenConfig, LimitsConfig, PassesConfig,
    ReduceConfig, TestSet,
};
pub use exclusions::{Exclusion, ExclusionError, Exclusions};
pub use hunt::{Ended, HuntError, Hunted, Stop, hunt};
pub use isolation::{Case, Isolated, Isolator};
pub use known::{KnownBug, KnownBugs};
pub use learning::{Chance, Learned, learned};
pub use overview::{Overview, overview};
pub use plan::{Amount, Choice, Plan, PlanError, SourceChoice, Until};
pub use progress::{Event, Snapshot};
pub use random_programs::RandomPrograms;
pub use recheck::{Recheck, Rechecked, recheck};
pub use record::{
    ApartBody, FileRecord, FindingBody, IsolatedBody, LookedBody, PlanRecord, ProgramBody,
    ReducedBody, RepeatsBody, TriagedBody, WitnessBody,
};
pub use reduction::{
    OutsideTool, ReduceError, Reduced, Reduction, Told, ask_server, reduce_program, witnesses_of,
};
pub use refusal::{newer_module, refused_pipeline};
pub use replay::{ReplayError, Replayed, replay};
pub use saved::{Saved, args_of, name_of};
pub use stage::{APART, ISOLATE, LOOK, REDUCE, REPEATS, Stages, TRIAGE};
