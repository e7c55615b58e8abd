//! The stage "triage": what tells a finding from others.

use super::Done;
use super::sides::Opened;
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{FindingBody, TriagedBody};
use oracle::{Kind, Observation, Question};
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
        Err(why) => TriagedBody { fingerprint: fingerprint(&opened.body), how: vec![why.clone()] },
        Ok(sides) => {
            let fingerprint = fingerprint(&opened.body);
            let mut record = TriagedBody { fingerprint, how: Vec::new() };
            // A crash says itself what it is; for the rest the pass is what tells them apart.
            if needs_pass(opened.body.bug.kind) {
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

fn needs_pass(kind: Kind) -> bool {
    matches!(kind, Kind::WrongCode | Kind::Hang | Kind::Memory | Kind::SanitizerAlarm)
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
