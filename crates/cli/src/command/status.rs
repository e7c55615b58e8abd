//! `whodunit status`: what a campaign has found so far.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::ink::Ink;
use crate::shown;
use campaign::{CampaignBug, FindingBody, Learned, PlanRecord, Stages, bugs, chunks, learned};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use store::{Page, Reader, StoreError};

/// More findings than this are only counted in text; `--json` and `--export` give all.
const SHOWN: u32 = 20;

pub fn run(args: &args::Status) -> Result<u8, Failure> {
    let reader = Reader::open(&args.campaign)?;
    if args.export {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        match reader.export_jsonl(&mut out).and_then(|_| out.flush().map_err(StoreError::Export)) {
            // `whodunit status --export | head` is no failure.
            Err(StoreError::Export(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            result => result?,
        }
    } else if args.json {
        println!("{}", document(&args.campaign, &reader)?);
    } else {
        print!("{}", summary(&args.campaign, &reader)?);
    }
    Ok(NOTHING)
}

/// A summary that one can paste into a chat.
pub fn summary(dir: &Path, reader: &Reader) -> Result<String, Failure> {
    let plan: PlanRecord = reader.plan()?;
    let counts = reader.counts()?;
    let sessions = reader.sessions()?;
    let total = |of: fn(&store::Usage) -> u64| -> Duration {
        Duration::from_millis(sessions.iter().map(|session| of(&session.usage)).sum())
    };
    let (wall, children, own) = (
        total(|usage| usage.wall_ms),
        total(|usage| usage.cpu_children_ms),
        total(|usage| usage.cpu_own_ms),
    );
    let mut text = format!("{}\n", Ink::Strong.on(&format!("campaign {}", dir.display())));
    let compilers: Vec<&str> = plan.compilers.iter().map(|c| c.name.as_str()).collect();
    let _ = writeln!(
        text,
        "  tested    {} from {} (seed {}) with {} ({} configurations)",
        shown::plural(counts.programs, "program"),
        plan.source,
        plan.seed,
        compilers.join(", "),
        plan.configurations.len(),
    );
    let outcomes: Vec<String> =
        counts.by_outcome.iter().map(|(what, n)| format!("{n} {what}")).collect();
    let _ = writeln!(text, "  verdicts  {}", outcomes.join(", "));
    let share = 100.0 * own.as_secs_f64() / (own + children).as_secs_f64().max(0.001);
    let _ = writeln!(
        text,
        "  time      {} in {}, CPU {} in compilers and programs, {share:.1} % in whodunit",
        shown::duration(wall),
        shown::plural(sessions.len() as u64, "session"),
        shown::duration(children),
    );
    // A file that was damaged has no say in what is shown of the rest; hunt says that it is.
    if let Ok(Some(learned)) = learned(dir) {
        let _ = writeln!(text, "  learned   {}", learned_in_words(&learned));
    }
    if let Some(standing) = chunks(dir) {
        let _ = writeln!(text, "  chunks    {}", standing.in_words());
    }
    let _ = writeln!(text, "  findings  {}", shown::counts(&counts.by_kind));
    let groups = bugs(reader)?;
    if !groups.is_empty() {
        let _ = writeln!(text, "  bugs      {}", bugs_in_words(&groups));
    }
    let listing = reader.findings(Page::first(SHOWN))?;
    for finding in &listing.rows {
        let line = match serde_json::from_value::<FindingBody>(finding.body.clone()) {
            Ok(body) => {
                let line = shown::finding(&finding.id.to_string(), &body);
                line + &shown::reduced(Stages::of(reader, &finding.id)?.reduced.as_ref())
            }
            Err(error) => format!("{:>8}  unreadable: {error}", finding.id.to_string()),
        };
        let _ = writeln!(text, "{line}");
    }
    for error in &listing.unreadable {
        let _ = writeln!(text, "  damaged   {error}");
    }
    let hidden = counts.findings.saturating_sub(listing.rows.len() as u64);
    if hidden > 0 {
        let _ = writeln!(text, "          … and {hidden} more (--json lists all)");
    }
    if counts.findings > 0 {
        let _ = writeln!(text, "  again     whodunit replay --campaign {} ID", dir.display());
        let _ = writeln!(
            text,
            "  report    whodunit report --campaign {} --out report.html",
            dir.display()
        );
    }
    Ok(text)
}

/// `7 rounds, 214023 edges; mostly loops 95 %, …; seldom const 31 %, …`.
fn learned_in_words(learned: &Learned) -> String {
    let mut chances: Vec<(String, f64)> =
        learned.constructs.iter().map(|(one, chance)| (one.to_string(), chance.now)).collect();
    chances.sort_by(|one, other| other.1.total_cmp(&one.1));
    let words = |chances: &[(String, f64)]| -> String {
        let words = chances.iter().map(|(name, chance)| format!("{name} {:.0} %", 100.0 * chance));
        words.collect::<Vec<_>>().join(", ")
    };
    let mut text = shown::plural(learned.rounds, "round");
    if learned.edges > 0 {
        let _ = write!(text, ", {}", shown::plural(learned.edges as u64, "edge"));
    }
    let few = 3.min(chances.len() / 2);
    let (most, least) = (&chances[..few], &chances[chances.len() - few..]);
    let _ = write!(text, "; mostly {}; seldom {}", words(most), words(least));
    text
}

/// `3 (1 known already, 1 still to be looked into)`.
fn bugs_in_words(groups: &[CampaignBug]) -> String {
    let known = groups.iter().filter(|bug| bug.known.is_some()).count();
    let open =
        groups.iter().filter(|bug| bug.known.is_none() && bug.stages.looked.is_none()).count();
    let mut notes = Vec::new();
    if known > 0 {
        notes.push(format!("{known} known already"));
    }
    if open > 0 {
        notes.push(format!("{open} still to be looked into"));
    }
    match notes.is_empty() {
        true => groups.len().to_string(),
        false => format!("{} ({})", groups.len(), notes.join(", ")),
    }
}

fn document(dir: &Path, reader: &Reader) -> Result<serde_json::Value, Failure> {
    let plan: PlanRecord = reader.plan()?;
    let counts = reader.counts()?;
    let mut findings = Vec::new();
    let mut unreadable = Vec::new();
    let mut page = Some(Page::first(500));
    while let Some(current) = page {
        let listing = reader.findings(current)?;
        unreadable.extend(listing.unreadable.iter().map(ToString::to_string));
        for finding in listing.rows {
            let reduced = Stages::of(reader, &finding.id)?.reduced;
            findings.push(json!({
                "reduced": reduced,
                "id": finding.id, "kind": finding.kind, "signature": finding.signature,
                "culprits": finding.body["bug"]["culprits"],
                "or_culprits": finding.body["bug"]["or_culprits"],
                "screen": finding.body["bug"]["screen"]["result"],
            }));
        }
        page = listing.next;
    }
    Ok(json!({
        "campaign": dir,
        "plan": plan,
        "programs": counts.programs,
        "outcomes": counts.by_outcome,
        "kinds": counts.by_kind,
        "findings": findings,
        "unreadable": unreadable,
        "bugs": bugs(reader)?,
        "sessions": reader.sessions()?,
        "learned": learned(dir).ok().flatten(),
        "chunks": chunks(dir),
    }))
}
