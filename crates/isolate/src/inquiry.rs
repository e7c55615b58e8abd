//! What has been tried of an isolation, what it says, and the answer that follows.

use crate::blame::Blame;
use crate::donor::Donors;
use crate::error::IsolateError;
use crate::isolation::{Ended, Isolation, Progress, Settings};
use crate::ladder::Rungs;
use crate::method::{Accepts, Moves, Parameters};
use crate::named::{Named, only, own_file};
use crate::neighbour::{Differs, Neighbour, Told, Which};
use crate::ranking::{Aggregate, Ranking, file_scores, whole_file_scores};
use crate::record::{Ran, Record};
use crate::spectrum::Spectrum;
use crate::subject::{Subject, Trial};
use crate::variant::{Moving, Variant};
use crate::vote::Votes;
use crate::witness::{Executed, Witness, Witnesses};
use coverage::Set;
use search::{Outcome, Quality};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use toolchain::Program;

/// Fewer witnesses say little, however long the order stays the same.
const ENOUGH: usize = 20;
/// How often the order is looked at, in evaluations.
const LOOK: u64 = 25;
/// So many moves in a row that came to no evaluation end the search: there is nothing left to try.
const FRUITLESS: u64 = 3000;

/// A move under way.
pub(crate) struct Under {
    pub arm: usize,
    pub variant: Option<Variant>,
}

fn trial_executed(trial: &Option<Trial>) -> Option<&Executed> {
    match trial {
        Some(Trial::Passes { executed, .. } | Trial::Fails(Some(executed))) => Some(executed),
        _ => None,
    }
}

/// What has been tried of an isolation, and what it says.
pub(crate) struct Inquiry<'a> {
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
    pub named: Named,
    record: Option<Record>,
    /// The smallest failing run, once it is known.
    base: Option<Executed>,
    pub moves: u64,
    pub evaluations: u64,
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

impl<'a> Inquiry<'a> {
    pub(crate) fn new(
        subject: &'a Subject<'a>,
        settings: &'a Settings,
        moving: Moving<'a>,
        known: &'a RwLock<Witnesses>,
        scratch: &'a Path,
    ) -> Inquiry<'a> {
        let random = settings.seed.stream("strategy", 0);
        let map = &subject.build.map;
        Inquiry {
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
    pub(crate) fn next(&mut self) -> Under {
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
    pub(crate) fn settle(
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
    pub(crate) fn reporting(&mut self, executed: Option<Set>) {
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

    pub(crate) fn end(&self) -> Option<Ended> {
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

    pub(crate) fn result(mut self, ended: Ended, took: Duration, donors: &Donors) -> Isolation {
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
