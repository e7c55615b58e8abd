//! Goes through a sequence, so that something can be learned from it.

use super::places::Places;
use super::settings::Settings;
use super::vocabulary::Vocabulary;
use base::Random;

/// How many places are learned before the vector of their sequence moves. Measured: 1 to 16 are equally
/// good, and with 4 the processor need not wait for the sums of one.
const TOGETHER: usize = 4;

/// What learns from places. Its methods are to be `#[inline(always)]`, which compiles them for the same
/// processor as the reader.
pub(super) trait Learner {
    /// Learns from places of a sequence, at a learning rate.
    fn learn(&mut self, places: &Places, rate: f32);
}

pub(super) struct Reader<'a> {
    settings: &'a Settings,
    vocabulary: &'a Vocabulary,
    places: Places,
}

impl<'a> Reader<'a> {
    pub fn new(settings: &'a Settings, vocabulary: &'a Vocabulary) -> Reader<'a> {
        Reader { settings, vocabulary, places: Places::new(settings) }
    }

    /// Goes through the sequence of these words, with a learning rate that falls from the first of `rates`
    /// to the second.
    pub fn read<L: Learner>(
        &mut self,
        words: &[u32],
        rates: [f64; 2],
        random: &mut Random,
        learner: &mut L,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor was just seen to have what the function is compiled for.
            return unsafe { self.walk_avx2(words, rates, random, learner) };
        }
        self.walk(words, rates, random, learner);
    }

    /// [`Reader::walk`], compiled for processors of the last ten years.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn walk_avx2<L: Learner>(
        &mut self,
        words: &[u32],
        rates: [f64; 2],
        random: &mut Random,
        learner: &mut L,
    ) {
        self.walk(words, rates, random, learner);
    }

    #[inline(always)]
    fn walk<L: Learner>(
        &mut self,
        words: &[u32],
        [from, to]: [f64; 2],
        random: &mut Random,
        learner: &mut L,
    ) {
        let Reader { settings, vocabulary, places } = self;
        let all = places.open(words, vocabulary, random);
        for first in (0..all).step_by(TOGETHER) {
            places.turn(first..(first + TOGETHER).min(all), settings, vocabulary, random);
            let progress = first as f64 / all as f64;
            learner.learn(places, (from + (to - from) * progress) as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::corpus::Corpus;
    use super::super::matrices::Matrices;
    use super::super::step::{Moving, Step};
    use super::*;
    use base::Seed;

    #[test]
    fn the_width_of_registers_does_not_change_a_bit() {
        let corpus: Corpus =
            [(0..200).map(|n| n * n % 23).collect::<Vec<_>>()].into_iter().collect();
        let settings = Settings { dimensions: 40, sample: 0.0, ..Settings::INSTRUCTIONS };
        let vocabulary = Vocabulary::new(&corpus, &settings);
        let start = Matrices::new(&vocabulary, &settings, &mut Seed(1).stream("start", 0));
        let learn = |wide: bool| {
            let (mut matrices, mut vector) = (start.clone(), start.words[..3].to_vec());
            let mut random = Seed(1).stream("learn", 0);
            let mut reader = Reader::new(&settings, &vocabulary);
            let (matrices_, vector_) = (&mut matrices, &mut vector);
            let step = &mut Step::default();
            let mut learner = Moving { matrices: matrices_, vector: vector_, step };
            for _ in 0..5 {
                if wide {
                    reader.read(corpus.sequence(0), [0.2, 0.1], &mut random, &mut learner);
                } else {
                    reader.walk(corpus.sequence(0), [0.2, 0.1], &mut random, &mut learner);
                }
            }
            (matrices, vector)
        };
        let (plain, wide) = (learn(false), learn(true));
        assert_ne!(plain.0.outputs, start.outputs);
        assert_eq!(plain, wide);
    }
}
