//! Sequences of words as vectors: paragraph vectors with distributed memory (PV-DM).
//!
//! Le and Mikolov, "Distributed Representations of Sentences and Documents", 2014, with the details of
//! gensim's `Doc2Vec`, which CTOS uses for optimisation sequences and for instructions (sections 3.2, 4.2).
//! The vector of a sequence and those of the words around a place are averaged, and the mean must tell the
//! word at that place from words that are drawn at random (negative sampling). So sequences with similar
//! words in similar order get similar vectors.
//!
//! In: a [`Corpus`], [`Settings`], a seed and a number of threads. Out: [`Vectors`], one for each
//! sequence. The number of threads has no say in them.
//!
//! ```
//! use embedding::doc2vec::{Corpus, Settings, train};
//!
//! let corpus: Corpus = [vec![1, 2, 3, 4], vec![1, 2, 4, 3], vec![7, 8, 9]].into_iter().collect();
//! let settings = Settings { dimensions: 8, min_count: 1, ..Settings::SEQUENCES };
//! let vectors = train(&corpus, &settings, base::Seed(1), 2);
//! assert_eq!((vectors.len(), vectors.dimensions()), (3, 8));
//! assert_eq!(vectors, train(&corpus, &settings, base::Seed(1), 1));
//! ```

mod corpus;
mod lanes;
mod matrices;
mod noise;
mod placement;
mod places;
mod reader;
mod sample;
mod scores;
mod settings;
mod sigmoid;
mod step;
mod train;
mod vectors;
mod vocabulary;

pub use corpus::Corpus;
pub use settings::Settings;
pub use train::train;
pub use vectors::Vectors;
