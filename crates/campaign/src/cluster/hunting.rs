//! The controller's side of a hunt: which chunks come next, and what becomes of their results.

use super::cluster_folder;
use super::parcel::Parcel;
use super::task::Task;
use crate::hunt::{Ended, HuntError, Hunted, open, reduces};
use crate::leaders::Leaders;
use crate::pipeline::json;
use crate::plan::{Amount, Plan};
use crate::progress::{Event, Snapshot};
use crate::record::{FindingBody, IsolatedBody, LookedBody, ReducedBody, TriagedBody};
use crate::stage::{self, ISOLATE, LOOK, REDUCE, REPEATS, Stages, TRIAGE};
use base::{Budget, atomic_write};
use cluster::{
    Chunk, ClusterError, Controller, Folder, Gathered, Resources, Spent, Wish, Workload,
};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Campaign, FindingId, SessionId, Stage, Usage};
use toolchain::{CpuTimes, cpu_times};
use triage::Item;

/// How a hunt goes to a cluster.
pub struct OnCluster<'a> {
    /// What each job asks for.
    pub resources: Resources,
    /// How long a chunk of tests takes.
    pub chunk: Duration,
    /// How often Slurm is asked about the jobs.
    pub poll: Duration,
    /// The command, for workers to give again.
    pub args: Vec<String>,
    /// Where it was given.
    pub dir: PathBuf,
    /// What whoever watches wants.
    pub wish: &'a (dyn Fn() -> Wish + Sync),
}

/// Before anything is known of how long programs take: so many chunks, to find out.
const FIRST: usize = 64;
/// Seconds that a configuration takes for a program, before that is known.
const GUESS: f64 = 0.3;
/// What is kept of the answers of reductions, for the next job to go on with.
const JOURNAL: &str = "journal";

/// Hunts on a cluster, from where an earlier session was, until all is done or somebody wants something else.
///
/// # Errors
/// When the store or the cluster fails; what came back before is kept.
pub fn hunt_on_cluster(
    plan: &Plan,
    dir: &Path,
    on: &OnCluster<'_>,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<(Hunted, cluster::Ended), HuntError> {
    let (campaign, resumed) = open(plan, dir)?;
    let folder = prepared(plan, dir, on)?;
    let told = |told: cluster::Told| tell(Event::Cluster(told));
    let mut controller = Controller::open(folder.clone(), on.resources.clone(), on.poll, &told)?;
    let done: u64 =
        campaign.reader().programs_done()?.iter().map(|range| range.end - range.start).sum();
    tell(Event::Started { done_before: done });
    let session = campaign.begin_session(plan.jobs as u32)?;
    let mut work = Hunting::new(plan, campaign, folder, on, controller.site().longest(), tell)?;
    work.session = Some(session);
    let ended = controller.run(&mut work, on.wish);
    let usage = work.usage();
    work.campaign.end_session(session, usage)?;
    let ended = ended?;
    let mut last = work.snapshot.clone();
    last.elapsed = work.budget.elapsed();
    last.total = done + last.programs;
    let hunt_ended = if ended == cluster::Ended::Done { Ended::Done } else { Ended::Stopped };
    Ok((Hunted { ended: hunt_ended, resumed, last, usage }, ended))
}

/// The first chunks, without submitting them, and the folder in which they would be kept.
///
/// # Errors
/// When the store or the folder fails.
pub fn plan_on_cluster(
    plan: &Plan,
    dir: &Path,
    on: &OnCluster<'_>,
) -> Result<(Folder, Vec<Chunk>), HuntError> {
    let (campaign, _) = open(plan, dir)?;
    let folder = prepared(plan, dir, on)?;
    let mut work = Hunting::new(plan, campaign, folder.clone(), on, None, &|_| ())?;
    Ok((folder, work.next(&[], FIRST)?))
}

