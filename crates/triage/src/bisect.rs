//! The first bad step, by whatever switches the compiler has.

use crate::counted;
use crate::culprit::Culprit;
use crate::failing::Failing;
use crate::named;
use oracle::Premise;
use toolchain::family::{Family, Stepping};
use toolchain::{BuildError, CompilerError};

/// How much is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Only the pass: enough to tell findings apart.
    Pass,
    /// All that helps whoever mends it.
    Full,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum BisectError {
    /// The program does not fail, or not reliably.
    #[error(transparent)]
    Premise(#[from] Premise),
    /// The compiler has no switches for it.
    #[error("{0} has no switches to stop it on its way, so its steps can't be told apart")]
    NoSwitches(String),
    /// Somebody asked.
    #[error("stopped")]
    Stopped,
    /// The machine was in trouble.
    #[error("the machine is in trouble: {0}")]
    Machine(String),
    /// The compiler did not answer.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Finds the first bad step.
///
/// # Errors
/// When the compiler has no switches for it, or we failed.
pub fn bisect(failing: &Failing<'_>, effort: Effort) -> Result<Culprit, BisectError> {
    let compiler = &failing.fail.compiler;
    let stepping = compiler.family.stepping();
    let mut culprit = match stepping {
        _ if effort == Effort::Pass && failing.said_pass.is_some() => Culprit::default(),
        Stepping::None => return Err(BisectError::NoSwitches(compiler.name.clone())),
        Stepping::Counted(steps) => counted::bisect(failing, &steps, effort)?,
        Stepping::Named(passes) => named::bisect(failing, &passes, effort)?,
    };
    culprit.file = culprit.pass.as_deref().and_then(|pass| file_of(&stepping, pass));
    // A compiler that dies knows best where.
    if let Some(said) = &failing.said_pass {
        culprit.how.insert(0, format!("the compiler's message names {said}"));
        culprit.file = file_of(&stepping, said).or(culprit.file.take());
        culprit.pass = Some(said.clone());
    }
    if let Some(unit) = &failing.unit {
        culprit.how.insert(0, format!("{unit} is the unit that is compiled wrongly"));
    }
    culprit.questions = failing.asked();
    Ok(culprit)
}

/// The file that holds a pass.
fn file_of(stepping: &Stepping, pass: &str) -> Option<String> {
    match stepping {
        Stepping::None => None,
        Stepping::Counted(_) => passes::catalogue::llvm(pass).map(|pass| pass.file.to_owned()),
        Stepping::Named(_) => passes::catalogue::gcc_file(pass).map(str::to_owned),
    }
}

/// The name that a pass has in all its runs and in all versions.
#[must_use]
pub fn pass_key(family: &dyn Family, pass: &str) -> String {
    match family.stepping() {
        Stepping::None => pass.to_owned(),
        Stepping::Counted(_) => {
            let known = passes::catalogue::llvm(pass).and_then(|pass| pass.pipeline);
            known.map_or_else(|| pass.to_owned(), str::to_owned)
        }
        Stepping::Named(_) => {
            let base = pass.trim_end_matches(|c: char| c.is_ascii_digit());
            let file = passes::catalogue::gcc_file;
            if file(base) == file(pass) { base.to_owned() } else { pass.to_owned() }
        }
    }
}
