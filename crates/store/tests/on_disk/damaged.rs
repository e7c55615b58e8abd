//! Damage is named, and what is whole stays readable.

use crate::samples::{commit, create, plan, source};
use base::ContentId;
use std::fs;
use std::path::Path;
use store::{Campaign, FORMAT_VERSION, Listing, Page, Reader, StoreError};

const PROGRAMS: u64 = 300;

fn campaign_of_300(dir: &Path) {
    let campaign = create(dir);
    (0..PROGRAMS).for_each(|index| commit(&campaign, index).unwrap());
}

/// Replaces the first `old` in a file by `new`, which is as long.
fn overwrite(path: &Path, old: &str, new: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.windows(old.len()).position(|part| part == old.as_bytes()).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new);
    fs::write(path, bytes).unwrap();
}

fn is_corrupt(error: &StoreError, names: &str) -> bool {
    matches!(error, StoreError::Corrupt { what, .. } if what.contains(names))
}

#[test]
fn a_changed_byte_makes_one_record_unreadable() {
    for (new, why) in [
        (&b"note-31?"[..], "checksum"),
        (b"note\"31?", "not JSON"),
        (b"note\x0031?", "not JSON"),
        (b"note\xff31?", "invalid utf-8"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        campaign_of_300(dir.path());
        overwrite(&dir.path().join("campaign.db"), "note-294", new);
        let reader = Reader::open(dir.path()).unwrap();
        let Listing { rows, unreadable, .. } = reader.findings(Page::first(1000)).unwrap();
        assert_eq!((rows.len(), unreadable.len()), (199, 1), "{unreadable:?}");
        assert!(is_corrupt(&unreadable[0], "finding 294-"), "{}", unreadable[0]);
        assert!(unreadable[0].to_string().contains(why), "{}", unreadable[0]);

        let mut lines = Vec::new();
        let exported = reader.export_jsonl(&mut lines).unwrap();
        assert_eq!((exported.records, exported.unreadable), (1 + 300 + 199, 1));
        assert!(String::from_utf8(lines).unwrap().contains(r#"{"record":"unreadable","#));
    }
}

#[test]
fn a_ruined_page_does_not_hide_the_records_on_the_others() {
    let dir = tempfile::tempdir().unwrap();
    campaign_of_300(dir.path());
    let path = dir.path().join("campaign.db");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(8).position(|part| part == b"note-150").unwrap();
    bytes[at / 4096 * 4096..][..4096].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let reader = Reader::open(dir.path()).unwrap();
    let Listing { rows, unreadable, .. } = reader.findings(Page::first(1000)).unwrap();
    assert_eq!(rows.len() + unreadable.len(), 200);
    assert!((1..40).contains(&unreadable.len()), "{unreadable:?}");
    assert!(unreadable.iter().all(|error| is_corrupt(error, "finding ")), "{unreadable:?}");
    assert!(unreadable.iter().any(|error| is_corrupt(error, "finding 150-0")), "{unreadable:?}");
    assert_eq!(reader.programs_done().unwrap(), vec![0..PROGRAMS; 1]);
    // What is whole can be added to.
    drop(reader);
    let campaign = Campaign::open(dir.path()).unwrap();
    commit(&campaign, PROGRAMS + 1).unwrap();
}

#[test]
fn a_database_that_is_none_is_refused() {
    for content in [&b"once upon a time, there was a database"[..], b""] {
        let dir = tempfile::tempdir().unwrap();
        campaign_of_300(dir.path());
        fs::write(dir.path().join("campaign.db"), content).unwrap();
        check_database_refused(dir.path());
        assert_eq!(fs::read(dir.path().join("campaign.db")).unwrap(), content);
    }
    let dir = tempfile::tempdir().unwrap();
    campaign_of_300(dir.path());
    fs::remove_file(dir.path().join("campaign.db")).unwrap();
    check_database_refused(dir.path());
    assert!(!dir.path().join("campaign.db").exists());
}

fn check_database_refused(dir: &Path) {
    let attempts = [
        Reader::open(dir).map(drop),
        Campaign::open(dir).map(drop),
        Campaign::create_or_resume(dir, &plan()).map(drop),
    ];
    for error in attempts.map(Result::unwrap_err) {
        assert!(is_corrupt(&error, "database"), "{error:?}");
    }
}

#[test]
fn a_damaged_file_is_not_taken_for_a_whole_one_and_is_healed_when_it_comes_again() {
    let dir = tempfile::tempdir().unwrap();
    campaign_of_300(dir.path());
    let id = ContentId::of(&source(3));
    let name = id.to_string();
    let path = dir.path().join("files").join(&name[..2]).join(&name[2..]);
    let whole = fs::read(&path).unwrap();
    let mut changed = whole.clone();
    changed[5] ^= 1;
    for damaged in [&whole[..whole.len() - 1], &changed, b""] {
        fs::write(&path, damaged).unwrap();
        let campaign = Campaign::open(dir.path()).unwrap();
        let error = campaign.reader().get_file(id).unwrap_err();
        assert!(is_corrupt(&error, &name[..12]), "{error:?}");
        campaign.put_file(&whole).unwrap();
        assert_eq!(campaign.reader().get_file(id).unwrap(), whole);
    }
    fs::remove_file(&path).unwrap();
    let error = Reader::open(dir.path()).unwrap().get_file(id).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn a_marker_that_is_none_is_refused_and_stays() {
    for content in ["", "{", "[]", "null", r#"{"format":"one"}"#] {
        let dir = tempfile::tempdir().unwrap();
        drop(create(dir.path()));
        let marker = dir.path().join("whodunit-campaign.json");
        fs::write(&marker, content).unwrap();
        for error in [
            Reader::open(dir.path()).unwrap_err(),
            Campaign::create_or_resume(dir.path(), &plan()).unwrap_err(),
        ] {
            assert!(is_corrupt(&error, "marker"), "{error:?}");
            assert!(error.to_string().contains(r#"{\"format\":1,"#), "{error}");
        }
        assert_eq!(fs::read_to_string(&marker).unwrap(), content);
    }
}

#[test]
fn a_campaign_of_a_later_version_is_refused_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    drop(create(dir.path()));
    let marker = dir.path().join("whodunit-campaign.json");
    let ours = fs::read(&marker).unwrap();
    fs::write(&marker, r#"{"format":99,"whodunit":"7.2.0","more":[]}"#).unwrap();
    check_later_version_refused(dir.path(), "whodunit 7.2.0");
    // The database alone says so too.
    fs::write(&marker, ours).unwrap();
    let database = rusqlite::Connection::open(dir.path().join("campaign.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    check_later_version_refused(dir.path(), "");
}

fn check_later_version_refused(dir: &Path, made_by: &str) {
    let attempts = [
        Reader::open(dir).map(drop),
        Campaign::open(dir).map(drop),
        Campaign::create_or_resume(dir, &plan()).map(drop),
    ];
    for error in attempts.map(Result::unwrap_err) {
        let versions =
            matches!(error, StoreError::OtherVersion { found: 99, readable: FORMAT_VERSION, .. });
        assert!(versions, "{error:?}");
        assert!(error.to_string().contains(made_by), "{error}");
        assert!(error.to_string().contains("use that version or a newer one"), "{error}");
    }
}
