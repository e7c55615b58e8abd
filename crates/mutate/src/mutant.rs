//! What a mutation makes.

use crate::host::Host;
use base::Edit;

/// A program that was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The new program.
    pub text: Vec<u8>,
    /// What was done, in words: `line 12: replaced + by -`.
    pub what: String,
    /// Where in the host, counted from 1.
    pub line: usize,
    /// The edits; everything else is as it was.
    pub edits: Vec<Edit>,
}

impl Mutant {
    /// The host with these edits; `at` is the byte that the line is told of.
    pub(crate) fn new(host: &Host, edits: Vec<Edit>, at: usize, what: &str) -> Mutant {
        let line = host.text()[..at].iter().filter(|&&c| c == b'\n').count() + 1;
        let text = Edit::apply(&edits, host.text());
        Mutant { text, what: format!("line {line}: {what}"), line, edits }
    }
}
