//! The search for undefined behaviour: before a compiler is blamed for wrong code, the program
//! must be shown to mean something.

mod eva;
mod initialised;
mod sanitizers;
mod warnings;

use crate::observation::Limiting;
use csyntax::Library;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use toolchain::family::{Sanitizer, Sees};
use toolchain::{BuildError, Compiler, DataModel, Language, Program, lay_out};

/// What the checks say together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenResult {
    /// No check could be made.
    Unchecked,
    /// Those that were made found nothing.
    Clean,
    /// A check that may be wrong has found something.
    Caution,
    /// The program has undefined behaviour.
    Alarm,
}

/// The result of all checks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Screen {
    /// What they say together: the worst of them.
    pub result: ScreenResult,
    /// One by one.
    pub checks: Vec<ScreenCheck>,
}

/// One check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScreenCheck {
    /// Who checked, such as `clang-16 memory sanitizer`.
    pub by: String,
    /// The family of the compiler that checked, if one did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub family: String,
    /// What it found.
    pub result: ScreenResult,
    /// The alarm, or why there was no check.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl Screen {
    /// The first alarm, if there is one.
    #[must_use]
    pub fn alarm(&self) -> Option<String> {
        let check = self.checks.iter().find(|check| check.result == ScreenResult::Alarm)?;
        Some(format!("{}: {}", check.by, check.detail))
    }
}

/// Makes the checks, with the compilers and tools that the machine has.
#[derive(Clone, Debug)]
pub struct Screener {
    compilers: Vec<Arc<Compiler>>,
    limiting: Limiting,
    library: Option<Library>,
}

impl Screener {
    /// A screener that uses the newest compiler of each family among `known`: sanitizers get
    /// better with time. Only those whose programs run on this machine without help are of use.
    #[must_use]
    pub fn new(known: &[Arc<Compiler>], limiting: Limiting) -> Screener {
        let mut compilers: Vec<Arc<Compiler>> = Vec::new();
        for compiler in known {
            if !compiler.runner.is_empty()
                || !compiler.runs_here()
                || compiler.family.sanitizers().is_empty()
            {
                continue;
            }
            let same_family =
                compilers.iter().position(|other| other.family.name() == compiler.family.name());
            match same_family {
                None => compilers.push(Arc::clone(compiler)),
                Some(at) if compilers[at].version < compiler.version => {
                    compilers[at] = Arc::clone(compiler);
                }
                Some(_) => {}
            }
        }
        Screener { compilers, limiting, library: Library::find().ok() }
    }

    /// The first alarm of the quickest sanitizers: quick enough to be asked about every step of a
    /// reduction. Reads of what was never written are looked for only if the text has room for them.
    ///
    /// # Errors
    /// When we failed.
    pub fn quick_alarm(
        &self,
        program: &Program,
        data_model: DataModel,
        scratch: &Path,
    ) -> Result<Option<String>, BuildError> {
        if program.language == Language::Ir {
            return Ok(None);
        }
        let mut known: Vec<(&'static Sanitizer, &Arc<Compiler>)> = Vec::new();
        for compiler in &self.compilers {
            known.extend(compiler.family.sanitizers().iter().map(|one| (one, compiler)));
        }
        known.sort_by_key(|(sanitizer, _)| (sanitizer.sees, sanitizer.cost));
        let folder = lay_out(program, scratch)?;
        let mut done = None;
        for (sanitizer, compiler) in known {
            if done == Some(sanitizer.sees)
                || sanitizer.sees == Sees::Uninitialised && self.is_initialised(program)
            {
                continue;
            }
            let Some(compiler) = in_model(compiler, data_model) else { continue };
            let check =
                sanitizers::check(&compiler, sanitizer, program, &self.limiting, folder.path())?;
            match check.result {
                ScreenResult::Alarm => return Ok(Some(format!("{}: {}", check.by, check.detail))),
                // It could not look; another one may.
                ScreenResult::Unchecked => {}
                ScreenResult::Clean | ScreenResult::Caution => done = Some(sanitizer.sees),
            }
        }
        Ok(None)
    }

    fn is_initialised(&self, program: &Program) -> bool {
        self.library.as_ref().is_some_and(|library| initialised::is_initialised(library, program))
    }

    /// Looks for undefined behaviour in `program`, in the data model in which it misbehaved: what
    /// overflows a 32-bit `long` may fit a 64-bit one.
    ///
    /// # Errors
    /// When we failed.
    pub fn screen(
        &self,
        program: &Program,
        data_model: DataModel,
        scratch: &Path,
    ) -> Result<Screen, BuildError> {
        let mut checks = Vec::new();
        if program.language == Language::Ir {
            checks.push(ScreenCheck::skipped("sanitizers", "they need source code, not IR"));
        } else {
            let folder = lay_out(program, scratch)?;
            for compiler in
                self.compilers.iter().filter_map(|compiler| in_model(compiler, data_model))
            {
                let before = checks.len();
                let (limiting, dir) = (&self.limiting, folder.path());
                for sanitizer in compiler.family.sanitizers() {
                    checks.push(sanitizers::check(&compiler, sanitizer, program, limiting, dir)?);
                }
                warnings::check(&compiler, program, limiting, dir, &mut checks)?;
                for check in &mut checks[before..] {
                    check.family = compiler.family.name().to_owned();
                }
            }
            eva::check(program, data_model, folder.path(), &mut checks)?;
        }
        let result =
            checks.iter().map(|check| check.result).max().unwrap_or(ScreenResult::Unchecked);
        Ok(Screen { result, checks })
    }
}

/// The compiler, set to a data model; nothing if it can't be.
fn in_model(compiler: &Arc<Compiler>, data_model: DataModel) -> Option<Arc<Compiler>> {
    if compiler.data_model == data_model {
        return Some(Arc::clone(compiler));
    }
    let switch = compiler.family.data_model_args(&compiler.target, data_model)?;
    let mut set = Compiler::clone(compiler);
    set.args.extend(switch.iter().map(|&arg| arg.to_owned()));
    set.data_model = data_model;
    Some(Arc::new(set))
}

impl ScreenCheck {
    fn new(by: impl Into<String>, result: ScreenResult, detail: impl Into<String>) -> ScreenCheck {
        ScreenCheck { by: by.into(), family: String::new(), result, detail: detail.into() }
    }

    fn skipped(by: impl Into<String>, why: impl Into<String>) -> ScreenCheck {
        ScreenCheck::new(by, ScreenResult::Unchecked, why)
    }
}
