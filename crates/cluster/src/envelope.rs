//! A result as it is on disk: who made it of what, then what it holds.

use crate::chunk::Spent;
use base::ContentId;
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

/// The first line of a result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The chunk.
    pub chunk: String,
    /// Whose.
    pub token: String,
    /// The worker's version.
    pub whodunit: String,
    /// Where it worked.
    pub host: String,
    /// The job, as Slurm calls it.
    pub job: String,
    /// What it used.
    pub spent: Spent,
    /// When it was written, by the clock of the node.
    pub written: u64,
    /// Why it has no content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The hash of all that follows.
    pub content: ContentId,
}

impl Envelope {
    /// The file.
    #[must_use]
    pub fn close(&self, content: &[u8]) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("plain data with string keys");
        bytes.push(b'\n');
        bytes.extend(content);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is none, or not whole: in words.
    pub fn open(bytes: &[u8]) -> Result<(Envelope, &[u8]), String> {
        let at = bytes.iter().position(|byte| *byte == b'\n').ok_or("its first line is cut")?;
        let (first, content) = (&bytes[..at], &bytes[at + 1..]);
        let envelope: Envelope =
            serde_json::from_slice(first).map_err(|error| error.to_string())?;
        if ContentId::of(content) != envelope.content {
            return Err("its content does not match its checksum".to_owned());
        }
        Ok((envelope, content))
    }
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_not_whole_is_none() {
        let envelope = Envelope {
            chunk: "test-0-9".to_owned(),
            token: "t".to_owned(),
            whodunit: "1".to_owned(),
            host: "w1".to_owned(),
            job: "7_0".to_owned(),
            spent: Spent::default(),
            written: 0,
            refused: None,
            content: ContentId::of(b"one\ntwo\n"),
        };
        let bytes = envelope.close(b"one\ntwo\n");
        assert_eq!(Envelope::open(&bytes), Ok((envelope, b"one\ntwo\n".as_slice())));
        for end in 0..bytes.len() {
            assert!(Envelope::open(&bytes[..end]).is_err(), "{end}");
        }
    }
}
