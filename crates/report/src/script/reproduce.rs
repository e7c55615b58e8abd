//! The script for people and for `git bisect run`.

use super::commands::{made, variables};
use super::{
    ALARM_LINES, CRASH_LINES, MEMORY_LINES, compilers, crash_condition, functions, limits, names,
    repeatable, shell_status, work_folder,
};
use crate::bug::{Bug, Run};
use crate::kind::{Shows, kind};
use crate::needle::needles;
use crate::shell::quote;

/// A script that tells by its exit status whether a compiler has the bug: 0 it does right, 1 it
/// has it, 125 can't be told; `git bisect run` reads these. It lies beside the program's files.
#[must_use]
pub fn reproduce_script(bug: &Bug) -> String {
    let shows = kind(&bug.kind).shows;
    let pass = match shows {
        Shows::Behaviour | Shows::Rejection => repeatable(bug),
        _ => None,
    };
    let parts = [
        head(bug, pass),
        compilers(&variables(bug, pass), "cannot_tell"),
        limits(60),
        functions(bug, pass),
        files(bug),
        match shows {
            Shows::Behaviour => behaviour(bug, pass),
            Shows::Crash => crash(bug),
            Shows::Endless => endless(),
            Shows::Memory => memory(),
            Shows::Rejection => rejection(pass),
            Shows::Alarm => alarm(bug),
        },
    ];
    parts.join("\n")
}

fn head(bug: &Bug, pass: Option<&Run>) -> String {
    let mut text = format!(
        "#!/bin/sh\n# {}: {}\n#\n\
         # Exit status, as git bisect run reads it: 0 the compiler does right, 1 it has the bug,\n\
         # 125 it can't be told.\n#\n\
         # Variables, which may hold arguments too ('xgcc -B.'):\n",
        bug.id,
        crate::title::title(bug)
    );
    for (name, _) in variables(bug, pass).list() {
        text.push_str(match name {
            "CC" => "# CC: the compiler under test.\n",
            "OPT" => "# OPT: the optimiser under test.\n",
            _ => "# REFERENCE: the compiler that does right.\n",
        });
    }
    text.push_str(
        "# RUNNER: what runs programs of another machine.\n\
         # COMPILE_SECONDS, RUN_SECONDS: limits.\n\n\
         tell() {\n    echo \"$2\"\n    exit \"$1\"\n}\n\
         cannot_tell() {\n    tell 125 \"cannot tell: $1\"\n}\n\n\
         here=$(CDPATH='' cd -- \"$(dirname -- \"$0\")\" && pwd) || cannot_tell 'where this is'\n",
    );
    text
}

fn files(bug: &Bug) -> String {
    format!(
        "{}for name in {}; do\n    \
         cp -- \"$here/$name\" src/ || cannot_tell \"$name is not beside this script\"\ndone\n",
        work_folder("cannot_tell"),
        names(bug)
    )
}

fn behaviour(bug: &Bug, pass: Option<&Run>) -> String {
    let mut text = String::new();
    if let Some(run) = pass {
        text.push_str(&format!(
            "cp -R src pass || cannot_tell 'the disk is full'\n\
             (cd pass && pass) >pass.log 2>&1 </dev/null ||\n    \
             cannot_tell \"the reference does not compile it: $(head -n 1 pass.log)\"\n\
             (cd pass && limit \"$RUN_SECONDS\" $RUNNER {}) >pass.out 2>/dev/null </dev/null\n\
             expected=$?\n",
            made(run)
        ));
        if let Some(status) = run.end.as_deref().and_then(shell_status) {
            text.push_str(&format!(
                "[ \"$expected\" -eq {status} ] ||\n    cannot_tell \
                 \"the reference ends with status $expected instead of {status}\"\n"
            ));
        }
    } else if let Some(run) = &bug.pass {
        text.push_str("# The right result is known, not how to get it.\n");
        text.push_str(&recorded(run));
    } else {
        text.push_str(
            "# No right result is known: what was seen to go wrong is the bug, all else is right.\n",
        );
        text.push_str(&recorded(&bug.fail));
    }
    let (equal, different) = match &bug.pass {
        Some(_) => ((0, "does right"), (1, "has the bug: the results differ")),
        None => ((1, "has the bug: the wrong result"), (0, "does not give the wrong result")),
    };
    text.push_str(&format!(
        "\ncp -R src fail || cannot_tell 'the disk is full'\n\
         (cd fail && fail) >fail.log 2>&1 </dev/null ||\n    \
         cannot_tell \"the compiler under test fails on it: $(head -n 1 fail.log)\"\n\
         (cd fail && limit \"$RUN_SECONDS\" $RUNNER {}) >fail.out 2>/dev/null </dev/null\n\
         actual=$?\n\n\
         if [ \"$expected\" -eq \"$actual\" ] && cmp -s pass.out fail.out; then\n    \
         tell {} '{}'\nfi\ntell {} '{}'\n",
        made(&bug.fail),
        equal.0,
        equal.1,
        different.0,
        different.1
    ));
    text
}

