//! LLVM's own reducer, as a step on the way: it knows the module as LLVM does, but only its test.

use crate::{Answer, Halt, Predicate};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::{Confine, Ended, Job, Limit, Limits, ProcessError, Scratch, run};

/// How `llvm-reduce` is run. The flags are those that its versions 14 to 22 share.
#[derive(Clone, Copy, Debug)]
pub struct LlvmReduce<'a> {
    /// The tool.
    pub program: &'a Path,
    /// A script that exits with 0 if the file that it is given is interesting. It may write in its
    /// working directory, which is also its `TMPDIR`, only.
    pub test: &'a Path,
    /// When it must have ended; what it has reached by then counts.
    pub time: Duration,
    /// Scripts at the same time.
    pub jobs: usize,
    /// A folder for its files.
    pub scratch: &'a Path,
}

/// Why there is nothing from `llvm-reduce`.
#[derive(Debug, thiserror::Error)]
pub enum LlvmReduceError {
    /// There is no such tool.
    #[error("there is no {program}: install LLVM's tools, or go on without it")]
    Missing {
        /// What was looked for.
        program: PathBuf,
    },
    /// It could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Its files could not be written or read.
    #[error("cannot {what} for llvm-reduce: {source}")]
    Files {
        /// What was being done.
        what: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// It gave up.
    #[error("{program} gave up: {why}")]
    GaveUp {
        /// The tool.
        program: PathBuf,
        /// Its last words.
        why: String,
    },
    /// The predicate had no answer about the result.
    #[error(transparent)]
    Halt(#[from] Halt),
}

/// Lets `llvm-reduce` make a module small. What it reached, if that is smaller and `predicate`
/// holds.
///
/// # Errors
/// When the tool is missing or gave up, its files can't be handled, or the predicate has no answer.
pub fn llvm_reduce(
    tool: &LlvmReduce,
    text: &[u8],
    predicate: &dyn Predicate,
) -> Result<Option<Vec<u8>>, LlvmReduceError> {
    let files = |what| move |source| LlvmReduceError::Files { what, source };
    let folder = Scratch::new_in(tool.scratch).map_err(files("make a folder"))?;
    let (input, output) = (folder.path().join("input.ll"), folder.path().join("output.ll"));
    std::fs::write(&input, text).map_err(files("write the module"))?;
    let test = std::path::absolute(tool.test).map_err(files("find the test"))?;
    let mut argument = std::ffi::OsString::from("--test=");
    argument.push(test);
    let job = Job::new(tool.program, folder.path())
        .arg(argument)
        .args(["-o", "output.ll", "-j"])
        .arg(tool.jobs.max(1).to_string())
        .arg("input.ll")
        .confine(Confine::sanitizer())
        .limits(Limits {
            wall: tool.time,
            cpu: tool.time.saturating_mul(u32::try_from(tool.jobs.max(1)).unwrap_or(u32::MAX)),
            processes: 512,
            ..Limits::tool()
        });
    let ran = run(&job).map_err(|error| match error {
        ProcessError::NotFound { program } => LlvmReduceError::Missing { program },
        error => LlvmReduceError::Process(error),
    })?;
    // It writes its best so far whenever it gets one, so a stop loses only what came after.
    let stopped = matches!(ran.ended, Ended::Limit(Limit::Wall | Limit::Cpu));
    let reached = match std::fs::read(&output) {
        Ok(reached) => reached,
        Err(error) if error.kind() == io::ErrorKind::NotFound && stopped => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let said = String::from_utf8_lossy(&ran.stderr);
            let why = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("silent");
            let why = format!("{:?}: {why}", ran.ended);
            return Err(LlvmReduceError::GaveUp { program: tool.program.to_owned(), why });
        }
        Err(error) => return Err(files("read the result")(error)),
    };
    // It pads its comments to a column, which hides what it has gained.
    let reached = passes::ir::stripped(&reached);
    if reached.len() >= text.len() || !predicate.is_plausible(&reached) {
        return Ok(None);
    }
    Ok((predicate.ask(&reached)? == Answer::Interesting).then_some(reached))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    const MODULE: &str = "\
define i32 @f(i32 %a, i32 %b) {
  %c = add i32 %a, %b
  %d = sdiv i32 %c, 3
  ret i32 %d
}
define i32 @g(i32 %a) {
  ret i32 %a
}
";

    fn check(program: &str, test: &str) -> Result<Option<Vec<u8>>, LlvmReduceError> {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("test.sh");
        std::fs::write(&script, format!("#!/bin/sh\n{test}\n")).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let tool = LlvmReduce {
            program: Path::new(program),
            test: &script,
            time: Duration::from_secs(60),
            jobs: 1,
            scratch: folder.path(),
        };
        let predicate = |text: &[u8]| {
            let kept = text.windows(4).any(|word| word == b"sdiv");
            Ok(if kept { Answer::Interesting } else { Answer::Boring })
        };
        llvm_reduce(&tool, MODULE.as_bytes(), &predicate)
    }

    #[test]
    fn a_missing_tool_is_told_clearly() {
        let error = check("no-such-llvm-reduce", "true").unwrap_err();
        assert!(matches!(error, LlvmReduceError::Missing { .. }), "{error}");
    }

    #[test]
    fn the_result_is_smaller_and_interesting_or_none() {
        let mut found = 0;
        for version in [14, 15, 16, 19, 22] {
            let program = format!("/usr/lib/llvm-{version}/bin/llvm-reduce");
            if !Path::new(&program).exists() {
                eprintln!("skipped: there is no {program}");
                continue;
            }
            found += 1;
            let reduced = check(&program, "grep -q sdiv \"$1\"").unwrap().unwrap();
            assert!(reduced.len() < 80, "{}", String::from_utf8_lossy(&reduced));
            // Its test is laxer than the predicate: what it reached is not taken.
            assert_eq!(check(&program, "true").unwrap(), None);
            assert!(matches!(check(&program, "false"), Err(LlvmReduceError::GaveUp { .. })));
        }
        eprintln!("{found} versions of llvm-reduce");
    }
}
