//! A text in tokens, and where a token and its partner stand.

use csyntax::{Token, TokenKind, tokens};
use std::collections::BTreeSet;
use std::ops::Range;

/// A text with its tokens.
#[derive(Debug)]
pub(crate) struct Lexed {
    pub text: Vec<u8>,
    pub tokens: Vec<Token>,
}

impl Lexed {
    pub fn new(text: &[u8]) -> Lexed {
        Lexed { text: text.to_vec(), tokens: tokens(text) }
    }

    /// The text of a token; empty behind the last one.
    pub fn word(&self, at: usize) -> &[u8] {
        self.tokens.get(at).map_or(b"", |token| &self.text[token.range.clone()])
    }

    pub fn is(&self, at: usize, what: &str) -> bool {
        self.word(at) == what.as_bytes()
    }

    pub fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// A name that is no keyword.
    pub fn is_name(&self, at: usize) -> bool {
        self.is_word(at)
            && std::str::from_utf8(self.word(at)).is_ok_and(|word| !csyntax::is_keyword(word))
    }

    /// The first token that begins at this byte or behind it.
    pub fn first_from(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.range.start < offset)
    }

    /// The token that begins at this byte.
    pub fn at(&self, offset: usize) -> Option<usize> {
        let at = self.first_from(offset);
        self.tokens.get(at).filter(|token| token.range.start == offset).map(|_| at)
    }

    /// The token that closes the bracket at `open`.
    pub fn partner(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The `(` that the `)` at `close` closes.
    pub fn opener(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=close).rev().find(|&at| {
            depth += i32::from(self.is(at, ")")) - i32::from(self.is(at, "("));
            depth == 0
        })
    }

    /// The bytes from one token to another, both included.
    pub fn span(&self, first: usize, last: usize) -> Range<usize> {
        self.tokens[first].range.start..self.tokens[last].range.end
    }

    /// Where nothing is changed, because it is no program: lines of the preprocessor, attributes,
    /// assembly, assertions for the compiler.
    pub fn untouchable(&self) -> Vec<Range<usize>> {
        const OPENERS: [&[u8]; 10] = [
            b"__attribute__",
            b"__attribute",
            b"__declspec",
            b"_Alignas",
            b"alignas",
            b"asm",
            b"__asm__",
            b"__asm",
            b"_Static_assert",
            b"static_assert",
        ];
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            if self.tokens[at].kind == TokenKind::Directive {
                found.push(self.tokens[at].range.clone());
            } else if OPENERS.contains(&self.word(at)) {
                let open = (at + 1..at + 4).find(|&open| self.is(open, "("));
                let last = open.and_then(|open| self.partner(open)).unwrap_or(at);
                found.push(self.span(at, last));
            }
        }
        found
    }

    /// All words of the text, those of directives and comments included: no new name may be one.
    pub fn words(&self) -> BTreeSet<String> {
        words(&self.text).collect()
    }

    /// The words of directives: what macros may name.
    pub fn directive_words(&self) -> BTreeSet<String> {
        let directives = self.tokens.iter().filter(|token| token.kind == TokenKind::Directive);
        directives.flat_map(|token| words(&self.text[token.range.clone()])).collect()
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = String> {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_' || *c == b'$';
    text.split(move |c| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(|word| String::from_utf8_lossy(word).into_owned())
}

/// Does an edit of `range` change what stands in `other`? An insertion at its border does not.
pub(crate) fn touches(range: &Range<usize>, other: &Range<usize>) -> bool {
    range.start < other.end && other.start < range.end
        || range.is_empty() && other.start < range.start && range.start < other.end
}

/// Sorts ranges and makes one of those that meet.
pub(crate) fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut found: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match found.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => found.push(range),
        }
    }
    found
}
