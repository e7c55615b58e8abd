//! Makes a text small while a predicate holds.
//!
//! In: a text (a program, a list of options, a pass pipeline, LLVM IR), a predicate, and changes
//! that may make the text smaller. Out: a smaller text for which the predicate still holds, to
//! which no further change can be made. This crate does not know what a bug is: only the predicate
//! does.

mod c;
mod ir;
mod predicate;
mod search;
mod walk;

pub use c::{Reader, reduce_c};
pub use ir::{is_plausible_ir, reduce_ir, to_fixpoint};
pub use predicate::{Answer, Halt, Predicate};
pub use search::{Progress, Search, Settings};

/// A change that may make a text smaller: edits that are made together or not at all.
pub type Change = Vec<base::Edit>;
