//! The scatter plot.

use super::frame::frame;
use super::style::draw_marker;
use super::{AxisLabels, Series};

/// A marker for each point, of another shape for each series.
///
/// ```
/// use plot::{AxisLabels, Series, scatter_plot};
/// let series = Series { name: "bugs".into(), points: vec![(1.0, 2.0), (3.0, 4.0)] };
/// let labels = AxisLabels { x: "witnesses".into(), y: "rank".into() };
/// assert_eq!(scatter_plot(&[series], &labels).matches("<circle").count(), 2);
/// ```
#[must_use]
pub fn scatter_plot(series: &[Series], labels: &AxisLabels) -> String {
    frame(series, labels, &[0.0], |svg, index, points| {
        points.iter().for_each(|point| draw_marker(svg, index, *point));
    })
}
