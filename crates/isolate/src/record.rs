//! All that an isolation saw, so that other rankings can be tried on it without a compiler.

use crate::named::Named;
use coverage::{Map, Set};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the failing run executed, and what each other run did without.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    heading: Heading,
    runs: Vec<RecordedRun>,
    /// The places of the failing run's edges.
    edges: Vec<usize>,
    named: Named,
}

/// The first line.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Heading {
    /// Files and functions by number.
    files: Vec<String>,
    functions: Vec<String>,
    /// Of each edge of the failing run: its file, its function, the line that it begins on.
    edges: Vec<[u32; 3]>,
}

/// A run beside the failing one.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Ran {
    /// What it differs in: `program`, `option`, `pass`, `sequence`, `level`, `step`, `alone`, `unrelated`; `report` is what reports trouble.
    pub differs: &'static str,
    /// How, in words.
    pub what: String,
    /// Does it pass?
    pub passes: bool,
    /// Is it one step from the smallest failing run, not from the first?
    pub from_base: bool,
    /// Is it the smallest failing run?
    pub is_base: bool,
}

/// A line.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct RecordedRun {
    #[serde(flatten)]
    run: Ran,
    /// The edges of the failing run that it does without, by their numbers in the first line.
    skips: Vec<u32>,
    /// How many edges it executes that the failing run does not.
    more: usize,
    /// The edges that it executes less often than the failing run, in hundredths that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fewer: Vec<(u32, u8)>,
}

impl Record {
    /// Of a failing run.
    #[must_use]
    pub fn of(map: &Map, failing: &Set) -> Record {
        let (mut files, mut functions) = (Numbers::default(), Numbers::default());
        let edges: Vec<usize> = failing.iter().collect();
        let place = |edge: &usize| {
            let line =
                map.lines_of(*edge).first().map_or(0, |line| map.lines[*line as usize].number);
            [files.of(map.file_of(*edge)), functions.of(map.function_of(*edge)), line]
        };
        let heading = Heading {
            edges: edges.iter().map(place).collect(),
            files: files.order.iter().map(|file| map.files[*file].clone()).collect(),
            functions: functions.order.iter().map(|it| map.functions[*it].name.clone()).collect(),
        };
        Record { heading, runs: Vec::new(), edges, named: Named::default() }
    }

    /// One more run.
    pub fn push(&mut self, run: Ran, executed: &Set, fewer: &[(u32, f32)]) {
        let skipped = (0..).zip(&self.edges).filter(|(_, edge)| !executed.contains(**edge));
        let skips: Vec<u32> = skipped.map(|(at, _)| at).collect();
        let more = executed.len() - (self.edges.len() - skips.len());
        let fewer = fewer.iter().map(|(at, share)| (*at, (share * 100.0) as u8));
        let fewer = fewer.filter(|(_, share)| *share > 0).collect();
        self.runs.push(RecordedRun { run, skips, more, fewer });
    }

    /// The files that stand out without any other run.
    pub(crate) fn named(&mut self, named: &Named) {
        self.named = named.clone();
    }

    /// As lines of JSON.
    #[must_use]
    pub fn lines(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut line = |value: serde_json::Result<Vec<u8>>| {
            text.extend(value.expect("numbers and strings can be written"));
            text.push(b'\n');
        };
        line(serde_json::to_vec(&self.heading));
        self.runs.iter().for_each(|run| line(serde_json::to_vec(run)));
        line(serde_json::to_vec(&self.named));
        text
    }
}

/// New numbers for old ones, in the order in which they come.
#[derive(Default)]
struct Numbers {
    order: Vec<usize>,
    known: BTreeMap<usize, u32>,
}

impl Numbers {
    fn of(&mut self, old: usize) -> u32 {
        let next = self.order.len() as u32;
        *self.known.entry(old).or_insert_with(|| {
            self.order.push(old);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coverage::{Function, Line};

    #[test]
    fn runs_are_told_by_what_they_do_without() {
        let files = ["a.cc", "b.cc"].map(str::to_owned).to_vec();
        let function = |name: &str, file| Function { name: name.to_owned(), file };
        let functions = vec![function("f", 0), function("g", 1)];
        let lines = vec![Line { file: 0, number: 4 }, Line { file: 1, number: 9 }];
        let map = Map::new(files, functions, lines, [(0, vec![0]), (1, vec![1]), (1, vec![1])]);
        let set = |members: &[usize]| Set::of(3, members.iter().copied());
        let mut record = Record::of(&map, &set(&[1, 2]));
        let what = "-fno-a".to_owned();
        let run = Ran { differs: "option", what, passes: true, ..Ran::default() };
        record.push(run, &set(&[0, 1]), &[]);
        let text = String::from_utf8(record.lines()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                r#"{"files":["b.cc"],"functions":["g"],"edges":[[0,0,9],[0,0,9]]}"#,
                "{\"differs\":\"option\",\"what\":\"-fno-a\",\"passes\":true,\"from_base\":false,\
                 \"is_base\":false,\"skips\":[1],\"more\":1}",
                r#"{"said":null,"said_pass":null,"step":null,"stack":[]}"#,
            ]
        );
    }
}
