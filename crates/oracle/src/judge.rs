//! The verdict on a program of a hunt: nothing reaches a person that was not repeated, screened
//! and voted on.

use crate::check::{bug, differs, failure_bug};
use crate::kind::Kind;
use crate::observation::{Limiting, Observation, Outcome, Watch, observe, observe_all};
use crate::screen::{Screen, ScreenResult, Screener};
use crate::verdict::{Bug, NotComparable, Verdict};
use crate::vote::{Ballot, vote};
use std::path::Path;
use std::time::Duration;
use toolchain::family::{Failure, pipeline_in_label, says_the_same};
use toolchain::{
    Behaviour, BuildError, Configuration, DataModel, End, Printed, Program, machine_trouble,
};

/// How often a finding must show in a row: true nondeterminism is rare in compilers, but a
/// program may depend on addresses (YARPGen, section 3.4, repeats too). What uses up its limit
/// each time is repeated once; a hunt gives what does not end more time then.
pub(crate) fn repeats_of(kind: Kind) -> usize {
    match kind {
        Kind::Hang | Kind::Memory => 2,
        _ => 3,
    }
}

/// How often a program is tried again when the machine was in trouble.
const TRIES: u32 = 3;

/// What a hunt asks about every program.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Who votes.
    pub configurations: Vec<Configuration>,
    /// Who looks for undefined behaviour.
    pub screener: Screener,
    /// The limits of compilers and programs.
    pub limiting: Limiting,
    /// The compiler whose bugs are old news: only what others break where it does right counts.
    pub baseline: Option<String>,
    /// Who looks at the folder in which all configurations have worked.
    pub watch: Option<Watch>,
}

/// Why there is no verdict.
pub type JudgeError = BuildError;

/// A verdict with what it rests on.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// What each configuration did.
    pub observations: Vec<Observation>,
    /// Findings that were dropped because they did not repeat or the program is undefined, though
    /// other findings of the same program stand.
    pub dropped: Vec<NotComparable>,
}

impl Judge {
    /// Judges one program; everything happens in private folders below `scratch`.
    ///
    /// # Errors
    /// When we failed.
    pub fn judge(&self, program: &Program, scratch: &Path) -> Result<Judged, JudgeError> {
        let mut tries = 0;
        let observations = loop {
            let watch = self.watch.as_ref();
            let seen = observe_all(&self.configurations, program, &self.limiting, scratch, watch);
            tries += 1;
            let seen = match seen {
                Err(error) if tries < TRIES && error.machine_trouble().is_some() => Vec::new(),
                seen => seen?,
            };
            let failed = seen.is_empty() || seen.iter().any(|seen| seen.behaviour().is_none());
            let trouble = trouble_of_machine(&seen).or_else(|| {
                failed.then(|| machine_trouble(scratch).map(NotComparable::Machine))?
            });
            match trouble {
                None if seen.is_empty() => {}
                None => break seen,
                Some(trouble) if tries == TRIES => {
                    let verdict = Verdict::NotComparable(trouble);
                    return Ok(Judged { verdict, observations: seen, dropped: Vec::new() });
                }
                // Other workers' compilations may end meanwhile and free what is lacking.
                Some(_) => std::thread::sleep(Duration::from_secs(u64::from(2 * tries))),
            }
        };
        let Suspicion { suspects, excuse } = self.suspect(program, &observations);
        let (bugs, mut dropped) = self.confirm(program, suspects, &observations, scratch)?;
        let verdict = match (bugs.is_empty(), excuse.or_else(|| dropped.first().cloned())) {
            (false, _) => Verdict::Bugs(bugs),
            (true, Some(excuse)) => {
                dropped.retain(|reason| *reason != excuse);
                Verdict::NotComparable(excuse)
            }
            (true, None) if self.configurations.len() < 2 => {
                Verdict::NotComparable(NotComparable::Alone)
            }
            (true, None) => Verdict::Agree,
        };
        Ok(Judged { verdict, observations, dropped })
    }

    /// The data model of the vote: a program is tested in one.
    fn data_model(&self) -> DataModel {
        self.configurations.first().map_or_else(DataModel::default, |first| first.data_model)
    }

    /// Is a refusal the installation's, and neither the compiler's nor the program's?
    fn lacks_library(&self, seen: &Observation, why: &str) -> bool {
        let named = |one: &&Configuration| one.label() == seen.label;
        let configuration = self.configurations.iter().find(named);
        configuration.is_some_and(|one| one.compiler.family.lacks_library(why))
    }

