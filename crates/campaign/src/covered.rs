//! What the programs of a hunt made a compiler execute, all together.

use base::atomic_write;
use coverage::{Build, Set};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The edges that were executed so far, kept in the campaign's folder.
#[derive(Debug)]
pub(crate) struct Covered {
    build: Build,
    seen: Mutex<Set>,
    file: OnceLock<PathBuf>,
}

impl Covered {
    pub(crate) fn new(build: Build) -> Arc<Covered> {
        let seen = Mutex::new(Set::none(build.map.edges()));
        Arc::new(Covered { build, seen, file: OnceLock::new() })
    }

    /// The compiler's name.
    pub(crate) fn compiler(&self) -> &str {
        &self.build.compiler.name
    }

    /// Goes on with what earlier sessions saw.
    pub(crate) fn keep_in(&self, dir: &Path) -> io::Result<()> {
        let file = dir.join("covered");
        match std::fs::read(&file) {
            Ok(bytes) => {
                let before = Set::from_bytes(&bytes, self.build.map.edges());
                let before = before.ok_or_else(|| io::Error::other("it is of another build"))?;
                *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = before;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let _ = self.file.set(file);
        Ok(())
    }

    /// How many edges the compiler has.
    pub(crate) fn edges(&self) -> usize {
        self.build.map.edges()
    }

    /// Adds what was executed by compilations that worked in a folder, and gives it. Written before the program
    /// is: one that is tested again executes the same.
    pub(crate) fn add(&self, folder: &Path) -> io::Result<Set> {
        let executed = self.build.counts(folder).map_err(io::Error::other)?.edges();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let all = seen.union(&executed);
        if all != *seen {
            *seen = all;
            if let Some(file) = self.file.get() {
                atomic_write(file, &seen.to_bytes())?;
            }
        }
        Ok(executed)
    }

    /// How many edges were executed.
    pub(crate) fn len(&self) -> usize {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
