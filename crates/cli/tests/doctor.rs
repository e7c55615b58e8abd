//! `whodunit doctor`: what is here, what that enables, how to get the rest.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::{Value, json};
use support::{Machine, text};

fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let found = list.as_array().unwrap().iter().find(|entry| entry["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

#[test]
fn compilers_are_listed_with_version_target_and_companions() {
    let Some(machine) = Machine::with(&["gcc-12", "clang-16", "opt-16", "llc-16", "tcc"]) else {
        return;
    };
    let said = machine.run(&["doctor"]).ends_with(0);
    said.prints(&["✓ gcc-12", "✓ clang-16", "llc, opt", "✓ tcc", "sandbox", "3 compilers"]);
    let document = machine.run(&["doctor", "--json"]).ends_with(0).json();
    let gcc = named(&document["compilers"], "gcc-12");
    assert_eq!(gcc["family"], "gcc");
    assert!(text(&gcc["version"]).starts_with("12."), "{gcc}");
    assert!(text(&gcc["target"]).ends_with("-linux-gnu"), "{gcc}");
    assert_eq!(gcc["data_model"], "lp64");
    assert_eq!(gcc["runs_here"], true);
    let clang = named(&document["compilers"], "clang-16");
    assert_eq!(clang["companions"]["opt"], json!(machine.path("bin/opt-16")));
    assert_eq!(document["missing_families"], json!([]));
    assert!(document["sandbox"].is_object(), "{document}");
}

#[test]
fn several_names_of_one_binary_are_one_compiler() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    for name in ["gcc", "x86_64-linux-gnu-gcc-12"] {
        std::os::unix::fs::symlink("gcc-12", machine.path("bin").join(name)).unwrap();
    }
    let document = machine.run(&["doctor", "--json"]).ends_with(0).json();
    let names: Vec<&str> =
        document["compilers"].as_array().unwrap().iter().map(|c| text(&c["name"])).collect();
    assert_eq!(names, ["gcc-12"]);
}

#[test]
fn an_empty_path_tells_how_to_get_everything() {
    let machine = Machine::bare();
    let said = machine.run(&["doctor"]).ends_with(0);
    let said = said.prints(&[
        "no gcc: apt install gcc-12",
        "no clang: apt install clang-16",
        "no tcc: apt install tcc",
    ]);
    for tool in ["csmith", "cvise", "creduce", "llvm-reduce", "frama-c", "qemu", "slurm"] {
        let line = said.stdout.lines().find(|line| line.contains(&format!("· {tool}")));
        let line = line.unwrap_or_else(|| panic!("no {tool} in {said:#?}"));
        assert!(line.contains(" for ") && line.contains("apt install "), "{line}");
    }
    let document = machine.run(&["doctor", "--json"]).ends_with(0).json();
    assert_eq!(document["compilers"], json!([]));
    let csmith = named(&document["tools"], "csmith");
    assert_eq!(csmith["missing"], true);
    assert!(text(&csmith["get"]).contains("apt install csmith"), "{csmith}");
    assert_eq!(document["missing_families"].as_array().unwrap().len(), 3);
}

#[test]
fn a_hunt_without_compilers_is_refused_with_advice() {
    let machine = Machine::bare();
    machine.programs(&["nothing"]);
    let said = machine.run(&["hunt", "--source", "programs", "--campaign", "c"]);
    said.refuses(&["no compiler", "doctor"]);
    assert!(!machine.path("c").exists());
}

#[test]
fn what_looks_like_a_compiler_and_is_none_is_listed_with_the_reason() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.script("bin/gcc-99", "#!/bin/sh\necho 'I am a teapot'\n");
    machine.run(&["doctor"]).ends_with(0).prints(&["✗ gcc-99", "I am a teapot", "✓ gcc-12"]);
    let document = machine.run(&["doctor", "--json"]).ends_with(0).json();
    assert!(
        text(&named(&document["unusable"], "gcc-99")["error"]).contains("teapot"),
        "{document}"
    );
}

#[test]
fn compilers_of_a_config_are_listed_too() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-O2", ["*"]);
    machine.write(
        "mine.toml",
        "[[compiler]]\nname = \"mine\"\npath = \"bin/bad\"\ndata-model = \"ilp32\"\n\
         [[compiler]]\nname = \"gone\"\npath = \"bin/gone\"\n",
    );
    let document = machine.run(&["doctor", "--json", "--config", "mine.toml"]).ends_with(0).json();
    assert_eq!(named(&document["compilers"], "mine")["data_model"], "ilp32");
    assert!(text(&named(&document["unusable"], "gone")["error"]).contains("not found"));
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_whodunit"))
        .arg("doctor")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert!(ended.status.success());
}