    /// What looks like a bug at first sight, or why nothing can.
    fn suspect(&self, program: &Program, observations: &[Observation]) -> Suspicion {
        let mut suspects: Vec<Bug> = Vec::new();
        let mut add = |bug: Bug, family: &str| {
            let same = |other: &&mut Bug| {
                other.kind == bug.kind
                    && says_the_same(&other.signature, &bug.signature)
                    && family_of(observations, &other.culprits[0]) == Some(family)
            };
            match suspects.iter_mut().find(same) {
                Some(other) => other.culprits.extend(bug.culprits),
                None => suspects.push(bug),
            }
        };
        for seen in observations {
            if let Some(bug) = failure_bug(seen) {
                add(bug, &seen.family);
            } else if let Outcome::Alarmed(line) = &seen.outcome {
                let signature = toolchain::normalise(alarm_kind(line));
                let alarm = bug(Kind::SanitizerAlarm, &seen.label, signature);
                add(Bug { message: line.clone(), ..alarm }, &seen.family);
            }
        }
        let rejections: Vec<(&Observation, &String)> = observations
            .iter()
            .filter_map(|seen| match &seen.outcome {
                Outcome::Failed(_, Failure::Rejected(why)) if !self.lacks_library(seen, why) => {
                    Some((seen, why))
                }
                _ => None,
            })
            .collect();
        let ran = observations.iter().filter(|seen| seen.behaviour().is_some()).count();
        let mut excuse = None;
        if rejections.len() < ran {
            for (seen, why) in rejections {
                let signature = toolchain::normalise(after_position(why));
                let refusal = bug(Kind::RejectsValid, &seen.label, signature);
                add(Bug { message: why.clone(), ..refusal }, &seen.family);
            }
        } else if let Some((_, why)) = rejections.first() {
            excuse = Some(NotComparable::Rejected((*why).clone()));
        }
        match self.wrong_code(program, observations) {
            Ok(bugs) => suspects.extend(bugs),
            Err(reason) => excuse = excuse.or(Some(reason)),
        }
        Suspicion { suspects: self.without_old_news(suspects), excuse }
    }

    fn wrong_code(
        &self,
        program: &Program,
        observations: &[Observation],
    ) -> Result<Vec<Bug>, NotComparable> {
        let expected_output = program.expected.as_deref().map(Printed::of);
        let as_expected = |behaviour: &Behaviour| {
            expected_output.as_ref().is_none_or(|expected| behaviour.printed(expected))
        };
        let (expected, odd) = match vote(observations) {
            Ballot::NeverEnds => return Err(NotComparable::NeverEnds),
            Ballot::Unanimous(None) => return Ok(Vec::new()),
            Ballot::Unanimous(Some(behaviour)) => (behaviour, Vec::new()),
            Ballot::Majority { expected, odd } => (expected, odd),
            Ballot::Tie(sides) => {
                let known = expected_output.is_some();
                let right = sides
                    .iter()
                    .position(|(behaviour, _)| known && as_expected(behaviour))
                    .or_else(|| self.side_of_baseline(&sides, observations));
                match right {
                    Some(right) => (sides[right].0, others(&sides, right)),
                    None => return Ok(vec![tie(&sides, observations)]),
                }
            }
        };
        if let End::Excess(what) = &expected.end {
            return Err(NotComparable::Excess(what.clone()));
        }
        if !as_expected(expected) {
            return Err(NotComparable::Unexpected(expected.to_string()));
        }
        Ok(by_family(expected, &odd, observations))
    }

    /// With a baseline, the side on which most of its configurations stand is right.
    fn side_of_baseline(
        &self,
        sides: &[(&Behaviour, Vec<usize>)],
        observations: &[Observation],
    ) -> Option<usize> {
        let baseline = self.baseline.as_ref()?;
        let count = |voters: &[usize]| {
            voters.iter().filter(|&&at| compiler_of(&observations[at].label) == baseline).count()
        };
        let counts: Vec<usize> = sides.iter().map(|(_, voters)| count(voters)).collect();
        let most = *counts.iter().max()?;
        let mut best = (0..sides.len()).filter(|&side| counts[side] == most && most > 0);
        best.next().filter(|_| best.next().is_none())
    }

