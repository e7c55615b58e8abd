//! `whodunit replay` and `status`: what was found can be looked at and repeated.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::json;
use std::fs;
use std::process::Command;
use support::{Machine, list, program};

/// A machine with a campaign of two findings: 0-0 is a crash, 1-0 wrong code.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.fake("bad", "-O2", ["*"]);
    machine.programs(&["crash", "miscompile"]);
    let compilers = ["--compiler", "gcc-12", "--compiler", "bad", "--args=-O0", "--args=-O2"];
    let hunt = ["hunt", "--source", "programs", "--campaign", "c"];
    machine.run(&[&hunt[..], &compilers].concat()).ends_with(1);
    Some(machine)
}

#[test]
fn the_commands_that_replay_prints_repeat_the_finding_by_hand() {
    let Some(machine) = machine() else { return };
    let said = machine.run(&["replay", "--campaign", "c", "1-0", "--out", "out"]).ends_with(1);
    let said = said.prints(&[
        "cd out",
        "1-0 when found: wrong-code by bad -O2",
        "1-0 now: wrong-code by bad -O2",
    ]);
    assert_eq!(
        fs::read_to_string(machine.path("out/miscompile.c")).unwrap(),
        program("miscompile")
    );
    let commands: Vec<&str> =
        said.stdout.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let bad = commands.iter().find(|line| line.contains("/bad ") && line.contains("-O2"));
    let command = bad.unwrap_or_else(|| panic!("no command of bad -O2 in {said:#?}"));
    let output = command.split(" -o ").nth(1).unwrap().split(' ').next().unwrap();
    let script = format!("cd out && {command} && ./{output}");
    let ran =
        Command::new("sh").arg("-c").arg(script).current_dir(machine.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "46\n", "{ran:?}");
}

#[test]
fn replay_has_the_saved_bug_and_the_verdict_of_now_as_json() {
    let Some(machine) = machine() else { return };
    let document = machine.run(&["replay", "--campaign", "c", "0-0", "--json"]).ends_with(1).json();
    assert_eq!(document["id"], "0-0");
    assert_eq!(document["saved"]["kind"], "crash");
    assert_eq!(document["verdict"]["bugs"][0]["culprits"], json!(["bad -O2"]));
    assert_eq!(document["observations"].as_array().unwrap().len(), 4);
    assert_eq!(document["changed_compilers"], json!([]));
}

#[test]
fn a_compiler_that_was_repaired_is_noticed_and_ends_with_0() {
    let Some(machine) = machine() else { return };
    machine.fake("bad", "-O9", ["*"]);
    let args = ["replay", "--campaign", "c", "0-0"];
    let said = machine.run(&args).ends_with(0);
    said.prints(&[
        "note: bad is not the compiler that it was",
        "0-0 now: all configurations agree",
    ]);
    let document = machine.run(&[&args[..], &["--json"]].concat()).ends_with(0).json();
    assert_eq!(list(&document["changed_compilers"]), ["bad"]);
}

#[test]
fn a_compiler_that_became_random_is_not_comparable() {
    let Some(machine) = machine() else { return };
    let script = fs::read_to_string(machine.path("bin/bad")).unwrap();
    let random = script.replace("'-DWRONG=sum++'", "\"-DNOISE=1$(date +%N)LL\"");
    machine.script("bin/bad", &random);
    let said = machine.run(&["replay", "--campaign", "c", "1-0"]).ends_with(4);
    said.prints(&["1-0 now: not comparable: not repeatable"]);
}

#[test]
fn a_compiler_that_is_gone_is_said() {
    let Some(machine) = machine() else { return };
    fs::remove_file(machine.path("bin/bad")).unwrap();
    machine.run(&["replay", "--campaign", "c", "0-0"]).refuses(&["bin/bad", "not found"]);
}

#[test]
fn a_finding_that_is_not_there_is_said() {
    let Some(machine) = machine() else { return };
    machine.run(&["replay", "--campaign", "c", "7-0"]).refuses(&["7-0", "status"]);
    machine.run(&["replay", "--campaign", "c", "nonsense"]).refuses(&["nonsense"]);
}

#[test]
fn status_is_a_summary_a_document_and_lines() {
    let Some(machine) = machine() else { return };
    machine.run(&["status", "--campaign", "c"]).ends_with(0).prints(&[
        "2 programs from the 2 programs in",
        "gcc-12, bad (4 configurations)",
        "verdicts  2 bug",
        "findings  1 crash, 1 wrong-code",
        "0-0  crash          bad -O2: internal compiler error: in vect_loop, at tree-vect.cc during vect",
        "1-0  wrong-code     bad -O2: wrong code by gcc",
        "whodunit replay --campaign c ID",
    ]);
    let document = machine.run(&["status", "--campaign", "c", "--json"]).ends_with(0).json();
    assert_eq!(document["programs"], 2);
    assert_eq!(document["kinds"], json!({ "crash": 1, "wrong-code": 1 }));
    assert_eq!(document["findings"][1]["screen"], "clean");
    assert_eq!(
        document["plan"]["configurations"],
        json!(["gcc-12 -O0", "gcc-12 -O2", "bad -O0", "bad -O2"])
    );
    assert_eq!(document["sessions"].as_array().unwrap().len(), 1);
    let kinds: Vec<String> = machine
        .records("c")
        .iter()
        .map(|record| support::text(&record["record"]).to_owned())
        .collect();
    assert_eq!(kinds, ["plan", "program", "program", "finding", "finding"]);
    let both = machine.run(&["status", "--campaign", "c", "--json", "--export"]).ends_with(2);
    assert!(both.stderr.contains("--export"), "{both:#?}");
}
