//! Does a changed program still show the same bug?

use crate::check::{Question, check, failure_bug};
use crate::kind::Kind;
use crate::observation::{Limiting, Outcome, compile_failure, observe};
use crate::screen::{Screen, ScreenResult, Screener};
use crate::verdict::{Bug, NotComparable, Verdict};
use std::path::Path;
use std::time::Duration;
use toolchain::family::Failure;
use toolchain::{Behaviour, BuildError, Configuration, End, Program};

/// A bug that a program shows, to be looked for in others.
#[derive(Clone, Debug)]
pub struct SameBug {
    /// Its kind.
    pub kind: Kind,
    /// What is the same whenever it shows.
    pub signature: String,
    /// The configuration that fails.
    pub fail: Configuration,
    /// Those that do it right, the one that was named first; they must go on agreeing.
    pub passing: Vec<Configuration>,
    /// The screen of the program that the premise was shown by.
    pub screen: Option<Screen>,
    screener: Option<Screener>,
    limiting: Limiting,
    /// Is it seen without linking?
    compile_only: bool,
    /// Does the program that is compiled wrongly not end?
    endless: bool,
    /// The limits by which it was found; those of the search are shorter.
    patience: Limiting,
    /// What the one program that is asked about does rightly, if it is only one.
    settled: Option<Behaviour>,
}

/// What became of the bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sameness {
    /// It is there.
    Same,
    /// Another one is.
    Other(String),
    /// It is gone, or the program means nothing any more.
    Gone(String),
    /// The machine was in trouble: nothing can be said.
    Trouble(String),
}

/// Why a program can't be the start of a search for the same bug.
#[derive(Debug, thiserror::Error)]
pub enum Premise {
    /// It shows no bug.
    #[error("{fail} does not fail on this program: {why}")]
    NoBug {
        /// The configuration that should.
        fail: String,
        /// What happened instead.
        why: String,
    },
    /// It fails now and then.
    #[error("the failure can't be relied on: {0}")]
    Flaky(String),
    /// It has undefined behaviour.
    #[error(
        "the program has undefined behaviour, so its wrong result blames nobody: {0}; \
         --no-screen goes on all the same"
    )]
    Undefined(String),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Premise {
    /// The bug of `fail` in a verdict.
    ///
    /// # Errors
    /// When there is none, it comes and goes, or another configuration is at fault.
    pub fn of(fail: &Configuration, verdict: Verdict) -> Result<Bug, Premise> {
        let fail = fail.label();
        let why = match verdict {
            Verdict::Bugs(mut bugs) => {
                let bug = bugs.swap_remove(0);
                if bug.culprits.contains(&fail) {
                    return Ok(bug);
                }
                format!("it is {} that fails, with {}", bug.culprits.join(", "), bug.signature)
            }
            Verdict::Agree => "the failing and the passing arguments agree".to_owned(),
            Verdict::NotComparable(NotComparable::Nondeterministic(what)) => {
                return Err(Premise::Flaky(what));
            }
            Verdict::NotComparable(reason) => reason.to_string(),
        };
        Err(Premise::NoBug { fail, why })
    }
}

impl SameBug {
    /// Shows that the program fails as the question says, and settles how that is looked for in
    /// others. Of `others`, those that agree with the passing side are asked about each program.
    ///
    /// # Errors
    /// When it does not fail, fails now and then, has undefined behaviour, or we failed.
    pub fn establish(
        question: &Question<'_>,
        others: &[Configuration],
        screener: Option<Screener>,
        limiting: Limiting,
        scratch: &Path,
    ) -> Result<SameBug, Premise> {
        let checked = check(question, screener.as_ref(), &limiting, scratch)?;
        let bug = Premise::of(&question.fail, checked.verdict)?;
        if let Some(alarm) = bug.screen.as_ref().and_then(Screen::alarm) {
            return Err(Premise::Undefined(alarm));
        }
        let program = question.program;
        let mut passing: Vec<Configuration> = Vec::new();
        if let Some(pass) = &question.pass
            && (bug.kind == Kind::WrongCode
                || compile_failure(pass, program, &limiting, scratch)?.is_none())
        {
            passing.push(pass.clone());
        }
        for other in others {
            let agrees = match &bug.expected {
                Some(expected) => {
                    let seen = observe(other, program, &limiting, scratch)?;
                    seen.behaviour().is_some_and(|behaviour| behaviour.agrees_with(expected))
                }
                None => {
                    passing.is_empty()
                        && compile_failure(other, program, &limiting, scratch)?.is_none()
                }
            };
            if agrees {
                passing.push(other.clone());
            }
        }
        let endless = bug.actual.as_ref().is_some_and(|actual| actual.end == End::Endless);
        let mut same = SameBug {
            kind: bug.kind,
            signature: bug.signature,
            fail: question.fail.clone(),
            passing,
            screen: bug.screen,
            screener,
            limiting,
            compile_only: false,
            endless,
            patience: limiting,
            settled: None,
        };
        // Candidates that never end would cost seconds each. Ten times what the program takes,
        // and a quarter of a second at least, is enough for those that do; where not to end is the bug, more is
        // allowed, and what is left must be asked about with all of the limit ([`SameBug::patient`]). So with
        // compilers that do not end.
        let ends = checked
            .observations
            .iter()
            .filter(|seen| seen.behaviour().is_none_or(|behaviour| behaviour.end != End::Endless));
        let slowest = ends.map(|seen| seen.run_cpu).max().unwrap_or_default();
        let cpu = match endless {
            false => (slowest * 10).max(Duration::from_millis(250)),
            true => (slowest * 20).max(Duration::from_secs(1)),
        };
        same.limiting.program.cpu = cpu.min(limiting.program.cpu);
        if same.kind == Kind::Hang {
            let ends = checked.observations.iter().filter(|seen| seen.behaviour().is_some());
            let slowest = ends.map(|seen| seen.compile_cpu).max().unwrap_or_default();
            let cpu = (slowest * 20).max(Duration::from_secs(2));
            same.limiting.compiler.cpu = cpu.min(limiting.compiler.cpu);
        }
        if matches!(same.kind, Kind::Crash | Kind::Hang | Kind::Memory | Kind::InvalidIr) {
            same.compile_only = true;
            same.compile_only = same.look(program, scratch)? == Sameness::Same;
        }
        Ok(same)
    }

