//! What a compiler executed.
//!
//! In: the source of a compiler, or a compiler that was built here, and a compilation. Out: a build
//! whose every basic block counts, and for each compilation the [`Counts`] and the [`Set`] of edges
//! that ran; a [`Map`] leads from an edge to its function, file and lines. This crate does not know
//! what a bug is, nor how a compiler is called: that is `toolchain`'s.
//!
//! "Edge" is the word of SanitizerCoverage: critical edges are split, so that every edge of the control
//! flow is a basic block, and each block has a counter.

mod build;
mod counts;
pub mod instrument;
mod map;
mod set;
mod stack;
mod symbolise;
mod varint;

pub use build::{Build, BuildFault};
pub use counts::{Counts, CountsError};
pub use map::{Function, Line, Map, MapError};
pub use set::Set;
pub use symbolise::SymboliseError;
