//! Pass sequences of LLVM: source with a pipeline, and hunts with many.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use support::{Machine, Said};

const PROGRAM: &str = "#include <stdio.h>\n\
    static int work(int n) {\n  int sum = 0;\n  for (int i = 0; i < n; i++) sum += i & 1 ? i * 5 : -i;\n  \
      return sum;\n}\n\
    int main(void) {\n  printf(\"%d\\n\", work(9));\n  return 0;\n}\n";

/// Passes for opt: a sequence with `typepromotion` somewhere after `mergeicmps` dies; all others are opt's own.
const DIES: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
case " $* " in
*mergeicmps*typepromotion*)
    echo "opt: Sink.cpp:42: bool sink(): Assertion \`is_sane' failed." >&2
    kill -ABRT $$
    ;;
esac
exec opt-16 "$@"
"#;

/// A clang whose optimiser is not LLVM's own.
fn machine(opt: &str) -> Option<Machine> {
    let machine = Machine::with(&["clang-16", "opt-16", "gcc-12"])?;
    machine.script("bin/clang-mine-16", "#!/bin/sh\nPATH=/usr/bin:/bin exec clang-16 \"$@\"\n");
    machine.script("bin/opt-mine-16", opt);
    Some(machine)
}

#[test]
fn source_goes_through_a_pipeline() {
    let Some(machine) = machine(DIES) else { return };
    machine.write("a.c", PROGRAM);
    let said = |fail: &str| -> Said {
        let fail = format!("--fail=-passes={fail}");
        let args = ["a.c", "--compiler", "clang-mine-16", &fail, "--pass=-passes=verify"];
        let mut all = vec!["check"];
        all.extend(args);
        machine.run(&all)
    };
    said("function(sroa,gvn),globaldce").ends_with(0);
    said("function(sroa,mergeicmps,gvn,typepromotion)").ends_with(1).prints(&["crash", "is_sane"]);
    said("function(jump-threadin)").refuses(&["'jump-threadin'", "did you mean jump-threading?"]);
    said("function(gvn").refuses(&["invalid pipeline 'function(gvn'"]);
}

#[test]
fn a_module_of_a_newer_version_is_said_to_be_one() {
    let Some(machine) = Machine::with(&["clang-16", "opt-16", "clang-22", "opt-22"]) else {
        return;
    };
    let newer = "define i32 @main() {\n  %a = or disjoint i32 1, 2\n  ret i32 %a\n}\n";
    machine.write("newer.ll", newer);
    machine.write("garbage.ll", "define nothing");
    for command in ["check", "reduce", "bisect"] {
        let said = |file: &str| {
            let args = ["--compiler", "clang-16", "--fail=-passes=gvn", "--pass=-passes=verify"];
            let mut all = vec![command, file];
            all.extend(args);
            if command == "reduce" {
                all.extend(["-o", "small.ll"]);
            }
            machine.run(&all)
        };
        said("newer.ll").refuses(&["clang-16 can't read it", "clang-22 can", "newer version"]);
        let said = said("garbage.ll");
        assert!(!said.stderr.contains("newer version"), "{said:#?}");
    }
}

#[test]
fn a_pipeline_is_reduced_before_the_program() {
    let Some(machine) = machine(DIES) else { return };
    machine.write("a.c", PROGRAM);
    let fail = "--fail=-verify-each -passes=function(sroa,mergeicmps,gvn,loop-mssa(licm),typepromotion),globaldce";
    let args =
        ["a.c", "--compiler", "clang-mine-16", fail, "--pass=-passes=verify", "-o", "small.c"];
    let mut all = vec!["reduce"];
    all.extend(args);
    let said = machine.run(&all).ends_with(0);
    assert!(
        said.stderr.contains("fails with clang-mine-16 -passes=mergeicmps,typepromotion\n"),
        "{said:#?}"
    );
    let small = std::fs::read_to_string(machine.path("small.c")).unwrap();
    assert!(small.len() < 40, "{small}");
}

