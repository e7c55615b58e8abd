//! Records and files on their way from one campaign to another.

use crate::record::{FindingBody, LookedBody, ReducedBody};
use crate::stage::{self, LOOK, REDUCE};
use base::ContentId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use store::{Campaign, FindingId, FindingRow, ProgramRow, Reader, Stage, StoreError, Usage};

/// Records and files on their way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parcel {
    /// Programs with all that they showed.
    pub programs: Vec<(ProgramRow, Vec<FindingRow>)>,
    /// What stages found out.
    pub stages: Vec<Stage>,
    /// The files that records name.
    pub files: Vec<Vec<u8>>,
    /// The answers that a reduction had before it was stopped.
    pub journals: Vec<(FindingId, String)>,
    /// What sessions used.
    pub sessions: Vec<Usage>,
}

/// A line of a parcel.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Program {
        row: ProgramRow,
        findings: Vec<FindingRow>,
    },
    Stage(Stage),
    Text(String),
    /// A file that is no text.
    Bytes(Vec<u8>),
    Journal {
        finding: FindingId,
        answers: String,
    },
    Session(Usage),
}

/// Why a parcel can't be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum ParcelError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that is no line of a parcel.
    #[error("line {line}: {why}")]
    Wrong {
        /// Its number.
        line: usize,
        /// Why.
        why: String,
    },
}

impl Parcel {
    /// All of a campaign.
    ///
    /// # Errors
    /// When the store fails.
    pub fn of(reader: &Reader) -> Result<Parcel, StoreError> {
        let mut parcel = Parcel::default();
        for range in reader.programs_done()? {
            for index in range {
                let row = reader.program(index)?;
                parcel.programs.extend(row.map(|row| (row, Vec::new())));
            }
        }
        for finding in stage::all_findings(reader)? {
            parcel.add(reader, finding.id)?;
        }
        parcel.sessions = reader.sessions()?.into_iter().map(|session| session.usage).collect();
        Ok(parcel)
    }

    /// One finding with its program and its stages.
    ///
    /// # Errors
    /// When the store fails.
    pub fn of_finding(reader: &Reader, id: FindingId) -> Result<Parcel, StoreError> {
        let mut parcel = Parcel::default();
        let row = reader.program(id.program)?;
        parcel.programs.extend(row.map(|row| (row, Vec::new())));
        parcel.add(reader, id)?;
        Ok(parcel)
    }

    /// Adds a finding to its program.
    fn add(&mut self, reader: &Reader, id: FindingId) -> Result<(), StoreError> {
        let Some(finding) = reader.finding(&id)? else { return Ok(()) };
        let mut files: BTreeSet<ContentId> = BTreeSet::new();
        if let Ok(body) = serde_json::from_value::<FindingBody>(finding.body.clone()) {
            files.extend(body.files.iter().map(|file| file.id));
        }
        for stage in reader.stages(&id)?.rows {
            if stage.stage == REDUCE
                && let Ok(body) = serde_json::from_value::<ReducedBody>(stage.body.clone())
            {
                files.extend(body.files.iter().map(|file| file.id));
            }
            self.stages.push(stage);
        }
        for file in files {
            let bytes = reader.get_file(file)?;
            if !self.files.contains(&bytes) {
                self.files.push(bytes);
            }
        }
        let (kind, signature, body) = (finding.kind, finding.signature, finding.body);
        let row = FindingRow { ordinal: id.ordinal, kind, signature, body };
        if let Some((_, findings)) =
            self.programs.iter_mut().find(|(program, _)| program.index == id.program)
        {
            findings.push(row);
        }
        Ok(())
    }

