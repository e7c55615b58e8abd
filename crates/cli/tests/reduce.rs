//! `whodunit reduce`: what is left is small, shows the same bug, and means something.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use std::time::Duration;
use support::{Machine, Said};

/// Passes for GCC. At -O2 it crashes on a division by 3 beside a remainder, crashes otherwise on
/// one without, and compiles a multiplication by 5 as one by 6.
const BAD: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
case " $* " in *" -O2 "*) ;; *) exec gcc-12 "$@" ;; esac
for arg; do
    case "$arg" in *.c) gcc-12 -w -fsyntax-only "$arg" 2>/dev/null || exec gcc-12 "$@" ;; esac
done
for arg; do
    shift
    case "$arg" in
    *.c)
        if grep -q '/ *3' "$arg"; then
            if grep -q '%' "$arg"; then where=vect_loop; else where=other_place; fi
            echo "during GIMPLE pass: vect" >&2
            echo "main.c:3:1: internal compiler error: in $where, at tree-vect.cc:12" >&2
            exit 1
        fi
        sed 's/\* *5/*6/' "$arg" >"$arg.wrong.c"
        set -- "$@" "$arg.wrong.c"
        ;;
    *) set -- "$@" "$arg" ;;
    esac
done
exec gcc-12 "$@"
"#;

