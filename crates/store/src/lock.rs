//! One writer a campaign.
//!
//! An advisory lock of the kernel on an open file: it ends with the process, however that ends, so
//! a file that a killed hunt left behind is no obstacle. What is written inside is only for the
//! message that a second hunt gets.

use crate::folder::Folder;
use crate::{StoreError, UnixTime};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The right to write to a campaign, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

#[derive(Serialize, Deserialize)]
struct Holder {
    pid: u32,
    host: String,
    command: String,
    since: UnixTime,
}

/// How often and how long a taken lock is waited for. A process that was just killed may not be
/// quite dead, and a child that it was forking holds the lock too until its exec: milliseconds.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

impl Lock {
    pub(crate) fn take(folder: &Folder) -> Result<Lock, StoreError> {
        let path = folder.lock();
        let failed = |error| StoreError::write("locking", &path, error);
        // Neither truncated (the content may be that of the holder) nor replaced by a rename (the
        // lock is on this file, not on its name).
        let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
        let mut file = options.open(&path).map_err(failed)?;
        for tries_left in (0..TRIES).rev() {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries_left > 0 => {
                    std::thread::sleep(BETWEEN_TRIES);
                }
                Err(TryLockError::WouldBlock) => {
                    let (dir, holder) = (folder.dir().to_owned(), describe_holder(&path));
                    return Err(StoreError::Locked { dir, holder });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        write_holder(&mut file).map_err(failed)?;
        Ok(Lock { _file: file })
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    let holder = Holder {
        pid: std::process::id(),
        host: host(),
        command: command(),
        since: UnixTime::now(),
    };
    file.set_len(0)?;
    file.write_all(serde_json::to_string(&holder)?.as_bytes())
}

fn describe_holder(path: &Path) -> String {
    let holder = fs::read(path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let Some(Holder { pid, host: its_host, command, since }) = holder else {
        return "another process".to_owned();
    };
    let on = if its_host == host() { String::new() } else { format!(" on {its_host}") };
    format!("process {pid}{on} ({command}, since {since})")
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(|_| "an unknown host".to_owned(), |name| name.trim().to_owned())
}

/// The program and its first argument, which is the subcommand: `whodunit hunt`.
fn command() -> String {
    let mut args = std::env::args_os();
    let program = args.next().unwrap_or_default();
    let program = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
    match args.next() {
        Some(subcommand) => format!("{program} {}", subcommand.to_string_lossy()),
        None => program.into_owned(),
    }
}
