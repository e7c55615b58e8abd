//! Compilers as values, and the only door to processes.
//!
//! In: a compiler's path, a program, arguments, limits. Out: observations: what a compiler or a
//! tested program did, with its output and what it used. A crash, a hang or a refusal is an
//! observation here; an `Err` means that we failed. This crate does not know what a bug is.

mod build;
mod compiler;
mod configuration;
mod counters;
mod counting;
mod discover;
mod execute;
pub mod family;
mod identity;
mod machine;
pub mod options;
mod pipeline;
mod printed;
pub mod process;
mod program;
mod runner;
mod said;
mod text;
mod tools;
mod version;

pub use build::{
    BuildError, Built, Stage, build, compile, compile_args, lay_out, optimised, optimiser_input,
    preprocess, unoptimised,
};
pub use compiler::{Compiler, CompilerError, CompilerSpec, DataModel, in_path};
pub use configuration::Configuration;
pub use counters::{Counted, count_optimisations};
pub use counting::{COUNTERS_VARIABLE, Counting, CountingPart, Manifest};
pub use discover::{Discovered, discover};
pub use execute::{Behaviour, End, Executed, execute};
pub use identity::{Identity, Part};
pub use machine::{CpuTimes, cpu_times, free_disk, free_memory, machine_trouble, thread_cpu_time};
pub use pipeline::{
    has_own_optimiser, is_not_asserted, offered_passes, optimiser_pipeline, printed_by_passes,
    refused_by_optimiser, spelled_out,
};
pub use printed::Printed;
pub use program::{Language, Program, ProgramError, SourceFile};
pub use said::{Written, counted_transformations, enabled_options, enabled_passes, written};
pub use text::normalise;
pub use tools::{TOOLS, Tool};
pub use version::Version;
