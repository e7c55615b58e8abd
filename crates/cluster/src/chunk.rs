//! A piece of work.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// A piece of work that one job does. Doing it twice gives the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// Its name, which is also that of its result's file.
    pub name: String,
    /// What kind of work it is; chunks of a kind go into one array.
    pub stage: String,
    /// About how long it takes.
    pub seconds: u64,
    /// The chunk whose result it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What it is about.
    pub body: Value,
}

/// What a chunk has used.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// CPU time of the worker itself.
    pub cpu_own_ms: u64,
    /// CPU time of the processes that it ran.
    pub cpu_children_ms: u64,
    /// Of both, before the work itself began.
    pub cpu_setup_ms: u64,
    /// Time on the wall.
    pub wall_ms: u64,
}

impl Spent {
    /// All CPU time.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        Duration::from_millis(self.cpu_own_ms + self.cpu_children_ms)
    }
}
