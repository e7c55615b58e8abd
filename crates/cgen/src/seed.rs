//! The version of the generator, and seeds that carry it.

use base::Seed;
use std::fmt;
use std::str::FromStr;

/// The generator's version. It changes whenever the bytes for some seed change: a golden test
/// (`tests/golden.rs`) fails until it does.
pub const VERSION: &str = "3";

/// A seed of this version of the generator. It is written `VERSION_SEED`; a plain `SEED` means
/// this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VersionedSeed(pub Seed);

/// Why a text is not a seed that this generator can repeat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeedError {
    /// The seed belongs to another version of the generator.
    #[error(
        "seed `{text}` was made by version {version} of the generator and this is version \
         {VERSION}, which makes another program of it; use that version, or `{seed}` for this \
         version's program"
    )]
    OtherVersion {
        /// The whole text.
        text: String,
        /// The version it names.
        version: String,
        /// The seed it names.
        seed: Seed,
    },
    /// The text is no seed at all.
    #[error("`{0}` is not a seed; write a number below 2^64, or VERSION_NUMBER as in {VERSION}_42")]
    NotASeed(String),
}

impl FromStr for VersionedSeed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<VersionedSeed, SeedError> {
        let wrong = || SeedError::NotASeed(text.to_string());
        let (version, number) = text.split_once('_').unwrap_or((VERSION, text));
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        if !digits(number) || version.is_empty() {
            return Err(wrong());
        }
        let seed = Seed(number.parse().map_err(|_| wrong())?);
        if version != VERSION {
            let version = version.to_string();
            return Err(SeedError::OtherVersion { text: text.to_string(), version, seed });
        }
        Ok(VersionedSeed(seed))
    }
}

impl fmt::Display for VersionedSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VERSION}_{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_versioned_seeds_are_read_and_others_refused() {
        assert_eq!("42".parse(), Ok(VersionedSeed(Seed(42))));
        assert_eq!(format!("{VERSION}_42").parse(), Ok(VersionedSeed(Seed(42))));
        assert_eq!(VersionedSeed(Seed(7)).to_string(), format!("{VERSION}_7"));
        let other = "0_42".parse::<VersionedSeed>().expect_err("another version");
        assert!(other.to_string().contains("version 0"), "{other}");
        for wrong in ["", "_", "x", "1_", "_3", "-1", "1_+3", "18446744073709551616", "1_2_3"] {
            let error = wrong.parse::<VersionedSeed>().expect_err(wrong);
            assert!(matches!(error, SeedError::NotASeed(_)), "{wrong}: {error}");
        }
    }
}
