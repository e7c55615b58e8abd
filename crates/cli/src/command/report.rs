//! `whodunit report`: a page of a campaign, and a folder for each of its bugs.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use base::atomic_write;
use campaign::{PlanRecord, bugs};
use report::{Bug, Summary, index, sarif, write_folder};
use std::path::Path;
use std::time::Duration;
use store::Reader;

pub fn run(args: &args::Report) -> Result<u8, Failure> {
    let reader = Reader::open(&args.campaign)?;
    let written = write(&reader, &args.campaign, &args.out)?;
    eprintln!("written: {} with {}", args.out.display(), shown::plural(written, "bug"));
    Ok(NOTHING)
}

/// Writes the page, the folders that it links to, and SARIF beside it; gives the number of bugs.
pub fn write(reader: &Reader, campaign: &Path, out: &Path) -> Result<u64, Failure> {
    let plan: PlanRecord = reader.plan()?;
    let counts = reader.counts()?;
    let found = bugs(reader)?;
    let cpu: u64 = reader
        .sessions()?
        .iter()
        .map(|session| session.usage.cpu_children_ms + session.usage.cpu_own_ms)
        .sum();
    let mut notes = Vec::new();
    let known = found.iter().filter(|bug| bug.known.is_some()).count() as u64;
    if known > 0 {
        notes.push(format!("{} left out: known already.", shown::plural(known, "bug")));
    }
    let waiting =
        found.iter().filter(|bug| bug.stages.looked.is_none() && bug.known.is_none()).count();
    if waiting > 0 {
        let waiting = shown::plural(waiting as u64, "bug");
        notes.push(format!("{waiting} not looked into yet: the same hunt again goes on."));
    }
    for bug in &found {
        if let Some(looked) = &bug.stages.looked {
            let id = bug.group.leader;
            notes.extend(looked.remarks.iter().map(|remark| format!("{id}: {remark}.")));
        }
    }
    let reports: Vec<Bug> = found
        .into_iter()
        .filter_map(|bug| {
            let members = bug.group.members;
            let looked = bug.stages.looked?;
            let duplicates =
                members.iter().map(|(id, why)| (id.to_string(), why.join("; "))).collect();
            let suspicion = bug.stages.isolated.and_then(|isolated| isolated.suspicion());
            Some(Bug { duplicates, suspicion, ..looked.report })
        })
        .collect();
    let summary = Summary {
        campaign: campaign.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        programs: counts.programs,
        source: plan.source,
        seed: plan.seed.to_string(),
        compilers: plan.compilers.iter().map(|compiler| compiler.version_line.clone()).collect(),
        cpu_time: shown::duration(Duration::from_millis(cpu)),
        findings: counts.findings,
        groups: reports.len() as u64,
        notes,
    };
    let failed = |path: &Path, error: std::io::Error| {
        Failure::ours(format!("cannot write {}: {error}", path.display()))
    };
    let folder = out.parent().unwrap_or(Path::new(""));
    let bugs_folder = folder.join("bugs");
    let needed = if reports.is_empty() { folder } else { &bugs_folder };
    std::fs::create_dir_all(needed).map_err(|error| failed(needed, error))?;
    for bug in &reports {
        let path = bugs_folder.join(&bug.id);
        write_folder(bug, &path).map_err(|error| failed(&path, error))?;
    }
    let text = index(&reports, &summary);
    atomic_write(out, text.as_bytes()).map_err(|error| failed(out, error))?;
    let beside = out.with_extension("sarif");
    let text = sarif(&reports).to_string();
    atomic_write(&beside, text.as_bytes()).map_err(|error| failed(&beside, error))?;
    Ok(reports.len() as u64)
}
