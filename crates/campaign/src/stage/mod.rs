//! What is done with a finding once it is safe: told from others, made small, looked into.
//!
//! Each stage writes one record beside the finding, so that a hunt that was killed goes on with
//! the next. Whether a finding repeats an earlier one is decided in the order of the findings, when
//! all before it have been told apart: the same whatever the number of workers.

mod isolate;
mod look;
mod reduce;
mod sides;
mod triage;

pub use isolate::ISOLATE;
pub use look::LOOK;
pub use reduce::REDUCE;
pub use triage::{APART, REPEATS, TRIAGE};

pub(crate) use isolate::isolate;
pub(crate) use look::look;
pub(crate) use reduce::{journal_path, reduce};
pub(crate) use triage::{fingerprint, triage};

use crate::record::{ApartBody, IsolatedBody, LookedBody, ReducedBody, RepeatsBody, TriagedBody};
use serde::de::DeserializeOwned;
use store::{Campaign, Finding, FindingId, Page, Reader, StoreError};

/// What came of a stage.
pub(crate) enum Done<T> {
    /// Safe in the store.
    Committed(T),
    /// Stopped; the next session goes on with it.
    Unfinished,
    /// The machine was in trouble.
    Trouble(String),
}

/// All that the stages have written about a finding.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    /// What tells it from others.
    pub triaged: Option<TriagedBody>,
    /// The earlier finding, or the known bug, that it repeats.
    pub repeats: Option<RepeatsBody>,
    /// The smaller program.
    pub reduced: Option<ReducedBody>,
    /// What was found out about it.
    pub looked: Option<LookedBody>,
    /// Which files are suspicious.
    pub isolated: Option<IsolatedBody>,
    /// Findings that somebody said it is not the same as.
    pub apart: Option<ApartBody>,
}

impl Stages {
    /// Reads them; a record that can't be read counts as none, and its stage is made again.
    ///
    /// # Errors
    /// When the store fails.
    pub fn of(reader: &Reader, id: &FindingId) -> Result<Stages, StoreError> {
        let rows = reader.stages(id)?.rows;
        fn body<T: DeserializeOwned>(rows: &[store::Stage], name: &str) -> Option<T> {
            let row = rows.iter().find(|row| row.stage == name)?;
            serde_json::from_value(row.body.clone()).ok()
        }
        Ok(Stages {
            triaged: body(&rows, TRIAGE),
            repeats: body(&rows, REPEATS),
            reduced: body(&rows, REDUCE),
            looked: body(&rows, LOOK),
            isolated: body(&rows, ISOLATE),
            apart: body(&rows, APART),
        })
    }
}

impl Stages {
    /// The earlier finding that this one still repeats: nobody has split them since.
    #[must_use]
    pub fn repeated(&self) -> Option<FindingId> {
        let of: FindingId = self.repeats.as_ref()?.of.parse().ok()?;
        let apart = self.apart.as_ref().is_some_and(|apart| apart.from.contains(&of));
        (!apart).then_some(of)
    }

    /// The known bug that it is, as its file calls it.
    #[must_use]
    pub fn known_bug(&self) -> Option<String> {
        let of = &self.repeats.as_ref()?.of;
        of.parse::<FindingId>().is_err().then(|| of.clone())
    }
}

/// Every finding that can be read, in order.
pub(crate) fn all_findings(reader: &Reader) -> Result<Vec<Finding>, StoreError> {
    let mut found = Vec::new();
    let mut page = Some(Page::first(500));
    while let Some(current) = page {
        let listing = reader.findings(current)?;
        found.extend(listing.rows);
        page = listing.next;
    }
    Ok(found)
}

/// Every finding with its stages, in order.
pub(crate) fn all_stages(campaign: &Campaign) -> Result<Vec<(FindingId, Stages)>, StoreError> {
    let reader = campaign.reader();
    all_findings(reader)?
        .into_iter()
        .map(|finding| Ok((finding.id, Stages::of(reader, &finding.id)?)))
        .collect()
}
