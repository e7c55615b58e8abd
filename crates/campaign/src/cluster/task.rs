//! What a chunk is about.

use crate::plan::Until;
use crate::stage::{ISOLATE, LOOK, REDUCE, TRIAGE};
use cluster::Chunk;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use store::FindingId;

/// What a chunk is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Task {
    /// Programs from the first to before the last, as many as there is time for.
    Test(Range<u64>),
    /// A stage of a finding.
    Stage(FindingId, String),
}

/// How long each stage may take, in seconds. Reductions of the programs of docs/performance.md took 2 to 20 on a slow
/// core; a reduction that is not done by then goes on in another job.
const SECONDS: [(&str, u64); 4] = [(TRIAGE, 1800), (REDUCE, 3600), (LOOK, 3600), (ISOLATE, 3600)];

impl Task {
    /// What a chunk is about, if it is one of ours.
    pub(crate) fn of(chunk: &Chunk) -> Option<Task> {
        serde_json::from_value(chunk.body.clone()).ok()
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Task::Test(range) => format!("test-{}-{}", range.start, range.end),
            Task::Stage(id, stage) => format!("{stage}-{id}"),
        }
    }

    /// The chunk. A test takes so many seconds; a stage as long as it may, but not longer than the site gives.
    pub(crate) fn chunk(&self, test: u64, most: Option<u64>, after: Option<String>) -> Chunk {
        let (stage, seconds) = match self {
            Task::Test(_) => ("test".to_owned(), test),
            Task::Stage(_, stage) => {
                let row = SECONDS.iter().find(|(name, _)| name == stage);
                let seconds = row.map_or(test, |(_, seconds)| *seconds);
                (stage.clone(), most.map_or(seconds, |most| seconds.min(most)).max(1))
            }
        };
        let body = serde_json::to_value(self).expect("plain data with string keys");
        Chunk { name: self.name(), stage, seconds, after, body }
    }

    /// How far a worker takes what it finds.
    pub(crate) fn until(&self) -> Until {
        match self {
            Task::Test(_) => Until::ToldApart,
            Task::Stage(_, stage) => match stage.as_str() {
                TRIAGE => Until::ToldApart,
                REDUCE => Until::Reduced,
                LOOK => Until::Looked,
                _ => Until::Isolated,
            },
        }
    }
}
