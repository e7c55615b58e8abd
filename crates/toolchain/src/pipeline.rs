//! What an optimiser offers, and what it runs for a level.

use crate::build::{BuildError, lay_out};
use crate::compiler::{Compiler, CompilerError, ask};
use crate::configuration::Configuration;
use crate::family::Failure;
use crate::process::{self, Confine, Ended, Job, Limits, Scratch};
use crate::program::{Language, Program};
use crate::version::Version;
use std::path::Path;

/// The passes that the compiler's optimiser offers, as it lists them; empty where there is none.
///
/// # Errors
/// When it does not answer.
pub fn offered_passes(compiler: &Compiler) -> Result<String, CompilerError> {
    match (compiler.companions.get("opt"), compiler.family.lists_passes()) {
        (Some(opt), Some(list)) => ask(opt, &[list]),
        _ => Ok(String::new()),
    }
}

/// Is there an optimiser of the compiler's very version? IR of another may not be read, or mean something
/// else.
///
/// # Errors
/// When it does not answer.
pub fn has_own_optimiser(compiler: &Compiler) -> Result<bool, CompilerError> {
    let Some(opt) = compiler.companions.get("opt") else { return Ok(false) };
    let said = ask(opt, compiler.family.version_args())?;
    let version = said
        .lines()
        .find_map(|line| line.split_once("version "))
        .and_then(|(_, rest)| Version::find(rest));
    Ok(version.is_some_and(|version| version == compiler.version))
}

/// Is this the message of an assertion that the compiler's build does not check? Then that it does right says nothing.
///
/// # Errors
/// When it does not answer.
pub fn is_not_asserted(compiler: &Compiler, signature: &str) -> Result<bool, CompilerError> {
    let Some(words) = compiler.family.says_that_it_asserts() else { return Ok(false) };
    if !signature.starts_with("Assertion ") {
        return Ok(false);
    }
    let said = match compiler.companions.get("opt") {
        Some(opt) => ask(opt, compiler.family.version_args())?,
        None => ask(&compiler.path, &["-cc1", "-version"])?,
    };
    Ok(!said.contains(words))
}

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

/// What the compiler's optimiser says when it refuses these arguments, or a module; nothing when it takes them, or there
/// is none.
///
/// # Errors
/// When we failed.
pub fn refused_by_optimiser(
    compiler: &Compiler,
    args: &[String],
    module: Option<&Program>,
    scratch: &Path,
) -> Result<Option<String>, BuildError> {
    let Some(opt) = compiler.companions.get("opt") else { return Ok(None) };
    // An empty module where none is given: only the arguments are in question.
    let empty = Program::single("empty.ll", Language::Ir, "");
    let module = module.unwrap_or(&empty);
    let folder = lay_out(module, scratch)?;
    let mut args = args.to_vec();
    args.extend(compiler.family.prints_only().iter().map(|&arg| arg.to_owned()));
    args.extend(module.units().map(|unit| unit.name.clone()));
    let job = Job::new(opt, folder.path()).args(&args).limits(Limits::compiler());
    let run = process::run(&job.confine(Confine::full()))?;
    if run.ended == Ended::Exit(0) {
        return Ok(None);
    }
    Ok(match compiler.family.failure(&run, &args) {
        Failure::Rejected(why) => Some(why),
        _ => None,
    })
}

/// The passes that the optimiser runs for a configuration, spelled out: nothing where it is no program of its own, or
/// does not tell.
///
/// # Errors
/// When we failed.
pub fn optimiser_pipeline(
    configuration: &Configuration,
    scratch: &Path,
) -> Result<Option<String>, BuildError> {
    let args = match (configuration.pipeline(), configuration.apart(&configuration.args)) {
        (Some(_), _) => configuration.args.clone(),
        (None, Some(apart)) => apart.optimise,
        (None, None) => return Ok(None),
    };
    let optimiser = Configuration { args, ..configuration.clone() };
    let args = spelled_out(&optimiser, scratch)?.unwrap_or(optimiser.args);
    let family = configuration.compiler.family;
    Ok(args.iter().find_map(|arg| family.pipeline_in(arg)).map(str::to_owned))
}

/// What the passes of a configuration's pipeline print about a module; nothing where the optimiser fails.
///
/// # Errors
/// When there is no optimiser, or we failed.
pub fn printed_by_passes(
    configuration: &Configuration,
    module: &Program,
    limits: Limits,
    scratch: &Path,
) -> Result<Option<Vec<u8>>, BuildError> {
    let compiler = &configuration.compiler;
    let opt = compiler.companions.get("opt");
    let opt = opt.ok_or_else(|| BuildError::NoOpt(compiler.name.clone()))?;
    let folder = lay_out(module, scratch)?;
    let mut args = configuration.args.clone();
    args.extend(compiler.family.prints_only().iter().map(|&arg| arg.to_owned()));
    args.extend(module.units().map(|unit| unit.name.clone()));
    let limits = Limits { output: Program::MAX_BYTES, ..limits };
    let job = Job::new(opt, folder.path()).args(&args).limits(limits);
    let run = process::run(&job.confine(Confine::full()))?;
    Ok((run.ended == Ended::Exit(0)).then(|| [run.stdout, run.stderr].concat()))
}
