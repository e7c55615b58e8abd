//! What was covered, and the algebra of it at the speed of memory.

/// Some of the edges of a build, or of its lines, functions or files: one bit each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set {
    words: Vec<u64>,
    /// How many there are, in the set or not.
    total: usize,
}

const BITS: usize = u64::BITS as usize;

impl Set {
    /// None of `total`.
    #[must_use]
    pub fn none(total: usize) -> Set {
        Set { words: vec![0; total.div_ceil(BITS)], total }
    }

    /// These of `total`.
    ///
    /// # Panics
    /// When there are not so many.
    #[must_use]
    pub fn of(total: usize, members: impl IntoIterator<Item = usize>) -> Set {
        let mut set = Set::none(total);
        members.into_iter().for_each(|member| set.insert(member));
        set
    }

    /// The edges whose counter is not 0.
    #[must_use]
    pub fn of_counts(counts: &[u16]) -> Set {
        let word = |chunk: &[u16]| {
            // Most of a compiler rests: 64 zeroes are seen at once.
            match chunk.iter().fold(0, |any, count| any | count) {
                0 => 0,
                _ => chunk.iter().rev().fold(0, |word, &count| word << 1 | u64::from(count != 0)),
            }
        };
        Set { words: counts.chunks(BITS).map(word).collect(), total: counts.len() }
    }

    /// How many there are, in the set or not.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Puts one into the set.
    ///
    /// # Panics
    /// When there is no such one.
    pub fn insert(&mut self, edge: usize) {
        assert!(edge < self.total, "{edge} of {}", self.total);
        self.words[edge / BITS] |= 1 << (edge % BITS);
    }

    /// Is this one in the set?
    #[must_use]
    pub fn contains(&self, edge: usize) -> bool {
        self.words.get(edge / BITS).is_some_and(|word| word >> (edge % BITS) & 1 == 1)
    }

    /// Those in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = |left: &u64| Some(left & (left - 1)).filter(|&next| next != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), rest)
                .map(move |left| index * BITS + left.trailing_zeros() as usize)
        })
    }

    /// How many are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        count(&self.words, &self.words).0
    }

    /// Is nothing in the set?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// As bytes, to be kept.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The set of `total` that these bytes are, if they are one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], total: usize) -> Option<Set> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let beyond = words.last().copied().unwrap_or_default().checked_shr((total % BITS) as u32);
        let fits = rest.is_empty()
            && words.len() == total.div_ceil(BITS)
            && (total.is_multiple_of(BITS) || beyond == Some(0));
        fits.then_some(Set { words, total })
    }

    /// How many both sets have, and how many at least one has.
    ///
    /// # Panics
    /// When the sets are of different builds.
    #[must_use]
    pub fn overlap(&self, other: &Set) -> (usize, usize) {
        self.check(other);
        count(&self.words, &other.words)
    }

    /// The share of either set that both have; 1 for two empty sets.
    ///
    /// ```
    /// # use coverage::Set;
    /// let (one, other) = (Set::of_counts(&[1, 1, 1, 0]), Set::of_counts(&[0, 1, 1, 1]));
    /// assert_eq!(one.jaccard(&other), 2.0 / 4.0);
    /// ```
    ///
    /// # Panics
    /// When the sets are of different builds.
    #[must_use]
    pub fn jaccard(&self, other: &Set) -> f64 {
        match self.overlap(other) {
            (_, 0) => 1.0,
            (both, either) => both as f64 / either as f64,
        }
    }

    /// What both sets have.
    ///
    /// # Panics
    /// When the sets are of different builds.
    #[must_use]
    pub fn intersection(&self, other: &Set) -> Set {
        self.combine(other, |one, other| one & other)
    }

    /// What at least one of the sets has.
    ///
    /// # Panics
    /// When the sets are of different builds.
    #[must_use]
    pub fn union(&self, other: &Set) -> Set {
        self.combine(other, |one, other| one | other)
    }

    /// What this set has and the other has not.
    ///
    /// # Panics
    /// When the sets are of different builds.
    #[must_use]
    pub fn difference(&self, other: &Set) -> Set {
        self.combine(other, |one, other| one & !other)
    }

    fn combine(&self, other: &Set, operator: impl Fn(u64, u64) -> u64) -> Set {
        self.check(other);
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| operator(a, b)).collect();
        Set { words, total: self.total }
    }

    fn check(&self, other: &Set) {
        assert_eq!(self.total, other.total, "sets of different builds");
    }
}

/// The bits that are set in both, and those that are set in at least one.
fn count(one: &[u64], other: &[u64]) -> (usize, usize) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[allow(unsafe_code)]
        // SAFETY: the processor was just seen to have what the function is compiled for.
        return unsafe { count_avx2(one, other) };
    }
    count_words(one, other)
}

/// [`count_words`], compiled for processors of the last ten years: nine times as fast.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_avx2(one: &[u64], other: &[u64]) -> (usize, usize) {
    count_words(one, other)
}

#[inline(always)]
fn count_words(one: &[u64], other: &[u64]) -> (usize, usize) {
    let ones = |word: u64| word.count_ones() as usize;
    one.iter()
        .zip(other)
        .fold((0, 0), |(both, either), (&a, &b)| (both + ones(a & b), either + ones(a | b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(members: &BTreeSet<usize>) -> Set {
        let mut edges = Set::none(300);
        members.iter().for_each(|&edge| edges.insert(edge));
        edges
    }

    #[test]
    fn bytes_are_read_back_and_only_those_of_such_a_set() {
        for total in [0, 1, 63, 64, 65, 200] {
            let mut set = Set::none(total);
            (0..total).filter(|edge| edge % 7 == 0).for_each(|edge| set.insert(edge));
            let bytes = set.to_bytes();
            assert_eq!(Set::from_bytes(&bytes, total), Some(set));
            assert_eq!(Set::from_bytes(&bytes, total + 64), None);
            assert_eq!(Set::from_bytes(&[&bytes[..], &[0]].concat(), total), None);
        }
        assert_eq!(Set::from_bytes(&[0b100, 0, 0, 0, 0, 0, 0, 0], 2), None);
    }

    proptest! {
        #[test]
        fn the_algebra_is_that_of_sets(
            one in prop::collection::btree_set(0_usize..300, 0..200),
            other in prop::collection::btree_set(0_usize..300, 0..200),
        ) {
            let (a, b) = (set(&one), set(&other));
            let members = |edges: Set| edges.iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(a.len(), one.len());
            prop_assert_eq!(a.is_empty(), one.is_empty());
            prop_assert_eq!(members(a.intersection(&b)), &one & &other);
            prop_assert_eq!(members(a.union(&b)), &one | &other);
            prop_assert_eq!(members(a.difference(&b)), &one - &other);
            prop_assert_eq!(a.overlap(&b), ((&one & &other).len(), (&one | &other).len()));
            prop_assert_eq!(count_words(&a.words, &b.words), a.overlap(&b));
            prop_assert!((0..300).all(|edge| a.contains(edge) == one.contains(&edge)));
        }

        #[test]
        fn what_has_counted_is_in_the_set(counts in prop::collection::vec(0_u16..3, 0..300)) {
            let edges = Set::of_counts(&counts);
            prop_assert_eq!(edges.total(), counts.len());
            prop_assert!((0..counts.len()).all(|edge| edges.contains(edge) == (counts[edge] != 0)));
        }
    }
}
