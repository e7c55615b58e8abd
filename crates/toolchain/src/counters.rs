//! How often a compiler's optimisations did something.

use crate::build::{BuildError, compile_args};
use crate::configuration::Configuration;
use crate::process::{self, Ended, Job, Limits};
use crate::program::Program;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What optimisations did in a compilation.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Events by `pass: what`.
    pub events: BTreeMap<String, u64>,
    /// CPU time of the compilation.
    pub cpu: Duration,
}

/// Compiles the units of `program`, whose files are in `dir`, and counts what optimisations did;
/// nothing for a family that can't say.
///
/// # Errors
/// When we failed. A compilation that failed counts nothing.
pub fn count_optimisations(
    configuration: &Configuration,
    program: &Program,
    dir: &Path,
    limits: Limits,
) -> Result<Option<Counted>, BuildError> {
    let compiler = &configuration.compiler;
    let Some(counters) = compiler.family.counters() else { return Ok(None) };
    let mut counted = Counted::default();
    for unit in program.units().filter(|unit| !crate::build::defines_main(unit)) {
        let job = Job::new(&compiler.path, dir)
            .args(compile_args(configuration, program))
            .args(counters.args)
            .args(["-c", &unit.name, "-o", "counted.o"])
            .limits(limits);
        let run = process::run(&job)?;
        counted.cpu += run.usage.user + run.usage.system;
        if run.ended != Ended::Exit(0) {
            continue;
        }
        let Ok(entries) = dir.read_dir() else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if !path.to_string_lossy().ends_with(counters.file) {
                continue;
            }
            if let Ok(text) = std::fs::read_to_string(&path) {
                (counters.read)(&text, &mut counted.events);
            }
            let _ = std::fs::remove_file(&path);
        }
    }
    Ok(Some(counted))
}
