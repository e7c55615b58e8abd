//! A compiler that counts, and what isolation makes of it: tcc, which is built in seconds.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod coverage;
mod isolate;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use support::Said;

fn whodunit(args: &[&str]) -> Said {
    Said::new(args, Command::new(env!("CARGO_BIN_EXE_whodunit")).args(args).output().unwrap())
}

/// One build for all tests; nothing where Debian's sources can't be reached, which is said.
fn build() -> Option<&'static Path> {
    static BUILD: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let made = BUILD.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("tcc");
        let run = whodunit(&["instrument", "tcc", "--debian", "tcc", "--out", text(&out)]);
        let cannot = ["read Debian's list of sources failed", "packages are missing"];
        if cannot.iter().any(|why| run.stderr.contains(why)) {
            eprintln!("not tested: {}", run.stderr);
            return None;
        }
        let run = run.ends_with(0);
        assert!(run.stderr.contains("compile tcc"), "{}", run.stderr);
        assert!(!folder.path().join("tcc.work").exists());
        Some((folder, out))
    });
    made.as_ref().map(|(_, out)| out.as_path())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn file(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("main.c");
    fs::write(&path, format!("int printf(const char *, ...);\nint main(void) {{ {body} }}\n"))
        .unwrap();
    path
}
