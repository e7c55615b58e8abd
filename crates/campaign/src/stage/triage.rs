//! The stage "triage": what tells a finding from others.

use super::Done;
use super::sides::{Opened, Sides};
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{FindingBody, TriagedBody};
use crate::reduction::reduce_arguments;
use oracle::{Observation, Question};
use std::collections::BTreeSet;
use std::path::Path;
use store::{Campaign, FindingId};
use toolchain::Configuration;
use triage::{BisectError, Effort, Failing, Fingerprint, bisect, pass_key};

/// The stage's name in the store.
pub const TRIAGE: &str = "triage";
/// The name of the record that a finding repeats an earlier one.
pub const REPEATS: &str = "repeats";
/// The name of the record that a finding is not the same as others.
pub const APART: &str = "apart";

/// Takes a finding's fingerprint, and stores it.
pub(crate) fn triage(
    plan: &Plan,
    campaign: &Campaign,
    id: FindingId,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Done<TriagedBody>, PipelineError> {
    let opened = Opened::read(plan, campaign, id)?;
    let record = match &opened.sides {
        Err(why) => TriagedBody {
            fingerprint: fingerprint(&opened.body),
            how: vec![why.clone()],
            shortest: None,
        },
        Ok(sides) => {
            let fingerprint = fingerprint(&opened.body);
            let mut record = TriagedBody { fingerprint, how: Vec::new(), shortest: None };
            // A crash says itself what it is; for the rest the pass is what tells them apart.
            let is_told_by_pass = record.fingerprint.needs_pass();
            let is_sequence = sides.fail.pipeline().is_some() && plan.reduce_tries > 0;
            if is_told_by_pass && is_sequence {
                match shortest(plan, &opened, sides, scratch, stop)? {
                    Done::Committed(Ok(fail)) => {
                        let last = fail.args.iter().find_map(|arg| last_pass(&fail, arg));
                        record.fingerprint.pass = key(&fail, last.as_deref());
                        record.fingerprint.last_pass = last;
                        record.shortest = Some(fail.label());
                    }
                    Done::Committed(Err(why)) => record.how.push(why),
                    Done::Unfinished => return Ok(Done::Unfinished),
                    Done::Trouble(what) => return Ok(Done::Trouble(what)),
                }
            }
            if is_told_by_pass && record.shortest.is_none() {
                let question = Question {
                    program: &opened.program,
                    fail: sides.fail.clone(),
                    pass: sides.pass.clone(),
                };
                let found = Failing::establish(&question, plan.limiting, scratch, stop)
                    .and_then(|failing| bisect(&failing, Effort::Pass));
                match found {
                    Ok(culprit) => {
                        record.fingerprint.pass = key(&sides.fail, culprit.pass.as_deref());
                        record.how = culprit.how;
                    }
                    Err(error) => match outcome(error)? {
                        Done::Committed(why) => record.how.push(why),
                        Done::Unfinished => return Ok(Done::Unfinished),
                        Done::Trouble(what) => return Ok(Done::Trouble(what)),
                    },
                }
            }
            record
        }
    };
    campaign.put_stage(&id, TRIAGE, &record)?;
    Ok(Done::Committed(record))
}

/// The failing configuration with the shortest sequence of passes, on the program as it is. Most findings of sequences
/// show a bug that others have shown, and a program takes a hundred times as long to reduce.
fn shortest(
    plan: &Plan,
    opened: &Opened,
    sides: &Sides,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Done<Result<Configuration, String>>, PipelineError> {
    let bug = &opened.body.bug;
    let reduction = plan.reduction(&opened.program, sides.clone(), bug, scratch, stop);
    Ok(match reduce_arguments(&reduction) {
        Ok(_) if stop() => Done::Unfinished,
        Ok(fail) => Done::Committed(Ok(fail)),
        Err(error) => match error.machine_trouble() {
            Some(trouble) => Done::Trouble(trouble),
            None => Done::Committed(Err(error.to_string())),
        },
    })
}

/// The last pass of the pipeline in an argument.
pub(super) fn last_pass(fail: &Configuration, arg: &str) -> Option<String> {
    let pipeline = fail.compiler.family.pipeline_in(arg)?;
    let parsed = passes::pipeline::parse(pipeline).ok()?;
    let mut last = parsed.elements.last()?;
    while let Some(inner) = last.inner.as_ref().and_then(|inner| inner.elements.last()) {
        last = inner;
    }
    Some(last.name.clone())
}

/// What an error means for a stage: a reason that is kept, or something to come back to.
pub(super) fn outcome(error: BisectError) -> Result<Done<String>, PipelineError> {
    match error {
        BisectError::Stopped => Ok(Done::Unfinished),
        BisectError::Machine(what) => Ok(Done::Trouble(what)),
        BisectError::Build(error) => match error.machine_trouble() {
            Some(trouble) => Ok(Done::Trouble(trouble)),
            None => Err(error.into()),
        },
        error => Ok(Done::Committed(error.to_string())),
    }
}

pub(super) fn key(fail: &Configuration, pass: Option<&str>) -> Option<String> {
    pass.map(|pass| pass_key(fail.compiler.family, pass))
}

/// The fingerprint, as far as the finding itself gives it.
pub(crate) fn fingerprint(finding: &FindingBody) -> Fingerprint {
    let bug = &finding.bug;
    let is_culprit = |seen: &&Observation| bug.culprits.first() == Some(&seen.label);
    let family = finding.observations.iter().find(is_culprit).map(|seen| seen.family.clone());
    let name = |label: &String| label.split(' ').next().unwrap_or_default().to_owned();
    Fingerprint {
        kind: bug.kind,
        family: family.unwrap_or_default(),
        signature: bug.signature.clone(),
        pass: None,
        last_pass: None,
        counter: None,
        compilers: bug.culprits.iter().map(name).collect(),
        shape: BTreeSet::new(),
    }
}
