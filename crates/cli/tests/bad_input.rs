//! Bad input: one clear message, exit code 2, and nothing half-written.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use support::{Machine, Said, program};

/// A machine with gcc-12 and one program.
fn machine() -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.programs(&["nothing"]);
    Some(machine)
}

/// Hunts with `config`, which must be refused with all of `words`, before there is a campaign.
fn check_config(config: &str, words: &[&str]) {
    let Some(machine) = machine() else { return };
    machine.write("whodunit.toml", config);
    check_hunt(&machine, &[], words);
}

/// Hunts with `more` arguments, which must be refused with all of `words`, before there is a
/// campaign.
#[track_caller]
fn check_hunt(machine: &Machine, more: &[&str], words: &[&str]) {
    let mut args = vec!["hunt", "--campaign", "c"];
    if !more.contains(&"--source") {
        args.extend(["--source", "programs"]);
    }
    args.extend(more);
    machine.run(&args).refuses(words);
    assert!(!machine.path("c").exists(), "the campaign came into being");
}

fn check_program(machine: &Machine, file: &str, compiler: &str) -> Said {
    machine.run(&["check", file, "--compiler", compiler, "--fail", "-O2", "--pass", "-O0"])
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest() {
    check_config(
        "seed = 1\n\n[limits]\ncompiler-cpu-second = 3\n",
        &[
            "whodunit.toml:4: unknown key `compiler-cpu-second`; did you mean `compiler-cpu-seconds`?",
        ],
    );
    check_config(
        "[[set]]\ncompilers = [\"gcc-12\"]\ndata-models = [\"lp46\"]\n",
        &["whodunit.toml:3: ", "lp46", "lp64"],
    );
    check_config("seed = 1\nseed = 2\n", &["whodunit.toml:2: "]);
    check_config("[[set]]\nlevels = \"-O2\"\ncompilers = [\"gcc-12\"]\n", &["whodunit.toml:2: "]);
}

#[test]
fn an_unknown_compiler_is_named_with_the_nearest() {
    check_config("[[set]]\ncompilers = [\"gcc-21\"]\n", &["unknown compiler gcc-21", "gcc-12"]);
    check_config("[[set]]\ncompilers = [\"klang*\"]\n", &["unknown compiler klang*", "gcc-12"]);
    check_config(
        "baseline = \"gcc-13\"\n[[set]]\ncompilers = [\"gcc-12\"]\n",
        &["unknown compiler gcc-13", "gcc-12"],
    );
}

#[test]
fn limits_that_contradict_each_other_are_named_with_their_line() {
    check_config("programs = 3\nminutes = 2\n", &["whodunit.toml:2: ", "programs and minutes"]);
    check_config(
        "\n[limits]\nprogram-memory-mb = 0\n",
        &["whodunit.toml:3: program-memory-mb = 0"],
    );
    check_config("[csmith]\nmin-bytes = 9\nmax-bytes = 3\n", &["whodunit.toml:2: min-bytes = 9"]);
    check_config("# jobs\nseed = 1\njobs = 0\n", &["whodunit.toml:3: jobs = 0"]);
    check_config("jobs = 100000\n", &["whodunit.toml:1: jobs = 100000"]);
}

#[test]
fn limits_beyond_all_bounds_are_refused_and_do_not_overflow() {
    let most = u64::MAX >> 1;
    for key in ["compiler-cpu-seconds", "compiler-memory-mb", "program-output-kb"] {
        check_config(&format!("[limits]\n{key} = {most}\n"), &["whodunit.toml:2: ", key]);
    }
    check_config("minutes = 1e300\n", &["whodunit.toml:1: ", "minutes"]);
}

#[test]
fn a_test_set_with_one_configuration_only_is_refused() {
    check_config(
        "[[set]]\ncompilers = [\"gcc-12\"]\nlevels = [\"-O2\"]\n",
        &["one configuration only (gcc-12 -O2)", "two or more"],
    );
}

#[test]
fn a_level_that_the_compiler_refuses_is_said_before_the_hunt() {
    check_config(
        "[[set]]\ncompilers = [\"gcc-12\"]\nlevels = [\"-O2\", \"-fno-such-thing\"]\n",
        &["gcc-12 -fno-such-thing", "does not work", "unrecognized command-line option"],
    );
}

#[test]
fn a_missing_config_is_said() {
    let Some(machine) = machine() else { return };
    check_hunt(&machine, &["--config", "absent.toml"], &["absent.toml"]);
    machine.write("binary.toml", b"\xff\xfe");
    check_hunt(&machine, &["--config", "binary.toml"], &["binary.toml"]);
}

#[test]
fn a_compiler_that_is_none_is_refused_everywhere() {
    let Some(machine) = machine() else { return };
    machine.write("main.c", program(""));
    machine.script("bin/garbage", "#!/bin/sh\nprintf 'I am a teapot\\377\\0'\n");
    machine.script("bin/mute", "#!/bin/sh\nexit 1\n");
    machine.script("bin/broken", "not a script at all\n");
    let plain = machine.write("bin/plain", "#!/bin/sh\n");
    fs::set_permissions(plain, fs::Permissions::from_mode(0o644)).unwrap();
    fs::create_dir(machine.path("bin/folder")).unwrap();
    for (compiler, words) in [
        ("./absent", &["./absent", "not found"][..]),
        ("bin/garbage", &["bin/garbage", "I am a teapot"]),
        ("bin/mute", &["bin/mute"]),
        ("bin/broken", &["bin/broken"]),
        ("bin/plain", &["bin/plain", "not an executable file"]),
        ("bin/folder", &["bin/folder", "not an executable file"]),
    ] {
        check_program(&machine, "main.c", compiler).refuses(words);
        check_hunt(&machine, &["--compiler", compiler], &words[..1]);
        let config = format!("[[compiler]]\nname = \"mine\"\npath = \"{compiler}\"\n");
        machine.write("mine.toml", config);
        check_hunt(&machine, &["--config", "mine.toml"], words);
    }
    check_program(&machine, "main.c", "gcc-21").refuses(&["gcc-21", "not found", "doctor"]);
}

#[test]
fn a_program_that_is_none_is_refused() {
    let Some(machine) = machine() else { return };
    fs::create_dir(machine.path("folder.c")).unwrap();
    fs::File::create(machine.path("huge.c")).unwrap().set_len(1 << 30).unwrap();
    machine.write("notes.txt", "int main(void) {}");
    for (file, words) in [
        ("absent.c", &["absent.c"][..]),
        ("folder.c", &["folder.c", "is a folder"]),
        ("huge.c", &["huge.c", "1073741824 bytes", "the limit is"]),
        ("notes.txt", &["notes.txt", ".c"]),
        ("/dev/zero", &["/dev/zero", "not a regular file"]),
    ] {
        check_program(&machine, file, "gcc-12").refuses(words);
    }
}

#[test]
fn a_source_that_is_none_is_refused() {
    let Some(machine) = machine() else { return };
    fs::create_dir(machine.path("empty")).unwrap();
    machine.write("notes/notes.txt", "");
    fs::create_dir(machine.path("huge")).unwrap();
    fs::File::create(machine.path("huge/huge.c")).unwrap().set_len(1 << 30).unwrap();
    for (source, words) in [
        ("absent", &["absent", "gen, csmith, or a folder"][..]),
        ("empty", &["empty", "no program"]),
        ("notes", &["notes", "no program"]),
        ("programs/nothing.c", &["programs/nothing.c", "a folder of programs"]),
        ("huge", &["huge.c", "1073741824 bytes"]),
        ("csmith", &["csmith is not installed", "apt install csmith"]),
    ] {
        check_hunt(&machine, &["--source", source], words);
    }
}

#[test]
fn a_folder_that_is_no_campaign_is_left_alone() {
    let Some(machine) = machine() else { return };
    machine.write("mine/thesis.tex", "years of work");
    machine.write("file", "not a folder");
    for (dir, words) in
        [("mine", &["mine", "holds other things, such as thesis.tex"][..]), ("file", &["file"])]
    {
        let hunt = machine.run(&["hunt", "--source", "programs", "--campaign", dir]).ends_with(2);
        for word in words {
            assert!(hunt.stderr.lines().last().unwrap().contains(word), "{hunt:#?}");
        }
        machine.run(&["status", "--campaign", dir]).refuses(&[dir, "not a campaign"]);
        machine.run(&["replay", "--campaign", dir, "0-0"]).refuses(&[dir, "not a campaign"]);
    }
    let left: Vec<_> = fs::read_dir(machine.path("mine")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    machine.run(&["status", "--campaign", "absent"]).refuses(&["absent", "no such folder"]);
    assert!(!machine.path("absent").exists());
}

#[test]
fn a_campaign_of_another_version_is_left_alone() {
    let Some(machine) = machine() else { return };
    let marker = "{\"format\":99,\"whodunit\":\"9.9.9\"}\n";
    machine.write("c/whodunit-campaign.json", marker);
    let words = ["format 99", "whodunit 9.9.9"];
    let hunt = machine.run(&["hunt", "--source", "programs", "--campaign", "c"]).ends_with(2);
    for word in words {
        assert!(hunt.stderr.lines().last().unwrap().contains(word), "{hunt:#?}");
    }
    machine.run(&["status", "--campaign", "c"]).refuses(&words);
    let left: Vec<_> = fs::read_dir(machine.path("c")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn numbers_on_the_command_line_are_checked() {
    let Some(machine) = machine() else { return };
    for more in [
        &["--programs", "0"][..],
        &["--jobs", "0"],
        &["--jobs", "100000"],
        &["--minutes", "0"],
        &["--minutes", "-1"],
        &["--minutes", "nan"],
        &["--programs", "many"],
        &["--programs", "1", "--minutes", "1"],
        &["--cpu-minutes", "0"],
        &["--cpu-minutes", "1", "--minutes", "1"],
        &["--args", "-O2"],
        &["--seed", "-1"],
    ] {
        let said =
            machine.run(&[&["hunt", "--source", "programs", "--campaign", "c"], more].concat());
        let said = said.ends_with(2);
        assert_eq!(said.stdout, "");
        assert!(said.stderr.contains(more[0]), "{said:#?}");
        assert!(!machine.path("c").exists());
    }
}

#[test]
fn a_machine_whose_compilers_do_not_work_is_told_why() {
    let Some(machine) = machine() else { return };
    std::fs::remove_file(machine.path("bin/as")).unwrap();
    check_hunt(&machine, &[], &["nothing that works", "gcc-12 -O0", "as"]);
}

#[test]
fn two_compilers_with_one_name_are_refused() {
    let compiler = "[[compiler]]\nname = \"mine\"\npath = \"gcc-12\"\n";
    check_config(&compiler.repeat(2), &["whodunit.toml:1: two compilers are called mine"]);
}
