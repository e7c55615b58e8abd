//! Opening the database: made, brought up to date, or just read; in a read-only folder too.

use crate::folder::{Folder, Marker};
use crate::rows::{self, Text};
use crate::schema::{self, FORMAT_VERSION, STEPS};
use crate::{StoreError, UnixTime};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use std::fmt::Write as _;
use std::io::{Error, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

/// How long one connection waits for another. They are in each other's way only while a log is
/// recovered or merged, which takes milliseconds, but on a busy machine with a slow disk more.
const PATIENCE: Duration = Duration::from_secs(10);

/// For the holder of the lock. Makes the database if there is none and a plan is given, and says
/// whether it did.
pub(crate) fn open_for_writing(
    folder: &Folder,
    plan: Option<&Text>,
) -> Result<(Connection, bool), StoreError> {
    let failed = |error| opening_failed(folder, error).ask_folder(folder.dir());
    if plan.is_none() || folder.files().exists() {
        require_present(folder)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(folder.database(), flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let from = schema::version(&connection).map_err(failed)?;
    if from > FORMAT_VERSION {
        return Err(folder.other_version(from, "of a later version"));
    }
    if from == 0 && (plan.is_none() || folder.files().exists()) {
        return Err(no_records(folder));
    }
    use_write_ahead_log(&connection, folder)?;
    if from < FORMAT_VERSION {
        // The marker first: a killed migration then leaves a campaign that older versions refuse,
        // and that this one takes up again.
        folder.write_marker()?;
        bring_up_to_date(&mut connection, from, plan).map_err(failed)?;
    }
    Ok((connection, from == 0))
}

fn use_write_ahead_log(connection: &Connection, folder: &Folder) -> Result<(), StoreError> {
    let failed = |error| opening_failed(folder, error).ask_folder(folder.dir());
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(failed)?;
    if mode != "wal" {
        let why = "this file system has no shared memory for SQLite's log; use a local disk";
        let error = Error::new(ErrorKind::Unsupported, why);
        return Err(StoreError::io("opening", &folder.database(), error));
    }
    connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
    // After someone's long read of a busy campaign the log has grown; give the space back.
    connection.pragma_update(None, "journal_size_limit", 16 << 20).map_err(failed)
}

fn bring_up_to_date(
    connection: &mut Connection,
    from: u32,
    plan: Option<&Text>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    schema::migrate(&transaction, from, &STEPS)?;
    if let (0, Some(plan)) = (from, plan) {
        let now = UnixTime::now().0;
        rows::insert_plan(&transaction, now, env!("CARGO_PKG_VERSION"), plan)?;
    }
    transaction.commit()
}

/// For anyone, at any time.
pub(crate) fn open_for_reading(folder: &Folder, marker: &Marker) -> Result<Connection, StoreError> {
    require_present(folder)?;
    let (connection, version) = match try_reading(folder, false) {
        Err(error) if needs_a_writable_folder(&error) => read_without_log(folder)?,
        other => other.map_err(|error| opening_failed(folder, error))?,
    };
    match version {
        0 => Err(no_records(folder)),
        FORMAT_VERSION => Ok(connection),
        other => Err(folder.other_version(other, &marker.whodunit)),
    }
}

/// A connection and the format that was read through it: SQLite opens lazily, so only a query shows
/// whether it works.
fn try_reading(folder: &Folder, immutable: bool) -> rusqlite::Result<(Connection, u32)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if immutable {
        let flags = flags | OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(immutable_uri(folder), flags)?
    } else {
        Connection::open_with_flags(folder.database(), flags)?
    };
    connection.busy_timeout(PATIENCE)?;
    let version = schema::version(&connection)?;
    Ok((connection, version))
}

/// SQLite reads a database in WAL mode through an index of the log, a file that it wants to make if
/// it is not there.
fn needs_a_writable_folder(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// A campaign whose writer ended well has no log, so nothing is missed by ignoring it.
fn read_without_log(folder: &Folder) -> Result<(Connection, u32), StoreError> {
    let logged = std::fs::metadata(folder.write_ahead_log()).is_ok_and(|log| log.len() > 0);
    if logged {
        return Err(StoreError::ReadOnly {
            doing: "reading the log of a hunt that was killed or still runs".to_owned(),
            path: folder.dir().to_owned(),
            advice: "copy the folder to a place that can be written, and read it there",
        });
    }
    try_reading(folder, true).map_err(|error| opening_failed(folder, error))
}

fn immutable_uri(folder: &Folder) -> String {
    let mut uri = "file:".to_owned();
    for byte in folder.database().as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                uri.push(char::from(*byte));
            }
            _ => write!(uri, "%{byte:02X}").expect("a string takes all that is written to it"),
        }
    }
    uri + "?immutable=1"
}

/// SQLite would take a missing or empty file for a new database, and a campaign would have lost its
/// records silently. Only looked at, never opened by us: closing any handle of a database file
/// drops the locks that SQLite has on it elsewhere in this process (POSIX locks).
fn require_present(folder: &Folder) -> Result<(), StoreError> {
    match std::fs::metadata(folder.database()) {
        Ok(file) if file.len() > 0 => Ok(()),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(StoreError::io("looking for", &folder.database(), error))
        }
        _ => Err(no_records(folder)),
    }
}

/// No records: the tables are made before `files/`, so with it they are lost, and without it they
/// were never there.
fn no_records(folder: &Folder) -> StoreError {
    if folder.files().exists() {
        let why = "it is missing or empty, though files/ is there (was campaign.db-wal lost?)";
        let what = "the campaign's database".to_owned();
        StoreError::Corrupt { what, place: folder.database(), why: why.to_owned() }
    } else {
        folder.not_a_campaign("its first hunt has not begun, or was stopped before it did")
    }
}

fn opening_failed(folder: &Folder, error: rusqlite::Error) -> StoreError {
    StoreError::sqlite("opening", "the campaign's database", &folder.database(), error)
}
