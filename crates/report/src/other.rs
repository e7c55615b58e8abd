//! Compilers that have no rules for reports of their own.

use crate::bug::Bug;
use crate::facts::{self, or_unknown};
use crate::markdown::{self, fenced, plain};
use crate::title::title;

/// The report in Markdown, which reads well as plain text too: it may go to a mailing list.
#[must_use]
pub fn other_report(bug: &Bug) -> String {
    let compiler = &bug.compiler;
    let kind = crate::kind::kind(&bug.kind);
    let mut parts = vec![
        format!("# {}", plain(&title(bug))),
        format!("{} Program: {}.", kind.means, facts::size(bug)),
        markdown::programs(bug, "c"),
        markdown::transcripts(bug),
    ];
    parts.extend(markdown::behaviours(bug));
    if !bug.message.trim().is_empty() {
        parts.push(format!("The compiler says:\n\n{}", fenced("", &bug.message)));
    }
    parts.push(format!(
        "## Compiler\n\n{}\n\nTarget: {}",
        fenced("", or_unknown(&compiler.says)),
        plain(or_unknown(&compiler.target))
    ));
    parts.push(format!("## Versions\n\n{}", markdown::table(bug)));
    if bug.culprit.is_some() {
        parts.push(format!("## Culprit\n\n{}", markdown::culprit(bug)));
    }
    if bug.kind == "wrong-code" || !bug.checks.is_empty() {
        parts.push(format!("## Undefined behaviour\n\n{}", markdown::checks(bug)));
    }
    parts.push(format!("## Found by\n\n{}", plain(&facts::found(bug.found.as_ref()))));
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_report_for_tcc_tells_who_does_right() {
        let text = other_report(&sample::tcc());
        for part in [
            "# tcc 0.9.27: wrong code at -O0\n",
            "$ tcc -w -O0 main.c -o a.out -lm\n$ ./a.out\n4\n",
            "- Expected (gcc-12 -O0): exit 0, prints 3\n- Actual (tcc -O0): exit 0, prints 4\n",
            "```\ntcc version 0.9.27 (x86_64 Linux)\n```\n\nTarget: x86\\_64-linux\n",
            "| gcc-12 | 12.2.0 | does right |  |\n",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(!text.contains("## Culprit"), "{text}");
    }
}
