//! The sequences to learn from.

/// Sequences of words, one behind the other in one list: 300,000 of them are one allocation.
///
/// A word is a number. Tables are as long as the largest number, so numbers should be small.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Corpus {
    words: Vec<u32>,
    ends: Vec<usize>,
}

impl Corpus {
    /// No sequences.
    #[must_use]
    pub fn new() -> Corpus {
        Corpus::default()
    }

    /// Adds a sequence behind the others.
    pub fn push(&mut self, words: impl IntoIterator<Item = u32>) {
        self.words.extend(words);
        self.ends.push(self.words.len());
    }

    /// How many sequences there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no sequences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The words of the sequence `index`.
    ///
    /// # Panics
    /// When there are not that many sequences.
    #[must_use]
    pub fn sequence(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.words[start..self.ends[index]]
    }

    /// The words of all sequences.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

impl<S: IntoIterator<Item = u32>> FromIterator<S> for Corpus {
    fn from_iter<I: IntoIterator<Item = S>>(sequences: I) -> Corpus {
        let mut corpus = Corpus::new();
        sequences.into_iter().for_each(|words| corpus.push(words));
        corpus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_come_out_as_they_went_in() {
        let corpus: Corpus = [vec![3, 1], vec![], vec![2]].into_iter().collect();
        assert_eq!(corpus.len(), 3);
        assert_eq!(
            [corpus.sequence(0), corpus.sequence(1), corpus.sequence(2)],
            [&[3, 1][..], &[], &[2]]
        );
    }
}
