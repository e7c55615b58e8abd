//! `unsigned`, `signed`, `short` and `long` come and go.
//!
//! Only the words of a declaration's own type change. A length changes only where nobody has a
//! pointer to the variable, since pointers to integers of two lengths don't mix; signs do.

use super::declaration::{Declarator, declarations};
use super::qualifier::with_blank;
use super::rule_that;
use crate::host::{Host, Program};
use crate::lexed::Lexed;
use crate::rule::{Action, Family, MODIFIERS};
use crate::site::Site;
use crate::specifiers::Specifiers;
use base::Edit;
use csyntax::Class;

pub(super) fn sites(host: &Host, program: &Program) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for declaration in declarations(host, program) {
        if !declaration.specifiers.is_integer() {
            continue;
        }
        for word in MODIFIERS {
            if !declaration.declarators.iter().all(|declarator| may_change(declarator, word)) {
                continue;
            }
            let specifiers = &declaration.specifiers;
            let mut put = |family, action, edits: Option<Vec<Edit>>, done: &str| {
                if let (Some(edits), Some(rule)) = (edits, rule_that(family, action)) {
                    found.push((rule, Site::new(edits, format!("{done} {word}"))));
                }
            };
            let (more, less) =
                (added(&host.lexed, specifiers, word), removed(&host.lexed, specifiers, word));
            put(Family::AddModifier, Action::Add(word), more, "inserted");
            put(Family::RemoveModifier, Action::Remove(word), less, "removed");
        }
    }
    found
}

fn may_change(declarator: &Declarator, word: &str) -> bool {
    let usage = declarator.usage;
    let is_length = matches!(word, "short" | "long");
    let is_deep_array = matches!(&declarator.ty.class, Class::Array(element, _) if matches!(element.class, Class::Array(..)));
    if declarator.is_declared_again || declarator.holds_function() || usage.wants_same {
        return false;
    }
    match declarator.depth() {
        0 if is_length || is_deep_array => !usage.escapes,
        0 => true,
        1 => !is_length && !usage.escapes,
        _ => false,
    }
}

/// The edits that give an integer this modifier, in the place of its contrary. None if it has it,
/// or is a `char` that is to be long.
pub(crate) fn added(lexed: &Lexed, specifiers: &Specifiers, word: &str) -> Option<Vec<Edit>> {
    let contrary = match word {
        "unsigned" => "signed",
        "signed" => "unsigned",
        "short" => "long",
        _ => "short",
    };
    let is_length = matches!(word, "short" | "long");
    let is_char = specifiers.words.iter().any(|&at| lexed.is(at, "char"));
    if specifiers.modifiers(lexed, word).next().is_some() || is_char && is_length {
        return None;
    }
    let range = |at: usize| lexed.tokens[at].range.clone();
    let mut contraries = specifiers.modifiers(lexed, contrary);
    let Some(first) = contraries.next() else {
        let at = range(*specifiers.words.first()?).start;
        return Some(vec![Edit::replace(at..at, format!("{word} "))]);
    };
    let mut edits = vec![Edit::replace(range(first), word)];
    edits.extend(contraries.map(|at| Edit::delete(with_blank(&lexed.text, range(at)))));
    Some(edits)
}

/// The edits that take a modifier away; `int` stays where nothing would.
pub(crate) fn removed(lexed: &Lexed, specifiers: &Specifiers, word: &str) -> Option<Vec<Edit>> {
    let at = specifiers.modifiers(lexed, word).next()?;
    let range = lexed.tokens[at].range.clone();
    Some(vec![if specifiers.words.len() == 1 {
        Edit::replace(range, "int")
    } else {
        Edit::delete(with_blank(&lexed.text, range))
    }])
}
