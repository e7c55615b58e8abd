//! How the suspicious files of a bug were found: its witnesses, and how the order settled.

use super::{ROWS, code, framed};
use crate::site::Site;
use campaign::{IsolatedBody, Stages};
use plot::{AxisLabels, Series, line_chart, scatter_plot};
use report::html::{definitions, escape, figure, table};
use store::{FindingId, Reader};

/// Files whose places are followed.
const FOLLOWED: usize = 5;

pub(crate) fn isolation(site: &Site, reader: &Reader, id: FindingId) -> Option<String> {
    let isolated = Stages::of(reader, &id).ok()?.isolated?;
    let mut body = format!("<p><a href=\"/bugs/{id}\">The bug</a></p>\n");
    let build = std::path::Path::new(&isolated.build).file_name().unwrap_or_default();
    body.push_str(&definitions(&[
        ("Method", code(&isolated.method)),
        ("Build", code(&build.to_string_lossy())),
        ("Evaluations", isolated.evaluations.to_string()),
        ("Witnesses", isolated.witnesses.to_string()),
    ]));
    if let Some(why) = &isolated.failed {
        body.push_str(&format!("<p class=\"error\">No answer: {}</p>\n", escape(why)));
    }
    body.push_str(&files(&isolated));
    body.push_str(&pictures(&isolated));
    body.push_str(&witnesses(&isolated));
    Some(framed(site, &format!("Isolation of {id}"), "", &body, false))
}

fn files(isolated: &IsolatedBody) -> String {
    if isolated.files.is_empty() {
        return String::new();
    }
    let most = isolated.files.iter().map(|file| file.score).fold(0.0, f64::max);
    let rows: Vec<Vec<String>> = isolated
        .files
        .iter()
        .map(|file| {
            let share = if most > 0.0 { file.score / most } else { 0.0 };
            let functions: Vec<String> =
                file.functions.iter().take(4).map(|function| code(&function.name)).collect();
            vec![
                file.rank.to_string(),
                code(&file.file),
                format!("<meter value=\"{share:.3}\">{:.0} %</meter>", 100.0 * share),
                functions.join(", "),
            ]
        })
        .collect();
    format!("<h2>Files</h2>\n{}", table(&["Rank", "File", "Suspicion", "Functions"], &rows))
}

fn pictures(isolated: &IsolatedBody) -> String {
    let points = isolated.trail.iter().filter_map(|one| Some((one.similarity, one.novelty?)));
    let series = [Series { name: String::new(), points: points.collect() }];
    let labels = AxisLabels {
        x: "similarity to the failing run".to_owned(),
        y: "distance to the nearest before".to_owned(),
    };
    let scatter = match series[0].points.is_empty() {
        true => String::new(),
        false => figure(
            &scatter_plot(&series, &labels),
            "Witnesses: similar to the failing run, and not to each other",
        ),
    };
    let settled = settling(isolated);
    if scatter.is_empty() && settled.is_empty() {
        return String::new();
    }
    format!("<h2>How it went</h2>\n<div class=\"figures\">\n{settled}{scatter}</div>\n")
}

/// The places of the files that ended first, while evaluations were made.
fn settling(isolated: &IsolatedBody) -> String {
    if isolated.history.len() < 2 {
        return String::new();
    }
    let series: Vec<Series> = isolated
        .files
        .iter()
        .take(FOLLOWED)
        .map(|file| {
            let mut points: Vec<(f64, f64)> = Vec::new();
            for (evaluations, first) in &isolated.history {
                let place = first.iter().position(|name| *name == file.file);
                let place = place.map_or(first.len() + 1, |place| place + 1) as f64;
                // A place holds until it changes.
                if let Some((_, before)) = points.last().copied() {
                    points.push((*evaluations as f64, before));
                }
                points.push((*evaluations as f64, place));
            }
            if let Some((_, last)) = points.last().copied() {
                points.push((isolated.evaluations as f64, last));
            }
            Series { name: file.file.rsplit('/').next().unwrap_or_default().to_owned(), points }
        })
        .collect();
    let labels = AxisLabels { x: "evaluations".to_owned(), y: "place among the first".to_owned() };
    figure(
        &line_chart(&series, &labels),
        "How the order settled; the highest place is: not among the first five",
    )
}

fn witnesses(isolated: &IsolatedBody) -> String {
    if isolated.trail.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = isolated
        .trail
        .iter()
        .take(ROWS * 4)
        .map(|one| {
            vec![
                one.evaluation.to_string(),
                code(&one.what),
                format!("{:.4}", one.similarity),
                one.novelty.map(|novelty| format!("{novelty:.4}")).unwrap_or_default(),
            ]
        })
        .collect();
    let left = isolated.trail.len().saturating_sub(rows.len());
    let more = match left {
        0 => String::new(),
        left => {
            format!("<p class=\"quiet\">{left} more are in the campaign (status --export).</p>\n")
        }
    };
    let columns = ["Evaluation", "What differs", "Similarity", "Novelty"];
    format!("<h2>Witnesses</h2>\n{}{more}", table(&columns, &rows))
}