    /// The same bug, looked for with other failing arguments.
    #[must_use]
    pub fn with_fail(&self, fail: Configuration) -> SameBug {
        SameBug { fail, ..self.clone() }
    }

    /// The same bug, looked for with all of the time that there is; nothing where that makes no difference.
    #[must_use]
    pub fn patient(&self) -> Option<SameBug> {
        let is_about_time = self.endless || self.kind == Kind::Hang;
        is_about_time.then(|| SameBug { limiting: self.patience, ..self.clone() })
    }

    /// The same bug, from now on looked for in this program alone, with other failing arguments: that it is right, and
    /// free of undefined behaviour, is not asked again.
    ///
    /// # Errors
    /// When we failed.
    pub fn settled(&self, program: &Program, scratch: &Path) -> Result<SameBug, BuildError> {
        let mut settled = self.clone();
        match (self.kind, self.passing.first()) {
            (Kind::WrongCode, Some(first)) => {
                let seen = observe(first, program, &self.limiting, scratch)?;
                settled.settled = seen.behaviour().cloned();
            }
            (Kind::Crash | Kind::Hang | Kind::Memory | Kind::InvalidIr | Kind::Codegen, _) => {
                settled.passing.clear();
            }
            _ => {}
        }
        Ok(settled)
    }

    /// Is the bug in `program`? Wrong code is taken for it only if the passing configurations
    /// agree and a quick screen finds no undefined behaviour.
    ///
    /// # Errors
    /// When we failed.
    pub fn look(&self, program: &Program, scratch: &Path) -> Result<Sameness, BuildError> {
        match self.kind {
            Kind::WrongCode => self.look_at_behaviour(program, scratch),
            Kind::Crash | Kind::Hang | Kind::Memory | Kind::InvalidIr if self.compile_only => {
                let failed = compile_failure(&self.fail, program, &self.limiting, scratch)?;
                if let Some((_, Failure::Machine(what))) = failed {
                    return Ok(Sameness::Trouble(what));
                }
                let found = failed.and_then(|(stage, failure)| Kind::of_failure(stage, &failure));
                self.look_at_failure(found, program, scratch)
            }
            Kind::Crash | Kind::Hang | Kind::Memory | Kind::InvalidIr | Kind::Codegen => {
                let seen = observe(&self.fail, program, &self.limiting, scratch)?;
                if let Some(what) = seen.machine_trouble() {
                    return Ok(Sameness::Trouble(what.to_owned()));
                }
                let found = failure_bug(&seen).map(|bug| (bug.kind, bug.signature));
                self.look_at_failure(found, program, scratch)
            }
            Kind::RejectsValid | Kind::SanitizerAlarm => self.look_by_check(program, scratch),
        }
    }

