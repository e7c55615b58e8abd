//! The language standard and the data model that a program is written for.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A C or C++ standard that a program keeps to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Standard {
    /// ISO C 1999.
    #[serde(rename = "c99")]
    C99,
    /// ISO C 2011.
    #[serde(rename = "c11")]
    C11,
    /// ISO C 2018, which compilers call c17.
    #[serde(rename = "c17")]
    C17,
    /// ISO C++ 2011.
    #[serde(rename = "c++11")]
    Cxx11,
    /// ISO C++ 2014.
    #[serde(rename = "c++14")]
    Cxx14,
    /// ISO C++ 2017.
    #[serde(rename = "c++17")]
    Cxx17,
    /// ISO C++ 2020.
    #[serde(rename = "c++20")]
    Cxx20,
}

impl Standard {
    /// Every standard, oldest first, C before C++.
    pub const ALL: [Standard; 7] = [
        Standard::C99,
        Standard::C11,
        Standard::C17,
        Standard::Cxx11,
        Standard::Cxx14,
        Standard::Cxx17,
        Standard::Cxx20,
    ];

    /// Whether this is a standard of C++.
    #[must_use]
    pub fn is_cxx(self) -> bool {
        self >= Standard::Cxx11
    }

    /// Whether shifts of negative values, and left shifts past the sign bit, have a defined
    /// result: C++20 made signed integers two's complement (P1236), no other standard did.
    #[must_use]
    pub fn defines_negative_shifts(self) -> bool {
        self == Standard::Cxx20
    }

    /// The name as compilers take it after `-std=`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Standard::C99 => "c99",
            Standard::C11 => "c11",
            Standard::C17 => "c17",
            Standard::Cxx11 => "c++11",
            Standard::Cxx14 => "c++14",
            Standard::Cxx17 => "c++17",
            Standard::Cxx20 => "c++20",
        }
    }
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of the known ones.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown {what} `{name}`; known are {known}{}", .nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
    nearest: Option<String>,
}

impl UnknownName {
    /// An error for `name`, which should have been one of `known`.
    pub(crate) fn new(what: &'static str, name: &str, known: &[&'static str]) -> UnknownName {
        UnknownName {
            what,
            name: name.to_string(),
            known: known.join(", "),
            nearest: base::nearest(name, known.iter().copied()).map(str::to_string),
        }
    }
}

impl FromStr for Standard {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Standard, UnknownName> {
        Standard::ALL
            .into_iter()
            .find(|s| s.name() == name)
            .ok_or_else(|| UnknownName::new("standard", name, &Standard::ALL.map(Standard::name)))
    }
}

/// The sizes of the integer types. `char` is 8 bits, `short` 16, `int` 32 and `long long` 64 in
/// both; only `long` differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// `long` has 64 bits: x86-64 and AArch64 Linux.
    Lp64,
    /// `long` has 32 bits: x86 Linux (`-m32`).
    Ilp32,
}

impl DataModel {
    const ALL: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

    /// The name: `lp64` or `ilp32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DataModel {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<DataModel, UnknownName> {
        DataModel::ALL.into_iter().find(|m| m.name() == name).ok_or_else(|| {
            UnknownName::new("data model", name, &DataModel::ALL.map(DataModel::name))
        })
    }
}
