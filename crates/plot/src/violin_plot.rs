//! The violin plot: Hintze and Nelson, "Violin plots: a box plot-density trace synergism", 1998.

use super::Group;
use super::density::{density, silverman_bandwidth};
use super::rows::{Row, rows};
use super::style::{BOX, HOLLOW, STRONG};
use super::svg::Svg;
use crate::summary::summary;

/// Points along the outline.
const POINTS: u32 = 120;

/// The density of each group, mirrored, from its least value to its most: no violin shows values that
/// there are not. Each is as thick as it can be where it is densest. In it a bar from quartile to
/// quartile, and a circle at the median. `label` stands below the axis of values.
///
/// ```
/// use plot::{Group, violin_plot};
/// let group = Group { name: "DiWi".into(), values: vec![1.0, 2.0, 2.0, 3.0, 8.0] };
/// assert!(violin_plot(&[group], "rank of the guilty file").contains("<polygon"));
/// ```
#[must_use]
pub fn violin_plot(groups: &[Group], label: &str) -> String {
    rows(groups, label, draw)
}

fn draw(svg: &mut Svg, row: &Row, sorted: &[f64]) {
    let summary = summary(sorted).expect("a row that is drawn has values");
    let place = |value: f64| row.axis.place(value);
    let bandwidth = silverman_bandwidth(sorted);
    let x_at = |point| {
        summary.least + (summary.most - summary.least) * f64::from(point) / f64::from(POINTS)
    };
    let outline: Vec<(f64, f64)> =
        (0..=POINTS).map(x_at).map(|x| (x, density(sorted, bandwidth, x))).collect();
    let densest = outline.iter().map(|(_, density)| *density).fold(0.0, f64::max);
    if bandwidth > 0.0 && densest.is_finite() {
        let edge = |side: f64| {
            let thickness = move |density: f64| row.y + side * row.half * density / densest;
            outline.iter().map(move |(x, density)| (row.axis.place(*x), thickness(*density)))
        };
        svg.polygon(&edge(-1.0).chain(edge(1.0).rev()).collect::<Vec<_>>(), BOX);
    } else {
        // All values are one: a violin without length.
        let x = place(summary.median);
        svg.line((x, row.y - row.half), (x, row.y + row.half), STRONG);
    }
    let (low, high) = (place(summary.lower_quartile), place(summary.upper_quartile));
    svg.line((low, row.y), (high, row.y), r#"stroke="black" stroke-width="6""#);
    svg.circle((place(summary.median), row.y), 4.5, HOLLOW);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_all_one_have_no_outline() {
        let group = Group { name: "a".into(), values: vec![3.0; 7] };
        let svg = violin_plot(&[group], "x");
        assert!(!svg.contains("<polygon") && svg.contains("n = 7"));
    }
}