#[test]
fn a_hunt_with_sequences_finds_what_only_an_order_of_passes_shows() {
    let Some(machine) = machine(DIES) else { return };
    machine.write("programs/a.c", PROGRAM);
    machine.write(
        "whodunit.toml",
        "seed = 1\nsource = \"programs\"\n[passes]\nfrom = 60\ncount = 8\neach = 8\n\
         [[set]]\ncompilers = [\"clang-mine-16\", \"gcc-12\"]\n",
    );
    let said = machine.run(&["hunt", "--campaign", "c", "--reduce-tries", "60"]).ends_with(1);
    said.prints(&["crash", "is_sane"]);
    // Commands are whole, also where the front end had run for another sequence.
    let finding = machine.run(&["status", "--campaign", "c", "--export"]).ends_with(0);
    assert!(finding.stdout.matches("-emit-llvm").count() > 8, "{finding:#?}");
    machine.run(&["replay", "--campaign", "c", "0-0", "--out", "again"]).ends_with(1);
    let known = "[passes]\nfrom = 60\ncount = 8\neach = 8\nexclude = [\"mergeicmps…typepromotion\"]\n\
                 [[set]]\ncompilers = [\"clang-mine-16\", \"gcc-12\"]\n";
    machine.write("known.toml", known);
    let hunt = ["hunt", "--config", "known.toml", "--source", "programs", "--campaign", "d"];
    machine.run(&hunt).ends_with(0);
    // What is left out of later hunts, as the command prints it.
    let said = machine.run(&["bugs", "--campaign", "c", "--sequences"]).ends_with(0);
    said.prints(&["  \"clang-mine-16: mergeicmps…typepromotion\",\n"]);
    machine.write("known.toml", known.replace("mergeicmps…", "clang-mine-16: mergeicmps…"));
    let hunt = ["hunt", "--config", "known.toml", "--source", "programs", "--campaign", "e"];
    machine.run(&hunt).ends_with(0);
}

