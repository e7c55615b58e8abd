//! The oracle in a program that is known by its tokens only.

use super::is_oracle;
use crate::lexed::{Lexed, merged};
use csyntax::TokenKind;
use std::ops::Range;

/// The same by tokens alone: calls of the oracle's functions with the expression statement that
/// they are in, a condition in front of one, and every `return` of `main`.
#[must_use]
pub(crate) fn protected_tokens(lexed: &Lexed) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut main_end = None;
    for at in 0..lexed.tokens.len() {
        let word = lexed.word(at);
        if word == b"main" && lexed.is(at + 1, "(") {
            let body = lexed.partner(at + 1).map(|close| close + 1);
            main_end =
                body.filter(|&body| lexed.is(body, "{")).and_then(|body| lexed.partner(body));
        }
        let end =
            |from: usize| (from..lexed.tokens.len()).find(|&at| lexed.is(at, ";")).unwrap_or(from);
        if word == b"return" && main_end.is_some_and(|end| at < end) {
            found.push(lexed.span(at, end(at)));
        }
        let called = lexed.is_word(at)
            && lexed.is(at + 1, "(")
            && std::str::from_utf8(word).is_ok_and(is_oracle);
        if called {
            found.push(lexed.span(condition_before(lexed, at), end(at)));
        }
    }
    merged(found)
}

/// Where the statement of the call at `at` begins, or the `if (…)`, `while (…)` or `for (…)` in
/// front of it.
fn condition_before(lexed: &Lexed, at: usize) -> usize {
    let mut depth = 0;
    let mut start = at;
    while start > 0 {
        match lexed.word(start - 1) {
            b")" | b"]" => depth += 1,
            b"(" | b"[" => depth -= 1,
            b";" | b"}" | b":" if depth <= 0 => break,
            // A block that begins with the call: its condition feeds it too.
            b"{" if depth <= 0 && !follows_head(lexed, start - 1) => break,
            _ if lexed.tokens[start - 1].kind == TokenKind::Directive => break,
            _ => {}
        }
        start -= 1;
        if depth <= 0 && matches!(lexed.word(start), b"if" | b"while" | b"for") {
            break;
        }
    }
    start
}

/// Is the block at `open` the body of an `if` or a loop?
fn follows_head(lexed: &Lexed, open: usize) -> bool {
    let close = open.checked_sub(1).filter(|&close| lexed.is(close, ")"));
    let head = close.and_then(|close| lexed.opener(close)).and_then(|head| head.checked_sub(1));
    head.is_some_and(|head| matches!(lexed.word(head), b"if" | b"while" | b"for"))
}
