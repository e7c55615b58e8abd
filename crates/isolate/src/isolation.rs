//! The search for witnesses: how it is asked for, by workers, and settled in order.

use crate::donor::Donors;
use crate::error::IsolateError;
use crate::formula::Formula;
use crate::inquiry::{Inquiry, Under};
use crate::method::{Method, Parameters};
use crate::ranking::{Aggregate, Ranking};
use crate::record::Record;
use crate::subject::{Subject, Trial};
use crate::variant::{Moving, Variant};
use crate::witness::Witnesses;
use base::{Budget, Seed};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError, RwLock};
use std::thread;
use std::time::Duration;
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

/// Moves under way for each variant that is tried: most moves of a small program can't be made.
const MOST_UNDER_WAY: usize = 64;

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
    let mut inquiry = Inquiry::new(subject, settings, moving, &known, scratch);
    let listens = matches!(settings.method.aggregate, Aggregate::Blame | Aggregate::Message);
    if listens && subject.is_compile_only() {
        inquiry.reporting(subject.reporting(scratch)?);
        inquiry.named.take_stack(&subject.stack(scratch)?, &subject.build.map);
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
                let next = inquiry.next();
                if let Some(variant) = &next.variant {
                    let index = inquiry.moves - 1;
                    to_workers.send((index, variant.clone())).expect("workers wait");
                }
                under.push_back(next);
                continue;
            }
            let oldest = inquiry.moves - under.len() as u64;
            let Under { arm, variant } = under.pop_front().expect("it was filled");
            let trial = match &variant {
                Some(_) => match answers.of(oldest) {
                    Ok(trial) => Some(trial),
                    Err(error) => break Err(error),
                },
                None => None,
            };
            if let Err(error) = inquiry.settle(arm, variant, trial, say) {
                break Err(error);
            }
            if stop() {
                break Ok(Ended::Stopped);
            }
            let has_cpu = settings.cpu.is_none_or(|cpu| {
                Duration::from_nanos(used.load(Ordering::Relaxed)) + (thread_work() - began) < cpu
            });
            if !has_cpu || !budget.allows(inquiry.evaluations) {
                break Ok(Ended::Budget);
            }
            if let Some(ended) = inquiry.end() {
                break Ok(ended);
            }
        };
        // What is under way is not waited for longer than it takes.
        drop(to_workers);
        ended
    })?;
    Ok(inquiry.result(ended, budget.elapsed(), donors))
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
