//! Changes to a text by exact byte ranges; everything else stays byte for byte.

use std::ops::Range;

/// One replacement: these bytes by those.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What goes, in bytes of the text.
    pub range: Range<usize>,
    /// What comes.
    pub with: Vec<u8>,
}

impl Edit {
    /// Deletes a range.
    #[must_use]
    pub fn delete(range: Range<usize>) -> Edit {
        Edit { range, with: Vec::new() }
    }

    /// Replaces a range.
    #[must_use]
    pub fn replace(range: Range<usize>, with: impl Into<Vec<u8>>) -> Edit {
        Edit { range, with: with.into() }
    }

    /// Applies edits to a text, whatever their order. Of two that overlap the wider one is made
    /// (the first given, when they are the same); insertions at one place stay in the order given.
    ///
    /// ```
    /// use base::Edit;
    /// let edits = [Edit::replace(4..5, "y"), Edit::delete(0..4), Edit::delete(1..2)];
    /// assert_eq!(Edit::apply(&edits, b"int x;"), b"y;");
    /// ```
    #[must_use]
    pub fn apply<'a>(edits: impl IntoIterator<Item = &'a Edit>, text: &[u8]) -> Vec<u8> {
        let mut edits: Vec<&Edit> = edits.into_iter().collect();
        edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        let mut last: Option<&Edit> = None;
        for edit in edits {
            // An insertion at the very place where a replacement has just ended is not inside it.
            let repeated =
                last.is_some_and(|last| last.range == edit.range && !edit.range.is_empty());
            if edit.range.start < at || repeated {
                continue;
            }
            out.extend_from_slice(&text[at..edit.range.start]);
            out.extend_from_slice(&edit.with);
            at = edit.range.end;
            last = Some(edit);
        }
        out.extend_from_slice(&text[at..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_apply_in_any_order_and_the_wider_one_wins() {
        let check = |edits: &[Edit], expect: &str| {
            let text = b"0123456789";
            let mut reversed = edits.to_vec();
            reversed.reverse();
            assert_eq!(String::from_utf8(Edit::apply(edits, text)).unwrap(), expect);
            assert_eq!(String::from_utf8(Edit::apply(&reversed, text)).unwrap(), expect);
        };
        check(&[], "0123456789");
        check(&[Edit::delete(0..10), Edit::replace(3..4, "x")], "");
        check(&[Edit::replace(2..4, "x"), Edit::replace(8..9, "y")], "01x4567y9");
        check(&[Edit::replace(2..6, "x"), Edit::delete(4..8)], "01x6789");
        check(&[Edit::delete(2..4), Edit::replace(4..4, "+")], "01+456789");
        check(&[Edit::delete(2..4), Edit::delete(2..4)], "01456789");
    }
}
