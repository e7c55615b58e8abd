//! GCC's Bugzilla: plain text to be pasted, with the fields of its form.

use crate::bug::{Bug, File, Language, Run};
use crate::facts::{self, INLINE_BYTES, or_unknown};
use crate::needle::{during, ice};
use crate::title::title;
use crate::versions;

/// Names of passes on RTL that no pass on trees has.
const RTL_PASSES: [&str; 24] = [
    "asmcons",
    "bbro",
    "ce1",
    "ce2",
    "ce3",
    "combine",
    "cprop_hardreg",
    "cse1",
    "cse2",
    "cse_local",
    "expand",
    "fwprop1",
    "fwprop2",
    "gcse2",
    "ira",
    "loop2_invariant",
    "loop2_unroll",
    "peephole2",
    "postreload",
    "ree",
    "reload",
    "sched1",
    "sched2",
    "split1",
];

/// The report for GCC's Bugzilla: the fields of the form, then the description. It has what GCC
/// asks for: exact version, system, how it was configured, full commands, all messages, the
/// program, and that a fuzzer found it.
#[must_use]
pub fn gcc_bugzilla(bug: &Bug) -> String {
    let compiler = &bug.compiler;
    let mut sections =
        vec![fields(bug), opening(bug), programs(bug), transcript(&bug.fail, &bug.message)];
    if let Some(pass) = &bug.pass {
        sections.push(format!("What does right:\n\n{}", transcript(pass, "")));
    }
    if let (Some(_), Some(pass)) = (&bug.fail.end, &bug.pass) {
        sections.push(format!(
            "Expected: {}\nActual:   {}",
            facts::behaviour(pass),
            facts::behaviour(&bug.fail)
        ));
    }
    sections.push(table(bug));
    sections.push(culprit(bug));
    sections.push(checks(bug));
    sections.push(facts::found(bug.found.as_ref()));
    if !bug.duplicates.is_empty() {
        let count = bug.duplicates.len();
        sections
            .push(format!("Other findings that look like the same bug, not reported: {count}."));
    }
    sections.push(format!("$ {} -v\n{}", compiler.name, or_unknown(&compiler.says)));
    sections.push(attached(bug));
    sections.retain(|section| !section.is_empty());
    let mut text = sections.join("\n\n");
    text.push('\n');
    text
}

fn fields(bug: &Bug) -> String {
    let rows = [
        ("Summary", title(bug)),
        ("Product", "gcc".to_owned()),
        ("Component", component(bug).unwrap_or("unknown: nothing points to a pass").to_owned()),
        ("Version", or_unknown(&bug.compiler.version).to_owned()),
        ("Keywords", keyword(bug).unwrap_or("none").to_owned()),
        ("Target", or_unknown(&bug.compiler.target).to_owned()),
    ];
    rows.map(|(name, value)| format!("{:<11}{value}", format!("{name}:"))).join("\n")
}

/// The component of the form, guessed.
pub(crate) fn component(bug: &Bug) -> Option<&'static str> {
    let front = if bug.language == Language::Cxx { "c++" } else { "c" };
    match bug.kind.as_str() {
        "rejects-valid" => return Some(front),
        "sanitizer-alarm" => return Some("sanitizer"),
        _ => {}
    }
    by_pass(bug).or_else(|| by_file(bug, front))
}

fn by_pass(bug: &Bug) -> Option<&'static str> {
    let stage = during(&bug.message).unwrap_or_default();
    let form = bug.culprit.as_ref().and_then(|culprit| culprit.pair.as_ref());
    let form = form.map_or("", |pair| pair.form.as_str());
    let pass = bug.culprit.as_ref().map_or("", |culprit| culprit.pass.as_str());
    if stage.contains("IPA pass") || pass.starts_with("ipa") {
        Some("ipa")
    } else if stage.contains("RTL pass")
        || form == "rtl"
        || pass.starts_with("rtl")
        || RTL_PASSES.contains(&pass)
    {
        Some("rtl-optimization")
    } else if stage.contains("GIMPLE pass") || form == "gimple" || !pass.is_empty() {
        Some("tree-optimization")
    } else {
        None
    }
}

