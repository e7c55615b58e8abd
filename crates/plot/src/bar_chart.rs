//! The bar chart: a number for each name.

use super::axis::Axis;
use super::is_drawable;
use super::style::{AXIS, BOX, GRID};
use super::svg::{Anchor, FONT, Svg, shortened, width};

const WIDTH: f64 = 560.0;
const ROW: f64 = 30.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 58.0;
/// The longest name that is written out.
const COLUMNS: usize = 28;

/// A bar for each name, from 0, with its number behind it; `label` stands below the axis.
///
/// ```
/// let svg = plot::bar_chart(&[("combined".into(), 14.0), ("diwi".into(), 1.0)], "first");
/// assert!(svg.contains("combined") && svg.contains(">14<"));
/// ```
#[must_use]
pub fn bar_chart(bars: &[(String, f64)], label: &str) -> String {
    let bars: Vec<&(String, f64)> = bars.iter().filter(|(_, value)| is_drawable(*value)).collect();
    let name = |bar: &&(String, f64)| width(&shortened(&bar.0, COLUMNS), FONT);
    let left = 24.0 + bars.iter().map(name).fold(50.0, f64::max);
    let right = WIDTH - 64.0;
    let bottom = TOP + ROW * bars.len().max(1) as f64;
    let values = bars.iter().map(|bar| bar.1).chain([0.0]);
    let axis = Axis::fitting(values, (left, right));
    let mut svg = Svg::default();
    for (value, text) in axis.ticks() {
        let x = axis.place(value);
        svg.line((x, TOP), (x, bottom), GRID);
        svg.text((x, bottom + 22.0), Anchor::Middle, FONT, COLUMNS, &text);
    }
    for (index, (name, value)) in bars.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        let (from, to) = (axis.place(value.min(0.0)), axis.place(value.max(0.0)));
        svg.rectangle((from, y - 0.36 * ROW), (to - from, 0.72 * ROW), BOX);
        svg.text((left - 12.0, y + 5.5), Anchor::End, FONT, COLUMNS, name);
        svg.text((to + 6.0, y + 5.5), Anchor::Start, FONT, 8, &written(*value));
    }
    let zero = axis.place(0.0);
    svg.line((zero, TOP), (zero, bottom), AXIS);
    svg.text((f64::midpoint(left, right), bottom + 46.0), Anchor::Middle, FONT, 44, label);
    svg.finish(WIDTH, bottom + BOTTOM)
}

/// Whole numbers as they are, others with two digits.
fn written(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e7 {
        format!("{value:.0}")
    } else if value.abs() < 1e7 {
        format!("{value:.2}")
    } else {
        format!("{value:.1e}")
    }
}
