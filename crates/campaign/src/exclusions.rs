//! Constructs that programs do without, because they show a known bug too often.
//!
//! A change takes effect at a program whose number is decided when the change is made, so that
//! every program is the same whoever makes it and whenever.

use base::atomic_write;
use cgen::Construct;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Changes take effect at multiples of this.
const STEP: u64 = 50;

/// All changes, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusions {
    /// One by one.
    #[serde(default)]
    pub from: Vec<Exclusion>,
}

/// From a program on, constructs that are left out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The number of the program.
    pub program: u64,
    /// What it and later ones do without.
    pub without: BTreeSet<Construct>,
}

/// Why they can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ExclusionError {
    /// The file fails.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its content has no meaning.
    #[error("{path}: {what}; whodunit bugs --exclude and --include write it")]
    Wrong {
        /// Which.
        path: PathBuf,
        /// Why.
        what: String,
    },
}

impl Exclusions {
    fn path(campaign: &Path) -> PathBuf {
        campaign.join("exclusions.toml")
    }

    /// Those of a campaign; none if it has no file of them.
    ///
    /// # Errors
    /// When the file can't be read or was changed into nonsense.
    pub fn read(campaign: &Path) -> Result<Exclusions, ExclusionError> {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        let path = Exclusions::path(campaign);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => {
                return Ok(Exclusions::default());
            }
            Err(source) => return Err(ExclusionError::File { path, source }),
        };
        let wrong = |what: String| ExclusionError::Wrong { path: path.clone(), what };
        let read: Exclusions =
            toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
        let sorted = read.from.windows(2).all(|pair| pair[0].program < pair[1].program);
        if !sorted || read.from.iter().any(|one| one.program % STEP != 0) {
            return Err(wrong(format!("programs must be multiples of {STEP}, in order")));
        }
        Ok(read)
    }

    /// What the program with this number does without.
    #[must_use]
    pub fn at(&self, program: u64) -> BTreeSet<Construct> {
        let last = self.from.iter().rev().find(|one| one.program <= program);
        last.map(|one| one.without.clone()).unwrap_or_default()
    }

    /// Changes what is left out, from the first step that no program has reached: `next` is the
    /// first that was never given out. Gives the number from which it holds.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn change(
        &mut self,
        campaign: &Path,
        next: u64,
        change: impl FnOnce(&mut BTreeSet<Construct>),
    ) -> Result<u64, ExclusionError> {
        let program = next.div_ceil(STEP) * STEP;
        let mut without = self.at(program);
        change(&mut without);
        self.from.retain(|one| one.program < program);
        self.from.push(Exclusion { program, without });
        let path = Exclusions::path(campaign);
        let text = toml::to_string(self).expect("plain data");
        atomic_write(&path, text.as_bytes())
            .map_err(|source| ExclusionError::File { path, source })?;
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_hold_from_a_step_on_and_can_be_taken_back() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut all = Exclusions::read(dir.path()).expect("none yet");
        let add = |set: &mut BTreeSet<Construct>| {
            set.insert(Construct::BitFields);
        };
        assert_eq!(all.change(dir.path(), 120, add).expect("written"), 150);
        let take = |set: &mut BTreeSet<Construct>| {
            set.remove(&Construct::BitFields);
        };
        assert_eq!(all.change(dir.path(), 201, take).expect("written"), 250);
        let all = Exclusions::read(dir.path()).expect("readable");
        let at = |program| all.at(program).len();
        assert_eq!([at(0), at(149), at(150), at(249), at(250), at(9999)], [0, 0, 1, 1, 0, 0]);
    }

    #[test]
    fn nonsense_is_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        for text in
            ["[[from]]\nprogram = 7\nwithout = []\n", "from = 3", "[[from]]\nprogramm = 50\n"]
        {
            std::fs::write(Exclusions::path(dir.path()), text).expect("written");
            let error = Exclusions::read(dir.path()).expect_err(text).to_string();
            assert!(error.contains("exclusions.toml"), "{error}");
        }
    }
}
