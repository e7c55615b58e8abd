//! The line chart.

use super::frame::frame;
use super::style::{draw_marker, stroke};
use super::{AxisLabels, Series};

/// So many markers on a line can be told apart; longer lines have one at regular points.
const MARKERS: usize = 12;

/// A line through the points of each series, with other dashes and markers for each.
///
/// ```
/// use plot::{AxisLabels, Series, line_chart};
/// let series = Series { name: "A2C".into(), points: vec![(0.0, 0.0), (1.0, 5.0), (2.0, 7.0)] };
/// let labels = AxisLabels { x: "minutes".into(), y: "witnesses".into() };
/// assert!(line_chart(&[series], &labels).contains("<polyline"));
/// ```
#[must_use]
pub fn line_chart(series: &[Series], labels: &AxisLabels) -> String {
    frame(series, labels, &[0.0, 20.0, 40.0], |svg, index, points| {
        svg.polyline(points, &stroke(index));
        let every = points.len().div_ceil(MARKERS).max(1);
        // Series often share their x: they begin at different points, so that markers do not cover
        // each other.
        let marked = points.iter().skip(every / 2 + index % every).step_by(every);
        marked.for_each(|point| draw_marker(svg, index, *point));
    })
}
