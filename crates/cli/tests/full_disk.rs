//! The machine in trouble: a campaign on a disk that fills up, or that can't be written.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::fs;
use support::{Disk, Machine, program};

const HUNT: [&str; 14] = [
    "hunt",
    "--source",
    "programs",
    "--campaign",
    "disk/c",
    "--compiler",
    "gcc-12",
    "--compiler",
    "bad",
    "--args=-O0",
    "--args=-O2",
    "--jobs",
    "2",
    "--json",
];

fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.fake("bad", "-O2", ["*"]);
    for (index, misdeed) in ["nothing", "crash", "reject", "miscompile"].iter().enumerate() {
        machine.write(&format!("programs/{index}.c"), program(misdeed));
    }
    Some(machine)
}

#[test]
fn a_full_disk_is_no_bug_and_the_hunt_goes_on_when_there_is_space() {
    let Some(machine) = machine() else { return };
    let Some(disk) = Disk::mount(&machine, "300m") else { return };
    let elsewhere: Vec<&str> =
        HUNT.iter().map(|&arg| if arg == "disk/c" { "whole" } else { arg }).collect();
    machine.run(&elsewhere).ends_with(1);
    machine.run(&[&HUNT[..], &["--programs", "1"]].concat()).ends_with(0);
    // Now 1 MB is free: too little for compilers, as it may be for the store.
    let used = |free: usize| vec![0; (300 - free) << 20];
    let filler = disk.path.join("filler");
    let _ = fs::write(&filler, used(1));
    let said = machine.run(&HUNT);
    let said = said.ends_with(3);
    assert_eq!(said.stdout, "");
    let message = said.stderr.lines().last().unwrap();
    assert!(message.contains("disk"), "{said:#?}");
    assert!(message.contains("the same command again to resume"), "{said:#?}");
    assert!(!said.stderr.contains("found "), "{said:#?}");
    fs::remove_file(&filler).unwrap();
    machine.run(&HUNT).ends_with(1);
    assert_eq!(machine.records("disk/c"), machine.records("whole"));
}

#[test]
fn a_disk_that_is_full_to_the_last_byte_loses_nothing() {
    let Some(machine) = machine() else { return };
    let Some(disk) = Disk::mount(&machine, "200m") else { return };
    machine.run(&[&HUNT[..], &["--programs", "2"]].concat()).ends_with(1);
    let records = machine.records("disk/c");
    let filler = disk.path.join("filler");
    let _ = fs::write(&filler, vec![0; 200 << 20]);
    let said = machine.run(&HUNT).ends_with(3);
    assert!(said.stderr.lines().last().unwrap().contains("disk"), "{said:#?}");
    fs::remove_file(&filler).unwrap();
    assert_eq!(machine.records("disk/c"), records);
    machine.run(&HUNT).ends_with(1);
    assert_eq!(machine.findings("disk/c").len(), 3);
}

#[test]
fn a_disk_that_can_only_be_read_is_refused_and_can_be_read() {
    let Some(machine) = machine() else { return };
    let Some(disk) = Disk::mount(&machine, "200m") else { return };
    machine.run(&[&HUNT[..], &["--programs", "2"]].concat()).ends_with(1);
    let records = machine.records("disk/c");
    disk.remount("ro");
    let said = machine.run(&HUNT).ends_with(2);
    assert!(said.stderr.lines().last().unwrap().contains("read-only"), "{said:#?}");
    assert_eq!(machine.records("disk/c"), records);
    machine.run(&["replay", "--campaign", "disk/c", "1-0"]).ends_with(1);
}
