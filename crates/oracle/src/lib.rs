//! Is this a bug?
//!
//! In: a program and the configurations (compiler × arguments) that it is tested with. Out: a
//! verdict: they agree, there are bugs of a kind with the odd ones out named, or nothing can be
//! said and why. This crate does not know where programs come from or where findings go.

mod check;
mod judge;
mod kind;
mod observation;
mod same;
mod screen;
mod verdict;
mod vote;

pub use check::{Checked, Question, check};
pub use judge::{Judge, JudgeError, Judged};
pub use kind::Kind;
pub use observation::{
    Limiting, Observation, Outcome, Watch, compile_failure, observe, observe_all,
};
pub use same::{Premise, SameBug, Sameness};
pub use screen::{Screen, ScreenCheck, ScreenResult, Screener};
pub use verdict::{Bug, NotComparable, Verdict};
pub use vote::{Ballot, vote};
