//! Which file of a compiler is to blame?
//!
//! In: a program that fails on a build that counts, the arguments that it fails and passes with, a
//! method. Out: the compiler's files by suspicion, with the functions, lines and witnesses behind it.
//! Methods make variants of the program (`mutate`), a strategy chooses among them (`search`), those
//! that pass are witnesses, and what the compiler executed for them (`coverage`) acquits. This crate
//! does not know where failing programs come from, nor which answers were right: that is `eval`'s.

mod blame;
mod donor;
mod error;
mod formula;
mod inquiry;
mod isolation;
mod ladder;
mod method;
mod named;
mod neighbour;
mod ranking;
mod record;
mod sequence;
mod spectrum;
mod steps;
mod subject;
mod variant;
mod vote;
mod witness;

pub use donor::{Donor, Donors, tests_below};
pub use error::IsolateError;
pub use formula::{Formula, Tally};
pub use isolation::{Ended, Isolation, Progress, Settings, isolate};
pub use method::{Accepts, Chooses, METHODS, Method, Moves, ParameterError, Parameters};
pub use neighbour::Differs;
pub use ranking::{
    Aggregate, Evidence, RankedFile, RankedFunction, RankedLine, Ranking, file_scores,
    whole_file_scores, worst_ranks,
};
pub use record::{Ran, Record};
pub use spectrum::Spectrum;
pub use subject::{Invalid, Subject, Trial};
pub use vote::Votes;
pub use witness::{Executed, Witness, Witnesses};
