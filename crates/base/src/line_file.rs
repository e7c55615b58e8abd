//! A file that only grows, a line at a time.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A file to which whole lines are appended; several threads may.
#[derive(Debug)]
pub struct LineFile(Mutex<File>);

impl LineFile {
    /// Opens a file, makes it if it is not there, and gives its lines. What a kill left of a last line is
    /// removed.
    ///
    /// # Errors
    /// When the file can't be read or written, or is not text.
    pub fn open(path: &Path) -> io::Result<(LineFile, Vec<String>)> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            file.set_len(whole as u64)?;
        }
        let lines = text[..whole].lines().map(str::to_owned).collect();
        Ok((LineFile(Mutex::new(file)), lines))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn append(&self, line: &str) -> io::Result<()> {
        let line = format!("{line}\n");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_short_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let (file, lines) = LineFile::open(&path).unwrap();
        assert!(lines.is_empty());
        file.append("one").unwrap();
        std::fs::write(&path, "one\ntw").unwrap();
        let (file, lines) = LineFile::open(&path).unwrap();
        assert_eq!(lines, ["one"]);
        file.append("three").unwrap();
        assert_eq!(LineFile::open(&path).unwrap().1, ["one", "three"]);
    }
}
