//! What must stay true of a text while it shrinks.

use std::error::Error;

/// What the predicate says of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It still shows what the reduction is about.
    Interesting,
    /// It does not.
    Boring,
    /// It shows something, but something else: a reduction that followed would end at another bug.
    Slipped,
    /// Not even worth a question: it cannot be valid.
    Implausible,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
    /// We failed.
    #[error(transparent)]
    Failed(#[from] Box<dyn Error + Send + Sync>),
}

/// What must stay true of a text while it shrinks. It is asked from several threads at once, and
/// must give the same answer whenever it is asked about the same text.
pub trait Predicate: Sync {
    /// Is the text worth asking about? A cheap look that spares the costly one.
    fn is_plausible(&self, _text: &[u8]) -> bool {
        true
    }

    /// Asks about a text.
    ///
    /// # Errors
    /// When there is no answer.
    fn ask(&self, text: &[u8]) -> Result<Answer, Halt>;
}

impl<F: Fn(&[u8]) -> Result<Answer, Halt> + Sync> Predicate for F {
    fn ask(&self, text: &[u8]) -> Result<Answer, Halt> {
        self(text)
    }
}
