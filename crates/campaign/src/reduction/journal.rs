//! Answers on disk, so that an interrupted reduction does not ask again.

use super::ReduceError;
use base::{ContentId, LineFile};
use reduce::Answer;
use std::path::Path;

/// One line an answer: the step, the text's id, the answer.
pub(super) struct Journal {
    known: Vec<(u32, ContentId, Answer)>,
    file: Option<LineFile>,
}

impl Journal {
    pub(super) fn open(path: Option<&Path>) -> Result<Journal, ReduceError> {
        let Some(path) = path else { return Ok(Journal { known: Vec::new(), file: None }) };
        let (file, lines) = LineFile::open(path)
            .map_err(|source| ReduceError::Journal { path: path.to_owned(), source })?;
        let known = lines.iter().filter_map(|line| read_line(line)).collect();
        Ok(Journal { known, file: Some(file) })
    }

    /// The answers of a step.
    pub(super) fn known(&self, step: u32) -> Vec<(ContentId, Answer)> {
        let of_step = |&&(of, ..): &&(u32, ContentId, Answer)| of == step;
        self.known.iter().filter(of_step).map(|&(_, id, answer)| (id, answer)).collect()
    }

    /// Keeps an answer. One that can't be kept is asked for again, nothing worse.
    pub(super) fn write(&self, step: u32, id: ContentId, answer: Answer) {
        if let Some(file) = &self.file {
            let _ = file.append(&format!("{step} {id} {}", letter(answer)));
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
