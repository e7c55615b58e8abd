//! What a program passes with, as commands say it.

use crate::exit::Failure;
use campaign::{newer_module, refused_pipeline};
use std::path::Path;
use std::sync::Arc;
use toolchain::{Compiler, Configuration, Program};

/// Is what is asked about something that the compiler takes? Otherwise the answer would come late, or be hard to read.
///
/// # Errors
/// When it does not, with what may have been meant.
pub fn taken<'a>(
    program: &Program,
    compiler: &Compiler,
    sides: impl IntoIterator<Item = &'a Configuration>,
    scratch: &Path,
) -> Result<(), Failure> {
    for side in sides {
        if let Some(why) = refused_pipeline(side, scratch)? {
            return Err(Failure::input(why));
        }
    }
    match newer_module(compiler, program, scratch)? {
        Some(why) => Err(Failure::input(why)),
        None => Ok(()),
    }
}

/// The passing side: arguments of the failing compiler, or any of another one. Nothing where neither is known.
///
/// # Errors
/// When both sides are the same, or the other compiler can't be used.
pub fn passing(
    compiler: &Arc<Compiler>,
    fail: &str,
    pass: &str,
    other: Option<&str>,
) -> Result<Option<Configuration>, Failure> {
    let (fail, pass) = (fail.trim(), pass.trim());
    match other {
        Some(other) => Ok(Some(Configuration::new(Arc::new(Compiler::named(other)?), pass))),
        None if fail == pass => Err(Failure::input(
            "--fail and --pass are the same; nothing can be told by them (or say --pass-compiler)",
        )),
        None if pass.is_empty() => Ok(None),
        None => Ok(Some(Configuration::new(Arc::clone(compiler), pass))),
    }
}
