//! A campaign that is read: no lock is needed, while a hunt writes or after it was killed.

use crate::folder::Folder;
use crate::records::{Counts, Finding, FindingId, Listing, Page, ProgramRow, Stage};
use crate::rows::{self, Damage};
use crate::{StoreError, database, files};
use base::ContentId;
use rusqlite::{Connection, params};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A campaign that is open for reading. It never changes a record, and needs no lock.
#[derive(Debug)]
pub struct Reader {
    connection: Mutex<Connection>,
    folder: Folder,
}

impl Reader {
    /// Opens the campaign in `dir`, in a folder that can't be written too.
    ///
    /// # Errors
    /// When there is none, or one of another version, or it can't be read.
    pub fn open(dir: &Path) -> Result<Reader, StoreError> {
        let folder = Folder::new(dir);
        let marker = folder.require_marker()?;
        let connection = database::open_for_reading(&folder, &marker)?;
        Ok(Reader { connection: Mutex::new(connection), folder })
    }

    /// The campaign's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.folder.dir()
    }

    /// The plan that the campaign was made with.
    ///
    /// # Errors
    /// When it can't be read, or is not a `T`.
    pub fn plan<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        let (_, _, plan) = self.plan_row()?;
        serde_json::from_value(plan).map_err(|error| self.damaged("the plan", error.to_string()))
    }

    pub(crate) fn plan_row(&self) -> Result<(i64, String, Value), StoreError> {
        self.present("the plan", rows::plan(&self.connection()))
    }

    /// The indices of the programs that are done, as ranges in order: as short as there are gaps.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn programs_done(&self) -> Result<Vec<Range<u64>>, StoreError> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        self.read("the list of programs", |connection| {
            let mut statement =
                connection.prepare_cached("SELECT idx FROM program ORDER BY idx")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let index = row.get::<_, i64>(0)?.cast_unsigned();
                match ranges.last_mut().filter(|range| range.end == index) {
                    Some(range) => range.end += 1,
                    None => ranges.push(index..index + 1),
                }
            }
            Ok(())
        })?;
        Ok(ranges)
    }

    /// How many programs and findings there are, by outcome and by kind.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let by = |what: &str, sql: &str| {
            self.read(what, |connection| {
                let mut statement = connection.prepare_cached(sql)?;
                let rows = statement.query_map([], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?.cast_unsigned()))
                })?;
                rows.collect::<rusqlite::Result<BTreeMap<_, _>>>()
            })
        };
        let by_outcome =
            by("the counts of programs", "SELECT outcome, count(*) FROM program GROUP BY outcome")?;
        let by_kind =
            by("the counts of findings", "SELECT kind, count(*) FROM finding GROUP BY kind")?;
        Ok(Counts {
            programs: by_outcome.values().sum(),
            by_outcome,
            findings: by_kind.values().sum(),
            by_kind,
        })
    }

    /// A page of the findings, in the order of their ids.
    ///
    /// # Errors
    /// When not even their ids can be read.
    pub fn findings(&self, page: Page) -> Result<Listing<Finding>, StoreError> {
        let ids = self.finding_ids(page)?;
        let full = ids.len() == page.limit as usize;
        let next = ids.last().filter(|_| full).map(|last| Page { after: Some(*last), ..page });
        let findings = ids.into_iter().map(|id| self.listed_finding(id));
        Ok(Listing { next, ..listing(findings) })
    }

    /// So many findings of a kind, or of all, after the first so many, in the order of their ids.
    ///
    /// # Errors
    /// When not even their ids can be read.
    pub fn findings_at(
        &self,
        kind: Option<&str>,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Result<Finding, StoreError>>, StoreError> {
        let ids: Vec<FindingId> = self.read("the list of findings", |connection| {
            // Two queries: one for both would use no index, and read every body.
            let sql = match kind {
                Some(_) => {
                    "SELECT program, ordinal FROM finding WHERE kind = ?1
                     ORDER BY program, ordinal LIMIT ?2 OFFSET ?3"
                }
                None => {
                    "SELECT program, ordinal FROM finding WHERE ?1 IS NULL
                     ORDER BY program, ordinal LIMIT ?2 OFFSET ?3"
                }
            };
            connection
                .prepare_cached(sql)?
                .query_map(params![kind, limit, skip.cast_signed()], |row| {
                    let program = row.get::<_, i64>(0)?.cast_unsigned();
                    Ok(FindingId { program, ordinal: row.get(1)? })
                })?
                .collect()
        })?;
        Ok(ids.into_iter().map(|id| self.listed_finding(id)).collect())
    }

    pub(crate) fn finding_ids(&self, page: Page) -> Result<Vec<FindingId>, StoreError> {
        let (program, ordinal) =
            page.after.map_or((-1, 0), |id| (id.program.cast_signed(), id.ordinal));
        self.read("the list of findings", |connection| {
            connection
                .prepare_cached(
                    "SELECT program, ordinal FROM finding WHERE (program, ordinal) > (?1, ?2)
                     ORDER BY program, ordinal LIMIT ?3",
                )?
                .query_map(params![program, ordinal, page.limit], |row| {
                    let program = row.get::<_, i64>(0)?.cast_unsigned();
                    Ok(FindingId { program, ordinal: row.get(1)? })
                })?
                .collect()
        })
    }

    pub(crate) fn listed_finding(&self, id: FindingId) -> Result<Finding, StoreError> {
        self.present(&format!("finding {id}"), rows::finding(&self.connection(), id))
    }

    /// After how much CPU time of testing each finding was made, programs taken in their order.
    ///
    /// # Errors
    /// When that can't be read.
    pub fn findings_over_time(&self) -> Result<Vec<(FindingId, Duration)>, StoreError> {
        self.read("the times of findings", |connection| {
            connection
                .prepare_cached(
                    "WITH spent AS (SELECT idx, sum(cpu_ms) OVER (ORDER BY idx) AS ms FROM program)
                     SELECT program, ordinal, ms FROM finding JOIN spent ON idx = program
                     ORDER BY program, ordinal",
                )?
                .query_map([], |row| {
                    let program = row.get::<_, i64>(0)?.cast_unsigned();
                    let spent = Duration::from_millis(row.get::<_, i64>(2)?.cast_unsigned());
                    Ok((FindingId { program, ordinal: row.get(1)? }, spent))
                })?
                .collect()
        })
    }

    /// How many records of stages there are.
    ///
    /// # Errors
    /// When they can't be counted.
    pub fn stage_count(&self) -> Result<u64, StoreError> {
        self.read("the number of stages", |connection| {
            let mut statement = connection.prepare_cached("SELECT count(*) FROM stage")?;
            statement.query_row([], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned)
        })
    }

    /// A number that changes whenever somebody else has written to the campaign.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn version(&self) -> Result<i64, StoreError> {
        self.read("its version", |connection| {
            connection.pragma_query_value(None, "data_version", |row| row.get(0))
        })
    }

    /// One finding, if it is there.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn finding(&self, id: &FindingId) -> Result<Option<Finding>, StoreError> {
        self.sorted(&format!("finding {id}"), rows::finding(&self.connection(), *id))
    }

    /// One program, if it is there.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn program(&self, index: u64) -> Result<Option<ProgramRow>, StoreError> {
        self.sorted(&format!("program {index}"), rows::program(&self.connection(), index))
    }

    /// What later stages found out about a finding, by name of stage.
    ///
    /// # Errors
    /// When not even their names can be read.
    pub fn stages(&self, id: &FindingId) -> Result<Listing<Stage>, StoreError> {
        let names: Vec<String> = self.read("the list of stages", |connection| {
            connection
                .prepare_cached(
                    "SELECT stage FROM stage WHERE program = ?1 AND ordinal = ?2 ORDER BY stage",
                )?
                .query_map(params![id.program.cast_signed(), id.ordinal], |row| row.get(0))?
                .collect()
        })?;
        Ok(listing(names.iter().map(|name| {
            let what = format!("stage {name} of finding {id}");
            self.present(&what, rows::stage(&self.connection(), *id, name))
        })))
    }

    /// A stored file, checked against its name.
    ///
    /// # Errors
    /// When it is missing, damaged or can't be read.
    pub fn get_file(&self, id: ContentId) -> Result<Vec<u8>, StoreError> {
        files::get(&self.folder, id)
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(
        &self,
        what: &str,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.sorted(what, query(&self.connection()).map_err(Damage::Sqlite))
    }

    /// A record that is listed, so that its absence is damage.
    pub(crate) fn present<T>(
        &self,
        what: &str,
        read: Result<Option<T>, Damage>,
    ) -> Result<T, StoreError> {
        self.sorted(what, read)?
            .ok_or_else(|| self.damaged(what, "it is listed but not there".to_owned()))
    }

    fn sorted<T>(&self, what: &str, read: Result<T, Damage>) -> Result<T, StoreError> {
        read.map_err(|damage| match damage {
            Damage::Content(why) => self.damaged(what, why),
            Damage::Sqlite(error) => {
                StoreError::sqlite("reading", what, &self.folder.database(), error)
            }
        })
    }

    fn damaged(&self, what: &str, why: String) -> StoreError {
        StoreError::Corrupt { what: what.to_owned(), place: self.folder.database(), why }
    }
}

/// Sorts records that could be read from those that could not.
fn listing<T>(results: impl Iterator<Item = Result<T, StoreError>>) -> Listing<T> {
    let mut listing = Listing { rows: Vec::new(), unreadable: Vec::new(), next: None };
    for result in results {
        match result {
            Ok(row) => listing.rows.push(row),
            Err(error) => listing.unreadable.push(error),
        }
    }
    listing
}
