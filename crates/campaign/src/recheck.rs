//! Every saved bug against another compiler: fixed, still there, or changed.

use crate::bugs::bugs;
use crate::record::PlanRecord;
use crate::replay::{ReplayError, open};
use crate::saved::{Saved, args_of, name_of};
use oracle::{Kind, Limiting, Question, Verdict, check, compile_failure};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use store::{FindingId, Reader};
use toolchain::family::says_the_same;
use toolchain::{Compiler, Configuration, is_not_asserted};
use triage::{NOT_ASSERTED, spelled_for};

/// What became of a bug.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recheck {
    /// The program is compiled rightly.
    Fixed,
    /// It fails as it did.
    Failing,
    /// It fails in another way.
    Changed,
    /// It can't be told.
    Unclear,
}

/// A bug, and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Rechecked {
    /// Its first finding.
    pub id: FindingId,
    /// What it was.
    pub was: String,
    /// What became of it.
    pub now: Recheck,
    /// What it is now, or why it can't be told.
    pub says: String,
}

/// Checks every bug of the campaign with `compiler`, the reduced program where there is one, and
/// tells each result as it comes.
///
/// # Errors
/// When the store or we fail.
pub fn recheck(
    reader: &Reader,
    compiler: &Arc<Compiler>,
    scratch: &Path,
    tell: &mut dyn FnMut(Rechecked),
) -> Result<(), ReplayError> {
    let plan: PlanRecord = reader.plan()?;
    for bug in bugs(reader)? {
        let Saved { program, fail, pass } = Saved::of(reader, &bug)?;
        let side = |label: &str| {
            let there = Configuration::new(Arc::clone(compiler), args_of(label));
            let args = spelled_for(compiler, &there.args);
            Configuration::with_args(Arc::clone(compiler), args)
        };
        let pass = match pass {
            // What another compiler did right, that one says again.
            Some(label) if name_of(&label) != name_of(&fail) => {
                let record = plan.compilers.iter().find(|record| record.name == name_of(&label));
                let other = record.map(open).transpose()?;
                other.map(|other| Configuration::new(Arc::new(other), args_of(&label)))
            }
            pass => pass.as_deref().map(side),
        };
        let question = Question { program: &program, fail: side(&fail), pass };
        let was = &bug.finding.bug;
        let limiting: Limiting = plan.limiting;
        let (now, says) = match check(&question, None, &limiting, scratch)?.verdict {
            Verdict::Agree => (Recheck::Fixed, String::new()),
            Verdict::Bugs(bugs) => {
                let now = &bugs[0];
                let same = now.kind == was.kind
                    && (now.expected.is_some() || says_the_same(&now.signature, &was.signature));
                let says = format!("{}: {}", now.kind, now.signature);
                (if same { Recheck::Failing } else { Recheck::Changed }, says)
            }
            Verdict::NotComparable(reason) => {
                // What the compiler fails on need not be a program that can be linked, or that ends.
                let is_of_compiler = !matches!(was.kind, Kind::WrongCode | Kind::SanitizerAlarm);
                let failure = compile_failure(&question.fail, &program, &limiting, scratch)?;
                let found =
                    failure.as_ref().map(|(stage, failure)| Kind::of_failure(*stage, failure));
                match found {
                    None if is_of_compiler => (Recheck::Fixed, String::new()),
                    Some(Some((kind, said))) if is_of_compiler => {
                        let same = kind == was.kind && says_the_same(&said, &was.signature);
                        let now = if same { Recheck::Failing } else { Recheck::Changed };
                        (now, format!("{kind}: {said}"))
                    }
                    _ => (Recheck::Unclear, reason.to_string()),
                }
            }
        };
        let (now, says) = match now {
            Recheck::Fixed if is_not_asserted(compiler, &was.signature)? => {
                (Recheck::Unclear, NOT_ASSERTED.to_owned())
            }
            now => (now, says),
        };
        let was = format!("{}: {}", was.kind, was.signature);
        tell(Rechecked { id: bug.group.leader, was, now, says });
    }
    Ok(())
}
