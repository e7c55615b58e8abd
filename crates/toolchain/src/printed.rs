//! What a program prints, as far as it must be exact and as far as it need not be.
//!
//! A line that starts with `about ` holds a number that compilers may round differently. The built-in
//! generator prints such lines in its bounded mode of floating point; they mean the same from any
//! program.

use crate::execute::Behaviour;
use base::ContentId;

/// What such a line starts with.
const ABOUT: &[u8] = b"about ";

/// Numbers whose difference is at most this part of the larger one agree. The generator's differ by less
/// than 2^-15 where nothing is wrong, `-ffast-math` included; what a wrong operand does is mostly far more.
const THRESHOLD: f32 = 0.001;

/// The output of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// All that is exact.
    pub exact: ContentId,
    /// The numbers that are not, as bits of `f32`.
    pub about: Vec<u32>,
}

impl Printed {
    /// Takes an output apart.
    #[must_use]
    pub fn of(output: &[u8]) -> Printed {
        let mut about = Vec::new();
        let mut exact = Vec::new();
        for line in output.split_inclusive(|byte| *byte == b'\n') {
            match number_in(line) {
                Some(number) => {
                    about.push(number.to_bits());
                    exact.extend_from_slice(ABOUT);
                }
                None => exact.extend_from_slice(line),
            }
        }
        Printed { exact: ContentId::of(&exact), about }
    }
}

/// The number of a line that need not be exact.
fn number_in(line: &[u8]) -> Option<f32> {
    std::str::from_utf8(line.strip_prefix(ABOUT)?).ok()?.trim_end().parse().ok()
}

impl Behaviour {
    /// Whether two correct compilers may have made programs of which one does this and the other that:
    /// the same, but for numbers that are about the same.
    #[must_use]
    pub fn agrees_with(&self, other: &Behaviour) -> bool {
        self.end == other.end
            && self.output == other.output
            && about_the_same(&self.about, &other.about)
    }

    /// Whether the program ended well and printed this.
    #[must_use]
    pub fn printed(&self, expected: &Printed) -> bool {
        self.end == crate::End::Exit(0)
            && self.output == expected.exact
            && about_the_same(&self.about, &expected.about)
    }
}

fn about_the_same(these: &[u32], those: &[u32]) -> bool {
    let close = |(a, b): (&u32, &u32)| {
        let (x, y) = (f32::from_bits(*a), f32::from_bits(*b));
        let larger = x.abs().max(y.abs());
        a == b || larger.is_finite() && (x - y).abs() <= THRESHOLD * larger
    };
    these.len() == those.len() && these.iter().zip(those).all(close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execute::End;

    fn behaviour(output: &str) -> Behaviour {
        let Printed { exact, about } = Printed::of(output.as_bytes());
        Behaviour { end: End::Exit(0), output: exact, head: output.to_owned(), about }
    }

    fn check(this: &str, that: &str, agree: bool) {
        let (this, that) = (behaviour(this), behaviour(that));
        assert_eq!(this.agrees_with(&that), agree, "{this} {that}");
        assert_eq!(that.agrees_with(&this), agree, "{that} {this}");
    }

    #[test]
    fn numbers_that_are_about_the_same_agree_and_all_else_must_be_exact() {
        check("5\nabout 0.75\n", "5\nabout 0.7501\n", true);
        check("5\nabout 0.75\n", "5\nabout 0.752\n", false);
        check("5\nabout 0.75\n", "6\nabout 0.75\n", false);
        check("5\nabout 0.75\n", "5\nabout 0.75\nabout 0.75\n", false);
        check("about 0.5\n5\n", "5\nabout 0.5\n", false);
        check("0.75\n", "0.7501\n", false);
        check("about that\n", "about this\n", false);
        check("about nan\n", "about 0.5\n", false);
        check("about nan\n", "about nan\n", true);
        check("about 1e30\n", "about inf\n", false);
    }

    #[test]
    fn an_output_without_such_lines_is_known_by_its_bytes() {
        let output = b"17\nabout\nno newline at the end";
        assert_eq!(Printed::of(output).exact, ContentId::of(output));
    }

    #[test]
    fn what_is_expected_need_not_be_printed_to_the_last_digit() {
        let expected = Printed::of(b"5\nabout 0.7500001\n");
        assert!(behaviour("5\nabout 0.75\n").printed(&expected));
        assert!(!behaviour("5\nabout 0.76\n").printed(&expected));
        let died = Behaviour { end: End::Exit(1), ..behaviour("5\nabout 0.75\n") };
        assert!(!died.printed(&expected));
    }
}
