//! What shells and `man` read.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use support::{Machine, installed};

#[test]
fn completions_are_scripts_that_know_commands_and_options() {
    let machine = Machine::bare();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = machine.run(&["completions", shell]).ends_with(0).stdout;
        assert!(script.contains("isolate") && script.contains("reduce-tries"), "{shell}");
        // Each shell that is here reads its own; elvish and PowerShell have no such option.
        let path = machine.write(&format!("script.{shell}"), script);
        if let Some(program) = installed(shell).filter(|_| ["bash", "zsh", "fish"].contains(&shell))
        {
            let read = Command::new(program).arg("-n").arg(path).output().unwrap();
            let said = String::from_utf8_lossy(&read.stderr).into_owned();
            assert!(read.status.success() && said.is_empty(), "{shell} -n: {said}");
        }
    }
    let refused = machine.run(&["completions", "tcsh"]).ends_with(2);
    assert!(refused.stderr.contains("bash"), "{}", refused.stderr);
}

#[test]
fn every_command_has_a_manual_page_that_man_reads_without_a_warning() {
    let machine = Machine::bare();
    machine.run(&["man", "--out", "deep/down"]).ends_with(0);
    let pages: Vec<PathBuf> = fs::read_dir(machine.path("deep/down"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let names: Vec<&str> =
        pages.iter().map(|page| page.file_name().unwrap().to_str().unwrap()).collect();
    for name in ["whodunit.1", "whodunit-hunt.1", "whodunit-isolate.1", "whodunit-eval-isolate.1"] {
        assert!(names.contains(&name), "no {name} in {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("interesting")), "{names:?}");
    let Some(man) = installed("man") else { return };
    for page in &pages {
        let mut read = Command::new(&man);
        read.args(["--warnings", "-P", "cat", "-l"]).arg(page);
        let read = read.env("MANWIDTH", "100").env("LC_ALL", "C.UTF-8").output().unwrap();
        let said = String::from_utf8_lossy(&read.stderr).into_owned();
        assert!(read.status.success() && said.is_empty(), "{}: {said}", page.display());
    }
}

#[test]
fn a_folder_that_can_not_be_written_is_named() {
    let machine = Machine::bare();
    machine.write("file", "");
    let said = machine.run(&["man", "--out", "file/man"]).ends_with(3);
    assert!(said.stderr.contains("cannot write manual pages into file/man"), "{}", said.stderr);
}
