//! The script for reducers: is the bug still there?

use super::commands::{kept_args, made, units, variables};
use super::{
    ALARM_LINES, CRASH_LINES, MEMORY_LINES, compilers, crash_condition, functions, limits, names,
    repeatable, shell_status, work_folder,
};
use crate::bug::{Bug, Family, Language, Run};
use crate::kind::{Shows, kind};
use crate::needle::error_text;
use crate::shell::{command_line, quote};

/// Warnings of GCC that betray undefined behaviour, all known since GCC 7.
const GCC_WARNINGS: [&str; 10] = [
    "sequence-point",
    "uninitialized",
    "maybe-uninitialized",
    "array-bounds",
    "aggressive-loop-optimizations",
    "return-type",
    "shift-count-overflow",
    "shift-count-negative",
    "div-by-zero",
    "nonnull",
];

/// Those of Clang.
const CLANG_WARNINGS: [&str; 9] = [
    "unsequenced",
    "uninitialized",
    "sometimes-uninitialized",
    "array-bounds",
    "return-type",
    "division-by-zero",
    "shift-count-overflow",
    "shift-count-negative",
    "null-dereference",
];

/// A script that ends with 0 when the program in the current folder shows the bug, as C-Reduce,
/// C-Vise and (with the file as its argument) `llvm-reduce` ask. Files that are not there are
/// taken from beside the script. For wrong code the program must also be free of what warnings and
/// sanitizers see: reducers are good at making programs that mean nothing.
#[must_use]
pub fn interesting_script(bug: &Bug) -> String {
    let shows = kind(&bug.kind).shows;
    let unoptimised = (shows == Shows::Behaviour).then(|| fallback(bug));
    let pass = repeatable(bug).or(unoptimised.as_ref());
    let seconds = if shows == Shows::Endless { 20 } else { 60 };
    let parts = [
        head(bug),
        compilers(&variables(bug, pass), "no"),
        limits(seconds),
        functions(bug, pass),
        files(bug),
        match (shows, pass) {
            (Shows::Behaviour, Some(pass)) => behaviour(bug, pass),
            (Shows::Alarm, _) => alarm(bug),
            (_, pass) => failure(bug, shows, pass.is_some()),
        },
    ];
    parts.join("\n")
}

/// The program without optimisation, for bugs whose right result no recorded run gives.
fn fallback(bug: &Bug) -> Run {
    let checkers = checkers(bug);
    let name = checkers.split(' ').next().unwrap_or_default();
    let ir = bug.language == Language::Ir;
    let compiler = if ir || name.is_empty() { bug.compiler.name.clone() } else { name.to_owned() };
    let mut words = vec![compiler.clone(), "-O0".to_owned(), "-w".to_owned()];
    if ir {
        words.extend(["-x", "ir"].map(str::to_owned));
    }
    words.extend(units(bug));
    words.extend(["-o".to_owned(), "a.out".to_owned()]);
    words.extend(kept_args(&bug.fail));
    Run { compiler, args: Vec::new(), commands: vec![words], end: None, output: String::new() }
}

fn head(bug: &Bug) -> String {
    format!(
        "#!/bin/sh\n# Is this bug still there? {}: {}\n#\n\
         # Exit status: 0 it is, 1 it is not. For C-Reduce and C-Vise the program is in the\n\
         # current folder, for llvm-reduce it is the argument.\n\n\
         no() {{\n    echo \"$1\" >&2\n    exit 1\n}}\n\n\
         here=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd) || no 'where is this script?'\n\
         start=$PWD\n\
         candidate=${{1:-}}\n\
         case $candidate in '' | /*) ;; *) candidate=$start/$candidate ;; esac\n",
        bug.id,
        crate::title::title(bug)
    )
}