/// The shared folder, with all that workers read.
fn prepared(plan: &Plan, dir: &Path, on: &OnCluster<'_>) -> Result<Folder, HuntError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| HuntError::Scratch { path, source }
    };
    let place = cluster_folder(dir);
    std::fs::create_dir_all(&place).map_err(failed(&place))?;
    let place = place.canonicalize().map_err(failed(&place))?;
    let folder = Folder::new(&place);
    folder.prepare(on.args.clone(), on.dir.clone(), json(&plan.record()))?;
    let input = folder.input("");
    plan.configurations.keep(&input).map_err(failed(&input))?;
    let exclusions = dir.join("exclusions.toml");
    if exclusions.is_file() {
        let copy = folder.input("exclusions.toml");
        std::fs::copy(&exclusions, &copy).map_err(failed(&copy))?;
    }
    Ok(folder)
}

/// What is left to be done for the first finding of a bug.
#[derive(Clone, Copy, Debug)]
struct Left {
    reduce: bool,
    look: bool,
    isolate: bool,
}

struct Hunting<'a> {
    plan: &'a Plan,
    campaign: Campaign,
    folder: Folder,
    /// How long a chunk of tests takes, in seconds.
    seconds: u64,
    /// The most that a chunk may take on this site.
    most: Option<u64>,
    budget: Budget,
    time: Option<Duration>,
    of: Option<u64>,
    done: Vec<Range<u64>>,
    reduces: bool,
    leaders: Leaders,
    /// Findings that are not told apart.
    untold: BTreeSet<FindingId>,
    left: BTreeMap<FindingId, Left>,
    /// Seconds on the wall and programs of the chunks that came back.
    rate: (f64, u64),
    session: Option<SessionId>,
    start: CpuTimes,
    /// What the chunks that came back in this session have used.
    spent: Spent,
    snapshot: Snapshot,
    tell: &'a (dyn Fn(Event) + Sync),
}

