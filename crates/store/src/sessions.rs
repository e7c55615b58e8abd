//! The runs of `hunt` on a campaign, and what they used.

use crate::campaign::Durability;
use crate::records::{Session, SessionId, Usage};
use crate::{Campaign, Reader, StoreError, UnixTime};
use rusqlite::{Row, params};

impl Campaign {
    /// Notes that a hunt starts, with so many workers.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn begin_session(&self, jobs: u32) -> Result<SessionId, StoreError> {
        let now = UnixTime::now().0;
        let sql = "INSERT INTO session VALUES (NULL, ?1, ?1, NULL, ?2, 0, 0, 0)";
        self.write("a session", Durability::Kill, |transaction| {
            transaction.execute(sql, params![now, jobs])?;
            Ok(SessionId(transaction.last_insert_rowid()))
        })
    }

    /// Notes what a session has used since it began. Totals rather than additions: one that could
    /// not be written is made up for by the next.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn set_usage(&self, session: SessionId, total: Usage) -> Result<(), StoreError> {
        self.write_usage(session, total, None)
    }

    /// Notes that a session ended, and what it used in all.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn end_session(&self, session: SessionId, total: Usage) -> Result<(), StoreError> {
        self.write_usage(session, total, Some(UnixTime::now().0))
    }

    fn write_usage(
        &self,
        session: SessionId,
        total: Usage,
        ended: Option<i64>,
    ) -> Result<(), StoreError> {
        let Usage { cpu_own_ms, cpu_children_ms, wall_ms } = total;
        let [own, children, wall] = [cpu_own_ms, cpu_children_ms, wall_ms].map(u64::cast_signed);
        let now = UnixTime::now().0;
        let sql = "UPDATE session SET updated = ?2, ended = ?3, cpu_own_ms = ?4,
                   cpu_children_ms = ?5, wall_ms = ?6 WHERE number = ?1";
        self.write("a session", Durability::Kill, |transaction| {
            let row = params![session.0, now, ended, own, children, wall];
            transaction.prepare_cached(sql)?.execute(row).map(drop)
        })
    }
}

impl Reader {
    /// The runs of `hunt` on this campaign, in order.
    ///
    /// # Errors
    /// When they can't be read.
    pub fn sessions(&self) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT number, started, updated, ended, jobs, cpu_own_ms, cpu_children_ms,
                   wall_ms FROM session ORDER BY number";
        self.read("the sessions", |connection| {
            connection.prepare_cached(sql)?.query_map([], session)?.collect()
        })
    }
}

impl Session {
    /// Does it seem to run? It writes twice a second; one that was killed does not.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.ended.is_none() && UnixTime::now().0 - self.updated.0 <= SILENCE
    }
}

/// So many seconds without a word, and a session is believed to be dead.
const SILENCE: i64 = 5;

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let milliseconds = |column| row.get::<usize, i64>(column).map(i64::cast_unsigned);
    Ok(Session {
        number: SessionId(row.get(0)?),
        started: UnixTime(row.get(1)?),
        updated: UnixTime(row.get(2)?),
        ended: row.get::<_, Option<i64>>(3)?.map(UnixTime),
        jobs: row.get(4)?,
        usage: Usage {
            cpu_own_ms: milliseconds(5)?,
            cpu_children_ms: milliseconds(6)?,
            wall_ms: milliseconds(7)?,
        },
    })
}