    /// As bytes.
    #[must_use]
    pub fn pack(self) -> Vec<u8> {
        let files = self.files.into_iter().map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Line::Text(text),
            Err(error) => Line::Bytes(error.into_bytes()),
        });
        let programs = self.programs.into_iter();
        let programs = programs.map(|(row, findings)| Line::Program { row, findings });
        let journals = self.journals.into_iter();
        let journals = journals.map(|(finding, answers)| Line::Journal { finding, answers });
        let lines = files
            .chain(programs)
            .chain(self.stages.into_iter().map(Line::Stage))
            .chain(journals)
            .chain(self.sessions.into_iter().map(Line::Session));
        let mut bytes = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut bytes, &line).expect("plain data into memory");
            bytes.push(b'\n');
        }
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// When they are something else.
    pub fn unpack(bytes: &[u8]) -> Result<Parcel, ParcelError> {
        let mut parcel = Parcel::default();
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        for (line, text) in (1..).zip(lines) {
            let read = serde_json::from_slice(text)
                .map_err(|error| ParcelError::Wrong { line, why: error.to_string() })?;
            match read {
                Line::Program { row, findings } => parcel.programs.push((row, findings)),
                Line::Stage(stage) => parcel.stages.push(stage),
                Line::Text(text) => parcel.files.push(text.into_bytes()),
                Line::Bytes(bytes) => parcel.files.push(bytes),
                Line::Journal { finding, answers } => parcel.journals.push((finding, answers)),
                Line::Session(usage) => parcel.sessions.push(usage),
            }
        }
        Ok(parcel)
    }

    /// Writes the folder of each bug that was looked into, as a hunt does.
    ///
    /// # Errors
    /// When the disk says no.
    pub fn write_bugs(&self, campaign: &Path) -> std::io::Result<()> {
        let bugs = campaign.join("bugs");
        for row in self.stages.iter().filter(|row| row.stage == LOOK) {
            let Ok(body) = serde_json::from_value::<LookedBody>(row.body.clone()) else { continue };
            std::fs::create_dir_all(&bugs)?;
            report::write_folder(&body.report, &bugs.join(row.finding.to_string()))?;
        }
        Ok(())
    }

    /// Puts records and files into a campaign: all or nothing, and what is there stays.
    ///
    /// # Errors
    /// When the store fails.
    pub fn put(&self, campaign: &Campaign) -> Result<(), StoreError> {
        // Files first: a record never names a file that is not there.
        for bytes in &self.files {
            campaign.put_file(bytes)?;
        }
        campaign.commit_all(&self.programs, &self.stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;
    use serde_json::json;

    #[test]
    fn a_parcel_arrives_as_it_was_sent_and_twice_is_once() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        let from = Campaign::create_or_resume(&from, &json!({})).unwrap().campaign;
        let to = Campaign::create_or_resume(&to, &json!({})).unwrap().campaign;
        let program = |index: u64| ProgramRow {
            index,
            seed: Seed(u64::MAX - index),
            outcome: "bug".to_owned(),
            cpu_ms: 7,
            body: json!({ "bytes": 0.1 }),
        };
        let finding = FindingRow {
            ordinal: 2,
            kind: "crash".to_owned(),
            signature: "in \u{1F980}\n".to_owned(),
            body: json!({ "half": 0.3 }),
        };
        from.commit_program(&program(4), &[finding]).unwrap();
        from.commit_program(&program(9), &[]).unwrap();
        let id: FindingId = "4-2".parse().unwrap();
        from.put_stage(&id, "triage", &json!({ "how": [] })).unwrap();
        let mut parcel = Parcel::of(from.reader()).unwrap();
        parcel.files = vec![b"int main;".to_vec(), vec![0xff, 0, 10, 13]];
        parcel.journals = vec![(id, "a 1\nb 0\n".to_owned())];
        let arrived = Parcel::unpack(&parcel.clone().pack()).unwrap();
        assert_eq!(arrived, parcel);
        for _ in 0..2 {
            arrived.put(&to).unwrap();
            let mut now = Parcel::of(to.reader()).unwrap();
            assert_eq!(to.reader().get_file(ContentId::of(b"int main;")).unwrap(), b"int main;");
            now.files.clone_from(&parcel.files);
            now.journals.clone_from(&parcel.journals);
            assert_eq!(now, parcel);
        }
        assert!(Parcel::unpack(b"{\"program\":1}\n").is_err());
    }
}
