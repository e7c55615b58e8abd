//! A few places of a sequence, and what each is to be told from.

use super::settings::Settings;
use super::sigmoid::sigmoid;
use super::vocabulary::Vocabulary;
use base::Random;
use std::ops::Range;

/// Rows that are read together, so that sums stay in registers: those of a word and of five others.
pub(super) const TILE: usize = 6;

/// Places of one sequence that are learned together.
pub(super) struct Places {
    /// The words of the sequence that are learned this time.
    kept: Vec<u32>,
    spans: Vec<Span>,
    /// How many targets a place has: a whole number of tiles.
    targets_each: usize,
    targets: Vec<u32>,
}

/// A place and the words around it.
struct Span {
    place: usize,
    around: Range<usize>,
}

/// What is to be learned at a place.
pub(super) struct Place<'a> {
    /// The words before and behind it.
    pub context: [&'a [u32]; 2],
    /// Its own word, then those to tell it from. Where the own word is drawn again, it does not count; so
    /// it also fills up the tile.
    pub targets: &'a [[u32; TILE]],
}

impl Places {
    pub fn new(settings: &Settings) -> Places {
        let targets_each = (1 + settings.negatives).next_multiple_of(TILE);
        Places { kept: Vec::new(), spans: Vec::new(), targets_each, targets: Vec::new() }
    }

    /// Begins with the sequence of these words; gives how many places it has this time.
    #[inline(always)]
    pub fn open(&mut self, words: &[u32], vocabulary: &Vocabulary, random: &mut Random) -> usize {
        vocabulary.keep(words, random, &mut self.kept);
        self.kept.len()
    }

    /// Goes to other places of the sequence.
    #[inline(always)]
    pub fn turn(
        &mut self,
        to: Range<usize>,
        settings: &Settings,
        vocabulary: &Vocabulary,
        random: &mut Random,
    ) {
        self.spans.clear();
        self.targets.resize(to.len() * self.targets_each, 0);
        for (place, targets) in to.zip(self.targets.chunks_exact_mut(self.targets_each)) {
            let reach = 1 + random.index(settings.window);
            let around = place.saturating_sub(reach)..(place + 1 + reach).min(self.kept.len());
            self.spans.push(Span { place, around });
            targets.fill(self.kept[place]);
            vocabulary.noise.draw(random, &mut targets[1..=settings.negatives]);
        }
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// How many targets all places have together.
    pub fn targets(&self) -> usize {
        self.targets.len()
    }

    /// How many tiles of targets each place has.
    pub fn tiles_each(&self) -> usize {
        self.targets_each / TILE
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = Place<'_>> {
        self.spans.iter().zip(self.targets.chunks_exact(self.targets_each)).map(
            |(span, targets)| {
                let before = &self.kept[span.around.start..span.place];
                let after = &self.kept[span.place + 1..span.around.end];
                Place { context: [before, after], targets: targets.as_chunks().0 }
            },
        )
    }

    /// Turns the scalar product for each target, with what a place has learned so far, into how far the
    /// target is to be pulled: the learning rate times the gradient of the loss
    /// −ln σ(own) − Σ ln σ(−other).
    #[inline(always)]
    pub fn pull(&self, products: &mut [f32], rate: f32) {
        for product in products.iter_mut() {
            *product = -rate * sigmoid(*product);
        }
        let pulls = products.chunks_exact_mut(self.targets_each);
        for (pulls, targets) in pulls.zip(self.targets.chunks_exact(self.targets_each)) {
            pulls[0] += rate;
            for (pull, target) in pulls.iter_mut().zip(targets).skip(1) {
                if *target == targets[0] {
                    *pull = 0.0;
                }
            }
        }
    }
}

#[cfg(test)]
impl Places {
    /// A single place, for tests.
    pub fn one(word: u32, context: &[u32], others: &[u32]) -> Places {
        let targets_each = (1 + others.len()).next_multiple_of(TILE);
        let mut targets = [&[word], others].concat();
        targets.resize(targets_each, word);
        let spans = vec![Span { place: 0, around: 0..1 + context.len() }];
        Places { kept: [&[word], context].concat(), spans, targets_each, targets }
    }
}
