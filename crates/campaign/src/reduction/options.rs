//! The arguments that a failure takes: the shortest list, and of a pipeline the fewest passes.

use super::question::ask_about;
use super::{ReduceError, Work};
use base::Edit;
use passes::pipeline::Stage;
use reduce::{Answer, Change, Halt, Search};
use std::sync::Arc;
use toolchain::{Configuration, Language};

/// What separates arguments in the text that is reduced.
const SEPARATOR: u8 = b'\n';

/// Is the pipeline, if there is one, a pipeline?
pub(super) fn check_pipeline(fail: &Configuration) -> Result<(), ReduceError> {
    for pipeline in fail.args.iter().filter_map(|arg| fail.compiler.family.pipeline_in(arg)) {
        passes::pipeline::parse(pipeline)
            .map_err(|error| ReduceError::Pipeline(format!("the pipeline {pipeline}: {error}")))?;
    }
    Ok(())
}

/// Does a pipeline use a pass without what it needs? What goes wrong then is no bug.
fn is_misused(configuration: &Configuration) -> bool {
    let pipeline = configuration.pipeline().and_then(|text| passes::pipeline::parse(text).ok());
    pipeline.is_some_and(|pipeline| passes::sequence::misuse(&pipeline).is_some())
}

impl Work<'_> {
    /// A level stands for a pipeline of a hundred passes: spelled out, they can go one by one.
    fn spell_out(&mut self) -> Result<(), ReduceError> {
        let scratch = self.reduction.scratch;
        let Some(args) = toolchain::spelled_out(&self.bug.fail, scratch)? else { return Ok(()) };
        let fail = Configuration::with_args(Arc::clone(&self.bug.fail.compiler), args);
        let spelled = self.bug.with_fail(fail);
        let same = ask_about(&spelled, &self.program, false, scratch);
        if matches!(same, Ok(Answer::Interesting)) {
            self.bug = spelled;
        }
        Ok(())
    }

    /// Reduces the failing arguments, with the program as it is: first the list, then pipelines in
    /// it.
    pub(super) fn options(&mut self) -> Result<(), ReduceError> {
        let is_optimiser =
            self.program.language == Language::Ir || self.bug.fail.pipeline().is_some();
        if is_optimiser {
            self.spell_out()?;
        }
        let scratch = self.reduction.scratch;
        let bug = self.bug.settled(&self.program, scratch)?;
        let program = self.program.clone();
        let compiler = Arc::clone(&bug.fail.compiler);
        let configuration = |text: &[u8]| {
            let args = text
                .split(|&c| c == SEPARATOR)
                .filter(|arg| !arg.is_empty())
                .map(|arg| String::from_utf8_lossy(arg).into_owned())
                .collect();
            Configuration::with_args(Arc::clone(&compiler), args)
        };
        let was_misused = is_misused(&bug.fail);
        let predicate = |text: &[u8]| -> Result<Answer, Halt> {
            let fail = configuration(text);
            // Another data model is another program; without a pipeline it would be another compilation.
            let is_other = fail.data_model != bug.fail.data_model
                || bug.fail.pipeline().is_some() && fail.pipeline().is_none();
            if is_other || !was_misused && is_misused(&fail) {
                return Ok(Answer::Boring);
            }
            let changed = bug.with_fail(fail);
            ask_about(&changed, &program, false, scratch)
        };
        let levels = if is_optimiser { &[][..] } else { compiler.family.levels() };
        let text: Vec<u8> = bug.fail.args.join("\n").into_bytes();
        let family = compiler.family;
        let make = |search: &Search<'_>| {
            reduce::to_fixpoint(search, text.clone(), 2 + Stage::ALL.len(), |sort, text| match sort
            {
                0 => deletions(text),
                1 => lower_levels(text, levels),
                _ => pipeline_changes(text, Stage::ALL[sort - 2], |arg| family.pipeline_in(arg)),
            })
        };
        let reached = self.search(("options", &text), &predicate, make, &|_| {})?;
        self.bug = self.bug.with_fail(configuration(&reached));
        Ok(())
    }
}

/// Each argument may go. One that has its value in the next goes with it.
fn deletions(text: &[u8]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut start = 0;
    for arg in text.split_inclusive(|&c| c == SEPARATOR) {
        let end = start + arg.len();
        found.push(vec![Edit::delete(start..end)]);
        start = end;
    }
    for at in 0..found.len().saturating_sub(1) {
        let both = found[at][0].range.start..found[at + 1][0].range.end;
        found.push(vec![Edit::delete(both)]);
    }
    found
}

/// A level by a lower one, the lowest tried first.
fn lower_levels(text: &[u8], levels: &[&str]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut start = 0;
    for arg in text.split_inclusive(|&c| c == SEPARATOR) {
        let bare = arg.strip_suffix(&[SEPARATOR]).unwrap_or(arg);
        let range = start..start + bare.len();
        let at = levels.iter().position(|level| level.as_bytes() == bare);
        // Groups of changes to one place make the first of them.
        for level in levels[..at.unwrap_or_default()].iter().rev() {
            found.push(vec![Edit::replace(range.clone(), *level)]);
        }
        start += arg.len();
    }
    found
}

/// What may go from the pipelines among the arguments.
fn pipeline_changes<'t>(
    text: &'t [u8],
    stage: Stage,
    pipeline_in: impl Fn(&'t str) -> Option<&'t str>,
) -> Vec<Change> {
    let mut found = Vec::new();
    let mut start = 0;
    for arg in text.split_inclusive(|&c| c == SEPARATOR) {
        let bare = arg.strip_suffix(&[SEPARATOR]).unwrap_or(arg);
        if let Some(pipeline) = std::str::from_utf8(bare).ok().and_then(&pipeline_in) {
            let at = start + bare.len() - pipeline.len();
            let mut changes = passes::pipeline::changes(pipeline, stage);
            for edit in changes.iter_mut().flatten() {
                edit.range = edit.range.start + at..edit.range.end + at;
            }
            found.extend(changes);
        }
        start += arg.len();
    }
    found
}
