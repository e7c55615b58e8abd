//! What an undisturbed campaign does.

use crate::samples::{check_whole, commit, create, findings, plan, program};
use serde_json::json;
use std::fs;
use store::{Campaign, FindingId, Listing, Page, Reader, StoreError, Usage};

#[test]
fn a_folder_is_made_a_campaign_once_and_then_resumed_with_its_first_plan() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("new/campaign");
    assert!(matches!(Reader::open(&dir), Err(StoreError::NotACampaign { .. })));
    assert!(matches!(Campaign::open(&dir), Err(StoreError::NotACampaign { .. })));
    drop(create(&dir));
    let opened = Campaign::create_or_resume(&dir, &json!("another plan")).unwrap();
    assert!(opened.resumed);
    assert_eq!(opened.plan, plan());
    assert_eq!(opened.campaign.reader().plan::<serde_json::Value>().unwrap(), plan());
}

#[test]
fn a_folder_with_other_things_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.tex"), "dear").unwrap();
    let error = Campaign::create_or_resume(dir.path(), &plan()).unwrap_err();
    assert!(matches!(error, StoreError::NotACampaign { .. }));
    assert!(error.to_string().contains("thesis.tex"), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let file = dir.path().join("thesis.tex");
    let error = Campaign::create_or_resume(&file, &plan()).unwrap_err();
    assert!(error.to_string().contains("a file, not a folder"), "{error}");
}

#[test]
fn a_program_that_is_there_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    commit(&campaign, 3).unwrap();
    let mut other = program(3);
    other.outcome = "agree".to_owned();
    campaign.commit_program(&other, &[]).unwrap();
    campaign.commit_program(&other, &findings(6)).unwrap();
    assert_eq!(check_whole(campaign.reader()), [3]);
}

#[test]
fn four_threads_commit_two_thousand_programs() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let campaign = &campaign;
            // Each index by two threads: the second one changes nothing.
            let indices = (0..2000).filter(move |index| index % 4 == thread || index % 4 == 0);
            scope.spawn(move || indices.for_each(|index| commit(campaign, index).unwrap()));
        }
    });
    assert_eq!(check_whole(campaign.reader()), (0..2000).collect::<Vec<_>>());
    assert_eq!(campaign.reader().programs_done().unwrap(), vec![0..2000; 1]);
    let counts = campaign.reader().counts().unwrap();
    assert_eq!((counts.programs, counts.findings), (2000, 2 * 667));
    assert_eq!(counts.by_outcome["bug"], 667);
    assert_eq!(counts.by_kind["wrong-code"], 667);
}

#[test]
fn programs_done_are_ranges_between_the_gaps() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    assert_eq!(campaign.reader().programs_done().unwrap(), []);
    let last = i64::MAX.cast_unsigned();
    for index in [7, 2, 4, 1, 3, 9, last] {
        commit(&campaign, index).unwrap();
    }
    let done = campaign.reader().programs_done().unwrap();
    assert_eq!(done, [1..5, 7..8, 9..10, last..last + 1]);
    let error = commit(&campaign, last + 2).unwrap_err();
    assert!(matches!(error, StoreError::Unstorable { .. }), "{error}");
}

#[test]
fn pages_go_through_all_findings() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    (0..30).for_each(|index| commit(&campaign, index).unwrap());
    let (mut ids, mut page) = (Vec::new(), Some(Page::first(7)));
    while let Some(asked) = page {
        let Listing { rows, next, .. } = campaign.reader().findings(asked).unwrap();
        ids.extend(rows.into_iter().map(|row| row.id.to_string()));
        page = next;
    }
    assert_eq!(ids.len(), 20);
    assert_eq!(ids[..3], ["0-0", "0-1", "3-0"]);
    assert_eq!(ids[19], "27-1");
}

#[test]
fn stages_join_a_finding_and_are_replaced_by_their_like() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    commit(&campaign, 3).unwrap();
    let id: FindingId = "3-1".parse().unwrap();
    campaign.put_stage(&id, "reduce", &json!({ "bytes": 100 })).unwrap();
    campaign.put_stage(&id, "bisect", &json!({ "pass": "gvn" })).unwrap();
    campaign.put_stage(&id, "reduce", &json!({ "bytes": 50 })).unwrap();
    let stages = campaign.reader().stages(&id).unwrap().rows;
    let stages: Vec<_> = stages.into_iter().map(|stage| (stage.stage, stage.body)).collect();
    let expected = [("bisect", json!({ "pass": "gvn" })), ("reduce", json!({ "bytes": 50 }))];
    assert_eq!(stages, expected.map(|(name, body)| (name.to_owned(), body)));
    assert_eq!(check_whole(campaign.reader()), [3]);
    let stranger: FindingId = "4-0".parse().unwrap();
    let error = campaign.put_stage(&stranger, "reduce", &json!({})).unwrap_err();
    assert!(matches!(error, StoreError::NoSuchFinding { .. }), "{error}");
}

#[test]
fn sessions_keep_what_they_used() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    let first = campaign.begin_session(2).unwrap();
    let usage = |wall_ms| Usage { cpu_own_ms: 1, cpu_children_ms: 2 * wall_ms, wall_ms };
    campaign.set_usage(first, usage(10)).unwrap();
    let second = campaign.begin_session(8).unwrap();
    campaign.set_usage(second, usage(20)).unwrap();
    campaign.end_session(second, usage(30)).unwrap();
    let sessions = campaign.reader().sessions().unwrap();
    let seen: Vec<_> = sessions.iter().map(|s| (s.jobs, s.usage, s.ended.is_some())).collect();
    assert_eq!(seen, [(2, usage(10), false), (8, usage(30), true)]);
    assert!(sessions[0].started.0 > 1_700_000_000);
}

#[test]
fn a_reader_follows_a_running_hunt_and_a_finished_one_leaves_no_log() {
    let dir = tempfile::tempdir().unwrap();
    let campaign = create(dir.path());
    let reader = Reader::open(dir.path()).unwrap();
    commit(&campaign, 0).unwrap();
    assert_eq!(check_whole(&reader), [0]);
    commit(&campaign, 1).unwrap();
    assert_eq!(check_whole(&reader), [0, 1]);
    drop(reader);
    drop(campaign);
    assert!(!dir.path().join("campaign.db-wal").exists());
    assert_eq!(check_whole(&Reader::open(dir.path()).unwrap()), [0, 1]);
}
