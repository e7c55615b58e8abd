//! The bytes of a seed never change within a version.
//!
//! If this fails you changed what some seed means. If that was intended, raise `VERSION` in
//! `src/seed.rs` and put the ids that the failure prints into the table; seeds in old reports are
//! then refused instead of giving another program.

use base::{ContentId, Seed};
use cgen::{ConstructSet, DataModel, Options, Size, Standard, VERSION, generate};

/// The paper's constructs: standard, seed, and the id of all files but for their first lines, and of
/// the expected checksum.
const PAPER: [(Standard, u64, &str); 14] = [
    (Standard::C99, 1, "b5de5ae85237"),
    (Standard::C99, 2, "46b104c200ed"),
    (Standard::C11, 3, "a8308d6e7487"),
    (Standard::C11, 4, "f6cde27cf587"),
    (Standard::C17, 5, "7f6f5af1ba93"),
    (Standard::C17, 6, "aefabc5d6531"),
    (Standard::Cxx11, 7, "95f477b75669"),
    (Standard::Cxx11, 8, "e298bec5157f"),
    (Standard::Cxx14, 9, "f90ebb13dfac"),
    (Standard::Cxx14, 10, "289a95b73b81"),
    (Standard::Cxx17, 11, "0b3c4b40e3ac"),
    (Standard::Cxx17, 12, "c551a0967fe1"),
    (Standard::Cxx20, 13, "0bff83fe1908"),
    (Standard::Cxx20, 14, "fe531522766d"),
];

/// All constructs, likewise.
const ALL: [(Standard, u64, &str); 7] = [
    (Standard::C99, 4, "302ad6cfe598"),
    (Standard::C11, 5, "5fa785ef9bdf"),
    (Standard::C17, 3, "1e3c24a5deaa"),
    (Standard::Cxx11, 7, "c36a869efa58"),
    (Standard::Cxx14, 8, "22ed0ebae63d"),
    (Standard::Cxx17, 9, "8aacdce02a31"),
    (Standard::Cxx20, 10, "31ff21887de3"),
];

fn id(standard: Standard, seed: u64, constructs: ConstructSet) -> String {
    // All combinations of model and form are met; one medium program is enough.
    let model = if seed.is_multiple_of(3) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let size = if seed == 6 { Size::Medium } else { Size::Small };
    let mut options = Options::new(standard, model, size);
    options.constructs = constructs;
    options.single = seed.is_multiple_of(4);
    let program = generate(Seed(seed), &options);
    let mut all = Vec::new();
    for file in &program.files {
        all.extend_from_slice(file.name.as_bytes());
        // The first line tells the options, which may get new names.
        let first = file.bytes.iter().position(|byte| *byte == b'\n').expect("a line");
        all.extend_from_slice(&file.bytes[first..]);
    }
    all.extend_from_slice(&program.expected.to_le_bytes());
    ContentId::of(&all).short()
}

fn check(golden: &[(Standard, u64, &str)], constructs: ConstructSet) {
    let found: Vec<_> =
        golden.iter().map(|(std, seed, _)| (*std, *seed, id(*std, *seed, constructs))).collect();
    let same = found.iter().zip(golden).all(|(found, golden)| found.2 == golden.2);
    assert!(same, "version {VERSION} now gives {found:#?}");
}

#[test]
fn seeds_mean_the_same_programs_of_the_papers_constructs_for_ever() {
    check(&PAPER, ConstructSet::Paper);
}

#[test]
fn seeds_mean_the_same_programs_of_all_constructs_within_a_version() {
    check(&ALL, ConstructSet::All);
}
