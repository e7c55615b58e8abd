//! Puts sequences in their places among words that stay as they are.

use super::lanes::{Lanes, random_rows};
use super::matrices::Matrices;
use super::reader::{Learner, Reader};
use super::scores::{Products, Scores, scores};
use super::settings::Settings;
use super::step::{Fixed, Step};
use super::vocabulary::Vocabulary;
use base::Random;

/// Where all sequences start: at the same vector and with the same random draws, so that only their words
/// make a difference.
pub(super) struct Placement<'a> {
    settings: &'a Settings,
    vocabulary: &'a Vocabulary,
    matrices: Matrices,
    start: Vec<Lanes>,
    random: Random,
    /// The products of words, and the scores of `start`, when they pay.
    by_scores: Option<(Products, Vec<Lanes>)>,
}

impl<'a> Placement<'a> {
    pub fn new(
        settings: &'a Settings,
        vocabulary: &'a Vocabulary,
        matrices: Matrices,
        mut random: Random,
    ) -> Placement<'a> {
        let start = random_rows(1, settings.dimensions, &mut random);
        let by_scores = Products::pay(vocabulary.len(), settings.dimensions)
            .then(|| (Products::new(&matrices), scores(&start, &matrices)));
        Placement { settings, vocabulary, matrices, start, random, by_scores }
    }

    pub fn reader(&self) -> Reader<'a> {
        Reader::new(self.settings, self.vocabulary)
    }

    /// The vector of the sequence of these words.
    pub fn vector(&self, words: &[u32], reader: &mut Reader) -> Vec<Lanes> {
        let mut vector = self.start.clone();
        if let Some((products, scores)) = &self.by_scores {
            let mut learned = Scores::new(products, scores.clone());
            self.learn(words, reader, &mut learned);
            learned.add_to(&mut vector, &self.matrices);
        } else {
            let (matrices, step) = (&self.matrices, &mut Step::default());
            self.learn(words, reader, &mut Fixed { matrices, vector: &mut vector, step });
        }
        vector
    }

    fn learn<L: Learner>(&self, words: &[u32], reader: &mut Reader, learner: &mut L) {
        let mut random = self.random.clone();
        for epoch in 0..self.settings.epochs {
            let rates = [self.settings.rate(epoch, 0.0), self.settings.rate(epoch, 1.0)];
            reader.read(words, rates, &mut random, learner);
        }
    }
}
