//! Operators by tokens: what stands before one tells whether it has a left side.

use crate::lexed::Lexed;
use crate::local::rule_that;
use crate::rule::{Action, Family, OPERATORS, UNARY};
use crate::site::Site;
use base::Edit;
use csyntax::TokenKind;

/// Does an operand end with this token, so that an operator behind it has a left side?
fn ends_operand(lexed: &Lexed, at: usize) -> bool {
    let Some(token) = lexed.tokens.get(at) else { return false };
    match token.kind {
        TokenKind::Number | TokenKind::Character | TokenKind::String => true,
        TokenKind::Word => lexed.is_name(at),
        TokenKind::Punctuation => match lexed.word(at) {
            b"]" => true,
            b")" => !closes_cast_or_head(lexed, at),
            b"++" | b"--" => at > 0 && ends_operand(lexed, at - 1),
            _ => false,
        },
        TokenKind::Directive | TokenKind::Stray => false,
    }
}

/// Is the bracket the end of `(int)` or of `if (…)`?
fn closes_cast_or_head(lexed: &Lexed, close: usize) -> bool {
    let Some(open) = lexed.opener(close) else { return false };
    let before = open.checked_sub(1).map(|before| lexed.word(before)).unwrap_or_default();
    if matches!(before, b"if" | b"while" | b"for" | b"switch") {
        return true;
    }
    let inside = open + 1..close;
    let is_type = |at: usize| {
        lexed.is(at, "*") || lexed.is_word(at) && !lexed.is_name(at) && !lexed.is(at, "sizeof")
    };
    let is_tag = |at: usize| matches!(lexed.word(at - 1), b"struct" | b"union" | b"enum");
    before != b"sizeof" && !inside.is_empty() && inside.clone().all(|at| is_type(at) || is_tag(at))
}

pub(super) fn binary(lexed: &Lexed) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for at in 1..lexed.tokens.len() {
        let Some(&(family, operators)) = OPERATORS
            .iter()
            .find(|(_, operators)| operators.iter().any(|operator| lexed.is(at, operator)))
        else {
            continue;
        };
        if !ends_operand(lexed, at - 1) || is_declarator_star(lexed, at) {
            continue;
        }
        let Some(&from) = operators.iter().find(|from| lexed.is(at, from)) else { continue };
        for &to in operators.iter().filter(|&&to| to != from) {
            if let Some(rule) = rule_that(family, Action::Replace(from, Some(to))) {
                let edit = Edit::replace(lexed.tokens[at].range.clone(), to);
                found.push((rule, Site::new(vec![edit], format!("replaced {from} by {to}"))));
            }
        }
    }
    found
}

/// `word *p`: a name at the beginning of a statement or in a list of parameters, a star, a name.
fn is_declarator_star(lexed: &Lexed, at: usize) -> bool {
    let before = at.checked_sub(2).map(|before| lexed.word(before));
    lexed.is(at, "*")
        && lexed.is_name(at - 1)
        && (matches!(
            before,
            None | Some(
                b";" | b"{"
                    | b"}"
                    | b"struct"
                    | b"union"
                    | b"enum"
                    | b"const"
                    | b"volatile"
                    | b"static"
                    | b"extern"
                    | b"typedef"
            )
        ) || matches!(before, Some(b"(" | b","))
            && lexed.is_name(at + 1)
            && matches!(lexed.word(at + 2), b"," | b")"))
}

pub(super) fn unary(lexed: &Lexed) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for at in 0..lexed.tokens.len() {
        let postfix = at > 0 && ends_operand(lexed, at - 1);
        let from = match lexed.word(at) {
            b"++" if postfix => "x++",
            b"--" if postfix => "x--",
            b"++" => "++x",
            b"--" => "--x",
            b"!" => "!x",
            _ => continue,
        };
        for to in UNARY.into_iter().map(Some).chain([None]).filter(|&to| to != Some(from)) {
            let rule = rule_that(Family::Unary, Action::Replace(from, to));
            let (Some(rule), Some(edits)) = (rule, edits(lexed, at, from, to)) else { continue };
            let what = match to {
                Some(to) => format!("replaced {from} by {to}"),
                None => format!("deleted {from}"),
            };
            found.push((rule, Site::new(edits, what)));
        }
    }
    found
}

fn edits(lexed: &Lexed, at: usize, from: &str, to: Option<&str>) -> Option<Vec<Edit>> {
    let range = lexed.tokens[at].range.clone();
    // Only a name alone is known to be the whole operand.
    let operand = if from.starts_with('x') { at.checked_sub(1)? } else { at + 1 };
    let is_part = |at: usize| matches!(lexed.word(at), b"." | b"->" | b"(" | b"[" | b"++" | b"--");
    let is_name = lexed.is_name(operand)
        && if from.starts_with('x') {
            operand == 0 || !matches!(lexed.word(operand - 1), b"." | b"->")
        } else {
            !is_part(operand + 1)
        };
    let place = lexed.tokens.get(operand)?.range.clone();
    let sign = |to: &str| if to == "!x" { "!".to_owned() } else { to.replace('x', "") };
    let spaced = |to: &str, start: usize| {
        let sign = sign(to);
        let glues = start > 0 && lexed.text[start - 1] == sign.as_bytes()[0];
        if glues { format!(" {sign}") } else { sign }
    };
    match to {
        None => Some(vec![Edit::delete(range)]),
        // On the same side: the operand stays what it is.
        Some(to) if !to.starts_with('x') && !from.starts_with('x') => {
            let from_negation = from == "!x";
            (!from_negation || is_name)
                .then(|| vec![Edit::replace(range.clone(), spaced(to, range.start))])
        }
        Some(to) if to.starts_with('x') && from.starts_with('x') => {
            Some(vec![Edit::replace(range, sign(to))])
        }
        Some(to) if is_name && to.starts_with('x') => {
            Some(vec![Edit::delete(range), Edit::replace(place.end..place.end, sign(to))])
        }
        Some(to) if is_name => Some(vec![
            Edit::delete(range),
            Edit::replace(place.start..place.start, spaced(to, place.start)),
        ]),
        Some(_) => None,
    }
}