#[test]
fn ways_to_choose_are_compared_in_hunts_of_the_same_cpu_time() {
    let Some(machine) = machine(DIES) else { return };
    machine.write(
        "whodunit.toml",
        // Programs of the paper's constructs have shown no bug of the real optimiser.
        "[reduce]\ntries = 60\n[gen]\nconstructs = \"paper\"\n[passes]\nfrom = 60\ncount = 8\neach = 4\nprograms-from = 4\n\
         programs-count = 2\n[[set]]\ncompilers = [\"clang-mine-16\", \"gcc-12\"]\n",
    );
    let eval = |minutes: &str| {
        let args = ["--cpu-minutes", minutes, "--repeats", "1", "--out", "o", "--json"];
        let mut all = vec!["eval", "hunt", "--variants", "rs+gen,ss+gen-sp"];
        all.extend(args);
        machine.run(&all).ends_with(0).json()
    };
    let said = eval("0.1");
    assert_eq!(said, eval("0.1"), "what is there is not run again");
    let variants = said["summary"]["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 2);
    for variant in variants {
        assert!(variant["programs"].as_f64().unwrap() >= 1.0, "{said}");
        assert_eq!(variant["bugs"]["crash"]["mean"], 1.0, "{said}");
    }
    assert_eq!(said["summary"]["last"][0]["pass"], "typepromotion", "{said}");
    assert_eq!(said["summary"]["comparisons"][0]["a12"], 0.5);
    machine.run(&["eval", "hunt", "--variants", "ss+xx"]).refuses(&["ss+xx", "gen-sps"]);
    let pairs = machine.run(&["bugs", "--campaign", "o/rs+gen-1", "--pairs"]).ends_with(0);
    pairs.prints(&["no pair of passes", "is_sane"]);
}

#[test]
fn programs_are_selected_the_same_whatever_the_jobs() {
    let Some(machine) = machine("#!/bin/sh\nPATH=/usr/bin:/bin exec opt-16 \"$@\"\n") else {
        return;
    };
    let mut rounds = Vec::new();
    for (by, jobs) in [("sp", "1"), ("sp", "2"), ("sp-whole", "2"), ("sps", "2")] {
        machine.write(
            "whodunit.toml",
            format!(
                "seed = 1\nsource = \"gen\"\n[gen]\nconstructs = \"paper\"\n[passes]\nprograms = \"{by}\"\nprograms-from = 7\n\
                 programs-count = 3\nfrom = 20\ncount = 2\neach = 1\nshortest = 2\nlongest = 4\n\
                 [[set]]\ncompilers = [\"clang-mine-16\", \"gcc-12\"]\n"
            ),
        );
        let campaign = format!("{by}{jobs}");
        let hunt = |programs: &str| {
            let args = ["--campaign", &campaign, "--jobs", jobs, "--programs", programs];
            let mut all = vec!["hunt"];
            all.extend(args);
            machine.run(&all).ends_with(0);
            std::fs::read_to_string(machine.path(&format!("{campaign}/selected.jsonl"))).unwrap()
        };
        let first = hunt("2");
        assert_eq!(first.lines().count(), 1, "{first}");
        assert_eq!(hunt("3"), first, "a round that is known is not chosen again");
        let second = hunt("4");
        assert!(second.starts_with(&first) && second.lines().count() == 2, "{second}");
        rounds.push(second);
    }
    assert_eq!(rounds[0], rounds[1]);
}

#[test]
fn what_can_not_be_is_said_before_any_work() {
    let Some(machine) = machine(DIES) else { return };
    machine.write("programs/a.c", PROGRAM);
    let refuses = |config: &str, words: &[&str]| {
        machine.write("whodunit.toml", format!("source = \"programs\"\n{config}"));
        machine.run(&["hunt", "--passes", "--campaign", "c"]).refuses(words);
    };
    let set = "[[set]]\ncompilers = [\"clang-mine-16\"]\n";
    refuses(&format!("[passes]\nsequences = \"xx\"\n{set}"), &["sequences", "ss, rs or 2w"]);
    refuses(&format!("[passes]\nexclude = [\"gvn…\"]\n{set}"), &["whodunit.toml:3", "no pattern"]);
    refuses(
        &format!("[passes]\nexclude = [\"gvn…nothing\"]\n{set}"),
        &["nothing", "does not offer"],
    );
    refuses(
        &format!("[passes]\nexclude = [\"clang-14: gvn\"]\n{set}"),
        &["clang-14: gvn", "no such compiler is tested"],
    );
    refuses(
        &format!("[passes]\nprograms = \"ps\"\n{set}"),
        &["programs", "rp, sp, sp-whole or sps"],
    );
    refuses(&format!("[passes]\nprograms = \"sp\"\n{set}"), &["those of a generator", "program"]);
    refuses(&format!("[passes]\nshortest = 9\nlongest = 3\n{set}"), &["shortest = 9"]);
    refuses(
        &format!("{set}march = [\"x86-64-v3\"]\n"),
        &["only the compilers", "not its march", "[[compiler]]"],
    );
    machine.script("bin/clang-alone-16", "#!/bin/sh\nPATH=/usr/bin:/bin exec clang-16 \"$@\"\n");
    refuses(
        "[[set]]\ncompilers = [\"clang-alone-16\"]\n",
        &["clang-alone-16", "no opt of its version"],
    );
    // Another version's optimiser is none.
    machine.script("bin/opt-alone-16", "#!/bin/sh\nPATH=/usr/bin:/bin exec opt-15 \"$@\"\n");
    refuses(
        "[[set]]\ncompilers = [\"clang-alone-16\"]\n",
        &["clang-alone-16", "no opt of its version"],
    );
}