const CRASH: &str = "
#include <stdio.h>
struct pair { int first; int second; };
static struct pair table[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
int unused(int a, int b) { return a ^ b; }
static int work(int n, struct pair *p) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (p[i & 3].first > 2) {
      sum += (p[i & 3].second + 10) / 3 + i % 7;
    } else {
      sum -= unused(i, n);
    }
  }
  return sum;
}
int main(void) { printf(\"%d\\n\", work(10, table)); return 0; }
";

const WRONG: &str = "
#include <stdio.h>
static unsigned mix(unsigned a, unsigned b) { unsigned c = a + b; c ^= c >> 3; return c; }
int main(void) {
  int start = 3, total = 0;
  int scale = start;
  for (int i = 0; i < 4; i++) total += (int)mix(i, 2);
  if (total > 1) {
    int product = scale * 5;
    printf(\"%d %d\\n\", total, product);
  }
  return 0;
}
";

fn machine(program: &str) -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    machine.script("bin/bad", BAD);
    machine.write("main.c", program);
    Some(machine)
}

fn reduce(machine: &Machine, more: &[&str]) -> Said {
    let mut args = vec!["reduce", "main.c", "--compiler", "bad", "--fail=-O2", "--pass=-O0"];
    args.extend(more);
    machine.run(&args)
}

#[test]
fn a_crash_keeps_its_signature_and_little_else() {
    let Some(machine) = machine(CRASH) else { return };
    let document = reduce(&machine, &["-o", "small.c", "--json"]).ends_with(0).json();
    assert_eq!(document["kind"], "crash");
    assert_eq!(document["finished"], true);
    assert!(document["signature"].as_str().unwrap().contains("vect_loop"), "{document}");
    assert!(document["slipped"].as_u64().unwrap() > 0, "without % it is another bug: {document}");
    let small = std::fs::read_to_string(machine.path("small.c")).unwrap();
    assert!(small.contains('%') && small.contains('/') && small.len() < 60, "{small}");
    let check = ["check", "small.c", "--compiler", "bad", "--fail=-O2", "--pass=-O0"];
    machine.run(&check).ends_with(1).prints(&["vect_loop"]);
}

#[test]
fn the_number_of_jobs_does_not_change_the_result() {
    let Some(machine) = machine(CRASH) else { return };
    let one = reduce(&machine, &["--jobs", "1"]).ends_with(0);
    let three = reduce(&machine, &["--jobs", "3"]).ends_with(0);
    assert_eq!(one.stdout, three.stdout);
    let few = |jobs| reduce(&machine, &["--tries", "25", "--jobs", jobs]).ends_with(0).stdout;
    assert_eq!(few("1"), few("2"));
}

#[test]
fn wrong_code_stays_free_of_undefined_behaviour() {
    let Some(machine) = machine(WRONG) else { return };
    let document = reduce(&machine, &["-o", "small.c", "--json"]).ends_with(0).json();
    assert_eq!(document["kind"], "wrong-code");
    assert_eq!(document["screen"]["result"], "clean", "{document}");
    let small = std::fs::read_to_string(machine.path("small.c")).unwrap();
    assert!(small.contains("* 5") && small.len() < 100, "{small}");
    let check = ["check", "small.c", "--compiler", "bad", "--fail=-O2", "--pass=-O0"];
    machine.run(&check).ends_with(1).prints(&["wrong-code"]);
}

#[test]
fn arguments_that_do_not_matter_go() {
    let Some(machine) = machine(CRASH) else { return };
    let fail = "--fail=-fwrapv -O2 -funroll-loops -g";
    let args = ["reduce", "main.c", "--compiler", "bad", fail, "--pass=-O0", "--json"];
    let document = machine.run(&args).ends_with(0).json();
    assert_eq!(document["fail"], serde_json::json!(["-O2"]));
}

#[test]
fn several_files_become_one() {
    let Some(machine) = machine("") else { return };
    machine.write("parts/x.h", "int work(int n);\n");
    machine.write("parts/a.c", "#include \"x.h\"\nint work(int n) { return n / 3 + n % 7; }\n");
    machine.write("parts/b.c", "#include \"x.h\"\nint main(void) { return work(0); }\n");
    let args = ["reduce", "parts", "--compiler", "bad", "--fail=-O2", "--pass=-O0", "--json"];
    let document = machine.run(&args).ends_with(0).json();
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{document}");
    assert!(files[0]["text"].as_str().unwrap().len() < 60, "{document}");
}

#[test]
fn an_outside_reducer_asks_the_same_question() {
    let Some(machine) = machine(CRASH) else { return };
    // Tries to delete everything, then an addition: like a reducer, only simpler.
    machine.script(
        "bin/cvise",
        "#!/bin/sh\nPATH=/usr/bin:/bin\nshift 4\ncp $2 keep\n: > $2\n$1 && exit 9\n\
         sed s/+.10// keep > $2\n$1 || cp keep $2\n",
    );
    let said = reduce(&machine, &["--with", "cvise", "-o", "small.c"]).ends_with(0);
    let small = std::fs::read_to_string(machine.path("small.c")).unwrap();
    assert!(small.len() < CRASH.len() && small.contains('%'), "{small}\n{said:#?}");
}

#[test]
fn what_can_not_be_reduced_is_said_at_once() {
    let Some(machine) = machine(CRASH) else { return };
    let refuses = |args: &[&str], words: &[&str]| {
        machine.run(&[&["reduce", "main.c", "--compiler", "bad"], args].concat()).refuses(words);
    };
    refuses(&["--fail=-O1", "--pass=-O0"], &["does not fail", "agree"]);
    refuses(&["--fail=-O2", "--pass=-O2"], &["are the same"]);
    refuses(
        &["--fail=-O2", "--pass=-O0", "--with", "perses"],
        &["own, cvise, creduce or llvm-reduce"],
    );
    refuses(
        &["--fail=-O2", "--pass=-O0", "--with", "creduce"],
        &["creduce is not installed", "doctor"],
    );
    refuses(&["--fail=-O2", "--pass=-O0", "--with", "llvm-reduce"], &["LLVM IR, not C"]);
    refuses(&["--fail=-O2", "--pass=-O0", "--minutes", "0"], &["more than 0"]);
    refuses(&["--fail=-O2", "--pass=-O0", "--tries", "0"], &["at least 1"]);
}

#[test]
fn a_failure_that_comes_and_goes_is_refused() {
    let Some(machine) = machine(CRASH) else { return };
    machine.script(
        "bin/flaky",
        "#!/bin/sh\nPATH=/usr/bin:/bin\ncase \"$*\" in *-O2*.c*) [ $(($(date +%N | sed 's/^0*//') % 2)) = 0 ] && \
         { echo 'x.c:1:1: internal compiler error: in f, at a.cc:1' >&2; exit 1; } ;; esac\nexec gcc-12 \"$@\"\n",
    );
    let args = ["reduce", "main.c", "--compiler", "flaky", "--fail=-O2", "--pass=-O0"];
    // By chance it may fail three times in a row, or never: then it is no flaky one.
    let seen = (0..20).any(|_| {
        let said = Said::new(&args, machine.command(&args).output().unwrap());
        said.code == Some(2) && said.stderr.contains("can't be relied on")
    });
    assert!(seen);
}

#[test]
fn what_does_not_end_when_it_is_compiled_wrongly_still_does_not() {
    let endless = "#include <stdio.h>\nstatic int twice(int a) { return a + a; }\nint main(void) {\n  \
                   volatile int scale = 3;\n  unsigned steps = twice(0);\n  \
                   while (scale * 5 != 15) steps++;\n  printf(\"%u\\n\", steps);\n  return 0;\n}\n";
    let Some(machine) = machine(endless) else { return };
    reduce(&machine, &["--tries=10", "-o", "small.c"]).ends_with(0);
    let small = std::fs::read_to_string(machine.path("small.c")).unwrap();
    assert!(small.len() < endless.len() && small.contains("scale * 5"), "{small}");
}

#[test]
fn ir_needs_a_pipeline_that_this_llvm_knows() {
    let Some(machine) = Machine::with(&["clang-16", "opt-16"]) else { return };
    machine.write("a.ll", "define i32 @main() {\n  ret i32 0\n}\n");
    let refuses = |passes: &str, words: &[&str]| {
        let fail = format!("--fail=-passes={passes}");
        let args = ["reduce", "a.ll", "--compiler", "clang-16", &fail, "--pass=-passes=verify"];
        machine.run(&args).refuses(words);
    };
    refuses("function(gvn", &["invalid pipeline 'function(gvn'", "byte 8", "never closed"]);
    refuses("no-such-pass", &["clang-16 -passes=no-such-pass: ", "unknown pass name"]);
    refuses("gvn", &["does not fail", "agree"]);
}

#[test]
fn a_hunt_reduces_what_it_finds_and_keeps_the_original() {
    let Some(machine) = machine("") else { return };
    machine.write("programs/a.c", CRASH);
    machine.write(
        "whodunit.toml",
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    let hunt = ["hunt", "--source", "programs", "--campaign", "c", "--reduce-tries", "2000"];
    let said = machine.run(&hunt).ends_with(1);
    assert!(said.stderr.contains("reduced 0-0: "), "{said:#?}");
    said.prints(&["reduced from", "fails with bad -O2"]);
    machine.run(&["replay", "--campaign", "c", "0-0", "--out", "out"]).ends_with(1);
    assert_eq!(std::fs::read_to_string(machine.path("out/a.c")).unwrap(), CRASH);
    let small = std::fs::read_to_string(machine.path("out/reduced/a.c")).unwrap();
    assert!(small.len() < 60, "{small}");
}

#[test]
fn a_hunt_that_is_killed_goes_on_with_its_reductions() {
    let Some(machine) = machine("") else { return };
    machine.write("programs/a.c", CRASH);
    machine.write(
        "whodunit.toml",
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    let hunt =
        |campaign| ["hunt", "--source", "programs", "--campaign", campaign, "--reduce-tries", "60"];
    machine.run(&hunt("whole")).ends_with(1);
    let journal = machine.path("cut/reduce/0-0.journal");
    let mut child = machine.start(&hunt("cut"));
    for _ in 0..600 {
        if std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 5) {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let answers = std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
    assert!(answers > 5, "killed in the middle of the reduction");
    machine.run(&hunt("cut")).ends_with(1);
    assert!(!journal.exists());
    assert_eq!(machine.records("cut"), machine.records("whole"));
}
