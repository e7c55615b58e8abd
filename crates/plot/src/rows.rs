//! What box and violin plots share: groups as rows over one axis. Rows, because names are long and
//! text is read from left to right.

use super::axis::Axis;
use super::style::{AXIS, GRID};
use super::svg::{Anchor, FONT, SMALL, Svg, shortened, width};
use super::{Group, is_drawable};

const WIDTH: f64 = 560.0;
const RIGHT: f64 = WIDTH - 24.0;
const ROW: f64 = 58.0;
const TOP: f64 = 12.0;
/// Below the rows: numbers and label.
const BOTTOM: f64 = 58.0;
/// The longest name that is written out.
const COLUMNS: usize = 24;
const LABEL_COLUMNS: usize = 54;

/// Where a group is drawn.
pub(super) struct Row {
    /// Its middle.
    pub y: f64,
    /// How far it may reach above and below.
    pub half: f64,
    pub axis: Axis,
}

/// Draws a plot of rows; `draw` draws the values of one, which are sorted and not empty.
pub(super) fn rows(groups: &[Group], label: &str, draw: impl Fn(&mut Svg, &Row, &[f64])) -> String {
    let samples: Vec<Vec<f64>> = groups.iter().map(|group| sorted(&group.values)).collect();
    let name = |group: &Group| width(&shortened(&group.name, COLUMNS), FONT);
    let left = 24.0 + groups.iter().map(name).fold(50.0, f64::max);
    let bottom = TOP + ROW * groups.len().max(1) as f64;
    let all = samples.iter().flatten().copied();
    let axis = Axis::fitting(all, (left, RIGHT));
    let mut svg = Svg::default();
    draw_axis(&mut svg, &axis, left, bottom, label);
    for (index, (group, sample)) in groups.iter().zip(&samples).enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        svg.text((left - 12.0, y - 2.0), Anchor::End, FONT, COLUMNS, &group.name);
        let n = format!("n = {}", sample.len());
        svg.text((left - 12.0, y + 15.0), Anchor::End, SMALL, COLUMNS, &n);
        if !sample.is_empty() {
            draw(&mut svg, &Row { y, half: 0.38 * ROW, axis }, sample);
        }
    }
    svg.finish(WIDTH, bottom + BOTTOM)
}

fn draw_axis(svg: &mut Svg, axis: &Axis, left: f64, bottom: f64, label: &str) {
    for (value, text) in axis.ticks() {
        let x = axis.place(value);
        svg.line((x, TOP), (x, bottom), GRID);
        svg.line((x, bottom), (x, bottom + 5.0), AXIS);
        svg.text((x, bottom + 22.0), Anchor::Middle, FONT, COLUMNS, &text);
    }
    svg.line((left, bottom), (RIGHT, bottom), AXIS);
    svg.line((left, TOP), (left, bottom), AXIS);
    // Below the middle of the axis, or further left if it is too long for that.
    let half = width(&shortened(label, LABEL_COLUMNS), FONT) / 2.0;
    let middle = f64::midpoint(left, RIGHT).min(WIDTH - half).max(WIDTH / 2.0);
    svg.text((middle, bottom + 46.0), Anchor::Middle, FONT, LABEL_COLUMNS, label);
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| is_drawable(*v)).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}
