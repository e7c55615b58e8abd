//! Sequences of words as vectors, clusters of vectors, and a diverse choice among them.
//!
//! In: sequences of words, given as numbers, and a seed. Out: a vector for each sequence ([`doc2vec`]),
//! clusters of vectors ([`xmeans`]), and the numbers of those that stand for all ([`choose`]); or, without
//! vectors, sequences in which all pairs of words occur ([`covering`]). Passes and instructions are words
//! to it: it has never heard of compilers.

pub mod choose;
pub mod covering;
pub mod doc2vec;
pub mod points;
pub mod xmeans;

mod distance;
mod parallel;
