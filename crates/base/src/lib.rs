//! The few things that every room of the house needs.
//!
//! In: a seed, some bytes, an amount of time. Out: named random streams, content ids, files that
//! are either whole or absent or grow by whole lines, edited texts, budgets. This crate does not know what a compiler or a
//! program is.

mod atomic_write;
mod budget;
mod content_id;
mod edit;
mod line_file;
mod nearest;
mod random;

pub use atomic_write::atomic_write;
pub use budget::{Budget, Stopwatch};
pub use content_id::ContentId;
pub use edit::Edit;
pub use line_file::LineFile;
pub use nearest::nearest;
pub use random::{Random, Seed};
