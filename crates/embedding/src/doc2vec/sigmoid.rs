//! The logistic function.

/// 1 / (1 + exp(−x)), to seven digits. Own code because `f32::exp` is the system's and rounds
/// differently from one to the next; this has only operations that are exact to the last bit everywhere.
///
/// exp(−x) = 2ⁿ · exp(r) with |r| ≤ ln 2 / 2, and a polynomial for exp(r) (the coefficients are those of
/// Cephes' `expf`, Moshier 1989).
#[inline(always)]
pub(super) fn sigmoid(x: f32) -> f32 {
    // Beyond this the result is 0 or 1 to seven digits.
    let negated = -x.clamp(-30.0, 30.0);
    // In a float of this size the last binary digit counts ones: adding it rounds, and leaves the whole
    // number in the lowest bits.
    const ROUNDS: f32 = 12_582_912.0;
    let shifted = negated * std::f32::consts::LOG2_E + ROUNDS;
    let whole = shifted - ROUNDS;
    // ln 2 in two parts, so that the product with the first is exact.
    let r = negated - whole * (355.0 / 512.0) - whole * -2.121_944_4e-4;
    let polynomial = 1.987_569_1e-4 * r + 1.398_2e-3;
    let polynomial = polynomial * r + 8.333_452e-3;
    let polynomial = polynomial * r + 4.166_579_6e-2;
    let polynomial = polynomial * r + 1.666_666_5e-1;
    let polynomial = polynomial * r + 0.5;
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    let exponential = (polynomial * r * r + r + 1.0) * power;
    1.0 / (1.0 + exponential)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logistic_function_to_seven_digits() {
        for step in -4000..=4000 {
            let x = step as f32 / 100.0;
            let exact = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - exact).abs() < 1.5e-7, "{x}: {}", sigmoid(x));
        }
    }
}
