//! An axis: from numbers to places, and the round numbers that are marked on it.

use super::svg::{FONT, width};

/// A range of numbers that begins and ends at a round one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
    /// Where `low` and `high` are in the picture.
    places: (f64, f64),
}

impl Axis {
    /// An axis that has room for all `values` between two `places`, with about `ticks` marks.
    pub fn new(values: impl Iterator<Item = f64>, ticks: u32, places: (f64, f64)) -> Axis {
        let (least, most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (least, most) = match most - least {
            // Nothing to show.
            spread if spread < 0.0 => (0.0, 1.0),
            // One number, or several that a picture cannot tell apart: it is in the middle.
            spread if spread <= most.abs().max(least.abs()) * 1e-9 => {
                let room = if most == 0.0 { 1.0 } else { most.abs() / 2.0 };
                (least - room, most + room)
            }
            _ => (least, most),
        };
        let step = round_step((most - least) / f64::from(ticks));
        let (low, high) = ((least / step).floor() * step, (most / step).ceil() * step);
        Axis { low, high, step, places }
    }

    /// A horizontal axis, with as many marks as have room beside each other.
    pub fn fitting(values: impl Iterator<Item = f64> + Clone, places: (f64, f64)) -> Axis {
        (2..=6)
            .rev()
            .map(|ticks| Axis::new(values.clone(), ticks, places))
            .find(Axis::has_room)
            .unwrap_or_else(|| Axis::new(values, 1, places))
    }

    fn has_room(&self) -> bool {
        let ticks = self.ticks();
        let widest = ticks.iter().map(|(_, text)| width(text, FONT)).fold(0.0, f64::max);
        self.place(self.low + self.step) - self.place(self.low) >= widest + 12.0
    }

    pub fn place(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// The marked numbers, with what is written beside them.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as i32;
        (0..=count)
            .map(|tick| self.low + f64::from(tick) * self.step)
            .map(|value| {
                // A sum of steps may miss 0 by a little.
                let value = if value.abs() < self.step / 1e3 { 0.0 } else { value };
                (value, written(value, self.step))
            })
            .collect()
    }
}

/// The next of 1, 2, 5, 10 … times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10.0_f64.powf(step.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= step * 0.999_999);
    digit.unwrap_or(10.0) * power
}

/// A number with so many digits that it differs from the next mark, which is a `step` away.
fn written(value: f64, step: f64) -> String {
    let decimals = (-step.log10()).ceil().max(0.0) as usize;
    let text = if value.abs() < 1e6 && decimals <= 6 {
        format!("{value:.decimals$}")
    } else {
        let digits = value.abs().max(step).log10().floor() - step.log10().floor();
        scientific(value, digits as usize)
    };
    text.replace('-', "−")
}

fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f64], ticks: &[&str]) {
        let axis = Axis::new(values.iter().copied(), 5, (0.0, 100.0));
        let found: Vec<String> = axis.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(found, ticks);
        for value in values {
            assert!((0.0..=100.0).contains(&axis.place(*value)), "{value} is off the axis");
        }
    }

    #[test]
    fn marks_are_round_and_enclose_the_values() {
        check(&[1.0, 58.0], &["0", "20", "40", "60"]);
        check(&[0.0, 1.0], &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(&[-3.0, 7.0], &["−4", "−2", "0", "2", "4", "6", "8"]);
        check(&[0.013, 0.021], &["0.012", "0.014", "0.016", "0.018", "0.020", "0.022"]);
        check(&[1e-9, 4e-9], &["1e−9", "2e−9", "3e−9", "4e−9"]);
        check(&[1e6, 5e6], &["1e6", "2e6", "3e6", "4e6", "5e6"]);
    }

    #[test]
    fn marks_of_numbers_that_hardly_differ_differ() {
        check(
            &[1e9, 1e9 + 10.0],
            &[
                "1e9",
                "1.000000002e9",
                "1.000000004e9",
                "1.000000006e9",
                "1.000000008e9",
                "1.00000001e9",
            ],
        );
    }

    #[test]
    fn wide_numbers_get_fewer_marks() {
        let marks =
            |values: [f64; 2]| Axis::fitting(values.into_iter(), (0.0, 250.0)).ticks().len();
        assert_eq!(marks([0.0, 60.0]), 7);
        assert_eq!(marks([0.0, 600_000.0]), 4);
        assert_eq!(marks([1e9, 1e9 + 10.0]), 2);
    }

    #[test]
    fn a_single_value_and_none_have_an_axis_too() {
        check(&[7.0], &["2", "4", "6", "8", "10", "12"]);
        check(&[0.0], &["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        check(&[], &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }
}
