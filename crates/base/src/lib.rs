//! The few things that every room of the house needs.
//!
//! In: a seed, some bytes, an amount of time. Out: named random streams, content ids, files that
//! are either whole or absent, edited texts, budgets. This crate does not know what a compiler or a
//! program is.

mod atomic_write;
mod budget;
mod content_id;
mod edit;
mod nearest;
mod random;

pub use atomic_write::atomic_write;
pub use budget::{Budget, Stopwatch};
pub use content_id::ContentId;
pub use edit::Edit;
pub use nearest::nearest;
pub use random::{Random, Seed};
