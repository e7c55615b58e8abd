//! Which compilers of the machine fail on the program.

use crate::bisect::BisectError;
use crate::failing::{Failing, Side};
use passes::catalogue::{read_offered, respelled};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use toolchain::{Compiler, Configuration, is_not_asserted, offered_passes};

/// What is said of a compiler that can't fail as another did.
pub const NOT_ASSERTED: &str = "does right, but its build checks no assertions";

/// What one compiler makes of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionResult {
    /// Its name.
    pub compiler: String,
    /// Its version.
    pub version: String,
    /// Does it fail in the same way? Nothing when that can't be told.
    pub fails: Option<bool>,
    /// What it does instead, or why it can't be told.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Arguments with the names that passes have with another compiler.
#[must_use]
pub fn spelled_for(compiler: &Compiler, args: &[String]) -> Vec<String> {
    let pipeline_in = |arg: &'_ String| compiler.family.pipeline_in(arg).map(str::to_owned);
    if !args.iter().any(|arg| pipeline_in(arg).is_some()) {
        return args.to_vec();
    }
    // Without a list, what it does not know is refused.
    let offered = read_offered(&offered_passes(compiler).unwrap_or_default());
    let spelled = |arg: &String| match pipeline_in(arg) {
        Some(pipeline) => arg.replace(&pipeline, &respelled(&pipeline, &offered)),
        None => arg.clone(),
    };
    args.iter().map(spelled).collect()
}

/// Tries every compiler of the same family and target, oldest first, with the failing arguments.
///
/// # Errors
/// When we failed.
pub fn versions(
    failing: &Failing<'_>,
    known: &[Arc<Compiler>],
) -> Result<Vec<VersionResult>, BisectError> {
    let own = &failing.fail.compiler;
    let mut all: Vec<Arc<Compiler>> = known
        .iter()
        .filter(|other| other.family.name() == own.family.name() && other.target == own.target)
        .cloned()
        .collect();
    if !all.iter().any(|other| other.path == own.path) {
        all.push(Arc::clone(own));
    }
    all.sort_by(|one, other| (&one.version, &one.name).cmp(&(&other.version, &other.name)));
    // `gcc` and `gcc-12` may be one compiler; the one that was asked about keeps its name.
    let file = |compiler: &Compiler| compiler.path.canonicalize().ok();
    let repeats = |at: usize| {
        let same = |other: &Arc<Compiler>| file(other).is_some() && file(other) == file(&all[at]);
        all[at].path != own.path && (same(own) || all[..at].iter().any(same))
    };
    let kept: Vec<Arc<Compiler>> =
        (0..all.len()).filter(|at| !repeats(*at)).map(|at| Arc::clone(&all[at])).collect();
    kept.iter()
        .map(|compiler| {
            let args = spelled_for(compiler, &failing.fail.args);
            let configuration = Configuration::with_args(Arc::clone(compiler), args);
            let (fails, note) = match failing.look(&failing.program, &configuration) {
                Ok((Side::Bad, _)) => (Some(true), String::new()),
                Ok((Side::Good, _)) if is_not_asserted(compiler, &failing.bug.signature)? => {
                    (None, NOT_ASSERTED.to_owned())
                }
                Ok((Side::Good, _)) => (Some(false), String::new()),
                Ok((Side::Unclear, seen)) => (None, seen),
                // An older one without its optimiser, say.
                Err(BisectError::Build(error)) => (None, error.to_string()),
                Err(error) => return Err(error),
            };
            Ok(VersionResult {
                compiler: compiler.name.clone(),
                version: compiler.version.to_string(),
                fails,
                note,
            })
        })
        .collect()
}
