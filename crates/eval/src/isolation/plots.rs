//! Pictures of an experiment.

use super::run::IsolationRun;
use plot::{AxisLabels, Group, Series, box_plot, scatter_plot, violin_plot};

/// A picture: its name, and the SVG.
#[must_use]
pub fn pictures(runs: &[IsolationRun]) -> Vec<(&'static str, String)> {
    let groups = |value: &dyn Fn(&IsolationRun) -> Option<f64>| {
        let mut groups: Vec<Group> = Vec::new();
        for run in runs {
            let Some(value) = value(run) else { continue };
            match groups.iter_mut().find(|group| group.name == run.method) {
                Some(group) => group.values.push(value),
                None => groups.push(Group { name: run.method.clone(), values: vec![value] }),
            }
        }
        groups
    };
    let mut series: Vec<Series> = Vec::new();
    for run in runs {
        let (Some(x), Some(y)) = (run.similarity, run.diversity_pairs) else { continue };
        match series.iter_mut().find(|one| one.name == run.method) {
            Some(one) => one.points.push((x, y)),
            None => series.push(Series { name: run.method.clone(), points: vec![(x, y)] }),
        }
    }
    let labels = AxisLabels {
        x: "similarity to the failing program".to_owned(),
        y: "mean distance between two witnesses".to_owned(),
    };
    vec![
        (
            "first-ranks.svg",
            box_plot(&groups(&IsolationRun::first_rank), "rank of the first guilty file"),
        ),
        (
            "similarity.svg",
            violin_plot(&groups(&|run| run.similarity), "similarity to the failing program"),
        ),
        (
            "diversity.svg",
            violin_plot(&groups(&|run| run.diversity_pairs), "mean distance between two witnesses"),
        ),
        ("similarity-diversity.svg", scatter_plot(&series, &labels)),
    ]
}
