//! Textual LLVM IR as tokens with their places.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A keyword, a type's name or a number: `add`, `i32`, `-1`, `0x7FF0`, `...`.
    Word,
    /// A word or string with a colon: `entry:`; also the fields of debug info: `name:`.
    Label,
    /// `%x`: a value, a block or a type.
    Local,
    /// `@x`.
    Global,
    /// `$x`.
    Comdat,
    /// `!x`: a node, a kind of attachment, a debug record's class.
    Meta,
    /// `#0`: a group of attributes.
    Group,
    /// `"…"` or `c"…"`.
    Text,
    /// One character.
    Punct(u8),
}

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Nothing but space stands before it on its line.
    pub first: bool,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_' | b'\\')
}

/// All tokens of a text; comments and space are between them. Any text has tokens.
pub(crate) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut at, mut first) = (0, true);
    while at < text.len() {
        match text[at] {
            b'\n' => (at, first) = (at + 1, true),
            byte if byte.is_ascii_whitespace() => at += 1,
            b';' => at = run(text, at, |byte| byte != b'\n'),
            _ => {
                let (kind, end) = token(text, at);
                tokens.push(Token { kind, range: at..end, first });
                (at, first) = (end, false);
            }
        }
    }
    tokens
}

fn run(text: &[u8], at: usize, of: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().position(|byte| !of(*byte)).map_or(text.len(), |len| at + len)
}

/// The end of the string whose first quote is at `at`. There are no escaped quotes: `\22` is one.
fn string(text: &[u8], at: usize) -> usize {
    (run(text, at + 1, |byte| byte != b'"') + 1).min(text.len())
}

fn name(text: &[u8], at: usize) -> usize {
    if text.get(at) == Some(&b'"') { string(text, at) } else { run(text, at, is_name) }
}

fn token(text: &[u8], at: usize) -> (Kind, usize) {
    let labelled = |kind, end: usize| {
        if text.get(end) == Some(&b':') { (Kind::Label, end + 1) } else { (kind, end) }
    };
    let sigil = |kind, end: usize| {
        if end > at + 1 { (kind, end) } else { (Kind::Punct(text[at]), end) }
    };
    match text[at] {
        b'"' => labelled(Kind::Text, string(text, at)),
        b'c' if text.get(at + 1) == Some(&b'"') => (Kind::Text, string(text, at + 1)),
        b'%' => sigil(Kind::Local, name(text, at + 1)),
        b'@' => sigil(Kind::Global, name(text, at + 1)),
        b'$' => sigil(Kind::Comdat, name(text, at + 1)),
        b'!' => sigil(Kind::Meta, run(text, at + 1, is_name)),
        b'#' => match run(text, at + 1, is_name) {
            end if text[at + 1..end].iter().all(u8::is_ascii_digit) => sigil(Kind::Group, end),
            // A debug record: `#dbg_value`.
            end => (Kind::Word, end),
        },
        byte if is_name(byte) => {
            // The plus is for exponents.
            labelled(Kind::Word, run(text, at, |byte| is_name(byte) || byte == b'+'))
        }
        byte => (Kind::Punct(byte), at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(Kind, &str)]) {
        let found = tokens(text.as_bytes());
        let found: Vec<_> = found.iter().map(|t| (t.kind, &text[t.range.clone()])).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn every_kind_of_token_is_told() {
        use Kind::*;
        check(
            "%\"a b\" = fadd double 1.0e+05, -1 ; %x\nbb.1: \"l\": @f #0 $c !dbg !{!\"s\"} c\"\\22\"",
            &[
                (Local, "%\"a b\""),
                (Punct(b'='), "="),
                (Word, "fadd"),
                (Word, "double"),
                (Word, "1.0e+05"),
                (Punct(b','), ","),
                (Word, "-1"),
                (Label, "bb.1:"),
                (Label, "\"l\":"),
                (Global, "@f"),
                (Group, "#0"),
                (Comdat, "$c"),
                (Meta, "!dbg"),
                (Punct(b'!'), "!"),
                (Punct(b'{'), "{"),
                (Punct(b'!'), "!"),
                (Text, "\"s\""),
                (Punct(b'}'), "}"),
                (Text, "c\"\\22\""),
            ],
        );
        check(
            "#dbg_value(...)",
            &[(Word, "#dbg_value"), (Punct(b'('), "("), (Word, "..."), (Punct(b')'), ")")],
        );
        check("\"open", &[(Text, "\"open")]);
    }

    #[test]
    fn the_first_token_of_a_line_is_marked() {
        let firsts: Vec<bool> = tokens(b"a b\n  c").iter().map(|token| token.first).collect();
        assert_eq!(firsts, [true, false, true]);
    }
}
