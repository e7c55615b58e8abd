//! One program, one question: do the failing arguments fail where the passing ones don't?

use crate::judge::{repeats_of, trouble_of_machine};
use crate::kind::Kind;
use crate::observation::{Limiting, Observation, Outcome, compile_failure, observe};
use crate::screen::Screener;
use crate::verdict::{Bug, NotComparable, Verdict};
use std::path::Path;
use toolchain::family::{Failure, says_the_same};
use toolchain::{BuildError, Configuration, Language, Program, Stage};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// The configuration that is said to fail.
    pub fail: Configuration,
    /// One that is said to pass, if any is known.
    pub pass: Option<Configuration>,
}

/// The answer, with what it rests on.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The answer.
    pub verdict: Verdict,
    /// What the failing configuration did, then what the passing one did.
    pub observations: Vec<Observation>,
}

/// Answers the question. The screen for undefined behaviour, if a screener is given, is reported
/// with a wrong-code bug and does not change the verdict: here a person asks about a program.
///
/// # Errors
/// When we failed.
pub fn check(
    question: &Question<'_>,
    screener: Option<&Screener>,
    limiting: &Limiting,
    scratch: &Path,
) -> Result<Checked, BuildError> {
    let program = question.program;
    let look = |configuration: &Configuration| observe(configuration, program, limiting, scratch);
    let mut observations = vec![look(&question.fail)?];
    if let Some(pass) = &question.pass {
        observations.push(look(pass)?);
    }
    let mut verdict = compare(&observations[0], observations.get(1));
    // Arguments that this compiler refuses with any program say nothing of this one.
    if let Verdict::Bugs(bugs) = &verdict
        && bugs[0].kind == Kind::RejectsValid
        && let Some((_, Failure::Rejected(why))) =
            compile_failure(&question.fail, &trivial(program.language), limiting, scratch)?
    {
        verdict = Verdict::NotComparable(NotComparable::Rejected(why));
    }
    if let Verdict::Bugs(bugs) = &verdict {
        let repeats = repeats_of(bugs[0].kind);
        for _ in 1..repeats {
            let again = look(&question.fail)?;
            if let Some(what) = differs(&observations[0], &again) {
                verdict = Verdict::NotComparable(NotComparable::Nondeterministic(what));
                break;
            }
        }
    }
    if let (Verdict::Bugs(bugs), Some(screener)) = (&mut verdict, screener) {
        for bug in bugs.iter_mut().filter(|bug| bug.kind == Kind::WrongCode) {
            bug.screen = Some(screener.screen(program, question.fail.data_model, scratch)?);
        }
    }
    Ok(Checked { verdict, observations })
}

/// A program that every compiler takes.
fn trivial(language: Language) -> Program {
    match language {
        Language::C => Program::single("trivial.c", language, "int main(void) { return 0; }\n"),
        Language::Cxx => Program::single("trivial.cpp", language, "int main() { return 0; }\n"),
        Language::Ir => Program::single("trivial.ll", language, ""),
    }
}

/// Is the second observation of the same configuration another kind of failure, or another
/// behaviour? A crash whose signature varies, as after a corrupted heap, is a crash all the same.
pub(crate) fn differs(first: &Observation, again: &Observation) -> Option<String> {
    let same = match (&first.outcome, &again.outcome) {
        (Outcome::Failed(stage, failure), Outcome::Failed(again_stage, again)) => {
            let kind = |stage, failure| Kind::of_failure(stage, failure).map(|(kind, _)| kind);
            kind(*stage, failure) == kind(*again_stage, again)
        }
        (first, again) => first == again,
    };
    (!same).then(|| format!("{}: {} and then {}", first.label, brief(first), brief(again)))
}

fn brief(observation: &Observation) -> String {
    match &observation.outcome {
        Outcome::Ran(behaviour) => behaviour.to_string(),
        Outcome::Alarmed(line) => line.clone(),
        Outcome::Failed(stage, failure) => match Kind::of_failure(*stage, failure) {
            Some((kind, signature)) => format!("{kind} ({signature})"),
            None => format!("{failure:?}"),
        },
    }
}

fn compare(fail: &Observation, pass: Option<&Observation>) -> Verdict {
    let all: Vec<&Observation> = std::iter::once(fail).chain(pass).collect();
    if let Some(trouble) = trouble_of_machine(all.iter().copied()) {
        return Verdict::NotComparable(trouble);
    }
    let failures: Vec<Bug> = all.iter().filter_map(|seen| failure_bug(seen)).collect();
    if let Some(first) = failures.first() {
        let mut bug = first.clone();
        let same = |other: &&Bug| {
            other.kind == bug.kind && says_the_same(&other.signature, &bug.signature)
        };
        bug.culprits =
            failures.iter().filter(same).flat_map(|other| other.culprits.clone()).collect();
        return Verdict::Bugs(vec![bug]);
    }
    let rejected = |seen: &Observation| match &seen.outcome {
        Outcome::Failed(stage, Failure::Rejected(why)) => Some((*stage, why.clone())),
        _ => None,
    };
    match (rejected(fail), pass.map(|pass| (pass, rejected(pass)))) {
        (Some((Stage::Codegen, why)), _) => Verdict::NotComparable(NotComparable::NotRunnable(why)),
        (Some((_, why)), Some((_, None))) => Verdict::Bugs(vec![Bug {
            message: why.clone(),
            ..bug(Kind::RejectsValid, &fail.label, toolchain::normalise(&why))
        }]),
        (Some((_, why)), _) | (None, Some((_, Some((_, why))))) => {
            Verdict::NotComparable(NotComparable::Rejected(why))
        }
        (None, None) => Verdict::Agree,
        (None, Some((pass, None))) => compare_runs(fail, pass),
    }
}

fn compare_runs(fail: &Observation, pass: &Observation) -> Verdict {
    let (Some(actual), Some(expected)) = (fail.behaviour(), pass.behaviour()) else {
        return Verdict::NotComparable(NotComparable::NotRunnable("a sanitizer spoke".to_owned()));
    };
    let endless = |behaviour: &toolchain::Behaviour| behaviour.end == toolchain::End::Endless;
    if endless(expected) {
        return Verdict::NotComparable(NotComparable::NeverEnds);
    }
    if actual.agrees_with(expected) {
        return Verdict::Agree;
    }
    let signature = format!("wrong code by {}", fail.family);
    Verdict::Bugs(vec![Bug {
        expected: Some(expected.clone()),
        actual: Some(actual.clone()),
        ..bug(Kind::WrongCode, &fail.label, signature)
    }])
}

/// The bug behind an observation whose compiler failed.
pub(crate) fn failure_bug(seen: &Observation) -> Option<Bug> {
    let Outcome::Failed(stage, failure) = &seen.outcome else { return None };
    let (kind, signature) = Kind::of_failure(*stage, failure)?;
    let message = match failure {
        Failure::Crash(crash) | Failure::InvalidIr(crash) => crash.message.clone(),
        _ => String::new(),
    };
    Some(Bug { message, ..bug(kind, &seen.label, signature) })
}

pub(crate) fn bug(kind: Kind, culprit: &str, signature: String) -> Bug {
    Bug {
        kind,
        culprits: vec![culprit.to_owned()],
        or_culprits: Vec::new(),
        signature,
        expected: None,
        actual: None,
        message: String::new(),
        screen: None,
    }
}
