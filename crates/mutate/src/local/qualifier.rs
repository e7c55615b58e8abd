//! `volatile`, `const` and `restrict` come and go.
//!
//! Deviation: DiWi's program puts every qualifier before the declaration. Here `restrict` stands
//! where C wants it, behind a star, and the other two stand there as well as in front: the pointer
//! and what it points to are two variables. `const` goes only to what nobody writes to.

use super::declaration::{Declaration, Declarator, declarations};
use super::rule_that;
use crate::host::{Host, Program};
use crate::rule::{Action, Family};
use crate::site::Site;
use crate::specifiers::qualifier;
use base::Edit;
use csyntax::{Class, Type};

pub(super) fn sites(host: &Host, program: &Program) -> Vec<(u8, Site)> {
    let mut found = Vec::new();
    for declaration in declarations(host, program) {
        for word in ["volatile", "const"] {
            add_in_front(host, &declaration, word, &mut found);
        }
        let in_front = declaration.declarators.iter().all(front_may_change);
        if in_front {
            for &at in &declaration.specifiers.qualifiers {
                remove(host, at, &mut found);
            }
        }
        let mut first = declaration.specifiers.next;
        for declarator in &declaration.declarators {
            behind_star(host, declarator, first, &mut found);
            first = host.lexed.first_from(declarator.name_at) + 1;
        }
    }
    found
}

/// The words before a star are compared between declarations, and two stars deep everywhere.
fn front_may_change(declarator: &Declarator) -> bool {
    let depth = declarator.depth();
    !declarator.holds_function()
        && !declarator.ty.spelling.contains("va_list")
        && (!declarator.is_declared_again || declarator.is_parameter && depth == 0)
        && !(depth > 1 && declarator.usage.pointer_escapes)
        && !(depth > 0 && declarator.usage.escapes)
}

fn is_array(ty: &Type) -> bool {
    matches!(ty.class, Class::Array(..))
}

fn add_in_front(
    host: &Host,
    declaration: &Declaration,
    word: &'static str,
    found: &mut Vec<(u8, Site)>,
) {
    let lexed = &host.lexed;
    let specifiers = &declaration.specifiers;
    let has = specifiers.qualifiers.iter().any(|&at| qualifier(lexed.word(at)) == Some(word));
    let fits = declaration.declarators.iter().all(|declarator| {
        let usage = declarator.usage;
        let deep_array =
            matches!(&declarator.ty.class, Class::Array(element, _) if is_array(element));
        front_may_change(declarator)
            && !(usage.escapes && (deep_array || host.is_cpp))
            && match word {
                "const" if declarator.depth() > 0 => !usage.pointee_written && !usage.written,
                "const" => !usage.written && !usage.escapes,
                _ => !(host.is_cpp && usage.pointer_escapes && declarator.depth() > 0),
            }
    });
    if has || !fits {
        return;
    }
    if let Some(rule) = rule_that(Family::AddQualifier, Action::Add(word)) {
        let at = lexed.tokens[specifiers.first].range.start;
        let edit = Edit::replace(at..at, format!("{word} "));
        found.push((rule, Site::new(vec![edit], format!("inserted {word}"))));
    }
}

/// `int *p` → `int *restrict p`, and back.
fn behind_star(host: &Host, declarator: &Declarator, first: usize, found: &mut Vec<(u8, Site)>) {
    let lexed = &host.lexed;
    let Some(name) = lexed.at(declarator.name_at) else { return };
    let mut star = name;
    while star > first && qualifier(lexed.word(star - 1)).is_some() {
        star -= 1;
    }
    if star <= first.saturating_sub(1) || star == 0 || !lexed.is(star - 1, "*") {
        return;
    }
    let mut pointer = declarator.ty;
    while let Class::Array(element, _) = &pointer.class {
        pointer = element;
    }
    let Class::Pointer(to) = &pointer.class else { return };
    // `int *a[]` is a pointer to a pointer when it is a parameter.
    if lexed.is(name + 1, "[") && declarator.is_parameter {
        return;
    }
    let may_change = !declarator.is_declared_again || declarator.is_parameter;
    let present: Vec<&str> = (star..name).filter_map(|at| qualifier(lexed.word(at))).collect();
    for word in crate::rule::QUALIFIERS {
        let usage = declarator.usage;
        let fits = match word {
            "restrict" => !matches!(to.class, Class::Function(_)) && !usage.escapes,
            "const" => !usage.written && !usage.escapes,
            _ => !(host.is_cpp && usage.escapes),
        };
        let rule = rule_that(Family::AddQualifier, Action::Add(word));
        if let (Some(rule), true, false) = (rule, fits && may_change, present.contains(&word)) {
            let spelled = if word == "restrict" && host.is_old { "__restrict" } else { word };
            let at = declarator.name_at;
            let edit = Edit::replace(at..at, format!("{spelled} "));
            found.push((rule, Site::new(vec![edit], format!("inserted {word}"))));
        }
    }
    if may_change {
        (star..name).for_each(|at| remove(host, at, found));
    }
}

fn remove(host: &Host, at: usize, found: &mut Vec<(u8, Site)>) {
    let Some(word) = qualifier(host.lexed.word(at)) else { return };
    if let Some(rule) = rule_that(Family::RemoveQualifier, Action::Remove(word)) {
        let range = with_blank(host.text(), host.lexed.tokens[at].range.clone());
        found.push((rule, Site::new(vec![Edit::delete(range)], format!("removed {word}"))));
    }
}

/// A word with the blanks behind it.
pub(crate) fn with_blank(text: &[u8], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let blanks = text[range.end..].iter().take_while(|&&c| c == b' ' || c == b'\t').count();
    range.start..range.end + blanks
}
