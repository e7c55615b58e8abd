//! What can be set about the training.

/// How vectors are trained. Where CTOS says nothing, the defaults are those of gensim 4.4, which CTOS
/// used (section 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many numbers a vector has; 100 (section 4.2).
    pub dimensions: usize,
    /// How far a word of the context may be from the word that is told: each time a distance is drawn
    /// between 1 and this. 3 for optimisation sequences, 5 for instructions (section 4.2).
    pub window: usize,
    /// How often all sequences are learned; 20 (section 4.2).
    pub epochs: usize,
    /// The learning rate at the start; 0.05 (section 4.2).
    pub alpha: f64,
    /// The learning rate at the end, to which it falls in a straight line; 0.0001 (gensim).
    pub min_alpha: f64,
    /// How many random words each word must be told from; 5 (gensim).
    pub negatives: usize,
    /// Words that are rarer than this in the whole corpus are left out; 5 (gensim).
    pub min_count: u64,
    /// Words that are a larger share of the corpus than this are left out at random, the more often the
    /// more frequent they are; 0 leaves none out. 0.001 (gensim), which leaves out 55 of 100 words when
    /// there are 114, all equally frequent. Each epoch leaves out others.
    pub sample: f64,
    /// How much is read to learn the words: sequences from all over the corpus that have so many words for
    /// each word of the vocabulary, or all of them. 3,000 (measured on 20,000 sequences of 114 words: with
    /// 2,000 sequences that are alike get as near to each other as gensim's, with 3,000 nearer, with 5,000
    /// nearer still).
    pub practice: usize,
}

impl Settings {
    /// For sequences of optimisations.
    pub const SEQUENCES: Settings = Settings {
        dimensions: 100,
        window: 3,
        epochs: 20,
        alpha: 0.05,
        min_alpha: 0.0001,
        negatives: 5,
        min_count: 5,
        sample: 0.001,
        practice: 3000,
    };

    /// For sequences of instructions.
    pub const INSTRUCTIONS: Settings = Settings { window: 5, ..Settings::SEQUENCES };

    /// The learning rate when `share` of an epoch is over.
    pub(super) fn rate(&self, epoch: usize, share: f64) -> f64 {
        let progress = (epoch as f64 + share) / self.epochs as f64;
        self.alpha - (self.alpha - self.min_alpha) * progress
    }
}
