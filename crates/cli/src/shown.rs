//! How results look in a terminal: short, and fit to paste into a chat.

pub use report::duration;

use crate::ink::Ink;
use campaign::{FindingBody, ReducedBody, Snapshot};
use oracle::{Bug, Checked, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use triage::VersionResult;

/// A path that no option takes for a name in PATH.
pub fn as_path(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains('/') { text } else { format!("./{text}") }
}

/// `2 crash, 1 wrong-code`, or `none`.
pub fn counts(counts: &BTreeMap<String, u64>) -> String {
    match counts.is_empty() {
        true => "none".to_owned(),
        false => {
            counts.iter().map(|(what, n)| format!("{n} {what}")).collect::<Vec<_>>().join(", ")
        }
    }
}

/// `1 program`, `2 programs`.
pub fn plural(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `1 witness`, `2 witnesses`.
pub fn plural_es(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "es" })
}

/// `gcc-11 right, gcc-12 FAILS; first bad gcc-12, last good before it gcc-11`.
pub fn versions(table: &[VersionResult]) -> String {
    let each: Vec<String> = table
        .iter()
        .map(|result| {
            let said = match result.fails {
                Some(true) => "FAILS",
                Some(false) => "right",
                None => "unclear",
            };
            format!("{} {said}", result.compiler)
        })
        .collect();
    let mut text = each.join(", ");
    if let Some(first) = table.iter().position(|result| result.fails == Some(true)) {
        let _ = write!(text, "; first bad {}", table[first].compiler);
        if let Some(good) = table[..first].iter().rev().find(|one| one.fails == Some(false)) {
            let _ = write!(text, ", last good before it {}", good.compiler);
        }
    }
    text
}

/// One line of progress.
pub fn progress(snapshot: &Snapshot) -> String {
    let mut line = plural(snapshot.total, "program");
    if let Some(of) = snapshot.of {
        let _ = write!(line, " of {of}");
    }
    // Those of earlier sessions are not counted here.
    let new = if snapshot.total > snapshot.programs { "new " } else { "" };
    let found = counts(&snapshot.findings);
    let _ = write!(line, ", {:.1}/min, {new}findings: {found}", snapshot.rate());
    if snapshot.working > 0 {
        let _ = write!(line, " ({} being looked into)", snapshot.working);
    }
    let skipped: u64 = snapshot.not_comparable.values().sum();
    if skipped > 0 {
        let _ = write!(line, ", not comparable: {skipped}");
    }
    if let Some(left) = snapshot.left {
        let _ = write!(line, ", {} left", duration(left));
    }
    line
}

/// The answer of `check`.
pub fn checked(checked: &Checked) -> String {
    let mut text = String::new();
    match &checked.verdict {
        Verdict::Agree if checked.observations.len() < 2 => {
            text.push_str(
                "agree: nothing fails; without arguments that pass nothing is compared\n",
            );
        }
        Verdict::Agree => text.push_str("agree: the arguments make no difference\n"),
        Verdict::NotComparable(reason) => {
            let _ = writeln!(text, "not comparable: {reason}");
        }
        Verdict::Bugs(bugs) => bugs.iter().for_each(|bug| text.push_str(&self::bug(bug))),
    }
    for seen in &checked.observations {
        let _ = writeln!(text, "  {:<30} {}", seen.label, seen.in_words());
    }
    text
}

/// A bug in a few lines.
pub fn bug(bug: &Bug) -> String {
    let mut text = format!("{} by {}\n", bug.kind, briefly(&bug.culprits).join(", "));
    if !bug.or_culprits.is_empty() {
        let _ = writeln!(text, "  or, as likely, by {}", briefly(&bug.or_culprits).join(", "));
    }
    match (&bug.expected, &bug.actual) {
        (Some(expected), Some(actual)) => {
            let _ = writeln!(text, "  expected: {expected}\n  actual:   {actual}");
        }
        _ => {
            let _ = writeln!(text, "  {}", bug.signature);
        }
    }
    if let Some(screen) = &bug.screen {
        let result = format!("{:?}", screen.result).to_lowercase();
        let _ = writeln!(text, "  undefined behaviour: {result}");
        for check in &screen.checks {
            let result = format!("{:?}", check.result).to_lowercase();
            let _ = writeln!(text, "    {:<42} {result} {}", check.by, check.detail);
        }
    }
    text
}

/// A finding in one line.
pub fn finding(id: &str, body: &FindingBody) -> String {
    let bug = &body.bug;
    let culprits = match bug.culprits.as_slice() {
        [one] => brief_label(one),
        [first, rest @ ..] => format!("{} and {} more", brief_label(first), rest.len()),
        [] => String::new(),
    };
    let kind = Ink::Bad.on(&format!("{:<14}", bug.kind.to_string()));
    format!("{id:>8}  {kind} {culprits}: {}", bug.signature)
}

/// What a reduction has left, behind the line of a finding.
pub fn reduced(reduced: Option<&ReducedBody>) -> String {
    match reduced {
        None => String::new(),
        Some(ReducedBody { failed: Some(why), .. }) => format!("\n          not reduced: {why}"),
        Some(body) => format!(
            "\n          reduced from {} to {} bytes, fails with {}",
            body.bytes_before, body.bytes, body.fail
        ),
    }
}

/// Labels of configurations for a line: a pipeline of two hundred passes says nothing to a reader.
pub fn briefly(labels: &[String]) -> Vec<String> {
    labels.iter().map(|label| brief_label(label)).collect()
}

fn brief_label(label: &str) -> String {
    const ENOUGH: usize = 100;
    let word = |word: &str| {
        let passes = word.split([',', '(', ')']).filter(|name| !name.is_empty()).count();
        match word.char_indices().nth(ENOUGH) {
            Some(_) => {
                let short: String = word.chars().take(ENOUGH / 2).collect();
                format!("{short}… ({passes} passes)")
            }
            None => word.to_owned(),
        }
    };
    label.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
