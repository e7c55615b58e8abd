//! How things look: black and grey, told apart by shape.

use super::svg::Svg;

pub(super) const AXIS: &str = r#"stroke="black" stroke-width="1.2""#;
pub(super) const GRID: &str = r##"stroke="#d0d0d0" stroke-width="0.8""##;
pub(super) const OUTLINE: &str = r#"fill="none" stroke="black" stroke-width="1.5""#;
pub(super) const BOX: &str = r##"fill="#e4e4e4" stroke="black" stroke-width="1.5""##;
pub(super) const STRONG: &str = r#"stroke="black" stroke-width="3.5""#;
pub(super) const SOLID: &str = r#"fill="black" stroke="none""#;
pub(super) const HOLLOW: &str = r#"fill="white" stroke="black" stroke-width="1.5""#;

/// Dashes of lines, the first unbroken. There are five, and six markers, so that thirty series
/// differ in one or the other.
const DASHES: [&str; 5] = ["none", "8 4", "2 3", "9 3 2 3", "14 4"];
const MARKERS: usize = 6;

/// The line of the `index`-th series.
pub(super) fn stroke(index: usize) -> String {
    let dash = DASHES[index % DASHES.len()];
    format!(r#"fill="none" stroke="black" stroke-width="1.8" stroke-dasharray="{dash}""#)
}

/// The marker of the `index`-th series: those that stand side by side most often differ most.
pub(super) fn draw_marker(svg: &mut Svg, index: usize, (x, y): (f64, f64)) {
    const R: f64 = 4.0;
    match index % MARKERS {
        0 => svg.circle((x, y), R, HOLLOW),
        1 => {
            svg.line((x - R, y - R), (x + R, y + R), OUTLINE);
            svg.line((x - R, y + R), (x + R, y - R), OUTLINE);
        }
        2 => svg.polygon(&[(x, y - 1.3 * R), (x + 1.2 * R, y + R), (x - 1.2 * R, y + R)], SOLID),
        3 => svg.rectangle((x - R, y - R), (2.0 * R, 2.0 * R), HOLLOW),
        4 => svg.circle((x, y), R, SOLID),
        _ => {
            let d = 1.4 * R;
            svg.polygon(&[(x, y - d), (x + d, y), (x, y + d), (x - d, y)], HOLLOW);
        }
    }
}
