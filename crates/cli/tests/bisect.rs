//! `whodunit bisect`: the first bad step, by whatever switches a compiler has.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use support::{Machine, Said, installed};

/// Passes for GCC: at -O2, and unless its pass `dse1` or the option for it is off, a multiplication
/// by 5 becomes one by 6. The pass has a counter: it is the fourth transformation that is wrong.
const NAMED: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
bad=
case " $* " in *" -O2 "*) bad=yes ;; esac
case " $* " in
*" -fdisable-tree-dse1 "*|*" -fdisable-tree-dse1=work "*|*" -fno-tree-dse "*) bad= ;;
*" -fdbg-cnt="*) case " $*" in *dse:[0123][,\ ]*|*dse:[0123]) bad= ;; esac ;;
esac
case " $* " in *" -fdbg-cnt-list "*) echo "  dse      9   unset" >&2; echo "  dce  3  unset" >&2 ;; esac
for arg; do
    shift
    case "$arg" in
    *.c)
        if [ "$bad" ]; then
            mkdir -p wrong
            sed 's/\* *5/*6/' "$arg" >"wrong/$arg"
            arg=wrong/$arg
        fi
        ;;
    -fdbg-cnt*) continue ;;
    esac
    set -- "$@" "$arg"
done
exec gcc-12 "$@"
"#;

/// Passes for Clang and counts its steps: at -O2 the seventh of nine makes a 6 of a 5.
const COUNTED: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
limit=9 bad= told=
for arg; do
    shift
    case "$arg" in
    -O2) bad=yes; set -- "$@" -O0 ;;
    -mllvm) ;;
    -opt-bisect-limit=-1) told=yes ;;
    -opt-bisect-limit=*) limit=${arg#*=}; told=yes ;;
    *) set -- "$@" "$arg" ;;
    esac
done
if [ "$told" ] && [ "$bad" ]; then
    for step in 1 2 3 4 5 6 7 8 9; do
        if [ $step -le $limit ]; then running=running; else running="NOT running"; fi
        if [ $step = 7 ]; then pass=GVNPass; else pass=SROAPass; fi
        echo "BISECT: $running pass ($step) $pass on work" >&2
    done
fi
if [ "$bad" ] && [ $limit -ge 7 ]; then
    for arg; do
        shift
        case "$arg" in
        *.c)
            mkdir -p wrong
            sed 's/\* *5/*6/' "$arg" >"wrong/$arg"
            arg=wrong/$arg
            ;;
        esac
        set -- "$@" "$arg"
    done
fi
exec clang-16 "$@"
"#;

const PROGRAM: &str = "
extern int printf(const char *, ...);
__attribute__((noinline)) int work(int n) { return n * 5; }
int main(void) { volatile int n = 3; printf(\"%d\\n\", work(n)); return 0; }
";

fn bisect(machine: &Machine, compiler: &str, more: &[&str]) -> Said {
    let mut args = vec!["bisect", "main.c", "--compiler", compiler, "--fail=-O2", "--pass=-O0"];
    args.extend(more);
    machine.run(&args)
}

#[test]
fn passes_that_have_names_are_switched_off_one_after_the_other() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.script("bin/named", NAMED);
    machine.write("main.c", PROGRAM);
    let said = bisect(&machine, "named", &["--json"]).ends_with(0).json();
    assert_eq!(said["kind"], "wrong-code", "{said:#}");
    assert_eq!(said["pass"], "tree-dse1", "{said:#}");
    assert_eq!(said["file"], "gcc/tree-ssa-dse.cc");
    assert_eq!(said["function"], "work");
    assert_eq!(said["counter"], "dse:4");
    assert_eq!(said["needed"], serde_json::json!(["-ftree-dse", "tree-dse1"]));
    assert_eq!(said["pair"]["form"], "gimple");
    let versions = said["versions"].as_array().unwrap();
    let fails = |name: &str| {
        versions.iter().find(|one| one["compiler"] == name).map(|one| one["fails"].clone())
    };
    assert_eq!(fails("named"), Some(true.into()), "{versions:#?}");
}

#[test]
fn steps_that_are_counted_are_searched_by_halves() {
    let Some(machine) = Machine::with(&["clang-16"]) else { return };
    machine.script("bin/counted", COUNTED);
    machine.write("main.c", PROGRAM);
    let said = bisect(&machine, "counted", &["--json"]).ends_with(0).json();
    assert_eq!(said["pass"], "GVNPass", "{said:#}");
    assert_eq!(said["step"], 7);
    assert_eq!(said["function"], "work");
    assert_eq!(said["file"], "llvm/lib/Transforms/Scalar/GVN.cpp");
    let pair = &said["pair"];
    assert_eq!(pair["form"], "ll", "{said:#}");
    assert!(pair["before"].as_str().unwrap().contains(", 5"), "{pair:#}");
    assert!(pair["after"].as_str().unwrap().contains(", 6"), "{pair:#}");
    bisect(&machine, "counted", &["--out", "steps"])
        .ends_with(0)
        .prints(&["GVNPass", "step      7"]);
    assert!(machine.path("steps/before.ll").is_file() && machine.path("steps/after.ll").is_file());
}

#[test]
fn of_several_files_the_one_at_fault_is_told() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.script("bin/named", NAMED);
    machine.write("parts/work.c", "int work(int n) { return n * 5; }\n");
    machine.write(
        "parts/main.c",
        "extern int printf(const char *, ...);\nint work(int);\n\
         int main(void) { printf(\"%d\\n\", work(3)); return 0; }\n",
    );
    let args = ["bisect", "parts", "--compiler", "named", "--fail=-O2", "--pass=-O0", "--json"];
    let said = machine.run(&args).ends_with(0).json();
    assert_eq!(said["pass"], "tree-dse1", "{said:#}");
    assert!(said["how"][0].as_str().unwrap().starts_with("work.c is the unit"), "{said:#}");
}

#[test]
fn what_can_not_be_bisected_is_said_at_once() {
    let Some(machine) = Machine::with(&["gcc-12"]) else { return };
    machine.script("bin/named", NAMED);
    machine.write("main.c", "int main(void) { return 0; }\n");
    bisect(&machine, "named", &[]).refuses(&["does not fail", "agree"]);
    machine
        .run(&["bisect", "none.c", "--compiler", "named", "--fail=-O2", "--pass=-O0"])
        .refuses(&["none.c"]);
    machine
        .run(&["bisect", "main.c", "--compiler", "named", "--fail=-O2", "--pass=-O2"])
        .refuses(&["are the same"]);
    if installed("tcc").is_some() {
        let bad = "#!/bin/sh\nPATH=/usr/bin:/bin\ncase \" $* \" in *' -O2 '*) set -- -DBAD \"$@\";; esac\n\
            exec tcc \"$@\"\n";
        machine.script("bin/tcc", bad);
        machine.write(
            "main.c",
            "#ifdef BAD\nint main(void) { return 1; }\n#else\nint main(void) { return 0; }\n#endif\n",
        );
        bisect(&machine, "tcc", &[]).refuses(&["no switches", "tcc"]);
    }
}
