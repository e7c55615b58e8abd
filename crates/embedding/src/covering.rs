//! Sequences in which every two values occur at every two positions: two-way combinatorial testing, the
//! baseline 2W of CTOS (section 4.3).
//!
//! The rows of an orthogonal array. Over the numbers modulo a prime q, the row of a and b has a + b·x at
//! position x and b at position q. Two values at two positions make two equations for a and b, which have
//! exactly one solution; so q² rows hold every pair at every two of up to q + 1 positions, once.
//!
//! Deviation: CTOS used the tool ACTS, whose array of 34,473 rows took ten hours. This one has
//! 199² = 39,601 rows for the same 200 positions and 114 values, and takes no time.

use base::Seed;

/// Rows of values, each a number below `values`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Covering {
    positions: usize,
    values: u32,
    prime: usize,
    seed: Seed,
}

impl Covering {
    /// Rows of so many `positions`, each with one of so many `values`.
    ///
    /// The prime is at least `values`; where the array asks for a number that is no value, any would do, and
    /// one is drawn by `seed`. (Modulo the number of values, some values would be twice as frequent as
    /// others.)
    ///
    /// # Panics
    ///
    /// If there are no values, or fewer than two positions, or more than 60,000 of either.
    #[must_use]
    pub fn new(positions: usize, values: u32, seed: Seed) -> Covering {
        assert!(values > 0, "a row without values has nothing to cover");
        assert!(positions > 1, "a pair needs two positions");
        assert!(positions <= MOST && values as usize <= MOST, "an array of more than {MOST}² rows");
        let prime = prime_from((values as usize).max(positions - 1));
        Covering { positions, values, prime, seed }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.prime * self.prime
    }

    /// One row, by its number below [`Covering::rows`].
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn row(&self, index: usize) -> Vec<u32> {
        assert!(index < self.rows(), "row {index} of {}", self.rows());
        let (a, b) = (index / self.prime, index % self.prime);
        let mut random = self.seed.stream("covering row", index as u64);
        (0..self.positions)
            .map(|x| if x == self.prime { b } else { (a + b * x) % self.prime })
            .map(|symbol| match u32::try_from(symbol) {
                Ok(value) if value < self.values => value,
                _ => random.below(self.values.into()) as u32,
            })
            .collect()
    }

    /// All rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Vec<u32>> + use<> {
        let covering = *self;
        (0..self.rows()).map(move |index| covering.row(index))
    }
}

/// So that the number of rows fits 32 bits.
const MOST: usize = 60_000;

/// The smallest prime that is not below `least`.
fn prime_from(least: usize) -> usize {
    let is_prime =
        |n: &usize| *n > 1 && (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    (least..).find(is_prime).expect("there is a prime between a number and its double")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every two values at every two positions, by looking at all rows.
    fn check(positions: usize, values: u32, rows: usize) {
        let covering = Covering::new(positions, values, Seed(1));
        assert_eq!(covering.iter().len(), rows);
        let count = values as usize;
        let mut seen = vec![false; positions * positions * count * count];
        for row in covering.iter() {
            assert_eq!(row.len(), positions);
            assert!(row.iter().all(|value| *value < values), "{row:?}");
            for (i, one) in row.iter().enumerate() {
                for (j, other) in row.iter().enumerate().skip(i + 1) {
                    let pair = (*one as usize) * count + *other as usize;
                    seen[(i * positions + j) * count * count + pair] = true;
                }
            }
        }
        let covered = seen.iter().filter(|seen| **seen).count();
        assert_eq!(covered, positions * (positions - 1) / 2 * count * count);
    }

    #[test]
    fn every_pair_occurs_at_every_pair_of_positions() {
        check(2, 1, 4);
        check(2, 2, 4);
        check(3, 2, 4);
        check(4, 2, 9);
        check(2, 7, 49);
        check(8, 7, 49);
        check(9, 7, 121);
        check(8, 6, 49);
        check(12, 4, 121);
        check(5, 20, 529);
    }

    #[test]
    fn the_papers_size_needs_the_prime_199() {
        let covering = Covering::new(200, 114, Seed(1));
        assert_eq!(covering.rows(), 39_601);
        assert_eq!(covering.row(39_600).len(), 200);
    }

    #[test]
    fn values_are_evenly_frequent_and_the_seed_decides_the_free_places() {
        let rows = |seed| Covering::new(24, 13, Seed(seed)).iter().collect::<Vec<_>>();
        assert_eq!(rows(1), rows(1));
        assert_ne!(rows(1), rows(2));
        let mut counts = [0; 13];
        rows(1).iter().flatten().for_each(|value| counts[*value as usize] += 1);
        // 23² rows of 24 positions: 976 of each value.
        assert!(counts.iter().all(|count| (870..1090).contains(count)), "{counts:?}");
    }

    #[test]
    #[should_panic(expected = "a pair needs two positions")]
    fn one_position_is_refused() {
        let _ = Covering::new(1, 5, Seed(1));
    }
}
