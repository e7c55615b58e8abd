//! What an optimiser would refuse, said before any work, with what may have been meant.

use base::nearest;
use passes::catalogue::read_offered;
use std::path::Path;
use toolchain::{
    BuildError, Compiler, Configuration, Language, Program, discover, offered_passes,
    refused_by_optimiser,
};

/// Why the optimiser of a configuration refuses its pipeline, if it has one and that is refused.
///
/// # Errors
/// When we failed.
pub fn refused_pipeline(
    configuration: &Configuration,
    scratch: &Path,
) -> Result<Option<String>, BuildError> {
    let Some(pipeline) = configuration.pipeline() else { return Ok(None) };
    let compiler = &configuration.compiler;
    let Some(why) = refused_by_optimiser(compiler, &configuration.args, None, scratch)? else {
        return Ok(None);
    };
    if let Err(error) = passes::pipeline::parse(pipeline) {
        return Ok(Some(format!("{configuration}: {why}: {error}")));
    }
    let offered = read_offered(&offered_passes(compiler).unwrap_or_default());
    let names: Vec<&str> = offered.iter().map(|one| one.name.as_str()).collect();
    let passes = passes::pipeline::flat(pipeline);
    let meant = passes.iter().find_map(|pass| {
        let name = pass.split('<').next().unwrap_or(pass);
        let is_refused = why.contains(name) && !names.contains(&name);
        let meant = nearest(name, names.iter().copied()).filter(|_| is_refused)?;
        Some(format!("; {name}: did you mean {meant}?"))
    });
    Ok(Some(format!("{configuration}: {why}{}", meant.unwrap_or_default())))
}

/// Why the optimiser can't read a module that a newer one of the machine can.
///
/// # Errors
/// When we failed.
pub fn newer_module(
    compiler: &Compiler,
    program: &Program,
    scratch: &Path,
) -> Result<Option<String>, BuildError> {
    if program.language != Language::Ir {
        return Ok(None);
    }
    let refused = |compiler: &Compiler| refused_by_optimiser(compiler, &[], Some(program), scratch);
    let Some(why) = refused(compiler)? else { return Ok(None) };
    for other in discover().compilers {
        let is_newer = other.family.name() == compiler.family.name()
            && other.version > compiler.version
            && other.companions.contains_key("opt");
        if is_newer && refused(&other)?.is_none() {
            let (name, newer) = (&compiler.name, &other.name);
            return Ok(Some(format!(
                "{name} can't read it ({why}), {newer} can: it is IR of a newer version"
            )));
        }
    }
    Ok(None)
}
