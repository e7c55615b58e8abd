//! The page of a campaign: its numbers and its bugs.

use super::{badge, document, escape, table};
use crate::bug::Bug;
use crate::title::title;
use crate::versions;

/// The numbers of a campaign, ready to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// What the campaign is called.
    pub campaign: String,
    /// How many programs were tested.
    pub programs: u64,
    /// Where they came from.
    pub source: String,
    /// The seed of the campaign.
    pub seed: String,
    /// What they were tested with, one compiler each.
    pub compilers: Vec<String>,
    /// The CPU time that it took, in words.
    pub cpu_time: String,
    /// How many findings it has.
    pub findings: u64,
    /// How many different bugs they are.
    pub groups: u64,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}

/// The page of a campaign, with links to the pages of the bugs at `bugs/ID/index.html`.
#[must_use]
pub fn index(bugs: &[Bug], summary: &Summary) -> String {
    let mut body = format!(
        "<header>\n<h1>{}</h1>\n<p class=\"quiet\">Compiler bugs found by whodunit</p>\n</header>\n",
        escape(&summary.campaign)
    );
    body.push_str(&numbers(summary));
    body.push_str("<h2>Bugs</h2>\n");
    if bugs.is_empty() {
        body.push_str("<p>None.</p>\n");
    } else {
        let columns =
            ["Id", "Kind", "Compiler", "Title", "Pass", "Suspect", "Failing", "Size", "Duplicates"];
        let rows: Vec<Vec<String>> = bugs.iter().map(row).collect();
        body.push_str(&table(&columns, &rows));
    }
    body.push_str(&campaign(summary));
    document(&summary.campaign, &body)
}

fn numbers(summary: &Summary) -> String {
    let cards = [
        ("programs tested", grouped(summary.programs)),
        ("findings", grouped(summary.findings)),
        ("different bugs", grouped(summary.groups)),
        ("CPU time", summary.cpu_time.clone()),
    ];
    let cards = cards.map(|(name, value)| {
        let value = if value.is_empty() { "–".to_owned() } else { escape(&value) };
        format!("<div><b>{value}</b><span>{name}</span></div>\n")
    });
    format!("<div class=\"numbers\">\n{}</div>\n", cards.concat())
}

/// A number with a narrow space before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

fn row(bug: &Bug) -> Vec<String> {
    let or_dash = |text: String| if text.is_empty() { "–".to_owned() } else { escape(&text) };
    let pass = bug.culprit.as_ref().map(|culprit| culprit.pass.clone()).unwrap_or_default();
    let suspect = bug.suspicion.as_ref().and_then(|suspicion| suspicion.files.first());
    let bytes: usize = bug.files.iter().map(|file| file.text.len()).sum();
    vec![
        format!("<a href=\"bugs/{0}/index.html\">{0}</a>", escape(&bug.id)),
        badge(&bug.kind),
        escape(&format!("{} {}", bug.compiler.name, bug.compiler.version)),
        escape(&title(bug)),
        or_dash(pass),
        or_dash(suspect.map(|suspect| suspect.file.clone()).unwrap_or_default()),
        or_dash(versions::failing(bug)),
        format!("{bytes} B"),
        bug.duplicates.len().to_string(),
    ]
}

fn campaign(summary: &Summary) -> String {
    let fact = |name: &str, value: &str| {
        if value.is_empty() {
            String::new()
        } else {
            format!("<dt>{name}</dt><dd>{}</dd>\n", escape(value))
        }
    };
    let mut text = format!(
        "<h2>Campaign</h2>\n<dl class=\"facts\">\n{}{}{}</dl>\n",
        fact("Source", &summary.source),
        fact("Seed", &summary.seed),
        fact("Compilers", &summary.compilers.join(", ")),
    );
    if !summary.notes.is_empty() {
        let notes: String =
            summary.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
        text.push_str(&format!("<ul>\n{notes}</ul>\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_index_lists_every_bug_and_escapes_it() {
        let mut bug = sample::tcc();
        bug.compiler.name = "<script>".to_owned();
        let summary = Summary {
            campaign: "a & b".to_owned(),
            programs: 1200,
            notes: vec!["<i>x</i>".to_owned()],
            ..Summary::default()
        };
        let text = index(&[sample::wrong_code(), bug], &summary);
        for part in [
            "<h1>a &amp; b</h1>",
            "<b>1\u{202f}200</b><span>programs tested</span>",
            "<a href=\"bugs/17-0/index.html\">17-0</a>",
            "[12 Regression] wrong code at -O2 (vrp2)",
            "gcc/tree-vrp.cc",
            "&lt;script&gt; 0.9.27",
            "<li>&lt;i&gt;x&lt;/i&gt;</li>",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(!text.contains("<script"), "{text}");
    }
}
