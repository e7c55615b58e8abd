//! Where a compiler goes wrong, in which versions, and which findings are one bug.
//!
//! In: a program that is known to fail, and the configuration that it fails with. Out: the first
//! bad step (a pass, on a function), what must be on for it, the versions that fail, and a
//! fingerprint by which findings are grouped. This crate does not know where findings come from or
//! how they are shown.

mod bisect;
mod counted;
mod culprit;
mod failing;
mod group;
mod named;
mod search;
mod versions;

pub use bisect::{BisectError, Effort, bisect, pass_key};
pub use culprit::{Culprit, Pair};
pub use failing::{Failing, Side};
pub use group::{Fingerprint, Group, Item, group, repeats};
pub use versions::{NOT_ASSERTED, VersionResult, spelled_for, versions};
