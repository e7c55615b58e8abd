//! What a compiler tells of its inner life: files that it writes and options that it lists.

use crate::build::{BuildError, Built, compile, lay_out};
use crate::compiler::{CompilerError, ask};
use crate::configuration::Configuration;
use crate::family::NamedPasses;
use crate::process::Limits;
use crate::program::{Program, SourceFile};
use std::path::Path;
use std::sync::Arc;

/// What a compilation without linking left behind.
#[derive(Clone, Debug)]
pub struct Written {
    /// How it went, and what was said.
    pub built: Built,
    /// The wanted files that it wrote, by name.
    pub files: Vec<SourceFile>,
}

/// Compiles without linking, and reads the files that this writes and `is_wanted` wants.
///
/// # Errors
/// When we failed; a compiler that fails is a result.
pub fn written(
    configuration: &Configuration,
    program: &Program,
    limits: Limits,
    scratch: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Written, BuildError> {
    let folder = lay_out(program, scratch)?;
    let built = compile(configuration, program, folder.path(), limits)?;
    let failed = |source| BuildError::Scratch { folder: folder.path().to_owned(), source };
    let mut files = Vec::new();
    for entry in folder.path().read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_wanted(&name) && !program.files.iter().any(|file| file.name == name) {
            files.push(SourceFile { bytes: std::fs::read(entry.path()).map_err(failed)?, name });
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Written { built, files })
}

/// The passes that are on for a program, in the order in which they run, as the compiler lists them.
///
/// # Errors
/// When we failed.
pub fn enabled_passes(
    configuration: &Configuration,
    program: &Program,
    passes: &NamedPasses,
    limits: Limits,
    scratch: &Path,
) -> Result<Vec<String>, BuildError> {
    let said = said_with(passes.list, configuration, program, limits, scratch)?;
    Ok((passes.read)(&said))
}

/// The counters of transformations that a program moves, and how far; none where the compilation does not end well.
///
/// # Errors
/// When we failed.
pub fn counted_transformations(
    configuration: &Configuration,
    program: &Program,
    passes: &NamedPasses,
    limits: Limits,
    scratch: &Path,
) -> Result<Vec<(String, u64)>, BuildError> {
    let said = said_with(passes.counters, configuration, program, limits, scratch)?;
    Ok((passes.read_counters)(&said))
}

/// What it says on standard error with one more argument.
fn said_with(
    arg: &str,
    configuration: &Configuration,
    program: &Program,
    limits: Limits,
    scratch: &Path,
) -> Result<String, BuildError> {
    let mut args = configuration.args.clone();
    args.push(arg.to_owned());
    let listing = Configuration::with_args(Arc::clone(&configuration.compiler), args);
    Ok(written(&listing, program, limits, scratch, &|_| false)?.built.stderr)
}

/// The options that are on, as the compiler lists them for these arguments: `-fgcse`, ….
///
/// # Errors
/// When it does not answer.
pub fn enabled_options(
    configuration: &Configuration,
    passes: &NamedPasses,
) -> Result<Vec<String>, CompilerError> {
    let mut question: Vec<&str> = configuration.args.iter().map(String::as_str).collect();
    question.extend(passes.options);
    let listing = ask(&configuration.compiler.path, &question)?;
    let enabled = listing.lines().filter(|line| line.trim_end().ends_with("[enabled]"));
    Ok(enabled
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| name.starts_with("-f"))
        .map(str::to_owned)
        .collect())
}
