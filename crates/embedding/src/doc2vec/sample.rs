//! The sequences from which words are learned.

use super::corpus::Corpus;
use super::vocabulary::Vocabulary;

/// How often each word of the vocabulary is in the sample at least, if it is in the corpus so often.
const EACH: u32 = 100;

/// The numbers of sequences from all over the corpus that have about `words` words, and of further ones
/// that have words which are rare among these.
pub(super) fn sample(corpus: &Corpus, vocabulary: &Vocabulary, words: usize) -> Vec<usize> {
    let all = corpus.words().len().max(1);
    let count = (corpus.len() * words.min(all)).div_ceil(all);
    let mut chosen = vec![false; corpus.len()];
    let mut seen = vec![0_u32; vocabulary.len()];
    for index in (0..count).map(|number| number * corpus.len() / count) {
        chosen[index] = true;
        vocabulary.rows(corpus.sequence(index)).for_each(|row| seen[row as usize] += 1);
    }
    for (index, chosen) in chosen.iter_mut().enumerate().filter(|(_, chosen)| !**chosen) {
        let words = corpus.sequence(index);
        if vocabulary.rows(words).any(|row| seen[row as usize] < EACH) {
            *chosen = true;
            vocabulary.rows(words).for_each(|row| seen[row as usize] += 1);
        }
    }
    (0..corpus.len()).filter(|&index| chosen[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc2vec::Settings;

    fn check(corpus: &Corpus, words: usize, expected: &[usize]) {
        let settings = Settings { min_count: 1, ..Settings::SEQUENCES };
        assert_eq!(sample(corpus, &Vocabulary::new(corpus, &settings), words), expected);
    }

    #[test]
    fn sequences_are_taken_from_all_over_the_corpus() {
        let corpus: Corpus = (0..8).map(|_| vec![1; 200]).collect();
        check(&corpus, 800, &[0, 2, 4, 6]);
        check(&corpus, 5000, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(&Corpus::new(), 5000, &[]);
    }

    #[test]
    fn rare_words_get_their_sequences_in() {
        let mut sequences = vec![vec![1; 200]; 8];
        sequences[3].push(2);
        sequences[5] = vec![2; 120];
        sequences[7].push(2);
        check(&sequences.into_iter().collect(), 300, &[0, 3, 4, 5]);
    }
}
