//! `whodunit check`: one program, one verdict, on compilers that behave and that don't.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::{Value, json};
use std::process::Command;
use support::{Machine, Said, list, program, text};

/// A machine with gcc-12 and `bad`, which at -O2 does every misdeed it is asked for.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.fake("bad", "-O2", ["*"]);
    Some(machine)
}

fn check(machine: &Machine, file: &str, compiler: &str, fail: &str, pass: &str) -> Said {
    machine.run(&["check", file, "--compiler", compiler, "--fail", fail, "--pass", pass, "--json"])
}

/// The verdict on a program that asks for `misdeed`, failing at -O2 and passing at -O0.
fn check_misdeed(misdeed: &str, kind: &str, reason: &str) -> Option<Value> {
    let machine = machine()?;
    machine.write("main.c", program(misdeed));
    let verdict = check(&machine, "main.c", "bad", "-O2", "-O0").ends_with(1).json();
    assert_eq!(verdict["verdict"], "bug");
    assert_eq!(verdict["kind"], kind);
    assert_eq!(verdict["culprits"], json!(["bad -O2"]));
    assert_eq!(verdict["reason"], reason);
    Some(verdict)
}

#[test]
fn a_healthy_compiler_agrees_with_itself() {
    let Some(machine) = machine() else { return };
    machine.write("main.c", program("miscompile"));
    let verdict = check(&machine, "main.c", "gcc-12", "-O2", "-O0").ends_with(0).json();
    for (field, expect) in [
        ("verdict", json!("agree")),
        ("kind", Value::Null),
        ("culprits", json!([])),
        ("screen", Value::Null),
        ("reason", Value::Null),
    ] {
        assert_eq!(verdict.get(field), Some(&expect), "{field}");
    }
    let said =
        machine.run(&["check", "main.c", "--compiler", "gcc-12", "--fail", "-O2", "--pass", "-O0"]);
    said.ends_with(0).prints(&["agree", "gcc-12 -O2", "gcc-12 -O0", "prints \"45\""]);
}

#[test]
fn wrong_code_is_a_bug_with_what_was_expected_and_a_screen() {
    let Some(verdict) = check_misdeed("miscompile", "wrong-code", "wrong code by gcc") else {
        return;
    };
    assert_eq!(verdict["expected"]["head"], "45");
    assert_eq!(verdict["actual"]["head"], "46");
    assert_eq!(verdict["screen"]["result"], "clean");
    let checks = verdict["screen"]["checks"].as_array().unwrap();
    let made: Vec<&str> = checks.iter().map(|check| text(&check["by"])).collect();
    assert!(made.contains(&"gcc-12 -fsanitize=address,undefined"), "{made:?}");
    assert!(made.contains(&"gcc-12 warnings"), "{made:?}");
}

#[test]
fn a_program_that_crashes_when_miscompiled_is_wrong_code_too() {
    let crash = check_misdeed("miscompile-to-crash", "wrong-code", "wrong code by gcc");
    let Some(crash) = crash else { return };
    assert_eq!(crash["actual"]["end"], json!({ "signal": 4 }));
}

#[test]
fn an_internal_error_is_a_crash_with_a_signature_free_of_noise() {
    let reason = "internal compiler error: in vect_loop, at tree-vect.cc during vect";
    check_misdeed("crash", "crash", reason);
}

#[test]
fn a_compiler_killed_by_a_signal_has_crashed() {
    check_misdeed("segfault", "crash", "Segmentation fault");
}

#[test]
fn a_compiler_that_does_not_end_hangs() {
    check_misdeed("hang", "hang", "does not end");
}

#[test]
fn a_compiler_that_wants_more_than_4_gb_is_a_bug_of_kind_memory() {
    check_misdeed("out-of-memory", "memory", "out of memory");
}

#[test]
fn refusing_what_passes_at_another_level_is_rejects_valid() {
    let reason = "main.c: error: unknown type name 'int'";
    check_misdeed("reject", "rejects-valid", reason);
}

#[test]
fn success_without_a_file_is_rejects_valid() {
    check_misdeed("no-file", "rejects-valid", "it ended with 0 and wrote no file");
}

