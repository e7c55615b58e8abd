//! How often a compiler's optimisations did something.

use crate::build::{BuildError, compile_args};
use crate::configuration::Configuration;
use crate::process::{self, Ended, Job, Limits};
use crate::program::Program;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Compiles the units of `program`, whose files are in `dir`, and counts what optimisations did,
/// by `pass: what`, with the CPU time of the compilation; nothing for a family that can't say.
///
/// # Errors
/// When we failed. A compilation that failed counts nothing.
pub fn count_optimisations(
    configuration: &Configuration,
    program: &Program,
    dir: &Path,
    limits: Limits,
) -> Result<Option<(BTreeMap<String, u64>, Duration)>, BuildError> {
    let compiler = &configuration.compiler;
    let Some(counters) = compiler.family.counters() else { return Ok(None) };
    let mut all = BTreeMap::new();
    let mut cpu = Duration::ZERO;
    for unit in program.units().filter(|unit| !crate::build::defines_main(unit)) {
        let job = Job::new(&compiler.path, dir)
            .args(compile_args(configuration, program))
            .args(counters.args)
            .args(["-c", &unit.name, "-o", "counted.o"])
            .limits(limits);
        let run = process::run(&job)?;
        cpu += run.usage.user + run.usage.system;
        if run.ended != Ended::Exit(0) {
            continue;
        }
        let Ok(entries) = dir.read_dir() else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if !path.to_string_lossy().ends_with(counters.file) {
                continue;
            }
            if let Ok(text) = std::fs::read_to_string(&path) {
                (counters.read)(&text, &mut all);
            }
            let _ = std::fs::remove_file(&path);
        }
    }
    Ok(Some((all, cpu)))
}
