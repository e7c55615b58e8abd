//! The compilers that a machine has.

use crate::compiler::{Compiler, CompilerError, is_executable};
use crate::family::FAMILIES;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What was found in PATH: compilers in order of family and version, and what looked like one.
#[derive(Debug, Default)]
pub struct Discovered {
    /// The compilers.
    pub compilers: Vec<Compiler>,
    /// Names that look like compilers, and why they are none.
    pub failed: Vec<(String, CompilerError)>,
}

/// Looks through PATH. Several names of one binary (`gcc`, `gcc-12`, `x86_64-linux-gnu-gcc-12`)
/// are one compiler, called by the shortest name that has a version in it.
#[must_use]
pub fn discover() -> Discovered {
    let mut names: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for folder in std::env::split_paths(&path) {
        let Ok(entries) = folder.read_dir() else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_driver = FAMILIES.into_iter().any(|family| family.is_driver_name(&name));
            if !is_driver || !entry.path().metadata().is_ok_and(|meta| is_executable(&meta)) {
                continue;
            }
            if let Ok(binary) = entry.path().canonicalize() {
                names.entry(binary).or_default().push(name);
            }
        }
    }
    let mut found = Discovered::default();
    for mut names in names.into_values() {
        names.sort_by_key(|name| (!name.ends_with(|c: char| c.is_ascii_digit()), name.len()));
        match Compiler::named(&names[0]) {
            Ok(compiler) => found.compilers.push(compiler),
            Err(error) => found.failed.push((names[0].clone(), error)),
        }
    }
    found.compilers.sort_by_key(|compiler| {
        (compiler.family.name(), !compiler.runs_here(), compiler.version, compiler.name.clone())
    });
    found
}