    /// The full screen, which [`SameBug::look`] makes only a part of.
    ///
    /// # Errors
    /// When we failed.
    pub fn screen(&self, program: &Program, scratch: &Path) -> Result<Option<Screen>, BuildError> {
        match &self.screener {
            Some(screener) if self.kind == Kind::WrongCode => {
                screener.screen(program, self.fail.data_model, scratch).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// As [`SameBug::look`], but with the full screen.
    ///
    /// # Errors
    /// When we failed.
    pub fn look_hard(&self, program: &Program, scratch: &Path) -> Result<Sameness, BuildError> {
        let same = self.look(program, scratch)?;
        if same == Sameness::Same
            && let Some(screen) = self.screen(program, scratch)?
            && screen.result == ScreenResult::Alarm
        {
            return Ok(Sameness::Gone(screen.alarm().unwrap_or_default()));
        }
        Ok(same)
    }

    fn look_at_failure(
        &self,
        found: Option<(Kind, String)>,
        program: &Program,
        scratch: &Path,
    ) -> Result<Sameness, BuildError> {
        let Some((kind, signature)) = found else {
            return Ok(Sameness::Gone("it compiles, or is refused".to_owned()));
        };
        if kind != self.kind || signature != self.signature {
            return Ok(Sameness::Other(format!("{kind}: {signature}")));
        }
        // What was valid stays valid: a crash on an invalid program is a lesser bug.
        for pass in &self.passing {
            if let Some((_, failure)) = compile_failure(pass, program, &self.limiting, scratch)? {
                return Ok(match failure {
                    Failure::Rejected(why) => Sameness::Gone(why),
                    Failure::Machine(what) => Sameness::Trouble(what),
                    other => Sameness::Other(format!("{} too: {other:?}", pass.label())),
                });
            }
        }
        Ok(Sameness::Same)
    }

    fn look_at_behaviour(&self, program: &Program, scratch: &Path) -> Result<Sameness, BuildError> {
        let Some((first, others)) = self.passing.split_first() else {
            return Ok(Sameness::Gone("nothing to compare with".to_owned()));
        };
        let ran =
            |configuration: &Configuration| -> Result<Result<Behaviour, Sameness>, BuildError> {
                let seen = observe(configuration, program, &self.limiting, scratch)?;
                Ok(match &seen.outcome {
                    Outcome::Ran(behaviour) => Ok(behaviour.clone()),
                    Outcome::Failed(_, Failure::Machine(what)) => {
                        Err(Sameness::Trouble(what.clone()))
                    }
                    Outcome::Failed(stage, failure) => {
                        Err(match Kind::of_failure(*stage, failure) {
                            Some((kind, signature)) => {
                                Sameness::Other(format!("{kind}: {signature}"))
                            }
                            None => Sameness::Gone("it does not compile".to_owned()),
                        })
                    }
                    Outcome::Alarmed(alarm) => Err(Sameness::Gone(alarm.clone())),
                })
            };
        let expected = match &self.settled {
            Some(expected) => expected.clone(),
            None => match ran(first)? {
                Ok(expected) => expected,
                Err(sameness) => return Ok(sameness),
            },
        };
        // A program that dies or never ends when compiled rightly tells nothing.
        if !matches!(expected.end, End::Exit(_)) {
            return Ok(Sameness::Gone(format!("{} ends: {expected}", first.label())));
        }
        let actual = match ran(&self.fail)? {
            Ok(actual) => actual,
            Err(sameness) => return Ok(sameness),
        };
        if actual.agrees_with(&expected) {
            return Ok(Sameness::Gone("both sides agree".to_owned()));
        }
        if (actual.end == End::Endless) != self.endless {
            return Ok(Sameness::Other(actual.to_string()));
        }
        if self.settled.is_some() {
            return Ok(Sameness::Same);
        }
        for other in others {
            match ran(other)? {
                Ok(behaviour) if behaviour.agrees_with(&expected) => {}
                Ok(_) => return Ok(Sameness::Gone(format!("{} disagrees", other.label()))),
                Err(trouble @ Sameness::Trouble(_)) => return Ok(trouble),
                Err(_) => return Ok(Sameness::Gone(format!("{} fails", other.label()))),
            }
        }
        if let Some(screener) = &self.screener
            && let Some(alarm) = screener.quick_alarm(program, self.fail.data_model, scratch)?
        {
            return Ok(Sameness::Gone(alarm));
        }
        Ok(Sameness::Same)
    }

    fn look_by_check(&self, program: &Program, scratch: &Path) -> Result<Sameness, BuildError> {
        let question =
            Question { program, fail: self.fail.clone(), pass: self.passing.first().cloned() };
        Ok(match check(&question, None, &self.limiting, scratch)?.verdict {
            Verdict::Bugs(bugs)
                if bugs[0].kind == self.kind && bugs[0].signature == self.signature =>
            {
                Sameness::Same
            }
            Verdict::Bugs(bugs) => {
                Sameness::Other(format!("{}: {}", bugs[0].kind, bugs[0].signature))
            }
            Verdict::Agree => Sameness::Gone("both sides agree".to_owned()),
            Verdict::NotComparable(NotComparable::Machine(what)) => Sameness::Trouble(what),
            Verdict::NotComparable(reason) => Sameness::Gone(reason.to_string()),
        })
    }
}
