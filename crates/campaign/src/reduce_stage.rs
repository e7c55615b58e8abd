//! The stage "reduce" of a campaign: a smaller program for each finding.

use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::{FileRecord, FindingBody, ReducedBody};
use crate::reduction::{ReduceError, Reduced, Reduction, reduce_program};
use crate::replay::program_of;
use base::Budget;
use oracle::{Bug, Kind, Observation, Outcome};
use std::path::{Path, PathBuf};
use store::{Campaign, FindingId, Page, Reader, StoreError};
use toolchain::{Configuration, Program};

/// The stage's name in the store.
pub const REDUCE: &str = "reduce";

/// What came of a reduction.
pub(crate) enum Stage {
    /// Safe in the store.
    Committed(ReducedBody),
    /// Stopped; its answers are kept.
    Unfinished,
    /// The machine was in trouble.
    Trouble(String),
}

/// The findings that have not been reduced.
pub(crate) fn pending(campaign: &Campaign) -> Result<Vec<FindingId>, StoreError> {
    let reader = campaign.reader();
    let mut found = Vec::new();
    let mut page = Some(Page::first(500));
    while let Some(current) = page {
        let listing = reader.findings(current)?;
        for finding in &listing.rows {
            if !reader.stages(&finding.id)?.rows.iter().any(|stage| stage.stage == REDUCE) {
                found.push(finding.id);
            }
        }
        page = listing.next;
    }
    Ok(found)
}

/// What the reduction of a finding gave, if it was made.
///
/// # Errors
/// When it can't be read.
pub fn reduced_of(reader: &Reader, id: &FindingId) -> Result<Option<ReducedBody>, StoreError> {
    let stages = reader.stages(id)?;
    let stage = stages.rows.into_iter().find(|stage| stage.stage == REDUCE);
    Ok(stage.and_then(|stage| serde_json::from_value(stage.body).ok()))
}

/// Reduces a finding, and stores the result.
pub(crate) fn reduce(
    plan: &Plan,
    campaign: &Campaign,
    id: FindingId,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Stage, PipelineError> {
    let why = |why: String| PipelineError::Reduce { id, why };
    let finding = campaign.reader().finding(&id)?.ok_or_else(|| why("it is gone".to_owned()))?;
    let body: FindingBody =
        serde_json::from_value(finding.body).map_err(|error| why(error.to_string()))?;
    let program = program_of(campaign.reader(), &body)?;
    let sides = Sides::of(plan, id, &program, &body.bug, &body.observations);
    // A question about a compiler that does not end costs its whole limit.
    let slow = matches!(body.bug.kind, Kind::Hang | Kind::Memory);
    let tries = if slow { plan.reduce_tries.div_ceil(20) } else { plan.reduce_tries };
    let journal = journal_of(campaign.reader(), id).map_err(|error| why(error.to_string()))?;
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
                budget: Budget::new(None, Some(tries)),
                with: None,
                journal: Some(journal.clone()),
                scratch,
                stop,
                tell: &|_| {},
            };
            match reduce_program(&reduction) {
                Ok(_) if stop() => return Ok(Stage::Unfinished),
                Ok(reduced) => Ok((reduced, reduction.pass)),
                Err(ReduceError::Build(error)) => match error.machine_trouble() {
                    Some(trouble) => return Ok(Stage::Trouble(trouble)),
                    None => return Err(error.into()),
                },
                Err(ReduceError::Failed(trouble)) => return Ok(Stage::Trouble(trouble)),
                Err(error) => Err(error.to_string()),
            }
        }
    };
    let record = record(campaign, &program, reduced)?;
    campaign.put_stage(&id, REDUCE, &record)?;
    // Only now: a kill before this finds the answers again.
    let _ = std::fs::remove_file(journal);
    Ok(Stage::Committed(record))
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

/// Who fails and who does not.
struct Sides {
    fail: Configuration,
    pass: Option<Configuration>,
    others: Vec<Configuration>,
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
            (Some(expected), Outcome::Ran(behaviour)) => behaviour == expected,
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

fn journal_of(reader: &Reader, id: FindingId) -> std::io::Result<PathBuf> {
    let folder = reader.dir().join("reduce");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("{id}.journal")))
}
