//! A saved finding, run again exactly.

use crate::record::{CompilerRecord, FindingBody, PlanRecord};
use oracle::{Judge, Judged, Screener};
use std::path::Path;
use std::sync::Arc;
use store::{FindingId, Reader, StoreError};
use toolchain::{
    BuildError, Compiler, CompilerError, CompilerSpec, Configuration, Program, SourceFile,
};

/// What running it again gave.
#[derive(Debug)]
pub struct Replayed {
    /// The finding as it is saved.
    pub saved: FindingBody,
    /// Its program.
    pub program: Program,
    /// The verdict now, with what each configuration did now.
    pub now: Judged,
    /// Compilers that are not as they were, by name.
    pub changed: Vec<String>,
}

/// Why it can't be run again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such finding.
    #[error("the campaign has no finding {0}; whodunit status lists them")]
    NoSuchFinding(FindingId),
    /// The record has another form.
    #[error("finding {id} cannot be read: {source}")]
    Unreadable {
        /// Which.
        id: FindingId,
        /// Why.
        source: serde_json::Error,
    },
    /// A compiler is gone.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Runs the finding again: the same program, the same configurations, the same vote.
///
/// # Errors
/// When it can't be read, or a compiler is gone.
pub fn replay(reader: &Reader, id: FindingId, scratch: &Path) -> Result<Replayed, ReplayError> {
    let plan: PlanRecord = reader.plan()?;
    let finding = reader.finding(&id)?.ok_or(ReplayError::NoSuchFinding(id))?;
    let saved: FindingBody = serde_json::from_value(finding.body)
        .map_err(|source| ReplayError::Unreadable { id, source })?;
    let program = program_of(reader, &saved)?;
    let mut compilers: Vec<Arc<Compiler>> = Vec::new();
    let mut changed = Vec::new();
    for record in &plan.compilers {
        let compiler = open(record)?;
        if compiler.identity != record.identity {
            changed.push(record.name.clone());
        }
        compilers.push(Arc::new(compiler));
    }
    let configurations = saved
        .observations
        .iter()
        .filter_map(|seen| {
            let (name, args) = seen.label.split_once(' ').unwrap_or((&seen.label, ""));
            let compiler = compilers.iter().find(|compiler| compiler.name == name)?;
            Some(Configuration::new(Arc::clone(compiler), args))
        })
        .collect();
    let judge = Judge {
        watch: None,
        configurations,
        screener: Screener::new(&compilers, plan.limiting),
        limiting: plan.limiting,
        baseline: plan.baseline,
    };
    let now = judge.judge(&program, scratch)?;
    Ok(Replayed { saved, program, now, changed })
}

pub(crate) fn program_of(reader: &Reader, saved: &FindingBody) -> Result<Program, StoreError> {
    let files = saved
        .files
        .iter()
        .map(|file| Ok(SourceFile { name: file.name.clone(), bytes: reader.get_file(file.id)? }))
        .collect::<Result<_, StoreError>>()?;
    Ok(Program {
        language: saved.language,
        files,
        standard: saved.standard.clone(),
        args: saved.args.clone(),
        expected: saved.expected.clone(),
    })
}

pub(crate) fn open(record: &CompilerRecord) -> Result<Compiler, CompilerError> {
    Compiler::open(&CompilerSpec {
        name: Some(record.name.clone()),
        path: record.build.as_ref().unwrap_or(&record.path).to_string_lossy().into_owned(),
        args: record.args.clone(),
        data_model: Some(record.data_model),
        runner: Some(record.runner.clone()),
    })
}