/// By the source file that the internal error names.
fn by_file(bug: &Bug, front: &'static str) -> Option<&'static str> {
    let file = ice(&bug.message)?.split_once(", at ")?.1;
    let starts = |words: &[&str]| words.iter().any(|word| file.starts_with(word));
    if file.contains("config/") {
        Some("target")
    } else if starts(&["cp/", "c/", "c-family/", "c-"]) {
        Some(front)
    } else if starts(&["ipa-", "cgraph"]) {
        Some("ipa")
    } else if starts(&["tree-", "gimple", "match.pd"]) {
        Some("tree-optimization")
    } else {
        None
    }
}

fn keyword(bug: &Bug) -> Option<&'static str> {
    match bug.kind.as_str() {
        "wrong-code" => Some("wrong-code"),
        "crash" | "codegen" | "invalid-ir" => Some("ice-on-valid-code"),
        "hang" => Some("compile-time-hog"),
        "memory" => Some("memory-hog"),
        "rejects-valid" => Some("rejects-valid"),
        _ => None,
    }
}

fn opening(bug: &Bug) -> String {
    let kind = crate::kind::kind(&bug.kind);
    format!("{} Program: {}.", kind.means, facts::size(bug))
}

fn programs(bug: &Bug) -> String {
    let total: usize = bug.files.iter().map(|file| file.text.len()).sum();
    let show = |file: &File| {
        if total <= INLINE_BYTES {
            format!("$ cat {}\n{}", crate::shell::quote(&file.name), file.text.trim_end())
        } else {
            format!("attached: {}", file.name)
        }
    };
    bug.files.iter().map(show).collect::<Vec<_>>().join("\n\n")
}

/// What a person sees who types the commands.
fn transcript(run: &Run, message: &str) -> String {
    let commands = facts::typed(run);
    if commands.is_empty() {
        return "The commands are not recorded.".to_owned();
    }
    let mut text = commands.iter().map(|line| format!("$ {line}")).collect::<Vec<_>>().join("\n");
    for said in [message, &run.output] {
        let (head, left) = facts::head(said.trim_end(), INLINE_BYTES);
        if !head.is_empty() {
            text.push_str(&format!("\n{}", head.trim_end()));
        }
        if left > 0 {
            text.push_str(&format!("\n[{left} more lines]"));
        }
    }
    if let Some(end) = run.end.as_deref().filter(|end| *end != "exit 0") {
        text.push_str(&format!("\n[{end}]"));
    }
    text
}

fn table(bug: &Bug) -> String {
    if bug.versions.is_empty() {
        return "Other versions: none tried.".to_owned();
    }
    let width = |f: fn(&crate::bug::Version) -> &str| {
        bug.versions.iter().map(|version| f(version).chars().count()).max().unwrap_or_default()
    };
    let (names, numbers) = (width(|version| &version.compiler), width(|version| &version.version));
    let mut text = "Versions tried:".to_owned();
    for version in &bug.versions {
        let row = format!(
            "  {:names$}  {:numbers$}  {:<13}  {}",
            version.compiler,
            version.version,
            versions::result(version),
            version.note
        );
        text.push_str(&format!("\n{}", row.trim_end()));
    }
    if let Some((good, bad)) = versions::introduced(bug) {
        let (good, bad) = (versions::label(good), versions::label(bad));
        text.push_str(&format!("\nIt came between {good} and {bad}."));
    }
    if let Some(fixed) = versions::fixed_in(bug) {
        text.push_str(&format!("\n{} and later do right.", versions::label(fixed)));
    }
    text
}

fn culprit(bug: &Bug) -> String {
    let facts = facts::culprit(bug);
    if facts.is_empty() {
        return "The guilty pass is not known.".to_owned();
    }
    let rows: Vec<String> = facts.iter().map(|(name, text)| format!("  {name}: {text}")).collect();
    format!("The guilty pass:\n{}", rows.join("\n"))
}

