//! The words that are learned.

use super::corpus::Corpus;
use super::noise::Noise;
use super::settings::Settings;
use base::Random;

/// The words that occur often enough.
pub(super) struct Vocabulary {
    /// By the corpus's number of a word: its row, or [`RARE`].
    rows: Vec<u32>,
    /// By row: the word is kept when 32 random bits are below this.
    kept_below: Vec<u64>,
    pub noise: Noise,
}

const RARE: u32 = u32::MAX;

impl Vocabulary {
    pub fn new(corpus: &Corpus, settings: &Settings) -> Vocabulary {
        let largest = corpus.words().iter().max();
        let mut counts = vec![0_u64; largest.map_or(0, |&word| word as usize + 1)];
        corpus.words().iter().for_each(|&word| counts[word as usize] += 1);
        let mut rows = vec![RARE; counts.len()];
        let mut frequent = Vec::new();
        for (row, &count) in rows.iter_mut().zip(&counts) {
            if count > 0 && count >= settings.min_count {
                *row = frequent.len() as u32;
                frequent.push(count);
            }
        }
        let threshold = settings.sample * frequent.iter().sum::<u64>() as f64;
        let kept_below = frequent.iter().map(|&n| kept_below(n as f64, threshold)).collect();
        Vocabulary { rows, kept_below, noise: Noise::new(&frequent) }
    }

    /// How many words are learned.
    pub fn len(&self) -> usize {
        self.kept_below.len()
    }

    /// The rows of those of `words` that are learned.
    #[inline(always)]
    pub fn rows(&self, words: &[u32]) -> impl Iterator<Item = u32> {
        words.iter().map(|&word| self.rows[word as usize]).filter(|&row| row != RARE)
    }

    /// Fills `kept` with the rows of the words that are learned this time: not the rare ones, and not
    /// those that are left out because they are frequent.
    #[inline(always)]
    pub fn keep(&self, words: &[u32], random: &mut Random, kept: &mut Vec<u32>) {
        kept.resize(words.len(), 0);
        let mut count = 0;
        for row in self.rows(words) {
            // Whether a word is kept can't be foreseen, so this has no branch.
            kept[count] = row;
            count += usize::from(random.next_u64() >> 32 < self.kept_below[row as usize]);
        }
        kept.truncate(count);
    }
}

/// A word is kept with probability √(t/n) + t/n, where it occurs n times and t is the threshold: the
/// formula of word2vec's code, which is not the one of its paper.
fn kept_below(count: f64, threshold: f64) -> u64 {
    const ALL: f64 = (1_u64 << 32) as f64;
    let ratio = threshold / count;
    let share = if threshold > 0.0 { ratio.sqrt() + ratio } else { 1.0 };
    (share * ALL).min(ALL) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    fn kept(corpus: &Corpus, settings: &Settings) -> Vec<u32> {
        let vocabulary = Vocabulary::new(corpus, settings);
        let mut kept = Vec::new();
        vocabulary.keep(corpus.words(), &mut Seed(1).stream("keep", 0), &mut kept);
        kept
    }

    #[test]
    fn rare_words_are_left_out() {
        let corpus: Corpus = [vec![4, 7, 4], vec![9, 9, 7, 9]].into_iter().collect();
        let settings = Settings { min_count: 2, sample: 0.0, ..Settings::SEQUENCES };
        assert_eq!(kept(&corpus, &settings), [0, 1, 0, 2, 2, 1, 2]);
        let settings = Settings { min_count: 3, ..settings };
        assert_eq!(kept(&corpus, &settings), [0, 0, 0]);
    }

    #[test]
    fn of_114_equally_frequent_words_45_in_100_are_kept() {
        let corpus: Corpus = (0..200).map(|_| 0..114).collect();
        let kept = kept(&corpus, &Settings::SEQUENCES).len();
        let share = kept as f64 / corpus.words().len() as f64;
        assert!((share - 0.4517).abs() < 0.01, "{share}");
    }
}
