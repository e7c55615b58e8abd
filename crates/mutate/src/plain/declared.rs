//! Declarations that can be told by their first word, a keyword.

use crate::lexed::Lexed;
use crate::specifiers::{Specifiers, qualifier};
use csyntax::TokenKind;
use std::ops::Range;

/// A declaration of variables.
pub(super) struct Declaration {
    pub specifiers: Specifiers,
    pub names: Vec<Name>,
}

/// A variable that a declaration names. All numbers are those of tokens.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub at: usize,
    pub stars: usize,
    is_array: bool,
    is_integer: bool,
    pub is_const: bool,
    scope: Range<usize>,
    depth: usize,
    /// The words of a type that is no integer.
    type_words: Vec<u8>,
}

impl Name {
    pub fn text<'a>(&self, lexed: &'a Lexed) -> &'a [u8] {
        lexed.word(self.at)
    }

    /// What must be alike for one name to stand for another.
    pub fn shape(&self) -> (usize, bool, bool, &[u8]) {
        (self.stars, self.is_array, self.is_integer, &self.type_words)
    }

    /// Is anything of this name written to, counted, or its address taken?
    pub fn is_written_anywhere(&self, lexed: &Lexed) -> bool {
        (0..lexed.tokens.len())
            .any(|at| at != self.at && lexed.word(at) == self.text(lexed) && is_written(lexed, at))
    }
}

/// Is the name at a token written to, counted, or its address taken?
pub(super) fn is_written(lexed: &Lexed, at: usize) -> bool {
    let mut end = at + 1;
    while lexed.is(end, "[") || matches!(lexed.word(end), b"." | b"->") {
        end = if lexed.is(end, "[") { lexed.partner(end).unwrap_or(end) + 1 } else { end + 2 };
    }
    let assigns = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"];
    assigns.iter().any(|sign| lexed.is(end, sign))
        || at > 0 && matches!(lexed.word(at - 1), b"&" | b"++" | b"--" | b"*")
}

/// The names that are declared before a token and around it, the inner ones where two are alike.
pub(super) fn visible<'a>(names: &'a [Name], lexed: &Lexed, at: usize) -> Vec<&'a Name> {
    let mut found: Vec<&Name> = Vec::new();
    for name in names.iter().filter(|name| name.scope.contains(&at)) {
        match found.iter_mut().find(|other| other.text(lexed) == name.text(lexed)) {
            Some(other) if name.depth >= other.depth => *other = name,
            Some(_) => {}
            None => found.push(name),
        }
    }
    found
}

/// All declarations of variables and parameters that begin with a keyword.
pub(super) fn declarations(lexed: &Lexed) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < lexed.tokens.len() {
        match lexed.word(at) {
            b"{" => open.push(at),
            b"}" => drop(open.pop()),
            _ => {}
        }
        let starts = at == 0
            || matches!(lexed.word(at - 1), b";" | b"{" | b"}" | b"(" | b",")
            || lexed.tokens[at - 1].kind == TokenKind::Directive;
        let in_record = open.last().is_some_and(|&open| opens_record(lexed, open));
        if starts && !in_record && lexed.is_word(at) && !lexed.is_name(at) {
            let specifiers = Specifiers::read(lexed, at);
            if !specifiers.stores(lexed, "typedef") {
                let end =
                    open.last().and_then(|&open| lexed.partner(open)).unwrap_or(lexed.tokens.len());
                let names = names(lexed, &specifiers, end, open.len());
                if !names.is_empty() {
                    found.push(Declaration { specifiers, names });
                }
            }
        }
        at += 1;
    }
    found
}

/// `struct s {`, `union {`: what is in it are members, no variables.
fn opens_record(lexed: &Lexed, open: usize) -> bool {
    let is_tag = |back: usize| {
        let word = open.checked_sub(back).map(|at| lexed.word(at)).unwrap_or_default();
        matches!(word, b"struct" | b"union" | b"enum")
    };
    is_tag(1) || is_tag(2)
}

fn names(lexed: &Lexed, specifiers: &Specifiers, end: usize, depth: usize) -> Vec<Name> {
    let has_type = specifiers.is_integer() || specifiers.is_other;
    let in_parentheses = specifiers.first > 0
        && matches!(lexed.word(specifiers.first - 1), b"(" | b",")
        && !has_semicolon_declaration(lexed, specifiers.first);
    let mut found = Vec::new();
    let mut at = specifiers.next;
    if !has_type {
        return found;
    }
    loop {
        let mut stars = 0;
        while lexed.is(at, "*") || qualifier(lexed.word(at)).is_some() {
            stars += usize::from(lexed.is(at, "*"));
            at += 1;
        }
        let follows = matches!(lexed.word(at + 1), b"=" | b";" | b"," | b"[" | b")");
        if !lexed.is_name(at) || !follows {
            break;
        }
        let range = specifiers.first..specifiers.next;
        let words = lexed.span(range.start, range.end.max(range.start + 1) - 1);
        // A parameter lives in the body that follows.
        let scope_end = if in_parentheses {
            (at..lexed.tokens.len())
                .find(|&at| matches!(lexed.word(at), b"{" | b";"))
                .and_then(|open| lexed.partner(open))
                .unwrap_or(at)
        } else {
            end
        };
        let is_const =
            specifiers.qualifiers.iter().any(|&at| qualifier(lexed.word(at)) == Some("const"));
        found.push(Name {
            at,
            stars,
            is_array: lexed.is(at + 1, "["),
            is_integer: specifiers.is_integer(),
            is_const,
            scope: at + 1..scope_end,
            depth: depth + usize::from(in_parentheses),
            type_words: if specifiers.is_integer() && stars == 0 {
                Vec::new()
            } else {
                lexed.text[words].to_vec()
            },
        });
        // To the next declarator.
        let mut level = 0;
        at += 1;
        while at < lexed.tokens.len() {
            match lexed.word(at) {
                b"(" | b"[" | b"{" => level += 1,
                b")" | b"]" | b"}" => level -= 1,
                b"," if level == 0 => break,
                b";" if level <= 0 => return found,
                _ => {}
            }
            if level < 0 {
                return found;
            }
            at += 1;
        }
        if in_parentheses {
            break;
        }
        at += 1;
    }
    found
}

/// `for (int i = 0; …`: no parameter.
fn has_semicolon_declaration(lexed: &Lexed, first: usize) -> bool {
    first >= 2 && lexed.is(first - 1, "(") && lexed.is(first - 2, "for")
}
