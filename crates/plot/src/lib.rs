//! Plots as SVG: numbers in, text out.
//!
//! Made for print: black on white, told apart by shape and not by colour, letters that are still
//! readable at half the size. Names may be anything: they are escaped, and shortened where they are
//! too long (the whole name is the title of the shortened one). Numbers that are not finite have no
//! place on an axis and are left out; the n beside a group counts what is drawn.
//!
//! Own code instead of `kuva`, which was tried: it sets long names across each other, takes `$` in
//! them for formulas, draws no outliers, lets a violin of ranks reach below 0, and compiles for 19 s.

mod axis;
mod bar_chart;
mod box_plot;
mod density;
mod frame;
mod line_chart;
mod rows;
mod scatter_plot;
mod style;
mod summary;
mod svg;
mod violin_plot;

pub use bar_chart::bar_chart;
pub use box_plot::box_plot;
pub use density::{density, silverman_bandwidth};
pub use line_chart::line_chart;
pub use scatter_plot::scatter_plot;
pub use summary::{Summary, quantile, summary};
pub use violin_plot::violin_plot;

/// A sample with a name: one row of a box or violin plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// What stands beside it.
    pub name: String,
    /// In any order.
    pub values: Vec<f64>,
}

/// Points with a name: one kind of marker or line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What stands in the legend, which is there if there are several series.
    pub name: String,
    /// x and y, in the order in which a line goes through them.
    pub points: Vec<(f64, f64)>,
}

/// What stands at the axes.
#[derive(Clone, PartialEq, Debug)]
pub struct AxisLabels {
    /// Below the horizontal axis.
    pub x: String,
    /// Beside the vertical axis.
    pub y: String,
}

/// Beyond this, differences of numbers overflow.
fn is_drawable(value: f64) -> bool {
    value.abs() < 1e300
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No plot may be broken by what it shows.
    #[test]
    fn every_plot_of_anything_is_one_well_formed_element() {
        let names =
            ["</svg><script>alert(1)</script>", "\"'&\u{0}\u{1b}\u{fffe}", "", "名前 $x$ ]]>"];
        let samples: [&[f64]; 6] = [
            &[],
            &[1.0],
            &[2.0, 2.0, 2.0],
            &[f64::NAN, f64::INFINITY, 1.0, -3.0],
            &[f64::MAX, f64::MIN, 0.0],
            &[1e-12, 1.00000001e9, 1e9],
        ];
        for count in [0, 1, 4, 40] {
            for values in samples {
                let name = |i: usize| names[i % names.len()].repeat(1 + i);
                let groups: Vec<Group> =
                    (0..count).map(|i| Group { name: name(i), values: values.to_vec() }).collect();
                let points: Vec<(f64, f64)> = values.iter().map(|v| (*v, -v)).collect();
                let series: Vec<Series> =
                    (0..count).map(|i| Series { name: name(i), points: points.clone() }).collect();
                let labels = AxisLabels { x: name(0), y: name(1) };
                let bars: Vec<(String, f64)> = groups
                    .iter()
                    .flat_map(|group| values.iter().map(|v| (group.name.clone(), *v)))
                    .collect();
                for svg in [
                    bar_chart(&bars, &name(0)),
                    box_plot(&groups, &name(0)),
                    violin_plot(&groups, &name(1)),
                    scatter_plot(&series, &labels),
                    line_chart(&series, &labels),
                ] {
                    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
                    assert_eq!(svg.matches("<svg").count(), 1);
                    assert!(!svg.contains("<script") && !svg.contains("NaN"), "{svg}");
                    assert!(!svg.contains("inf\""), "{svg}");
                    assert!(!svg.contains(['\u{0}', '\u{1b}', '\u{fffe}']));
                    assert_balanced(&svg);
                }
            }
        }
    }

    /// Every element that is opened is closed in its turn.
    fn assert_balanced(svg: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "left open: {open:?}");
    }
}
