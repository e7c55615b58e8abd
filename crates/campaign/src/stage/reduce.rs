//! The stage "reduce" of a campaign: a smaller program for each finding.

use super::Done;
use super::sides::Opened;
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{FileRecord, ReducedBody};
use crate::reduction::{ReduceError, Reduced, Reduction, reduce_program};
use base::Budget;
use oracle::{Kind, Premise};
use std::path::{Path, PathBuf};
use store::{Campaign, FindingId, Reader, StoreError};
use toolchain::{Configuration, Program};

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
    // A compiler that does not end takes its whole limit.
    let yes = if matches!(body.bug.kind, Kind::Hang | Kind::Memory) { 20 } else { 1 };
    let journal = journal_of(campaign.reader(), id)
        .map_err(|error| PipelineError::Finding { id, why: error.to_string() })?;
    let reduced = match sides {
        Err(failed) => Err(failed),
        Ok(sides) => {
            let reduction = Reduction {
                program: &program,
                fail: sides.fail,
                pass: sides.pass,
                others: sides.others,
                screener: Some(plan.screener.clone()),
                limiting: plan.limiting,
                jobs: 1,
                budget: Budget::new(None, Some(plan.reduce_tries)),
                yes,
                with: None,
                journal: Some(journal.clone()),
                scratch,
                stop,
                tell: &|_| {},
            };
            match reduce_program(&reduction) {
                Ok(_) if stop() => return Ok(Done::Unfinished),
                Ok(reduced) => Ok((reduced, reduction.pass)),
                Err(ReduceError::Build(error) | ReduceError::Premise(Premise::Build(error))) => {
                    match error.machine_trouble() {
                        Some(trouble) => return Ok(Done::Trouble(trouble)),
                        None => return Err(error.into()),
                    }
                }
                Err(ReduceError::Failed(trouble)) => return Ok(Done::Trouble(trouble)),
                Err(error) => Err(error.to_string()),
            }
        }
    };
    let record = record(campaign, &program, reduced)?;
    campaign.put_stage(&id, REDUCE, &record)?;
    // Only now: a kill before this finds the answers again.
    let _ = std::fs::remove_file(journal);
    Ok(Done::Committed(record))
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
