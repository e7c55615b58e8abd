//! An experiment in chunks of one hunt each, on a cluster.

use super::run::{HuntExperiment, HuntRun, HuntingError};
use super::variant::HuntVariant;
use campaign::{Event, Parcel, Stop};
use cluster::{Chunk, Gathered, Spent, Workload};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use store::{Campaign, Reader};

/// Seconds for the work on what was found, after the tests.
const AFTER: u64 = 3600;

/// A hunt, by what it is.
#[derive(Serialize, Deserialize)]
struct Key {
    variant: String,
    seed: u64,
}

/// The first line of a result; a parcel follows.
#[derive(Serialize, Deserialize)]
struct Head {
    run: HuntRun,
    plan: Value,
}

/// Hunts that are to be made on a cluster.
pub struct HuntChunks<'a> {
    experiment: &'a HuntExperiment,
    tell: &'a (dyn Fn(&HuntRun) + 'a),
}

impl<'a> HuntChunks<'a> {
    /// What is not in the experiment's folder.
    #[must_use]
    pub fn new(
        experiment: &'a HuntExperiment,
        tell: &'a (dyn Fn(&HuntRun) + 'a),
    ) -> HuntChunks<'a> {
        HuntChunks { experiment, tell }
    }

    fn seconds(&self) -> u64 {
        self.experiment.cpu.as_secs() / self.experiment.cores.max(1) as u64 + AFTER
    }
}

impl Workload for HuntChunks<'_> {
    type Error = HuntingError;

    fn next(&mut self, under_way: &[&Chunk], room: usize) -> Result<Vec<Chunk>, Self::Error> {
        let mut chunks = Vec::new();
        for &seed in &self.experiment.seeds {
            for variant in &self.experiment.variants {
                let name = HuntExperiment::name(variant, seed);
                let is_taken = under_way.iter().any(|chunk| chunk.name == name);
                if !is_taken && self.experiment.kept(&name).is_none() {
                    let key = Key { variant: variant.to_string(), seed };
                    let body = serde_json::to_value(key).expect("plain data with string keys");
                    let (stage, seconds) = ("hunt".to_owned(), self.seconds());
                    chunks.push(Chunk { name, stage, seconds, after: None, body });
                }
            }
        }
        chunks.truncate(room);
        Ok(chunks)
    }

    fn is_wanted(&self, _: &Chunk) -> bool {
        // `next` says it again.
        false
    }

    fn gather(
        &mut self,
        chunk: &Chunk,
        _: &Spent,
        content: &[u8],
    ) -> Result<Gathered, Self::Error> {
        let damaged = |why: String| Ok(Gathered::Damaged(why));
        let at = content.iter().position(|byte| *byte == b'\n').unwrap_or(content.len());
        let head: Head = match serde_json::from_slice(&content[..at]) {
            Ok(head) => head,
            Err(error) => return damaged(error.to_string()),
        };
        let parcel = match Parcel::unpack(&content[at..]) {
            Ok(parcel) => parcel,
            Err(error) => return damaged(error.to_string()),
        };
        let dir = self.experiment.out.join(&chunk.name);
        let opened = Campaign::create_or_resume(&dir, &head.plan)?;
        parcel.put(&opened.campaign)?;
        if !opened.resumed {
            for usage in &parcel.sessions {
                let session = opened.campaign.begin_session(self.experiment.cores as u32)?;
                opened.campaign.end_session(session, *usage)?;
            }
        }
        let written = parcel.write_bugs(&dir);
        written.map_err(|source| HuntingError::Io { path: dir.clone(), source })?;
        self.experiment.keep(&chunk.name, &head.run)?;
        (self.tell)(&head.run);
        Ok(Gathered::Done)
    }
}

impl HuntExperiment {
    /// Makes the hunt of a chunk in a folder of its own; nothing if it was stopped.
    ///
    /// # Errors
    /// When the hunt can't be planned or fails.
    pub fn work(
        &self,
        chunk: &Chunk,
        scratch: &Path,
        stop: &Stop,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<Vec<u8>>, HuntingError> {
        let Ok(key) = serde_json::from_value::<Key>(chunk.body.clone()) else { return Ok(None) };
        let is_it = |one: &&HuntVariant| one.to_string() == key.variant;
        let Some(variant) = self.variants.iter().find(is_it) else { return Ok(None) };
        let campaign = scratch.join("campaign");
        let Some(run) = self.one(variant, key.seed, &campaign, scratch, stop, tell)? else {
            return Ok(None);
        };
        let reader = Reader::open(&campaign)?;
        let head = Head { run, plan: reader.plan()? };
        let mut bytes = serde_json::to_vec(&head).expect("plain data with string keys");
        bytes.push(b'\n');
        bytes.extend(Parcel::of(&reader)?.pack());
        Ok(Some(bytes))
    }

    /// The results that are kept, in order.
    #[must_use]
    pub fn all_kept(&self) -> Vec<HuntRun> {
        let names = self.seeds.iter().flat_map(|seed| {
            self.variants.iter().map(|variant| HuntExperiment::name(variant, *seed))
        });
        names.filter_map(|name| self.kept(&name)).collect()
    }
}