#[test]
fn a_file_that_is_no_program_is_rejects_valid() {
    let reason = "it ended with 0 and wrote a file that cannot be run here";
    check_misdeed("no-program", "rejects-valid", reason);
}

#[test]
fn a_crash_needs_no_passing_arguments_and_a_difference_does() {
    let Some(machine) = machine() else { return };
    machine.write("crash.c", program("crash"));
    let verdict = check(&machine, "crash.c", "bad", "-O2", "").ends_with(1).json();
    assert_eq!(verdict["kind"], "crash");
    machine.write("main.c", program("miscompile"));
    let verdict = check(&machine, "main.c", "bad", "-O2", "").ends_with(0).json();
    assert_eq!(verdict["verdict"], "agree");
    let args = ["check", "main.c", "--compiler", "bad", "--fail", "-O2", "--pass", ""];
    machine.run(&args).ends_with(0).prints(&["nothing is compared"]);
}

#[test]
fn what_does_not_repeat_is_not_comparable() {
    let Some(machine) = machine() else { return };
    machine.write("main.c", program("noise"));
    let said = check(&machine, "main.c", "bad", "-O2", "-O0").ends_with(4);
    let verdict = said.json();
    assert_eq!(verdict["verdict"], "not-comparable");
    assert_eq!(verdict["kind"], Value::Null);
    assert!(text(&verdict["reason"]).contains("not repeatable: bad -O2"), "{verdict}");
}

#[test]
fn a_program_that_no_compiler_takes_is_not_comparable() {
    let Some(machine) = machine() else { return };
    machine.write("wrong.c", "int main(void) { return x; }\n");
    let verdict = check(&machine, "wrong.c", "gcc-12", "-O2", "-O0").ends_with(4).json();
    assert!(text(&verdict["reason"]).contains("'x' undeclared"), "{verdict}");
    machine.write("library.c", "int square(int x) { return x * x; }\n");
    let verdict = check(&machine, "library.c", "gcc-12", "-O2", "-O0").ends_with(4).json();
    assert!(text(&verdict["reason"]).contains("main"), "{verdict}");
}

#[test]
fn undefined_behaviour_is_reported_and_does_not_change_the_verdict() {
    let Some(machine) = machine() else { return };
    let undefined = program("miscompile").replace("int sum = 0;", "int sum = 2147483610;");
    machine.write("main.c", undefined);
    let args = ["check", "main.c", "--compiler", "bad", "--fail", "-O2", "--pass", "-O0"];
    let said = machine.run(&args).ends_with(1);
    said.prints(&[
        "wrong-code by bad -O2",
        "undefined behaviour: alarm",
        "signed integer overflow",
    ]);
    let no_screen: Vec<&str> = args.into_iter().chain(["--no-screen", "--json"]).collect();
    let verdict = machine.run(&no_screen).ends_with(1).json();
    assert_eq!(verdict["screen"], Value::Null);
}

#[test]
fn several_arguments_on_both_sides_are_taken_and_named() {
    let Some(machine) = machine() else { return };
    machine.write("main.c", program("miscompile"));
    let verdict =
        check(&machine, "main.c", "bad", "-O2 -fno-inline", " -O1  -g ").ends_with(1).json();
    assert_eq!(verdict["culprits"], json!(["bad -O2 -fno-inline"]));
    let labels: Vec<&str> = verdict["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seen| text(&seen["label"]))
        .collect();
    assert_eq!(labels, ["bad -O2 -fno-inline", "bad -O1 -g"]);
}

#[test]
fn programs_need_not_be_utf_8() {
    let Some(machine) = machine() else { return };
    let mut bytes = b"/* caf\xe9 \xff\xfe */ ".to_vec();
    bytes.extend(program("miscompile").replace("\"%lld", "\"\u{e9}%lld").into_bytes());
    bytes.extend(b"/* \x80 */\n");
    machine.write("main.c", bytes);
    check(&machine, "main.c", "gcc-12", "-O2", "-O0").ends_with(0);
    let verdict = check(&machine, "main.c", "bad", "-O2", "-O0").ends_with(1).json();
    assert_eq!(verdict["kind"], "wrong-code");
}

#[test]
fn cxx_is_compiled_as_cxx() {
    let Some(machine) = machine() else { return };
    let text = "// fake: miscompile\n#include <iostream>\n#include <vector>\n\
        #ifndef WRONG\n#define WRONG\n#endif\n\
        int main() { int sum = 0; for (int x : std::vector<int>{1, 2}) sum += x; WRONG;\n\
        std::cout << sum << std::endl; }\n";
    machine.write("main.cpp", text);
    check(&machine, "main.cpp", "gcc-12", "-O2", "-O0").ends_with(0);
    let verdict = check(&machine, "main.cpp", "bad", "-O2", "-O0").ends_with(1).json();
    assert_eq!(verdict["expected"]["head"], "3");
}

/// Prints 45 by a loop.
const IR: &str = r#"
@format = private constant [4 x i8] c"%d\0A\00"
declare i32 @printf(ptr, ...)
define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %added, %loop ]
  %added = add i32 %sum, %i
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %end
end:
  %printed = call i32 (ptr, ...) @printf(ptr @format, i32 %added)
  ret i32 0
}
"#;

