//! The stage "isolate": which files of the compiler are suspicious, for the first finding of each bug.

use super::{Done, Stages};
use crate::isolation::{Case, Isolator};
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{IsolatedBody, WitnessBody};
use crate::saved::{args_of, name_of};
use crate::stage::sides::{Opened, labelled};
use base::Budget;
use isolate::{Ended, Formula, IsolateError, Isolation, Method, Parameters, Settings, Witnesses};
use oracle::Premise;
use std::path::Path;
use store::{Campaign, FindingId};

/// The stage's name in the store.
pub const ISOLATE: &str = "isolate";

/// A number, not a time: the answer must not depend on what else the machine does.
const EVALUATIONS: u64 = 500;
/// It ends earlier when the first five files have been the same for so many.
const STABLE: u64 = 200;
/// What is kept of an answer.
const FILES: usize = 20;
const FUNCTIONS: usize = 10;
const LINES: usize = 20;

/// Isolates a finding, and stores the answer.
pub(crate) fn isolate(
    plan: &Plan,
    isolator: &Isolator,
    campaign: &Campaign,
    id: FindingId,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Done<IsolatedBody>, PipelineError> {
    let settings = Settings {
        method: Method::named("combined").expect("it is in the table"),
        parameters: Parameters::default(),
        seed: plan.seed.derive("isolate", id.program),
        jobs: 1,
        formula: &Formula::OCHIAI,
        cpu: None,
        also: Vec::new(),
        record: false,
        stable: STABLE,
    };
    let mut record = IsolatedBody {
        build: isolator.build.compiler.name.clone(),
        method: settings.method.name.to_owned(),
        seed: settings.seed,
        evaluations: 0,
        witnesses: 0,
        files: Vec::new(),
        failed: None,
        history: Vec::new(),
        trail: Vec::new(),
    };
    match answer(plan, isolator, campaign, id, &settings, scratch, stop)? {
        Answer::Files(isolation) => {
            record.evaluations = isolation.evaluations;
            record.witnesses = isolation.witnesses.all().len() as u64;
            record.trail = trail(&isolation.witnesses);
            record.files = isolation.ranking.files;
            record.files.truncate(FILES);
            for file in &mut record.files {
                file.functions.truncate(FUNCTIONS);
                file.lines.truncate(LINES);
            }
            record.history = isolation.history;
        }
        Answer::None(why) => record.failed = Some(why),
        Answer::Stopped => return Ok(Done::Unfinished),
        Answer::Trouble(what) => return Ok(Done::Trouble(what)),
    }
    campaign.put_stage(&id, ISOLATE, &record)?;
    Ok(Done::Committed(record))
}

/// The witnesses as they are kept.
fn trail(witnesses: &Witnesses) -> Vec<WitnessBody> {
    let novelties = witnesses.novelties().into_iter().chain(std::iter::repeat(None));
    let kept = witnesses.all().iter().zip(novelties).map(|(witness, novelty)| WitnessBody {
        evaluation: witness.evaluation,
        what: witness.what.clone(),
        similarity: 1.0 - witness.distance,
        novelty,
    });
    kept.collect()
}

enum Answer {
    Files(Box<Isolation>),
    None(String),
    Stopped,
    Trouble(String),
}

fn answer(
    plan: &Plan,
    isolator: &Isolator,
    campaign: &Campaign,
    id: FindingId,
    settings: &Settings,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Answer, PipelineError> {
    let opened = Opened::read(plan, campaign, id)?;
    let sides = match opened.sides {
        Ok(sides) => sides,
        Err(why) => return Ok(Answer::None(why)),
    };
    let mut program = opened.program;
    let (mut fail, mut pass) = (sides.fail.label(), sides.pass.map(|pass| pass.label()));
    let stages = Stages::of(campaign.reader(), &id)?;
    if let Some(reduced) = stages.reduced.filter(|reduced| reduced.failed.is_none()) {
        program = reduced.program(campaign.reader(), &program)?;
        fail.clone_from(&reduced.fail);
        pass = reduced.pass.or(pass);
    }
    let (culprit, build) = (&sides.fail.compiler, &isolator.build.compiler);
    let is_same = culprit.family.name() == build.family.name() && culprit.version == build.version;
    // Of several compilers that fail the build may be another than the one that was reduced with.
    let fails_too = opened.body.bug.culprits.iter().any(|label| {
        plan.compilers().iter().any(|compiler| {
            compiler.name == name_of(label)
                && compiler.family.name() == build.family.name()
                && compiler.version == build.version
        })
    });
    if !is_same && !fails_too {
        let (name, of) = (&culprit.name, &build.name);
        return Ok(Answer::None(format!(
            "it is {name} that fails, and {of} is of another version"
        )));
    }
    let words = |label: &str| args_of(label).split_whitespace().map(str::to_owned).collect();
    let case = Case {
        program: &program,
        fail: words(&fail),
        // What another compiler does right, it does right beside the build too.
        pass: pass.as_deref().and_then(|label| match name_of(label) == name_of(&fail) {
            true => Some(isolator.configuration(words(label))),
            false => labelled(plan, label),
        }),
    };
    let budget = Budget::new(None, Some(EVALUATIONS));
    match isolator.isolate(&case, settings, &budget, scratch, stop, &mut |_| ()) {
        Ok(isolated) if isolated.isolation.ended == Ended::Stopped => Ok(Answer::Stopped),
        Ok(isolated) => Ok(Answer::Files(Box::new(isolated.isolation))),
        Err(IsolateError::Machine(what)) => Ok(Answer::Trouble(what)),
        Err(IsolateError::Build(error) | IsolateError::Premise(Premise::Build(error))) => {
            match error.machine_trouble() {
                Some(what) => Ok(Answer::Trouble(what)),
                None => Err(error.into()),
            }
        }
        Err(error) => Ok(Answer::None(error.to_string())),
    }
}
