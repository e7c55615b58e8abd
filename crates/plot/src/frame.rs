//! What scatter plots and line charts share: two axes, and a legend if there are several series.

use super::axis::Axis;
use super::style::{AXIS, GRID};
use super::svg::{Anchor, FONT, Svg, shortened, width};
use super::{AxisLabels, Series, is_drawable};

const WIDTH: f64 = 560.0;
/// Of the part between the axes.
const HEIGHT: f64 = 330.0;
const RIGHT: f64 = WIDTH - 24.0;
/// The longest name that is written out in the legend.
const COLUMNS: usize = 40;
const LEGEND_ROW: f64 = 24.0;

/// Draws a plot of series. `draw` draws the points of the series of an index, at their places; so it
/// does in the legend, where they are at the offsets of `key`.
pub(super) fn frame(
    series: &[Series],
    labels: &AxisLabels,
    key: &[f64],
    draw: impl Fn(&mut Svg, usize, &[(f64, f64)]),
) -> String {
    let points: Vec<Vec<(f64, f64)>> = series.iter().map(drawable).collect();
    let mut svg = Svg::default();
    let top = 14.0 + draw_legend(&mut svg, series, key, &draw);
    let bottom = top + HEIGHT;
    let all = || points.iter().flatten();
    let y = Axis::new(all().map(|point| point.1), 6, (bottom, top));
    let widest = y.ticks().iter().map(|(_, text)| width(text, FONT)).fold(0.0, f64::max);
    let left = 46.0 + widest;
    let x = Axis::fitting(all().map(|point| point.0), (left, RIGHT));
    for (value, text) in y.ticks() {
        let y = y.place(value);
        svg.line((left, y), (RIGHT, y), GRID);
        svg.line((left - 5.0, y), (left, y), AXIS);
        svg.text((left - 9.0, y + 5.5), Anchor::End, FONT, COLUMNS, &text);
    }
    for (value, text) in x.ticks() {
        let x = x.place(value);
        svg.line((x, bottom), (x, bottom + 5.0), AXIS);
        svg.text((x, bottom + 22.0), Anchor::Middle, FONT, COLUMNS, &text);
    }
    svg.line((left, bottom), (RIGHT, bottom), AXIS);
    svg.line((left, top), (left, bottom), AXIS);
    svg.text((f64::midpoint(left, RIGHT), bottom + 46.0), Anchor::Middle, FONT, 44, &labels.x);
    svg.upward_text((20.0, f64::midpoint(top, bottom)), 36, &labels.y);
    for (index, points) in points.iter().enumerate() {
        let places: Vec<(f64, f64)> =
            points.iter().map(|point| (x.place(point.0), y.place(point.1))).collect();
        draw(&mut svg, index, &places);
    }
    svg.finish(WIDTH, bottom + 58.0)
}

/// Names side by side while they fit, above the plot; the height that it took. A single series needs
/// no legend: the axes say what it is.
fn draw_legend(
    svg: &mut Svg,
    series: &[Series],
    key: &[f64],
    draw: impl Fn(&mut Svg, usize, &[(f64, f64)]),
) -> f64 {
    if series.len() < 2 {
        return 0.0;
    }
    let (mut x, mut y) = (24.0, 18.0);
    for (index, series) in series.iter().enumerate() {
        let name = key.last().unwrap_or(&0.0) + 10.0;
        let needed = name + width(&shortened(&series.name, COLUMNS), FONT) + 28.0;
        if x > 24.0 && x + needed > RIGHT {
            (x, y) = (24.0, y + LEGEND_ROW);
        }
        draw(svg, index, &key.iter().map(|offset| (x + offset, y)).collect::<Vec<_>>());
        svg.text((x + name, y + 5.5), Anchor::Start, FONT, COLUMNS, &series.name);
        x += needed;
    }
    y + 8.0
}

fn drawable(series: &Series) -> Vec<(f64, f64)> {
    series.points.iter().copied().filter(|(x, y)| is_drawable(*x) && is_drawable(*y)).collect()
}
