//! The search for witnesses, and what comes of it.

use crate::blame::Blame;
use crate::donor::Donors;
use crate::error::IsolateError;
use crate::formula::Formula;
use crate::ladder::Rungs;
use crate::method::{Accepts, Method, Moves, Parameters};
use crate::named::{Named, only, own_file};
use crate::neighbour::{Differs, Neighbour, Told, Which};
use crate::ranking::{Aggregate, Ranking, file_scores, whole_file_scores};
use crate::record::{Ran, Record};
use crate::spectrum::Spectrum;
use crate::subject::{Subject, Trial};
use crate::variant::{Moving, Variant};
use crate::vote::Votes;
use crate::witness::{Executed, Witness, Witnesses};
use base::{Budget, Seed};
use coverage::Set;
use search::{Outcome, Quality};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::Duration;
use toolchain::Program;
use toolchain::process::thread_work;

/// How to isolate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The method.
    pub method: &'static Method,
    /// The papers' parameters.
    pub parameters: Parameters,
    /// What is found is ranked with each of these too; they differ in how they weigh it.
    pub also: Vec<Parameters>,
    /// Where all chance comes from.
    pub seed: Seed,
    /// Variants at the same time. It does not change the result.
    pub jobs: usize,
    /// The formula for a line's suspicion.
    pub formula: &'static Formula,
    /// It ends when so much CPU time was used, by us, by compilers and by programs: on a busy machine it gets more
    /// than by the clock.
    pub cpu: Option<Duration>,
    /// Is all that was executed wanted?
    pub record: bool,
    /// It ends when the five most suspicious files have been the same, in the same order, for so many
    /// evaluations and with at least 20 witnesses; never if that is 0.
    pub stable: u64,
}

impl Settings {
    /// Is something to be found out that only some weights ask for?
    pub(crate) fn wants(&self, asks: impl Fn(&Parameters) -> bool) -> bool {
        self.also.iter().chain([&self.parameters]).any(asks)
    }
}

/// Fewer witnesses say little, however long the order stays the same.
const ENOUGH: usize = 20;
/// How often the order is looked at, in evaluations.
const LOOK: u64 = 25;
/// Moves under way for each variant that is tried: most moves of a small program can't be made.
const MOST_UNDER_WAY: usize = 64;
/// So many moves in a row that came to no evaluation end the search: there is nothing left to try.
const FRUITLESS: u64 = 3000;

/// Why it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Its time or number of evaluations was used up.
    Budget,
    /// The order of the first files did not change any more.
    Stable,
    /// There was nothing left to try.
    Exhausted,
    /// Somebody asked for it.
    Stopped,
}

impl Ended {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ended::Budget => "budget",
            Ended::Stable => "stable",
            Ended::Exhausted => "nothing left to try",
            Ended::Stopped => "stopped",
        }
    }
}

/// How far it is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Variants that compiled and ran on both sides.
    pub evaluations: u64,
    /// Those that became witnesses.
    pub witnesses: usize,
    /// The most suspicious files so far.
    pub top: Vec<String>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Isolation {
    /// Moves, variants that could not be made or compiled among them.
    pub moves: u64,
    /// Variants that compiled and ran on both sides.
    pub evaluations: u64,
    /// The witnesses.
    pub witnesses: Witnesses,
    /// Variants that failed as the program does.
    pub failing: u64,
    /// What became of the rest, counted by reason.
    pub dropped: BTreeMap<&'static str, u64>,
    /// How many changes the variants are away from the failing program at most.
    pub order: u32,
    /// Why the program is known by its tokens only, if it is.
    pub token_level: Option<String>,
    /// Where other programs came from, if any were used.
    pub donors: Option<String>,
    /// What all runs executed, if that was wanted.
    pub record: Option<Record>,
    /// The answer.
    pub ranking: Ranking,
    /// The same with other weights, in the order of the settings.
    pub also: Vec<Ranking>,
    /// After how many evaluations which files were first, whenever that changed.
    pub history: Vec<(u64, Vec<String>)>,
    /// Why it ended.
    pub ended: Ended,
    /// How long it took.
    pub took: Duration,
}

/// A move under way.
struct Under {
    arm: usize,
    variant: Option<Variant>,
}

type Answer = (u64, Result<Trial, IsolateError>);