fn recorded(run: &Run) -> String {
    let status = run.end.as_deref().and_then(shell_status).unwrap_or(0);
    format!("printf '%s' {} >pass.out\nexpected={status}\n", quote(&run.output))
}

/// Compiles and leaves `$status` and the file `log`.
fn compile() -> String {
    "cp -R src fail || cannot_tell 'the disk is full'\n\
     (cd fail && fail) >log 2>&1 </dev/null\n\
     status=$?\n\
     [ \"$status\" -ne 0 ] || tell 0 'does right: it compiles'\n"
        .to_owned()
}

const IN_TIME: &str = "case $status in\n    \
     124 | 137) cannot_tell 'it does not end in time' ;;\nesac\n";

fn crash(bug: &Bug) -> String {
    let other = if needles(bug).is_empty() {
        "# Its message says nothing of its own: any crash is taken for it."
    } else {
        "# A crash with another message hides whether this one is still there."
    };
    format!(
        "{}{IN_TIME}\n{other}\nif {}; then\n    tell 1 'has the bug: it crashes'\nfi\n\
         cannot_tell \"it fails in another way: $(head -n 1 log)\"\n",
        compile(),
        crash_condition(bug)
    )
}

fn endless() -> String {
    format!(
        "{}case $status in\n    124 | 137) tell 1 \"has the bug: it does not end in \
         $COMPILE_SECONDS seconds\" ;;\nesac\n\
         cannot_tell \"it fails in another way: $(head -n 1 log)\"\n",
        compile()
    )
}

fn memory() -> String {
    format!(
        "# In kilobytes. A compiler with sanitizers in it needs 'unlimited' and a watch by hand.\n\
         ulimit -v \"${{MEMORY:-4194304}}\" || cannot_tell 'memory cannot be limited'\n\n{}\
         if [ \"$status\" -eq 137 ] || grep -qE {} log; then\n    \
         tell 1 'has the bug: it takes all memory'\nfi\n{IN_TIME}\
         cannot_tell \"it fails in another way: $(head -n 1 log)\"\n",
        compile(),
        quote(MEMORY_LINES)
    )
}

fn rejection(pass: Option<&Run>) -> String {
    let valid = match pass {
        Some(_) => {
            "cp -R src pass || cannot_tell 'the disk is full'\n\
             (cd pass && pass) >pass.log 2>&1 </dev/null ||\n    \
             cannot_tell \"the reference refuses it too: $(head -n 1 pass.log)\"\n"
        }
        None => "",
    };
    format!(
        "{valid}{}{IN_TIME}\
         if [ \"$status\" -ge 128 ] || grep -qE {} log; then\n    \
         cannot_tell 'it crashes'\nfi\n\
         tell 1 \"has the bug: it refuses the program: $(grep -m 1 'error' log)\"\n",
        compile(),
        quote(CRASH_LINES)
    )
}

fn alarm(bug: &Bug) -> String {
    format!(
        "cp -R src fail || cannot_tell 'the disk is full'\n\
         (cd fail && fail) >fail.log 2>&1 </dev/null ||\n    \
         cannot_tell \"the compiler under test fails on it: $(head -n 1 fail.log)\"\n\
         (cd fail && limit \"$RUN_SECONDS\" $RUNNER {}) >fail.out 2>alarm </dev/null\n\
         if grep -qE {} alarm; then\n    tell 1 \"has the bug: $(head -n 1 alarm)\"\nfi\n\
         tell 0 'does right: no alarm'\n",
        made(&bug.fail),
        quote(ALARM_LINES)
    )
}
