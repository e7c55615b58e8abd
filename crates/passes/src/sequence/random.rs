//! Sequences drawn at random.

use super::{Alphabet, Sequence};
use base::Random;

/// How long sequences are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lengths {
    /// At least; CTOS has 50.
    pub shortest: usize,
    /// At most; CTOS has 200.
    pub longest: usize,
}

impl Default for Lengths {
    fn default() -> Lengths {
        Lengths { shortest: 50, longest: 200 }
    }
}

impl Alphabet {
    /// A sequence of a length between the two, each length and each pass as likely (CTOS, section 4.2).
    #[must_use]
    pub fn draw(&self, lengths: Lengths, random: &mut Random) -> Sequence {
        let range = lengths.longest.saturating_sub(lengths.shortest) as u64 + 1;
        let length = lengths.shortest + random.below(range) as usize;
        let passes = self.steps().len() as u64;
        if passes == 0 {
            return Sequence::new();
        }
        (0..length).map(|_| random.below(passes) as u16).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::alphabet;
    use super::*;
    use base::Seed;

    #[test]
    fn lengths_and_passes_are_as_likely_as_each_other_and_repeat() {
        let alphabet = alphabet();
        let lengths = Lengths { shortest: 3, longest: 6 };
        let mut random = Seed(1).stream("test", 0);
        let mut by_length = [0; 7];
        let mut by_pass = vec![0; alphabet.steps().len()];
        for _ in 0..4000 {
            let sequence = alphabet.draw(lengths, &mut random);
            by_length[sequence.len()] += 1;
            sequence.iter().for_each(|&number| by_pass[usize::from(number)] += 1);
        }
        assert!(by_length[3..].iter().all(|&count| (850..1150).contains(&count)), "{by_length:?}");
        let mean = by_pass.iter().sum::<i32>() / by_pass.len() as i32;
        assert!(by_pass.iter().all(|&count| (count - mean).abs() < mean / 5), "{by_pass:?}");
        let draw = || alphabet.draw(Lengths::default(), &mut Seed(7).stream("test", 3));
        assert_eq!(draw(), draw());
    }
}
