//! DiWi's rules by tokens alone, for programs that clang can't read: operators, integers, the words
//! of declarations that begin with a keyword, and the names that these declare.

mod declared;
mod operators;

use crate::host::Host;
use crate::lexed::Lexed;
use crate::local::{added, changed, removed, rule_that, with_blank};
use crate::operator::Operator;
use crate::rule::{Action, Arithmetic, Family, MODIFIERS, QUALIFIERS};
use crate::site::Site;
use crate::specifiers::qualifier;
use base::Edit;
use csyntax::TokenKind;
use declared::{Declaration, Name, declarations};

/// All places of the rules of an operator, each with the number of its rule.
pub(crate) fn sites(host: &Host, operator: Operator) -> Vec<(u8, Site)> {
    let lexed = &host.lexed;
    match operator {
        Operator::Binary => operators::binary(lexed),
        Operator::Unary => operators::unary(lexed),
        Operator::Constant => constants(lexed),
        Operator::Qualifier => qualifiers(host),
        Operator::Modifier => modifiers(lexed),
        Operator::Variable => variables(lexed),
        _ => Vec::new(),
    }
}

fn constants(lexed: &Lexed) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for (at, token) in lexed.tokens.iter().enumerate() {
        let Ok(old) = std::str::from_utf8(lexed.word(at)) else { continue };
        if token.kind != TokenKind::Number {
            continue;
        }
        // How long an array is, which case it is, how wide a field: what takes few values.
        let is_fixed = at > 0
            && (lexed.is(at - 1, "[") && lexed.is(at + 1, "]")
                || lexed.is(at - 1, "case")
                || lexed.is(at - 1, ":") && matches!(lexed.word(at + 1), b";" | b","));
        for what in
            [Arithmetic::Increment, Arithmetic::Decrement, Arithmetic::Negate, Arithmetic::Zero]
        {
            let rule = rule_that(Family::Constant, Action::Constant(what));
            if is_fixed && what != Arithmetic::Increment {
                continue;
            }
            if let (Some(rule), Some(new)) = (rule, changed(old, what)) {
                let edit = Edit::replace(token.range.clone(), new.as_str());
                found.push((rule, Site::new(vec![edit], format!("replaced {old} by {new}"))));
            }
        }
    }
    found
}

fn qualifiers(host: &Host) -> Vec<(u8, Site)> {
    let lexed = &host.lexed;
    let mut found = Vec::new();
    let mut put = |family, action, edit, done: &str, word| {
        if let Some(rule) = rule_that(family, action) {
            found.push((rule, Site::new(vec![edit], format!("{done} {word}"))));
        }
    };
    for declaration in declarations(lexed) {
        let first = lexed.tokens[declaration.specifiers.first].range.start;
        let written = declaration.names.iter().any(|name| name.is_written_anywhere(lexed));
        for word in QUALIFIERS {
            let holds = |at: &usize| qualifier(lexed.word(*at)) == Some(word);
            let has = declaration.specifiers.qualifiers.iter().any(holds);
            if word != "restrict" && !has && !(word == "const" && written) {
                let edit = Edit::replace(first..first, format!("{word} "));
                put(Family::AddQualifier, Action::Add(word), edit, "inserted", word);
            }
            for name in declaration.names.iter().filter(|name| name.stars > 0) {
                let spelled = if host.is_old { "__restrict" } else { word };
                let at = lexed.tokens[name.at].range.start;
                if word == "restrict" && lexed.is(name.at - 1, "*") {
                    let edit = Edit::replace(at..at, format!("{spelled} "));
                    put(Family::AddQualifier, Action::Add(word), edit, "inserted", word);
                }
            }
            let last = declaration.names.last().map_or(declaration.specifiers.next, |name| name.at);
            for at in (declaration.specifiers.first..last).filter(holds) {
                let range = with_blank(&lexed.text, lexed.tokens[at].range.clone());
                put(
                    Family::RemoveQualifier,
                    Action::Remove(word),
                    Edit::delete(range),
                    "removed",
                    word,
                );
            }
        }
    }
    found
}

fn modifiers(lexed: &Lexed) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for Declaration { specifiers, .. } in declarations(lexed) {
        for word in MODIFIERS.into_iter().filter(|_| specifiers.is_integer()) {
            let mut put = |family, action, edits: Option<Vec<Edit>>, done: &str| {
                if let (Some(edits), Some(rule)) = (edits, rule_that(family, action)) {
                    found.push((rule, Site::new(edits, format!("{done} {word}"))));
                }
            };
            let (more, less) = (added(lexed, &specifiers, word), removed(lexed, &specifiers, word));
            put(Family::AddModifier, Action::Add(word), more, "inserted");
            put(Family::RemoveModifier, Action::Remove(word), less, "removed");
        }
    }
    found
}

fn variables(lexed: &Lexed) -> Vec<(u8, Site)> {
    let Some(rule) = rule_that(Family::Variable, Action::Variable) else { return Vec::new() };
    let names: Vec<Name> =
        declarations(lexed).into_iter().flat_map(|declaration| declaration.names).collect();
    let mut found = Vec::new();
    for at in 0..lexed.tokens.len() {
        let is_member =
            at > 0 && matches!(lexed.word(at - 1), b"." | b"->" | b"struct" | b"union" | b"goto");
        if !lexed.is_name(at)
            || is_member
            || lexed.is(at + 1, "(")
            || names.iter().any(|name| name.at == at)
        {
            continue;
        }
        let visible = declared::visible(&names, lexed, at);
        let Some(old) = visible.iter().find(|name| name.text(lexed) == lexed.word(at)) else {
            continue;
        };
        let written = declared::is_written(lexed, at);
        let texts = visible
            .iter()
            .filter(|new| {
                new.at != old.at && new.shape() == old.shape() && !(written && new.is_const)
            })
            .map(|new| String::from_utf8_lossy(new.text(lexed)).as_ref().into())
            .collect::<Vec<_>>();
        if !texts.is_empty() {
            let old = String::from_utf8_lossy(lexed.word(at)).as_ref().into();
            found.push((
                rule,
                Site::Hole { range: lexed.tokens[at].range.clone(), old, names: texts },
            ));
        }
    }
    found
}
