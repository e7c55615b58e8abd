//! Random programs for whoever needs some that are no hunt's.

use crate::config::Config;
use crate::source::{self, Source, SourceError, Wanted};
use base::Seed;
use std::collections::BTreeSet;
use std::path::Path;
use toolchain::{DataModel, Program};

/// A generator: the same seed and index always give the same program.
pub struct RandomPrograms(Box<dyn Source>);

impl RandomPrograms {
    /// The built-in generator; each program one file if `single` says so.
    ///
    /// # Errors
    /// When it can't be used.
    pub fn generated(single: bool) -> Result<RandomPrograms, SourceError> {
        let mut config = Config { source: Some("gen".to_owned()), ..Config::default() };
        config.generator.single = single;
        source::open(&config).map(RandomPrograms)
    }

    /// Csmith.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn csmith() -> Result<RandomPrograms, SourceError> {
        let config = Config { source: Some("csmith".to_owned()), ..Config::default() };
        source::open(&config).map(RandomPrograms)
    }

    /// In words, with all that decides which programs come.
    #[must_use]
    pub fn describe(&self) -> String {
        self.0.describe()
    }

    /// The program with this index; nothing where the generator gave none.
    #[must_use]
    pub fn program(
        &self,
        seed: Seed,
        index: u64,
        data_model: DataModel,
        scratch: &Path,
    ) -> Option<Program> {
        let without = &BTreeSet::new();
        let wanted = Wanted { seed, index, data_model, extensions: false, bit_int: false, without };
        self.0.program(&wanted, scratch).ok()?.program.ok()
    }
}
