//! Private directories that go away whatever was done inside.

use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

/// A private temporary directory, removed when dropped even if the tested program took away its
/// own rights to it, nested it deeper than a path can be, or deleted it.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// A new, empty directory in `parent`.
    ///
    /// # Errors
    /// When `parent` is missing or can't be written to.
    pub fn new_in(parent: &Path) -> io::Result<Scratch> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let parent = std::path::absolute(parent)?;
        loop {
            let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("job-{}-{unique}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch { path }),
                // Left behind by a killed process that had our id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is: an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.path).is_err() {
            // Nobody to tell; a leftover directory harms no result.
            let _ = remove_stubborn(&self.path);
        }
    }
}

/// Removes `root` by lifting each nested directory up into it, so that neither a lack of rights
/// nor the length of a path stands in the way.
fn remove_stubborn(root: &Path) -> io::Result<()> {
    let open = |dir: &Path| fs::set_permissions(dir, fs::Permissions::from_mode(0o700));
    let is_dir = |path: &Path| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    if !is_dir(root) {
        return match fs::remove_file(root) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    open(root)?;
    let mut lifted = 0u64;
    loop {
        let entries = fs::read_dir(root)?.collect::<io::Result<Vec<_>>>()?;
        if entries.is_empty() {
            return fs::remove_dir(root);
        }
        for entry in entries {
            let path = entry.path();
            if !is_dir(&path) {
                fs::remove_file(&path)?;
                continue;
            }
            open(&path)?;
            for inner in fs::read_dir(&path)? {
                let inner = inner?.path();
                if is_dir(&inner) {
                    open(&inner)?;
                    lifted += 1;
                    fs::rename(&inner, free_name(root, &mut lifted))?;
                } else {
                    fs::remove_file(&inner)?;
                }
            }
            fs::remove_dir(&path)?;
        }
    }
}

fn free_name(root: &Path, counter: &mut u64) -> PathBuf {
    loop {
        *counter += 1;
        let path = root.join(format!("lifted-{counter}"));
        if fs::symlink_metadata(&path).is_err() {
            return path;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_goes_away_even_when_its_directories_are_closed() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new_in(parent.path()).unwrap();
        let inner = scratch.path().join("a/lifted-1/c");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "x").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("kept"), "x").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), scratch.path().join("link")).unwrap();
        for dir in ["a/lifted-1/c", "a/lifted-1", "a", ""] {
            let dir = scratch.path().join(dir);
            fs::set_permissions(dir, fs::Permissions::from_mode(0o000)).unwrap();
        }
        // Root can remove them with ease, so the slow way is called by name.
        remove_stubborn(scratch.path()).unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        assert!(elsewhere.path().join("kept").exists());
    }

    #[test]
    fn a_scratch_deeper_than_a_path_can_be_goes_away() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new_in(parent.path()).unwrap();
        // Three chains, each nearly as long as a path may be, one below the other.
        let link = "abcdefgh/".repeat(380);
        for chain in ["first", "second", "third"] {
            let bottom = scratch.path().join(chain).join(&link);
            fs::create_dir_all(&bottom).unwrap();
            if scratch.path().join("chain").exists() {
                fs::rename(scratch.path().join("chain"), bottom.join("x")).unwrap();
            }
            fs::rename(scratch.path().join(chain), scratch.path().join("chain")).unwrap();
        }
        drop(scratch);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_scratch_may_be_gone_already() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new_in(parent.path()).unwrap();
        fs::remove_dir(scratch.path()).unwrap();
        drop(scratch);
        assert!(Scratch::new_in(&parent.path().join("missing")).is_err());
    }
}
