//! The campaign on disk: what was tested, what was found, and what later became of it.
//!
//! In: records as JSON values with a few key columns, and files as bytes. Out: the same, after a
//! kill, a full disk or a damaged page too. This crate does not know what a compiler, a program or
//! a verdict is: the bodies of its records belong to the crates above.
//!
//! A campaign is a folder:
//! ```text
//! whodunit-campaign.json   marker: format and whodunit version; written first
//! lock                     held by the one process that writes
//! campaign.db              SQLite in WAL mode (while in use also campaign.db-wal, -shm)
//! files/ab/cdef…           content-addressed files
//! ```
//! One process writes ([`Campaign`]), any number reads at the same time ([`Reader`]). SQLite's WAL
//! needs shared memory, so they must be on one machine; the folder itself can be copied anywhere
//! once the writer is gone.
//!
//! ```
//! use serde_json::json;
//! let dir = tempfile::tempdir()?;
//! let opened = store::Campaign::create_or_resume(dir.path(), &json!({ "seed": 1 }))?;
//! let program = store::ProgramRow {
//!     index: 17,
//!     seed: base::Seed(99),
//!     outcome: "bug".into(),
//!     cpu_ms: 1200,
//!     body: json!({ "source": opened.campaign.put_file(b"int main(void) {}")? }),
//! };
//! let finding = store::FindingRow {
//!     ordinal: 0,
//!     kind: "crash".into(),
//!     signature: "in fold_binary".into(),
//!     body: json!({}),
//! };
//! opened.campaign.commit_program(&program, &[finding])?;
//! let found = opened.campaign.reader().finding(&"17-0".parse()?)?;
//! assert_eq!(found.map(|found| found.kind), Some("crash".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used))] // in tests, a panic is the message

mod campaign;
mod database;
mod error;
mod export;
mod files;
mod folder;
mod lock;
mod reader;
mod records;
mod rows;
mod schema;
mod sessions;
mod unix_time;

pub use campaign::{Campaign, Opened};
pub use error::StoreError;
pub use export::Exported;
pub use reader::Reader;
pub use records::{
    Counts, Finding, FindingId, FindingRow, Listing, Page, ProgramRow, Session, SessionId, Stage,
    Usage,
};
pub use schema::FORMAT_VERSION;
pub use unix_time::UnixTime;
