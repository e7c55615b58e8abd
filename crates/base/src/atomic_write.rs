//! Files that are either whole or absent, whatever happens in between.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes `bytes` to `path` so that a reader, or the next start after a crash, sees the old
/// content or the new one, never a part: written beside it, synced, renamed.
///
/// # Errors
/// When the disk is full, the folder is read-only, and so on; then `path` is as it was and the
/// temporary file is gone.
pub fn atomic_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
    let aside = path.with_file_name(format!(".{name}.{}-{unique}.tmp", std::process::id()));
    let written = File::create(&aside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record");
        atomic_write(&path, b"old").unwrap();
        assert!(atomic_write(&dir.path().join("no/such/folder"), b"new").is_err());
        // A folder in the way makes the rename fail after the write.
        fs::create_dir(dir.path().join("taken")).unwrap();
        assert!(atomic_write(&dir.path().join("taken"), b"new").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
