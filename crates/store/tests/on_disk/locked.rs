//! One writer a campaign.

use crate::samples::{create, plan};
use std::fs;
use store::{Campaign, StoreError};

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let dir = tempfile::tempdir().unwrap();
    let first = create(dir.path());
    let second = [
        Campaign::open(dir.path()).map(drop),
        Campaign::create_or_resume(dir.path(), &plan()).map(drop),
    ];
    for error in second.map(Result::unwrap_err) {
        assert!(matches!(error, StoreError::Locked { .. }), "{error}");
        let process = format!("in use by process {} (on_disk-", std::process::id());
        assert!(error.to_string().contains(&process), "{error}");
        assert!(error.to_string().contains(" UTC); use another --campaign"), "{error}");
    }
    drop(first);
    Campaign::open(dir.path()).unwrap();
}

#[test]
fn a_lock_file_without_a_lock_is_no_obstacle() {
    let dir = tempfile::tempdir().unwrap();
    drop(create(dir.path()));
    for stale in ["", "garbage", r#"{"pid":1,"host":"h","command":"whodunit hunt","since":0}"#] {
        fs::write(dir.path().join("lock"), stale).unwrap();
        Campaign::open(dir.path()).unwrap();
    }
}
