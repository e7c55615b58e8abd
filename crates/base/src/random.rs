//! Randomness as a value: a seed, and streams that are named after what they decide.
//!
//! Own generator instead of the `rand` crate: results must be the same bytes on every machine and
//! for every version of our dependencies, and `rand` promises that for its generators but not for
//! its distributions.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where all randomness of a run comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Seed {
    /// The random stream for one decision (`name`) of one unit of work (`index`). Streams of
    /// different names or indices are independent, so work can be done in any order.
    #[must_use]
    pub fn stream(self, name: &str, index: u64) -> Random {
        let bytes = self.digest(name, index);
        let word =
            |i: usize| u64::from_le_bytes(bytes[i * 8..i * 8 + 8].try_into().expect("eight bytes"));
        Random { state: [word(0), word(1), word(2), word(3)] }
    }

    /// A seed for a sub-task, independent of this one's streams.
    #[must_use]
    pub fn derive(self, name: &str, index: u64) -> Seed {
        let bytes = self.digest(name, index);
        Seed(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")))
    }

    fn digest(self, name: &str, index: u64) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_le_bytes());
        hasher.update(&index.to_le_bytes());
        hasher.update(name.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// A random stream: xoshiro256++ by Blackman and Vigna (<https://prng.di.unimi.it/>).
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number in `0..bound`; `bound` must not be 0. The bias is below 2⁻³² for bounds under 2³².
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0, "an empty range has no element");
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number in `low..=high`.
    #[inline]
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        debug_assert!(low <= high);
        let span = high.wrapping_sub(low) as u64;
        match span.checked_add(1) {
            Some(span) => low.wrapping_add(self.below(span) as i64),
            None => self.next_u64() as i64,
        }
    }

    /// True in `percent` of 100 cases.
    #[inline]
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index into `len` things; `len` must not be 0.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// One of `items`, which must not be empty.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.index(items.len())]
    }

    /// An index drawn in proportion to `weights`, whose sum must not be 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|w| u64::from(*w)).sum();
        let mut left = self.below(total);
        for (index, weight) in weights.iter().enumerate() {
            match left.checked_sub(u64::from(*weight)) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        unreachable!("the draw is below the sum of the weights")
    }

    /// Puts `items` into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_for_ever() {
        // These numbers may never change: seeds in bug reports depend on them.
        let mut random = Seed(1).stream("test", 0);
        assert_eq!([random.next_u64(), random.next_u64()], [FIRST, SECOND]);
        assert_eq!(Seed(1).derive("test", 0), Seed(DERIVED));
    }
    const FIRST: u64 = 16091159614620934811;
    const SECOND: u64 = 660536593741883838;
    const DERIVED: u64 = 9017873920319115484;

    #[test]
    fn names_and_indices_make_different_streams() {
        let first = |name, index| Seed(7).stream(name, index).next_u64();
        assert_ne!(first("a", 0), first("b", 0));
        assert_ne!(first("a", 0), first("a", 1));
    }

    #[test]
    fn ranges_reach_both_ends_and_no_further() {
        let mut random = Seed(3).stream("range", 0);
        let drawn: Vec<i64> = (0..1000).map(|_| random.range(-2, 2)).collect();
        assert_eq!(drawn.iter().min(), Some(&-2));
        assert_eq!(drawn.iter().max(), Some(&2));
        let _any: i64 = random.range(i64::MIN, i64::MAX);
    }

    #[test]
    fn weights_of_zero_are_never_drawn() {
        let mut random = Seed(4).stream("weights", 0);
        let mut counts = [0; 3];
        for _ in 0..3000 {
            counts[random.weighted(&[1, 0, 2])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
    }
}
