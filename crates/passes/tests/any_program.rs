//! No text, however broken, makes the reader of programs fail other than with an error.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

use passes::program::{Passing, Program};
use proptest::prelude::*;

const MODULE: &str = include_str!("../src/program/samples/jumps.ll");
const PRINTED: &str = include_str!("../src/program/samples/jumps.printed");

/// Reads a program and, if it is one, sees what its documents count.
fn try_all(module: &[u8], printed: &[u8]) {
    if let Ok(program) = Program::read(module, printed, printed) {
        for passing in [Passing::Found, Passing::Selected] {
            let shares = program.shares(passing);
            assert_eq!(
                (program.documents().count(), program.document_count()),
                (shares.len(), shares.len())
            );
            assert!(shares.iter().all(|share| *share >= 0.0));
            for function in &program.functions {
                // Means of means: what they are of adds up to one.
                assert!((function.shares(passing).iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// A text without some of its bytes.
fn with_hole(text: &str, start: usize, len: usize) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    let start = start.min(text.len());
    text.drain(start..(start + len).min(text.len()));
    text
}

#[test]
fn the_whole_program_is_read() {
    let program = Program::read(MODULE.as_bytes(), PRINTED.as_bytes(), PRINTED.as_bytes()).unwrap();
    assert_eq!(program.functions.len(), 2);
    try_all(MODULE.as_bytes(), PRINTED.as_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]
    #[test]
    fn texts_with_holes_are_read(
        module in (0..MODULE.len(), 0usize..40),
        printed in (0..PRINTED.len(), 0usize..20),
    ) {
        let module = with_hole(MODULE, module.0, module.1);
        try_all(&module, PRINTED.as_bytes());
        try_all(&module, &with_hole(PRINTED, printed.0, printed.1));
        try_all(MODULE.as_bytes(), &with_hole(PRINTED, printed.0, printed.1));
    }

    #[test]
    fn lines_in_any_order_are_read(
        lines in proptest::collection::vec(prop::sample::select(MODULE.lines().collect::<Vec<_>>()), 0..30),
        printed in proptest::collection::vec(prop::sample::select(PRINTED.lines().collect::<Vec<_>>()), 0..30),
    ) {
        try_all(lines.join("\n").as_bytes(), printed.join("\n").as_bytes());
        try_all(lines.join("\n").as_bytes(), PRINTED.as_bytes());
        try_all(MODULE.as_bytes(), printed.join("\n").as_bytes());
    }
}
