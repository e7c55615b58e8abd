//! The export says the same of equal campaigns.

use crate::samples::{commit, create};
use serde_json::{Value, json};
use std::path::Path;
use store::{Reader, Usage};

fn export(dir: &Path) -> Vec<Value> {
    let mut lines = Vec::new();
    let exported = Reader::open(dir).unwrap().export_jsonl(&mut lines).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((exported.records, exported.unreadable), (lines.len() as u64, 0));
    lines
}

/// As a reader of the export compares two: without what may differ.
fn lasting(lines: Vec<Value>) -> Vec<Value> {
    let mut lines = lines;
    lines.retain(|line| line["record"] != "session");
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("volatile");
    }
    lines
}

#[test]
fn the_order_of_commits_does_not_show() {
    let campaign = |order: &mut dyn Iterator<Item = u64>, jobs| {
        let dir = tempfile::tempdir().unwrap();
        let campaign = create(dir.path());
        let session = campaign.begin_session(jobs).unwrap();
        order.for_each(|index| commit(&campaign, index).unwrap());
        for id in ["9-1", "10-0", "3-0", "12-1"] {
            // 10 agrees, so it has no finding.
            let _ = campaign.put_stage(&id.parse().unwrap(), "reduce", &json!({ "of": id }));
        }
        let wall_ms = u64::from(jobs) * 1000;
        campaign.end_session(session, Usage { wall_ms, ..Usage::default() }).unwrap();
        drop(campaign);
        export(dir.path())
    };
    // More than one batch of keys.
    let forwards = campaign(&mut (0..1500), 1);
    let backwards = campaign(&mut (0..1500).rev(), 4);
    assert_eq!(lasting(forwards.clone()), lasting(backwards));

    let of = |record: &str| forwards.iter().filter(|line| line["record"] == record).count();
    assert_eq!(["plan", "program", "finding", "stage", "session"].map(of), [1, 1500, 1000, 3, 1]);
    let program = &forwards[4];
    assert_eq!(program["index"], 3);
    assert_eq!(program["seed"], u64::MAX - 3);
    assert_eq!(program["volatile"], json!({ "cpu_ms": 3 }));
    let stages: Vec<_> = forwards.iter().filter(|line| line["record"] == "stage").collect();
    assert_eq!(stages.iter().map(|s| &s["finding"]).collect::<Vec<_>>(), ["3-0", "9-1", "12-1"]);
    assert_eq!(forwards.last().unwrap()["volatile"]["usage"]["wall_ms"], 1000);
}
