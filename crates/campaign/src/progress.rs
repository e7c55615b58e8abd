//! How far a hunt is, as values.

use std::collections::BTreeMap;
use std::time::Duration;
use store::FindingId;

/// Something worth telling while a hunt runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// It starts, or goes on where it was.
    Started {
        /// Programs that earlier sessions have tested.
        done_before: u64,
    },
    /// It is so far now; told every second or so.
    Progress(Snapshot),
    /// A finding is safe in the store.
    Found {
        /// Its name.
        id: FindingId,
        /// Its kind.
        kind: String,
        /// Who is at fault.
        culprits: Vec<String>,
        /// What is the same whenever it shows.
        signature: String,
    },
    /// A finding has a smaller program, safe in the store.
    Reduced {
        /// Its name.
        id: FindingId,
        /// Bytes of the original.
        before: u64,
        /// Bytes that are left; nothing when it could not be reduced.
        after: Option<u64>,
        /// Why it could not.
        why_not: Option<String>,
    },
    /// A finding is an old one again, and is left as it is.
    Repeats {
        /// Its name.
        id: FindingId,
        /// The earlier finding, or the known bug.
        of: String,
        /// Why that is believed.
        evidence: Vec<String>,
    },
    /// A bug was looked into, and has its folder.
    Looked {
        /// The name of its first finding.
        id: FindingId,
        /// The bug in one line.
        title: String,
    },
    /// A bug was isolated.
    Isolated {
        /// The name of its first finding.
        id: FindingId,
        /// The most suspicious files, or why there are none.
        answer: Result<Vec<String>, String>,
    },
    /// Something happened on the cluster.
    Cluster(cluster::Told),
    /// Findings stay as they are, and why.
    NotReducing(String),
    /// The machine was in trouble; a program is tested again.
    Trouble(String),
}

/// How far a hunt is.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// Programs tested in this session.
    pub programs: u64,
    /// Programs tested in all.
    pub total: u64,
    /// Programs to be tested in all, if that is known.
    pub of: Option<u64>,
    /// Findings of this session by kind.
    pub findings: BTreeMap<String, u64>,
    /// Programs of this session that gave no verdict, by reason.
    pub not_comparable: BTreeMap<String, u64>,
    /// Findings that are still being worked on, or wait for it.
    pub working: u64,
    /// The session's age.
    pub elapsed: Duration,
    /// About how long it will take.
    pub left: Option<Duration>,
}

impl Snapshot {
    /// Programs a minute in this session.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.programs as f64 * 60.0 / self.elapsed.as_secs_f64().max(0.001)
    }
}
