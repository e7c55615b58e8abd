//! What a hunt does with its findings: told apart, reduced once a bug, looked into, reported.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::fs;
use support::{BAD_GCC, Machine, text};

fn program(expression: &str, salt: u32) -> String {
    format!(
        "extern int printf(const char *, ...);\nvolatile int n = 4;\nint unused_{salt};\n\
         int main(void) {{ int x = n; printf(\"%d\\n\", {expression}); return 0; }}\n"
    )
}

/// A machine with a bad compiler, and a program for each expression.
fn machine(programs: &[&str]) -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.script("bin/bad", BAD_GCC);
    for (at, expression) in (0..).zip(programs) {
        machine.write(&format!("programs/{at}.c"), program(expression, at));
    }
    machine.write(
        "whodunit.toml",
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    Some(machine)
}

fn hunt<'a>(campaign: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args =
        vec!["hunt", "--source", "programs", "--campaign", campaign, "--reduce-tries", "60"];
    args.extend(more);
    args
}

/// Each bug as `leader + members`.
fn groups(machine: &Machine, campaign: &str) -> Vec<String> {
    let said = machine.run(&["bugs", "--campaign", campaign, "--json"]).ends_with(0).json();
    let each = |bug: &serde_json::Value| {
        let members = bug["members"].as_array().unwrap().iter().map(|one| text(&one["id"]));
        [vec![text(&bug["leader"])], members.collect()].concat().join(" + ")
    };
    said["bugs"].as_array().unwrap().iter().map(each).collect()
}

