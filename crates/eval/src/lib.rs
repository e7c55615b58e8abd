//! Experiments that measure the parts of whodunit.
//!
//! In: compilers, a seed, an amount of work. Out: tables as values, statistics of them, plots as SVG.
//! This crate does not know how a table looks.

mod coverage;
mod generator;
mod generator_coverage;
mod hunting;
mod isolation;
pub mod statistics;

pub use self::coverage::{
    CoverageError, CoverageExperiment, CoverageResult, CoverageRow, measure_coverage,
};
pub use generator::{
    CounterRow, EvalError, GeneratorExperiment, GeneratorResult, PolicyResult, ShareRow,
    measure_generator,
};
pub use generator_coverage::{ReachError, ReachExperiment, ReachResult, ReachRow, measure_reach};
pub use hunting::{
    HuntChunks, HuntComparison, HuntExperiment, HuntRow, HuntRun, HuntSummary, HuntVariant,
    HuntingError, PassCount, summarise_hunts,
};
pub use isolation::{
    BenchBug, BenchError, ComparisonRow, CorrelationRow, IsolationChunks, IsolationEvalError,
    IsolationExperiment, IsolationRun, IsolationSummary, MethodRow, MethodWith, pictures,
    read_bench, summarise,
};
pub use statistics::{Comparison, compare_means, geometric_mean};
