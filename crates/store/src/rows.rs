//! Records to rows and back: the SQL of each, with the seal that tells a damaged row.
//!
//! SQLite's integers are signed. Seeds keep their 64 bits; indices must be ordered, so the upper
//! half of their range is refused when they are written.

use crate::records::{Finding, FindingId, FindingRow, ProgramRow, Stage};
use base::{ContentId, Seed};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

/// Why a row could not be read.
pub(crate) enum Damage {
    Sqlite(rusqlite::Error),
    /// The bytes are not those that were written.
    Content(String),
}

impl From<rusqlite::Error> for Damage {
    fn from(error: rusqlite::Error) -> Damage {
        Damage::Sqlite(error)
    }
}

type Read<T> = Result<Option<T>, Damage>;

/// A body as the text that is stored.
pub(crate) struct Text(pub(crate) String);

impl Text {
    pub(crate) fn of(body: &impl serde::Serialize) -> serde_json::Result<Text> {
        serde_json::to_string(body).map(Text)
    }

    /// 48 bits over the columns. Enough: it guards against accidents, not against people.
    fn seal(&self, columns: &[&dyn ToString]) -> String {
        let mut all = String::with_capacity(self.0.len() + 64);
        for column in columns {
            all.push_str(&column.to_string());
            all.push('\0');
        }
        all.push_str(&self.0);
        ContentId::of(all.as_bytes()).short()
    }

    fn open(&self, seal: &str, columns: &[&dyn ToString]) -> Result<Value, Damage> {
        let value = serde_json::from_str(&self.0)
            .map_err(|error| Damage::Content(format!("its body is not JSON: {error}")))?;
        if self.seal(columns) == seal {
            Ok(value)
        } else {
            Err(Damage::Content("its content does not match its checksum".to_owned()))
        }
    }
}

pub(crate) fn insert_plan(
    connection: &Connection,
    created: i64,
    whodunit: &str,
    body: &Text,
) -> rusqlite::Result<()> {
    let seal = body.seal(&[&created, &whodunit]);
    let sql = "INSERT INTO plan VALUES (1, ?1, ?2, ?3, ?4)";
    connection.execute(sql, params![created, whodunit, body.0, seal]).map(drop)
}

/// When the campaign was made, by which whodunit, and its plan.
pub(crate) fn plan(connection: &Connection) -> Read<(i64, String, Value)> {
    let row = connection
        .prepare_cached("SELECT created, whodunit, body, seal FROM plan")?
        .query_row([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?, Text(row.get(2)?), row.get::<_, String>(3)?))
        })
        .optional()?;
    let Some((created, whodunit, body, seal)) = row else { return Ok(None) };
    let body = body.open(&seal, &[&created, &whodunit])?;
    Ok(Some((created, whodunit, body)))
}

/// Says whether the program is new; if not, nothing changes.
pub(crate) fn insert_program(
    connection: &Connection,
    program: &ProgramRow,
    body: &Text,
) -> rusqlite::Result<bool> {
    let ProgramRow { index, seed, outcome, cpu_ms, .. } = program;
    let seal = body.seal(&[index, seed, outcome, cpu_ms]);
    let sql = "INSERT INTO program VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (idx) DO NOTHING";
    let inserted = connection.prepare_cached(sql)?.execute(params![
        index.cast_signed(),
        seed.0.cast_signed(),
        outcome,
        cpu_ms.cast_signed(),
        body.0,
        seal
    ])?;
    Ok(inserted == 1)
}

pub(crate) fn program(connection: &Connection, index: u64) -> Read<ProgramRow> {
    let row = connection
        .prepare_cached("SELECT seed, outcome, cpu_ms, body, seal FROM program WHERE idx = ?1")?
        .query_row([index.cast_signed()], |row| {
            let program = ProgramRow {
                index,
                seed: Seed(row.get::<_, i64>(0)?.cast_unsigned()),
                outcome: row.get(1)?,
                cpu_ms: row.get::<_, i64>(2)?.cast_unsigned(),
                body: Value::Null,
            };
            Ok((program, Text(row.get(3)?), row.get::<_, String>(4)?))
        })
        .optional()?;
    let Some((program, text, seal)) = row else { return Ok(None) };
    let ProgramRow { index, seed, outcome, cpu_ms, .. } = &program;
    let body = text.open(&seal, &[index, seed, outcome, cpu_ms])?;
    Ok(Some(ProgramRow { body, ..program }))
}

pub(crate) fn insert_finding(
    connection: &Connection,
    id: FindingId,
    finding: &FindingRow,
    body: &Text,
) -> rusqlite::Result<()> {
    let FindingRow { kind, signature, .. } = finding;
    let seal = body.seal(&[&id, kind, signature]);
    let FindingId { program, ordinal } = id;
    let sql = "INSERT INTO finding VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let row = params![program.cast_signed(), ordinal, kind, signature, body.0, seal];
    connection.prepare_cached(sql)?.execute(row).map(drop)
}

pub(crate) fn finding(connection: &Connection, id: FindingId) -> Read<Finding> {
    let sql = "SELECT kind, signature, body, seal FROM finding WHERE program = ?1 AND ordinal = ?2";
    let row = connection
        .prepare_cached(sql)?
        .query_row(params![id.program.cast_signed(), id.ordinal], |row| {
            let finding =
                Finding { id, kind: row.get(0)?, signature: row.get(1)?, body: Value::Null };
            Ok((finding, Text(row.get(2)?), row.get::<_, String>(3)?))
        })
        .optional()?;
    let Some((finding, text, seal)) = row else { return Ok(None) };
    let body = text.open(&seal, &[&id, &finding.kind, &finding.signature])?;
    Ok(Some(Finding { body, ..finding }))
}

/// Says whether the finding that it belongs to is there; if not, nothing changes.
pub(crate) fn upsert_stage(
    connection: &Connection,
    id: FindingId,
    stage: &str,
    body: &Text,
) -> rusqlite::Result<bool> {
    let seal = body.seal(&[&id, &stage]);
    let sql = "INSERT INTO stage SELECT program, ordinal, ?3, ?4, ?5 FROM finding
               WHERE program = ?1 AND ordinal = ?2
               ON CONFLICT DO UPDATE SET body = excluded.body, seal = excluded.seal";
    let row = params![id.program.cast_signed(), id.ordinal, stage, body.0, seal];
    Ok(connection.prepare_cached(sql)?.execute(row)? == 1)
}

pub(crate) fn stage(connection: &Connection, id: FindingId, stage: &str) -> Read<Stage> {
    let sql = "SELECT body, seal FROM stage WHERE program = ?1 AND ordinal = ?2 AND stage = ?3";
    let row = connection
        .prepare_cached(sql)?
        .query_row(params![id.program.cast_signed(), id.ordinal, stage], |row| {
            Ok((Text(row.get(0)?), row.get::<_, String>(1)?))
        })
        .optional()?;
    let Some((text, seal)) = row else { return Ok(None) };
    let body = text.open(&seal, &[&id, &stage])?;
    Ok(Some(Stage { finding: id, stage: stage.to_owned(), body }))
}
