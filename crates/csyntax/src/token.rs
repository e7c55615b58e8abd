//! The tokens of a C or C++ text, without a compiler's help.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    /// An integer or a floating number, with its suffix.
    Number,
    /// A string, with its prefix.
    String,
    /// A character, with its prefix.
    Character,
    /// An operator or a bracket.
    Punctuation,
    /// A whole line of the preprocessor.
    Directive,
    /// A byte that C has no use for.
    Stray,
}

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// Longest first, so that the longest that fits is taken.
const PUNCTUATION: [&[u8]; 25] = [
    b"<<=", b">>=", b"...", b"->*", b"<=>", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==",
    b"!=", b"&&", b"||", b"*=", b"/=", b"%=", b"+=", b"-=", b"&=", b"^=", b"|=", b"::",
];

/// Words that C11 keeps for itself.
const KEYWORDS: [&str; 44] = [
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

/// Is the word one that C keeps for itself?
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The tokens of a text; comments and white space are between them.
#[must_use]
pub fn tokens(text: &[u8]) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < text.len() {
        let rest = &text[at..];
        let c = rest[0];
        let (kind, len) = match c {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            _ if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                at += find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4);
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += find(rest, b"\n").unwrap_or(rest.len());
                continue;
            }
            b'#' if line_start => (TokenKind::Directive, directive(rest)),
            b'"' => (TokenKind::String, quoted(rest, b'"')),
            b'\'' => (TokenKind::Character, quoted(rest, b'\'')),
            _ if is_word(c) && !c.is_ascii_digit() => word(rest),
            b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => {
                (TokenKind::Number, number(rest))
            }
            _ if c.is_ascii_digit() => (TokenKind::Number, number(rest)),
            _ => match PUNCTUATION.iter().find(|sign| rest.starts_with(sign)) {
                Some(sign) => (TokenKind::Punctuation, sign.len()),
                None if c.is_ascii_punctuation() => (TokenKind::Punctuation, 1),
                None => (TokenKind::Stray, 1),
            },
        };
        found.push(Token { kind, range: at..at + len });
        line_start = false;
        at += len;
    }
    found
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// A name, or the prefix of a string or character.
fn word(rest: &[u8]) -> (TokenKind, usize) {
    let len = rest.iter().position(|&c| !is_word(c)).unwrap_or(rest.len());
    match (&rest[..len], rest.get(len)) {
        (b"L" | b"u" | b"U" | b"u8", Some(b'"')) => {
            (TokenKind::String, len + quoted(&rest[len..], b'"'))
        }
        (b"L" | b"u" | b"U" | b"u8", Some(b'\'')) => {
            (TokenKind::Character, len + quoted(&rest[len..], b'\''))
        }
        (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", Some(b'"')) => {
            (TokenKind::String, len + raw(&rest[len..]))
        }
        _ => (TokenKind::Word, len),
    }
}

fn number(rest: &[u8]) -> usize {
    let mut len = 1;
    while let Some(&c) = rest.get(len) {
        let sign = matches!(c, b'+' | b'-') && matches!(rest[len - 1], b'e' | b'E' | b'p' | b'P');
        // A hexadecimal 0xe+1 is three tokens to a reader and one to the standard.
        let separator = c == b'\'' && rest.get(len + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(is_word(c) || c == b'.' || sign || separator) {
            break;
        }
        len += 1;
    }
    len
}

/// To the closing quote, or to the end of the line if there is none.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&c) = rest.get(at) {
        match c {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `"tag( … )tag"`
fn raw(rest: &[u8]) -> usize {
    let Some(open) = rest.iter().position(|&c| c == b'(') else { return quoted(rest, b'"') };
    let close = [b")", &rest[1..open], b"\""].concat();
    find(&rest[open..], &close).map_or(rest.len(), |end| open + end + close.len())
}

/// To the end of the line, continued lines included.
fn directive(rest: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match find(&rest[at..], b"\n") {
            None => return rest.len(),
            Some(end) if rest[..at + end].ends_with(b"\\") => at += end + 1,
            Some(end) => return at + end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_tokens() {
        let check = |text: &str, expect: &[&str]| {
            let found: Vec<&str> =
                tokens(text.as_bytes()).into_iter().map(|token| &text[token.range]).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("int a=0x1fUL;", &["int", "a", "=", "0x1fUL", ";"]);
        check("a+++--b>>=1.5e-3f", &["a", "++", "+", "--", "b", ">>=", "1.5e-3f"]);
        check("/* x */ y // z\n w", &["y", "w"]);
        check("#define A \\\n b\nc", &["#define A \\\n b", "c"]);
        check(r#"f("a\"b", 'c', L"d")"#, &["f", "(", r#""a\"b""#, ",", "'c'", ",", r#"L"d""#, ")"]);
        check("R\"x(a)\")x\"+1", &["R\"x(a)\")x\"", "+", "1"]);
        check("\"open", &["\"open"]);
        check("p->x.y ... .5", &["p", "->", "x", ".", "y", "...", ".5"]);
    }
}
