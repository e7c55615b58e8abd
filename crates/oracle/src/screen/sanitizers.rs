//! Running the program under the sanitizers of a compiler.

use super::{ScreenCheck, ScreenResult};
use crate::observation::Limiting;
use std::path::Path;
use std::sync::Arc;
use toolchain::family::{Failure, Linked, Sanitizer};
use toolchain::process::{Confine, Limits, ProcessError};
use toolchain::{BuildError, Compiler, Configuration, End, Program, build, execute};

/// Runs the program under a sanitizer.
pub(super) fn check(
    compiler: &Arc<Compiler>,
    sanitizer: &Sanitizer,
    program: &Program,
    limiting: &Limiting,
    dir: &Path,
) -> Result<ScreenCheck, BuildError> {
    let by = format!("{} -fsanitize={}", compiler.name, sanitizer.name);
    let args = sanitizer.args.iter().map(|&arg| arg.to_owned()).collect();
    let configuration =
        Configuration::with_args(Arc::clone(compiler), args).linking_quickly(Linked::Sanitized);
    // Instrumented code is several times slower and larger to compile and to run.
    let slower = |limits: Limits| Limits {
        cpu: limits.cpu * 4,
        wall: limits.wall * 4,
        memory: limits.memory * 4,
        ..limits
    };
    let built = build(&configuration, program, dir, "screen.out", slower(limiting.compiler))?;
    let executable = match built.result {
        Ok(executable) => executable,
        Err((_, failure)) => return Ok(ScreenCheck::skipped(by, why_not(&failure))),
    };
    let limits = slower(limiting.program);
    let confine = Confine::sanitizer();
    let executed = match execute(compiler, &executable, dir, limits, confine, sanitizer.env) {
        Err(ProcessError::NotExecutable { .. } | ProcessError::NotFound { .. }) => {
            return Ok(ScreenCheck::skipped(by, "what it made cannot be run"));
        }
        executed => executed?,
    };
    let alarm = executed
        .stderr
        .lines()
        .find(|line| sanitizer.alarms.iter().any(|alarm| line.contains(alarm)));
    Ok(match (alarm, &executed.behaviour.end) {
        (Some(line), _) => ScreenCheck::new(by, ScreenResult::Alarm, short(line)),
        (None, End::Exit(_) | End::Signal(_)) => ScreenCheck::new(by, ScreenResult::Clean, ""),
        (None, end) => ScreenCheck::skipped(by, format!("stopped: {end:?}")),
    })
}

fn why_not(failure: &Failure) -> String {
    match failure {
        Failure::Rejected(why) => format!("cannot build with it: {}", short(why)),
        Failure::Crash(crash) => format!("it crashes: {}", crash.signature),
        other => format!("it fails: {other:?}"),
    }
}

/// `==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x…` without process numbers
/// and addresses, which change from run to run.
fn short(line: &str) -> String {
    let line = line.trim();
    let line = match line.strip_prefix("==").and_then(|rest| rest.split_once("==")) {
        Some((_, rest)) => rest,
        None => line,
    };
    toolchain::normalise(line).chars().take(200).collect()
}
