//! What goes through an optimiser as text: pass pipelines, sequences of passes, LLVM IR and programs in it.
//!
//! In: the text of a `-passes=` option, or of a module. Out: what it is made of, and the changes
//! that may make it smaller, as edits of its bytes. This crate does not know whether a change keeps
//! anything true, and never runs a compiler: whoever makes the changes asks.

pub mod catalogue;
pub mod ir;
pub mod pipeline;
pub mod program;
pub mod sequence;

/// A change that may make a text smaller: edits that are made together or not at all.
pub type Change = Vec<base::Edit>;
