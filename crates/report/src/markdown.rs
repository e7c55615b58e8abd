//! Pieces of GitHub Markdown that hold any text unharmed.

use crate::bug::Bug;
use crate::facts::{self, INLINE_BYTES};
use crate::versions;

/// A block of code in a fence that is longer than any in the text.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((longest + 1).max(3));
    let text = text.trim_end_matches('\n');
    format!("{fence}{language}\n{text}\n{fence}")
}

/// A piece of code in a line.
pub(crate) fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.contains('`') { format!("`` {line} ``") } else { format!("`{line}`") }
}

/// Text in which no character means anything.
pub(crate) fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '#' | '~' | '@' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

/// Something that is unfolded by a click. Its summary is HTML, not Markdown.
pub(crate) fn details(summary: &str, body: &str) -> String {
    let summary = summary.replace('&', "&amp;").replace('<', "&lt;");
    format!("<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>")
}

/// The program, or that it is attached.
pub(crate) fn programs(bug: &Bug, language: &str) -> String {
    let total: usize = bug.files.iter().map(|file| file.text.len()).sum();
    let mut parts = Vec::new();
    for file in &bug.files {
        if bug.files.len() > 1 || total > INLINE_BYTES {
            parts.push(format!("{}:", code(&file.name)));
        }
        parts.push(if total > INLINE_BYTES {
            format!("(attached, {} bytes)", file.text.len())
        } else {
            fenced(language, &file.text)
        });
    }
    parts.join("\n\n")
}

/// Commands with what they print.
pub(crate) fn transcripts(bug: &Bug) -> String {
    let mut text = String::new();
    for run in [Some(&bug.fail), bug.pass.as_ref()].into_iter().flatten() {
        for line in facts::typed(run) {
            text.push_str(&format!("$ {line}\n"));
        }
        let (output, left) = facts::head(&run.output, INLINE_BYTES);
        text.push_str(output);
        if !output.is_empty() && !output.ends_with('\n') {
            text.push('\n');
        }
        if left > 0 {
            text.push_str(&format!("[{left} more lines]\n"));
        }
        if let Some(end) = run.end.as_deref().filter(|end| *end != "exit 0") {
            text.push_str(&format!("[{end}]\n"));
        }
    }
    if text.is_empty() {
        return "The commands are not recorded.".to_owned();
    }
    fenced("console", &text)
}

/// What was expected and what came instead, for wrong code.
pub(crate) fn behaviours(bug: &Bug) -> Option<String> {
    let pass = bug.pass.as_ref()?;
    bug.fail.end.as_ref()?;
    Some(format!(
        "- Expected ({}): {}\n- Actual ({}): {}",
        plain(&said(&pass.compiler, &pass.args)),
        plain(&facts::behaviour(pass)),
        plain(&said(&bug.fail.compiler, &bug.fail.args)),
        plain(&facts::behaviour(&bug.fail)),
    ))
}

fn said(compiler: &str, args: &[String]) -> String {
    format!("{compiler} {}", args.join(" ")).trim_end().to_owned()
}

/// The table of versions.
pub(crate) fn table(bug: &Bug) -> String {
    if bug.versions.is_empty() {
        return "No other version was tried.".to_owned();
    }
    let mut text = "| compiler | version | result | note |\n|---|---|---|---|".to_owned();
    for version in &bug.versions {
        text.push_str(&format!(
            "\n| {} | {} | {} | {} |",
            plain(&version.compiler),
            plain(&version.version),
            versions::result(version),
            plain(&version.note)
        ));
    }
    text
}

/// The guilty pass, or that it is not known.
pub(crate) fn culprit(bug: &Bug) -> String {
    let facts = facts::culprit(bug);
    if facts.is_empty() {
        return "Not known.".to_owned();
    }
    let row = |(name, text): &(&str, String)| match *name {
        "How it was found out" => format!("- {name}: {}", plain(text)),
        _ => format!("- {name}: {}", code(text)),
    };
    facts.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// The search for undefined behaviour.
pub(crate) fn checks(bug: &Bug) -> String {
    if bug.checks.is_empty() {
        return "No check was made.".to_owned();
    }
    let rows = bug.checks.iter().map(|check| format!("- {}", plain(&facts::check(check))));
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_hold_fences() {
        assert_eq!(fenced("c", "int x;\n"), "```c\nint x;\n```");
        assert_eq!(fenced("", "```\nx\n````\n"), "`````\n```\nx\n````\n`````");
    }

    #[test]
    fn plain_text_means_nothing() {
        assert_eq!(plain("<b> a|b *c*\nd"), "&lt;b> a\\|b \\*c\\* d");
    }
}
