//! The box plot: Tukey, "Exploratory data analysis", 1977.

use super::Group;
use super::rows::{Row, rows};
use super::style::{AXIS, BOX, HOLLOW, STRONG};
use super::svg::Svg;
use crate::summary::summary;

/// A box from the lower to the upper quartile with a line at the median; whiskers to the last values
/// within one and a half boxes from it; what is further is a circle each. `label` stands below the
/// axis of values.
///
/// ```
/// use plot::{Group, box_plot};
/// let group = Group { name: "gcc & <friends>".into(), values: vec![1.0, 2.0, 3.0, 50.0] };
/// let svg = box_plot(&[group], "rank of the guilty file");
/// assert!(svg.contains("gcc &amp; &lt;friends&gt;"));
/// assert!(svg.contains("<circle"), "50 is far away");
/// ```
#[must_use]
pub fn box_plot(groups: &[Group], label: &str) -> String {
    rows(groups, label, draw)
}

fn draw(svg: &mut Svg, row: &Row, sorted: &[f64]) {
    let summary = summary(sorted).expect("a row that is drawn has values");
    let (low, high) = (summary.lower_quartile, summary.upper_quartile);
    let reach = 1.5 * (high - low);
    let within = |value: &&f64| (low - reach..=high + reach).contains(*value);
    let place = |value: f64| row.axis.place(value);
    let (top, end) = (row.y - row.half, 0.5 * row.half);
    // The quartiles are within reach of themselves, but need not be values.
    let first = sorted.iter().find(within).map_or(low, |value| value.min(low));
    let last = sorted.iter().rev().find(within).map_or(high, |value| value.max(high));
    for (quartile, whisker) in [(low, first), (high, last)] {
        svg.line((place(quartile), row.y), (place(whisker), row.y), AXIS);
        svg.line((place(whisker), row.y - end), (place(whisker), row.y + end), AXIS);
    }
    svg.rectangle((place(low), top), (place(high) - place(low), 2.0 * row.half), BOX);
    let median = place(summary.median);
    svg.line((median, top), (median, row.y + row.half), STRONG);
    for outlier in sorted.iter().filter(|value| !within(value)) {
        svg.circle((place(*outlier), row.y), 3.5, HOLLOW);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_away_is_a_circle() {
        let circles = |values: &[f64]| {
            let group = Group { name: "a".into(), values: values.to_vec() };
            box_plot(&[group], "x").matches("<circle").count()
        };
        // Quartiles 2 and 4: whiskers reach from -1 to 7.
        assert_eq!(circles(&[1.0, 2.0, 3.0, 4.0, 7.0]), 0);
        assert_eq!(circles(&[1.0, 2.0, 3.0, 4.0, 7.1]), 1);
        assert_eq!(circles(&[5.0; 9]), 0);
    }
}
