//! Compilers whose every block counts how often it ran, as `whodunit instrument` builds them: a folder
//! with binaries and a manifest, which can be used wherever a compiler can.

use crate::compiler::{CompilerError, in_path};
use base::ContentId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The variable that names the file in which a program of such a build counts.
pub const COUNTERS_VARIABLE: &str = "WHODUNIT_COUNTERS";

/// What a build says of itself, in the file [`Manifest::FILE`] of its folder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this form.
    pub version: u32,
    /// The family of the compiler.
    pub family: String,
    /// The compiler's own version.
    pub compiler_version: String,
    /// Where its source came from.
    pub source: String,
    /// What compiled it.
    pub built_by: String,
    /// What was asked for: checking, assertions, statistics.
    pub options: Vec<String>,
    /// The driver of the system in front of the parts; none where a part is the driver.
    pub front: Option<String>,
    /// The programs that count.
    pub parts: Vec<CountingPart>,
}

/// A program that counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountingPart {
    /// `cc1`, `opt`, `tcc`.
    pub role: String,
    /// Its file in the folder.
    pub file: String,
    /// The hash of that.
    pub id: ContentId,
    /// How many edges it has.
    pub edges: usize,
    /// The file that maps them to the source.
    pub map: String,
    /// The hash of that.
    pub map_id: ContentId,
}

/// A build, as a compiler has it.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Its folder.
    pub folder: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
}

impl Manifest {
    /// The file's name in the folder.
    pub const FILE: &str = "whodunit-build.json";

    /// The version of this form.
    pub const VERSION: u32 = 1;
}

impl Counting {
    /// Opens the build in `folder`, whose programs must be as they were made.
    ///
    /// # Errors
    /// When there is none, it is of another version, or one of its programs has changed.
    pub fn open(folder: &Path) -> Result<Counting, CompilerError> {
        let wrong = |why: String| CompilerError::Build { folder: folder.to_owned(), why };
        let folder = std::path::absolute(folder).map_err(|error| wrong(error.to_string()))?;
        let text = fs::read(folder.join(Manifest::FILE)).map_err(|error| {
            wrong(format!(
                "cannot read {}: {error}; whodunit instrument makes builds",
                Manifest::FILE
            ))
        })?;
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let damaged = |error| wrong(format!("{} is damaged: {error}", Manifest::FILE));
        let Versioned { version } = serde_json::from_slice(&text).map_err(damaged)?;
        if version != Manifest::VERSION {
            return Err(wrong(format!(
                "its form is version {version}, this whodunit reads {}: make it anew",
                Manifest::VERSION
            )));
        }
        let manifest: Manifest = serde_json::from_slice(&text).map_err(damaged)?;
        for part in &manifest.parts {
            let file = folder.join(&part.file);
            let id = File::open(&file).and_then(ContentId::of_reader);
            let id = id.map_err(|error| wrong(format!("cannot read {}: {error}", part.file)))?;
            if id != part.id {
                return Err(wrong(format!("{} is not the one that was built", part.file)));
            }
        }
        Ok(Counting { folder, manifest })
    }

    /// The program with this role.
    #[must_use]
    pub fn program(&self, role: &str) -> Option<PathBuf> {
        let part = self.manifest.parts.iter().find(|part| part.role == role)?;
        Some(self.folder.join(&part.file))
    }

    /// The driver: the build's own, if it has one, or the system's.
    pub(crate) fn driver(&self) -> Result<PathBuf, CompilerError> {
        let family = &self.manifest.family;
        match (self.program(family), &self.manifest.front) {
            (Some(own), _) => Ok(own),
            (None, Some(front)) => {
                in_path(front).ok_or_else(|| CompilerError::Missing(front.clone()))
            }
            (None, None) => Err(CompilerError::Missing(family.clone())),
        }
    }

    /// The role of a program, if it is one of the build's.
    pub(crate) fn role_of(&self, program: &Path) -> Option<&str> {
        let mut parts = self.manifest.parts.iter();
        parts.find(|part| self.folder.join(&part.file) == program).map(|part| part.role.as_str())
    }

    /// The file in which the program with this role counts, when it works in the folder `dir`.
    #[must_use]
    pub fn counters(dir: &Path, role: &str) -> PathBuf {
        dir.join(format!("counters.{role}"))
    }

    /// Where the tests of the compiler's developers are, if its source had any.
    #[must_use]
    pub fn tests(&self) -> PathBuf {
        self.folder.join("tests")
    }

    /// Has it a program with this role?
    #[must_use]
    pub fn has(&self, role: &str) -> bool {
        self.manifest.parts.iter().any(|part| part.role == role)
    }
}
