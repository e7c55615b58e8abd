//! The bytes of a seed never change within a version.
//!
//! If this fails you changed what some seed means. If that was intended, raise `VERSION` in
//! `src/seed.rs` and put the ids that the failure prints into the table; seeds in old reports are
//! then refused instead of giving another program.

use base::{ContentId, Seed};
use cgen::{DataModel, Options, Size, Standard, VERSION, generate};

/// Standard, seed, and the id of all bytes of all files and of the expected checksum.
const GOLDEN: [(Standard, u64, &str); 14] = [
    (Standard::C99, 1, "484e9a5e17ce"),
    (Standard::C99, 2, "7558ad2cbfd9"),
    (Standard::C11, 3, "37ca1a730d78"),
    (Standard::C11, 4, "b41184596b81"),
    (Standard::C17, 5, "2e91c447f31d"),
    (Standard::C17, 6, "7c5801c796a0"),
    (Standard::Cxx11, 7, "f416350fd9ce"),
    (Standard::Cxx11, 8, "1f635e49ae74"),
    (Standard::Cxx14, 9, "c3194f5e13fc"),
    (Standard::Cxx14, 10, "60f08ce36d36"),
    (Standard::Cxx17, 11, "bb5660003828"),
    (Standard::Cxx17, 12, "8506365f9c0d"),
    (Standard::Cxx20, 13, "c2eacb62edc1"),
    (Standard::Cxx20, 14, "33807ad9f3a2"),
];

fn id(standard: Standard, seed: u64) -> String {
    // All combinations of model and form are met; one medium program is enough.
    let model = if seed.is_multiple_of(3) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let size = if seed == 6 { Size::Medium } else { Size::Small };
    let mut options = Options::new(standard, model, size);
    options.single = seed.is_multiple_of(4);
    let program = generate(Seed(seed), &options);
    let mut all = Vec::new();
    for file in &program.files {
        all.extend_from_slice(file.name.as_bytes());
        all.extend_from_slice(&file.bytes);
    }
    all.extend_from_slice(&program.expected.to_le_bytes());
    ContentId::of(&all).short()
}

#[test]
fn seeds_mean_the_same_programs_for_ever() {
    let found: Vec<_> =
        GOLDEN.iter().map(|(std, seed, _)| (*std, *seed, id(*std, *seed))).collect();
    let same = found.iter().zip(&GOLDEN).all(|(found, golden)| found.2 == golden.2);
    assert!(same, "version {VERSION} now gives {found:#?}");
}
