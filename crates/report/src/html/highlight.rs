//! Programs in colours: just enough of C and LLVM's IR to see words, numbers, strings and comments.

use super::escape;
use crate::bug::Language;

/// A program as markup: each piece that has a colour in a `span`, and everything escaped.
pub(super) fn highlighted(text: &str, language: Language) -> String {
    let words = match language {
        Language::C | Language::Cxx => C_WORDS,
        Language::Ir => IR_WORDS,
    };
    let is_ir = language == Language::Ir;
    let mut html = String::with_capacity(text.len() * 2);
    let mut rest = text;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let (length, class) = match first {
            '#' if starts_line && !is_ir => (directive(rest), "d"),
            ';' if is_ir => (line(rest), "c"),
            '/' if rest.starts_with("//") && !is_ir => (line(rest), "c"),
            '/' if rest.starts_with("/*") && !is_ir => {
                (rest[2..].find("*/").map_or(rest.len(), |end| end + 4), "c")
            }
            '"' => (quoted(rest, '"'), "s"),
            '\'' if !is_ir => (quoted(rest, '\''), "s"),
            '0'..='9' => (run(rest, |c| c.is_ascii_alphanumeric() || c == '.' || c == '_'), "n"),
            c if begins_word(c) => {
                let length = run(rest, |c| begins_word(c) || c.is_ascii_digit());
                (length, if words.contains(&&rest[..length]) { "k" } else { "" })
            }
            '%' | '@' if is_ir => {
                let name = |c: char| c.is_ascii_alphanumeric() || "._$-".contains(c);
                (1 + run(&rest[1..], name), if first == '@' { "g" } else { "" })
            }
            c => (c.len_utf8(), ""),
        };
        let (piece, after) = rest.split_at(length.min(rest.len()));
        match class {
            "" => html.push_str(&escape(piece)),
            class => html.push_str(&format!("<span class=\"{class}\">{}</span>", escape(piece))),
        }
        starts_line = piece.ends_with('\n') || starts_line && piece.trim().is_empty();
        rest = after;
    }
    html
}

fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// How many bytes from the start are such characters.
fn run(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// A directive ends at a line that does not go on with a backslash.
fn directive(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            break;
        }
    }
    end - usize::from(text[..end].ends_with('\n'))
}

/// A literal up to its quote; one that is not closed ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

const C_WORDS: &[&str] = &[
    "_Bool",
    "_Complex",
    "__attribute__",
    "__builtin_unreachable",
    "__restrict",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "true",
    "typedef",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
    "while",
];

const IR_WORDS: &[&str] = &[
    "add",
    "alloca",
    "and",
    "ashr",
    "attributes",
    "bitcast",
    "br",
    "call",
    "constant",
    "declare",
    "define",
    "double",
    "eq",
    "exact",
    "extractelement",
    "fadd",
    "fcmp",
    "fdiv",
    "float",
    "fmul",
    "freeze",
    "fsub",
    "getelementptr",
    "global",
    "i1",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "icmp",
    "inbounds",
    "insertelement",
    "inttoptr",
    "label",
    "load",
    "lshr",
    "mul",
    "ne",
    "nsw",
    "nuw",
    "or",
    "phi",
    "poison",
    "private",
    "ptr",
    "ptrtoint",
    "ret",
    "sdiv",
    "select",
    "sext",
    "sge",
    "sgt",
    "shl",
    "shufflevector",
    "sitofp",
    "sle",
    "slt",
    "srem",
    "store",
    "sub",
    "switch",
    "to",
    "trunc",
    "type",
    "udiv",
    "uge",
    "ugt",
    "uitofp",
    "ule",
    "ult",
    "undef",
    "unreachable",
    "urem",
    "void",
    "xor",
    "zext",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(html: &str) -> String {
        let mut text = String::new();
        let mut inside = false;
        for c in html.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => text.push(c),
                _ => {}
            }
        }
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&#39;", "'").replace("&amp;", "&")
    }

    #[test]
    fn c_has_colours_and_no_byte_is_lost() {
        let c = "#include <stdio.h>\n#define A \\\n 1\nint main(void) { /* a\n */ char c = '\\''; // x\n\
                 return 0x1fUL + A < 3; }\n\"not closed\nif";
        let html = highlighted(c, Language::C);
        assert_eq!(text_of(&html), c);
        for part in [
            "<span class=\"d\">#include &lt;stdio.h&gt;</span>",
            "<span class=\"d\">#define A \\\n 1</span>",
            "<span class=\"k\">int</span> main(<span class=\"k\">void</span>)",
            "<span class=\"c\">/* a\n */</span>",
            "<span class=\"s\">&#39;\\&#39;&#39;</span>",
            "<span class=\"c\">// x</span>",
            "<span class=\"n\">0x1fUL</span>",
            "<span class=\"s\">&quot;not closed</span>\n<span class=\"k\">if</span>",
        ] {
            assert!(html.contains(part), "no {part} in\n{html}");
        }
    }

    #[test]
    fn ir_has_colours_and_hostile_text_stays_text() {
        let ir = "define i32 @f(i32 %a) { ; </pre><script>\n  %1 = add nsw i32 %a, 1 }\n";
        let html = highlighted(ir, Language::Ir);
        assert_eq!(text_of(&html), ir);
        assert!(html.contains("<span class=\"g\">@f</span>") && !html.contains("<script"));
        for odd in ["", "\u{0}", "/*", "'", "\"", "#", "é'ß", "//"] {
            assert_eq!(text_of(&highlighted(odd, Language::C)), odd);
        }
    }
}
