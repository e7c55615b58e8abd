//! A hunt that is killed, stopped or started twice: nothing is lost, nothing is doubled.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::process::Child;
use std::time::Duration;
use support::{Machine, Said, processes_with, program, signal, wait_until};

const HUNT: [&str; 5] = ["hunt", "--source", "programs", "--campaign", "c"];

/// A machine with a folder of twelve programs, three quarters of which show bugs.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.fake("bad", "-O2", ["*"]);
    machine.write(
        "whodunit.toml",
        "[limits]\ncompiler-cpu-seconds = 1\n\
         [[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    for (index, misdeed) in
        ["slow", "crash", "reject", "miscompile"].iter().cycle().take(12).enumerate()
    {
        machine.write(&format!("programs/{index:02}.c"), program(misdeed));
    }
    Some(machine)
}

/// Starts the hunt with `jobs` and kills it once `programs` are in the store.
fn kill_after(machine: &Machine, programs: u64, jobs: &str) {
    let args: Vec<&str> = HUNT.into_iter().chain(["--jobs", jobs]).collect();
    let mut child = machine.start(&args);
    wait_until("the hunt is so far", || {
        tested(machine) >= Some(programs) || child.try_wait().unwrap().is_some()
    });
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How many programs the campaign has, if it is there.
fn tested(machine: &Machine) -> Option<u64> {
    let status = machine.command(&["status", "--campaign", "c", "--json"]).output().unwrap();
    serde_json::from_slice::<serde_json::Value>(&status.stdout).ok()?["programs"].as_u64()
}

fn finish(mut child: Child, limit: Duration) -> Said {
    let start = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < limit, "the hunt does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    Said::new(&HUNT, child.wait_with_output().unwrap())
}

#[test]
fn a_killed_hunt_resumes_to_the_same_records_whatever_the_jobs() {
    let Some(machine) = machine() else { return };
    machine.run(&["hunt", "--source", "programs", "--campaign", "whole"]).ends_with(1);
    let whole = machine.records("whole");
    assert_eq!(whole.iter().filter(|record| record["record"] == "finding").count(), 9);
    for jobs in ["1", "2"] {
        for programs in [0, 2, 5, 9] {
            kill_after(&machine, programs, jobs);
        }
        let said = machine.run(&HUNT).ends_with(1);
        assert!(said.stderr.contains("going on after"), "{said:#?}");
        assert_eq!(machine.records("c"), whole, "with {jobs} jobs");
        std::fs::remove_dir_all(machine.path("c")).unwrap();
    }
}

#[test]
fn a_finished_hunt_again_does_nothing() {
    let Some(machine) = machine() else { return };
    let first = machine.run(&[&HUNT[..], &["--programs", "2"]].concat()).ends_with(1);
    let records = machine.records("c");
    let again = machine.run(&[&HUNT[..], &["--programs", "2", "--json"]].concat()).ends_with(1);
    assert!(first.stdout.contains("2 programs"), "{first:#?}");
    assert_eq!(again.json()["session"]["programs"], 0);
    assert_eq!(again.json()["resumed"], true);
    assert_eq!(machine.records("c"), records);
}

#[test]
fn a_second_hunt_on_a_live_campaign_is_refused() {
    let Some(machine) = machine() else { return };
    let mut child = machine.start(&HUNT);
    wait_until("the hunt has begun", || tested(&machine).is_some());
    let second = machine.command(&HUNT).output().unwrap();
    let second = Said::new(&HUNT, second).ends_with(2);
    let message = format!("the campaign c is in use by process {} (whodunit hunt", child.id());
    assert!(second.stderr.contains(&message), "{second:#?}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn another_plan_on_a_campaign_is_refused_and_changes_nothing() {
    let Some(machine) = machine() else { return };
    machine.run(&[&HUNT[..], &["--programs", "2"]].concat()).ends_with(1);
    let records = machine.records("c");
    for (other, difference) in [
        (&["--seed", "2"][..], "seed: 1 there, 2 now"),
        (&["--compiler", "gcc-12"], "test set: "),
        (&["--baseline", "gcc-12"], "baseline: "),
    ] {
        let said = machine.run(&[&HUNT[..], other].concat()).ends_with(2);
        assert!(said.stderr.contains("the campaign c was made for another hunt"), "{said:#?}");
        assert!(said.stderr.contains(difference), "{said:#?}");
        assert_eq!(said.stdout, "");
    }
    assert_eq!(machine.records("c"), records);
    let said = machine.run(&["status", "--campaign", "c", "--json"]).json();
    assert_eq!(said["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_compiler_that_has_changed_is_another_plan() {
    let Some(machine) = machine() else { return };
    machine.run(&[&HUNT[..], &["--programs", "1"]].concat()).ends_with(0);
    machine.fake("bad", "-O2 | -O3", ["*"]);
    let said = machine.run(&HUNT).ends_with(2);
    assert!(said.stderr.contains("compiler bad has changed"), "{said:#?}");
}

#[test]
fn ctrl_c_stops_cleanly_and_keeps_what_was_found() {
    let Some(machine) = machine() else { return };
    let child = machine.start(&[&HUNT[..], &["--jobs", "1"]].concat());
    wait_until("something is found", || tested(&machine) >= Some(2));
    signal(&child, "INT");
    let said = finish(child, Duration::from_secs(60)).ends_with(1);
    assert!(said.stderr.contains("stopping after the programs under way"), "{said:#?}");
    assert!(said.stdout.contains("stopped; the same command goes on"), "{said:#?}");
    assert!(tested(&machine) < Some(12), "{said:#?}");
    assert!(!machine.path("c/scratch").exists());
    let marker = machine.path("");
    assert_eq!(processes_with(&marker.to_string_lossy()), [""; 0]);
    machine.run(&HUNT).ends_with(1).prints(&["12 programs"]);
}

#[test]
fn a_second_ctrl_c_stops_at_once_and_leaves_no_process() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-O2", ["*"]);
    // The default limit: without the second Ctrl-C the compiler would use ten seconds, twice.
    machine.programs(&["hang"]);
    machine.write("programs/again.c", program("hang"));
    let compilers = ["--compiler", "bad", "--compiler", "gcc-12", "--args=-O2", "--jobs", "2"];
    let child = machine.start(&[&HUNT[..], &compilers].concat());
    let marker = machine.path("bin/bad").to_string_lossy().into_owned();
    wait_until("the compiler hangs", || {
        processes_with(&marker).iter().any(|argv| argv.contains("hang.c"))
    });
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "INT");
    let said = finish(child, Duration::from_secs(8)).ends_with(0);
    assert!(said.stdout.contains("0 programs"), "{said:#?}");
    assert!(said.stdout.contains("stopped"), "{said:#?}");
    let marker = machine.path("");
    assert_eq!(processes_with(&marker.to_string_lossy()), [""; 0]);
}

#[test]
fn a_killed_hunt_leaves_no_process_behind() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-O2", ["*"]);
    machine.programs(&["hang"]);
    let compilers = ["--compiler", "bad", "--compiler", "gcc-12", "--args=-O2"];
    let mut child = machine.start(&[&HUNT[..], &compilers].concat());
    let marker = machine.path("bin/bad").to_string_lossy().into_owned();
    wait_until("the compiler hangs", || {
        processes_with(&marker).iter().any(|argv| argv.contains("hang.c"))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let marker = machine.path("").to_string_lossy().into_owned();
    wait_until("all processes are gone", || processes_with(&marker).is_empty());
}

#[test]
fn status_reads_a_campaign_that_is_being_written() {
    let Some(machine) = machine() else { return };
    let mut child = machine.start(&HUNT);
    wait_until("the hunt has begun", || tested(&machine).is_some());
    let mut before = 0;
    while child.try_wait().unwrap().is_none() {
        for form in [&["--json"][..], &["--export"], &[]] {
            let args = [&["status", "--campaign", "c"], form].concat();
            Said::new(&args, machine.command(&args).output().unwrap()).ends_with(0);
        }
        let now = tested(&machine).expect("status answers at any time");
        assert!(now >= before, "{now} after {before}");
        before = now;
    }
    assert_eq!(tested(&machine), Some(12));
}
