//! `whodunit bugs`: findings in groups, and what is to be done with them.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::ink::Ink;
use crate::shown;
use base::atomic_write;
use campaign::{
    CampaignBug, Exclusions, KnownBug, KnownBugs, PlanRecord, bugs, frequent_pairs, split,
};
use cgen::Construct;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use store::{Campaign, FindingId, Reader};

pub fn run(args: &args::Bugs) -> Result<u8, Failure> {
    let mut said = String::new();
    if let Some(id) = &args.split {
        let id: FindingId = id.parse().map_err(Failure::input)?;
        let campaign = Campaign::open(&args.campaign)?;
        let others: Vec<String> = split(&campaign, id)?.iter().map(ToString::to_string).collect();
        match others.is_empty() {
            true => writeln!(said, "{id} is alone already"),
            false => writeln!(said, "{id} is a bug of its own, apart from {}", others.join(", ")),
        }
        .map_err(Failure::ours)?;
    }
    if !args.exclude.is_empty() || !args.include.is_empty() {
        said.push_str(&change(args)?);
    }
    let reader = Reader::open(&args.campaign)?;
    let found = bugs(&reader)?;
    if let Some(path) = &args.export {
        said.push_str(&export(path, &found)?);
    }
    if args.pairs {
        said.push_str(&pairs(&found));
    }
    if args.sequences {
        said.push_str(&sequences(&found));
    }
    if args.json {
        println!("{}", document(&found));
    } else {
        print!("{said}{}", text(&found));
    }
    Ok(NOTHING)
}

/// Changes what programs do without.
fn change(args: &args::Bugs) -> Result<String, Failure> {
    let parse = |names: &[String]| -> Result<Vec<Construct>, Failure> {
        names.iter().map(|name| name.parse::<Construct>().map_err(Failure::input)).collect()
    };
    let (exclude, include) = (parse(&args.exclude)?, parse(&args.include)?);
    // Held while the file is changed: a hunt that runs must not miss it.
    let campaign = Campaign::open(&args.campaign)?;
    let plan: PlanRecord = campaign.reader().plan()?;
    if !plan.source.starts_with("gen ") {
        let source = &plan.source;
        return Err(Failure::input(format!(
            "this campaign's programs come from {source}; only those of gen can do without constructs"
        )));
    }
    let next = campaign.reader().programs_done()?.last().map_or(0, |range| range.end);
    let mut all = Exclusions::read(&args.campaign)?;
    let from = all.change(&args.campaign, next, |without| {
        without.extend(exclude);
        without.retain(|construct| !include.contains(construct));
    })?;
    let without: Vec<String> = all.at(from).iter().map(ToString::to_string).collect();
    let what = if without.is_empty() { "nothing".to_owned() } else { without.join(", ") };
    Ok(format!("from program {from} on, programs do without {what}\n"))
}

/// Pairs of passes that more than one bug has, as the config takes them (CTOS's Table 3).
fn pairs(found: &[CampaignBug]) -> String {
    let frequent: Vec<String> = frequent_pairs(found)
        .iter()
        .filter(|(_, bugs)| *bugs > 1)
        .take(8)
        .map(|(pair, bugs)| format!("  \"{pair}\", # {}\n", shown::plural(*bugs as u64, "bug")))
        .collect();
    match frequent.is_empty() {
        true => "no pair of passes is in the shortest sequences of two bugs\n".to_owned(),
        false => format!("[passes]\nexclude = [\n{}]\n", frequent.concat()),
    }
}

/// The shortest sequence of each bug, as the config takes them.
fn sequences(found: &[CampaignBug]) -> String {
    let lines: BTreeSet<String> = found.iter().filter_map(CampaignBug::exclusion).collect();
    let lines: Vec<String> = lines.iter().map(|line| format!("  \"{line}\",\n")).collect();
    match lines.is_empty() {
        true => "no bug has a sequence of passes that was made short\n".to_owned(),
        false => format!("[passes]\nexclude = [\n{}]\n", lines.concat()),
    }
}

/// Writes the bugs as known ones, for other campaigns.
fn export(path: &std::path::Path, found: &[CampaignBug]) -> Result<String, Failure> {
    let known: Vec<KnownBug> = found
        .iter()
        .filter_map(|bug| {
            let triaged = bug.stages.triaged.as_ref()?;
            let note = bug.stages.looked.as_ref().map(|looked| report::title(&looked.report));
            KnownBug::of(
                &bug.group.leader.to_string(),
                &triaged.fingerprint,
                &note.unwrap_or_default(),
            )
        })
        .collect();
    let (kept, all) = (known.len(), found.len());
    let text = toml::to_string(&KnownBugs { bugs: known }).map_err(Failure::ours)?;
    atomic_write(path, text.as_bytes())
        .map_err(|error| Failure::ours(format!("cannot write {}: {error}", path.display())))?;
    let path = path.display();
    Ok(match kept == all {
        true => format!("{path}: {}\n", shown::plural(kept as u64, "known bug")),
        false => {
            format!("{path}: {kept} of {all} bugs; the others can't be told by what is known\n")
        }
    })
}

fn document(found: &[CampaignBug]) -> serde_json::Value {
    let each = |bug: &CampaignBug| {
        let looked = bug.stages.looked.as_ref();
        json!({
            "leader": bug.group.leader,
            "members": bug.group.members.iter().map(|(id, evidence)| json!({
                "id": id, "evidence": evidence,
            })).collect::<Vec<_>>(),
            "known": bug.known,
            "kind": bug.finding.bug.kind,
            "signature": bug.finding.bug.signature,
            "title": looked.map(|looked| report::title(&looked.report)),
            "pass": looked.and_then(|looked| looked.culprit.as_ref()?.pass.clone()),
            "compiler": bug.finding.bug.culprits.first().and_then(|label| label.split(' ').next()),
            "sequence": bug.sequence(),
            "bytes": bug.stages.reduced.as_ref().map(|reduced| reduced.bytes),
            "versions": looked.map(|looked| looked.report.versions.clone()),
            "suspicious": bug.stages.isolated.as_ref().map(|isolated| json!({
                "build": isolated.build, "method": isolated.method, "seed": isolated.seed,
                "evaluations": isolated.evaluations, "witnesses": isolated.witnesses,
                "failed": isolated.failed, "ranking": isolated.files,
            })),
            "remarks": looked.map(|looked| looked.remarks.clone()),
        })
    };
    json!({ "bugs": found.iter().map(each).collect::<Vec<_>>() })
}

fn text(found: &[CampaignBug]) -> String {
    if found.is_empty() {
        return "no bugs\n".to_owned();
    }
    let mut text = String::new();
    for bug in found {
        let id = bug.group.leader.to_string();
        let _ = match &bug.stages.looked {
            Some(looked) => {
                writeln!(text, "{id:>8}  {}", Ink::Strong.on(&report::title(&looked.report)))
            }
            None => writeln!(text, "{}", shown::finding(&id, &bug.finding)),
        };
        if let Some(known) = &bug.known {
            let _ = writeln!(text, "          {known}");
        }
        if let Some(isolated) = bug.stages.isolated.as_ref().filter(|one| one.failed.is_none()) {
            let files: Vec<&str> =
                isolated.files.iter().take(5).map(|file| file.file.as_str()).collect();
            let _ = writeln!(text, "          suspicious: {}", files.join(", "));
        }
        for (member, evidence) in &bug.group.members {
            let line = format!("and {member}: {}", evidence.join("; "));
            let _ = writeln!(text, "          {}", Ink::Quiet.on(&line));
        }
    }
    text
}
