//! Trains vectors for the sequences of a file and writes them:
//! `sequence_vectors CORPUS OUT [THREADS] [SEED] [PRACTICE]`.
//!
//! CORPUS has a sequence a line, its words as numbers with blanks between them. OUT gets the vectors as
//! little-endian 32-bit floats, one vector behind the other. Prints the seconds that it took to read and to
//! train.

use base::{Seed, Stopwatch};
use embedding::doc2vec::{Corpus, Settings, train};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, out, more @ ..] = &arguments[..] else {
        return Err("usage: sequence_vectors CORPUS OUT [THREADS] [SEED] [PRACTICE]".into());
    };
    let number = |at: usize, default: usize| more.get(at).map_or(Ok(default), |text| text.parse());
    let (threads, seed) = (number(0, 1)?, Seed(number(1, 1)? as u64));
    let practice = number(2, Settings::SEQUENCES.practice)?;

    let watch = Stopwatch::start();
    let mut sequences = Corpus::new();
    for line in std::fs::read_to_string(corpus)?.lines() {
        let words: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
        sequences.push(words?);
    }
    let read = watch.elapsed().as_secs_f64();
    let settings = Settings { practice, ..Settings::SEQUENCES };
    let vectors = train(&sequences, &settings, seed, threads);
    let trained = watch.elapsed().as_secs_f64() - read;
    let bytes: Vec<u8> = vectors.values().iter().flat_map(|value| value.to_le_bytes()).collect();
    std::fs::write(out, bytes)?;
    println!("{read:.3} {trained:.3}");
    Ok(())
}
