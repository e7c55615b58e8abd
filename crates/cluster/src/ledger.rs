//! What became of each chunk, a line for each change.

use crate::ClusterError;
use crate::chunk::{Chunk, Spent};
use crate::folder::Folder;
use crate::submission::Submission;
use base::LineFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A change.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Event {
    /// A job array is in the queue.
    Submitted {
        submission: u64,
        job: String,
        /// Their names, for those who only count.
        chunks: Vec<String>,
    },
    /// A chunk runs.
    Running { chunk: String, host: String },
    /// Its result is taken.
    Done { chunk: String, host: String, spent: Spent },
    /// It ended without one.
    Lost { chunk: String, why: String },
    /// It was taken back.
    Cancelled { chunk: String },
}

/// Where a chunk is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In the queue.
    Queued,
    /// On a node.
    Running(String),
    /// Its result is taken.
    Done,
    /// It ended without one, and may come again.
    Lost,
    /// It was taken back, and may come again.
    Cancelled,
}

/// A chunk and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub chunk: Chunk,
    pub submission: u64,
    /// The place in the array.
    pub place: u32,
    pub at: Place,
    /// How often it was lost.
    pub lost: u32,
}

impl Known {
    pub(crate) fn is_under_way(&self) -> bool {
        matches!(self.at, Place::Queued | Place::Running(_))
    }
}

/// All chunks, and the file that remembers.
#[derive(Debug)]
pub(crate) struct Ledger {
    file: LineFile,
    folder: Folder,
    pub chunks: BTreeMap<String, Known>,
    /// The job of each submission, where it is known.
    pub jobs: BTreeMap<u64, String>,
    /// The last submission's number.
    pub last: u64,
    pub repeated: usize,
    pub spent: Spent,
}

impl Ledger {
    /// Reads it. A submission that is written and not noted may be in the queue or not: its chunks count as queued.
    pub(crate) fn open(folder: &Folder) -> Result<Ledger, ClusterError> {
        let path = folder.ledger();
        let (file, lines) = LineFile::open(&path).map_err(ClusterError::io(&path))?;
        let mut ledger = Ledger {
            file,
            folder: folder.clone(),
            chunks: BTreeMap::new(),
            jobs: BTreeMap::new(),
            last: 0,
            repeated: 0,
            spent: Spent::default(),
        };
        for (number, line) in (1..).zip(&lines) {
            let event: Event = serde_json::from_str(line).map_err(|error| {
                ClusterError::Damaged { path: path.clone(), why: format!("line {number}: {error}") }
            })?;
            if let Event::Submitted { submission, .. } = &event {
                ledger.take_up(*submission)?;
            }
            ledger.apply(&event);
        }
        while let Some(submission) = Submission::read(folder, ledger.last + 1)? {
            ledger.know(&submission);
        }
        // Whoever starts again may have mended what was wrong.
        ledger.chunks.values_mut().for_each(|known| known.lost = 0);
        Ok(ledger)
    }

    fn take_up(&mut self, number: u64) -> Result<(), ClusterError> {
        // A kill between two submissions leaves none out: they are written in order.
        while self.last < number {
            let submission = Submission::read(&self.folder, self.last + 1)?;
            let submission = submission.ok_or_else(|| ClusterError::Damaged {
                path: self.folder.submissions(),
                why: format!("submission {} is gone", self.last + 1),
            })?;
            self.know(&submission);
        }
        Ok(())
    }

    /// Chunks of a submission that is written.
    pub(crate) fn know(&mut self, submission: &Submission) {
        self.last = submission.number;
        for (place, chunk) in &submission.chunks {
            let lost = self.chunks.get(&chunk.name).map_or(0, |known| known.lost);
            self.repeated += usize::from(self.chunks.contains_key(&chunk.name));
            let (chunk, place) = (chunk.clone(), *place);
            let number = submission.number;
            let known = Known { chunk, submission: number, place, at: Place::Queued, lost };
            self.chunks.insert(known.chunk.name.clone(), known);
        }
    }

    fn apply(&mut self, event: &Event) {
        let (name, at) = match event {
            Event::Submitted { submission, job, .. } => {
                self.jobs.insert(*submission, job.clone());
                return;
            }
            Event::Running { chunk, host } => (chunk, Place::Running(host.clone())),
            Event::Done { chunk, spent, .. } => {
                let sum = &mut self.spent;
                sum.cpu_own_ms += spent.cpu_own_ms;
                sum.cpu_children_ms += spent.cpu_children_ms;
                sum.cpu_setup_ms += spent.cpu_setup_ms;
                sum.wall_ms += spent.wall_ms;
                (chunk, Place::Done)
            }
            Event::Lost { chunk, .. } => (chunk, Place::Lost),
            Event::Cancelled { chunk } => (chunk, Place::Cancelled),
        };
        let Some(known) = self.chunks.get_mut(name) else { return };
        known.lost += u32::from(matches!(event, Event::Lost { .. }));
        known.at = at;
    }

    /// Notes a change.
    pub(crate) fn note(&mut self, event: &Event) -> Result<(), ClusterError> {
        let line = serde_json::to_string(event).expect("plain data with string keys");
        self.file.append(&line).map_err(ClusterError::io(&self.folder.ledger()))?;
        self.apply(event);
        Ok(())
    }

