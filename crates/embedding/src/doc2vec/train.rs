//! Training: first of words, then of sequences.

use super::corpus::Corpus;
use super::lanes::random_rows;
use super::matrices::Matrices;
use super::placement::Placement;
use super::reader::Reader;
use super::sample::sample;
use super::settings::Settings;
use super::step::{Moving, Step};
use super::vectors::Vectors;
use super::vocabulary::Vocabulary;
use crate::parallel;
use base::Seed;

/// How many sequences a thread takes at a time: some milliseconds of work.
const PIECE: usize = 32;

/// Learns a vector for each sequence of the corpus. The same seed gives the same vectors, to the last bit,
/// on any machine and for any number of threads. Equal sequences get equal vectors.
///
/// A sequence without a word that is frequent enough keeps the vector that all start with, near 0.
///
/// Deviation: gensim learns words and all sequences in one go, by threads that overwrite each other's
/// results. Here words are learned first, by one thread and from as many sequences as
/// [`Settings::practice`] says. Then all sequences are placed among the words, which stay as they are, as
/// gensim does with sequences that it has not seen. So no sequence depends on another, it takes less time,
/// and sequences that are alike get nearer to each other (`scripts/bench-doc2vec` measures it).
///
/// Rejected: to learn blocks of sequences with copies of the words, and put the copies together. With a
/// hundred words the sum of what eight blocks of 15 sequences learned overshoots until it is infinite, and
/// their mean learns an eighth. Sums over so few places that they don't overshoot (500) are as good as
/// learning one by one, but threads that meet every 50 µs wait most of the time on a busy machine.
///
/// # Panics
/// When the settings have no dimensions or no window.
#[must_use]
pub fn train(corpus: &Corpus, settings: &Settings, seed: Seed, threads: usize) -> Vectors {
    let dimensions = settings.dimensions;
    assert!(dimensions > 0 && settings.window > 0, "{settings:?} leave nothing to learn");
    let vocabulary = Vocabulary::new(corpus, settings);
    let matrices = learn_words(corpus, &vocabulary, settings, seed);
    let placement = Placement::new(settings, &vocabulary, matrices, seed.stream("sequence", 0));

    let mut values = vec![0.0; corpus.len() * dimensions];
    let pieces = values.chunks_mut(PIECE * dimensions).enumerate();
    parallel::map(pieces, threads, |(piece, rows)| {
        let mut reader = placement.reader();
        for (number, row) in rows.chunks_exact_mut(dimensions).enumerate() {
            let words = corpus.sequence(piece * PIECE + number);
            let vector = placement.vector(words, &mut reader);
            let numbers = vector.iter().flat_map(|lanes| lanes.0);
            row.iter_mut().zip(numbers).for_each(|(value, number)| *value = number);
        }
    });
    Vectors::new(dimensions, values)
}

/// Learns words, and the vectors of the sequences that they are learned from, which are then forgotten.
fn learn_words(
    corpus: &Corpus,
    vocabulary: &Vocabulary,
    settings: &Settings,
    seed: Seed,
) -> Matrices {
    let mut random = seed.stream("words", 0);
    let mut matrices = Matrices::new(vocabulary, settings, &mut random);
    let sample = sample(corpus, vocabulary, settings.practice.saturating_mul(vocabulary.len()));
    let mut vectors = random_rows(sample.len(), settings.dimensions, &mut random);
    let mut reader = Reader::new(settings, vocabulary);
    let (mut step, groups) = (Step::default(), matrices.groups);
    for epoch in 0..settings.epochs {
        let rate = |number: usize| settings.rate(epoch, number as f64 / sample.len() as f64);
        for (number, vector) in vectors.chunks_exact_mut(groups).enumerate() {
            let rates = [rate(number), rate(number + 1)];
            let mut learner = Moving { matrices: &mut matrices, vector, step: &mut step };
            reader.read(corpus.sequence(sample[number]), rates, &mut random, &mut learner);
        }
    }
    matrices
}
