//! How programs compute with floating point: exactly, or within bounds.

use crate::standard::UnknownName;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A mode of floating point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Floats {
    /// No operation rounds, so that all compilers agree to the last bit.
    #[default]
    Exact,
    /// The paper's mode: operations round, all values lie between 0.5 and 1, chains of operations are
    /// bounded, and results are printed apart, to be compared with a threshold.
    Bounded,
}

impl Floats {
    const ALL: [Floats; 2] = [Floats::Exact, Floats::Bounded];

    /// The name: `exact` or `bounded`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Floats::Exact => "exact",
            Floats::Bounded => "bounded",
        }
    }
}

impl fmt::Display for Floats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Floats {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Floats, UnknownName> {
        Floats::ALL.into_iter().find(|floats| floats.name() == name).ok_or_else(|| {
            UnknownName::new("mode of floating point", name, &Floats::ALL.map(Floats::name))
        })
    }
}
