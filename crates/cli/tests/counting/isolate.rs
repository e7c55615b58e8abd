//! Isolation end to end. tcc has no levels, so the failing side is made by a macro: code with floating
//! point that the passing side does not have.

use super::support::{Said, installed};
use super::{build, text, whodunit};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "int printf(const char *, ...);
int a = 6, b = 7, zero;
int main(void)
{
    int r = a * b;
    int i;
#ifdef BUG
    float f = zero;
    for (i = 0; i < 3; i++)
        f = f + 2;
    if (a != 5)
        r = r + f;
#endif
    printf(\"%d\\n\", r);
    return 0;
}
";

fn program(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("bug.c");
    fs::write(&path, body).unwrap();
    path
}

fn isolate(file: &Path, build: &Path, more: &[&str]) -> Said {
    let mut args =
        vec!["isolate", text(file), "--compiler", text(build), "--fail=-DBUG", "--pass=-w"];
    args.extend(more);
    whodunit(&args)
}

fn answer(file: &Path, build: &Path, more: &[&str]) -> Value {
    let more = [more, &["--json", "--no-screen"]].concat();
    let mut said = isolate(file, build, &more).ends_with(0).json();
    said["seconds"] = Value::Null;
    said
}

#[test]
fn witnesses_acquit_what_they_execute_and_the_number_of_jobs_does_not_matter() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), PROGRAM);
    for method in ["diwi", "recbi", "recbi-filter", "diwi-synth", "dev", "vote", "combined"] {
        let run = |jobs: &str| {
            answer(&file, build, &["--method", method, "--evaluations=30", "--jobs", jobs])
        };
        let one = run("1");
        assert_eq!(one, run("3"), "{method}");
        assert_eq!((&one["method"], &one["kind"]), (&method.into(), &"wrong-code".into()));
        assert!(one["witnesses"].as_u64().unwrap() > 0, "{method}: {one}");
        let ranking = one["ranking"].as_array().unwrap();
        let files: BTreeSet<&str> =
            ranking.iter().map(|row| row["file"].as_str().unwrap()).collect();
        assert_eq!(files.len(), ranking.len(), "each file once");
        assert!(files.contains("tccgen.c") && !files.iter().any(|file| file.ends_with(".h")));
        let ranks: Vec<u64> = ranking.iter().map(|row| row["rank"].as_u64().unwrap()).collect();
        assert!(ranks.is_sorted() && *ranks.last().unwrap() == ranks.len() as u64, "{ranks:?}");
    }
}

#[test]
fn another_seed_tries_other_variants_and_the_screen_can_be_on() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), PROGRAM);
    let out = folder.path().join("witnesses");
    let first = answer(&file, build, &["--method=diwi-rand", "--evaluations=20"]);
    let second = answer(&file, build, &["--method=diwi-rand", "--evaluations=20", "--seed=2"]);
    assert_ne!(first["witness_list"], second["witness_list"]);
    let more = ["--method=recbi-rand", "--evaluations=25", "--level=line", "--out", text(&out)];
    let said = isolate(&file, build, &more).ends_with(0);
    assert!(said.stdout.contains("skipped by"), "{}", said.stdout);
    assert!(out.join("witness-001.c").is_file());
}

#[test]
fn what_speaks_against_a_file_is_told_and_kept_for_other_rankings() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), PROGRAM);
    let spectra = folder.path().join("spectra.jsonl");
    let more = ["--evaluations=30", "--no-screen", "--spectra", text(&spectra)];
    let said = isolate(&file, build, &more).ends_with(0);
    assert!(said.stdout.starts_with("wrong-code") && said.stdout.contains("combined, seed 1"));
    assert!(said.stdout.contains(": passes without "), "{}", said.stdout);
    let lines: Vec<Value> = fs::read_to_string(&spectra)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let edges = lines[0]["edges"].as_array().unwrap().len() as u64;
    assert!(lines[0]["files"].as_array().unwrap().contains(&"tccgen.c".into()));
    let witness = lines[1..].iter().find(|run| run["passes"] == true).expect("one passes");
    let skips = witness["skips"].as_array().unwrap();
    assert!(!skips.is_empty() && skips.iter().all(|edge| edge.as_u64().unwrap() < edges));
    // tcc has no optimiser, and nothing to be switched off.
    isolate(&file, build, &["--method=locseq"]).refuses(&["sequences of passes"]);
    isolate(&file, build, &["--method=options"]).refuses(&["switched off"]);
}

/// A folder with a benchmark of one bug.
fn bench() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let bug = folder.path().join("bench/one");
    fs::create_dir_all(&bug).unwrap();
    program(&bug, PROGRAM);
    let described = "id = \"one\"\nkind = \"wrong-code\"\nprogram = \"bug.c\"\nfail = \"-DBUG\"\n\
                     pass = \"-w\"\ntruth = [\"tccgen.c\"]\n";
    fs::write(bug.join("bug.toml"), described).unwrap();
    folder
}