#[test]
fn findings_of_one_bug_are_one_and_only_the_first_is_worked_on() {
    let Some(machine) = machine(&["x / 3", "x * 5", "x / 3", "x / 7", "x * 5"]) else { return };
    let said = machine.run(&hunt("c", &["--jobs", "1"])).ends_with(1);
    assert!(said.stderr.contains("2-0 is 0-0 again (signature: "), "{said:#?}");
    assert!(said.stderr.contains("4-0 is 1-0 again (pass: tree-dse"), "{said:#?}");
    said.prints(&["bugs      3"]);
    assert_eq!(groups(&machine, "c"), ["0-0 + 2-0", "1-0 + 4-0", "3-0"]);
    // The same whatever the number of workers.
    machine.run(&hunt("d", &["--jobs", "3"])).ends_with(1);
    assert_eq!(machine.records("d"), machine.records("c"));

    // Each bug has a folder that stands alone.
    let bug = machine.path("c/bugs/1-0");
    let read = |name: &str| fs::read_to_string(bug.join(name)).unwrap();
    assert!(read("1.c").contains("* 5"), "{}", read("1.c"));
    for words in ["tree-dse1", "-fno-strict-aliasing: clean (wrong with it too)", "-fwrapv: clean"]
    {
        assert!(read("bugzilla.txt").contains(words), "{}", read("bugzilla.txt"));
    }
    assert!(!machine.path("c/bugs/4-0").exists());
    machine.run(&["report", "--campaign", "c", "--out", "out/report.html"]).ends_with(0);
    let page = fs::read_to_string(machine.path("out/report.html")).unwrap();
    assert!(page.contains("bugs/1-0/reproduce.sh"), "{page}");
    assert!(machine.path("out/bugs/3-0/index.html").is_file());
    let sarif = fs::read_to_string(machine.path("out/report.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 3);
}

#[test]
fn a_split_stays_and_the_next_session_looks_into_it() {
    let Some(machine) = machine(&["x / 3", "x / 3", "x / 3"]) else { return };
    machine.run(&hunt("c", &[])).ends_with(1);
    assert_eq!(groups(&machine, "c"), ["0-0 + 1-0 + 2-0"]);
    machine
        .run(&["bugs", "--campaign", "c", "--split", "1-0"])
        .ends_with(0)
        .prints(&["1-0 is a bug of its own, apart from 0-0, 2-0"]);
    let apart = ["0-0 + 2-0", "1-0"];
    assert_eq!(groups(&machine, "c"), apart);
    machine.run(&hunt("c", &[])).ends_with(1);
    assert_eq!(groups(&machine, "c"), apart);
    assert!(machine.path("c/bugs/1-0/index.html").is_file());
    machine.run(&["bugs", "--campaign", "c", "--split", "99-0"]).refuses(&["no finding 99-0"]);
}

#[test]
fn known_bugs_are_counted_and_left_alone() {
    let Some(machine) = machine(&["x / 3", "x * 5"]) else { return };
    machine.run(&hunt("c", &[])).ends_with(1);
    machine.run(&["bugs", "--campaign", "c", "--export", "known.toml"]).ends_with(0);
    let said = machine.run(&hunt("d", &["--known", "known.toml"])).ends_with(1);
    assert!(said.stderr.contains("0-0 is known bug 0-0 again"), "{said:#?}");
    said.prints(&["2 known already"]);
    assert!(!machine.path("d/bugs").exists());
    let refuses = |text: &str, words: &[&str]| {
        machine.write("wrong.toml", text);
        machine.run(&hunt("e", &["--known", "wrong.toml"])).refuses(words);
    };
    refuses(
        "[[bug]]\nname = \"a\"\nkind = \"crash\"\nfamily = \"gcc\"\n",
        &["wrong.toml:1", "told by its signature"],
    );
    refuses("[[bug]]\nnam = \"a\"\n", &["wrong.toml:2", "did you mean `name`"]);
    refuses(
        "[[bug]]\nname = \"a\"\nkind = \"crash\"\nfamily = \"icc\"\nsignature = \"x\"\n",
        &["no family is called icc"],
    );
}

#[test]
fn saved_bugs_are_checked_against_another_compiler() {
    let Some(machine) = machine(&["x / 3", "x * 5", "x + 9"]) else { return };
    machine.run(&hunt("c", &[])).ends_with(1);
    let recheck =
        |compiler: &str| machine.run(&["recheck", "--campaign", "c", "--compiler", compiler]);
    recheck("bad").ends_with(1).prints(&["0 fixed, 3 still failing"]);
    recheck("gcc-12").ends_with(0).prints(&["3 fixed, 0 still failing"]);
    // One that crashes elsewhere, and does the rest right.
    machine
        .script("bin/half", &BAD_GCC.replace("divide_by_$where", "elsewhere").replace("*6", "*5"));
    let said = machine.run(&["recheck", "--campaign", "c", "--compiler", "half", "--json"]);
    let said = said.ends_with(1).json();
    let now = said["bugs"].as_array().unwrap().iter().map(|bug| text(&bug["now"]));
    assert_eq!(now.collect::<Vec<_>>(), ["changed", "fixed", "failing"]);
    recheck("no-such").refuses(&["no-such"]);
}

#[test]
fn what_a_compiler_dies_on_need_not_be_linked_to_be_checked_again() {
    let Some(machine) = machine(&["x / 3"]) else { return };
    machine.run(&hunt("c", &[])).ends_with(1);
    let unlinked = |compiler: &str| {
        let links =
            "case \" $* \" in *\" -c \"*|*\" -S \"*) ;; *.c*) echo unlinked >&2; exit 1 ;; esac";
        format!("#!/bin/sh\nPATH=/usr/bin:/bin\n{links}\nexec {compiler} \"$@\"\n")
    };
    let recheck = |name: &str| machine.run(&["recheck", "--campaign", "c", "--compiler", name]);
    machine.script("bin/right", &unlinked("gcc-12"));
    recheck("right").ends_with(0).prints(&["1 fixed, 0 still failing"]);
    machine.script("bin/wrong", &unlinked(&machine.path("bin/bad").display().to_string()));
    recheck("wrong").ends_with(1).prints(&["0 fixed, 1 still failing"]);
}

#[test]
fn constructs_are_excluded_from_a_program_on_and_back() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    let hunt = |campaign, programs, jobs| {
        machine.run(&[
            "hunt",
            "--campaign",
            campaign,
            "--compiler",
            "gcc-12",
            "--args=-O0",
            "--args=-O1",
            "--programs",
            programs,
            "--jobs",
            jobs,
        ])
    };
    hunt("c", "2", "1").ends_with(0);
    let bugs = |more: &[&str]| machine.run(&[&["bugs", "--campaign", "c"], more].concat());
    bugs(&["--exclude", "bit-fields"])
        .ends_with(0)
        .prints(&["from program 50 on, programs do without bit-fields"]);
    bugs(&["--include", "bit-fields"])
        .ends_with(0)
        .prints(&["from program 50 on, programs do without nothing"]);
    bugs(&["--exclude", "bit-feilds"]).refuses(&["bit-fields"]);
    machine.write("c/exclusions.toml", "[[from]]\nprogram = 3\nwithout = []\n");
    hunt("c", "3", "1").refuses(&["exclusions.toml", "multiples of 50"]);
}