/// Isolates the bug of `subject`. A time budget decides how many evaluations are made; the result is
/// that of their number, of the seed and of nothing else.
///
/// # Errors
/// When the method can't be used on this program, or we failed.
pub fn isolate(
    subject: &Subject,
    settings: &Settings,
    donors: &Donors,
    budget: &Budget,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
    say: &mut dyn FnMut(&Progress),
) -> Result<Isolation, IsolateError> {
    let known = RwLock::new(Witnesses::default());
    let moving = Moving::new(subject, settings, donors, scratch)?;
    let mut search = Search::new(subject, settings, moving, &known, scratch);
    let listens = matches!(settings.method.aggregate, Aggregate::Blame | Aggregate::Message);
    if listens && subject.is_compile_only() {
        search.reporting(subject.reporting(scratch)?);
        search.named.take_stack(&subject.stack(scratch)?, &subject.build.map);
    }
    let (to_workers, jobs) = mpsc::channel::<(u64, Variant)>();
    let jobs = Mutex::new(jobs);
    let (to_us, answers) = mpsc::channel::<Answer>();
    let (began, used) = (thread_work(), AtomicU64::new(0));
    let ended = thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            let (jobs, to_us, known, used) = (&jobs, to_us.clone(), &known, &used);
            scope.spawn(move || {
                let mut counted = Duration::ZERO;
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((index, Variant { program, neighbour, is_unrelated, .. })) = job else {
                        return;
                    };
                    let wants_failing = settings.method.wants_failing();
                    let trial = match &neighbour {
                        Some(one) => {
                            subject.try_arguments(&one.args, one.optimiser.as_ref(), scratch)
                        }
                        // Deviation: developers' and random programs pass when they compile with the
                        // failing arguments; most of the former can't be linked.
                        None if is_unrelated => subject.try_compiling(&program, scratch),
                        None => subject.try_variant(&program, known, wants_failing, scratch),
                    };
                    let work = thread_work();
                    used.fetch_add((work - counted).as_nanos() as u64, Ordering::Relaxed);
                    counted = work;
                    if to_us.send((index, trial)).is_err() {
                        return;
                    }
                }
            });
        }
        let mut answers = Ordered { answers, early: BTreeMap::new() };
        let mut under: VecDeque<Under> = VecDeque::new();
        let ended = loop {
            // Moves that could not be made are settled as soon as those before them are; others are
            // asked for while fewer variants than the lookahead are being tried.
            let is_waiting = under.front().is_none_or(|first| first.variant.is_some());
            let tried = under.iter().filter(|one| one.variant.is_some()).count();
            let lookahead = settings.parameters.lookahead;
            if is_waiting && tried < lookahead && under.len() < MOST_UNDER_WAY * lookahead {
                let next = search.next();
                if let Some(variant) = &next.variant {
                    let index = search.moves - 1;
                    to_workers.send((index, variant.clone())).expect("workers wait");
                }
                under.push_back(next);
                continue;
            }
            let oldest = search.moves - under.len() as u64;
            let Under { arm, variant } = under.pop_front().expect("it was filled");
            let trial = match &variant {
                Some(_) => match answers.of(oldest) {
                    Ok(trial) => Some(trial),
                    Err(error) => break Err(error),
                },
                None => None,
            };
            if let Err(error) = search.settle(arm, variant, trial, say) {
                break Err(error);
            }
            if stop() {
                break Ok(Ended::Stopped);
            }
            let has_cpu = settings.cpu.is_none_or(|cpu| {
                Duration::from_nanos(used.load(Ordering::Relaxed)) + (thread_work() - began) < cpu
            });
            if !has_cpu || !budget.allows(search.evaluations) {
                break Ok(Ended::Budget);
            }
            if let Some(ended) = search.end() {
                break Ok(ended);
            }
        };
        // What is under way is not waited for longer than it takes.
        drop(to_workers);
        ended
    })?;
    Ok(search.result(ended, budget.elapsed(), donors))
}

/// Answers in the order of the questions.
struct Ordered {
    answers: Receiver<Answer>,
    early: BTreeMap<u64, Result<Trial, IsolateError>>,
}

impl Ordered {
    fn of(&mut self, index: u64) -> Result<Trial, IsolateError> {
        loop {
            if let Some(trial) = self.early.remove(&index) {
                return trial;
            }
            let (index, trial) = self.answers.recv().expect("workers answer every question");
            self.early.insert(index, trial);
        }
    }
}

