//! `whodunit hunt` over a folder of programs: every kind is found, and the right ones are blamed.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::{Value, json};
use support::{Machine, Said, list, program, text};

/// A machine with gcc-12 and `bad`, which at -O2 does every misdeed it is asked for, and a test set
/// of both at two levels: three votes to one.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.fake("bad", "-O2", ["*"]);
    machine.write("whodunit.toml", config(r#""-O0", "-O2""#));
    Some(machine)
}

fn config(levels: &str) -> String {
    format!(
        "[limits]\ncompiler-cpu-seconds = 1\ncompiler-memory-mb = 300\nprogram-cpu-seconds = 1\n\
         [[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [{levels}]\n"
    )
}

fn hunt(machine: &Machine, more: &[&str]) -> Said {
    let mut args = vec!["hunt", "--source", "programs", "--campaign", "c"];
    args.extend(more);
    machine.run(&args)
}

/// The record of the program with this place in the folder's order.
fn program_record(machine: &Machine, index: u64) -> Value {
    let records = machine.records("c");
    let found = records.into_iter().find(|r| r["record"] == "program" && r["index"] == index);
    found.expect("every program has a record")
}

/// Hunts with the test set of [`machine`] on programs with these misdeeds, in their alphabetical
/// order: the findings must be `expect`.
fn check(misdeeds: &[&str], expect: &[&str]) {
    let Some(machine) = machine() else { return };
    machine.programs(misdeeds);
    hunt(&machine, &[]).ends_with(if expect.is_empty() { 0 } else { 1 });
    assert_eq!(machine.findings("c"), expect);
}

#[test]
fn healthy_compilers_have_no_findings() {
    let Some(machine) = machine() else { return };
    machine.programs(&["nothing", "none"]);
    let said = hunt(&machine, &[]).ends_with(0);
    assert!(said.stderr.contains("4 configurations"), "{said:#?}");
    said.prints(&["2 programs", "2 agree", "findings  none"]);
    // Nothing found is worth a page too.
    machine.run(&["report", "--campaign", "c", "--out", "new/folder/report.html"]).ends_with(0);
    assert!(machine.path("new/folder/report.html").is_file());
}

#[test]
fn wrong_code_is_blamed_on_the_odd_one_out() {
    check(
        &["miscompile", "miscompile-to-crash", "miscompile-to-hang"],
        &["wrong-code: bad -O2", "wrong-code: bad -O2", "wrong-code: bad -O2"],
    );
}

#[test]
fn failures_of_the_compiler_are_of_four_kinds() {
    check(&["crash", "segfault"], &["crash: bad -O2", "crash: bad -O2"]);
    check(
        &["no-file", "no-program", "out-of-memory", "reject"],
        &[
            "rejects-valid: bad -O2",
            "rejects-valid: bad -O2",
            "memory: bad -O2",
            "rejects-valid: bad -O2",
        ],
    );
}

#[test]
fn compilers_that_take_too_much_time_or_memory_are_stopped_and_blamed() {
    check(&["hang", "memory"], &["hang: bad -O2", "memory: bad -O2"]);
}

#[test]
fn a_compilation_that_takes_long_and_ends_is_no_hang() {
    let Some(machine) = machine() else { return };
    machine.programs(&["long"]);
    let document = hunt(&machine, &["--json"]).ends_with(0).json();
    assert_eq!(document["outcomes"], json!({ "not-comparable: slow compilation": 1 }));
}

#[test]
fn every_finding_keeps_what_was_expected_and_a_screen() {
    let Some(machine) = machine() else { return };
    machine.programs(&["miscompile"]);
    let said = hunt(&machine, &["--json"]).ends_with(1);
    assert!(said.stderr.contains("found 0-0: wrong-code by bad -O2"), "{said:#?}");
    let document = said.json();
    assert_eq!(document["ended"], "done");
    assert_eq!(document["programs"], 1);
    assert_eq!(document["kinds"], json!({ "wrong-code": 1 }));
    let records = machine.records("c");
    let finding = records.iter().find(|record| record["record"] == "finding").unwrap();
    let bug = &finding["body"]["bug"];
    assert_eq!(bug["expected"]["head"], "45");
    assert_eq!(bug["actual"]["head"], "46");
    assert_eq!(bug["screen"]["result"], "clean");
    assert_eq!(finding["body"]["observations"].as_array().unwrap().len(), 4);
}

#[test]
fn a_tie_is_reported_with_both_sides() {
    let Some(machine) = machine() else { return };
    machine.write("whodunit.toml", config(r#""-O2""#));
    machine.programs(&["miscompile"]);
    hunt(&machine, &[]).ends_with(1).prints(&["tie"]);
    let status = machine.run(&["status", "--campaign", "c", "--json"]).json();
    let finding = &status["findings"][0];
    let mut sides = [list(&finding["culprits"]), list(&finding["or_culprits"])];
    sides.sort();
    assert_eq!(sides, [["bad -O2"], ["gcc-12 -O2"]]);
    let replay = machine.run(&["replay", "--campaign", "c", "0-0"]).ends_with(1);
    replay.prints(&["or, as likely, by"]);
}

#[test]
fn an_undefined_program_is_dropped_with_its_reason_and_counted() {
    let Some(machine) = machine() else { return };
    let undefined = program("miscompile").replace("int sum = 0;", "int sum = 2147483610;");
    machine.write("programs/undefined.c", undefined);
    let document = hunt(&machine, &["--json"]).ends_with(0).json();
    assert_eq!(document["outcomes"], json!({ "not-comparable: undefined behaviour": 1 }));
    let record = program_record(&machine, 0);
    let reason = text(&record["body"]["reasons"][0]);
    assert!(reason.contains("signed integer overflow"), "{reason}");
}

#[test]
fn a_program_that_does_not_repeat_is_dropped_and_counted() {
    let Some(machine) = machine() else { return };
    machine.programs(&["noise"]);
    hunt(&machine, &[]).ends_with(0).prints(&["1 not-comparable: nondeterministic"]);
    let record = program_record(&machine, 0);
    let reason = text(&record["body"]["reasons"][0]);
    assert!(reason.contains("bad -O2"), "{reason}");
}

#[test]
fn bad_programs_are_counted_and_do_not_stop_the_hunt() {
    let Some(machine) = machine() else { return };
    let folder = machine.path("programs");
    std::fs::File::create(folder.join("1-huge.c")).unwrap().set_len(1 << 30).unwrap();
    machine.write("programs/2-wrong.c", "int main(void) { return x; }\n");
    machine.write("programs/3-endless.c", "int main(void) { for (volatile int i = 0;;) i = 1; }\n");
    machine.write(
        "programs/4-not-utf-8.c",
        [b"/* \xff\xfe */".as_slice(), program("miscompile").as_bytes()].concat(),
    );
    machine.write("programs/notes.txt", "not a program");
    let document = hunt(&machine, &["--json"]).ends_with(1).json();
    let expect = json!({
        "bug": 1, "not-comparable: no program": 1, "not-comparable: rejected": 1,
        "not-comparable: never ends": 1,
    });
    assert_eq!(document["outcomes"], expect);
    let record = program_record(&machine, 0);
    assert!(text(&record["body"]["reasons"][0]).contains("1073741824 bytes"), "{record}");
}

#[test]
fn programs_of_several_files_and_of_cxx_are_tested_whole() {
    let Some(machine) = machine() else { return };
    let main =
        "int value(void);\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", value()); }\n";
    machine.write("programs/several/main.c", main);
    let unit = "/* fake: miscompile */\n#include \"value.h\"\n#ifndef WRONG\n#define WRONG\n#endif\n\
        int value(void) { int sum = START; WRONG; return sum; }\n";
    machine.write("programs/several/value.c", unit);
    machine.write("programs/several/value.h", "#define START 7\n");
    let cxx = "// fake: crash\n#include <iostream>\nint main() { std::cout << 1 << std::endl; }\n";
    machine.write("programs/single.cpp", cxx);
    machine.write("programs/together/a.cc", "int value() { return 3; }\n");
    machine.write("programs/together/main.cc", "int value(); int main() { return value(); }\n");
    hunt(&machine, &[]).ends_with(1);
    assert_eq!(machine.findings("c"), ["wrong-code: bad -O2", "crash: bad -O2"]);
    let finding = machine.run(&["replay", "--campaign", "c", "0-0", "--out", "out"]).ends_with(1);
    finding.prints(&["main.c value.c"]);
    assert_eq!(std::fs::read_to_string(machine.path("out/value.h")).unwrap(), "#define START 7\n");
}

#[test]
fn with_a_baseline_only_what_the_new_one_breaks_is_kept() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("old", "-O2", ["miscompile", "reject"]);
    machine.fake("new", "-O2", ["*"]);
    machine.programs(&["crash", "miscompile", "miscompile-to-crash", "reject"]);
    let args = ["--baseline", "old", "--compiler", "new", "--args=-O0", "--args=-O2"];
    let said = hunt(&machine, &args).ends_with(1);
    assert!(said.stderr.contains("4 configurations"), "{said:#?}");
    assert_eq!(machine.findings("c"), ["crash: new -O2", "wrong-code: new -O2"]);
    let status = machine.run(&["status", "--campaign", "c", "--json"]).json();
    assert_eq!(status["plan"]["baseline"], "old");
    assert_eq!(text(&status["findings"][0]["id"]), "0-0");
    assert_eq!(text(&status["findings"][1]["id"]), "1-0");
}

