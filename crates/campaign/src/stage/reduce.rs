//! The stage "reduce" of a campaign: a smaller program for each finding.

use super::sides::{Opened, Sides, labelled};
use super::{Done, Stages};
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{FileRecord, ReducedBody};
use crate::reduction::{ReduceError, Reduced, Reduction, reduce_program};
use base::Budget;
use oracle::{Bug, Kind, Premise};
use std::path::{Path, PathBuf};
use store::{Campaign, FindingId, Reader, StoreError};
use toolchain::{Configuration, End, Program};

/// The stage's name in the store.
pub const REDUCE: &str = "reduce";

/// Reduces a finding, and stores the result.
pub(crate) fn reduce(
    plan: &Plan,
    campaign: &Campaign,
    id: FindingId,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Done<ReducedBody>, PipelineError> {
    let Opened { body, program, sides } = Opened::read(plan, campaign, id)?;
    let triaged = Stages::of(campaign.reader(), &id)?.triaged;
    let journal = journal_of(campaign.reader(), id)
        .map_err(|error| PipelineError::Finding { id, why: error.to_string() })?;
    let reduced = match sides {
        Err(failed) => Err(failed),
        Ok(mut sides) => {
            let shortest = triaged.and_then(|triaged| labelled(plan, &triaged.shortest?));
            sides.fail = shortest.unwrap_or(sides.fail);
            let mut reduction = plan.reduction(&program, sides, &body.bug, scratch, stop);
            reduction.journal = Some(journal.clone());
            match reduce_program(&reduction) {
                Ok(_) if stop() => return Ok(Done::Unfinished),
                Ok(reduced) => Ok((reduced, reduction.pass)),
                Err(error) => match (error.machine_trouble(), error) {
                    (Some(trouble), _) => return Ok(Done::Trouble(trouble)),
                    (
                        None,
                        ReduceError::Build(error) | ReduceError::Premise(Premise::Build(error)),
                    ) => {
                        return Err(error.into());
                    }
                    (None, error) => Err(error.to_string()),
                },
            }
        }
    };
    let record = record(campaign, &program, reduced)?;
    campaign.put_stage(&id, REDUCE, &record)?;
    // Only now: a kill before this finds the answers again.
    let _ = std::fs::remove_file(journal);
    Ok(Done::Committed(record))
}

impl Plan {
    /// How a finding is reduced.
    pub(super) fn reduction<'a>(
        &self,
        program: &'a Program,
        sides: Sides,
        bug: &Bug,
        scratch: &'a Path,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Reduction<'a> {
        Reduction {
            program,
            fail: sides.fail,
            pass: sides.pass,
            others: sides.others,
            screener: Some(self.screener.clone()),
            limiting: self.limiting,
            jobs: 1,
            budget: Budget::new(None, Some(self.reduce_tries)),
            // What does not end takes its whole limit.
            yes: match (bug.kind, bug.actual.as_ref().map(|actual| &actual.end)) {
                (Kind::Hang | Kind::Memory, _) => 20,
                (_, Some(End::Endless)) => 5,
                _ => 1,
            },
            with: None,
            journal: None,
            scratch,
            stop,
            tell: &|_| {},
        }
    }
}

fn record(
    campaign: &Campaign,
    program: &Program,
    reduced: Result<(Reduced, Option<Configuration>), String>,
) -> Result<ReducedBody, StoreError> {
    let mut record = ReducedBody {
        files: Vec::new(),
        fail: String::new(),
        pass: None,
        bytes_before: program.len() as u64,
        bytes: 0,
        tries: 0,
        slipped: 0,
        is_finished: false,
        screen: None,
        failed: None,
    };
    match reduced {
        Err(failed) => record.failed = Some(failed),
        Ok((reduced, pass)) => {
            for file in &reduced.program.files {
                let id = campaign.put_file(&file.bytes)?;
                record.files.push(FileRecord { name: file.name.clone(), id });
            }
            record.fail = reduced.fail.label();
            record.pass = pass.map(|pass| pass.label());
            record.bytes = reduced.program.len() as u64;
            record.tries = reduced.progress.tries;
            record.slipped = reduced.progress.slipped;
            record.is_finished = reduced.is_finished;
            record.screen = reduced.screen;
        }
    }
    Ok(record)
}

fn journal_of(reader: &Reader, id: FindingId) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(reader.dir().join("reduce"))?;
    Ok(journal_path(reader.dir(), id))
}

/// Where the answers of a reduction under way are kept in a campaign.
pub(crate) fn journal_path(campaign: &Path, id: FindingId) -> PathBuf {
    campaign.join("reduce").join(format!("{id}.journal"))
}
