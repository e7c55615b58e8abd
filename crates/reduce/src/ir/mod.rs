//! Modules of LLVM IR and pass pipelines, made small.

mod llvm_reduce;
mod schedule;

pub use llvm_reduce::{LlvmReduce, LlvmReduceError, llvm_reduce};
pub use passes::ir::is_plausible as is_plausible_ir;
pub use schedule::{reduce_ir, reduce_pipeline};
