//! Test sets for those who ask: sanitizers under test, random options, machines, data models, cross
//! compilers.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::json;
use support::{Machine, Said, program, text};

fn hunt(machine: &Machine, config: &str) -> Said {
    machine.write("whodunit.toml", config);
    machine.run(&["hunt", "--source", "programs", "--campaign", "c"])
}

#[test]
fn an_alarm_on_a_clean_program_is_a_finding_of_its_own_kind() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-O2", ["*"]);
    machine.programs(&["alarm"]);
    let set = "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O2\"]\nsanitize = true\n";
    let said = hunt(&machine, set).ends_with(1);
    assert!(said.stderr.contains("4 configurations"), "{said:#?}");
    assert_eq!(machine.findings("c"), ["sanitizer-alarm: bad -O2 -fsanitize=undefined"]);
    let status = machine.run(&["status", "--campaign", "c", "--json"]).json();
    let signature = text(&status["findings"][0]["signature"]);
    assert_eq!(signature, "runtime error: shift exponent");
}

#[test]
fn an_alarm_on_an_undefined_program_is_no_finding() {
    let Some(machine) = Machine::with(&["gcc-12", "clang-16"]) else { return };
    let undefined = program("").replace("int sum = 0;", "int sum = 2147483610;");
    machine.write("programs/undefined.c", undefined);
    let set = "[[set]]\ncompilers = [\"gcc-12\"]\nlevels = [\"-O0\", \"-O1\"]\nsanitize = true\n";
    hunt(&machine, set).ends_with(0).prints(&["1 not-comparable: undefined behaviour"]);
}

#[test]
fn options_are_drawn_for_each_program_and_the_same_from_the_same_seed() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    // Whatever is drawn, there are two -f options or more, so that this fake crashes.
    machine.fake("bad", "-f*", ["crash"]);
    machine.programs(&["crash"]);
    machine.write("programs/second.c", program("crash"));
    let set =
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O1\"]\nrandom-options = 1\n";
    hunt(&machine, set).ends_with(1).prints(&["2 programs"]);
    let found = machine.findings("c");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|finding| finding.starts_with("crash: bad -O1 -f")), "{found:?}");
    assert_ne!(found[0], found[1]);
    // The drawn options are among the commands that replay runs.
    machine.run(&["replay", "--campaign", "c", "1-0"]).ends_with(1).prints(&["bad -O1 -f"]);
    machine.run(&["hunt", "--source", "programs", "--campaign", "same"]).ends_with(1);
    assert_eq!(machine.findings("same"), found);
    let seed = ["hunt", "--source", "programs", "--campaign", "other", "--seed", "2"];
    machine.run(&seed).ends_with(1);
    assert_ne!(machine.findings("other"), found);
}

#[test]
fn a_machine_to_generate_code_for_is_a_configuration() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.fake("bad", "-march=x86-64-v2", ["*"]);
    machine.programs(&["miscompile"]);
    let set = "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O1\"]\n\
        march = [\"x86-64-v2\"]\n";
    hunt(&machine, set).ends_with(1);
    assert_eq!(machine.findings("c"), ["wrong-code: bad -O1 -march=x86-64-v2"]);
}

#[test]
fn a_machine_that_no_compiler_knows_is_refused() {
    let Some(machine) = Machine::with(&["gcc-12", "tcc"]) else { return };
    machine.programs(&["nothing"]);
    let set = |compiler: &str, march: &str| {
        format!(
            "[[set]]\ncompilers = [\"{compiler}\"]\nlevels = [\"-O1\"]\nmarch = [\"{march}\"]\n"
        )
    };
    hunt(&machine, &set("gcc-12", "pdp11")).refuses(&["gcc-12 -O1 -march=pdp11", "does not work"]);
    hunt(&machine, &set("tcc", "x86-64-v2")).refuses(&["tcc knows no -march"]);
    assert!(!machine.path("c").exists());
}

/// Prints how wide long is.
const WIDTH: &str =
    "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", (int) sizeof(long)); return 0; }\n";

#[test]
fn data_models_take_turns_and_are_not_compared_with_each_other() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    if !std::path::Path::new("/usr/lib/gcc/x86_64-linux-gnu/12/32/libgcc.a").exists() {
        eprintln!("skipped: gcc-12-multilib is not installed");
        return;
    }
    machine.fake("bad", "-m32", ["*"]);
    for name in ["1.c", "2.c"] {
        machine.write(&format!("programs/{name}"), format!("/* fake: crash */\n{WIDTH}"));
    }
    let set = "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O1\"]\n\
        data-models = [\"lp64\", \"ilp32\"]\n";
    hunt(&machine, set).ends_with(1).prints(&["1 agree, 1 bug"]);
    assert_eq!(machine.findings("c"), ["crash: bad -O0 -m32, bad -O1 -m32"]);
    let replay = machine.run(&["replay", "--campaign", "c", "1-0"]).ends_with(1);
    replay.prints(&["prints \"4\""]);
}

#[test]
fn a_cross_compiler_finds_its_emulator_by_itself() {
    let Some(machine) = Machine::with(&["gcc-12", "aarch64-linux-gnu-gcc-12", "qemu-aarch64"])
    else {
        return;
    };
    machine.write("programs/width.c", WIDTH);
    machine.write("programs/wrong.c", program("miscompile"));
    let set = "[[set]]\ncompilers = [\"gcc-12\", \"aarch64-*\"]\nlevels = [\"-O1\"]\n";
    hunt(&machine, set).ends_with(0).prints(&["2 agree"]);
    let status = machine.run(&["status", "--campaign", "c", "--json"]).json();
    let runner = &status["plan"]["compilers"][1]["runner"];
    let qemu = machine.path("bin/qemu-aarch64");
    assert_eq!(*runner, json!([qemu, "-L", "/usr/aarch64-linux-gnu"]));
}

#[test]
fn a_configured_compiler_has_a_name_arguments_and_a_runner() {
    let Some(machine) = Machine::with(&["gcc-12", "aarch64-linux-gnu-gcc-12", "qemu-aarch64"])
    else {
        return;
    };
    machine.write("programs/wrong.c", program("").replace("sum = 0", "sum = EXTRA"));
    let config = |runner: &str| {
        format!(
            "[[compiler]]\nname = \"arm\"\npath = \"aarch64-linux-gnu-gcc-12\"\n\
             args = [\"-DEXTRA=1\"]\nrunner = [{runner}, \"-L\", \"/usr/aarch64-linux-gnu\"]\n\
             [[compiler]]\nname = \"here\"\npath = \"gcc-12\"\nargs = [\"-DEXTRA=0\"]\n\
             [[set]]\ncompilers = [\"arm\", \"here\"]\nlevels = [\"-O0\"]\n"
        )
    };
    hunt(&machine, &config("\"qemu-absent\"")).refuses(&["arm -O0", "qemu-absent"]);
    assert!(!machine.path("c").exists());
    hunt(&machine, &config("\"qemu-aarch64\"")).ends_with(1).prints(&["tie"]);
    let replay = machine.run(&["replay", "--campaign", "c", "0-0"]).ends_with(1);
    replay.prints(&["-DEXTRA=1 -O0", "prints \"46\"", "-DEXTRA=0 -O0", "prints \"45\""]);
}
