//! Whoever submits chunks, takes their results, and submits again what was lost.

use crate::ClusterError;
use crate::chunk::{Chunk, Spent};
use crate::envelope::{self, Envelope};
use crate::folder::{Folder, Order};
use crate::ledger::{Event, Known, Ledger, Place, Standing};
use crate::site::{Site, settling, word};
use crate::slurm::{Slurm, is_quota};
use crate::submission::{Resources, Submission};
use crate::worker::OTHER_FOLDER;
use base::Stopwatch;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

/// Work that is cut into chunks.
pub trait Workload {
    /// Its errors.
    type Error: From<ClusterError>;

    /// Chunks to be submitted beside those under way, at most so many. None, and nothing under way: it is done. A name
    /// that was lost may come again.
    ///
    /// # Errors
    /// When that can't be said.
    fn next(&mut self, under_way: &[&Chunk], room: usize) -> Result<Vec<Chunk>, Self::Error>;

    /// Is a chunk that was lost, or taken back, to be submitted again as it was?
    fn is_wanted(&self, chunk: &Chunk) -> bool;

    /// Takes a result; the same twice is as once.
    ///
    /// # Errors
    /// When it can't be kept: then nothing of it is.
    fn gather(
        &mut self,
        chunk: &Chunk,
        spent: &Spent,
        content: &[u8],
    ) -> Result<Gathered, Self::Error>;
}

/// What came of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gathered {
    /// It is kept; its file may go.
    Done,
    /// It is kept; chunks after it read its file.
    Needed,
    /// It is a part, and is kept; the chunk comes again.
    Unfinished,
    /// It is no result.
    Damaged(String),
}

/// What whoever watches wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// To go on.
    GoOn,
    /// To leave jobs where they are.
    Leave,
    /// To cancel them.
    Cancel,
}

/// Why it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All is done.
    Done,
    /// Jobs were left in the queue.
    Left,
    /// Jobs were cancelled.
    Cancelled,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Told {
    /// A job array is in the queue.
    Submitted {
        /// As Slurm calls it.
        job: String,
        /// What its chunks do.
        stage: String,
        /// How many.
        chunks: usize,
    },
    /// A chunk came back.
    Done {
        /// Which.
        chunk: String,
        /// From where.
        host: String,
    },
    /// A chunk ended without a result.
    Lost {
        /// Which.
        chunk: String,
        /// Why, as far as that is known.
        why: String,
    },
    /// Something outside of us makes us wait.
    Waiting(String),
    /// A node's clock differs by so many seconds. Nothing here depends on it.
    Clock {
        /// Which node.
        host: String,
        /// How many seconds it is ahead.
        ahead: i64,
    },
    /// So far.
    Standing(Standing),
}

/// A chunk that was lost so often is not submitted again.
const MOST_LOST: u32 = 5;
/// So many chunks one after the other that could not even begin, and it is the site that is not right.
const MOST_FRUITLESS: u32 = 3;
/// Clocks may differ by so many seconds without a word.
const CLOCK: i64 = 30;
/// How a chunk is said to be lost that somebody, or Slurm itself, took back.
const CANCELLED: &str = "was cancelled";
/// How often the folder of results is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Whoever submits chunks and takes their results.
pub struct Controller<'a> {
    slurm: Slurm,
    site: Site,
    folder: Folder,
    order: Order,
    resources: Resources,
    ledger: Ledger,
    poll: Duration,
    settle: Duration,
    /// Chunks that are not in the queue, and since when.
    missing: BTreeMap<String, Stopwatch>,
    fruitless: u32,
    clocks: BTreeSet<String>,
    /// After a refusal for quota: nothing more until jobs have ended.
    full_at: Option<usize>,
    tell: &'a (dyn Fn(Told) + 'a),
    _lock: File,
}