fn trial_executed(trial: &Option<Trial>) -> Option<&Executed> {
    match trial {
        Some(Trial::Passes { executed, .. } | Trial::Fails(Some(executed))) => Some(executed),
        _ => None,
    }
}

struct Search<'a> {
    subject: &'a Subject<'a>,
    settings: &'a Settings,
    moving: Moving<'a>,
    strategy: Box<dyn search::Strategy>,
    quality: Quality,
    known: &'a RwLock<Witnesses>,
    scratch: &'a Path,
    lines: Spectrum,
    files: Spectrum,
    votes: Votes,
    blame: Blame,
    /// What the compiler executed with so many steps of a ladder.
    steps: BTreeMap<(usize, usize), (Variant, Executed)>,
    /// Files that the compiler's message names.
    named: Named,
    record: Option<Record>,
    /// The smallest failing run, once it is known.
    base: Option<Executed>,
    moves: u64,
    evaluations: u64,
    /// Moves since the last evaluation.
    fruitless: u64,
    failing: u64,
    dropped: BTreeMap<&'static str, u64>,
    order: u32,
    /// Failing variants of this order: the parents of the next.
    failing_programs: Vec<Program>,
    /// Evaluations when this order began.
    order_began: u64,
    history: Vec<(u64, Vec<String>)>,
}

/// Of so many files it is told which witnesses speak against them.
const TOLD: usize = 20;
/// More parents than that are not kept.
const PARENTS: usize = 200;

