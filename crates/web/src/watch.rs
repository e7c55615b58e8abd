//! What a campaign says at the moment. It is read beside the pages, so that no page waits for it.

use campaign::{Overview, PlanRecord, overview};
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
    /// Why the last look failed.
    pub trouble: Option<String>,
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
        // 0 is the version of no database.
        let mut known = 0;
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

    fn look(&self, known: &mut i64) -> Result<(), StoreError> {
        let version = self.reader.version()?;
        let was_running = self.lock().sessions.last().is_some_and(|last| last.ended.is_none());
        if version == *known && !was_running {
            return Ok(());
        }
        let (counts, sessions) = (self.reader.counts()?, self.reader.sessions()?);
        let bugs = match version == *known {
            true => None,
            // What was found, or found out: not every program.
            false => Some(Arc::new(overview(&self.reader)?)),
        };
        *known = version;
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
