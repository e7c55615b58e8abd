//! Learns the vector of a sequence without touching it, while words stay as they are.
//!
//! All that learning asks of the vector is its scalar product with outputs, and all it does is to add
//! outputs to it. So the products with all outputs are kept instead, the score of each word; to add an
//! output to the vector is to add its products with all outputs to the scores. How much of each output was
//! added makes the vector in the end. With a hundred words and a hundred dimensions this takes two thirds
//! of the time.

use super::lanes::{Lanes, WIDTH, groups};
use super::matrices::{Matrices, add_scaled, rows};
use super::places::{Places, TILE};
use super::reader::Learner;

/// Scalar products of what does not move, a row of them for each word.
pub(super) struct Products {
    /// Of a row.
    groups: usize,
    /// The output of a word, times each output.
    outputs: Vec<Lanes>,
    /// What a word is in a context, times each output.
    words: Vec<Lanes>,
}

impl Products {
    /// Whether tables of products are worth it: they have the square of the number of words.
    pub fn pay(words: usize, dimensions: usize) -> bool {
        words <= 2 * dimensions
    }

    pub fn new(matrices: &Matrices) -> Products {
        let count = matrices.outputs.len() / matrices.groups;
        let table = |rows: &[Lanes]| {
            rows.chunks_exact(matrices.groups).flat_map(|row| scores(row, matrices)).collect()
        };
        let (outputs, words) = (table(&matrices.outputs), table(&matrices.words));
        Products { groups: groups(count), outputs, words }
    }
}

/// The products of a vector with all outputs.
pub(super) fn scores(vector: &[Lanes], matrices: &Matrices) -> Vec<Lanes> {
    let words = matrices.outputs.len() / matrices.groups;
    let mut scores = vec![Lanes::ZERO; groups(words)];
    for (word, output) in matrices.outputs.chunks_exact(matrices.groups).enumerate() {
        let product = |(a, b): (&Lanes, &Lanes)| a.times(b);
        let sum = vector.iter().zip(output).map(product).fold(Lanes::ZERO, |sum, p| sum.plus(&p));
        scores[word / WIDTH].0[word % WIDTH] = sum.folded().iter().sum();
    }
    scores
}

/// What a sequence has learned.
pub(super) struct Scores<'a> {
    products: &'a Products,
    scores: Vec<Lanes>,
    /// How much of each output was added.
    added: Vec<Lanes>,
    pulls: Vec<f32>,
}

impl<'a> Scores<'a> {
    /// For a vector that has `scores`.
    pub fn new(products: &'a Products, scores: Vec<Lanes>) -> Scores<'a> {
        let added = vec![Lanes::ZERO; scores.len()];
        Scores { products, scores, added, pulls: Vec::new() }
    }

    /// Adds all that was learned to the vector.
    pub fn add_to(&self, vector: &mut [Lanes], matrices: &Matrices) {
        for (word, output) in matrices.outputs.chunks_exact(matrices.groups).enumerate() {
            let factor = at(&self.added, word as u32);
            for (sum, output) in vector.iter_mut().zip(output) {
                *sum = sum.plus(&output.scaled(factor));
            }
        }
    }
}

impl Learner for Scores<'_> {
    #[inline(always)]
    fn learn(&mut self, places: &Places, rate: f32) {
        let groups = self.products.groups;
        self.pulls.clear();
        for place in places.iter() {
            let first = self.pulls.len();
            let targets = place.targets.as_flattened();
            self.pulls.extend(targets.iter().map(|&target| at(&self.scores, target)));
            let products = &mut self.pulls[first..];
            let mut vectors = 1;
            for &word in place.context.iter().copied().flatten() {
                let row = &self.products.words[word as usize * groups..][..groups];
                for (product, &target) in products.iter_mut().zip(targets) {
                    *product += at(row, target);
                }
                vectors += 1;
            }
            let share = 1.0 / vectors as f32;
            products.iter_mut().for_each(|product| *product *= share);
        }
        places.pull(&mut self.pulls, rate);
        let (tiles, _) = self.pulls.as_chunks::<TILE>();
        let targets = places.iter().flat_map(|place| place.targets);
        for (targets, pulls) in targets.zip(tiles) {
            add_scaled(&mut self.scores, rows(&self.products.outputs, targets, groups), pulls);
            for (&target, pull) in targets.iter().zip(pulls) {
                self.added[target as usize / WIDTH].0[target as usize % WIDTH] += pull;
            }
        }
    }
}

#[inline(always)]
fn at(row: &[Lanes], index: u32) -> f32 {
    row[index as usize / WIDTH].0[index as usize % WIDTH]
}

#[cfg(test)]
mod tests {
    use super::super::corpus::Corpus;
    use super::super::lanes::random_rows;
    use super::super::reader::Reader;
    use super::super::settings::Settings;
    use super::super::step::{Fixed, Step};
    use super::super::vocabulary::Vocabulary;
    use super::*;
    use base::Seed;

    #[test]
    fn scores_lead_to_the_vector_that_is_learned_without_them() {
        let corpus: Corpus =
            [(0..100).map(|n| n * n % 29).collect::<Vec<_>>()].into_iter().collect();
        let settings =
            Settings { dimensions: 24, min_count: 1, sample: 0.0, ..Settings::INSTRUCTIONS };
        let vocabulary = Vocabulary::new(&corpus, &settings);
        let mut random = Seed(1).stream("matrices", 0);
        let mut matrices = Matrices::new(&vocabulary, &settings, &mut random);
        matrices.outputs = random_rows(vocabulary.len(), 24, &mut random);
        matrices.outputs.iter_mut().for_each(|lanes| *lanes = lanes.scaled(20.0));
        let start = random_rows(1, 24, &mut random);
        let mut reader = Reader::new(&settings, &vocabulary);

        let mut plain = start.clone();
        let step = &mut Step::default();
        let mut fixed = Fixed { matrices: &matrices, vector: &mut plain, step };
        let rates = [0.5, 0.1];
        reader.read(corpus.sequence(0), rates, &mut Seed(1).stream("learn", 0), &mut fixed);

        let products = Products::new(&matrices);
        let mut learned = Scores::new(&products, scores(&start, &matrices));
        reader.read(corpus.sequence(0), rates, &mut Seed(1).stream("learn", 0), &mut learned);
        let mut scored = start.clone();
        learned.add_to(&mut scored, &matrices);

        let far =
            |(a, b): (&Lanes, &Lanes)| a.plus(&b.scaled(-1.0)).0.iter().any(|d| d.abs() > 1e-4);
        assert!(!plain.iter().zip(&scored).any(far), "{plain:?} {scored:?}");
        assert!(plain.iter().zip(&start).any(far), "{plain:?}");
    }
}
