//! Deletes runs of tokens, whatever they mean.

use crate::Change;
use base::Edit;
use csyntax::{TokenKind, Tree, tokens};

/// Runs of eight tokens down to one.
pub(super) const LISTS: usize = 8;

/// Larger texts have too many runs; the other transformations make them smaller.
const MOST_TOKENS: usize = 20_000;

/// One change for each run whose brackets match.
pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let text = tree.text();
    let tokens = tokens(text);
    if tokens.len() > MOST_TOKENS {
        return Vec::new();
    }
    let len = LISTS - list;
    tokens
        .windows(len)
        .filter(|run| {
            let mut open = Vec::new();
            run.iter().filter(|token| token.kind == TokenKind::Punctuation).all(|token| {
                match text[token.range.start] {
                    c @ (b'(' | b'[' | b'{') => open.push(c),
                    b')' => return open.pop() == Some(b'('),
                    b']' => return open.pop() == Some(b'['),
                    b'}' => return open.pop() == Some(b'{'),
                    _ => {}
                }
                true
            }) && open.is_empty()
        })
        .map(|run| vec![Edit::replace(run[0].range.start..run[len - 1].range.end, " ")])
        .collect()
}
