//! Warnings that betray undefined behaviour.

use super::{ScreenCheck, ScreenResult};
use crate::observation::Limiting;
use std::path::Path;
use std::sync::Arc;
use toolchain::{BuildError, Compiler, Configuration, Program, build};

pub(super) fn check(
    compiler: &Arc<Compiler>,
    program: &Program,
    limiting: &Limiting,
    dir: &Path,
    checks: &mut Vec<ScreenCheck>,
) -> Result<(), BuildError> {
    let Some(warnings) = compiler.family.undefined_warnings() else { return Ok(()) };
    let by = format!("{} warnings", compiler.name);
    let args = warnings.args.iter().map(|&arg| arg.to_owned()).collect();
    let configuration = Configuration::with_args(Arc::clone(compiler), args);
    let built = build(&configuration, program, dir, "warned.out", limiting.compiler)?;
    if built.result.is_err() {
        checks.push(ScreenCheck::skipped(by, "it does not compile the program"));
        return Ok(());
    }
    let said = |names: &[&str]| {
        built
            .stderr
            .lines()
            .find(|line| names.iter().any(|name| line.contains(&format!("[{name}"))))
            .map(str::to_owned)
    };
    checks.push(if let Some(line) = said(warnings.certain) {
        ScreenCheck::new(by, ScreenResult::Alarm, line)
    } else if let Some(line) = said(warnings.possible) {
        ScreenCheck::new(by, ScreenResult::Caution, line)
    } else {
        ScreenCheck::new(by, ScreenResult::Clean, "")
    });
    Ok(())
}
