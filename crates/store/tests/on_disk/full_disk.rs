//! A disk that fills up, and then has room again.

use crate::mount::Tmpfs;
use crate::samples::{check_whole, commit, plan};
use std::fs;
use store::{Campaign, StoreError};

#[test]
fn a_full_disk_is_said_so_and_after_making_room_all_goes_on() {
    let Some(disk) = Tmpfs::mount("3M") else { return };
    let ballast = disk.path().join("ballast");
    fs::write(&ballast, vec![1; 2 << 20]).unwrap();
    let dir = disk.path().join("campaign");
    let campaign = Campaign::create_or_resume(&dir, &plan()).unwrap().campaign;

    let full_at = (0..100_000).find_map(|index| Some((index, commit(&campaign, index).err()?)));
    let (full_at, error) = full_at.expect("3 MB are full long before");
    assert!(matches!(error, StoreError::DiskFull { .. }), "{error:?}");
    assert!(error.to_string().contains("free space and run the same command again"), "{error}");
    // Whatever else is tried: the same error, and nothing half.
    let big = vec![2; 1 << 20];
    assert!(matches!(campaign.put_file(&big), Err(StoreError::DiskFull { .. })));
    assert_eq!(check_whole(campaign.reader()), (0..full_at).collect::<Vec<_>>());

    // The same process goes on once there is room, and so does the next.
    fs::remove_file(&ballast).unwrap();
    (full_at..full_at + 50).for_each(|index| commit(&campaign, index).unwrap());
    drop(campaign);
    let campaign = Campaign::open(&dir).unwrap();
    commit(&campaign, full_at + 50).unwrap();
    assert_eq!(check_whole(campaign.reader()), (0..=full_at + 50).collect::<Vec<_>>());
}

#[test]
fn a_campaign_begun_on_a_full_disk_can_be_begun_again() {
    let Some(disk) = Tmpfs::mount("1M") else { return };
    let dir = disk.path().join("campaign");
    let ballast = disk.path().join("ballast");
    // From no room at all, in steps: each meets the making of the campaign at another point.
    for free_pages in 0..60 {
        fs::write(&ballast, vec![1; (1 << 20) - free_pages * 4096]).unwrap();
        let full = match Campaign::create_or_resume(&dir, &plan()).map(drop) {
            Ok(()) => false,
            Err(StoreError::DiskFull { .. }) => true,
            Err(error) => panic!("with {free_pages} pages free: {error:?}"),
        };
        fs::remove_file(&ballast).unwrap();
        let campaign = Campaign::create_or_resume(&dir, &plan()).unwrap().campaign;
        commit(&campaign, 0).unwrap();
        assert_eq!(check_whole(campaign.reader()), [0]);
        drop(campaign);
        assert!(full || free_pages > 10, "{free_pages} pages should not be enough");
        fs::remove_dir_all(&dir).unwrap();
    }
}
