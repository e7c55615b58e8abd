//! A small file system of its own, for which one must be root.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Tmpfs {
    dir: tempfile::TempDir,
}

impl Tmpfs {
    /// None, and a printed word, when it is not permitted.
    pub fn mount(size: &str) -> Option<Tmpfs> {
        let dir = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        if run(Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(dir.path()))
        {
            Some(Tmpfs { dir })
        } else {
            println!("skipped: mounting a tmpfs is not permitted here");
            None
        }
    }

    pub fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }

    pub fn make_read_only(&self) {
        let options = ["-o", "remount,ro"];
        assert!(run(Command::new("mount").args(options).arg(self.dir.path())));
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // Lazily: a test that fails may still have files open.
        run(Command::new("umount").arg("-l").arg(self.dir.path()));
    }
}

fn run(command: &mut Command) -> bool {
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// All files of a campaign at this moment, as a copy or a crash would leave them.
pub fn copy(from: &Path, to: &Path) {
    assert!(run(Command::new("cp").arg("-rT").args([from, to])));
}