impl<'a> Search<'a> {
    fn new(
        subject: &'a Subject<'a>,
        settings: &'a Settings,
        moving: Moving<'a>,
        known: &'a RwLock<Witnesses>,
        scratch: &'a Path,
    ) -> Search<'a> {
        let random = settings.seed.stream("strategy", 0);
        let map = &subject.build.map;
        Search {
            subject,
            settings,
            moving,
            strategy: settings.method.strategy(&settings.parameters, random),
            quality: Quality::new(settings.parameters.alpha),
            known,
            scratch,
            lines: Spectrum::of(&subject.executed.lines),
            files: Spectrum::of(&map.files(&subject.executed.edges)),
            votes: Votes::of(&subject.executed.edges),
            blame: Blame::of(&subject.executed.edges),
            steps: BTreeMap::new(),
            named: subject.crash.as_ref().map_or_else(Named::default, |crash| {
                Named::by(crash, subject.fail.compiler.family, map)
            }),
            record: settings.record.then(|| Record::of(map, &subject.executed.edges)),
            base: None,
            moves: 0,
            evaluations: 0,
            fruitless: 0,
            failing: 0,
            dropped: BTreeMap::new(),
            order: 1,
            failing_programs: Vec::new(),
            order_began: 0,
            history: Vec::new(),
        }
    }

    fn witnesses(&self) -> RwLockReadGuard<'_, Witnesses> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn drop_for(&mut self, why: &'static str) {
        *self.dropped.entry(why).or_default() += 1;
    }

    /// The next move.
    fn next(&mut self) -> Under {
        let arm = self.strategy.ask();
        let mut variant = self.moving.variant(arm, self.moves);
        self.moves += 1;
        match &variant {
            None => self.drop_for("no place"),
            Some(one) => {
                let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
                let is_new = known.is_new_text(&one.key());
                drop(known);
                let neighbour = one.neighbour.as_ref();
                // No step at all may be what the lowest level is, and is wanted as a step.
                let is_step = |one: &Neighbour| matches!(one.which, Which::Step { .. });
                if !is_new && !neighbour.is_some_and(is_step) {
                    if let Some(neighbour) = neighbour {
                        self.moving.tell(neighbour, Told::Neither, None);
                    }
                    variant = None;
                    self.drop_for("repeated text");
                }
            }
        }
        Under { arm, variant }
    }

    /// What became of the oldest move.
    fn settle(
        &mut self,
        arm: usize,
        variant: Option<Variant>,
        trial: Option<Trial>,
        say: &mut dyn FnMut(&Progress),
    ) -> Result<(), IsolateError> {
        let is_evaluation = trial.as_ref().is_some_and(Trial::is_evaluation);
        self.evaluations += u64::from(is_evaluation);
        self.fruitless = if is_evaluation { 0 } else { self.fruitless + 1 };
        let is_blend = variant.as_ref().is_some_and(|variant| variant.blends.is_some());
        if let Some(neighbour) = variant.as_ref().and_then(|variant| variant.neighbour.as_ref()) {
            let (told, passing) = match &trial {
                Some(Trial::Passes { executed, .. }) => (Told::Passes, Some(executed)),
                Some(Trial::Fails(_)) => (Told::Fails, None),
                _ => (Told::Neither, None),
            };
            self.moving.tell(neighbour, told, passing);
            if let (Which::Step { ladder, on }, Some(executed)) =
                (&neighbour.which, trial_executed(&trial))
            {
                let variant = variant.clone().expect("it has a neighbour");
                self.steps.insert((*ladder, *on), (variant, executed.clone()));
            }
            self.learn_steps()?;
        }
        let weighs = self.settings.method.weighs();
        let outcome = match (variant, trial) {
            (Some(variant), Some(trial)) if weighs && variant.is_unrelated => {
                if let Trial::Passes { executed, .. } = trial {
                    self.keep(&variant, true, &executed);
                    self.blame.add_unrelated(&executed.edges);
                }
                Outcome::Rejected
            }
            (Some(variant), Some(Trial::Passes { executed, is_undefined })) => {
                self.judge(variant, executed, is_undefined)
            }
            (Some(variant), Some(Trial::Fails(executed))) => {
                self.failing += 1;
                if let Some(executed) = executed {
                    self.keep(&variant, false, &executed);
                    self.lines.add_failing(&executed.lines);
                    self.votes.add_failing(&executed.edges);
                    self.blame.add_failing(variant.differs(), &executed.edges);
                    if variant.neighbour.as_ref().is_some_and(|one| one.which == Which::Base) {
                        self.base = Some(executed);
                    }
                }
                if variant.neighbour.is_none() && self.failing_programs.len() < PARENTS {
                    self.failing_programs.push(variant.program);
                }
                Outcome::Rejected
            }
            (_, Some(Trial::Invalid(why))) => {
                self.drop_for(why.name());
                Outcome::Rejected
            }
            _ => Outcome::Rejected,
        };
        // A blend was no choice of the strategy; it is told that nothing came of it, as of a move that
        // can't be made.
        let outcome = if is_blend { Outcome::Rejected } else { outcome };
        self.strategy.tell(arm, &outcome);
        self.raise_order();
        if is_evaluation && (self.evaluations.is_multiple_of(LOOK) || outcome.is_accepted()) {
            self.look(say);
        }
        Ok(())
    }

    /// Does a passing program become a witness?
    fn judge(&mut self, variant: Variant, executed: Executed, is_undefined: bool) -> Outcome {
        let which = variant.neighbour.as_ref().map(|neighbour| &neighbour.which);
        if matches!(which, Some(Which::Step { .. })) {
            // It is one side of a pair, if of any.
            self.keep(&variant, true, &executed);
            return Outcome::Rejected;
        }
        let known = self.witnesses();
        if self.settings.method.accepts != Accepts::All && known.has_executed(&executed) {
            drop(known);
            self.drop_for("repeated coverage");
            return Outcome::Rejected;
        }
        let distances = known.distances(&executed);
        drop(known);
        if is_undefined {
            self.drop_for("undefined behaviour");
            return Outcome::Rejected;
        }
        let distance = executed.distance(&self.subject.executed);
        let blends_first = self.settings.method.moves == Moves::BlendedRules;
        if blends_first && variant.blends.is_none() {
            self.moving.blend_later(self.evaluations, variant.program);
            return Outcome::Accepted { diversity: 1.0, gain: 0.0 };
        }
        let gain = self.quality.gain(1.0 - distance, &distances);
        if self.settings.method.accepts == Accepts::Gainful && gain < 0.0 {
            self.drop_for("lowers the quality");
            return Outcome::Filtered { gain };
        }
        if let Some(origin) = variant.blends {
            self.moving.blended_well(origin);
        }
        self.keep(&variant, true, &executed);
        let which = variant.neighbour.as_ref().map(|neighbour| &neighbour.which);
        let against = self.base.as_ref().filter(|_| which == Some(&Which::FromBase));
        let against = against.unwrap_or(&self.subject.executed).clone();
        let diversity = self.accept(variant, executed, &against, distances);
        Outcome::Accepted { diversity, gain }
    }

    /// A witness, one step from a failing run that executed `against`; how far it is from the others.
    fn accept(
        &mut self,
        variant: Variant,
        mut executed: Executed,
        against: &Executed,
        distances: Vec<f64>,
    ) -> f64 {
        let distance = executed.distance(&self.subject.executed);
        self.quality.accept(1.0 - distance, &distances);
        self.lines.add_passing(&executed.lines);
        self.files.add_passing(&self.subject.build.map.files(&executed.edges));
        let which = variant.neighbour.as_ref().map(|neighbour| &neighbour.which);
        match self.settings.method.aggregate {
            Aggregate::Votes => {
                self.votes.add_passing(variant.differs(), &against.edges, &executed.edges);
            }
            // Many switches at once say little.
            Aggregate::Blame if which != Some(&Which::Base) => {
                let (differs, what) = (variant.differs(), &variant.what);
                let fewer = executed.less_often(against);
                // Of another program everything may run more or less often.
                let fewer = if differs == Differs::Program { Vec::new() } else { fewer };
                let runs = (&against.edges, &executed.edges);
                self.blame.add_passing(differs, what, runs, fewer);
            }
            _ => {}
        }
        let diversity = match distances.len() {
            0 => 1.0,
            count => distances.iter().sum::<f64>() / count as f64,
        };
        executed.counts = Vec::new();
        let witness = Witness {
            text: variant.text,
            what: variant.what,
            by: variant.by,
            evaluation: self.evaluations,
            executed: Some(executed),
            distance,
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.push(witness, distances);
        diversity
    }

    /// With a step found, what it executes is held against the run without it.
    fn learn_steps(&mut self) -> Result<(), IsolateError> {
        while let Some((ladder, rungs, on)) = self.moving.found() {
            let family = self.subject.fail.compiler.family;
            let what = self.moving.step_name(&rungs, on);
            let fails = self.steps.get(&(ladder, on + 1)).map(|(_, executed)| executed);
            let fails = fails.unwrap_or(&self.subject.executed).clone();
            let passes = self.steps.get(&(ladder, on)).cloned();
            match (rungs, passes) {
                (Rungs::Passes, passes) => {
                    let pass = self.moving.step_pass(on);
                    self.named.step = pass.and_then(|pass| own_file(&pass, family));
                    if let Some((_, passes)) = passes {
                        let (runs, fewer) =
                            ((&fails.edges, &passes.edges), passes.less_often(&fails));
                        self.blame.add_passing(Differs::Step, &what, runs, fewer);
                    }
                    self.learn_alone(on)?;
                }
                (Rungs::Counted(_), Some((variant, passes))) => {
                    let known = self.witnesses();
                    let is_known = known.has_executed(&passes);
                    let distances = known.distances(&passes);
                    drop(known);
                    if !is_known {
                        self.accept(Variant { what, ..variant }, passes, &fails, distances);
                    }
                }
                (Rungs::Counted(_), None) => {}
            }
        }
        Ok(())
    }

    /// What the step executes by itself, whether or not other steps do so too.
    fn learn_alone(&mut self, on: usize) -> Result<(), IsolateError> {
        if !self.settings.wants(|weights| weights.alone > 0.0) && self.record.is_none() {
            return Ok(());
        }
        let Some(step) = self.moving.alone(on) else { return Ok(()) };
        let Some([ran, nothing]) = self.subject.alone(&step, self.scratch)? else {
            return Ok(());
        };
        let what = format!("{} alone", step.step);
        if let Some(record) = &mut self.record {
            // What it does without is told, as of the others.
            let own = ran.difference(&nothing);
            let run = Ran { differs: "alone", what: what.clone(), ..Ran::default() };
            record.push(run, &own, &[]);
        }
        self.blame.add_passing(Differs::Alone, &what, (&ran, &nothing), Vec::new());
        Ok(())
    }

    /// What the compiler executes to report a crash is no evidence.
    fn reporting(&mut self, executed: Option<Set>) {
        let Some(executed) = executed else { return };
        if let Some(record) = &mut self.record {
            let run = Ran { differs: "report", passes: true, ..Ran::default() };
            record.push(run, &executed, &[]);
        }
        self.blame.reporting(&executed);
    }

    fn keep(&mut self, variant: &Variant, passes: bool, executed: &Executed) {
        let Some(record) = &mut self.record else { return };
        let which = variant.neighbour.as_ref().map(|neighbour| &neighbour.which);
        let run = Ran {
            differs: variant.differs().key(),
            what: variant.what.clone(),
            passes,
            from_base: which == Some(&Which::FromBase),
            is_base: which == Some(&Which::Base),
        };
        // Of another program everything may run more or less often.
        let is_same = passes && variant.neighbour.is_some();
        let fewer = if is_same { executed.less_often(&self.subject.executed) } else { Vec::new() };
        record.push(run, &executed.edges, &fewer);
    }

    /// When no variant passes, for long or of all there are, those that fail are varied further (DiWi's
    /// Algorithm 1, line 26).
    fn raise_order(&mut self) {
        let waited = self.evaluations - self.order_began;
        let has_waited = waited >= self.settings.parameters.patience || self.fruitless >= FRUITLESS;
        if !has_waited || self.failing_programs.is_empty() || !self.witnesses().all().is_empty() {
            return;
        }
        let parents = std::mem::take(&mut self.failing_programs);
        self.moving.replace_parents(parents.into_iter());
        self.order += 1;
        self.order_began = self.evaluations;
        self.fruitless = 0;
    }

    fn scores(&self, parameters: &Parameters) -> Vec<(usize, f64)> {
        let (map, formula) = (&self.subject.build.map, self.settings.formula);
        match self.settings.method.aggregate {
            Aggregate::MeanOfLines => file_scores(map, &self.lines, formula),
            Aggregate::WholeFile => whole_file_scores(map, &self.files, formula),
            Aggregate::Votes => self.votes.file_scores(map),
            Aggregate::Blame => {
                self.blame.file_scores(map, parameters, &self.named.weighted(parameters))
            }
            Aggregate::FirstBadPass => {
                let file = self.named.step.as_ref().or(self.named.said_pass.as_ref());
                only(map, &self.subject.executed.edges, file)
            }
            Aggregate::Message => {
                let file = self.named.said.as_ref().or(self.named.said_pass.as_ref());
                only(map, &self.subject.executed.edges, file)
            }
        }
    }

    fn look(&mut self, say: &mut dyn FnMut(&Progress)) {
        let files = &self.subject.build.map.files;
        let scores = self.scores(&self.settings.parameters);
        let top: Vec<String> =
            scores.iter().take(5).map(|&(file, _)| files[file].clone()).collect();
        let witnesses = self.witnesses().all().len();
        say(&Progress { evaluations: self.evaluations, witnesses, top: top.clone() });
        if self.history.last().is_none_or(|(_, last)| *last != top) {
            self.history.push((self.evaluations, top));
        }
    }

    fn end(&self) -> Option<Ended> {
        if self.fruitless >= FRUITLESS {
            return Some(Ended::Exhausted);
        }
        let (since, _) = self.history.last()?;
        let is_stable = self.settings.stable > 0
            && self.evaluations - since >= self.settings.stable
            && self.witnesses().all().len() >= ENOUGH;
        is_stable.then_some(Ended::Stable)
    }

    /// The answer with these weights; of the first `told` files it is told what speaks against them.
    fn ranking(&self, parameters: &Parameters, told: usize) -> Ranking {
        let map = &self.subject.build.map;
        let (scores, failing) = (self.scores(parameters), &self.subject.executed.edges);
        if self.settings.method.aggregate != Aggregate::Blame {
            return Ranking::new(map, &scores, &self.lines, failing, self.settings.formula);
        }
        let line_scores = self.blame.line_scores(map, parameters);
        let size = parameters.size;
        let mut ranking = Ranking::with(map, &scores, &line_scores, &self.lines, failing, size);
        for (ranked, (file, _)) in ranking.files.iter_mut().zip(&scores).take(told) {
            ranked.evidence = self.blame.evidence(map, *file, parameters);
        }
        ranking
    }

    fn result(mut self, ended: Ended, took: Duration, donors: &Donors) -> Isolation {
        if let Some(record) = &mut self.record {
            record.named(&self.named);
        }
        let ranking = self.ranking(&self.settings.parameters, TOLD);
        let also = self.settings.also.iter().map(|weights| self.ranking(weights, 0)).collect();
        let method = self.settings.method;
        let donors = match method.moves {
            Moves::RandomPrograms => Some(donors.random_origin.clone()),
            _ => method.needs_tests().then(|| donors.origin.clone()),
        };
        Isolation {
            moves: self.moves,
            evaluations: self.evaluations,
            failing: self.failing,
            dropped: self.dropped,
            order: self.order,
            token_level: self.moving.token_level(),
            donors,
            record: self.record,
            ranking,
            also,
            history: self.history,
            ended,
            took,
            witnesses: self.known.read().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}
