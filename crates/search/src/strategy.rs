//! The seam between a search and what it searches.

/// What became of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outcome {
    /// No use: invalid, still failing, or nothing new.
    Rejected,
    /// A new witness.
    Accepted {
        /// Its mean distance to the witnesses before it; 1 for the first.
        diversity: f64,
        /// ΔQ of RecBi's formula 5: what it added to the quality of the set.
        gain: f64,
    },
    /// A passing program that would have made the set worse, and was not accepted.
    Filtered {
        /// ΔQ of RecBi's formula 5, below 0.
        gain: f64,
    },
}

impl Outcome {
    /// Whether there is a new witness.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self, Outcome::Accepted { .. })
    }

    /// ΔQ; 0 for a move that came to nothing, because the set stayed as it was.
    #[must_use]
    pub fn gain(&self) -> f64 {
        match *self {
            Outcome::Rejected => 0.0,
            Outcome::Accepted { gain, .. } | Outcome::Filtered { gain } => gain,
        }
    }
}

/// Chooses arms, and learns from what became of them.
///
/// Several asks may be under way before the first is answered, so that moves can be tried side by
/// side. Then tells come in the order of the asks, one for each, and the number under way (the
/// lookahead) is fixed by the caller: what is chosen depends on it, but on no thread's timing. With a
/// lookahead of 1 every strategy goes through its paper's sequence exactly; with more it chooses by
/// what it was told so far.
pub trait Strategy {
    /// What it is called in tables.
    fn name(&self) -> &'static str;

    /// How many arms it chooses from.
    fn arms(&self) -> usize;

    /// The next arm to pull, below [`Strategy::arms`].
    fn ask(&mut self) -> usize;

    /// Says what became of the oldest ask that was not told yet, which was `arm`.
    fn tell(&mut self, arm: usize, outcome: &Outcome);
}
