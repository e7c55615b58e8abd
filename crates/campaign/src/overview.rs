//! A campaign as people see it: its numbers, and its bugs as reports.

use crate::bugs::{CampaignBug, bugs};
use crate::record::PlanRecord;
use report::{Bug, Summary};
use std::collections::BTreeSet;
use std::time::Duration;
use store::{FindingId, Reader, StoreError};

/// What a report of a campaign says.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    /// Its numbers.
    pub summary: Summary,
    /// Its bugs that were looked into.
    pub bugs: Vec<Bug>,
}

/// Reads a campaign.
///
/// # Errors
/// When the store fails.
pub fn overview(reader: &Reader) -> Result<Overview, StoreError> {
    let plan: PlanRecord = reader.plan()?;
    let counts = reader.counts()?;
    let found = bugs(reader)?;
    let cpu: u64 = reader
        .sessions()?
        .iter()
        .map(|session| session.usage.cpu_children_ms + session.usage.cpu_own_ms)
        .sum();
    let leaders: BTreeSet<FindingId> = found.iter().map(|bug| bug.group.leader).collect();
    let mut over_time: Vec<(f64, u64, u64)> = Vec::new();
    let (mut findings, mut different) = (0, 0);
    for (id, cpu) in reader.findings_over_time()? {
        findings += 1;
        different += u64::from(leaders.contains(&id));
        over_time.push((cpu.as_secs_f64() / 60.0, findings, different));
    }
    let notes = notes(&found);
    let groups = found.iter().filter(|bug| bug.known.is_none()).count() as u64;
    let bugs: Vec<Bug> = found.into_iter().filter_map(reported).collect();
    let summary = Summary {
        campaign: reader.dir().file_name().unwrap_or_default().to_string_lossy().into_owned(),
        programs: counts.programs,
        outcomes: counts.by_outcome,
        source: plan.source,
        seed: plan.seed.to_string(),
        compilers: plan.compilers.iter().map(|compiler| compiler.version_line.clone()).collect(),
        configurations: plan.configurations,
        cpu_time: report::duration(Duration::from_millis(cpu)),
        findings: counts.findings,
        kinds: counts.by_kind,
        groups,
        over_time,
        notes,
    };
    Ok(Overview { summary, bugs })
}

/// A bug as reports tell of it; nothing if nobody has looked into it.
fn reported(bug: CampaignBug) -> Option<Bug> {
    let looked = bug.stages.looked?;
    let members = bug.group.members.iter();
    let duplicates = members.map(|(id, why)| (id.to_string(), why.join("; "))).collect();
    let suspicion = bug.stages.isolated.and_then(|isolated| isolated.suspicion());
    Some(Bug { duplicates, suspicion, ..looked.report })
}

fn notes(found: &[CampaignBug]) -> Vec<String> {
    let bugs = |number: usize| match number {
        1 => "1 bug".to_owned(),
        number => format!("{number} bugs"),
    };
    let mut notes = Vec::new();
    let known = found.iter().filter(|bug| bug.known.is_some()).count();
    if known > 0 {
        notes.push(format!("{} left out: known already.", bugs(known)));
    }
    let waits = |bug: &&CampaignBug| bug.stages.looked.is_none() && bug.known.is_none();
    let waiting = found.iter().filter(waits).count();
    if waiting > 0 {
        notes.push(format!("{} not looked into yet: the same hunt again goes on.", bugs(waiting)));
    }
    for bug in found {
        let remarks = bug.stages.looked.iter().flat_map(|looked| &looked.remarks);
        notes.extend(remarks.map(|remark| format!("{}: {remark}.", bug.group.leader)));
    }
    notes
}
