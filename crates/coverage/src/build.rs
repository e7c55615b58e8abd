//! A build that counts, ready to be asked what it executed.

use crate::counts::{Counts, CountsError};
use crate::map::{Map, MapError};
use base::ContentId;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toolchain::{Compiler, Counting, CountingPart};

/// A compiler that counts, with the map of its edges. The edges of its programs follow one another.
#[derive(Clone, Debug)]
pub struct Build {
    /// The compiler.
    pub compiler: Arc<Compiler>,
    /// Where its edges are.
    pub map: Map,
    folder: PathBuf,
    parts: Vec<CountingPart>,
}

/// Why a compiler can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum BuildFault {
    /// It was built by somebody else.
    #[error("{0} does not count what it executes; whodunit instrument builds one that does")]
    NotCounting(String),
    /// A map can't be read.
    #[error("map {path}: {source}")]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A map is no map, or a changed one.
    #[error("map {path}: {source}")]
    Map {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: MapError,
    },
    /// A map of another program.
    #[error("map {path} does not fit {program}")]
    Foreign {
        /// Which one.
        path: PathBuf,
        /// What it should fit.
        program: String,
    },
}

impl Build {
    /// Opens the build behind a compiler.
    ///
    /// # Errors
    /// When it is none, or its maps are missing, damaged or another build's.
    pub fn of(compiler: Arc<Compiler>) -> Result<Build, BuildFault> {
        let Some(Counting { folder, manifest }) = &compiler.counting else {
            return Err(BuildFault::NotCounting(compiler.name.clone()));
        };
        let parts = manifest.parts.clone();
        let maps: Vec<Map> =
            parts.iter().map(|part| map_of(folder, part)).collect::<Result<_, _>>()?;
        let (map, folder) = (Map::join(maps), folder.clone());
        Ok(Build { compiler, map, folder, parts })
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The programs that count.
    pub(crate) fn parts(&self) -> &[CountingPart] {
        &self.parts
    }

    /// The edges of the program with this role.
    #[must_use]
    pub fn edges_of(&self, role: &str) -> Option<Range<usize>> {
        let mut start = 0;
        for part in &self.parts {
            if part.role == role {
                return Some(start..start + part.edges);
            }
            start += part.edges;
        }
        None
    }

    /// How often each edge ran in a compilation that worked in `dir` by a configuration that counts. A
    /// program that was not started has counted nothing.
    ///
    /// # Errors
    /// When a file of counters is cut off, or another program's.
    pub fn counts(&self, dir: &Path) -> Result<Counts, CountsError> {
        let mut all = Vec::with_capacity(self.map.edges());
        for part in &self.parts {
            let file = Counting::counters(dir, &part.role);
            if file.exists() {
                all.extend(Counts::read(&file, part.edges)?.0);
            } else {
                all.resize(all.len() + part.edges, 0);
            }
        }
        Ok(Counts(all))
    }
}

fn map_of(folder: &Path, part: &CountingPart) -> Result<Map, BuildFault> {
    let path = folder.join(&part.map);
    let bytes = fs::read(&path).map_err(|source| BuildFault::Io { path: path.clone(), source })?;
    let map =
        Map::decode(&bytes).map_err(|source| BuildFault::Map { path: path.clone(), source })?;
    if ContentId::of(&bytes) != part.map_id || map.edges() != part.edges {
        return Err(BuildFault::Foreign { path, program: part.file.clone() });
    }
    Ok(map)
}