/// A machine with clang-16 and a clang-98 whose opt does to the text what `sed` says when it is
/// given -passes=bad, which is otherwise instcombine.
fn ir_machine(sed: &str) -> Option<Machine> {
    let machine = Machine::with(&["clang-16", "opt-16", "llc-16"])?;
    machine.write("main.ll", IR);
    let clang = support::installed("clang-16")?;
    machine.script("bin/clang-98", &format!("#!/bin/sh\nexec {} \"$@\"\n", clang.display()));
    let opt = support::installed("opt-16")?;
    let text = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin\nbad=\nfor arg; do shift; case \"$arg\" in\n\
         -passes=bad) bad=yes; set -- \"$@\" -passes=instcombine ;;\n\
         *) set -- \"$@\" \"$arg\" ;; esac; done\n\
         {} \"$@\" || exit\n[ -z \"$bad\" ] && exit\n{sed}\n",
        opt.display()
    );
    machine.script("bin/opt-98", &text);
    Some(machine)
}

#[test]
fn ir_is_taken_to_opt() {
    let Some(machine) = ir_machine("exit 0") else { return };
    let verdict = check(&machine, "main.ll", "clang-16", "-passes=default<O2>", "-passes=verify");
    let verdict = verdict.ends_with(0).json();
    assert_eq!(verdict["verdict"], "agree");
    let commands = &verdict["observations"][0]["commands"];
    let opt = list(&commands[0]);
    assert!(opt[0].ends_with("/opt-16") && opt.contains(&"-passes=default<O2>"), "{opt:?}");
}

#[test]
fn wrong_ir_and_ir_that_has_no_code_are_told_apart() {
    let sed =
        "for m in *.opt.ll; do [ ! -e $m ] || sed -i 's/add i32 %i, 1/add i32 %i, 2/' $m; done";
    let Some(machine) = ir_machine(sed) else { return };
    let verdict = check(&machine, "main.ll", "clang-98", "-passes=bad", "-passes=verify");
    let verdict = verdict.ends_with(1).json();
    assert_eq!(verdict["kind"], "wrong-code");
    assert_eq!(verdict["screen"]["result"], "unchecked");

    let Some(machine) = ir_machine("echo 'Stack dump:' >&2; kill -SEGV $$") else { return };
    let verdict = check(&machine, "main.ll", "clang-98", "-passes=bad", "-passes=verify");
    assert_eq!(verdict.ends_with(1).json()["kind"], "crash");
}

#[test]
fn broken_ir_is_invalid_ir_where_each_pass_is_verified() {
    let broken = "echo 'Instruction does not dominate all uses!' >&2\n\
        echo 'LLVM ERROR: Broken module found, compilation aborted!' >&2\nexit 1";
    let Some(machine) = ir_machine(broken) else { return };
    let kind = |fail: &str| {
        let said = check(&machine, "main.ll", "clang-98", fail, "-passes=verify");
        said.ends_with(1).json()["kind"].clone()
    };
    assert_eq!(kind("-verify-each -passes=bad"), "invalid-ir");
    assert_eq!(kind("-passes=bad"), "crash");
}

