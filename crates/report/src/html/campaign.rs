//! The page of a campaign: its numbers, its bugs, and all about each.

use super::{
    Assets, Place, badge, bug_sections, definitions, document, escape, figure, grouped, table,
};
use crate::bug::Bug;
use crate::title::title;
use crate::versions;
use plot::{AxisLabels, Series, bar_chart, line_chart};
use serde::Serialize;
use std::collections::BTreeMap;

/// The numbers of a campaign, ready to be read.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// What the campaign is called.
    pub campaign: String,
    /// How many programs were tested.
    pub programs: u64,
    /// The same by what came out.
    pub outcomes: BTreeMap<String, u64>,
    /// Where they came from.
    pub source: String,
    /// The seed of the campaign.
    pub seed: String,
    /// What they were tested with, one compiler each.
    pub compilers: Vec<String>,
    /// With which arguments, one configuration each.
    pub configurations: Vec<String>,
    /// The CPU time that it took, in words.
    pub cpu_time: String,
    /// How many findings it has.
    pub findings: u64,
    /// The same by kind.
    pub kinds: BTreeMap<String, u64>,
    /// How many different bugs they are.
    pub groups: u64,
    /// After how many CPU minutes of testing there were how many findings, and how many different bugs.
    pub over_time: Vec<(f64, u64, u64)>,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}

/// The page of a campaign, in one file. The folder of each bug, with its scripts, is at `bugs/ID` beside it.
#[must_use]
pub fn campaign_page(bugs: &[Bug], summary: &Summary) -> String {
    let mut body = format!(
        "<header>\n<h1>{}</h1>\n<p class=\"quiet\">Compiler bugs found by whodunit</p>\n</header>\n{}",
        escape(&summary.campaign),
        numbers(summary)
    );
    let mut section = |name: &str, content: &str| {
        if !content.is_empty() {
            body.push_str(&format!("<section>\n<h2>{name}</h2>\n{content}</section>\n"));
        }
    };
    section("Bugs", &bug_table(bugs, &|bug| format!("#bug-{}", bug.id)));
    section("Versions", &version_matrix(bugs, &|bug| format!("#bug-{}", bug.id)));
    section("Findings", &timeline(summary));
    section("What was tested", &tested(summary));
    section("Each bug", &bugs.iter().map(folded).collect::<String>());
    document(&summary.campaign, &body, Assets::Inside)
}

