//! All cores at work on a campaign, until it is done, stopped, or in trouble.

use crate::exclusions::{ExclusionError, Exclusions};
use crate::leaders::Leaders;
use crate::pipeline::{self, Committed, PipelineError, Tested};
use crate::plan::{Amount, Plan, Until};
use crate::progress::{Event, Snapshot};
use crate::record::PlanRecord;
use crate::source::SourceError;
use crate::stage::{self, Done, REPEATS};
use base::Budget;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use store::{Campaign, FindingId, StoreError, Usage};
use toolchain::process;
use toolchain::{BuildError, cpu_times};
use triage::Item;

/// The wish to stop; shared with whoever listens to Ctrl-C.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Programs that are being tested are finished, no others are started.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Has somebody asked?
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Why a hunt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All programs are tested, or the time is over.
    Done,
    /// Somebody asked.
    Stopped,
}

/// What a hunt did.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// Why it ended.
    pub ended: Ended,
    /// Did it go on with an earlier one?
    pub resumed: bool,
    /// How far it came.
    pub last: Snapshot,
    /// What it used.
    pub usage: Usage,
}

/// Why a hunt failed. What was found before is in the store.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The campaign was made for something else.
    #[error(
        "the campaign {dir} was made for another hunt ({difference}); \
         use another --campaign, or the same settings to resume"
    )]
    OtherPlan {
        /// The campaign.
        dir: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// The source failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A compiler could not be started, or another failure of ours.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// What programs do without can't be told.
    #[error(transparent)]
    Exclusions(#[from] ExclusionError),
    /// A compiler was changed under our hands.
    #[error(
        "{path} was changed while the hunt ran; what was found before is kept: \
         start a new campaign for the new compiler"
    )]
    CompilerChanged {
        /// Which binary.
        path: PathBuf,
    },
    /// A finding could not be worked on because we failed.
    #[error("{0}; nothing was lost: run the same command again to resume")]
    Finding(String),
    /// What is learned could not be kept.
    #[error(
        "what is learned can't be kept: {0}; nothing was lost: run the same command again to resume"
    )]
    Learning(std::io::Error),
    /// Program after program failed for lack of memory or disk.
    #[error("gave up: {0}; nothing was lost: free some, and run the same command again to resume")]
    Machine(String),
    /// The cluster.
    #[error(transparent)]
    Cluster(#[from] cluster::ClusterError),
    /// The private folder could not be made.
    #[error("cannot make the folder for temporary files {path}: {source}")]
    Scratch {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl From<PipelineError> for HuntError {
    fn from(error: PipelineError) -> HuntError {
        match error {
            PipelineError::Source(error) => error.into(),
            PipelineError::Build(error) => error.into(),
            PipelineError::Store(error) => error.into(),
            error @ PipelineError::Finding { .. } => HuntError::Finding(error.to_string()),
            PipelineError::Learning(source) => HuntError::Learning(source),
        }
    }
}

/// How often progress is told and usage stored.
const TICK: Duration = Duration::from_millis(500);

/// How long programs under way may take to end after the time is over.
const GRACE: Duration = Duration::from_secs(3);

/// The stack of a worker.
const STACK: usize = 64 << 20;

/// Trouble of so many programs in a row, none tested in between, and the hunt gives up.
const MOST_TROUBLE: u32 = 5;

/// Hunts by `plan` in the campaign's folder, from where an earlier session was.
///
/// # Errors
/// When the store, a compiler or the machine fails; what was found before is kept.
pub fn hunt(
    plan: &Plan,
    dir: &Path,
    stop: &Stop,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Hunted, HuntError> {
    let (campaign, resumed) = open(plan, dir)?;
    let scratch = fresh_scratch(dir)?;
    let covered = plan.covered.as_ref();
    plan.source
        .keep_in(dir)
        .and_then(|()| covered.map_or(Ok(()), |covered| covered.keep_in(dir)))
        .map_err(|source| HuntError::Scratch { path: dir.to_owned(), source })?;
    let done = campaign.reader().programs_done()?;
    if let Some(learning) = &plan.learning {
        let is_done = |index: u64| done.iter().any(|range| range.contains(&index));
        learning.keep_in(dir, &is_done).map_err(HuntError::Learning)?;
    }
    let done_before = done.iter().map(|range| range.end - range.start).sum();
    tell(Event::Started { done_before });
    let session = campaign.begin_session(plan.jobs as u32)?;
    let start = cpu_times();
    let used_before: u64 = campaign
        .reader()
        .sessions()?
        .iter()
        .map(|session| session.usage.cpu_own_ms + session.usage.cpu_children_ms)
        .sum();
    let time = match plan.amount {
        Amount::Time(time) => Some(time),
        Amount::Programs(_) | Amount::Cpu(_) | Amount::Endless => None,
    };
    let first = plan.part.as_ref().map_or(0, |part| part.start);
    let of = plan.part.as_ref().map_or_else(|| plan.programs(), |part| Some(part.end));
    let reduces = reduces(plan, tell);
    let work = Work {
        plan,
        campaign: &campaign,
        scratch: &scratch,
        stop,
        tell,
        budget: Budget::new(time, None),
        done,
        exclusions: Exclusions::read(dir)?,
        of,
        state: Mutex::new(State {
            snapshot: Snapshot { of, ..Snapshot::default() },
            next: first,
            ..State::default()
        }),
        works: plan.reduce_tries > 0 && plan.until > Until::Tested,
        cpu: match plan.amount {
            Amount::Cpu(cpu) => {
                let left = cpu.saturating_sub(Duration::from_millis(used_before));
                Some(start.own + start.children + left)
            }
            _ => None,
        },
        reduces,
        changed: Condvar::new(),
        done_before,
    };
    if work.works {
        work.take_up(stage::all_stages(&campaign)?);
    }
    let usage = || {
        let now = cpu_times();
        Usage {
            cpu_own_ms: (now.own - start.own).as_millis() as u64,
            cpu_children_ms: (now.children - start.children).as_millis() as u64,
            wall_ms: work.budget.elapsed().as_millis() as u64,
        }
    };
    std::thread::scope(|scope| -> Result<(), HuntError> {
        for _ in 0..plan.jobs {
            // Trees of deeply nested programs are walked by recursion.
            let builder = std::thread::Builder::new().stack_size(STACK);
            builder.spawn_scoped(scope, || work.worker()).expect("threads can be made");
        }
        while !work.wait(TICK) {
            tell(Event::Progress(work.snapshot()));
            // Programs under way may take another minute; nobody waits for that. They are not
            // recorded, so the next session tests them.
            let late = time.is_some_and(|time| work.budget.elapsed() > time + GRACE);
            if late && !plan.finishes {
                process::interrupt_all();
            }
            if let Err(error) = campaign.set_usage(session, usage()) {
                work.fail(error.into());
            }
        }
        Ok(())
    })?;
    if !stop.is_requested() {
        process::resume_all();
    }
    let usage = usage();
    let _ = std::fs::remove_dir_all(&scratch);
    let last = work.snapshot();
    let mut state = work.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = state.error.take() {
        // The first error is what the user must see; the store may be what failed.
        let _ = campaign.end_session(session, usage);
        return Err(error);
    }
    campaign.end_session(session, usage)?;
    let ended = if stop.is_requested() { Ended::Stopped } else { Ended::Done };
    Ok(Hunted { ended, resumed, last, usage })
}

/// The campaign in `dir`, if it was made for this plan, and whether it was there before.
pub(crate) fn open(plan: &Plan, dir: &Path) -> Result<(Campaign, bool), HuntError> {
    let record = plan.record();
    let opened = Campaign::create_or_resume(dir, &record)?;
    if opened.resumed {
        let before: PlanRecord = opened.campaign.reader().plan()?;
        if let Some(difference) = before.difference(&record) {
            return Err(HuntError::OtherPlan { dir: dir.to_owned(), difference });
        }
    }
    Ok((opened.campaign, opened.resumed))
}

/// Can findings be reduced, and are they to be?
pub(crate) fn reduces(plan: &Plan, tell: &(dyn Fn(Event) + Sync)) -> bool {
    match csyntax::Library::find() {
        _ if plan.reduce_tries == 0 || plan.until < Until::Reduced => false,
        Ok(_) => true,
        Err(error) => {
            tell(Event::NotReducing(error.to_string()));
            false
        }
    }
}

/// Temporary folders live in the campaign, so that what a killed session left is swept here.
fn fresh_scratch(dir: &Path) -> Result<PathBuf, HuntError> {
    let path = dir.join("scratch");
    let _ = std::fs::remove_dir_all(&path);
    let made = std::fs::create_dir_all(&path).and_then(|()| path.canonicalize());
    made.map_err(|source| HuntError::Scratch { path, source })
}

struct Work<'a> {
    plan: &'a Plan,
    campaign: &'a Campaign,
    scratch: &'a Path,
    stop: &'a Stop,
    tell: &'a (dyn Fn(Event) + Sync),
    budget: Budget,
    done: Vec<Range<u64>>,
    exclusions: Exclusions,
    of: Option<u64>,
    state: Mutex<State>,
    changed: Condvar,
    done_before: u64,
    /// The CPU time of this process and its children at which no more programs are tested.
    cpu: Option<Duration>,
    /// Are findings told apart and looked into?
    works: bool,
    /// Are they reduced too?
    reduces: bool,
}

/// What a worker does next.
#[derive(Clone, Copy)]
enum Task {
    Test(u64),
    Triage(FindingId),
    Reduce(FindingId),
    Look(FindingId),
    Isolate(FindingId),
}

#[derive(Default)]
struct State {
    /// The next index to look at.
    next: u64,
    /// Indices whose programs met a machine in trouble.
    again: VecDeque<u64>,
    /// Programs that were given out and are not safe yet.
    open: BTreeSet<u64>,
    /// Work on findings that waits.
    pending: VecDeque<Task>,
    /// Work on findings that is under way.
    working: usize,
    /// Findings that are still to be told apart.
    triaging: BTreeSet<FindingId>,
    /// Findings that were told apart.
    leaders: Leaders,
    /// Troubles since the last program that was tested.
    troubles: u32,
    /// Workers that have ended.
    ended: usize,
    snapshot: Snapshot,
    error: Option<HuntError>,
}

impl Work<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with the findings of earlier sessions.
    fn take_up(&self, findings: Vec<(FindingId, stage::Stages)>) {
        let mut state = self.lock();
        for (id, stages) in findings {
            if stages.repeated().is_some() || stages.known_bug().is_some() {
                continue;
            }
            let apart = stages.apart.map(|apart| apart.from).unwrap_or_default();
            let Some(triaged) = stages.triaged else {
                state.triaging.insert(id);
                state.pending.push_back(Task::Triage(id));
                continue;
            };
            let item = Item { id, first: triaged.fingerprint, last: None, apart };
            let decided = stages.reduced.is_some() || stages.looked.is_some();
            if decided {
                state.leaders.lead(item);
                if stages.looked.is_none() {
                    self.then(&mut state, Task::Look(id));
                } else if stages.isolated.is_none() {
                    self.then(&mut state, Task::Isolate(id));
                }
            } else {
                state.leaders.add(item);
            }
        }
    }

    fn worker(&self) {
        loop {
            let decided = self.decide();
            let next = match decided {
                Ok(()) => self.take(),
                Err(error) => {
                    self.fail(error.into());
                    None
                }
            };
            let Some(task) = next else { break };
            let done = match task {
                Task::Test(index) => self.test(index),
                Task::Triage(id) => self.triage(id),
                Task::Reduce(id) => self.reduce(id),
                Task::Look(id) => self.look(id),
                Task::Isolate(id) => self.isolate(id),
            };
            if !matches!(task, Task::Test(_)) {
                self.lock().working -= 1;
            }
            match done {
                Ok(()) => {}
                // A second Ctrl-C: it is simply not done.
                Err(error) if error.is_interruption() => break,
                Err(error) => self.fail(error.into()),
            }
        }
        self.lock().ended += 1;
        self.changed.notify_all();
    }

    fn test(&self, index: u64) -> Result<(), PipelineError> {
        let mut without = self.exclusions.at(index);
        if let Some(learning) = &self.plan.learning {
            without.extend(learning.without(index));
        }
        match pipeline::test(self.plan, self.campaign, index, &without, self.scratch)? {
            Tested::Committed(committed) => {
                if let Some(learning) = &self.plan.learning {
                    learning.committed(index).map_err(PipelineError::Learning)?;
                }
                self.committed(index, committed);
            }
            Tested::Trouble(what) => self.trouble(Task::Test(index), what),
        }
        Ok(())
    }

    fn triage(&self, id: FindingId) -> Result<(), PipelineError> {
        let is_over = || self.is_over();
        match stage::triage(self.plan, self.campaign, id, self.scratch, &is_over)? {
            Done::Committed(body) => {
                let item = Item { id, first: body.fingerprint, last: None, apart: Vec::new() };
                let mut state = self.lock();
                state.triaging.remove(&id);
                state.leaders.add(item);
            }
            Done::Unfinished => {}
            Done::Trouble(what) => self.trouble(Task::Triage(id), what),
        }
        Ok(())
    }

    /// Which findings repeat an earlier one? Decided in their order, when all programs before are
    /// tested and their findings told apart.
    fn decide(&self) -> Result<(), StoreError> {
        if self.plan.until < Until::Reduced {
            return Ok(());
        }
        let mut repeated = Vec::new();
        {
            let mut state = self.lock();
            let frontier = state.open.first().copied().into_iter().chain(self.peek(&state)).min();
            let untold = state.triaging.first().copied();
            for (id, repeats) in state.leaders.decide(frontier, untold, &self.plan.known_bugs) {
                match repeats {
                    Some(body) => repeated.push((id, body)),
                    None if self.reduces => state.pending.push_back(Task::Reduce(id)),
                    None => self.then(&mut state, Task::Look(id)),
                }
            }
        }
        for (id, body) in repeated {
            self.campaign.put_stage(&id, REPEATS, &body)?;
            (self.tell)(Event::Repeats { id, of: body.of, evidence: body.evidence });
        }
        Ok(())
    }

    /// Goes on with the next stage, if this hunt comes to it.
    fn then(&self, state: &mut State, task: Task) {
        let comes = match task {
            Task::Look(_) => self.plan.until >= Until::Looked,
            Task::Isolate(_) => self.plan.until >= Until::Isolated && self.plan.isolator.is_some(),
            Task::Test(_) | Task::Triage(_) | Task::Reduce(_) => true,
        };
        if comes {
            state.pending.push_back(task);
        }
    }

    fn reduce(&self, id: FindingId) -> Result<(), PipelineError> {
        let is_over = || self.is_over();
        match stage::reduce(self.plan, self.campaign, id, self.scratch, &is_over)? {
            Done::Committed(body) => {
                self.then(&mut self.lock(), Task::Look(id));
                (self.tell)(Event::Reduced {
                    id,
                    before: body.bytes_before,
                    after: body.failed.is_none().then_some(body.bytes),
                    why_not: body.failed,
                });
            }
            // The next session goes on with it.
            Done::Unfinished => {}
            Done::Trouble(what) => self.trouble(Task::Reduce(id), what),
        }
        Ok(())
    }

    fn look(&self, id: FindingId) -> Result<(), PipelineError> {
        let is_over = || self.is_over();
        match stage::look(self.plan, self.campaign, id, self.scratch, &is_over)? {
            Done::Committed(body) => {
                self.then(&mut self.lock(), Task::Isolate(id));
                (self.tell)(Event::Looked { id, title: report::title(&body.report) });
            }
            Done::Unfinished => {}
            Done::Trouble(what) => self.trouble(Task::Look(id), what),
        }
        Ok(())
    }

    fn isolate(&self, id: FindingId) -> Result<(), PipelineError> {
        let Some(isolator) = &self.plan.isolator else { return Ok(()) };
        let is_over = || self.is_over();
        match stage::isolate(self.plan, isolator, self.campaign, id, self.scratch, &is_over)? {
            Done::Committed(body) => {
                let files = || body.files.iter().take(5).map(|file| file.file.clone()).collect();
                let answer = body.failed.clone().map_or_else(|| Ok(files()), Err);
                (self.tell)(Event::Isolated { id, answer });
            }
            Done::Unfinished => {}
            Done::Trouble(what) => self.trouble(Task::Isolate(id), what),
        }
        Ok(())
    }

    /// Is there no time left for more programs?
    fn is_late(&self) -> bool {
        let is_used_up = |cpu| {
            let now = cpu_times();
            now.own + now.children >= cpu
        };
        !self.budget.allows(0) || self.cpu.is_some_and(is_used_up)
    }

    /// Is there no time left for work on findings, or did somebody ask to stop?
    fn is_over(&self) -> bool {
        self.stop.is_requested() || self.is_late() && !self.plan.finishes
    }

    /// What to do next, if the hunt goes on. The search goes on while findings are worked on: of
    /// several workers half do that; when no programs are left, all do.
    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.error.is_some() || self.is_over() {
                return None;
            }
            let at_most = (self.plan.jobs / 2).max(1);
            if state.working < at_most
                && let Some(task) = state.pending.pop_front()
            {
                state.working += 1;
                return Some(task);
            }
            if !self.is_late()
                && let Some(index) = self.next_program(&mut state)
            {
                return Some(Task::Test(index));
            }
            if let Some(task) = state.pending.pop_front() {
                state.working += 1;
                return Some(task);
            }
            if self.is_late() || self.peek(&state).is_none() {
                return None;
            }
            // What the next program is made of depends on programs that others are testing.
            let waited = self.changed.wait_timeout(state, TICK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The index after all that were given out, jumping over those that earlier sessions tested.
    fn peek(&self, state: &State) -> Option<u64> {
        // `done` is sorted: jump over the range that holds the index, if one does.
        let at = self.done.partition_point(|range| range.end <= state.next);
        let range = self.done.get(at).filter(|range| range.start <= state.next);
        let index = range.map_or(state.next, |range| range.end);
        self.of.is_none_or(|of| index < of).then_some(index)
    }

    fn next_program(&self, state: &mut State) -> Option<u64> {
        if let Some(index) = state.again.pop_front() {
            return Some(index);
        }
        let is_ready = |index: &u64| match &self.plan.learning {
            Some(learning) => learning.is_ready(*index),
            None => true,
        };
        let index = self.peek(state).filter(is_ready)?;
        state.next = index + 1;
        state.open.insert(index);
        Some(index)
    }

    fn committed(&self, index: u64, committed: Committed) {
        let mut state = self.lock();
        state.troubles = 0;
        state.snapshot.programs += 1;
        if let Some(reason) = committed.not_comparable {
            *state.snapshot.not_comparable.entry(reason).or_default() += 1;
        }
        for bug in &committed.bugs {
            *state.snapshot.findings.entry(bug.kind.to_string()).or_default() += 1;
        }
        for (_, ordinal) in committed.bugs.iter().zip(0..).filter(|_| self.works) {
            let id = FindingId { program: index, ordinal };
            state.triaging.insert(id);
            state.pending.push_back(Task::Triage(id));
        }
        state.open.remove(&index);
        drop(state);
        self.changed.notify_all();
        for (bug, ordinal) in committed.bugs.into_iter().zip(0..) {
            (self.tell)(Event::Found {
                id: FindingId { program: index, ordinal },
                kind: bug.kind.to_string(),
                culprits: bug.culprits,
                signature: bug.signature,
            });
            let compilers = self.plan.compilers();
            if let Some(path) = compilers.iter().find_map(|compiler| compiler.changed()) {
                self.fail(HuntError::CompilerChanged { path });
            }
        }
    }

    fn trouble(&self, task: Task, what: String) {
        let mut state = self.lock();
        state.troubles += 1;
        match task {
            Task::Test(index) => state.again.push_back(index),
            task => state.pending.push_back(task),
        }
        let give_up = state.troubles >= MOST_TROUBLE;
        drop(state);
        if give_up {
            self.fail(HuntError::Machine(what));
        } else {
            (self.tell)(Event::Trouble(what));
        }
    }

    fn fail(&self, error: HuntError) {
        self.lock().error.get_or_insert(error);
    }

    /// Waits for a change or a while; have all workers ended?
    fn wait(&self, while_: Duration) -> bool {
        let state = self.lock();
        let ended = |state: &mut State| state.ended < self.plan.jobs;
        let (state, _) = self
            .changed
            .wait_timeout_while(state, while_, ended)
            .unwrap_or_else(PoisonError::into_inner);
        state.ended == self.plan.jobs
    }

    fn snapshot(&self) -> Snapshot {
        let state = self.lock();
        let mut snapshot = state.snapshot.clone();
        snapshot.working = (state.pending.len() + state.working + state.leaders.waiting()) as u64;
        drop(state);
        snapshot.total = self.done_before + snapshot.programs;
        snapshot.elapsed = self.budget.elapsed();
        snapshot.left = self.budget.time_left().or_else(|| {
            let to_do = snapshot.of?.saturating_sub(snapshot.total);
            let each = snapshot.elapsed.as_secs_f64() / (snapshot.programs.max(1)) as f64;
            (snapshot.programs > 0).then(|| Duration::from_secs_f64(each * to_do as f64))
        });
        snapshot
    }
}
