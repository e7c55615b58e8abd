//! The answer of a bisection.

use serde::{Deserialize, Serialize};

/// Where a compiler goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Culprit {
    /// The pass to look at, as the compiler calls it; nothing when it fails with every pass off
    /// that can be.
    pub pass: Option<String>,
    /// The file that holds the pass, in the compiler's source tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The number of the first bad step, where the compiler counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// What that step worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The smallest set of options and passes that must be on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needed: Vec<String>,
    /// A counter of transformations at its first bad value, such as `dce:3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// Arguments that show the failure alone: of IR before the step, or of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<String>,
    /// The code before and after the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<Pair>,
    /// How this was found out, in words.
    pub how: Vec<String>,
    /// Compilations and runs that it took.
    pub questions: u64,
}

/// The same code before and after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// What it is: `ll`, `s`, `gimple`, `rtl`, `ipa`.
    pub form: String,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}
