//! What a campaign is made of, as those who write and read it see it.

use crate::{StoreError, UnixTime};
use base::Seed;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use std::collections::BTreeMap;
use std::{fmt, str::FromStr};

/// One tested program. Times belong in `cpu_ms`, not in `body`: two runs with the same seed are
/// compared by their bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramRow {
    /// Its place in the campaign, below 2⁶³.
    pub index: u64,
    /// What it was made from.
    pub seed: Seed,
    /// What came out, as a category to count by: "agree", "bug", "not-comparable: timeout".
    pub outcome: String,
    /// CPU time that it took, compilers included, in milliseconds.
    pub cpu_ms: u64,
    /// All the rest.
    pub body: Value,
}

/// One bug that a program showed, before it has an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingRow {
    /// Its place among the findings of its program.
    pub ordinal: u32,
    /// The kind of bug: "wrong-code", "crash", …
    pub kind: String,
    /// What it has in common with its duplicates.
    pub signature: String,
    /// All the rest.
    pub body: Value,
}

/// One bug in a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub id: FindingId,
    /// The kind of bug: "wrong-code", "crash", …
    pub kind: String,
    /// What it has in common with its duplicates.
    pub signature: String,
    /// All the rest.
    pub body: Value,
}

/// What a later stage ("reduce", "bisect", "group") found out about a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Whose it is.
    pub finding: FindingId,
    /// The stage's name.
    pub stage: String,
    /// What it found out.
    pub body: Value,
}

/// The name of a finding: `17-0` is the first one of program 17. It says nothing of when it was
/// found, so a resumed campaign names its findings as an uninterrupted one does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FindingId {
    /// The index of the program.
    pub program: u64,
    /// The place among the program's findings.
    pub ordinal: u32,
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.program, self.ordinal)
    }
}

impl FromStr for FindingId {
    type Err = String;

    fn from_str(text: &str) -> Result<FindingId, String> {
        let parse = || {
            let (program, ordinal) = text.split_once('-')?;
            let id = FindingId { program: program.parse().ok()?, ordinal: ordinal.parse().ok()? };
            // One name for one thing: neither "+17-0" nor "017-0".
            (id.to_string() == text).then_some(id)
        };
        parse().ok_or_else(|| format!("'{text}' is not the id of a finding, such as 17-0"))
    }
}

impl Serialize for FindingId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FindingId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FindingId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Which findings to list, in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Page {
    /// Those after this one; from the first one when absent.
    pub after: Option<FindingId>,
    /// At most so many.
    pub limit: u32,
}

impl Page {
    /// The first `limit` findings.
    #[must_use]
    pub fn first(limit: u32) -> Page {
        Page { after: None, limit }
    }
}

/// Records, and what should have been records: one that is damaged does not hide the others.
#[derive(Debug)]
#[must_use]
pub struct Listing<T> {
    /// Those that could be read.
    pub rows: Vec<T>,
    /// Why others could not, one by one.
    pub unreadable: Vec<StoreError>,
    /// Where to go on, if this page was full.
    pub next: Option<Page>,
}

/// How many of what.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Programs tested.
    pub programs: u64,
    /// The same by outcome.
    pub by_outcome: BTreeMap<String, u64>,
    /// Findings.
    pub findings: u64,
    /// The same by kind.
    pub by_kind: BTreeMap<String, u64>,
}

/// The number of a session within its campaign, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(transparent)]
pub struct SessionId(pub(crate) i64);

/// What a session has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of whodunit itself.
    pub cpu_own_ms: u64,
    /// CPU time of the compilers and programs that it ran.
    pub cpu_children_ms: u64,
    /// Time on the wall.
    pub wall_ms: u64,
}

/// One run of `hunt` on the campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Session {
    /// Its number.
    pub number: SessionId,
    /// When it started.
    pub started: UnixTime,
    /// When its usage was last written: for one that was killed, about when that was.
    pub updated: UnixTime,
    /// When it ended; absent when it still runs or was killed.
    pub ended: Option<UnixTime>,
    /// Workers.
    pub jobs: u32,
    /// What it used.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let id = FindingId { program: 17, ordinal: 0 };
        assert_eq!(id.to_string(), "17-0");
        assert_eq!("17-0".parse(), Ok(id));
        for wrong in ["", "17", "17-", "-0", "+17-0", "017-0", "17-0-1", "B17-0", "17-4294967296"] {
            assert!(wrong.parse::<FindingId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_are_ordered_by_number() {
        let id = |text: &str| text.parse::<FindingId>().unwrap();
        assert!(id("9-10") < id("10-0") && id("9-9") < id("9-10"));
    }
}
