//! The whole flow for one program: source → judge → records.

use crate::plan::Plan;
use crate::record::{FileRecord, FindingBody, ProgramBody};
use crate::source::{SourceError, Sourced};
use cgen::Construct;
use oracle::{Bug, Judged, NotComparable, Observation, Verdict};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use store::{Campaign, FindingRow, ProgramRow, StoreError};
use toolchain::process::ProcessError;
use toolchain::{BuildError, Program};

/// Why a program could not be tested.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PipelineError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("what was learned can't be kept: {0}")]
    Learning(std::io::Error),
    #[error("finding {id}: {why}")]
    Finding { id: store::FindingId, why: String },
}

impl PipelineError {
    /// Did somebody stop everything?
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(
            self,
            PipelineError::Build(BuildError::Process(ProcessError::Interrupted { .. }))
                | PipelineError::Source(
                    SourceError::Process(ProcessError::Interrupted { .. })
                        | SourceError::Build(BuildError::Process(ProcessError::Interrupted { .. }))
                )
        )
    }
}

/// What came of a program.
pub(crate) enum Tested {
    /// Safe in the store.
    Committed(Committed),
    /// The machine was in trouble: nothing is stored, so that it is tested again.
    Trouble(String),
}

/// What was stored.
pub(crate) struct Committed {
    pub not_comparable: Option<String>,
    pub bugs: Vec<Bug>,
}

/// Makes, judges and stores the program with this index.
pub(crate) fn test(
    plan: &Plan,
    campaign: &Campaign,
    index: u64,
    without: &BTreeSet<Construct>,
    scratch: &Path,
) -> Result<Tested, PipelineError> {
    let Sourced { seed, program } = plan.program(index, without, scratch)?;
    let learn = |bytes: u64, bugs: &[Bug]| match &plan.learning {
        None => Ok(()),
        Some(learning) => {
            learning.brought(index, without, bytes, bugs).map_err(PipelineError::Learning)
        }
    };
    let program = match program {
        Ok(program) => program,
        Err(why) => {
            let category = "no program";
            let body = ProgramBody { bytes: 0, reasons: vec![why] };
            let outcome = format!("not-comparable: {category}");
            let row = ProgramRow { index, seed, outcome, cpu_ms: 0, body: json(&body) };
            learn(0, &[])?;
            campaign.commit_program(&row, &[])?;
            let not_comparable = Some(category.to_owned());
            return Ok(Tested::Committed(Committed { not_comparable, bugs: Vec::new() }));
        }
    };
    let judge = plan.judge(index, program.language);
    let Judged { verdict, observations, dropped } = match judge.judge(&program, scratch) {
        Ok(judged) => judged,
        Err(error) => match error.machine_trouble() {
            Some(trouble) => return Ok(Tested::Trouble(trouble)),
            None => return Err(error.into()),
        },
    };
    let mut reasons: Vec<String> = dropped.iter().map(NotComparable::to_string).collect();
    let mut not_comparable = None;
    let (outcome, bugs) = match verdict {
        Verdict::Agree => ("agree".to_owned(), Vec::new()),
        Verdict::Bugs(bugs) => ("bug".to_owned(), bugs),
        Verdict::NotComparable(NotComparable::Machine(what)) => return Ok(Tested::Trouble(what)),
        Verdict::NotComparable(reason) => {
            reasons.insert(0, reason.to_string());
            not_comparable = Some(reason.category().to_owned());
            (format!("not-comparable: {}", reason.category()), Vec::new())
        }
    };
    let findings = match bugs.as_slice() {
        [] => Vec::new(),
        bugs => finding_rows(plan, campaign, &program, seed, bugs, &observations)?,
    };
    let cpu: Duration = observations.iter().map(|seen| seen.compile_cpu + seen.run_cpu).sum();
    let body = ProgramBody { bytes: program.len() as u64, reasons };
    let cpu_ms = cpu.as_millis() as u64;
    let row = ProgramRow { index, seed, outcome, cpu_ms, body: json(&body) };
    learn(program.len() as u64, &bugs)?;
    campaign.commit_program(&row, &findings)?;
    Ok(Tested::Committed(Committed { not_comparable, bugs }))
}

fn finding_rows(
    plan: &Plan,
    campaign: &Campaign,
    program: &Program,
    seed: base::Seed,
    bugs: &[Bug],
    observations: &[Observation],
) -> Result<Vec<FindingRow>, StoreError> {
    // Files first: a record never names a file that is not there.
    let files: Vec<FileRecord> = program
        .files
        .iter()
        .map(|file| Ok(FileRecord { name: file.name.clone(), id: campaign.put_file(&file.bytes)? }))
        .collect::<Result<_, StoreError>>()?;
    Ok(bugs
        .iter()
        .zip(0..)
        .map(|(bug, ordinal)| {
            let body = FindingBody {
                bug: bug.clone(),
                seed,
                source: plan.source.describe(),
                language: program.language,
                standard: program.standard.clone(),
                files: files.clone(),
                args: program.args.clone(),
                expected: program.expected.clone(),
                observations: observations.to_vec(),
            };
            let (kind, signature) = (bug.kind.to_string(), bug.signature.clone());
            FindingRow { ordinal, kind, signature, body: json(&body) }
        })
        .collect())
}

pub(crate) fn json(body: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(body).expect("records are plain data with string keys")
}
