//! Random words that a word must be told from.

use base::Random;

/// Draws words in proportion to the ¾th power of how often they occur (Mikolov et al., "Distributed
/// Representations of Words and Phrases and their Compositionality", 2013), by Vose's alias method: each
/// draw takes one of the columns, and there the column's own word or its alias.
pub(super) struct Noise {
    columns: Vec<Column>,
}

#[derive(Clone, Copy)]
struct Column {
    /// The own word is taken when the rest of the random number is at most this.
    own_to: u32,
    alias: u32,
}

impl Noise {
    /// For words that occur `counts` times.
    pub fn new(counts: &[u64]) -> Noise {
        let weights: Vec<f64> = counts.iter().copied().map(weight).collect();
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..shares.len()).partition(|&word| shares[word] < 1.0);
        let full = |word: usize| Column { own_to: u32::MAX, alias: word as u32 };
        let mut columns: Vec<Column> = (0..shares.len()).map(full).collect();
        while let (Some(&giver), Some(taker)) = (large.last(), small.pop()) {
            let own_to = (shares[taker] * f64::from(u32::MAX)) as u32;
            columns[taker] = Column { own_to, alias: giver as u32 };
            shares[giver] -= 1.0 - shares[taker];
            if shares[giver] < 1.0 {
                large.pop();
                small.push(giver);
            }
        }
        Noise { columns }
    }

    /// Fills `words` with random ones. Each takes 32 random bits, of which the choice of the column uses up
    /// as many as there are words.
    #[inline(always)]
    pub fn draw(&self, random: &mut Random, words: &mut [u32]) {
        let draw = |bits: u32| {
            let product = u64::from(bits) * self.columns.len() as u64;
            let column = (product >> 32) as u32;
            let Column { own_to, alias } = self.columns[column as usize];
            if product as u32 <= own_to { column } else { alias }
        };
        for pair in words.chunks_mut(2) {
            let bits = random.next_u64();
            pair[0] = draw((bits >> 32) as u32);
            if let [_, second] = pair {
                *second = draw(bits as u32);
            }
        }
    }
}

/// The ¾th power. Square roots are exact to the last bit on all machines; `powf` is not.
fn weight(count: u64) -> f64 {
    let root = (count as f64).sqrt();
    root * root.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn words_are_drawn_by_the_three_quarters_power_of_their_counts() {
        let noise = Noise::new(&[1, 16, 81, 0]);
        let mut random = Seed(1).stream("noise", 0);
        let mut words = vec![0; 36_000];
        noise.draw(&mut random, &mut words);
        let mut drawn = [0_u32; 4];
        words.iter().for_each(|&word| drawn[word as usize] += 1);
        // 1 : 8 : 27 : 0.
        assert_eq!(drawn[3], 0);
        for (drawn, expected) in drawn.iter().zip([1_000_u32, 8_000, 27_000]) {
            assert!(drawn.abs_diff(expected) < expected / 10, "{drawn} instead of {expected}");
        }
    }
}
