//! Telling a compiler from a changed one.

use crate::compiler::ask;
use base::ContentId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The binaries that make up a compiler, as they were.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The hash of the binary that does the work.
    pub hash: Option<ContentId>,
    /// All binaries: the driver, the worker behind it, the libraries of its own.
    pub parts: Vec<Part>,
}

/// One binary. Size and time of change notice a rebuild at the cost of a `stat`; hashing the
/// 100 MB of an LLVM library for each start would not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Where it is, links followed.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was changed, in nanoseconds since 1970.
    pub modified: u64,
}

impl Identity {
    /// The identity of the compiler with this driver, worker and libraries.
    #[must_use]
    pub fn of(driver: &Path, worker: Option<&Path>, own_libraries: &[&str]) -> Identity {
        let mut paths = vec![driver.to_owned()];
        paths.extend(worker.filter(|worker| worker.is_absolute()).map(Path::to_owned));
        paths.extend(libraries(driver, own_libraries));
        let parts: Vec<Part> = paths.iter().filter_map(|path| Part::of(path)).collect();
        let main = worker.filter(|worker| worker.is_file()).unwrap_or(driver);
        let hash = File::open(main).and_then(ContentId::of_reader).ok();
        Identity { hash, parts }
    }

    /// Adds binaries that do the work in place of the worker.
    pub(crate) fn add(&mut self, paths: &[PathBuf]) {
        self.parts.extend(paths.iter().filter_map(|path| Part::of(path)));
        if let Some(main) = paths.first() {
            self.hash = File::open(main).and_then(ContentId::of_reader).ok();
        }
    }

    /// The first binary that is not as it was.
    #[must_use]
    pub fn first_change(&self) -> Option<PathBuf> {
        self.parts
            .iter()
            .find(|part| Part::of(&part.path).as_ref() != Some(part))
            .map(|part| part.path.clone())
    }
}

impl Part {
    fn of(path: &Path) -> Option<Part> {
        let path = fs::canonicalize(path).ok()?;
        let meta = fs::metadata(&path).ok()?;
        let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(Part { path, size: meta.len(), modified: since.as_nanos() as u64 })
    }
}

/// The shared libraries of `driver` whose names hold one of `words`.
fn libraries(driver: &Path, words: &[&str]) -> Vec<PathBuf> {
    let Some(ldd) = crate::compiler::in_path("ldd").filter(|_| !words.is_empty()) else {
        return Vec::new();
    };
    let Ok(listing) = ask(&ldd, &[&driver.to_string_lossy()]) else { return Vec::new() };
    // `libLLVM-16.so.1 => /lib/x86_64-linux-gnu/libLLVM-16.so.1 (0x00007f79d7600000)`
    listing
        .lines()
        .filter(|line| words.iter().any(|word| line.contains(word)))
        .filter_map(|line| line.split("=> ").nth(1)?.split(" (").next())
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_binary_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let driver = dir.path().join("cc");
        fs::write(&driver, "one").unwrap();
        let identity = Identity::of(&driver, None, &[]);
        assert_eq!(identity.first_change(), None);
        fs::write(&driver, "another").unwrap();
        assert!(identity.first_change().is_some());
        fs::remove_file(&driver).unwrap();
        assert!(identity.first_change().is_some());
    }
}
