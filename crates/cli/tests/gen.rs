//! `whodunit gen`, and hunts and experiments with the built-in generator.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use support::Machine;

fn tree(machine: &Machine, folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for seed in fs::read_dir(machine.path(folder)).unwrap().flatten() {
        for file in fs::read_dir(seed.path()).unwrap().flatten() {
            let name = format!("{:?}/{:?}", seed.file_name(), file.file_name());
            files.push((name, fs::read(file.path()).unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn the_same_seeds_give_the_same_files_whatever_the_jobs() {
    let machine = Machine::bare();
    for (folder, jobs) in [("one", "1"), ("three", "3")] {
        let out = machine.path(folder);
        let out = out.to_str().unwrap();
        let said = machine
            .run(&["gen", "--seed", "7", "--count", "9", "--jobs", jobs, "--out", out, "--json"]);
        let programs = said.ends_with(0).json()["programs"].as_array().unwrap().len();
        assert_eq!(programs, 9);
    }
    let files = tree(&machine, "one");
    assert_eq!(files, tree(&machine, "three"));
    assert_eq!(files.len(), 27);
    assert!(machine.path("one/15/func.c").is_file());
}

#[test]
fn the_first_line_repeats_the_program() {
    let machine = Machine::bare();
    let args = ["gen", "--seed", "3", "--std", "c++17", "--single", "--limit", "functions=2"];
    let said = machine.run(&args).ends_with(0);
    let line = said.stdout.lines().next().unwrap().to_owned();
    let again: Vec<&str> = line.split_whitespace().skip(2).collect();
    assert_eq!(again[0], "gen", "{line}");
    assert_eq!(machine.run(&again).ends_with(0).stdout, said.stdout);
}

#[test]
fn what_cannot_be_is_said_and_nothing_is_written() {
    let machine = Machine::bare();
    machine.write("mine/notes.txt", "x");
    let (out, mine) = (machine.path("out"), machine.path("mine"));
    let (out, mine) = (out.to_str().unwrap(), mine.to_str().unwrap());
    let check = |args: &[&str], words: &[&str]| {
        let args: Vec<&str> = ["gen"].iter().chain(args).copied().collect();
        machine.run(&args).refuses(words);
    };
    check(&["--seed", "0_3", "--out", out], &["version 0"]);
    check(&["--seed", "x", "--out", out], &["not a seed"]);
    check(&["--seed", "1", "--out", mine], &["holds other things", "notes.txt"]);
    check(&["--seed", "1", "--limit", "functions=0", "--out", out], &["`functions` is 0"]);
    check(&["--seed", "1", "--limit", "expression_depth=0", "--out", out], &["expression_depth"]);
    check(&["--seed", "1", "--limit", "function=1", "--out", out], &["did you mean functions?"]);
    check(&["--seed", "1", "--std", "c89", "--out", out], &["c89"]);
    check(&["--seed", "1", "--require", "containers", "--out", out], &["c99"]);
    check(&["--seed", "1", "--floats", "bounde", "--out", out], &["did you mean `bounded`?"]);
    check(&["--seed", "1", "--floats", "x87", "--out", out], &["known are exact, bounded"]);
    check(&["--seed", "1", "--policy", "contexts,typo", "--out", out], &["typo"]);
    check(&["--seed", "1", "--count", "0", "--out", out], &["--count"]);
    check(&["--seed", "1"], &["--out"]);
    assert!(!machine.path("out").exists());
}

#[test]
fn a_hunt_with_the_generator_agrees_on_healthy_compilers() {
    let Some(machine) = Machine::with(&["gcc-12", "clang-16"]) else { return };
    machine.write(
        "whodunit.toml",
        "programs = 3\n[gen]\nstandards = [\"c11\"]\n[[set]]\n\
         compilers = [\"gcc-12\", \"clang-16\"]\nlevels = [\"-O0\", \"-O2 -flto\"]\n",
    );
    let config = machine.path("whodunit.toml");
    let campaign = machine.path("campaign");
    let said = machine.run(&[
        "hunt",
        "--config",
        config.to_str().unwrap(),
        "--campaign",
        campaign.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(said.ends_with(0).json()["outcomes"]["agree"], 3);
}

#[test]
fn floating_point_that_rounds_is_compared_with_a_threshold() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    let args = ["gen", "--seed", "1", "--single", "--floats", "bounded"];
    let said = machine.run(&args).ends_with(0);
    assert!(said.stdout.lines().next().unwrap().contains("--floats bounded"));
    assert!(said.stdout.contains("printf(\"about %.9g"));
    machine.write(
        "whodunit.toml",
        "programs = 3\n[gen]\nfloats = \"bounded\"\n[[set]]\n\
         compilers = [\"gcc-12\"]\nlevels = [\"-O0\", \"-O2 -ffast-math\", \"-O1\"]\n",
    );
    let said = machine.run(&["hunt", "--campaign", "c", "--json"]);
    assert_eq!(said.ends_with(0).json()["outcomes"]["agree"], 3);
}

#[test]
fn the_generator_can_be_measured() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    let said = machine.run(&["eval", "gen", "--programs", "2", "--compiler", "gcc-12", "--json"]);
    let result = said.ends_with(0).json();
    assert_eq!(result["shares"].as_array().unwrap().len(), 5);
    assert!(result["policies"][0]["counters"].as_array().unwrap().len() > 10);
}

#[test]
fn a_hunt_takes_the_limits_of_the_generator() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    let hunt = ["hunt", "--compiler", "gcc-12", "--args=-O0", "--args=-O1", "--programs", "2"];
    let limits = |text: &str| machine.write("whodunit.toml", format!("[gen]\nlimits = {text}\n"));
    limits("{ byte_max = 3000 }");
    machine.run(&hunt).refuses(&["no limit byte_max", "did you mean bytes_max?"]);
    limits("{ bytes_min = 1000, bytes_max = 2000, functions = 1 }");
    let said = machine.run(&hunt).ends_with(0);
    said.prints(&["2 agree", "bytes_max=2000"]);
    let bytes = |record: &serde_json::Value| record["body"]["bytes"].as_u64();
    let sizes: Vec<u64> = machine.records("whodunit-campaign").iter().filter_map(bytes).collect();
    assert!(sizes.len() == 2 && sizes.iter().all(|size| *size < 12_000), "{sizes:?}");
}