impl<'a> Controller<'a> {
    /// Takes up the chunks of a folder whose order is written.
    ///
    /// # Errors
    /// When there is no Slurm, it does not answer, or somebody else controls these jobs.
    pub fn open(
        folder: Folder,
        resources: Resources,
        poll: Duration,
        tell: &'a (dyn Fn(Told) + 'a),
    ) -> Result<Controller<'a>, ClusterError> {
        let slurm = Slurm::find()?;
        let site = Site::ask(&slurm, resources.partition.as_deref())?;
        let lock = folder.lock()?;
        let order = folder.order()?;
        let ledger = Ledger::open(&folder)?;
        let settle = settling(folder.dir());
        let mut controller = Controller {
            slurm,
            site,
            folder,
            order,
            resources,
            ledger,
            poll,
            settle,
            missing: BTreeMap::new(),
            fruitless: 0,
            clocks: BTreeSet::new(),
            full_at: None,
            tell,
            _lock: lock,
        };
        controller.find_unnoted()?;
        Ok(controller)
    }

    /// What the site allows.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// What all chunks that came back have used.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.ledger.spent
    }

    /// Where chunks are.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.ledger.standing()
    }

    /// Submissions that were written, and then we were killed: are they in the queue?
    fn find_unnoted(&mut self) -> Result<(), ClusterError> {
        let unnoted: Vec<u64> = (1..=self.ledger.last)
            .filter(|number| !self.ledger.jobs.contains_key(number))
            .collect();
        if unnoted.is_empty() {
            return Ok(());
        }
        let queue = self.slurm.queue(&self.prefix())?;
        for number in unnoted {
            let name = Submission::job_name(&self.order, number);
            let found = queue.iter().find(|one| one.name == name);
            let job = found.map_or_else(|| "unknown".to_owned(), |one| one.job.clone());
            let of = self.ledger.chunks.values().filter(|known| known.submission == number);
            let chunks = of.map(|known| known.chunk.name.clone()).collect();
            self.ledger.note(&Event::Submitted { submission: number, job, chunks })?;
        }
        Ok(())
    }

    fn prefix(&self) -> String {
        format!("whodunit-{}-", self.order.token)
    }

    /// Submits and gathers until all is done, or somebody wants something else.
    ///
    /// # Errors
    /// When the workload fails, Slurm refuses, or chunk after chunk comes to nothing. What came back is kept.
    pub fn run<W: Workload>(
        &mut self,
        workload: &mut W,
        wish: &dyn Fn() -> Wish,
    ) -> Result<Ended, W::Error> {
        let ended = self.follow(workload, wish);
        if self.fruitless >= MOST_FRUITLESS {
            // The others would come to nothing too.
            let _ = self.cancel();
        }
        ended
    }

    fn follow<W: Workload>(
        &mut self,
        workload: &mut W,
        wish: &dyn Fn() -> Wish,
    ) -> Result<Ended, W::Error> {
        let mut polled: Option<Stopwatch> = None;
        loop {
            self.gather(workload)?;
            let is_time = polled.as_ref().is_none_or(|polled| polled.elapsed() >= self.poll);
            if is_time {
                self.look_at_queue()?;
                polled = Some(Stopwatch::start());
            }
            match wish() {
                Wish::GoOn => {}
                Wish::Leave => {
                    // What is ready goes into the queue, so that nodes have work meanwhile.
                    self.submit_next(workload)?;
                    return Ok(Ended::Left);
                }
                Wish::Cancel => {
                    self.cancel()?;
                    return Ok(Ended::Cancelled);
                }
            }
            self.submit_next(workload)?;
            (self.tell)(Told::Standing(self.standing()));
            if self.ledger.under_way().next().is_none() {
                return Ok(Ended::Done);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Takes all results that are there.
    fn gather<W: Workload>(&mut self, workload: &mut W) -> Result<(), W::Error> {
        // One look at the folder, not one for each chunk: it may be on another machine.
        let results = self.folder.result("");
        let listed = fs::read_dir(&results).map_err(ClusterError::io(&results))?;
        let names = listed.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let names: BTreeSet<String> = names.collect();
        let ready: Vec<Known> = self
            .ledger
            .under_way()
            .filter(|known| names.contains(&known.chunk.name))
            .cloned()
            .collect();
        for known in ready {
            let path = self.folder.result(&known.chunk.name);
            let bytes = fs::read(&path).map_err(ClusterError::io(&path))?;
            self.take(workload, &known, &path, &bytes)?;
        }
        Ok(())
    }

    fn take<W: Workload>(
        &mut self,
        workload: &mut W,
        known: &Known,
        path: &Path,
        bytes: &[u8],
    ) -> Result<(), W::Error> {
        let chunk = known.chunk.name.clone();
        let lost = |why: String| Event::Lost { chunk: chunk.clone(), why };
        let event = match Envelope::open(bytes) {
            Err(why) => lost(format!("has a damaged result: {why}")),
            Ok((envelope, _)) if envelope.token != self.order.token || envelope.chunk != chunk => {
                lost("has the result of something else".to_owned())
            }
            Ok((envelope, _)) if envelope.refused.is_some() => {
                let why = envelope.refused.unwrap_or_default();
                self.fruitless += 1;
                lost(format!("was refused by {}: {why}", envelope.host))
            }
            Ok((envelope, content)) => {
                self.look_at_clock(&envelope);
                match workload.gather(&known.chunk, &envelope.spent, content)? {
                    Gathered::Damaged(why) => lost(format!("has a result that is none: {why}")),
                    gathered => {
                        self.fruitless = 0;
                        let (host, spent) = (envelope.host, envelope.spent);
                        let event = Event::Done { chunk: chunk.clone(), host: host.clone(), spent };
                        (self.tell)(Told::Done { chunk: chunk.clone(), host });
                        // Noted first: a kill in between takes it again, which changes nothing.
                        self.ledger.note(&event)?;
                        if gathered != Gathered::Needed {
                            fs::remove_file(path).map_err(ClusterError::io(path))?;
                        }
                        self.forget_log(known);
                        return Ok(());
                    }
                }
            }
        };
        fs::remove_file(path).map_err(ClusterError::io(path))?;
        self.lose(known, event)?;
        Ok(())
    }

    /// Logs of chunks that came back are of no use, and many.
    fn forget_log(&self, known: &Known) {
        if let Some(job) = self.ledger.jobs.get(&known.submission) {
            let _ = fs::remove_file(self.folder.log().join(format!("{job}_{}.log", known.place)));
        }
    }

    fn look_at_clock(&mut self, envelope: &Envelope) {
        let ahead = envelope.written.cast_signed() - envelope::now().cast_signed();
        // Behind by as long as the result may have waited for us: that says nothing.
        if ahead > CLOCK && self.clocks.insert(envelope.host.clone()) {
            (self.tell)(Told::Clock { host: envelope.host.clone(), ahead });
        }
    }

    fn lose(&mut self, known: &Known, event: Event) -> Result<(), ClusterError> {
        let Event::Lost { chunk, why } = &event else { return Ok(()) };
        (self.tell)(Told::Lost { chunk: chunk.clone(), why: why.clone() });
        self.ledger.note(&event)?;
        self.missing.remove(chunk);
        let often = self.ledger.chunks.get(chunk).is_some_and(|known| known.lost >= MOST_LOST);
        if often || self.fruitless >= MOST_FRUITLESS {
            let job = self.ledger.jobs.get(&known.submission);
            let log = job.map(|job| self.folder.log().join(format!("{job}_{}.log", known.place)));
            let log = log.filter(|log| log.is_file());
            return Err(ClusterError::GaveUp {
                chunk: chunk.clone(),
                why: why.clone(),
                done: self.standing().done,
                log: log.map_or_else(String::new, |log| format!("; its log: {}", log.display())),
            });
        }
        Ok(())
    }

    /// Who runs, and who is gone without a result?
    fn look_at_queue(&mut self) -> Result<(), ClusterError> {
        let queue = match self.slurm.queue(&self.prefix()) {
            Ok(queue) => queue,
            // It comes back; what runs goes on meanwhile.
            Err(ClusterError::Silent { said, .. }) => {
                let said = said.lines().next().unwrap_or_default();
                (self.tell)(Told::Waiting(format!("Slurm does not answer: {said}")));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let mut seen: BTreeMap<(&str, u32), &crate::slurm::Queued> = BTreeMap::new();
        for one in &queue {
            seen.insert((one.name.as_str(), one.place), one);
        }
        let under_way: Vec<Known> = self.ledger.under_way().cloned().collect();
        for known in under_way {
            let name = Submission::job_name(&self.order, known.submission);
            let chunk = known.chunk.name.clone();
            match seen.get(&(name.as_str(), known.place)) {
                Some(one) => {
                    self.missing.remove(&chunk);
                    if one.state == "RUNNING" && known.at == Place::Queued {
                        let host = one.host.clone();
                        self.ledger.note(&Event::Running { chunk, host })?;
                    }
                }
                None => {
                    let since = self.missing.entry(chunk.clone()).or_insert_with(Stopwatch::start);
                    let is_late = since.elapsed() >= self.settle;
                    if is_late && !self.folder.result(&chunk).is_file() {
                        let why = self.explain(&known);
                        if known.chunk.after.is_some() && why.starts_with(CANCELLED) {
                            // What it waited for did not come: it is said again, and nobody is to blame.
                            self.missing.remove(&chunk);
                            self.ledger.note(&Event::Cancelled { chunk })?;
                            continue;
                        }
                        self.lose(&known, Event::Lost { chunk, why })?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Why a chunk has no result, as far as Slurm knows.
    fn explain(&mut self, known: &Known) -> String {
        let job = self.ledger.jobs.get(&known.submission).cloned().unwrap_or_default();
        let Some(said) = self.slurm.explain(&job, known.place) else {
            return "ended without a result, and Slurm knows no more of it".to_owned();
        };
        let of = |key: &str| word(&said, key).unwrap_or_default();
        let (state, exit, node) = (of("JobState"), of("ExitCode"), of("BatchHost"));
        let code: u32 = exit.split(':').next().and_then(|code| code.parse().ok()).unwrap_or(0);
        let signal = exit.split(':').nth(1).unwrap_or_default();
        let node = if node.is_empty() { "a node".to_owned() } else { node };
        let dir = self.folder.dir().display().to_string();
        let fault = match code {
            _ if state == "NODE_FAIL" => return format!("was lost: {node} died"),
            _ if state == "TIMEOUT" => {
                return format!("took longer on {node} than its limit: {}", of("TimeLimit"));
            }
            _ if state == "CANCELLED" => return format!("{CANCELLED} ({})", of("Reason")),
            126 | 127 => format!(
                "{} can't be run there: put it where all nodes see it",
                self.resources.program.display()
            ),
            code if code == u32::from(OTHER_FOLDER) => {
                format!("{dir} is another folder there: it must be shared by all nodes")
            }
            // Slurm could not open the log.
            _ if signal == "53" => {
                format!("{dir} can't be written there: it must be shared by all nodes")
            }
            _ => return format!("ended on {node} without a result: {state}, exit code {exit}"),
        };
        self.fruitless += 1;
        format!("could not begin on {node}: {fault}")
    }

    fn submit_next<W: Workload>(&mut self, workload: &mut W) -> Result<(), W::Error> {
        let count = self.ledger.under_way().count();
        let room = match self.full_at {
            Some(full) if count >= full => return Ok(()),
            Some(full) => full.saturating_sub(count),
            None => self.site.room().saturating_sub(count),
        };
        if room == 0 {
            return Ok(());
        }
        let is_lost = |known: &&Known| {
            matches!(known.at, Place::Lost | Place::Cancelled) && workload.is_wanted(&known.chunk)
        };
        let lost = self.ledger.chunks.values().filter(is_lost);
        let mut chunks: Vec<Chunk> = lost.map(|known| known.chunk.clone()).collect();
        let under_way = self.ledger.under_way().map(|known| &known.chunk);
        let under_way: Vec<&Chunk> = under_way.chain(&chunks).collect();
        let new = workload.next(&under_way, room.saturating_sub(chunks.len()))?;
        chunks.extend(new);
        chunks.truncate(room);
        for submission in self.arrays(chunks)? {
            if !self.submit(&submission)? {
                break;
            }
        }
        Ok(())
    }

    /// Chunks as job arrays: of one stage, at most as large as the site allows, and those that wait for others with
    /// the places of those.
    fn arrays(&self, chunks: Vec<Chunk>) -> Result<Vec<Vec<Chunk>>, ClusterError> {
        let mut arrays: Vec<Vec<Chunk>> = Vec::new();
        for chunk in chunks {
            self.site.allows(chunk.seconds)?;
            let fits = |array: &&mut Vec<Chunk>| {
                let first = &array[0];
                first.stage == chunk.stage
                    && first.after.is_some() == chunk.after.is_some()
                    && array.len() < self.site.array
            };
            match arrays.last_mut().filter(fits) {
                Some(array) => array.push(chunk),
                None => arrays.push(vec![chunk]),
            }
        }
        Ok(arrays)
    }

    /// Submits an array, as one job for each array that its chunks wait for. False: there is no room now.
    fn submit(&mut self, chunks: &[Chunk]) -> Result<bool, ClusterError> {
        let mut groups: BTreeMap<Option<u64>, Vec<(u32, Chunk)>> = BTreeMap::new();
        for chunk in chunks {
            let before = chunk.after.as_ref().and_then(|name| self.ledger.chunks.get(name));
            let before = before.filter(|known| {
                known.is_under_way() && self.ledger.jobs.contains_key(&known.submission)
            });
            let group = groups.entry(before.map(|known| known.submission)).or_default();
            let place = before.map_or(group.len() as u32, |known| known.place);
            group.push((place, chunk.clone()));
        }
        for (before, mut chunks) in groups {
            chunks.sort_by_key(|(place, _)| *place);
            let after = before.and_then(|number| self.ledger.jobs.get(&number).cloned());
            let submission = Submission { number: self.ledger.last + 1, chunks, after };
            if !self.send(&submission)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn send(&mut self, submission: &Submission) -> Result<bool, ClusterError> {
        let args = submission.args(&self.folder, &self.order, &self.resources);
        let script = submission.script(&self.folder, &self.order, &self.resources);
        // Before Slurm is asked: killed after that, we find the jobs again by their name.
        submission.write(&self.folder)?;
        let names: Vec<String> =
            submission.chunks.iter().map(|(_, chunk)| chunk.name.clone()).collect();
        for name in &names {
            // What an earlier try left, and came too late.
            let _ = fs::remove_file(self.folder.result(name));
        }
        match self.slurm.submit(&args, &script) {
            Ok(job) => {
                self.ledger.know(submission);
                let stage = submission.chunks[0].1.stage.clone();
                let chunks = names.len();
                (self.tell)(Told::Submitted { job: job.clone(), stage, chunks });
                let submission = submission.number;
                self.ledger.note(&Event::Submitted { submission, job, chunks: names })?;
                self.full_at = None;
                Ok(true)
            }
            Err(error) => {
                let path = self.folder.submissions().join(submission.number.to_string());
                let _ = fs::remove_file(path);
                let under_way = self.ledger.under_way().count();
                match error {
                    ClusterError::Refused { said, .. } if is_quota(&said) && under_way > 0 => {
                        (self.tell)(Told::Waiting(format!(
                            "Slurm takes no more jobs at the moment: {said}"
                        )));
                        self.full_at = Some(under_way);
                        Ok(false)
                    }
                    // All at once is too much: half of them.
                    ClusterError::Refused { said, .. } if is_quota(&said) && names.len() > 1 => {
                        let mut half = submission.clone();
                        half.chunks.truncate(names.len() / 2);
                        self.send(&half)?;
                        Ok(false)
                    }
                    ClusterError::Silent { said, .. } if under_way > 0 => {
                        (self.tell)(Told::Waiting(format!("Slurm does not answer: {said}")));
                        Ok(false)
                    }
                    error => Err(error),
                }
            }
        }
    }

    /// Takes all jobs back.
    ///
    /// # Errors
    /// When Slurm does not answer.
    pub fn cancel(&mut self) -> Result<(), ClusterError> {
        let under_way: Vec<Known> = self.ledger.under_way().cloned().collect();
        let numbers: BTreeSet<u64> = under_way.iter().map(|known| known.submission).collect();
        let queue = self.slurm.queue(&self.prefix())?;
        let is_ours = |name: &str| {
            numbers.iter().any(|number| name == Submission::job_name(&self.order, *number))
        };
        let jobs: BTreeSet<String> =
            queue.iter().filter(|one| is_ours(&one.name)).map(|one| one.job.clone()).collect();
        self.slurm.cancel(&jobs.into_iter().collect::<Vec<_>>())?;
        for known in under_way {
            self.ledger.note(&Event::Cancelled { chunk: known.chunk.name })?;
        }
        Ok(())
    }
}