    /// Takes away what the baseline gets wrong as well, with the same arguments.
    fn without_old_news(&self, suspects: Vec<Bug>) -> Vec<Bug> {
        let Some(baseline) = &self.baseline else { return suspects };
        let old: Vec<(Kind, String)> = suspects
            .iter()
            .flat_map(|bug| bug.culprits.iter().map(|label| (bug.kind, label.clone())))
            .filter(|(_, label)| compiler_of(label) == baseline)
            .map(|(kind, label)| (kind, args_of(&label).to_owned()))
            .collect();
        let is_new = |kind: Kind, label: &str| {
            compiler_of(label) != baseline
                && !old.iter().any(|(old, args)| *old == kind && args == args_of(label))
        };
        suspects
            .into_iter()
            .filter_map(|mut bug| {
                bug.culprits.retain(|label| is_new(bug.kind, label));
                bug.or_culprits.retain(|label| compiler_of(label) != baseline);
                (!bug.culprits.is_empty()).then_some(bug)
            })
            .collect()
    }

    /// Repeats and screens what was suspected.
    fn confirm(
        &self,
        program: &Program,
        suspects: Vec<Bug>,
        observations: &[Observation],
        scratch: &Path,
    ) -> Result<(Vec<Bug>, Vec<NotComparable>), JudgeError> {
        let mut bugs = Vec::new();
        let mut dropped = Vec::new();
        let mut screen: Option<Screen> = None;
        for mut bug in suspects {
            if let Some(reason) = self.unstable(program, &bug, observations, scratch)? {
                dropped.push(reason);
                continue;
            }
            if matches!(bug.kind, Kind::WrongCode | Kind::SanitizerAlarm) {
                if screen.is_none() {
                    screen = Some(self.screener.screen(program, self.data_model(), scratch)?);
                }
                let found = screen.as_ref().expect("made above");
                if let Some(alarm) = guilty(found, &bug, family_of(observations, &bug.culprits[0]))
                {
                    dropped.push(NotComparable::Undefined(alarm));
                    continue;
                }
                bug.screen = Some(found.clone());
            }
            bugs.push(bug);
        }
        Ok((bugs, dropped))
    }

    /// Repeats a culprit, and for wrong code a member of the other side.
    fn unstable(
        &self,
        program: &Program,
        bug: &Bug,
        observations: &[Observation],
        scratch: &Path,
    ) -> Result<Option<NotComparable>, JudgeError> {
        let right = observations
            .iter()
            .find(|seen| bug.expected.is_some() && seen.behaviour() == bug.expected.as_ref())
            .map(|seen| &seen.label);
        for label in bug.culprits.first().into_iter().chain(bug.or_culprits.first()).chain(right) {
            let named = |configuration: &&Configuration| configuration.label() == *label;
            let configuration = self.configurations.iter().find(named);
            let first = observations.iter().find(|seen| seen.label == *label);
            let (Some(configuration), Some(first)) = (configuration, first) else { continue };
            let is_hang = bug.kind == Kind::Hang;
            let compiler = self.limiting.compiler;
            let compiler = if is_hang { compiler.patient() } else { compiler };
            let limiting = Limiting { compiler, ..self.limiting };
            for _ in 1..repeats_of(bug.kind) {
                let again = observe(configuration, program, &limiting, scratch)?;
                if is_hang && again.behaviour().is_some() {
                    let took = again.compile_cpu.as_secs_f64();
                    let slow = format!("{} of {took:.0} s", configuration.label());
                    return Ok(Some(NotComparable::Slow(slow)));
                }
                if let Some(what) = differs(first, &again) {
                    return Ok(Some(NotComparable::Nondeterministic(what)));
                }
            }
        }
        Ok(None)
    }
}

struct Suspicion {
    suspects: Vec<Bug>,
    excuse: Option<NotComparable>,
}

/// The alarm that excuses the compiler. A sanitizer under test is excused only by another
/// family's: its own alarm is what is in question.
fn guilty(screen: &Screen, bug: &Bug, family: Option<&str>) -> Option<String> {
    if bug.kind != Kind::SanitizerAlarm {
        return screen.alarm();
    }
    screen
        .checks
        .iter()
        .find(|check| check.result == ScreenResult::Alarm && Some(check.family.as_str()) != family)
        .map(|check| format!("{}: {}", check.by, check.detail))
}

/// The machine's trouble in any of the observations.
pub(crate) fn trouble_of_machine<'a>(
    observations: impl IntoIterator<Item = &'a Observation>,
) -> Option<NotComparable> {
    observations
        .into_iter()
        .find_map(|seen| seen.machine_trouble())
        .map(|what| NotComparable::Machine(what.to_owned()))
}