fn checks(bug: &Bug) -> String {
    if bug.kind != "wrong-code" && bug.checks.is_empty() {
        return String::new();
    }
    let mut text = "Checked for undefined behaviour:".to_owned();
    if bug.checks.is_empty() {
        text.push_str(" no check was made.");
    }
    for check in &bug.checks {
        text.push_str(&format!("\n  {}", facts::check(check)));
    }
    // Asked for before wrong code is reported: a program that they mend may be at fault itself.
    for option in ["-fno-strict-aliasing", "-fwrapv"] {
        if !bug.checks.iter().any(|check| check.by.contains(option)) {
            text.push_str(&format!("\n  {option}: not tried"));
        }
    }
    text
}

fn attached(bug: &Bug) -> String {
    let rows: Vec<String> = bug
        .preprocessed
        .iter()
        .map(|file| format!("attached: preprocessed/{}", file.name))
        .collect();
    rows.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_wrong_code_report_has_all_that_gcc_asks_for() {
        let text = gcc_bugzilla(&sample::wrong_code());
        for part in [
            "Summary:   [12 Regression] wrong code at -O2 (vrp2)\n",
            "Component: tree-optimization\n",
            "Keywords:  wrong-code\n",
            "Target:    x86_64-linux-gnu\n",
            "$ cat main.c\n#include <stdio.h>\n",
            "$ gcc-12 -w -std=c11 -O2 main.c -o a.out -lm\n$ ./a.out\n4\n",
            "$ gcc-12 -w -std=c11 -O0 main.c -o a.out -lm\n$ ./a.out\n3\n",
            "Expected: exit 0, prints 3\nActual:   exit 0, prints 4\n",
            "  gcc-11    11.4.0  does right\n  gcc-12    12.2.0  fails\n",
            "  clang-16  16.0.6  can't be told  another crash\n",
            "It came between gcc-11 11.4.0 and gcc-12 12.2.0.\n",
            "  Pass: vrp2\n",
            "  First bad transformation: vrp:3\n",
            "  gcc-12 -fsanitize=address,undefined: clean\n",
            "  gcc-12 -Wall -Wextra: caution (main.c:4:5",
            "  -fwrapv: not tried\n",
            "Found by a fuzzer: whodunit 0.1.0, source cgen, campaign seed 0x2a, program 17",
            "$ gcc-12 -v\nUsing built-in specs.\n",
            "attached: preprocessed/main.i\n",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
    }

    #[test]
    fn what_is_not_known_is_said() {
        let text = gcc_bugzilla(&sample::gcc_crash());
        for part in [
            "Component: tree-optimization\n",
            "Keywords:  ice-on-valid-code\n",
            "$ gcc-12 -w -O3 -S main.cc\nduring GIMPLE pass: slp\n",
            "Other versions: none tried.",
            "The guilty pass is not known.",
            "The program was given by a person",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(!text.contains("undefined behaviour"), "{text}");
        assert!(!text.contains("Regression"), "{text}");
    }

    #[test]
    fn components_follow_pass_file_and_kind() {
        let check = |kind: &str, message: &str, expect: Option<&str>| {
            let (kind, message) = (kind.to_owned(), message.to_owned());
            let bug = Bug { kind, message, ..sample::gcc_crash() };
            assert_eq!(component(&bug), expect, "{bug:?}");
        };
        let ice = |file: &str| format!("a.c:1:1: internal compiler error: in f, at {file}:3\n");
        check("crash", "during RTL pass: combine\n", Some("rtl-optimization"));
        check("crash", "during IPA pass: cp\n", Some("ipa"));
        check("crash", &ice("config/i386/i386.cc"), Some("target"));
        check("crash", &ice("cp/parser.cc"), Some("c++"));
        check("crash", &ice("tree-ssa.cc"), Some("tree-optimization"));
        check("crash", &ice("emit-rtl.cc"), None);
        check("rejects-valid", "", Some("c++"));
        check("hang", "", None);
    }

    #[test]
    fn large_programs_are_attached() {
        let mut bug = sample::wrong_code();
        bug.files[0].text = "int x;\n".repeat(1000);
        let text = gcc_bugzilla(&bug);
        assert!(text.contains("attached: main.c\n") && !text.contains("int x;"), "{text}");
    }
}
