//! A program that fails, and the question whether it still does with other arguments.

use crate::bisect::BisectError;
use oracle::{Bug, Kind, Limiting, Observation, Outcome, Premise, Question};
use oracle::{check, compile_failure, observe};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use toolchain::family::{Failure, says_the_same};
use toolchain::{Configuration, End, Language, Program, SourceFile, Stage};
use toolchain::{unoptimised, written};

/// What a configuration made of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Right.
    Good,
    /// Wrong as it was.
    Bad,
    /// Neither: it does not compile, or fails in another way.
    Unclear,
}

/// A program that is known to fail.
pub struct Failing<'a> {
    /// The program; of several units all but the one at fault are assembly.
    pub program: Program,
    /// What it fails with.
    pub fail: Configuration,
    /// What it does right with, if that is known.
    pub pass: Option<Configuration>,
    /// How it fails.
    pub bug: Bug,
    /// The pass that the compiler's own message names.
    pub said_pass: Option<String>,
    /// The unit that is at fault, where there are several and it could be told.
    pub unit: Option<String>,
    pub(crate) limiting: Limiting,
    pub(crate) scratch: &'a Path,
    asked: AtomicU64,
    stop: &'a (dyn Fn() -> bool + Sync),
    compile_only: bool,
}

/// What does not end must not cost its whole limit, question after question: twenty times what the
/// passing side took, and a second at least, is enough for a program that ends; optimising may take
/// a compiler longer than that.
fn limit_time(mut limiting: Limiting, right: &Observation) -> Limiting {
    let ends = right.behaviour().is_some_and(|behaviour| behaviour.end != End::Endless);
    if ends {
        let compile = (right.compile_cpu * 50).max(Duration::from_secs(5));
        let run = (right.run_cpu * 20).max(Duration::from_secs(1));
        limiting.compiler.cpu = limiting.compiler.cpu.min(compile);
        limiting.program.cpu = limiting.program.cpu.min(run);
    }
    limiting
}

/// A program that fails with a pipeline fails in the optimiser: its IR is what is looked at.
fn lower(
    question: &Question<'_>,
    limiting: &Limiting,
    scratch: &Path,
) -> Result<Option<(Program, Option<Configuration>)>, BisectError> {
    let fail = &question.fail;
    if question.program.language == Language::Ir || fail.pipeline().is_none() {
        return Ok(None);
    }
    let Some(program) = unoptimised(fail, question.program, limiting.compiler, scratch)? else {
        return Ok(None);
    };
    // Another compiler may not read it.
    let pass = question.pass.clone().map(|pass| match pass.pipeline() {
        Some(_) if pass.compiler.name == fail.compiler.name => pass,
        _ => Configuration::new(
            Arc::clone(&fail.compiler),
            fail.compiler.family.ir_references().first().copied().unwrap_or_default(),
        ),
    });
    Ok(Some((program, pass)))
}