#[test]
fn parts_that_only_weigh_are_left_out_without_another_search() {
    let Some(build) = build() else { return };
    let folder = bench();
    let bench = folder.path().join("bench");
    let eval = |more: &[&str]| {
        let out = folder.path().join(more.join(" "));
        let fixed = ["eval", "isolate", "--bench", text(&bench), "--compiler", text(build)];
        let rest = [
            "--methods=combined",
            "--evaluations=40",
            "--no-screen",
            "--json",
            "--out",
            text(&out),
        ];
        let said = whodunit(&[&fixed[..], &rest, more].concat()).ends_with(0).json();
        said["bugs"].as_array().unwrap().clone()
    };
    let ablated = eval(&["--ablate"]);
    let without = |rows: &[serde_json::Value], name: &str| {
        let row = rows.iter().find(|row| row["method"] == name).unwrap_or_else(|| panic!("{name}"));
        row["ranks"].clone()
    };
    assert!(ablated.len() > 10 && ablated[0]["method"] == "combined", "{ablated:?}");
    assert!(ablated.iter().all(|row| row["seconds"] == ablated[0]["seconds"]), "one search");
    for part in ["programs=0", "size=1"] {
        let (name, set) = (format!("combined {part}"), format!("--set={part}"));
        assert_eq!(without(&ablated, &name), without(&eval(&[&set]), &name), "{part}");
    }
}

#[test]
fn an_experiment_is_kept_and_goes_on() {
    let Some(build) = build() else { return };
    let folder = bench();
    let (bench, out) = (folder.path().join("bench"), folder.path().join("out"));
    let eval = |evaluations: &str| {
        whodunit(&[
            "eval",
            "isolate",
            "--bench",
            text(&bench),
            "--compiler",
            text(build),
            "--methods=diwi,sbfl",
            "--repeats=2",
            "--evaluations",
            evaluations,
            "--no-screen",
            "--out",
            text(&out),
            "--json",
        ])
    };
    let first = eval("20").ends_with(0);
    let said = first.json();
    assert_eq!(said["bugs"].as_array().unwrap().len(), 4);
    assert_eq!(said["methods"][0]["bugs"], 1);
    assert!(said["methods"][0]["mfr"].as_f64().unwrap() >= 1.0);
    assert!(out.join("first-ranks.svg").is_file());
    assert_eq!(said, eval("20").ends_with(0).json(), "what is there is not run again");
    eval("30").refuses(&["made with", "give another --out"]);
    let kept = out.join("runs.jsonl");
    let lines = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, format!("{lines}{{\"bug\":\"on")).unwrap();
    assert_eq!(said, eval("20").ends_with(0).json(), "a line that was cut short is no run");
    fs::write(&kept, format!("{lines}{{}}\n")).unwrap();
    eval("20").refuses(&["runs.jsonl, line 5", "give another --out"]);
}

#[test]
fn a_hunt_isolates_what_it_finds() {
    let Some(build) = build() else { return };
    if ["gcc-12", "tcc"].iter().any(|name| installed(name).is_none()) {
        eprintln!("not tested: gcc-12 and tcc are not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (programs, campaign) = (folder.path().join("programs"), folder.path().join("campaign"));
    fs::create_dir(&programs).unwrap();
    program(&programs, &PROGRAM.replace("#ifdef BUG", "#ifdef __TINYC__"));
    let hunt = |more: &[&str]| {
        let fixed = ["hunt", "--source", text(&programs), "--campaign", text(&campaign)];
        let compilers = ["--compiler=gcc-12", "--compiler=tcc", "--reduce-tries=1", "--finish"];
        whodunit(&[&fixed[..], &compilers, more].concat()).ends_with(1)
    };
    let without = hunt(&[]);
    assert!(!without.stderr.contains("suspicious"), "{}", without.stderr);
    // The bug of the session before is isolated, once.
    let with = hunt(&["--isolate", text(build)]);
    assert!(with.stderr.contains("suspicious for 0-0: "), "{}", with.stderr);
    let again = hunt(&["--isolate", text(build)]);
    assert!(!again.stderr.contains("suspicious"), "{}", again.stderr);
    let bugs = whodunit(&["bugs", "--campaign", text(&campaign), "--json"]).ends_with(0).json();
    let suspicious = &bugs["bugs"][0]["suspicious"];
    assert!(suspicious["witnesses"].as_u64().unwrap() > 0, "{bugs}");
    let shown = whodunit(&["bugs", "--campaign", text(&campaign)]).ends_with(0);
    assert!(shown.stdout.contains("suspicious: "), "{}", shown.stdout);
    let by_id = ["isolate", "0-0", "--campaign", text(&campaign), "--compiler", text(build)];
    whodunit(&[&by_id[..], &["--evaluations=10"]].concat()).ends_with(0);
    let unknown = ["isolate", "9-9", "--campaign", text(&campaign), "--compiler", text(build)];
    whodunit(&unknown).refuses(&["has no finding 9-9"]);
}

#[test]
fn what_can_not_be_isolated_is_said() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), PROGRAM);
    let right = PROGRAM.replace("r = r + f", "r = r + 0");
    let refused = |file: &Path, more: &[&str], says: &[&str]| {
        isolate(file, build, more).refuses(says);
    };
    refused(&file, &["--method=diwy"], &["no method diwy", "did you mean diwi?"]);
    refused(&file, &["--method=options"], &["no options or passes", "options is about"]);
    refused(&file, &["--set=alpa=1"], &["did you mean alpha?"]);
    refused(&file, &["--formula=ochi"], &["no formula ochi"]);
    refused(&file, &["--budget=soon"], &["soon is no time"]);
    let path = folder.path().join("right.c");
    fs::write(&path, right).unwrap();
    refused(&path, &[], &["does not fail on this program"]);
    whodunit(&["isolate", text(&file), "--compiler=gcc-12", "--fail=-O2", "--pass=-O0"])
        .refuses(&["gcc-12 does not count"]);
    whodunit(&["isolate", text(&file), "--compiler", text(build), "--fail=-DBUG", "--pass=-DBUG"])
        .refuses(&["are the same"]);
}