/// One finding for each family among the odd ones out: two compilers of a family share code, and
/// so bugs. Sequences of passes share less: of theirs, one for each compiler and wrong result.
fn by_family(expected: &Behaviour, odd: &[usize], observations: &[Observation]) -> Vec<Bug> {
    let mut bugs: Vec<(String, Bug)> = Vec::new();
    for seen in odd.iter().map(|&at| &observations[at]) {
        let is_same = |(family, bug): &&mut (String, Bug)| {
            *family == seen.family
                && (pipeline_in_label(&seen.label).is_none()
                    || (compiler_of(&bug.culprits[0]) == compiler_of(&seen.label)
                        && bug.actual.as_ref() == seen.behaviour()))
        };
        match bugs.iter_mut().find(is_same) {
            Some((_, bug)) => bug.culprits.push(seen.label.clone()),
            None => {
                let signature = format!("wrong code by {}", seen.family);
                let found = Bug {
                    expected: Some(expected.clone()),
                    actual: seen.behaviour().cloned(),
                    ..bug(Kind::WrongCode, &seen.label, signature)
                };
                bugs.push((seen.family.clone(), found));
            }
        }
    }
    bugs.into_iter().map(|(_, bug)| bug).collect()
}

fn tie(sides: &[(&Behaviour, Vec<usize>)], observations: &[Observation]) -> Bug {
    let labels = |voters: &[usize]| -> Vec<String> {
        voters.iter().map(|&at| observations[at].label.clone()).collect()
    };
    Bug {
        culprits: labels(&sides[0].1),
        or_culprits: sides[1..].iter().flat_map(|(_, voters)| labels(voters)).collect(),
        expected: Some(sides[1].0.clone()),
        actual: Some(sides[0].0.clone()),
        ..bug(Kind::WrongCode, "", "wrong code, a tie".to_owned())
    }
}

fn others(sides: &[(&Behaviour, Vec<usize>)], right: usize) -> Vec<usize> {
    let mut odd: Vec<usize> = sides
        .iter()
        .enumerate()
        .filter(|(side, _)| *side != right)
        .flat_map(|(_, (_, voters))| voters.iter().copied())
        .collect();
    odd.sort_unstable();
    odd
}

fn family_of<'a>(observations: &'a [Observation], label: &str) -> Option<&'a str> {
    observations.iter().find(|seen| seen.label == label).map(|seen| seen.family.as_str())
}

/// `gcc-12` of `gcc-12 -O2`.
fn compiler_of(label: &str) -> &str {
    label.split(' ').next().unwrap_or_default()
}

fn args_of(label: &str) -> &str {
    label.split_once(' ').map_or("", |(_, args)| args)
}

/// `runtime error: shift exponent …` of `func.c:3:4: runtime error: shift exponent 33 is …`,
/// without the values.
fn alarm_kind(line: &str) -> &str {
    let from = line.find("runtime error").or_else(|| line.find("ERROR:")).unwrap_or_default();
    let text = &line[from..];
    text.find(|c: char| c.is_ascii_digit()).map_or(text, |digit| text[..digit].trim_end())
}

/// A message without the file and line at its beginning.
fn after_position(message: &str) -> &str {
    message.find("error: ").map_or(message, |at| &message[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vote::tests::ran;

    #[test]
    fn wrong_results_of_sequences_are_told_apart_those_of_levels_are_one() {
        let seen = |label: &str, printed: &str| Observation {
            label: label.to_owned(),
            family: "clang".to_owned(),
            ..ran(printed, End::Exit(0), 1)
        };
        let odd = [
            seen("clang-14 -passes=gvn", "1"),
            seen("clang-14 -passes=sroa", "2"),
            seen("clang-14 -passes=dce", "1"),
            seen("clang-15 -passes=gvn", "1"),
        ];
        let expected = ran("3", End::Exit(0), 1);
        let expected = expected.behaviour().expect("it ran");
        let culprits = |observations: &[Observation]| -> Vec<Vec<String>> {
            let all: Vec<usize> = (0..observations.len()).collect();
            let bugs = by_family(expected, &all, observations);
            bugs.into_iter().map(|bug| bug.culprits).collect()
        };
        assert_eq!(
            culprits(&odd),
            [
                &["clang-14 -passes=gvn", "clang-14 -passes=dce"][..],
                &["clang-14 -passes=sroa"],
                &["clang-15 -passes=gvn"]
            ]
        );
        let levels = [seen("clang-14 -O1", "1"), seen("clang-15 -O2", "2")];
        assert_eq!(culprits(&levels), [["clang-14 -O1", "clang-15 -O2"]]);
    }
}