impl<'a> Failing<'a> {
    /// Shows that the program fails as it is said to.
    ///
    /// # Errors
    /// When it does not fail, fails now and then, or we failed.
    pub fn establish(
        question: &Question<'_>,
        limiting: Limiting,
        scratch: &'a Path,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Result<Failing<'a>, BisectError> {
        let lowered = lower(question, &limiting, scratch)?;
        let question = &match &lowered {
            Some((program, pass)) => {
                Question { program, fail: question.fail.clone(), pass: pass.clone() }
            }
            None => question.clone(),
        };
        let limiting = match &question.pass {
            Some(pass) => {
                limit_time(limiting, &observe(pass, question.program, &limiting, scratch)?)
            }
            None => limiting,
        };
        let checked = check(question, None, &limiting, scratch)?;
        let bug = Premise::of(&question.fail, checked.verdict)?;
        let mut failing = Failing {
            program: question.program.clone(),
            fail: question.fail.clone(),
            pass: question.pass.clone(),
            bug,
            said_pass: checked.observations[0].crash().and_then(|crash| crash.pass.clone()),
            unit: None,
            limiting,
            scratch,
            asked: AtomicU64::new(0),
            stop,
            compile_only: false,
        };
        if matches!(failing.bug.kind, Kind::Crash | Kind::Hang | Kind::Memory | Kind::InvalidIr) {
            failing.compile_only = true;
            failing.compile_only = failing.ask(&[])? == Side::Bad;
        }
        failing.focus()?;
        Ok(failing)
    }

    /// Of several units, which one is compiled wrongly? The others become assembly, made by what
    /// does right, so that switches mean the one.
    fn focus(&mut self) -> Result<(), BisectError> {
        let units: Vec<String> = self.program.units().map(|unit| unit.name.clone()).collect();
        let Some(pass) = self.pass.clone().filter(|_| units.len() > 1) else { return Ok(()) };
        if self.bug.kind != Kind::WrongCode || self.program.language == Language::Ir {
            return Ok(());
        }
        let assembly = |name: &str| name.ends_with(".s");
        let right = written(&pass, &self.program, self.limiting.compiler, self.scratch, &assembly)?;
        let whole = self.program.clone();
        for unit in &units {
            let mut program = whole.clone();
            for other in units.iter().filter(|other| *other != unit) {
                let stem = Path::new(other).with_extension("s");
                let name = stem.to_string_lossy();
                let Some(made) = right.files.iter().find(|file| file.name == name) else {
                    continue;
                };
                let made: SourceFile = made.clone();
                if let Some(file) = program.files.iter_mut().find(|file| file.name == *other) {
                    *file = made;
                }
            }
            self.program = program;
            if self.ask(&[])? == Side::Bad {
                self.unit = Some(unit.clone());
                return Ok(());
            }
        }
        self.program = whole;
        Ok(())
    }

    /// Questions asked so far.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The failing configuration with more arguments.
    #[must_use]
    pub fn with(&self, extra: &[String]) -> Configuration {
        let mut args = self.fail.args.clone();
        args.extend(extra.iter().cloned());
        Configuration::with_args(Arc::clone(&self.fail.compiler), args)
    }

    /// Does the program still fail with these arguments added?
    ///
    /// # Errors
    /// When we failed, or somebody asked to stop.
    pub fn ask(&self, extra: &[String]) -> Result<Side, BisectError> {
        self.ask_of(&self.program, &self.with(extra))
    }

    /// Does a program fail as this one does?
    ///
    /// # Errors
    /// When we failed, or somebody asked to stop.
    pub fn ask_of(
        &self,
        program: &Program,
        configuration: &Configuration,
    ) -> Result<Side, BisectError> {
        self.look(program, configuration).map(|(side, _)| side)
    }

    /// The same, with what is seen where that is unclear.
    pub(crate) fn look(
        &self,
        program: &Program,
        configuration: &Configuration,
    ) -> Result<(Side, String), BisectError> {
        if (self.stop)() {
            return Err(BisectError::Stopped);
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        let of_failure = |stage: Stage, failure: &Failure| match failure {
            Failure::Machine(what) => Err(BisectError::Machine(what.clone())),
            Failure::Rejected(what) => Ok((Side::Unclear, format!("refuses: {what}"))),
            failure => Ok(match Kind::of_failure(stage, failure) {
                Some((kind, signature))
                    if kind == self.bug.kind && says_the_same(&signature, &self.bug.signature) =>
                {
                    (Side::Bad, String::new())
                }
                Some((kind, signature)) => (Side::Unclear, format!("{kind}: {signature}")),
                None => (Side::Unclear, String::new()),
            }),
        };
        let clear = |side: Side| Ok((side, String::new()));
        if self.compile_only {
            return match compile_failure(configuration, program, &self.limiting, self.scratch)? {
                None => clear(Side::Good),
                Some((stage, failure)) => of_failure(stage, &failure),
            };
        }
        let seen = observe(configuration, program, &self.limiting, self.scratch)?;
        match (&seen.outcome, &self.bug.expected) {
            (Outcome::Failed(stage, failure), _) => {
                if self.bug.kind == Kind::RejectsValid && matches!(failure, Failure::Rejected(_)) {
                    return clear(Side::Bad);
                }
                of_failure(*stage, failure)
            }
            (Outcome::Ran(behaviour), Some(expected)) if !behaviour.agrees_with(expected) => {
                clear(Side::Bad)
            }
            (Outcome::Ran(_), _) => clear(Side::Good),
            (Outcome::Alarmed(_), _) if self.bug.kind == Kind::SanitizerAlarm => clear(Side::Bad),
            (Outcome::Alarmed(_), _) => Ok((Side::Unclear, "another alarm".to_owned())),
        }
    }
}
