//! Numbers that the processor adds and multiplies at once.

use base::Random;

/// How many numbers a group has: a cache line of them.
pub(super) const WIDTH: usize = 16;

/// A group of numbers. A row of a matrix is a whole number of groups, filled up with zeros, which stay
/// zeros. Sums are taken lane by lane and in one order, so how many lanes a register of the processor has
/// does not change a result. Nor may products and sums be fused: that rounds once instead of twice, and
/// not every processor can.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub [f32; WIDTH]);

impl Lanes {
    pub const ZERO: Lanes = Lanes([0.0; WIDTH]);

    #[inline(always)]
    pub fn plus(mut self, other: &Lanes) -> Lanes {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a += b);
        self
    }

    #[inline(always)]
    pub fn times(mut self, other: &Lanes) -> Lanes {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a *= b);
        self
    }

    #[inline(always)]
    pub fn scaled(mut self, factor: f32) -> Lanes {
        self.0.iter_mut().for_each(|a| *a *= factor);
        self
    }

    /// Four sums of four lanes each.
    #[inline(always)]
    pub fn folded(self) -> [f32; 4] {
        let (low, high) = self.0.split_at(8);
        let mut eight = [0.0; 8];
        eight.iter_mut().zip(low.iter().zip(high)).for_each(|(sum, (a, b))| *sum = a + b);
        let (low, high) = eight.split_at(4);
        let mut four = [0.0; 4];
        four.iter_mut().zip(low.iter().zip(high)).for_each(|(sum, (a, b))| *sum = a + b);
        four
    }
}

/// How many groups a row of `dimensions` numbers takes.
pub(super) fn groups(dimensions: usize) -> usize {
    dimensions.div_ceil(WIDTH)
}

/// Rows of random numbers between −1/dimensions and 1/dimensions, as gensim starts with.
pub(super) fn random_rows(count: usize, dimensions: usize, random: &mut Random) -> Vec<Lanes> {
    let mut rows = vec![Lanes::ZERO; count * groups(dimensions)];
    for row in rows.chunks_exact_mut(groups(dimensions)) {
        for number in row.iter_mut().flat_map(|lanes| &mut lanes.0).take(dimensions) {
            *number = ((2.0 * random.unit() - 1.0) / dimensions as f64) as f32;
        }
    }
    rows
}