fn files(bug: &Bug) -> String {
    let main = bug.files.first().map(|file| quote(&file.name)).unwrap_or_default();
    format!(
        "{}for name in {}; do\n    folder=$start\n    \
         [ -f \"$folder/$name\" ] || folder=$here\n    \
         cp -- \"$folder/$name\" src/ || no \"there is no $name\"\ndone\n\
         [ -z \"$candidate\" ] || cp -- \"$candidate\" src/{main} || no \"there is no $candidate\"\n\
         cp -R src fail && cp -R src pass && cp -R src check || no 'the disk is full'\n",
        work_folder("no"),
        names(bug)
    )
}

fn behaviour(bug: &Bug, pass: &Run) -> String {
    let endless = bug.fail.end.as_deref() == Some("does not end");
    let how = if endless {
        "# The bug is a program that does not end.\n\
         [ \"$actual\" -eq 124 ] || [ \"$actual\" -eq 137 ] || no 'it ends'\n"
    } else {
        "case $actual in 124 | 137) no 'it does not end' ;; esac\n\
         if [ \"$expected\" -eq \"$actual\" ] && cmp -s pass.out fail.out; then\n    \
         no 'the results are equal'\nfi\n"
    };
    let died = pass.end.as_deref().and_then(shell_status).is_some_and(|status| status > 124);
    let right = if died { "" } else { "[ \"$expected\" -lt 124 ] || no 'the reference fails'\n" };
    let undefined = match bug.language {
        Language::Ir => {
            "# Nothing here tells undefined behaviour in IR: look at the result with care.\n"
                .to_owned()
        }
        _ => undefined(bug),
    };
    format!(
        "(cd pass && pass) >pass.log 2>&1 </dev/null || no 'the reference does not compile it'\n\
         (cd pass && limit \"$RUN_SECONDS\" $RUNNER {}) >pass.out 2>/dev/null </dev/null\n\
         expected=$?\n{right}\n\
         (cd fail && fail) >fail.log 2>&1 </dev/null || no 'it does not compile'\n\
         (cd fail && limit \"$RUN_SECONDS\" $RUNNER {}) >fail.out 2>/dev/null </dev/null\n\
         actual=$?\n{how}\n{undefined}\nexit 0\n",
        made(pass),
        made(&bug.fail)
    )
}

/// Warnings and sanitizers. What the program was reported with is not held against it.
fn undefined(bug: &Bug) -> String {
    let run = repeatable(bug).unwrap_or(&bug.fail);
    let (libraries, args): (Vec<String>, Vec<String>) =
        kept_args(run).into_iter().partition(|arg| arg.starts_with("-l"));
    let build = |made: &str| {
        let mut words = units(bug);
        words.extend(["-o".to_owned(), made.to_owned()]);
        words.extend(libraries.iter().cloned());
        command_line(&words)
    };
    let args = match command_line(&args) {
        args if args.is_empty() => args,
        args => format!(" {args}"),
    };
    let memory = bug
        .checks
        .iter()
        .any(|check| check.by.contains("-fsanitize=memory") && check.result == "clean");
    let sanitizers = if memory { "address,undefined memory" } else { "address,undefined" };
    format!(
        "# Undefined behaviour. CHECKERS='' goes without.\n\
         CHECKERS=${{CHECKERS-{checkers}}}\n\
         for checker in $CHECKERS; do\n    \
         case $checker in\n    \
         *clang*)\n        warnings={clang}\n        sanitizers={sanitizers}\n        ;;\n    \
         *)\n        warnings={gcc}\n        sanitizers=address,undefined\n        ;;\n    \
         esac\n    \
         (cd check && limit \"$COMPILE_SECONDS\" $checker{args} -O2 $warnings {warned}) \
         >check.log 2>&1 </dev/null ||\n        \
         no \"warnings of $checker: $(grep -m 1 error check.log || head -n 1 check.log)\"\n    \
         for sanitizer in $sanitizers; do\n        \
         (cd check && limit \"$COMPILE_SECONDS\" $checker{args} -O0 -g -w \"-fsanitize=$sanitizer\" \\\n            \
         -fno-sanitize-recover=all {checked}) >check.log 2>&1 </dev/null ||\n            \
         no \"$checker -fsanitize=$sanitizer does not compile it\"\n        \
         (cd check && ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 \\\n            \
         limit \"$((RUN_SECONDS * 5))\" ./checked.out) >check.out 2>check.log </dev/null\n        \
         checked=$?\n        \
         if grep -qE {alarms} check.log; then\n            \
         no \"undefined behaviour: $(grep -m 1 -E {alarms} check.log)\"\n        fi\n        \
         [ \"$checked\" -eq \"$expected\" ] && cmp -s check.out pass.out ||\n            \
         no \"$checker -fsanitize=$sanitizer gives another result\"\n    done\ndone\n",
        checkers = quote(&checkers(bug)),
        clang = quote(&errors(bug, &CLANG_WARNINGS)),
        gcc = quote(&errors(bug, &GCC_WARNINGS)),
        sanitizers = quote(sanitizers),
        warned = build("warned.out"),
        checked = build("checked.out"),
        alarms = quote(ALARM_LINES),
    )
}