#[test]
fn a_baseline_decides_ties() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("new", "-O2", ["miscompile"]);
    machine.programs(&["miscompile"]);
    hunt(&machine, &["--baseline", "gcc-12", "--compiler", "new", "--args=-O2"]).ends_with(1);
    assert_eq!(machine.findings("c"), ["wrong-code: new -O2"]);
}

#[test]
fn programs_limits_a_folder_and_a_folder_limits_programs() {
    let Some(machine) = machine() else { return };
    machine.programs(&["a", "b", "c"]);
    hunt(&machine, &["--programs", "2"]).ends_with(0).prints(&["2 programs"]);
    // The same campaign goes on where it was.
    let more = hunt(&machine, &["--programs", "9"]).ends_with(0).prints(&["3 programs"]);
    assert!(more.stderr.contains("going on after 2 programs"), "{more:#?}");
}

#[test]
fn cpu_time_ends_a_hunt_and_what_sessions_before_have_used_counts() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    // 0.6 s, in which no machine tests a hundred programs at five levels.
    let args = ["hunt", "--campaign", "c", "--cpu-minutes", "0.01", "--jobs", "1"];
    let tested = || {
        let said = machine.run(&args);
        assert!(matches!(said.code, Some(0 | 1)), "{said:#?}");
        machine.run(&["status", "--campaign", "c", "--json"]).json()["programs"].as_u64().unwrap()
    };
    let first = tested();
    assert!((1..100).contains(&first), "{first}");
    assert_eq!(tested(), first, "its time was over");
}

