//! A text with its tokens: lines, brackets, lists.

use super::token::{Kind, Token, tokens};
use crate::Change;
use base::Edit;
use std::ops::Range;

/// A text with its tokens. Places are indices of tokens unless they are called bytes.
pub(crate) struct Source<'a> {
    pub text: &'a [u8],
    pub tokens: Vec<Token>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a [u8]) -> Source<'a> {
        Source { text, tokens: tokens(text) }
    }

    pub fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// A token's text; nothing if it is no UTF-8 or there is none.
    pub fn word(&self, at: usize) -> &'a str {
        let bytes = self.tokens.get(at).map_or(&[][..], |token| &self.text[token.range.clone()]);
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The name that a token stands for, without sigil, colon and quotes.
    pub fn name(&self, at: usize) -> &'a str {
        let word = self.word(at);
        let word = match self.kind(at) {
            Some(Kind::Label) => word.trim_end_matches(':'),
            Some(Kind::Local | Kind::Global | Kind::Comdat | Kind::Meta | Kind::Group) => {
                &word[1..]
            }
            _ => word,
        };
        word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word)
    }

    pub fn is(&self, at: usize, punct: u8) -> bool {
        self.kind(at) == Some(Kind::Punct(punct))
    }

    pub fn is_word(&self, at: usize, word: &str) -> bool {
        self.kind(at) == Some(Kind::Word) && self.word(at) == word
    }

    /// The bytes of some tokens.
    pub fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(range.start).map_or(self.text.len(), |t| t.range.start);
        let last = range.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.range.end).max(start)
    }

    /// The text of some tokens.
    pub fn slice(&self, range: &Range<usize>) -> &'a str {
        std::str::from_utf8(&self.text[self.bytes(range)]).unwrap_or_default()
    }

    /// The lines of some tokens, if nothing else stands on them: their bytes with the newline.
    /// Else only their bytes, and the space behind them.
    pub fn lines(&self, range: &Range<usize>) -> Range<usize> {
        let bytes = self.bytes(range);
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        let before = self.text[..bytes.start].iter().rev().take_while(|byte| space(byte)).count();
        let after = self.text[bytes.end..].iter().take_while(|byte| space(byte)).count();
        let mut end = bytes.end + after;
        if self.tokens.get(range.end).is_none_or(|next| next.first) {
            let line = self.text[end..].iter().position(|byte| *byte == b'\n');
            end = line.map_or(self.text.len(), |line| end + line + 1);
        } else {
            return bytes.start..end;
        }
        if self.tokens.get(range.start).is_some_and(|token| token.first) {
            bytes.start - before..end
        } else {
            // The newline ends what stands before.
            bytes.start..bytes.end
        }
    }

    /// The place behind the bracket that closes the one at `at`.
    pub fn close(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (place, token) in self.tokens.iter().enumerate().skip(at) {
            match token.kind {
                Kind::Punct(b'(' | b'[' | b'{' | b'<') => depth += 1,
                Kind::Punct(b')' | b']' | b'}' | b'>') => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(place + 1);
            }
        }
        None
    }

    /// The parts between commas of what two brackets hold.
    pub fn parts(&self, inner: Range<usize>) -> Vec<Range<usize>> {
        let (mut parts, mut start, mut at) = (Vec::new(), inner.start, inner.start);
        while at < inner.end {
            if self.is(at, b',') {
                parts.push(start..at);
                start = at + 1;
            }
            at = match self.kind(at) {
                Some(Kind::Punct(b'(' | b'[' | b'{' | b'<')) => self.close(at).unwrap_or(inner.end),
                _ => at + 1,
            };
        }
        if start < inner.end {
            parts.push(start..inner.end);
        }
        parts
    }

    /// Deletes elements of a list with commas; at least one must stay.
    pub fn keep_of_list(&self, elements: &[Range<usize>], keep: &[bool]) -> Change {
        let bytes = |at: usize| self.bytes(&elements[at]);
        let Some(first) = keep.iter().position(|keep| *keep) else { return Change::new() };
        let mut change = Change::new();
        if first > 0 {
            change.push(Edit::delete(bytes(0).start..bytes(first).start));
        }
        for at in (first + 1..elements.len()).filter(|at| !keep[*at]) {
            change.push(Edit::delete(bytes(at - 1).end..bytes(at).end));
        }
        change
    }

    /// Deletes one element of a list, which may be its last one.
    pub fn delete_of_list(&self, elements: &[Range<usize>], at: usize) -> Edit {
        let bytes = |at: usize| self.bytes(&elements[at]);
        Edit::delete(if at > 0 {
            bytes(at - 1).end..bytes(at).end
        } else if elements.len() > 1 {
            bytes(0).start..bytes(1).start
        } else {
            bytes(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_with_their_comments_and_newlines() {
        let text = "  a b ; c\n  d { e }\n";
        let source = Source::new(text.as_bytes());
        assert_eq!(&text[source.lines(&(0..2))], "  a b ; c\n");
        assert_eq!(&text[source.lines(&(4..5))], "e ");
        assert_eq!(&text[source.lines(&(3..6))], "{ e }");
    }
}