/// The warnings as errors, without those that the reported program gets itself.
fn errors(bug: &Bug, warnings: &[&str]) -> String {
    let known = |warning: &str| {
        let name = format!("[-W{warning}");
        bug.checks
            .iter()
            .any(|check| check.detail.split(&name).skip(1).any(|rest| rest.starts_with([']', '='])))
    };
    let wanted: Vec<String> = warnings
        .iter()
        .filter(|warning| !known(warning))
        .map(|warning| format!("-Werror={warning}"))
        .collect();
    wanted.join(" ")
}

/// The compilers that checked the program, or the one that has the bug if none did.
fn checkers(bug: &Bug) -> String {
    let mut names: Vec<&str> = Vec::new();
    for check in &bug.checks {
        let name = check.by.split(' ').next().unwrap_or_default();
        let compiler = name.contains("gcc") || name.contains("clang");
        if compiler && check.result != "unchecked" && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() && bug.family != Family::Other {
        names.push(&bug.compiler.name);
    }
    names.join(" ")
}

/// A compiler that fails, on a program that others take.
fn failure(bug: &Bug, shows: Shows, pass: bool) -> String {
    let valid = if pass {
        "(cd pass && pass) >pass.log 2>&1 </dev/null || no 'the reference does not compile it'\n"
    } else {
        ""
    };
    let limit = match shows {
        Shows::Memory => "ulimit -v \"${MEMORY:-4194304}\"; ",
        _ => "",
    };
    let in_time = "case $status in 124 | 137) no 'it does not end' ;; esac\n";
    let verdict = match shows {
        Shows::Endless => {
            "[ \"$status\" -eq 124 ] || [ \"$status\" -eq 137 ] || no 'it ends'\n".to_owned()
        }
        Shows::Memory => format!(
            "[ \"$status\" -eq 137 ] || grep -qE {} log || no 'it has memory enough'\n",
            quote(MEMORY_LINES)
        ),
        Shows::Rejection => {
            let same = error_text(&bug.message)
                .map(|text| {
                    format!("grep -qF -e {} log || no 'it says something else'\n", quote(text))
                })
                .unwrap_or_default();
            format!(
                "{in_time}if [ \"$status\" -ge 128 ] || grep -qE {} log; then\n    \
                 no 'it crashes'\nfi\n{same}",
                quote(CRASH_LINES)
            )
        }
        _ => format!(
            "{in_time}if ! {{ {}; }}; then\n    no 'it fails in another way'\nfi\n",
            crash_condition(bug)
        ),
    };
    format!(
        "({limit}cd fail && fail) >log 2>&1 </dev/null\nstatus=$?\n\
         [ \"$status\" -ne 0 ] || no 'it compiles'\n{valid}{verdict}exit 0\n"
    )
}

fn alarm(bug: &Bug) -> String {
    format!(
        "(cd fail && fail) >fail.log 2>&1 </dev/null || no 'it does not compile'\n\
         (cd fail && limit \"$RUN_SECONDS\" $RUNNER {}) >fail.out 2>alarm </dev/null\n\
         grep -qE {} alarm || no 'no alarm'\nexit 0\n",
        made(&bug.fail),
        quote(ALARM_LINES)
    )
}
