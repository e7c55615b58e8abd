//! A folder that can't be written. Root may write whatever the modes say, so it takes a mount.

use crate::mount::{Tmpfs, copy};
use crate::samples::{check_whole, commit, create, plan};
use std::fs;
use std::path::Path;
use store::{Campaign, Reader, StoreError};

/// A campaign of three programs on a disk that is then made read-only. `killed`: as a killed hunt
/// leaves it, with a log.
fn on_read_only_disk(killed: bool, prepare: impl FnOnce(&Path)) -> Option<Tmpfs> {
    let disk = Tmpfs::mount("10M")?;
    let dir = tempfile::tempdir().unwrap();
    // A name that must be escaped in a URI.
    let target = disk.path().join("a campaign?#%41");
    let campaign = create(dir.path());
    (0..3).for_each(|index| commit(&campaign, index).unwrap());
    if killed {
        copy(dir.path(), &target);
    } else {
        drop(campaign);
        copy(dir.path(), &target);
    }
    prepare(&target);
    disk.make_read_only();
    Some(disk)
}

fn folder(disk: &Tmpfs) -> std::path::PathBuf {
    disk.path().join("a campaign?#%41")
}

#[test]
fn a_finished_campaign_is_read_and_not_written() {
    let Some(disk) = on_read_only_disk(false, |_| ()) else { return };
    let reader = Reader::open(&folder(&disk)).unwrap();
    assert_eq!(check_whole(&reader), [0, 1, 2]);
    assert_eq!(reader.export_jsonl(&mut Vec::new()).unwrap().records, 6);
    let error = Campaign::open(&folder(&disk)).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    let error = Campaign::create_or_resume(&disk.path().join("new"), &plan()).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    assert!(error.to_string().contains("--campaign that you may write to"), "{error}");
}

#[test]
fn the_campaign_of_a_killed_hunt_is_read_with_its_log() {
    let Some(disk) = on_read_only_disk(true, |_| ()) else { return };
    assert_eq!(check_whole(&Reader::open(&folder(&disk)).unwrap()), [0, 1, 2]);
}

#[test]
fn a_log_that_cannot_be_read_there_is_an_error_and_not_left_out() {
    let without_index = |dir: &Path| fs::remove_file(dir.join("campaign.db-shm")).unwrap();
    let Some(disk) = on_read_only_disk(true, without_index) else { return };
    let error = Reader::open(&folder(&disk)).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    assert!(error.to_string().contains("copy the folder"), "{error}");
}