impl<'a> Hunting<'a> {
    fn new(
        plan: &'a Plan,
        campaign: Campaign,
        folder: Folder,
        on: &OnCluster<'_>,
        most: Option<u64>,
        tell: &'a (dyn Fn(Event) + Sync),
    ) -> Result<Hunting<'a>, HuntError> {
        let time = match plan.amount {
            Amount::Time(time) | Amount::Cpu(time) => Some(time),
            Amount::Programs(_) | Amount::Endless => None,
        };
        let of = plan.programs();
        let done = campaign.reader().programs_done()?;
        let mut hunting = Hunting {
            plan,
            folder,
            seconds: on.chunk.as_secs().max(1),
            most,
            budget: Budget::new(time, None),
            time,
            of,
            done,
            reduces: reduces(plan, tell),
            leaders: Leaders::default(),
            untold: BTreeSet::new(),
            left: BTreeMap::new(),
            rate: (0.0, 0),
            session: None,
            start: cpu_times(),
            spent: Spent::default(),
            snapshot: Snapshot { of, ..Snapshot::default() },
            tell,
            campaign,
        };
        if plan.reduce_tries > 0 {
            for (id, stages) in stage::all_stages(&hunting.campaign)? {
                hunting.take_up(id, stages);
            }
        }
        Ok(hunting)
    }

    /// What this session has used, here and on the nodes.
    fn usage(&self) -> Usage {
        let (now, start, spent) = (cpu_times(), self.start, self.spent);
        Usage {
            cpu_own_ms: (now.own - start.own).as_millis() as u64 + spent.cpu_own_ms,
            cpu_children_ms: (now.children - start.children).as_millis() as u64
                + spent.cpu_children_ms,
            wall_ms: self.budget.elapsed().as_millis() as u64,
        }
    }

    /// A finding and what is known of it.
    fn take_up(&mut self, id: FindingId, stages: Stages) {
        if stages.repeated().is_some() || stages.known_bug().is_some() {
            return;
        }
        let Some(triaged) = stages.triaged else {
            self.untold.insert(id);
            return;
        };
        self.untold.remove(&id);
        let apart = stages.apart.map(|apart| apart.from).unwrap_or_default();
        let item = Item { id, first: triaged.fingerprint, last: None, apart };
        if stages.reduced.is_some() || stages.looked.is_some() {
            self.leaders.lead(item);
            let left = Left {
                reduce: false,
                look: stages.looked.is_none(),
                isolate: self.plan.isolator.is_some() && stages.isolated.is_none(),
            };
            if left.look || left.isolate {
                self.left.insert(id, left);
            }
        } else {
            self.leaders.add(item);
        }
    }

    /// The first program that is not tested, if there is one.
    fn frontier(&self) -> Option<u64> {
        let first = self.done.first().filter(|range| range.start == 0).map_or(0, |range| range.end);
        self.of.is_none_or(|of| first < of).then_some(first)
    }

    fn decide(&mut self) -> Result<(), HuntError> {
        let (frontier, untold) = (self.frontier(), self.untold.first().copied());
        for (id, repeats) in self.leaders.decide(frontier, untold, &self.plan.known_bugs) {
            match repeats {
                Some(body) => {
                    self.campaign.put_stage(&id, REPEATS, &body)?;
                    (self.tell)(Event::Repeats { id, of: body.of, evidence: body.evidence });
                }
                None => {
                    let isolate = self.plan.isolator.is_some();
                    let left = Left { reduce: self.reduces, look: true, isolate };
                    self.left.insert(id, left);
                }
            }
        }
        Ok(())
    }

    /// Chunks for findings, in their order, those of a stage together.
    fn stages(&self, under_way: &BTreeSet<&str>) -> Result<Vec<Chunk>, HuntError> {
        let mut chunks: [Vec<Chunk>; 4] = Default::default();
        let mut chain = |id: FindingId, wanted: &[(usize, &str)]| -> Result<(), HuntError> {
            let mut after = None;
            let mut is_written = false;
            for (at, stage) in wanted {
                let task = Task::Stage(id, (*stage).to_owned());
                let name = task.name();
                if !under_way.contains(name.as_str()) {
                    if !is_written {
                        self.write_input(id)?;
                        is_written = true;
                    }
                    chunks[*at].push(task.chunk(self.seconds, self.most, after.take()));
                }
                after = Some(name);
            }
            Ok(())
        };
        for id in &self.untold {
            chain(*id, &[(0, TRIAGE)])?;
        }
        for (id, left) in &self.left {
            let all = [(left.reduce, 1, REDUCE), (left.look, 2, LOOK), (left.isolate, 3, ISOLATE)];
            let wanted: Vec<(usize, &str)> =
                all.iter().filter(|row| row.0).map(|row| (row.1, row.2)).collect();
            chain(*id, &wanted)?;
        }
        Ok(chunks.into_iter().flatten().collect())
    }

    /// What a worker must know of a finding.
    fn write_input(&self, id: FindingId) -> Result<(), HuntError> {
        let parcel = Parcel::of_finding(self.campaign.reader(), id)?;
        let path = self.folder.input(&id.to_string());
        atomic_write(&path, &parcel.pack())
            .map_err(|source| ClusterError::Io { path, source }.into())
    }

    /// How many programs a chunk has.
    fn size(&self) -> u64 {
        let each = match self.rate {
            (_, 0) => GUESS * self.plan.configurations_per_program() as f64 / self.plan.jobs as f64,
            (seconds, programs) => seconds / programs as f64,
        };
        let programs = (self.seconds as f64 / each.max(0.001)).ceil() as u64;
        // What is selected together is tested together.
        programs.max(1).next_multiple_of(self.plan.source.round())
    }

    /// Chunks of programs that nobody tests yet, at most so many.
    fn tests(&self, under_way: &[&Chunk], room: usize) -> Vec<Chunk> {
        let mut taken = self.done.clone();
        for chunk in under_way {
            if let Some(Task::Test(range)) = Task::of(chunk) {
                taken.push(range);
            }
        }
        taken.sort_by_key(|range| range.start);
        let is_late = self.time.is_some() && !self.budget.allows(0);
        // When the time is over, what was begun is ended: no gaps are left.
        let end = match is_late {
            true => Some(taken.iter().map(|range| range.end).max().unwrap_or(0)),
            false => self.of,
        };
        let size = self.size();
        let mut ranges = Vec::new();
        let mut at = 0;
        let gaps = taken.iter().cloned().chain(std::iter::once(u64::MAX..u64::MAX));
        for next in gaps {
            let until = end.map_or(next.start, |end| end.min(next.start));
            while at < until && ranges.len() < room {
                // At multiples of the round, where programs come in rounds.
                let last = (at + size).min(until);
                ranges.push(at..last);
                at = last;
            }
            at = at.max(next.end);
        }
        let chunk = |range| Task::Test(range).chunk(self.seconds, self.most, None);
        ranges.into_iter().map(chunk).collect()
    }

    fn tell_of(&self, parcel: &Parcel) {
        for (program, findings) in &parcel.programs {
            for row in findings {
                let Ok(body) = serde_json::from_value::<FindingBody>(row.body.clone()) else {
                    continue;
                };
                (self.tell)(Event::Found {
                    id: FindingId { program: program.index, ordinal: row.ordinal },
                    kind: row.kind.clone(),
                    culprits: body.bug.culprits,
                    signature: row.signature.clone(),
                });
            }
        }
    }

    /// Programs of a chunk of tests, and their findings.
    fn tested(&mut self, parcel: &Parcel, spent: &Spent) -> Result<(), HuntError> {
        let wall = spent.wall_ms.saturating_sub(spent.cpu_setup_ms) as f64 / 1000.0;
        self.rate = (self.rate.0 + wall, self.rate.1 + parcel.programs.len() as u64);
        let is_new = |index: u64| {
            // Sorted: the first that ends after it holds it, or none does.
            let at = self.done.partition_point(|range| range.end <= index);
            self.done.get(at).is_none_or(|range| index < range.start)
        };
        let fresh: Vec<_> =
            parcel.programs.iter().filter(|(program, _)| is_new(program.index)).collect();
        self.snapshot.programs += fresh.len() as u64;
        for (_, findings) in fresh {
            for row in findings {
                *self.snapshot.findings.entry(row.kind.clone()).or_default() += 1;
            }
        }
        let tested = parcel.programs.iter().map(|(program, _)| program.index);
        self.done = joined(&self.done, tested.map(|index| index..index + 1));
        if self.plan.reduce_tries > 0 {
            for (program, findings) in &parcel.programs {
                for row in findings {
                    let id = FindingId { program: program.index, ordinal: row.ordinal };
                    let stages = Stages::of(self.campaign.reader(), &id)?;
                    self.take_up(id, stages);
                }
            }
        }
        Ok(())
    }

    /// A stage of a finding that came back; not all of it, if it was stopped.
    fn staged(
        &mut self,
        id: FindingId,
        stage: &str,
        parcel: &Parcel,
    ) -> Result<Gathered, HuntError> {
        fn body<T: DeserializeOwned>(rows: &[Stage], name: &str) -> Option<T> {
            let row = rows.iter().find(|row| row.stage == name)?;
            serde_json::from_value(row.body.clone()).ok()
        }
        let rows = &parcel.stages;
        let isolates = self.plan.isolator.is_some();
        let is_last = match stage {
            TRIAGE if body::<TriagedBody>(rows, TRIAGE).is_some() => {
                let stages = Stages::of(self.campaign.reader(), &id)?;
                self.take_up(id, stages);
                false
            }
            REDUCE => match body::<ReducedBody>(rows, REDUCE) {
                Some(body) => {
                    if let Some(left) = self.left.get_mut(&id) {
                        left.reduce = false;
                    }
                    let after = body.failed.is_none().then_some(body.bytes);
                    let (before, why_not) = (body.bytes_before, body.failed);
                    (self.tell)(Event::Reduced { id, before, after, why_not });
                    false
                }
                None => return self.unfinished(id, parcel),
            },
            LOOK => match body::<LookedBody>(rows, LOOK) {
                Some(body) => {
                    let dir = self.campaign.reader().dir();
                    let into = |source| HuntError::Scratch { path: dir.to_owned(), source };
                    parcel.write_bugs(dir).map_err(into)?;
                    if let Some(left) = self.left.get_mut(&id) {
                        left.look = false;
                    }
                    let title = report::title(&body.report);
                    (self.tell)(Event::Looked { id, title });
                    !isolates
                }
                None => return Ok(Gathered::Damaged("it was stopped".to_owned())),
            },
            ISOLATE => match body::<IsolatedBody>(rows, ISOLATE) {
                Some(body) => {
                    let files = body.files.iter().take(5).map(|file| file.file.clone()).collect();
                    let answer = body.failed.map_or_else(|| Ok(files), Err);
                    (self.tell)(Event::Isolated { id, answer });
                    true
                }
                None => return Ok(Gathered::Damaged("it was stopped".to_owned())),
            },
            _ => return Ok(Gathered::Damaged("its stage is not in it".to_owned())),
        };
        if is_last {
            self.left.remove(&id);
            // What later stages read. The file of this one goes when it is noted.
            for before in [REDUCE, LOOK].into_iter().filter(|before| *before != stage) {
                let name = Task::Stage(id, before.to_owned()).name();
                let _ = std::fs::remove_file(self.folder.result(&name));
            }
            for name in [id.to_string(), format!("{id}.{JOURNAL}")] {
                let _ = std::fs::remove_file(self.folder.input(&name));
            }
        }
        Ok(if is_last || stage == TRIAGE { Gathered::Done } else { Gathered::Needed })
    }

    /// A reduction that was stopped: the next job goes on with its answers.
    fn unfinished(&self, id: FindingId, parcel: &Parcel) -> Result<Gathered, HuntError> {
        let Some((_, answers)) = parcel.journals.iter().find(|(of, _)| *of == id) else {
            return Ok(Gathered::Damaged("it was stopped before its first answer".to_owned()));
        };
        let path = self.folder.input(&format!("{id}.{JOURNAL}"));
        let before = std::fs::metadata(&path).map_or(0, |journal| journal.len());
        if answers.len() as u64 <= before {
            return Ok(Gathered::Damaged("it came no further".to_owned()));
        }
        atomic_write(&path, answers.as_bytes())
            .map_err(|source| HuntError::Cluster(ClusterError::Io { path, source }))?;
        Ok(Gathered::Unfinished)
    }
}

