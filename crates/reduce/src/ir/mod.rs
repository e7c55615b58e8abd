//! Modules of LLVM IR, made small.

mod schedule;

pub use passes::ir::is_plausible as is_plausible_ir;
pub use schedule::{reduce_ir, to_fixpoint};
