//! Experiments that measure the parts of whodunit.
//!
//! In: compilers, a seed, an amount of work. Out: tables as values. This crate does not know how
//! a table looks.

mod generator;
mod statistics;

pub use generator::{
    CounterRow, EvalError, GeneratorExperiment, GeneratorResult, PolicyResult, ShareRow,
    measure_generator,
};
pub use statistics::{Comparison, compare_means, geometric_mean};