/// All of these ranges, in order, as few as there are gaps.
fn joined(all: &[Range<u64>], more: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = all.iter().cloned().chain(more).collect();
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

impl Workload for Hunting<'_> {
    type Error = HuntError;

    fn next(&mut self, under_way: &[&Chunk], room: usize) -> Result<Vec<Chunk>, HuntError> {
        if let Some(session) = self.session {
            // That we are there is seen by this.
            self.campaign.set_usage(session, self.usage())?;
        }
        self.decide()?;
        let names: BTreeSet<&str> = under_way.iter().map(|chunk| chunk.name.as_str()).collect();
        let mut chunks = self.stages(&names)?;
        let testing = names.iter().filter(|name| name.starts_with("test-")).count();
        let room = room.saturating_sub(chunks.len());
        let room = match self.rate.1 {
            0 => FIRST.saturating_sub(testing).min(room),
            _ => room,
        };
        chunks.extend(self.tests(under_way, room));
        Ok(chunks)
    }

    fn is_wanted(&self, chunk: &Chunk) -> bool {
        match Task::of(chunk) {
            // Some of it may be done: what comes twice is taken once.
            Some(Task::Test(range)) => {
                let is_done =
                    |done: &Range<u64>| done.start <= range.start && range.end <= done.end;
                self.of.is_none_or(|of| range.start < of) && !self.done.iter().any(is_done)
            }
            // `next` says it again, with what it waits for now.
            Some(Task::Stage(..)) | None => false,
        }
    }

    fn gather(
        &mut self,
        chunk: &Chunk,
        spent: &Spent,
        content: &[u8],
    ) -> Result<Gathered, HuntError> {
        let parcel = match Parcel::unpack(content) {
            Ok(parcel) => parcel,
            Err(error) => return Ok(Gathered::Damaged(error.to_string())),
        };
        let Some(task) = Task::of(chunk) else {
            return Ok(Gathered::Damaged("nobody asked for it".to_owned()));
        };
        parcel.put(&self.campaign)?;
        self.spent.cpu_own_ms += spent.cpu_own_ms;
        self.spent.cpu_children_ms += spent.cpu_children_ms;
        match task {
            Task::Test(_) => {
                self.tell_of(&parcel);
                self.tested(&parcel, spent)?;
                Ok(Gathered::Done)
            }
            Task::Stage(id, stage) => self.staged(id, &stage, &parcel),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_where_they_touch() {
        let ranges = joined(&[0..3, 8..9], [3..4, 9..12, 20..21, 2..3].into_iter());
        assert_eq!(ranges, [0..4, 8..12, 20..21]);
        assert!(joined(&[], std::iter::empty()).is_empty());
    }
}
