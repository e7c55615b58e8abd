//! Programs and findings that are a function of their index, so that every test knows what must be
//! there. Every third program is a bug with two findings and a file.

use base::{ContentId, Seed};
use serde_json::{Value, json};
use std::path::Path;
use store::{Campaign, FindingRow, Listing, Page, ProgramRow, Reader, StoreError};

pub fn plan() -> Value {
    json!({ "seed": 7, "compilers": ["gcc-12", "clang-16"] })
}

pub fn create(dir: &Path) -> Campaign {
    let opened = Campaign::create_or_resume(dir, &plan()).unwrap();
    assert!(!opened.resumed);
    opened.campaign
}

pub fn source(index: u64) -> Vec<u8> {
    format!("int main(void) {{ return {index}; }}\n").repeat(20).into_bytes()
}

pub fn findings(index: u64) -> Vec<FindingRow> {
    let finding = |ordinal: u32| FindingRow {
        ordinal,
        kind: ["crash", "wrong-code"][ordinal as usize].to_owned(),
        signature: format!("signature {}", index % 10),
        body: json!({ "source": ContentId::of(&source(index)), "note": format!("note-{index}") }),
    };
    if index.is_multiple_of(3) { vec![finding(0), finding(1)] } else { Vec::new() }
}

pub fn program(index: u64) -> ProgramRow {
    let outcome = if index.is_multiple_of(3) { "bug" } else { "agree" };
    ProgramRow {
        index,
        seed: Seed(u64::MAX - index),
        outcome: outcome.to_owned(),
        cpu_ms: index % 100,
        body: json!({ "size": index / 2, "text": format!("program-{index}") }),
    }
}

/// Stores a program as a hunt does: its file first.
pub fn commit(campaign: &Campaign, index: u64) -> Result<(), StoreError> {
    if index.is_multiple_of(3) {
        campaign.put_file(&source(index))?;
    }
    campaign.commit_program(&program(index), &findings(index))
}

/// Every program that is listed is whole, and no finding is there without its program.
pub fn check_whole(reader: &Reader) -> Vec<u64> {
    let done: Vec<u64> = reader.programs_done().unwrap().into_iter().flatten().collect();
    let mut expected = Vec::new();
    for index in &done {
        assert_eq!(reader.program(*index).unwrap(), Some(program(*index)));
        for finding in findings(*index) {
            expected.push((*index, finding));
        }
    }
    let Listing { rows, unreadable, .. } = reader.findings(Page::first(u32::MAX)).unwrap();
    assert!(unreadable.is_empty(), "{unreadable:?}");
    let mut found = Vec::new();
    for row in rows {
        let id: ContentId = serde_json::from_value(row.body["source"].clone()).unwrap();
        assert_eq!(reader.get_file(id).unwrap(), source(row.id.program));
        let (ordinal, kind, signature, body) = (row.id.ordinal, row.kind, row.signature, row.body);
        found.push((row.id.program, FindingRow { ordinal, kind, signature, body }));
    }
    assert_eq!(found, expected);
    done
}
