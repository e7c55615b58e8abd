//! What an optimiser runs for a level.

use crate::build::BuildError;
use crate::configuration::Configuration;
use crate::process::{self, Confine, Ended, Job, Scratch};
use std::path::Path;

/// The arguments of an optimiser with the pipeline in the place of the level that stands for it;
/// nothing when no argument does, or the optimiser does not tell.
///
/// # Errors
/// When we failed.
pub fn spelled_out(
    configuration: &Configuration,
    scratch: &Path,
) -> Result<Option<Vec<String>>, BuildError> {
    let compiler = &configuration.compiler;
    let family = compiler.family;
    let stands_for = |arg: &String| family.prints_pipeline(arg);
    let Some(at) = configuration.args.iter().position(|arg| stands_for(arg).is_some()) else {
        return Ok(None);
    };
    let (Some(opt), Some(print)) =
        (compiler.companions.get("opt"), stands_for(&configuration.args[at]))
    else {
        return Ok(None);
    };
    let failed = |source| BuildError::Scratch { folder: scratch.to_owned(), source };
    let folder = Scratch::new_in(scratch).map_err(failed)?;
    // An empty module: only the names of the passes are wanted.
    let job = Job::new(opt, folder.path()).args(&configuration.args).args(print);
    let run = process::run(&job.confine(Confine::full()))?;
    let printed = String::from_utf8_lossy(&run.stdout);
    let pipeline = printed.lines().next().unwrap_or_default().trim();
    if run.ended != Ended::Exit(0) || pipeline.is_empty() {
        return Ok(None);
    }
    let mut args = configuration.args.clone();
    args[at] = family.pipeline_arg(pipeline);
    Ok(Some(args))
}
