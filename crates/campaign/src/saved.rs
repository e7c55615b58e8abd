//! A saved bug as it is asked about again: the reduced program where there is one.

use crate::bugs::CampaignBug;
use crate::replay::program_of;
use oracle::Observation;
use store::{Reader, StoreError};
use toolchain::Program;

/// A bug's program, and the labels of what it fails and passes with.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The program.
    pub program: Program,
    /// The configuration that fails.
    pub fail: String,
    /// One that passes, if one is known.
    pub pass: Option<String>,
}

impl Saved {
    /// Reads what is saved about a bug.
    ///
    /// # Errors
    /// When the store fails.
    pub fn of(reader: &Reader, bug: &CampaignBug) -> Result<Saved, StoreError> {
        let mut program = program_of(reader, &bug.finding)?;
        let mut fail = bug.finding.bug.culprits.first().cloned().unwrap_or_default();
        let expected = bug.finding.bug.expected.as_ref();
        let is_right = |seen: &&Observation| {
            seen.label != fail
                && seen.behaviour().is_some_and(|behaviour| {
                    expected.is_none_or(|expected| behaviour.agrees_with(expected))
                })
        };
        let right = || bug.finding.observations.iter().filter(is_right);
        // Other arguments of the same compiler say most.
        let same = right().find(|seen| name_of(&seen.label) == name_of(&fail));
        let mut pass = same.or_else(|| right().next()).map(|seen| seen.label.clone());
        let reduced = bug.stages.reduced.as_ref().filter(|reduced| reduced.failed.is_none());
        if let Some(reduced) = reduced {
            program = reduced.program(reader, &program)?;
            fail.clone_from(&reduced.fail);
            pass = reduced.pass.clone().or(pass);
        }
        Ok(Saved { program, fail, pass })
    }
}

/// The compiler of a label.
#[must_use]
pub fn name_of(label: &str) -> &str {
    label.split(' ').next().unwrap_or_default()
}

/// The arguments of a label.
#[must_use]
pub fn args_of(label: &str) -> &str {
    label.split_once(' ').map_or("", |(_, args)| args)
}
