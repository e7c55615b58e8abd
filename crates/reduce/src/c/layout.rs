//! How a text looks: no comments at the start, one statement a line at the end.

use csyntax::{Token, TokenKind, tokens};

/// The text without comments and without the white space that nobody needs.
#[must_use]
pub(super) fn without_comments(text: &[u8]) -> Vec<u8> {
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
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| &text[token.range.clone()]);
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    // Of each open brace: does it hold statements, or members that end in semicolons?
    let mut braces: Vec<Brace> = Vec::new();
    let mut parentheses = 0_usize;
    let mut new_line = true;
    for (at, token) in tokens.iter().enumerate() {
        let bytes = word(at);
        let closed = if bytes == b"}" { braces.pop() } else { None };
        if new_line {
            let lines = braces.iter().filter(|brace| **brace != Brace::Values).count();
            out.extend(std::iter::repeat_n(b' ', 2 * lines));
        } else if at > 0 && needs_space(text, &tokens[at - 1], token) {
            out.push(b' ');
        }
        out.extend_from_slice(bytes);
        match bytes {
            b"{" => braces.push(brace(text, &tokens, at)),
            b"(" => parentheses += 1,
            b")" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        let in_lines = braces.last().is_none_or(|brace| *brace != Brace::Values);
        new_line = match bytes {
            b";" => parentheses == 0 && in_lines,
            b"{" => in_lines && word(at + 1) != b"}",
            b"}" => {
                closed == Some(Brace::Statements)
                    && !matches!(word(at + 1), b"else" | b"while" | b")" | b";")
            }
            _ => false,
        };
        new_line |= token.kind == TokenKind::Directive
            || tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Directive);
        // The last line of a structure's members.
        if !new_line
            && word(at + 1) == b"}"
            && braces.last() == Some(&Brace::Members)
            && bytes != b"{"
        {
            new_line = true;
        }
        if new_line {
            out.push(b'\n');
        }
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Brace {
    Statements,
    Members,
    Values,
}

/// What the brace at `at` holds.
fn brace(text: &[u8], tokens: &[Token], at: usize) -> Brace {
    let word = |at: usize| &text[tokens[at].range.clone()];
    let before = if at == 0 { &b";"[..] } else { word(at - 1) };
    if matches!(before, b")" | b"else" | b"do" | b";" | b"{" | b"}" | b":" | b"const" | b"noexcept")
        && before != b"="
    {
        return if before == b"{" && !holds_semicolon(text, &tokens[at..]) {
            Brace::Values
        } else {
            Brace::Statements
        };
    }
    if holds_semicolon(text, &tokens[at..]) { Brace::Members } else { Brace::Values }
}

/// Is there a semicolon between the brace that these tokens begin with and its end?
fn holds_semicolon(text: &[u8], tokens: &[Token]) -> bool {
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
    const OPERATORS: [&[u8]; 31] = [
        b"=", b"==", b"<", b">", b"+", b"-", b"&&", b"||", b"&", b"|", b"?", b":", b"+=", b"-=",
        b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>=", b"<<", b">>", b"<=", b">=",
        b"!=", b"^", b"%", b"/", b"<=>",
    ];
    let (left, right) = (&text[before.range.clone()], &text[token.range.clone()]);
    let (last, first) = (left[left.len() - 1], right[0]);
    let word =
        |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'"' | b'\'') || c >= 0x80;
    let keyword = matches!(left, b"if" | b"for" | b"while" | b"switch" | b"return");
    match (last, first) {
        (b';', b';' | b')') | (b'}', b';' | b',' | b')') | (b',', b')') => false,
        (b';' | b'}' | b',', _) | (_, b'{') => true,
        _ if keyword => right != b";",
        (b')', _) if word(first) => true,
        _ if word(last) && (word(first) || first == b'*') => true,
        // A product, as far as one can tell without types.
        (b'*', _) if token.kind == TokenKind::Number => true,
        (b')' | b']', b'*') => true,
        _ if OPERATORS.contains(&left) || OPERATORS.contains(&right) => true,
        // `a - -b` must not become `a--b`.
        _ => {
            last == first
                && last.is_ascii_punctuation()
                && !matches!(last, b'(' | b')' | b'[' | b']')
        }
    }
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
        let text = b"struct{int c:1;}p;void f(){}typedef struct s{struct s*n;}s;";
        let expect =
            "struct {\n  int c : 1;\n} p;\nvoid f() {}\ntypedef struct s {\n  struct s *n;\n} s;\n";
        assert_eq!(String::from_utf8(tidy(text)).unwrap(), expect);
    }
}
