//! Which constructs a generator is made of: the paper's, or all.

use crate::standard::UnknownName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A set of constructs, from which some may be excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConstructSet {
    /// Those of YARPGen v1, as the paper describes it: the baseline of comparisons.
    Paper,
    /// Everything.
    All,
}

impl ConstructSet {
    const ALL: [ConstructSet; 2] = [ConstructSet::Paper, ConstructSet::All];

    /// The name: `paper` or `all`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ConstructSet::Paper => "paper",
            ConstructSet::All => "all",
        }
    }
}

impl fmt::Display for ConstructSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ConstructSet {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<ConstructSet, UnknownName> {
        ConstructSet::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| {
            UnknownName::new("set of constructs", name, &ConstructSet::ALL.map(ConstructSet::name))
        })
    }
}