    pub(crate) fn under_way(&self) -> impl Iterator<Item = &Known> {
        self.chunks.values().filter(|known| known.is_under_way())
    }

    pub(crate) fn standing(&self) -> Standing {
        let mut standing = Standing { repeated: self.repeated, ..Standing::default() };
        for (name, known) in &self.chunks {
            standing.count(name, &known.at);
        }
        standing
    }
}

/// Where chunks are, for people.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Standing {
    /// In the queue.
    pub queued: usize,
    /// On a node: chunk and host.
    pub running: Vec<(String, String)>,
    /// Taken.
    pub done: usize,
    /// Ended without a result, and not submitted again yet.
    pub lost: usize,
    /// How often a chunk was submitted again.
    pub repeated: usize,
}

impl Standing {
    fn count(&mut self, chunk: &str, at: &Place) {
        match at {
            Place::Queued => self.queued += 1,
            Place::Running(host) => self.running.push((chunk.to_owned(), host.clone())),
            Place::Done => self.done += 1,
            Place::Lost => self.lost += 1,
            Place::Cancelled => {}
        }
    }

    /// `3 queued, 2 running (w1, w2), 40 done, 1 repeated`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut hosts: Vec<&str> = self.running.iter().map(|(_, host)| host.as_str()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let on = match hosts.as_slice() {
            [] => String::new(),
            hosts if hosts.len() > 8 => format!(" on {} nodes", hosts.len()),
            hosts => format!(" ({})", hosts.join(", ")),
        };
        format!(
            "{} queued, {} running{on}, {} done, {} lost, {} repeated",
            self.queued,
            self.running.len(),
            self.done,
            self.lost,
            self.repeated
        )
    }
}

/// Where the chunks of a folder are, for whoever only looks; nothing if it has none.
#[must_use]
pub fn standing(dir: &Path) -> Option<Standing> {
    let text = std::fs::read_to_string(Folder::new(dir).ledger()).ok()?;
    let mut chunks: BTreeMap<String, Place> = BTreeMap::new();
    let mut repeated = 0;
    // What is being written at the moment is no line yet.
    for event in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match event {
            Event::Submitted { chunks: new, .. } => {
                for name in new {
                    repeated += usize::from(chunks.insert(name, Place::Queued).is_some());
                }
            }
            Event::Running { chunk, host } => drop(chunks.insert(chunk, Place::Running(host))),
            Event::Done { chunk, .. } => drop(chunks.insert(chunk, Place::Done)),
            Event::Lost { chunk, .. } => drop(chunks.insert(chunk, Place::Lost)),
            Event::Cancelled { chunk } => drop(chunks.insert(chunk, Place::Cancelled)),
        }
    }
    let mut standing = Standing { repeated, ..Standing::default() };
    chunks.iter().for_each(|(name, at)| standing.count(name, at));
    Some(standing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn submission(number: u64, names: &[&str]) -> Submission {
        let chunk = |name: &&str| Chunk {
            name: (*name).to_owned(),
            stage: "test".to_owned(),
            seconds: 60,
            after: None,
            body: Value::Null,
        };
        Submission { number, chunks: (0..).zip(names.iter().map(chunk)).collect(), after: None }
    }

    #[test]
    fn a_controller_that_was_killed_finds_every_chunk_again() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        folder.prepare(Vec::new(), "/".into(), Value::Null).unwrap();
        let mut ledger = Ledger::open(&folder).unwrap();
        let submit = |ledger: &mut Ledger, number, names: &[&str]| {
            let submission = submission(number, names);
            submission.write(&folder).unwrap();
            ledger.know(&submission);
            let chunks = names.iter().map(|&name| name.to_owned()).collect();
            let job = format!("{number}00");
            ledger.note(&Event::Submitted { submission: number, job, chunks }).unwrap();
        };
        submit(&mut ledger, 1, &["a", "b", "c"]);
        let note = |ledger: &mut Ledger, event: Event| ledger.note(&event).unwrap();
        note(&mut ledger, Event::Running { chunk: "a".into(), host: "w1".into() });
        note(&mut ledger, Event::Running { chunk: "b".into(), host: "w2".into() });
        let spent = Spent { cpu_children_ms: 7, ..Spent::default() };
        note(&mut ledger, Event::Done { chunk: "a".into(), host: "w1".into(), spent });
        note(&mut ledger, Event::Lost { chunk: "b".into(), why: "its node died".into() });
        submit(&mut ledger, 2, &["b"]);
        // Written, and killed before Slurm was asked.
        submission(3, &["d"]).write(&folder).unwrap();
        let again = Ledger::open(&folder).unwrap();
        let under_way: Vec<&str> =
            again.under_way().map(|known| known.chunk.name.as_str()).collect();
        assert_eq!(under_way, ["b", "c", "d"]);
        assert_eq!((again.chunks["b"].lost, again.last, again.repeated), (0, 3, 1));
        assert_eq!(again.jobs.get(&2).map(String::as_str), Some("200"));
        assert_eq!((again.jobs.get(&3), again.spent.cpu_children_ms), (None, 7));
        let standing = standing(dir.path()).unwrap();
        assert_eq!(standing.in_words(), "2 queued, 0 running, 1 done, 0 lost, 1 repeated");
    }
}
