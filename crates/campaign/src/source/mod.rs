//! Where programs come from.

mod csmith;
mod folder;
mod generated;
mod selected;

pub(crate) use selected::{PRINT, ProgramChoice, Round, Selected};

use crate::config::Config;
use crate::plan::SourceChoice;
use base::Seed;
use cgen::Construct;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toolchain::process::ProcessError;
use toolchain::{BuildError, DataModel, Language, Program, ProgramError};

/// A source of programs: the same index and seed always give the same program.
pub(crate) trait Source: Send + Sync {
    /// In words, with all that decides which programs come.
    fn describe(&self) -> String;

    /// What its programs are written in, for trying out compilers.
    fn language(&self) -> Language;

    /// Are its programs made by a generator, from a seed?
    fn generates(&self) -> bool {
        true
    }

    /// Do its programs, if they may, use what only some compilers know?
    fn uses_extensions(&self) -> bool {
        false
    }

    /// What its programs can do without, one by one.
    fn constructs(&self) -> Vec<Construct> {
        Vec::new()
    }

    /// How many programs there are, if that is limited.
    fn len(&self) -> Option<u64> {
        None
    }

    /// How many programs are chosen together.
    fn round(&self) -> u64 {
        1
    }

    /// Keeps in the campaign's folder what would cost much to find out again.
    fn keep_in(&self, _folder: &Path) -> std::io::Result<()> {
        Ok(())
    }

    /// The program with this index.
    fn program(&self, wanted: &Wanted<'_>, scratch: &Path) -> Result<Sourced, SourceError>;
}

/// Which program is wanted.
pub(crate) struct Wanted<'a> {
    /// The seed of the campaign.
    pub seed: Seed,
    /// The number of the program.
    pub index: u64,
    /// The data model of the compilers that it is for.
    pub data_model: DataModel,
    /// May it use what only some compilers know?
    pub extensions: bool,
    /// May it use `_BitInt`?
    pub bit_int: bool,
    /// What it does without, as far as the source can.
    pub without: &'a BTreeSet<Construct>,
}

/// What a source gives.
pub(crate) struct Sourced {
    /// The seed of the program, as its generator takes it.
    pub seed: Seed,
    /// The program, or why there is none.
    pub program: Result<Program, String>,
}

/// Why a source can't be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A generator that is not there.
    #[error("{what} is not installed; {get}")]
    Missing {
        /// What.
        what: &'static str,
        /// How to get it.
        get: &'static str,
    },
    /// A generator that refuses its options.
    #[error("csmith refuses its options ({args}): {why}")]
    Refused {
        /// Its options.
        args: String,
        /// What it said.
        why: String,
    },
    /// A word that is no source.
    #[error("unknown source {0}: say gen, csmith, or a folder of programs")]
    Unknown(String),
    /// A folder without programs.
    #[error("{0} holds no program: no .c or .cpp file, and no folder of them")]
    NoPrograms(PathBuf),
    /// Options of the built-in generator that can't be.
    #[error("[gen] {0}")]
    Options(String),
    /// A program that can't be read.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// We failed while programs were read to be chosen from.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// We failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl SourceChoice {
    /// `gen`, `csmith`, or an existing folder.
    ///
    /// # Errors
    /// When it is none of these.
    pub fn parse(text: &str) -> Result<SourceChoice, SourceError> {
        match text {
            "gen" => Ok(SourceChoice::Gen),
            "csmith" => Ok(SourceChoice::Csmith),
            path if Path::new(path).is_dir() => Ok(SourceChoice::Folder(path.into())),
            other => Err(SourceError::Unknown(other.to_owned())),
        }
    }
}

/// The source that the config names; the built-in generator if it names none.
pub(crate) fn open(config: &Config) -> Result<Box<dyn Source>, SourceError> {
    Ok(match SourceChoice::parse(config.source.as_deref().unwrap_or("gen"))? {
        SourceChoice::Gen => Box::new(generated::Generated::new(&config.generator)?),
        SourceChoice::Csmith => Box::new(csmith::Csmith::new(&config.csmith)?),
        SourceChoice::Folder(path) => Box::new(folder::Folder::new(&path)?),
    })
}
