//! Answers on disk, so that an interrupted reduction does not ask again.

use super::ReduceError;
use base::ContentId;
use reduce::Answer;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// One line an answer: the step, the text's id, the answer. A line that a kill cut short is
/// skipped.
pub(super) struct Journal {
    known: Vec<(u32, ContentId, Answer)>,
    file: Option<Mutex<File>>,
}

impl Journal {
    pub(super) fn open(path: Option<&Path>) -> Result<Journal, ReduceError> {
        let Some(path) = path else { return Ok(Journal { known: Vec::new(), file: None }) };
        let failed = |source| ReduceError::Journal { path: path.to_owned(), source };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failed(error)),
        };
        let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        if !text.is_empty() && !text.ends_with('\n') {
            // Or the next answer would lengthen the line that was cut short.
            file.write_all(b"\n").map_err(failed)?;
        }
        let known = text.lines().filter_map(read_line).collect();
        Ok(Journal { known, file: Some(Mutex::new(file)) })
    }

    /// The answers of a step.
    pub(super) fn known(&self, step: u32) -> Vec<(ContentId, Answer)> {
        let of_step = |&&(of, ..): &&(u32, ContentId, Answer)| of == step;
        self.known.iter().filter(of_step).map(|&(_, id, answer)| (id, answer)).collect()
    }

    /// Keeps an answer. One that can't be kept is asked for again, nothing worse.
    pub(super) fn write(&self, step: u32, id: ContentId, answer: Answer) {
        if let Some(file) = &self.file {
            let line = format!("{step} {id} {}\n", letter(answer));
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        }
    }
}

fn read_line(line: &str) -> Option<(u32, ContentId, Answer)> {
    let mut words = line.split(' ');
    let (step, id, letter) = (words.next()?, words.next()?, words.next()?);
    let answer = [Answer::Interesting, Answer::Boring, Answer::Slipped, Answer::Implausible]
        .into_iter()
        .find(|&answer| self::letter(answer) == letter)?;
    Some((step.parse().ok()?, id.parse().ok()?, answer))
}

fn letter(answer: Answer) -> &'static str {
    match answer {
        Answer::Interesting => "yes",
        Answer::Boring => "no",
        Answer::Slipped => "other",
        Answer::Implausible => "invalid",
    }
}