#[test]
fn ir_needs_an_opt_and_says_so() {
    let Some(machine) = Machine::with(&["clang-16", "gcc-12"]) else { return };
    machine.write("main.ll", IR);
    check(&machine, "main.ll", "clang-16", "-passes=gvn", "").refuses(&["opt", "apt install"]);
    check(&machine, "main.ll", "gcc-12", "-O2", "").refuses(&["gcc-12", "opt"]);
}

#[test]
fn what_is_missing_on_the_command_line_is_said() {
    let Some(machine) = machine() else { return };
    machine.write("main.c", program(""));
    let said = machine.run(&["check", "main.c", "--compiler", "gcc-12", "--fail", "-O2"]);
    let said = said.ends_with(2);
    assert!(said.stderr.contains("--pass"), "{said:#?}");
    let json = machine.run(&[
        "check",
        "absent.c",
        "--compiler",
        "gcc-12",
        "--fail",
        "",
        "--pass",
        "",
        "--json",
    ]);
    json.refuses(&["absent.c"]);
}

#[test]
fn the_real_machine_reproduces_a_known_bug_of_its_gcc() {
    let bench = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/bench/gcc-12.2.0");
    let Ok(folders) = std::fs::read_dir(bench) else {
        eprintln!("skipped: {bench} is not there");
        return;
    };
    let version = Command::new("gcc-12").arg("-dumpfullversion").output();
    if !version.is_ok_and(|output| output.stdout.starts_with(b"12.2.0")) {
        eprintln!("skipped: gcc-12 is not installed, or not 12.2.0");
        return;
    }
    let mut folders: Vec<_> = folders.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let value = |toml: &str, key: &str| -> Option<String> {
        let line = toml.lines().find(|line| line.split('=').next().unwrap().trim() == key)?;
        Some(line.split_once('=')?.1.trim().trim_matches('"').to_owned())
    };
    let bug = folders.iter().find_map(|folder| {
        let toml = std::fs::read_to_string(folder.join("bug.toml")).ok()?;
        (value(&toml, "kind")? == "wrong-code").then(|| (folder.clone(), toml))
    });
    let (folder, toml) = bug.expect("the bench has wrong code");
    let of = |key| value(&toml, key).unwrap_or_default();
    let machine = Machine::with(&["gcc-12"]).unwrap();
    let program = folder.join(of("program"));
    let said = check(&machine, program.to_str().unwrap(), "gcc-12", &of("fail"), &of("pass"));
    assert_eq!(said.ends_with(1).json()["kind"], "wrong-code");
}

#[test]
fn arguments_that_no_program_compiles_with_are_no_bug() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.write("a.c", "int main(void) { return 0; }\n");
    let args = ["check", "a.c", "--compiler", "gcc-12", "--fail=-fno-such-thing", "--pass=-O0"];
    machine.run(&args).ends_with(4).prints(&["not comparable", "-fno-such-thing"]);
}

#[test]
fn another_compiler_may_be_the_passing_side() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    // Fails whatever its arguments are.
    machine.fake("bad", "*", ["*"]);
    machine.write("main.c", program("miscompile"));
    let check = ["check", "main.c", "--compiler", "bad", "--fail", "", "--pass", "", "--json"];
    assert_eq!(machine.run(&check).ends_with(0).json()["verdict"], "agree");
    let verdict = machine.run(&[&check[..], &["--pass-compiler", "gcc-12"]].concat());
    let verdict = verdict.ends_with(1).json();
    assert_eq!((&verdict["kind"], &verdict["culprits"]), (&json!("wrong-code"), &json!(["bad"])));
    let reduce =
        ["reduce", "main.c", "--compiler", "bad", "--fail", "", "--pass", "", "-o", "small.c"];
    machine.run(&reduce).refuses(&["are the same", "--pass-compiler"]);
    let reduce = [&reduce[..], &["--pass-compiler", "gcc-12", "--tries", "40"]].concat();
    machine.run(&reduce).ends_with(0);
    assert!(machine.path("small.c").is_file());
}
