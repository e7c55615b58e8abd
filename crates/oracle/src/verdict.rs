//! What is said about a program in the end.

use crate::kind::Kind;
use crate::screen::Screen;
use serde::{Deserialize, Serialize};
use std::fmt;
use toolchain::Behaviour;

/// Three values: a busy expert drops a tool after the first false alarm, so "I can't tell" is
/// never "bug".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All configurations did the same.
    Agree,
    /// Some did not, and it is their fault.
    Bugs(Vec<Bug>),
    /// Nothing can be said.
    NotComparable(NotComparable),
}

/// A bug that a program shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bug {
    /// Its kind.
    pub kind: Kind,
    /// The configurations at fault, by label; on a tie, one of the sides.
    pub culprits: Vec<String>,
    /// On a tie, the other side: one of the two is at fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub or_culprits: Vec<String>,
    /// What is the same whenever this bug shows.
    pub signature: String,
    /// What the program does by the vote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Behaviour>,
    /// What it does when compiled by the culprits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Behaviour>,
    /// The compiler's own message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The search for undefined behaviour, where that could excuse the compiler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
}

/// Why nothing can be said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotComparable {
    /// The program does not end in time.
    NeverEnds,
    /// The program wants more than its limits.
    Excess(String),
    /// Most compilers refuse it.
    Rejected(String),
    /// Repeating it gave something else.
    Nondeterministic(String),
    /// A compilation that uses up its time ends with more of it.
    Slow(String),
    /// A screen found undefined behaviour.
    Undefined(String),
    /// The generator computed another result than most compilers: its fault.
    Unexpected(String),
    /// The machine ran out of memory or disk, again and again.
    Machine(String),
    /// One configuration only takes its language or data model.
    Alone,
    /// It can't be run: no `main`, no executable.
    NotRunnable(String),
}

impl NotComparable {
    /// One word for counting.
    #[must_use]
    pub fn category(&self) -> &'static str {
        match self {
            NotComparable::NeverEnds => "never ends",
            NotComparable::Excess(_) => "exceeds limits",
            NotComparable::Rejected(_) => "rejected",
            NotComparable::Nondeterministic(_) => "nondeterministic",
            NotComparable::Slow(_) => "slow compilation",
            NotComparable::Undefined(_) => "undefined behaviour",
            NotComparable::Unexpected(_) => "generator mistaken",
            NotComparable::Machine(_) => "machine trouble",
            NotComparable::Alone => "one configuration only",
            NotComparable::NotRunnable(_) => "not runnable",
        }
    }
}

impl fmt::Display for NotComparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotComparable::NeverEnds => f.write_str("the program does not end within its limit"),
            NotComparable::Excess(what) => write!(f, "the program exceeds its {what} limit"),
            NotComparable::Rejected(why) => write!(f, "compilers reject the program: {why}"),
            NotComparable::Nondeterministic(what) => write!(f, "not repeatable: {what}"),
            NotComparable::Slow(what) => write!(f, "a compilation is slow, and ends: {what}"),
            NotComparable::Undefined(what) => write!(f, "undefined behaviour: {what}"),
            NotComparable::Unexpected(what) => {
                write!(f, "the generator expected otherwise: {what}")
            }
            NotComparable::Machine(what) => write!(f, "the machine is in trouble: {what}"),
            NotComparable::Alone => f.write_str("one configuration only takes the program"),
            NotComparable::NotRunnable(why) => write!(f, "the program cannot be run: {why}"),
        }
    }
}
