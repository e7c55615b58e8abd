//! The tails of the normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The chance that a standard normal number is further from 0 than `z`.
pub(super) fn two_sided(z: f64) -> f64 {
    complementary_error(z.abs() * FRAC_1_SQRT_2)
}

/// erfc for x ≥ 0: below 2 by the series 7.6.2 of the NIST Digital Library of Mathematical Functions
/// (all terms are positive, so nothing cancels), above by the continued fraction 7.9.1, which keeps
/// small chances exact where 1 − erf would be 0.
fn complementary_error(x: f64) -> f64 {
    let scale = (-x * x).exp() / PI.sqrt();
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        1.0 - 2.0 * scale * sum
    } else {
        // x + (1/2)/(x + 1/(x + (3/2)/(x + …))), from the inside; 60 levels are enough from 2 on.
        let fraction = (1..=60).rev().fold(x, |inner, n| x + f64::from(n) / 2.0 / inner);
        scale / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    #[test]
    fn tails_are_exact_from_the_middle_to_the_far_end() {
        // scipy.special.erfc(x)
        for (x, expected) in [
            (0.0, 1.0),
            (0.1, 0.8875370839817152),
            (0.5, 0.4795001221869535),
            (1.0, 0.15729920705028516),
            (1.5, 0.03389485352468927),
            (2.0, 0.004677734981047266),
            (2.5, 0.00040695201744495886),
            (3.0, 2.2090496998585445e-5),
            (5.0, 1.5374597944280347e-12),
            (10.0, 2.0884875837625446e-45),
        ] {
            assert_close(complementary_error(x), expected);
        }
    }
}
