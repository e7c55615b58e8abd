//! How a text looks: no comments at the start, one statement a line at the end.

use csyntax::{Token, TokenKind, tokens};

/// The text without comments and without the white space that nobody needs.
#[must_use]
pub fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut end = 0;
    for token in tokens(text) {
        let gap = &text[end..token.range.start];
        if token.kind == TokenKind::Directive {
            if !out.is_empty() && !out.ends_with(b"\n") {
                out.push(b'\n');
            }
        } else if gap.contains(&b'\n') && !out.is_empty() {
            out.push(b'\n');
        } else if !gap.is_empty() {
            out.push(b' ');
        }
        out.extend_from_slice(&text[token.range.clone()]);
        if token.kind == TokenKind::Directive {
            out.push(b'\n');
        }
        end = token.range.end;
    }
    out.push(b'\n');
    out
}

/// One statement a line, indented.
pub(super) fn tidy(text: &[u8]) -> Vec<u8> {
    let tokens = tokens(text);
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    let mut new_line = true;
    let mut before: Option<&Token> = None;
    for (at, token) in tokens.iter().enumerate() {
        let bytes = &text[token.range.clone()];
        if bytes == b"}" {
            braces = braces.saturating_sub(1);
        }
        if new_line {
            out.extend(std::iter::repeat_n(b' ', 2 * braces));
        } else if before.is_some_and(|before| needs_space(text, before, token)) {
            out.push(b' ');
        }
        out.extend_from_slice(bytes);
        match bytes {
            b"{" => braces += 1,
            b"(" => parentheses += 1,
            b")" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        let next = tokens.get(at + 1).map(|next| &text[next.range.clone()]);
        new_line = token.kind == TokenKind::Directive
            || parentheses == 0
                && (bytes == b";"
                    || bytes == b"{" && ends_block(text, &tokens[at..])
                    || bytes == b"}" && !matches!(next, Some(b";" | b"," | b")" | b"else" | b"while")));
        new_line |= tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Directive);
        if new_line {
            out.push(b'\n');
        }
        before = Some(token);
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out
}

/// Does the brace that these tokens begin with hold statements or members, not values?
fn ends_block(text: &[u8], tokens: &[Token]) -> bool {
    let mut depth = 0;
    for token in tokens {
        match &text[token.range.clone()] {
            b"{" => depth += 1,
            b"}" if depth == 1 => return false,
            b"}" => depth -= 1,
            b";" => return true,
            _ => {}
        }
    }
    false
}

fn needs_space(text: &[u8], before: &Token, token: &Token) -> bool {
    let (last, first) = (text[before.range.end - 1], text[token.range.start]);
    let word = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'"' | b'\'') || c >= 0x80;
    let bytes = &text[token.range.clone()];
    let is_operator = |bytes: &[u8]| matches!(bytes, b"=" | b"==" | b"<" | b">" | b"+" | b"-" | b"&&" | b"||" | b"&" | b"|" | b"?" | b":" | b"+=" | b"-=" | b"*=" | b"<<" | b">>" | b"<=" | b">=" | b"!=" | b"^" | b"%" | b"/");
    // `a - -b` must not become `a--b`, nor `a / *p` a comment.
    word(last) && word(first)
        || matches!(first, b'{')
        || last == b',' && first != b')'
        || last == b';'
        || last == b'}'
        || last == b')' && word(first)
        || matches!(&text[before.range.clone()], b"if" | b"for" | b"while" | b"switch" | b"return")
        || word(last) && first == b'*'
        || is_operator(bytes)
        || is_operator(&text[before.range.clone()])
        || last.is_ascii_punctuation() && last == first && !matches!(last, b'(' | b')' | b'[' | b']' | b'{')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[u8]) -> Vec<Vec<u8>> {
        tokens(text).into_iter().map(|token| text[token.range].to_vec()).collect()
    }

    #[test]
    fn layout_changes_no_token() {
        for text in [
            "int a;/* x */int b; // y\nint main ( void ) { for(int i=0;i<3;++i) a+=i- -b; return a; }",
            "#include <stdio.h>\nstruct s { int a : 3; } x = { 1 }, *p = &x;\n#define A \\\n 1\nint y = A;",
            "int f(int*p){if(*p)return *p/ *p;else{do{}while(0);}return a?b:c;}",
            "char*s=\"/* no comment */\";",
        ] {
            assert_eq!(words(&without_comments(text.as_bytes())), words(text.as_bytes()));
            assert_eq!(words(&tidy(text.as_bytes())), words(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_tidy_text_has_one_statement_a_line() {
        let text = b"int a[]={1,2};int main(){for(;;){a[0]=1;}return a[1];}";
        let expect = "int a[] = {1, 2};\nint main() {\n  for (;;) {\n    a[0] = 1;\n  }\n  return a[1];\n}\n";
        assert_eq!(String::from_utf8(tidy(text)).unwrap(), expect);
    }
}
