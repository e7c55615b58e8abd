//! Who fails on a finding's program, and who does not.

use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::FindingBody;
use crate::replay::program_of;
use oracle::{Bug, Observation, Outcome};
use std::sync::Arc;
use store::{Campaign, FindingId};
use toolchain::{Configuration, Program};

/// A finding, read for work on it.
pub(crate) struct Opened {
    pub body: FindingBody,
    pub program: Program,
    /// Who fails and who does not, or why that can't be said.
    pub sides: Result<Sides, String>,
}

impl Opened {
    pub(crate) fn read(
        plan: &Plan,
        campaign: &Campaign,
        id: FindingId,
    ) -> Result<Opened, PipelineError> {
        let why = |why: String| PipelineError::Finding { id, why };
        let finding =
            campaign.reader().finding(&id)?.ok_or_else(|| why("it is gone".to_owned()))?;
        let body: FindingBody =
            serde_json::from_value(finding.body).map_err(|error| why(error.to_string()))?;
        let program = program_of(campaign.reader(), &body)?;
        let sides = Sides::of(plan, id, &program, &body.bug, &body.observations);
        Ok(Opened { body, program, sides })
    }
}

/// Who fails and who does not.
#[derive(Clone)]
pub(crate) struct Sides {
    pub fail: Configuration,
    pub pass: Option<Configuration>,
    pub others: Vec<Configuration>,
}

impl Sides {
    /// The first culprit; the configuration of the same compiler that did right, or any; and one
    /// of each other compiler that did right, at most two: each costs a compilation a question.
    fn of(
        plan: &Plan,
        id: FindingId,
        program: &Program,
        bug: &Bug,
        observations: &[Observation],
    ) -> Result<Sides, String> {
        let configurations = plan.judge(id.program, program.language).configurations;
        let named = |label: &str| configurations.iter().find(|one| one.label() == label).cloned();
        let fail = bug.culprits.iter().find_map(|label| named(label)).ok_or_else(|| {
            format!("{} is no configuration of this hunt", bug.culprits.join(", "))
        })?;
        let is_right = |seen: &&Observation| match (&bug.expected, &seen.outcome) {
            (Some(expected), Outcome::Ran(behaviour)) => behaviour.agrees_with(expected),
            (None, Outcome::Ran(_)) => true,
            _ => false,
        };
        let mut right: Vec<Configuration> =
            observations.iter().filter(is_right).filter_map(|seen| named(&seen.label)).collect();
        let own = |one: &Configuration| one.compiler.name == fail.compiler.name;
        right.sort_by_key(|one| !own(one));
        let mut right = right.into_iter();
        let pass = right.next();
        let mut others: Vec<Configuration> = Vec::new();
        for one in right.filter(|one| !own(one)) {
            let family = one.compiler.family.name();
            if others.len() < 2
                && !others.iter().any(|other| other.compiler.family.name() == family)
            {
                others.push(one);
            }
        }
        Ok(Sides { fail, pass, others })
    }
}

/// The configuration with this label.
pub(crate) fn labelled(plan: &Plan, label: &str) -> Option<Configuration> {
    let (name, args) = label.split_once(' ').unwrap_or((label, ""));
    let compiler = plan.compilers().into_iter().find(|compiler| compiler.name == name)?;
    Some(Configuration::new(Arc::clone(&compiler), args))
}
