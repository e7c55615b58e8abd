//! Vectors of small corpora.

use base::Seed;
use embedding::doc2vec::{Corpus, Settings, Vectors, train};

/// Sequences of 40 to 80 words, of 40; the last are the first again, with one word replaced, two neighbours
/// swapped, or one removed.
fn corpus(count: usize, partners: usize) -> Corpus {
    let mut random = Seed(1).stream("corpus", 0);
    let mut sequences: Vec<Vec<u32>> = Vec::new();
    for _ in 0..count - partners {
        let length = 40 + random.index(41);
        sequences.push((0..length).map(|_| random.index(40) as u32).collect());
    }
    for number in 0..partners {
        let mut words = sequences[number].clone();
        let at = random.index(words.len() - 1);
        match number % 3 {
            0 => words[at] = (words[at] + 1) % 40,
            1 => words.swap(at, at + 1),
            _ => drop(words.remove(at)),
        }
        sequences.push(words);
    }
    sequences.into_iter().collect()
}

/// How many vectors are at least as near to the vector `one` as `other` is.
fn rank(vectors: &Vectors, one: usize, other: usize) -> usize {
    let distance = |index: usize| -> f32 {
        vectors.row(one).iter().zip(vectors.row(index)).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let limit = distance(other);
    (0..vectors.len()).filter(|&index| index != one && distance(index) <= limit).count()
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let corpus = corpus(150, 0);
    // With few words for the dimensions, and with many: vectors are learned in two ways.
    for dimensions in [32, 10] {
        let settings = Settings { dimensions, epochs: 3, ..Settings::SEQUENCES };
        let one = train(&corpus, &settings, Seed(1), 1);
        for threads in [0, 2, 3] {
            assert_eq!(one, train(&corpus, &settings, Seed(1), threads), "{threads} threads");
        }
        assert_ne!(one, train(&corpus, &settings, Seed(2), 1));
    }
}

#[test]
fn sequences_with_one_change_are_neighbours() {
    let (count, partners) = (400, 60);
    let corpus = corpus(count, partners);
    let check = |what: &str, settings: &Settings, wanted: std::ops::Range<f64>| {
        let vectors = train(&corpus, settings, Seed(1), 2);
        let ranks = (0..partners).map(|one| rank(&vectors, one, count - partners + one));
        let reciprocal = ranks.map(|rank| 1.0 / rank as f64).sum::<f64>() / partners as f64;
        assert!(wanted.contains(&reciprocal), "{what}: {reciprocal}");
    };
    check("few words", &Settings { dimensions: 50, ..Settings::SEQUENCES }, 0.95..1.1);
    check("many words", &Settings { dimensions: 16, ..Settings::SEQUENCES }, 0.9..1.1);
    // Words that are learned from a quarter of the sequences will do for all.
    check("practice", &Settings { practice: 150, ..Settings::SEQUENCES }, 0.7..1.1);
    // All begin at the same point.
    check("untrained", &Settings { epochs: 0, ..Settings::SEQUENCES }, 0.0..0.1);
}

#[test]
fn equal_sequences_have_equal_vectors() {
    let mut corpus = corpus(30, 0);
    let words = corpus.sequence(3).to_vec();
    corpus.push(words);
    let vectors = train(&corpus, &Settings::SEQUENCES, Seed(1), 1);
    assert_eq!(vectors.row(3), vectors.row(30));
    assert_ne!(vectors.row(3), vectors.row(4));
}

#[test]
fn vectors_are_the_same_on_all_machines() {
    // These bits change only when the training does.
    let check = |dimensions: usize, expected: [u32; 3]| {
        let settings = Settings { dimensions, epochs: 5, ..Settings::SEQUENCES };
        let vectors = train(&corpus(40, 0), &settings, Seed(1), 2);
        let bits: Vec<u32> = vectors.row(39)[..3].iter().map(|value| value.to_bits()).collect();
        assert_eq!(bits, expected, "{dimensions}");
    };
    check(20, [3188273610, 1019678484, 3201399485]);
    check(18, [1027053111, 1051893344, 1048228702]);
}

#[test]
fn there_may_be_nothing_to_learn() {
    let nothing = train(&Corpus::new(), &Settings::SEQUENCES, Seed(1), 2);
    assert!(nothing.is_empty());
    let empty: Corpus = [vec![], vec![]].into_iter().collect();
    let vectors = train(&empty, &Settings::SEQUENCES, Seed(1), 2);
    assert_eq!(vectors.len(), 2);
    assert!(vectors.values().iter().all(|value| value.abs() <= 0.01));
}

#[test]
fn sequences_may_have_one_word() {
    let corpus: Corpus = (0..60).map(|number| vec![number % 3]).collect();
    let settings = Settings { dimensions: 10, sample: 0.0, ..Settings::SEQUENCES };
    let vectors = train(&corpus, &settings, Seed(1), 2);
    assert!(vectors.values().iter().all(|value| value.is_finite()));
    assert_eq!(vectors.row(0), vectors.row(57));
    assert_ne!(vectors.row(0), vectors.row(1));
    let one_word: Corpus = (0..20).map(|_| vec![7]).collect();
    assert!(train(&one_word, &settings, Seed(1), 1).values().iter().all(|value| value.is_finite()));
}

#[test]
fn rare_words_leave_no_trace() {
    let mut with: Vec<Vec<u32>> = (0..20).map(|n| vec![n % 4, 1, n % 3, 2, n % 5]).collect();
    let settings = Settings { dimensions: 10, min_count: 4, sample: 0.0, ..Settings::SEQUENCES };
    let without: Corpus = with.iter().cloned().collect();
    with[2].insert(1, 40);
    with[7].push(50);
    let with: Corpus = with.into_iter().collect();
    let learned = train(&with, &settings, Seed(1), 1);
    assert_eq!(learned, train(&without, &settings, Seed(1), 1));
    // A sequence of rare words stays where all began.
    let rare: Corpus = [vec![1], vec![2, 3]].into_iter().collect();
    let vectors = train(&rare, &settings, Seed(1), 1);
    assert_eq!(vectors.row(0), vectors.row(1));
}
