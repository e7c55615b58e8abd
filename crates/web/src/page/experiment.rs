//! Experiments with methods of isolation: tables and pictures.

use super::framed;
use crate::site::{Experiment, Site};
use eval::{MethodRow, pictures, summarise};
use plot::bar_chart;
use report::html::{escape, figure, table};

pub(crate) fn experiments(site: &Site) -> String {
    let rows: Vec<Vec<String>> = (1..)
        .zip(site.experiments())
        .map(|(number, experiment)| {
            let runs = match experiment.runs() {
                Ok((runs, _)) => runs.len().to_string(),
                Err(error) => escape(&error.to_string()),
            };
            vec![
                format!("<a href=\"/experiments/{number}\">{}</a>", escape(&experiment.name)),
                runs,
            ]
        })
        .collect();
    let body = match rows.is_empty() {
        true => "<p>None: whodunit serve --experiment DIR shows what eval isolate --out DIR wrote.</p>\n".to_owned(),
        false => table(&["Experiment", "Runs"], &rows),
    };
    framed(site, "Experiments", "/experiments", &body, false)
}

pub(crate) fn experiment(site: &Site, experiment: &Experiment) -> String {
    let body = match experiment.runs() {
        Err(error) => format!("<p class=\"error\">{}</p>\n", escape(&error.to_string())),
        Ok((runs, _)) if runs.is_empty() => "<p>No run has ended yet.</p>\n".to_owned(),
        Ok((runs, wrong)) => {
            let summary = summarise(&runs);
            let mut body = String::new();
            if wrong > 0 {
                let note = format!("{wrong} lines are not runs, or a run is being written.");
                body.push_str(&format!("<p class=\"quiet\">{note}</p>\n"));
            }
            body.push_str(&tables(&summary.methods));
            body.push_str(&bars(&summary.methods));
            let figures: String =
                pictures(&runs).iter().map(|(name, svg)| figure(svg, caption(name))).collect();
            body.push_str(&format!(
                "<h2>Distributions</h2>\n<div class=\"figures\">\n{figures}</div>\n"
            ));
            body.push_str(&comparisons(&summary.comparisons));
            body
        }
    };
    framed(site, &experiment.name, "", &body, false)
}

fn caption(name: &str) -> &str {
    match name {
        "first-ranks.svg" => "Ranks of the first guilty file",
        "similarity.svg" => "Similarity of witnesses to the failing program",
        "diversity.svg" => "Distance between witnesses",
        "similarity-diversity.svg" => "Similarity against diversity, a point for each run",
        other => other,
    }
}

/// A table for each kind of bugs.
fn tables(rows: &[MethodRow]) -> String {
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    kinds.dedup();
    let columns = [
        "Method",
        "Top-1",
        "Top-5",
        "Top-10",
        "Top-20",
        "MFR",
        "MAR",
        "Median",
        "No answer",
        "Witnesses",
        "A second",
    ];
    let mut text = String::new();
    for kind in kinds {
        let of_kind: Vec<&MethodRow> = rows.iter().filter(|row| row.kind == kind).collect();
        let bugs = of_kind.iter().map(|row| row.bugs).max().unwrap_or_default();
        let number =
            |value: f64| if value.is_finite() { format!("{value:.1}") } else { "–".to_owned() };
        let cells: Vec<Vec<String>> = of_kind
            .iter()
            .map(|row| {
                vec![
                    escape(&row.name),
                    row.top1.to_string(),
                    row.top5.to_string(),
                    row.top10.to_string(),
                    row.top20.to_string(),
                    number(row.mfr),
                    number(row.mar),
                    number(row.median),
                    row.failed.to_string(),
                    number(row.witnesses),
                    number(row.rate),
                ]
            })
            .collect();
        text.push_str(&format!("<h2>{}: {bugs}</h2>\n{}", escape(kind), table(&columns, &cells)));
    }
    text
}

/// How many bugs each method, or each setting of one, has first: what each part is worth.
fn bars(rows: &[MethodRow]) -> String {
    let all: Vec<&MethodRow> = rows.iter().filter(|row| row.kind == "all").collect();
    let bars = |of: fn(&MethodRow) -> usize| -> Vec<(String, f64)> {
        all.iter().map(|row| (row.name.clone(), of(row) as f64)).collect()
    };
    if all.len() < 2 {
        return String::new();
    }
    format!(
        "<h2>Methods side by side</h2>\n<div class=\"figures\">\n{}{}</div>\n",
        figure(&bar_chart(&bars(|row| row.top1), "bugs"), "A guilty file is first"),
        figure(&bar_chart(&bars(|row| row.top5), "bugs"), "A guilty file is among the first five")
    )
}

fn comparisons(rows: &[eval::ComparisonRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let columns = ["One", "Other", "Ahead", "Behind", "Wilcoxon p", "Mann-Whitney p", "A12"];
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                escape(&row.one),
                escape(&row.other),
                row.ahead.to_string(),
                row.behind.to_string(),
                format!("{:.4}", row.wilcoxon_p),
                format!("{:.4}", row.mann_whitney_p),
                format!("{:.2}", row.a12),
            ]
        })
        .collect();
    format!("<h2>First ranks compared</h2>\n{}", table(&columns, &cells))
}
