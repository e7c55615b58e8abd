//! Content-addressed files: a file's name is the hash of its bytes, so equal files are stored once
//! and damage shows.

use crate::StoreError;
use crate::folder::{Folder, sync_folder};
use base::ContentId;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// `files/ab/cdef…`: 256 subfolders keep each small, for tools that list them.
fn path_of(folder: &Folder, id: ContentId) -> PathBuf {
    let name = id.to_string();
    let (first, rest) = name.split_at(2);
    folder.files().join(first).join(rest)
}

/// Stores `bytes`; when it returns, they survive a loss of power, so a record that names them may
/// be committed.
pub(crate) fn put(folder: &Folder, bytes: &[u8]) -> Result<ContentId, StoreError> {
    let id = ContentId::of(bytes);
    let path = path_of(folder, id);
    let dir = path.parent().expect("the path has just been joined to its folder");
    put_at(&path, dir, bytes).map_err(|error| StoreError::write("writing", &path, error))?;
    Ok(id)
}

fn put_at(path: &Path, dir: &Path, bytes: &[u8]) -> io::Result<()> {
    // Compared, not only looked for: a damaged file is healed when its content comes by again.
    let whole = fs::metadata(path).is_ok_and(|known| known.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|known| known == bytes);
    if !whole {
        if !dir.exists() {
            fs::create_dir_all(dir)?;
            sync_folder(dir.parent().expect("it is a subfolder"))?;
        }
        base::atomic_write(path, bytes)?;
    }
    // For a known file too: who wrote it may have been killed before this step.
    sync_folder(dir)
}

/// The bytes of a stored file, checked against its name.
pub(crate) fn get(folder: &Folder, id: ContentId) -> Result<Vec<u8>, StoreError> {
    let path = path_of(folder, id);
    let damaged = |why: String| {
        Err(StoreError::Corrupt {
            what: format!("the file {}", id.short()),
            place: path.clone(),
            why,
        })
    };
    match fs::read(&path) {
        Ok(bytes) if ContentId::of(&bytes) == id => Ok(bytes),
        Ok(bytes) => damaged(format!("its {} bytes are not those of its name", bytes.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => damaged("it is missing".to_owned()),
        Err(error) => Err(StoreError::io("reading", &path, error)),
    }
}
