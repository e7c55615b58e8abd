//! A campaign as Markdown and as JSON: to be pasted, and to be read by programs.

use crate::bug::Bug;
use crate::facts;
use crate::html::Summary;
use crate::markdown::{code, fenced, plain, programs};
use crate::title::title;
use crate::versions;
use serde_json::{Value, json};

/// The campaign in Markdown: its numbers, a table of its bugs, and what is most important about each.
#[must_use]
pub fn campaign_markdown(bugs: &[Bug], summary: &Summary) -> String {
    let mut text = format!(
        "# {}\n\n{} programs tested, {} findings, {} different bugs, {} of CPU time.\n\n\
         Programs from {}, seed {}. Compilers: {}.\n",
        plain(&summary.campaign),
        summary.programs,
        summary.findings,
        summary.groups,
        if summary.cpu_time.is_empty() { "no" } else { &summary.cpu_time },
        plain(&summary.source),
        plain(&summary.seed),
        plain(&summary.compilers.join(", ")),
    );
    for note in &summary.notes {
        text.push_str(&format!("\n- {}", plain(note)));
    }
    if !bugs.is_empty() {
        text.push_str("\n| bug | kind | compiler | title | pass | suspect | failing |\n|---|---|---|---|---|---|---|\n");
    }
    for bug in bugs {
        let pass = bug.culprit.as_ref().map(|culprit| culprit.pass.clone()).unwrap_or_default();
        let suspect = bug.suspicion.as_ref().and_then(|suspicion| suspicion.files.first());
        let cells = [
            bug.id.clone(),
            bug.kind.clone(),
            format!("{} {}", bug.compiler.name, bug.compiler.version),
            title(bug),
            pass,
            suspect.map(|suspect| suspect.file.clone()).unwrap_or_default(),
            versions::failing(bug),
        ];
        text.push_str(&format!("| {} |\n", cells.map(|cell| plain(&cell)).join(" | ")));
    }
    for bug in bugs {
        text.push_str(&format!("\n## {}: {}\n\n", plain(&bug.id), plain(&title(bug))));
        text.push_str(&programs(bug, "c"));
        let commands = facts::typed(&bug.fail).join("\n");
        text.push_str(&format!("\n\n{}\n", fenced("sh", &commands)));
        if let Some(suspicion) = &bug.suspicion {
            let files: Vec<String> =
                suspicion.files.iter().take(5).map(|file| code(&file.file)).collect();
            text.push_str(&format!("\nSuspicious files: {}.\n", files.join(", ")));
        }
    }
    text
}

/// The campaign as data: `{"summary": …, "bugs": [ … ]}`.
#[must_use]
pub fn campaign_json(bugs: &[Bug], summary: &Summary) -> Value {
    json!({ "summary": summary, "bugs": bugs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn markdown_and_json_have_every_bug() {
        let summary = Summary { campaign: "c_*".to_owned(), ..Summary::default() };
        let bugs = [sample::wrong_code(), sample::tcc()];
        let text = campaign_markdown(&bugs, &summary);
        for part in ["# c\\_\\*", "## 17-0: ", "gcc-12 -w -std=c11 -O2 main.c", "`gcc/range-op.cc`"]
        {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        let json = campaign_json(&bugs, &summary);
        assert_eq!(json["bugs"][0]["id"], "17-0");
        assert_eq!(json["summary"]["programs"], 0);
    }
}
