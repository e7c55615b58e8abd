//! What a campaign says at the moment. It is read beside the pages, so that no page waits for it.

use campaign::{Overview, PlanRecord, Standing, chunks, overview};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{Counts, Reader, Session, StoreError};

/// How often a campaign is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// How much of the past the speed is shown for.
const MEMORY: Duration = Duration::from_secs(15 * 60);

/// A campaign at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Changes whenever something else does.
    pub version: u64,
    pub plan: Arc<PlanRecord>,
    pub counts: Counts,
    pub sessions: Vec<Session>,
    /// Bugs take long to read: they may be a little older than the rest.
    pub overview: Arc<Overview>,
    /// Seconds since we look, and how many programs there were.
    pub speed: VecDeque<(f64, u64)>,
    /// Where the chunks are, if it is hunted on a cluster.
    pub chunks: Option<Standing>,
    /// Why the last look failed.
    pub trouble: Option<String>,
}

/// Bugs are read again after so many times the time that it took.
const SELDOM: u32 = 20;

/// What the last look has seen.
#[derive(Debug, Default)]
struct Known {
    /// 0 is the version of no database.
    version: i64,
    /// Did a hunt run?
    is_running: bool,
    /// Findings, and records of what became of them.
    records: (u64, u64),
    /// When bugs were read, and how long that took.
    read: Option<(Instant, Duration)>,
}

/// A campaign that is looked at again and again.
#[derive(Debug)]
pub(crate) struct Watch {
    reader: Reader,
    moment: Mutex<Moment>,
    changed: Condvar,
    began: Instant,
}

impl Watch {
    pub(crate) fn new(reader: Reader) -> Result<Watch, StoreError> {
        let counts = reader.counts()?;
        let moment = Moment {
            version: 1,
            plan: Arc::new(reader.plan()?),
            sessions: reader.sessions()?,
            overview: Arc::new(overview(&reader)?),
            speed: VecDeque::from([(0.0, counts.programs)]),
            chunks: chunks(reader.dir()),
            counts,
            trouble: None,
        };
        Ok(Watch {
            reader,
            moment: Mutex::new(moment),
            changed: Condvar::new(),
            began: Instant::now(),
        })
    }

    pub(crate) fn reader(&self) -> &Reader {
        &self.reader
    }

    fn lock(&self) -> MutexGuard<'_, Moment> {
        self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn moment(&self) -> Moment {
        self.lock().clone()
    }

    /// The version after `known`, or `known` again after a while.
    pub(crate) fn wait_for_change(&self, known: u64, at_most: Duration) -> u64 {
        let moment = self.lock();
        let is_known = |moment: &mut Moment| moment.version == known;
        let waited = self.changed.wait_timeout_while(moment, at_most, is_known);
        waited.unwrap_or_else(PoisonError::into_inner).0.version
    }

    /// Looks for ever.
    pub(crate) fn follow(&self) {
        let mut known = Known::default();
        loop {
            std::thread::sleep(LOOK);
            let looked = self.look(&mut known);
            let mut moment = self.lock();
            let trouble = looked.err().map(|error| error.to_string());
            if moment.trouble != trouble {
                moment.trouble = trouble;
                moment.version += 1;
                drop(moment);
                self.changed.notify_all();
            }
        }
    }

    /// They change while nothing is written to the campaign.
    fn look_at_chunks(&self) {
        let now = chunks(self.reader.dir());
        let mut moment = self.lock();
        if moment.chunks != now {
            moment.chunks = now;
            moment.version += 1;
            drop(moment);
            self.changed.notify_all();
        }
    }

    fn look(&self, known: &mut Known) -> Result<(), StoreError> {
        let version = self.reader.version()?;
        let is_running = self.lock().sessions.last().is_some_and(Session::is_running);
        self.look_at_chunks();
        // One that was killed says no more: that it does not is news too.
        if version == known.version && is_running == known.is_running {
            return Ok(());
        }
        (known.version, known.is_running) = (version, is_running);
        let (counts, sessions) = (self.reader.counts()?, self.reader.sessions()?);
        let records = (counts.findings, self.reader.stage_count()?);
        // Reading all bugs takes long where they are many: it must not take the time of the hunt.
        let is_due = known.read.is_none_or(|(when, took)| when.elapsed() >= took * SELDOM);
        let bugs = match records != known.records && is_due {
            false => None,
            true => {
                let start = Instant::now();
                let bugs = Arc::new(overview(&self.reader)?);
                known.records = records;
                known.read = Some((Instant::now(), start.elapsed()));
                Some(bugs)
            }
        };
        let mut moment = self.lock();
        let now = self.began.elapsed();
        moment.speed.push_back((now.as_secs_f64(), counts.programs));
        let old = now.saturating_sub(MEMORY).as_secs_f64();
        while moment.speed.front().is_some_and(|first| first.0 < old) {
            moment.speed.pop_front();
        }
        (moment.counts, moment.sessions) = (counts, sessions);
        if let Some(bugs) = bugs {
            moment.overview = bugs;
        }
        moment.version += 1;
        drop(moment);
        self.changed.notify_all();
        Ok(())
    }
}
