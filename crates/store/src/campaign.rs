//! A campaign that is open for writing.

use crate::folder::Folder;
use crate::lock::Lock;
use crate::records::{FindingId, FindingRow, ProgramRow, Stage};
use crate::rows::{self, Text};
use crate::{Reader, StoreError, database, files};
use base::ContentId;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A campaign that is open for writing, by this process alone; its worker threads share it.
#[derive(Debug)]
pub struct Campaign {
    // In the order in which they must go: the last connection to close merges the log into the
    // database, which a reading one can't, and the lock outlives both.
    reader: Reader,
    writer: Mutex<Writer>,
    folder: Folder,
    _lock: Lock,
}

#[derive(Debug)]
struct Writer {
    connection: Connection,
    durability: Durability,
}

/// What a commit survives. Every commit survives the death of the process, SIGKILL included: its
/// pages are then with the kernel. A loss of power is another matter: in WAL mode `NORMAL` syncs
/// only when the log is merged, so the last programs may be gone (never torn: the log's checksums
/// see to that), and a resumed hunt just tests them again. A finding took luck and perhaps hours of
/// reduction, so its commit waits for the disk; that syncs all earlier ones too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Durability {
    Kill,
    PowerLoss,
}

/// A program and what it showed, with their texts.
struct Prepared<'a> {
    program: &'a ProgramRow,
    body: Text,
    findings: Vec<(FindingId, &'a FindingRow, Text)>,
}

impl Prepared<'_> {
    fn of<'a>(
        program: &'a ProgramRow,
        findings: &'a [FindingRow],
    ) -> Result<Prepared<'a>, StoreError> {
        let what = format!("program {}", program.index);
        if i64::try_from(program.index).is_err() {
            let why = "its index is not below 2^63".to_owned();
            return Err(StoreError::Unstorable { what, why });
        }
        let body = text_of(&what, &program.body)?;
        let findings = findings
            .iter()
            .map(|finding| {
                let id = FindingId { program: program.index, ordinal: finding.ordinal };
                Ok((id, finding, text_of(&format!("finding {id}"), &finding.body)?))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        Ok(Prepared { program, body, findings })
    }

    fn what(&self) -> String {
        format!("program {}", self.program.index)
    }

    fn durability(&self) -> Durability {
        if self.findings.is_empty() { Durability::Kill } else { Durability::PowerLoss }
    }

    fn insert(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        if rows::insert_program(transaction, self.program, &self.body)? {
            for (id, finding, body) in &self.findings {
                rows::insert_finding(transaction, *id, finding, body)?;
            }
        }
        Ok(())
    }
}

/// What [`Campaign::create_or_resume`] found or made.
#[derive(Debug)]
pub struct Opened {
    /// The campaign.
    pub campaign: Campaign,
    /// Was it there before?
    pub resumed: bool,
    /// The plan that it was made with, for the caller to compare with the one that was given.
    pub plan: Value,
}

impl Campaign {
    /// Makes a campaign in a folder that is absent or empty, or opens the one that is there.
    ///
    /// # Errors
    /// When the folder holds other things or a campaign of another version, or is locked, full,
    /// read-only or damaged.
    pub fn create_or_resume(dir: &Path, plan: &impl Serialize) -> Result<Opened, StoreError> {
        let folder = Folder::new(dir);
        if folder.read_marker()?.is_none() {
            folder.claim()?;
        }
        let text = text_of("the plan", plan)?;
        let (campaign, created) = Campaign::open_as(folder, Some(&text))?;
        let plan = campaign.reader.plan()?;
        Ok(Opened { campaign, resumed: !created, plan })
    }

    /// Opens a campaign that is there.
    ///
    /// # Errors
    /// When there is none or one of another version, or it is locked, full, read-only or damaged.
    pub fn open(dir: &Path) -> Result<Campaign, StoreError> {
        let folder = Folder::new(dir);
        folder.require_marker()?;
        Ok(Campaign::open_as(folder, None)?.0)
    }

