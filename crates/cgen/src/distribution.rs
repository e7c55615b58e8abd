//! Weighted draws in constant time: Vose's alias method
//! (<https://en.wikipedia.org/wiki/Alias_method>).

use base::Random;

/// The most values that a distribution can have: the statements beyond the paper's.
const MOST: usize = 24;

/// A distribution over `0..len`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution {
    len: u32,
    keep: [u32; MOST],
    alias: [u8; MOST],
}

impl Distribution {
    /// The distribution in proportion to `weights`, of which one at least is not 0.
    pub fn new(weights: &[u32]) -> Distribution {
        let len = weights.len();
        assert!(len <= MOST, "a distribution has at most {MOST} values");
        let total: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        assert!(total > 0, "some value must be possible");
        let mut distribution = Distribution { len: len as u32, keep: [0; MOST], alias: [0; MOST] };
        // In units of 1 / (len * total), a cell holds `total` units.
        let mut units: Vec<u64> = weights.iter().map(|w| u64::from(*w) * len as u64).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..len).partition(|i| units[*i] < total);
        while let (Some(less), Some(more)) = (small.pop(), large.last().copied()) {
            distribution.keep[less] = ((units[less] << 32) / total) as u32;
            distribution.alias[less] = more as u8;
            units[more] -= total - units[less];
            if units[more] < total {
                large.pop();
                small.push(more);
            }
        }
        for full in large.into_iter().chain(small) {
            distribution.keep[full] = u32::MAX;
            distribution.alias[full] = full as u8;
        }
        distribution
    }

    /// A value.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> usize {
        self.pick((random.next_u64() >> 32) as u32)
    }

    /// The value for 32 random bits: their product with the number of cells is the cell and,
    /// below the point, the place in it.
    #[inline]
    pub fn pick(&self, bits: u32) -> usize {
        let place = u64::from(bits) * u64::from(self.len);
        let cell = (place >> 32) as usize;
        if (place as u32) < self.keep[cell] { cell } else { usize::from(self.alias[cell]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_in_proportion_to_their_weights_and_zero_never() {
        let weights = [10, 0, 30, 5, 55];
        let distribution = Distribution::new(&weights);
        let mut random = base::Seed(1).stream("test", 0);
        let mut counts = [0i64; 5];
        for _ in 0..100_000 {
            counts[distribution.draw(&mut random)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, weight) in counts.iter().zip(weights) {
            assert!((count - i64::from(weight) * 1000).abs() < 800, "{counts:?}");
        }
    }
}