#[test]
fn without_a_config_every_compiler_in_path_is_tested_at_its_usual_levels() {
    let Some(machine) = Machine::with(&["gcc-12", "tcc", "clang-16"]) else { return };
    machine.programs(&["nothing"]);
    let said = hunt(&machine, &[]).ends_with(0);
    assert!(said.stderr.contains("clang-16, gcc-12, tcc (11 configurations)"), "{said:#?}");
}

#[test]
fn csmith_is_a_source_with_its_own_options_and_bounds() {
    let Some(machine) = Machine::with(&["gcc-12", "csmith"]) else { return };
    machine.write(
        "whodunit.toml",
        "source = \"csmith\"\nprograms = 2\n[csmith]\nargs = [\"--max-funcs\", \"2\"]\n\
         max-bytes = 20000\n[[set]]\ncompilers = [\"gcc-12\"]\nlevels = [\"-O0\", \"-O1\"]\n",
    );
    let args = ["hunt", "--campaign", "c", "--seed", "7", "--json"];
    let said = machine.run(&args);
    assert!(matches!(said.code, Some(0 | 1)), "{said:#?}");
    assert_eq!(said.json()["programs"], 2);
    for record in machine.records("c").iter().filter(|record| record["record"] == "program") {
        assert!(record["body"]["bytes"].as_u64().is_some_and(|size| size <= 20000), "{record}");
    }
    machine.write("whodunit.toml", "source = \"csmith\"\n[csmith]\nargs = [\"--no-such-thing\"]\n");
    machine.run(&["hunt", "--campaign", "d"]).refuses(&["csmith refuses", "--no-such-thing"]);
}

#[test]
fn arguments_on_the_command_line_are_split_at_spaces() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-fno-inline", ["crash"]);
    machine.programs(&["crash"]);
    let args = ["--compiler", "bad", "--compiler", "gcc-12", "--args", "-O2 -fno-inline"];
    hunt(&machine, &args).ends_with(1);
    assert_eq!(machine.findings("c"), ["crash: bad -O2 -fno-inline"]);
}

#[test]
fn a_library_that_the_system_lacks_is_no_refusal_of_the_compiler() {
    let Some(machine) = Machine::with(&["gcc-12", "clang-13", "clang-16"]) else { return };
    let program = "#include <stdio.h>\nint main(void) {\n  volatile __int128 a = 3;\n  __int128 r;\n  \
                   printf(\"%d\\n\", __builtin_mul_overflow(a, a, &r));\n  return 0;\n}\n";
    machine.write("programs/0.c", program);
    let args = ["--compiler=gcc-12", "--compiler=clang-13", "--compiler=clang-16", "--args=-O0"];
    let outcomes = hunt(&machine, &[&args[..], &["--json"]].concat()).ends_with(0).json();
    assert_eq!(outcomes["outcomes"], json!({ "agree": 1 }));
}

#[test]
fn a_program_that_one_configuration_only_takes_is_not_said_to_agree() {
    let Some(machine) = Machine::with(&["gcc-12", "tcc"]) else { return };
    machine.programs(&["nothing"]);
    machine.write("programs/second.cpp", "int main() { return 0; }\n");
    let args = ["--compiler", "gcc-12", "--compiler", "tcc", "--args=-O0", "--json"];
    let outcomes = hunt(&machine, &args).ends_with(0).json()["outcomes"].clone();
    assert_eq!(outcomes, json!({ "agree": 1, "not-comparable: one configuration only": 1 }));
}
