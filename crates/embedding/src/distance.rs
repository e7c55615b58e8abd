//! The square of the Euclidean distance, in a form that a compiler turns into vector instructions.
//!
//! The order of the additions is part of the definition: a distance is the same bits wherever and with
//! whatever others it is computed, which the exactness of [`crate::choose`] rests on. Squares of
//! differences are added rather than products of coordinates, so nothing cancels and the relative error stays
//! at a few units of an `f32`'s last place.

/// As many `f32` as every x86-64 and AArch64 adds at once.
const LANES: usize = 4;

/// How many points [`squared_to_each`] compares at once: enough for the additions of one to hide the wait
/// for those of another.
pub(crate) const TOGETHER: usize = 4;

/// The square of the distance between two points of as many dimensions.
#[inline]
pub(crate) fn squared(one: &[f32], other: &[f32]) -> f32 {
    squared_to_each(one, [other])[0]
}

/// [`squared`] from `one` to each of `others`.
#[inline]
pub(crate) fn squared_to_each<const N: usize>(one: &[f32], others: [&[f32]; N]) -> [f32; N] {
    let (chunks, rest) = one.as_chunks::<LANES>();
    let others = others.map(|other| other[..one.len()].as_chunks::<LANES>());
    let mut sums = [[0.0; LANES]; N];
    for (at, chunk) in chunks.iter().enumerate() {
        for (sum, (other, _)) in sums.iter_mut().zip(&others) {
            add_squares(sum, chunk, &other[at]);
        }
    }
    for (sum, (_, other)) in sums.iter_mut().zip(&others) {
        add_squares(sum, rest, other);
    }
    sums.map(|[a, b, c, d]| (a + b) + (c + d))
}

#[inline(always)]
fn add_squares(sums: &mut [f32; LANES], one: &[f32], other: &[f32]) {
    for ((sum, a), b) in sums.iter_mut().zip(one).zip(other) {
        let difference = a - b;
        *sum += difference * difference;
    }
}

/// The nearest of `rows`, points as `one` is, one after the other, by index and by [`squared`]; the
/// first of equals. There must be one.
pub(crate) fn nearest(one: &[f32], rows: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::INFINITY);
    let mut see = |index: usize, distance: f32| {
        if distance < best.1 {
            best = (index, distance);
        }
    };
    let mut pieces = rows.chunks_exact(TOGETHER * one.len());
    let mut index = 0;
    for piece in &mut pieces {
        for distance in squared_to_each(one, split::<TOGETHER>(piece, one.len())) {
            see(index, distance);
            index += 1;
        }
    }
    for row in pieces.remainder().chunks_exact(one.len()) {
        see(index, squared(one, row));
        index += 1;
    }
    best
}

/// N rows that lie one after the other.
#[inline]
pub(crate) fn split<const N: usize>(rows: &[f32], dimensions: usize) -> [&[f32]; N] {
    std::array::from_fn(|at| &rows[at * dimensions..(at + 1) * dimensions])
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn a_distance_is_the_same_bits_alone_and_among_others() {
        let mut random = Seed(1).stream("distances", 0);
        for dimensions in 1..=13 {
            let values: Vec<f32> =
                (0..8 * dimensions).map(|_| random.unit() as f32 - 0.5).collect();
            let rows: [&[f32]; 8] = split(&values, dimensions);
            let each = squared_to_each(rows[0], rows);
            for (row, distance) in rows.iter().zip(each) {
                assert_eq!(distance.to_bits(), squared(rows[0], row).to_bits());
                assert_eq!(distance.to_bits(), squared(row, rows[0]).to_bits());
                let exact: f64 = (rows[0].iter().zip(*row))
                    .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
                    .sum();
                assert!((f64::from(distance) - exact).abs() <= 1e-6 * exact);
            }
        }
    }

    #[test]
    fn the_nearest_is_the_first_of_equals() {
        let rows = [5.0, 1.0, 3.0, 3.0, 1.0, 3.0, 9.0, 2.75];
        assert_eq!(nearest(&[3.2], &rows).0, 2);
        assert_eq!(nearest(&[0.0], &rows), (1, 1.0));
        assert_eq!(nearest(&[2.75], &rows), (7, 0.0));
    }
}
