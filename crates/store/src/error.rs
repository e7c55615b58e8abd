//! Everything that can go wrong with a campaign, told apart by what the user can do about it.

use crate::FindingId;
use rusqlite::ErrorCode;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a campaign could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder is none of ours.
    #[error("{} is not a campaign: {why}; give another folder as --campaign", .dir.display())]
    NotACampaign {
        /// The folder that was given.
        dir: PathBuf,
        /// What was found there instead.
        why: String,
    },
    /// The campaign has a format that this whodunit doesn't read.
    #[error(
        "the campaign in {} has format {found}, made by whodunit {made_by}, and this one reads up \
         to {readable}; {}", .dir.display(), other_version_advice(*found, *readable)
    )]
    OtherVersion {
        /// The campaign's folder.
        dir: PathBuf,
        /// Its format.
        found: u32,
        /// The version of whodunit that made it, as far as it says.
        made_by: String,
        /// The newest format that is read here.
        readable: u32,
    },
    /// Another process writes to the campaign.
    #[error(
        "the campaign {} is in use by {holder}; use another --campaign, or stop that one",
        .dir.display()
    )]
    Locked {
        /// The campaign's folder.
        dir: PathBuf,
        /// Who, and since when.
        holder: String,
    },
    /// No space is left.
    #[error(
        "{doing}: the disk that holds {} is full; nothing was lost: free space and run the same \
         command again to resume", .path.display()
    )]
    DiskFull {
        /// What was being done.
        doing: String,
        /// The file or folder that was written.
        path: PathBuf,
    },
    /// The folder, or a file in it, can't be written.
    #[error("{doing}: {} cannot be written (read-only); {advice}", .path.display())]
    ReadOnly {
        /// What was being done.
        doing: String,
        /// The file or folder.
        path: PathBuf,
        /// What the user can do.
        advice: &'static str,
    },
    /// A record or a file is damaged. Others may well be readable.
    #[error(
        "{what} in {} is damaged: {why}; keep a copy of the campaign's folder before it is written \
         to again", .place.display()
    )]
    Corrupt {
        /// Which record or file.
        what: String,
        /// The file that holds it.
        place: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A value was given that no record can hold: a mistake in the code that calls.
    #[error("{what} cannot be stored: {why}; this is a bug in whodunit, please report it")]
    Unstorable {
        /// Which value.
        what: String,
        /// Why not.
        why: String,
    },
    /// A stage was to be added to a finding that is not there.
    #[error("the campaign {} has no finding {id}; `whodunit status` lists them", .dir.display())]
    NoSuchFinding {
        /// The campaign's folder.
        dir: PathBuf,
        /// The id that was asked for.
        id: FindingId,
    },
    /// The stream that records are exported to fails: not the campaign's fault.
    #[error("writing the exported records: {0}")]
    Export(#[source] io::Error),
    /// Any other failure of the file system.
    #[error("{doing} {}: {source}", .path.display())]
    Io {
        /// What was being done.
        doing: String,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Any other failure of SQLite.
    #[error("{doing} in {}: {source}", .path.display())]
    Sqlite {
        /// What was being done.
        doing: String,
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

const WRITE_ELSEWHERE: &str = "give a --campaign that you may write to";

fn other_version_advice(found: u32, readable: u32) -> &'static str {
    if found > readable {
        "use that version or a newer one"
    } else {
        "run `whodunit hunt` on it once to bring it up to date"
    }
}

impl StoreError {
    /// Sorts a failure of the file system.
    pub(crate) fn io(doing: &str, path: &Path, source: io::Error) -> StoreError {
        let (doing, path) = (doing.to_owned(), path.to_owned());
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                StoreError::DiskFull { doing, path }
            }
            ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { doing, path, advice: WRITE_ELSEWHERE }
            }
            _ => StoreError::Io { doing, path, source },
        }
    }

    /// The same for a file that was to be written, where a missing permission means read-only too.
    pub(crate) fn write(doing: &str, path: &Path, source: io::Error) -> StoreError {
        match source.kind() {
            ErrorKind::PermissionDenied => StoreError::ReadOnly {
                doing: doing.to_owned(),
                path: path.to_owned(),
                advice: WRITE_ELSEWHERE,
            },
            _ => StoreError::io(doing, path, source),
        }
    }

    /// Sorts a failure of SQLite; `what` was being read or written in the database at `path`.
    pub(crate) fn sqlite(
        doing: &str,
        what: &str,
        path: &Path,
        source: rusqlite::Error,
    ) -> StoreError {
        use rusqlite::Error as E;
        let (doing, path) = (format!("{doing} {what}"), path.to_owned());
        match (source.sqlite_error_code(), &source) {
            (Some(ErrorCode::DiskFull), _) => StoreError::DiskFull { doing, path },
            (Some(ErrorCode::ReadOnly), _) => {
                StoreError::ReadOnly { doing, path, advice: WRITE_ELSEWHERE }
            }
            // The other errors are those of a column that holds what we never wrote.
            (Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase), _)
            | (
                None,
                E::FromSqlConversionFailure(..)
                | E::InvalidColumnType(..)
                | E::IntegralValueOutOfRange(..)
                | E::Utf8Error(..),
            ) => {
                StoreError::Corrupt { what: what.to_owned(), place: path, why: source.to_string() }
            }
            _ => StoreError::Sqlite { doing, path, source },
        }
    }

    /// SQLite says "disk I/O error" or "unable to open" for a full disk or a read-only folder when
    /// it is the log's index that it can't grow or make, so a failed writer asks the folder itself.
    pub(crate) fn ask_folder(self, dir: &Path) -> StoreError {
        let StoreError::Sqlite { doing, source, .. } = &self else { return self };
        let code = source.sqlite_error_code();
        if !matches!(code, Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen)) {
            return self;
        }
        let probe = dir.join(format!(".probe.{}.tmp", std::process::id()));
        // 64 KB: as much as the largest single thing that SQLite asks for.
        let answer = std::fs::write(&probe, [1; 1 << 16]);
        let _ = std::fs::remove_file(&probe);
        match answer.map_err(|error| StoreError::write(doing, dir, error)) {
            Err(sorted @ (StoreError::DiskFull { .. } | StoreError::ReadOnly { .. })) => sorted,
            _ => self,
        }
    }
}
