//! The tables and how older ones become them.

use rusqlite::{Connection, Transaction};

/// The newest format of campaigns that is read here, and the one that is written.
pub const FORMAT_VERSION: u32 = 1;

/// Step `n` makes format `n + 1` out of format `n`; format 0 is an empty database.
pub(crate) const STEPS: [&str; FORMAT_VERSION as usize] = [include_str!("schema/1.sql")];

/// The format of a database: SQLite keeps a number for its user in the file's header.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Runs the steps that a database of format `from` lacks. All or none: the caller commits.
pub(crate) fn migrate(
    transaction: &Transaction<'_>,
    from: u32,
    steps: &[&str],
) -> rusqlite::Result<()> {
    for step in steps.iter().skip(from as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUTURE: [&str; 2] = [STEPS[0], "ALTER TABLE session ADD COLUMN host TEXT"];

    fn of_format_one() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        let transaction = connection.transaction().unwrap();
        migrate(&transaction, 0, &STEPS).unwrap();
        transaction.commit().unwrap();
        connection.execute("INSERT INTO session VALUES (1, 2, 3, NULL, 4, 5, 6, 7)", []).unwrap();
        connection
    }

    #[test]
    fn an_older_database_gets_the_steps_it_lacks_and_keeps_its_records() {
        let mut connection = of_format_one();
        let transaction = connection.transaction().unwrap();
        migrate(&transaction, 1, &FUTURE).unwrap();
        transaction.commit().unwrap();
        assert_eq!(version(&connection).unwrap(), 2);
        let wall: i64 = connection
            .query_row("SELECT wall_ms FROM session WHERE host IS NULL", [], |row| row.get(0))
            .unwrap();
        assert_eq!(wall, 7);
    }

    #[test]
    fn a_migration_that_fails_changes_nothing() {
        let mut connection = of_format_one();
        let transaction = connection.transaction().unwrap();
        assert!(migrate(&transaction, 1, &[FUTURE[0], FUTURE[1], "NOT SQL"]).is_err());
        drop(transaction);
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(connection.prepare("SELECT host FROM session").is_err());
    }
}
