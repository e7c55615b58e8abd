//! Which compilers of the machine fail on the program.

use crate::bisect::BisectError;
use crate::failing::{Failing, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use toolchain::{Compiler, Configuration};

/// What one compiler makes of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionResult {
    /// Its name.
    pub compiler: String,
    /// Its version.
    pub version: String,
    /// Does it fail in the same way? Nothing when that can't be told.
    pub fails: Option<bool>,
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
            let configuration =
                Configuration::with_args(Arc::clone(compiler), failing.fail.args.clone());
            let fails = match failing.ask_of(&failing.program, &configuration) {
                Ok(Side::Bad) => Some(true),
                Ok(Side::Good) => Some(false),
                Ok(Side::Unclear) => None,
                // An older one without its optimiser, say.
                Err(BisectError::Build(_)) => None,
                Err(error) => return Err(error),
            };
            Ok(VersionResult {
                compiler: compiler.name.clone(),
                version: compiler.version.to_string(),
                fails,
            })
        })
        .collect()
}
