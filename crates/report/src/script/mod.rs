//! Scripts for a POSIX shell that show a bug again. They need nothing but the program's files
//! beside them, the compilers, and `timeout` of the GNU coreutils.

mod commands;
mod interesting;
mod reproduce;
#[cfg(test)]
mod run_tests;

pub(crate) use commands::{has_pipeline, is_pipeline, kept_args};
pub use interesting::interesting_script;
pub use reproduce::reproduce_script;

use crate::bug::{Bug, Run};
use crate::needle::needles;
use crate::shell::quote;
use commands::{Variables, function, variables};

/// A line of a message that only a compiler's crash has, as an extended regular expression.
const CRASH_LINES: &str = "internal compiler error|PLEASE submit a bug report|Stack dump:|\
     LLVM ERROR|Assertion .* failed|UNREACHABLE executed|Segmentation fault|core dumped";

/// A line that only a sanitizer prints.
const ALARM_LINES: &str = "runtime error:|ERROR: AddressSanitizer|WARNING: MemorySanitizer|\
     Sanitizer:DEADLYSIGNAL";

/// A line of a compiler that ran out of memory.
const MEMORY_LINES: &str =
    "out of memory|memory exhausted|[Cc]annot allocate memory|bad_alloc|memory full";

/// The run that does right, if it can be repeated.
fn repeatable(bug: &Bug) -> Option<&Run> {
    bug.pass.as_ref().filter(|pass| !pass.commands.is_empty())
}

/// Limits, locale, and the functions that every script uses.
fn limits(compile_seconds: u32) -> String {
    format!(
        "COMPILE_SECONDS=${{COMPILE_SECONDS:-{compile_seconds}}}\n\
         RUN_SECONDS=${{RUN_SECONDS:-10}}\n\
         # What runs a program of another machine, such as 'qemu-aarch64 -L /usr/aarch64-linux-gnu'.\n\
         RUNNER=${{RUNNER:-}}\n\
         LC_ALL=C\nexport LC_ALL\nulimit -c 0\n\n\
         # Ends with 124 or 137 when the time is up.\n\
         limit() {{\n    seconds=$1\n    shift\n    timeout -k 5 \"$seconds\" \"$@\"\n}}\n"
    )
}

/// The compilers, each to be named by a variable. `missing` is the function that is called with a
/// sentence when one is not there.
fn compilers(variables: &Variables, missing: &str) -> String {
    let mut text = String::new();
    for (name, default) in variables.list() {
        text.push_str(&format!("{name}=${{{name}:-{}}}\n", quote(default)));
        // A relative path is meant from the folder that the script is started in.
        text.push_str(&format!(
            "case ${{{name}%% *}} in /*) ;; */*) {name}=$PWD/${name} ;; esac\n"
        ));
        text.push_str(&format!(
            "command -v \"${{{name}%% *}}\" >/dev/null || {missing} \"there is no ${{{name}%% *}}\"\n"
        ));
    }
    text.push_str(&format!("command -v timeout >/dev/null || {missing} 'there is no timeout'\n"));
    text
}

/// A private folder, left behind by nobody.
fn work_folder(failed: &str) -> String {
    format!(
        "work=$(mktemp -d) || {failed} 'cannot make a temporary folder'\n\
         trap 'rm -rf \"$work\"' EXIT\n\
         trap '{failed} interrupted' HUP INT TERM\n\
         cd \"$work\" && mkdir src || {failed} 'cannot use the temporary folder'\n"
    )
}

/// The names of the program's files as words.
fn names(bug: &Bug) -> String {
    bug.files.iter().map(|file| quote(&file.name)).collect::<Vec<_>>().join(" ")
}

/// The functions that compile: `fail`, and `pass` where there is one.
fn functions(bug: &Bug, pass: Option<&Run>) -> String {
    let variables = variables(bug, pass);
    let mut text = function("fail", bug, &bug.fail, &variables);
    if let Some(pass) = pass {
        text.push('\n');
        text.push_str(&function("pass", bug, pass, &variables));
    }
    text
}

/// The condition that file `log` tells of this crash, given `$status`.
fn crash_condition(bug: &Bug) -> String {
    let needles = needles(bug);
    if needles.is_empty() {
        return format!("[ \"$status\" -ge 128 ] || grep -qE {} log", quote(CRASH_LINES));
    }
    let greps: Vec<String> =
        needles.iter().map(|needle| format!("grep -qF -e {} log", quote(needle))).collect();
    greps.join(" && ")
}

/// `exit 3` → 3, `signal 11` → 139, `does not end` → 124: the status that a shell sees.
fn shell_status(end: &str) -> Option<i32> {
    let number = |text: &str| text.trim().parse::<i32>().ok();
    match end.split_once(' ') {
        Some(("exit", code)) => number(code),
        Some(("signal", signal)) => Some(128 + number(signal)?),
        _ if end == "does not end" => Some(124),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_as_a_shell_sees_them() {
        let check = |end, expect| assert_eq!(shell_status(end), expect, "{end}");
        check("exit 3", Some(3));
        check("signal 11", Some(139));
        check("does not end", Some(124));
        check("exceeds its memory", None);
    }
}
