//! How often each edge ran: the file that `runtime/counters.c` fills.

use crate::Set;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How often each edge ran, modulo 65,536.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts(pub Vec<u16>);

/// Why a file holds no counts.
#[derive(Debug, thiserror::Error)]
pub enum CountsError {
    /// It can't be read; a compiler that never started leaves none.
    #[error("cannot read counters from {path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what the runtime writes.
    #[error("{path} does not hold the counters of this build: {why}")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl Counts {
    /// The name that a build's programs look for in their environment: the file to count in.
    pub const VARIABLE: &str = "WHODUNIT_COUNTERS";

    /// Reads the counts of a run of a program with `edges` edges.
    ///
    /// # Errors
    /// When the file is missing, cut off, or of another program.
    pub fn read(path: &Path, edges: usize) -> Result<Counts, CountsError> {
        let bytes =
            fs::read(path).map_err(|source| CountsError::Io { path: path.to_owned(), source })?;
        parse(&bytes, edges)
            .map(Counts)
            .map_err(|why| CountsError::Foreign { path: path.to_owned(), why })
    }

    /// The edges that ran.
    #[must_use]
    pub fn edges(&self) -> Set {
        Set::of_counts(&self.0)
    }
}

/// The header, as `runtime/counters.c` has it.
fn parse(bytes: &[u8], edges: usize) -> Result<Vec<u16>, String> {
    let header = bytes.get(..32).filter(|header| header.starts_with(b"whodunit"));
    let header = header.ok_or("it does not begin as such a file does")?;
    let number = |at: usize, bytes: usize| {
        header[at..at + bytes].iter().rev().fold(0_u64, |n, &byte| n << 8 | u64::from(byte))
    };
    let (version, width) = (number(8, 4), number(12, 4));
    if (version, width) != (1, 2) {
        return Err(format!("version {version}, {width} bytes a counter"));
    }
    let (offset, count) = (number(16, 8), number(24, 8));
    if count != edges as u64 {
        return Err(format!("it has {count} counters, the build has {edges}"));
    }
    let counters = usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..)?.get(..edges.checked_mul(2)?))
        .ok_or("it is cut off")?;
    Ok(counters.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u32, offset: u64, count: u64, counters: &[u8]) -> Vec<u8> {
        let mut bytes = b"whodunit".to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(2_u32.to_le_bytes());
        bytes.extend(offset.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(counters);
        bytes
    }

    #[test]
    fn counters_are_read_and_strange_files_refused() {
        assert_eq!(parse(&file(1, 32, 2, &[1, 0, 0, 2]), 2), Ok(vec![1, 512]));
        let refused = |bytes: &[u8], edges, why: &str| {
            let said = parse(bytes, edges).unwrap_err();
            assert!(said.contains(why), "{said}");
        };
        refused(b"", 2, "begin");
        refused(b"whodunit", 2, "begin");
        refused(&file(2, 32, 2, &[0; 4]), 2, "version 2");
        refused(&file(1, 32, 2, &[0; 4]), 3, "the build has 3");
        refused(&file(1, 32, 2, &[0; 3]), 2, "cut off");
        refused(&file(1, u64::MAX, 2, &[0; 4]), 2, "cut off");
    }
}