    /// Opens the database, and makes it if it is not there and a plan is given.
    fn open_as(folder: Folder, plan: Option<&Text>) -> Result<(Campaign, bool), StoreError> {
        let lock = Lock::take(&folder)?;
        folder.sweep()?;
        let (connection, created) = database::open_for_writing(&folder, plan)?;
        // After the tables: a folder with files and without records is then known to be damaged.
        std::fs::create_dir_all(folder.files())
            .map_err(|error| StoreError::write("making", &folder.files(), error))?;
        let reader = Reader::open(folder.dir())?;
        let writer = Mutex::new(Writer { connection, durability: Durability::PowerLoss });
        Ok((Campaign { reader, writer, folder, _lock: lock }, created))
    }

    /// Reads what is written here, as others do.
    #[must_use]
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Stores a file under the hash of its bytes; one that is there stays. Afterwards a record may
    /// name it.
    ///
    /// # Errors
    /// When it can't be written; then there is no part of it.
    pub fn put_file(&self, bytes: &[u8]) -> Result<ContentId, StoreError> {
        files::put(&self.folder, bytes)
    }

    /// Stores a program with all that it showed, or nothing. A program that is there already stays
    /// as it is, with its findings, so that no resumption can double one.
    ///
    /// # Errors
    /// When it can't be written; then nothing is changed.
    pub fn commit_program(
        &self,
        program: &ProgramRow,
        findings: &[FindingRow],
    ) -> Result<(), StoreError> {
        // Prepared before the writer is locked, so that workers do it side by side.
        let prepared = Prepared::of(program, findings)?;
        self.write(&prepared.what(), prepared.durability(), |transaction| {
            prepared.insert(transaction)
        })
    }

    /// Stores programs with all that they showed, and what later stages found out about findings of theirs, or
    /// nothing at all. Programs that are there already stay as they are; a stage that is, is replaced.
    ///
    /// # Errors
    /// When it can't be written; then nothing is changed.
    pub fn commit_all(
        &self,
        programs: &[(ProgramRow, Vec<FindingRow>)],
        stages: &[Stage],
    ) -> Result<(), StoreError> {
        let prepared = programs
            .iter()
            .map(|(program, findings)| Prepared::of(program, findings))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let stages = stages
            .iter()
            .map(|row| {
                let what = format!("stage {} of finding {}", row.stage, row.finding);
                Ok((row, text_of(&what, &row.body)?))
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        let what = format!("{} programs", programs.len());
        self.write(&what, Durability::PowerLoss, |transaction| {
            for prepared in &prepared {
                prepared.insert(transaction)?;
            }
            for (row, body) in &stages {
                rows::upsert_stage(transaction, row.finding, &row.stage, body)?;
            }
            Ok(())
        })
    }

    /// Attaches what a later stage found out ("reduce", "bisect", …) to a finding; the same stage
    /// again replaces it.
    ///
    /// # Errors
    /// When there is no such finding, or it can't be written; then nothing is changed.
    pub fn put_stage(
        &self,
        id: &FindingId,
        stage: &str,
        body: &impl Serialize,
    ) -> Result<(), StoreError> {
        let what = format!("stage {stage} of finding {id}");
        let body = text_of(&what, body)?;
        let known = self.write(&what, Durability::PowerLoss, |transaction| {
            rows::upsert_stage(transaction, *id, stage, &body)
        })?;
        if known {
            Ok(())
        } else {
            Err(StoreError::NoSuchFinding { dir: self.folder.dir().to_owned(), id: *id })
        }
    }

    /// One transaction: all of `change`, or nothing.
    pub(crate) fn write<T>(
        &self,
        what: &str,
        durability: Durability,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        // A worker that panicked here rolled its transaction back while it unwound.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write(durability, change).map_err(|error| {
            StoreError::sqlite("storing", what, &self.folder.database(), error)
                .ask_folder(self.folder.dir())
        })
    }
}

impl Writer {
    fn write<T>(
        &mut self,
        durability: Durability,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        if self.durability != durability {
            let level = if durability == Durability::Kill { "NORMAL" } else { "FULL" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.durability = durability;
        }
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let changed = change(&transaction)?;
        transaction.commit()?;
        Ok(changed)
    }
}

fn text_of(what: &str, body: &impl Serialize) -> Result<Text, StoreError> {
    Text::of(body).map_err(|error| StoreError::Unstorable {
        what: what.to_owned(),
        why: format!("it has no JSON form: {error}"),
    })
}
