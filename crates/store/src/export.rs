//! Every record as one line of JSON.

use crate::records::{FindingId, Page};
use crate::rows;
use crate::{FORMAT_VERSION, Reader, StoreError};
use rusqlite::params;
use serde_json::{Value, json};
use std::io::{self, Write};

/// What [`Reader::export_jsonl`] wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[must_use]
pub struct Exported {
    /// Records.
    pub records: u64,
    /// Lines `{"record":"unreadable",…}` in the place of records that are damaged.
    pub unreadable: u64,
}

/// How many keys are held at a time.
const BATCH: u32 = 1000;

impl Reader {
    /// Writes every record as a line `{"record":"plan|program|finding|stage|session",…}`, in the
    /// order of these words and then of their keys, whatever the order in which they were stored.
    /// What differs between two runs of the same plan, such as times, is in an object `"volatile"`
    /// of its line; sessions consist of nothing else. All lines show the campaign at one moment,
    /// though a hunt may go on.
    ///
    /// # Errors
    /// When `out` can't be written, or not even the keys can be read.
    pub fn export_jsonl(&self, out: &mut dyn Write) -> Result<Exported, StoreError> {
        // A connection of its own, for a transaction that holds one moment.
        let reader = Reader::open(self.folder().dir())?;
        reader.read("the campaign", |connection| connection.execute_batch("BEGIN"))?;
        let mut lines = Lines { out: io::BufWriter::new(out), exported: Exported::default() };
        lines.write(reader.plan_line())?;
        reader.export_programs(&mut lines)?;
        reader.export_findings(&mut lines)?;
        reader.export_stages(&mut lines)?;
        for session in reader.sessions()? {
            lines.write(Ok(json!({ "record": "session", "volatile": session })))?;
        }
        lines.out.flush().map_err(StoreError::Export)?;
        Ok(lines.exported)
    }

    fn plan_line(&self) -> Result<Value, StoreError> {
        let (created, whodunit, body) = self.plan_row()?;
        let volatile = json!({ "created": created, "whodunit": whodunit });
        Ok(json!({
            "record": "plan", "format": FORMAT_VERSION, "body": body, "volatile": volatile,
        }))
    }

    fn export_programs(&self, lines: &mut Lines<'_>) -> Result<(), StoreError> {
        let sql = "SELECT idx FROM program WHERE idx > ?1 ORDER BY idx LIMIT ?2";
        let mut last = -1;
        loop {
            let indices: Vec<i64> = self.read("the list of programs", |connection| {
                let mut statement = connection.prepare_cached(sql)?;
                statement.query_map(params![last, BATCH], |row| row.get(0))?.collect()
            })?;
            let Some(new_last) = indices.last() else { return Ok(()) };
            last = *new_last;
            for index in indices {
                lines.write(self.program_line(index.cast_unsigned()))?;
            }
        }
    }

    fn program_line(&self, index: u64) -> Result<Value, StoreError> {
        let read = rows::program(&self.connection(), index);
        let program = self.present(&format!("program {index}"), read)?;
        Ok(json!({
            "record": "program",
            "index": index,
            "seed": program.seed,
            "outcome": program.outcome,
            "body": program.body,
            "volatile": { "cpu_ms": program.cpu_ms },
        }))
    }

    fn export_findings(&self, lines: &mut Lines<'_>) -> Result<(), StoreError> {
        let mut page = Page::first(BATCH);
        loop {
            let ids = self.finding_ids(page)?;
            let Some(last) = ids.last() else { return Ok(()) };
            page.after = Some(*last);
            for id in ids {
                lines.write(self.finding_line(id))?;
            }
        }
    }

    fn finding_line(&self, id: FindingId) -> Result<Value, StoreError> {
        let finding = self.listed_finding(id)?;
        Ok(json!({
            "record": "finding",
            "id": id,
            "kind": finding.kind,
            "signature": finding.signature,
            "body": finding.body,
        }))
    }

    fn export_stages(&self, lines: &mut Lines<'_>) -> Result<(), StoreError> {
        let sql = "SELECT program, ordinal, stage FROM stage
                   WHERE (program, ordinal, stage) > (?1, ?2, ?3)
                   ORDER BY program, ordinal, stage LIMIT ?4";
        let mut last = (-1, 0, String::new());
        loop {
            let keys: Vec<(i64, u32, String)> = self.read("the list of stages", |connection| {
                let mut statement = connection.prepare_cached(sql)?;
                let after = params![last.0, last.1, last.2, BATCH];
                let rows = statement
                    .query_map(after, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                rows.collect()
            })?;
            let Some(new_last) = keys.last() else { return Ok(()) };
            last = new_last.clone();
            for (program, ordinal, stage) in keys {
                let id = FindingId { program: program.cast_unsigned(), ordinal };
                lines.write(self.stage_line(id, &stage))?;
            }
        }
    }

    fn stage_line(&self, id: FindingId, name: &str) -> Result<Value, StoreError> {
        let read = rows::stage(&self.connection(), id, name);
        let stage = self.present(&format!("stage {name} of finding {id}"), read)?;
        Ok(json!({ "record": "stage", "finding": id, "stage": name, "body": stage.body }))
    }
}

struct Lines<'a> {
    out: io::BufWriter<&'a mut dyn Write>,
    exported: Exported,
}

impl Lines<'_> {
    /// Writes a record, or the fact that it is damaged; other failures end the export.
    fn write(&mut self, line: Result<Value, StoreError>) -> Result<(), StoreError> {
        let line = match line {
            Ok(line) => {
                self.exported.records += 1;
                line
            }
            Err(StoreError::Corrupt { what, why, .. }) => {
                self.exported.unreadable += 1;
                json!({ "record": "unreadable", "what": what, "why": why })
            }
            Err(error) => return Err(error),
        };
        writeln!(self.out, "{line}").map_err(StoreError::Export)
    }
}