/// The four numbers that matter.
#[must_use]
pub fn numbers(summary: &Summary) -> String {
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

/// The bugs, a row each; `link` says where each is told about.
#[must_use]
pub fn bug_table(bugs: &[Bug], link: &dyn Fn(&Bug) -> String) -> String {
    if bugs.is_empty() {
        return "<p>None.</p>\n".to_owned();
    }
    let columns =
        ["Id", "Kind", "Compiler", "Title", "Pass", "Suspect", "Failing", "Size", "Duplicates"];
    let rows: Vec<Vec<String>> = bugs.iter().map(|bug| row(bug, &link(bug))).collect();
    table(&columns, &rows)
}

fn row(bug: &Bug, link: &str) -> Vec<String> {
    let or_dash = |text: String| if text.is_empty() { "–".to_owned() } else { escape(&text) };
    let pass = bug.culprit.as_ref().map(|culprit| culprit.pass.clone()).unwrap_or_default();
    let suspect = bug.suspicion.as_ref().and_then(|suspicion| suspicion.files.first());
    let bytes: usize = bug.files.iter().map(|file| file.text.len()).sum();
    vec![
        format!("<a href=\"{}\">{}</a>", escape(link), escape(&bug.id)),
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

/// Which compiler fails on which bug.
#[must_use]
pub fn version_matrix(bugs: &[Bug], link: &dyn Fn(&Bug) -> String) -> String {
    let mut compilers: Vec<(String, Vec<u64>)> = Vec::new();
    for version in bugs.iter().flat_map(|bug| &bug.versions) {
        if compilers.iter().all(|(name, _)| *name != version.compiler) {
            compilers.push((version.compiler.clone(), versions::numbers(&version.version)));
        }
    }
    if compilers.is_empty() {
        return String::new();
    }
    let family =
        |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned();
    compilers.sort_by_key(|(name, version)| (family(name), version.clone(), name.clone()));
    let heads: String = compilers
        .iter()
        .map(|(name, _)| format!("<th scope=\"col\">{}</th>", escape(name)))
        .collect();
    let mut rows = String::new();
    for bug in bugs {
        let cells: String = compilers.iter().map(|(name, _)| cell(bug, name)).collect();
        rows.push_str(&format!(
            "<tr><th scope=\"row\"><a href=\"{}\">{}</a></th>{cells}</tr>\n",
            escape(&link(bug)),
            escape(&bug.id)
        ));
    }
    format!(
        "<div class=\"wide\"><table class=\"matrix\">\n<thead><tr><td></td>{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn cell(bug: &Bug, compiler: &str) -> String {
    let found = bug.versions.iter().find(|version| version.compiler == compiler);
    let note = found.map(|version| version.note.as_str()).filter(|note| !note.is_empty());
    let (class, sign, says) = match found.map(|version| version.fails) {
        Some(Some(true)) => ("fails", "✗", "fails"),
        Some(Some(false)) => ("right", "✓", "does right"),
        Some(None) => ("unknown", "?", "can't be told"),
        None => ("", "", ""),
    };
    let note = note.map(|note| format!(": {}", escape(note))).unwrap_or_default();
    format!("<td class=\"{class}\" title=\"{says}{note}\">{sign}</td>")
}

/// Findings over time and by kind.
#[must_use]
pub fn timeline(summary: &Summary) -> String {
    if summary.findings == 0 {
        return String::new();
    }
    let kinds: Vec<(String, f64)> =
        summary.kinds.iter().map(|(kind, count)| (kind.clone(), *count as f64)).collect();
    let series = |name: &str, of: &dyn Fn(&(f64, u64, u64)) -> u64| Series {
        name: name.to_owned(),
        points: stairs(summary.over_time.iter().map(|point| (point.0, of(point) as f64))),
    };
    let labels = AxisLabels { x: "CPU minutes of testing".to_owned(), y: "so far".to_owned() };
    let lines = [series("findings", &|point| point.1), series("different bugs", &|point| point.2)];
    format!(
        "<div class=\"figures\">\n{}{}</div>\n",
        figure(&line_chart(&lines, &labels), "Over time"),
        figure(&bar_chart(&kinds, "findings"), "By kind")
    )
}

/// What was counted stays until there is more.
fn stairs(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut steps = vec![(0.0, 0.0)];
    for (x, y) in points {
        let before = steps.last().map_or(0.0, |last| last.1);
        if y != before {
            steps.extend([(x, before), (x, y)]);
        }
    }
    steps
}

fn tested(summary: &Summary) -> String {
    let outcomes: Vec<String> =
        summary.outcomes.iter().map(|(what, count)| format!("{count} {what}")).collect();
    let rows: Vec<(&str, String)> = [
        ("Programs", outcomes.join(", ")),
        ("Source", summary.source.clone()),
        ("Seed", summary.seed.clone()),
        ("Compilers", summary.compilers.join(", ")),
        ("Configurations", summary.configurations.join(", ")),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| (name, escape(&value)))
    .collect();
    let mut text = definitions(&rows);
    if !summary.notes.is_empty() {
        let notes: String =
            summary.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
        text.push_str(&format!("<ul>\n{notes}</ul>\n"));
    }
    text
}

/// All about a bug, folded.
fn folded(bug: &Bug) -> String {
    let folder = format!("bugs/{}/", bug.id);
    format!(
        "<details class=\"bug\">\n<summary>{} <span class=\"quiet\">{}</span> {}</summary>\n\
         <div id=\"bug-{1}\">\n{}</div>\n</details>\n",
        badge(&bug.kind),
        escape(&bug.id),
        escape(&title(bug)),
        bug_sections(bug, Place { folder: &folder, heading: 3 })
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_page_has_every_bug_and_escapes_it() {
        let mut bug = sample::tcc();
        bug.compiler.name = "<script>".to_owned();
        let summary = Summary {
            campaign: "a & b".to_owned(),
            programs: 1200,
            findings: 3,
            kinds: BTreeMap::from([("<b>".to_owned(), 3)]),
            over_time: vec![(1.5, 1, 1), (4.0, 3, 2)],
            notes: vec!["<i>x</i>".to_owned()],
            ..Summary::default()
        };
        let text = campaign_page(&[sample::wrong_code(), bug], &summary);
        for part in [
            "<h1>a &amp; b</h1>",
            "<b>1\u{202f}200</b><span>programs tested</span>",
            "<a href=\"#bug-17-0\">17-0</a>",
            "<div id=\"bug-17-0\">",
            "<a href=\"bugs/17-0/reproduce.sh\">reproduce.sh</a>",
            "[12 Regression] wrong code at -O2 (vrp2)",
            "gcc/tree-vrp.cc",
            "&lt;script&gt; 0.9.27",
            "<li>&lt;i&gt;x&lt;/i&gt;</li>",
            "<td class=\"fails\" title=\"fails\">✗</td>",
            "<figcaption>Over time</figcaption>",
            "data-copy=\"text-17-0\"",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert_eq!(text.matches("<script").count(), 1, "our own");
    }
}
