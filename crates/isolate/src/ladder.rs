//! What a compilation does one after the other, and can be stopped at.

use crate::steps::Steps;

/// The search for the step with which it begins to fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ladder {
    pub rungs: Rungs,
    pub steps: Steps,
    /// Was what it found taken note of?
    pub is_known: bool,
}

/// What the steps are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Rungs {
    /// The passes, in their order.
    Passes,
    /// The transformations that a counter of this name counts.
    Counted(String),
}

impl Ladder {
    pub fn new(rungs: Rungs, count: usize) -> Ladder {
        Ladder { rungs, steps: Steps::new(count), is_known: false }
    }
}
