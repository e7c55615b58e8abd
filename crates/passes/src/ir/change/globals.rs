//! Whole functions, variables, and other items of a module.

use super::instructions::erase;
use crate::Change;
use crate::ir::grammar::zero;
use crate::ir::module::{Function, Module, What};
use crate::ir::token::Kind;
use base::Edit;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Linkages that a declaration can't have.
const LINKAGES: [&str; 9] = [
    "internal",
    "private",
    "linkonce",
    "linkonce_odr",
    "weak",
    "weak_odr",
    "available_externally",
    "common",
    "appending",
];

/// Words behind the parameters that a declaration can't have, with what follows them.
const OF_DEFINITIONS: [&str; 7] =
    ["comdat", "personality", "prefix", "prologue", "section", "partition", "gc"];

/// Definitions become declarations.
pub(super) fn bodies(module: &Module) -> Vec<Change> {
    module.defined().filter_map(|function| declaration(module, function)).collect()
}

fn declaration(module: &Module, function: &Function) -> Option<Change> {
    let source = &module.source;
    let body = function.body.clone()?;
    let start = function.tokens.start;
    let mut change = vec![Edit::replace(source.bytes(&(start..start + 1)), "declare")];
    for at in start..function.ty.start {
        if LINKAGES.contains(&source.word(at)) {
            change.push(Edit::delete(source.bytes(&(at..at + 1))));
        }
    }
    let cut = (function.parens.end..body.start).find(|at| {
        OF_DEFINITIONS.contains(&source.word(*at)) || source.kind(*at) == Some(Kind::Meta)
    });
    let cut = cut.unwrap_or(body.start);
    let before = source.bytes(&(start..cut)).end;
    change.push(Edit::delete(before..source.bytes(&body).end));
    Some(change)
}

/// Deletes functions and variables: calls go, other uses become null.
pub(super) fn with_uses(module: &Module) -> Vec<Change> {
    let items = module.items.iter().filter(|it| matches!(it.what, What::Function | What::Variable));
    items.filter_map(|item| without(module, item.name?, &item.tokens)).collect()
}

fn without(module: &Module, name: usize, tokens: &Range<usize>) -> Option<Change> {
    let source = &module.source;
    let mut change = vec![Edit::delete(source.lines(tokens))];
    let uses: BTreeSet<usize> = module.uses_of_global(name).collect();
    for (function, it) in module.instructions() {
        let Some(call) = &it.call else { continue };
        if !tokens.contains(&it.tokens.start) && uses.contains(&call.callee.start) {
            if it.is_terminator(source) {
                return None;
            }
            change.extend(erase(module, function, it, it.ty.as_deref().and_then(zero))?);
        }
    }
    for at in uses.into_iter().filter(|at| !tokens.contains(at)) {
        change.push(Edit::replace(source.bytes(&(at..at + 1)), "null"));
    }
    Some(change)
}

/// Deletes what nothing uses: declarations, variables, types, nodes, attribute groups, comdats.
pub(super) fn unused(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let key = |at: usize| (source.word(at).as_bytes().first().copied(), source.name(at));
    let places: BTreeMap<_, usize> = module
        .items
        .iter()
        .enumerate()
        .filter_map(|(place, item)| Some((key(item.name?), place)))
        .collect();
    // Named nodes and definitions are what the others are there for.
    let is_root = |place: usize| {
        let item = &module.items[place];
        let named = |at| !source.name(at).bytes().all(|byte| byte.is_ascii_digit());
        match item.what {
            What::Function => source.is_word(item.tokens.start, "define"),
            What::Metadata => item.name.is_some_and(named),
            What::Other => true,
            _ => false,
        }
    };
    let mut open: Vec<usize> = (0..module.items.len()).filter(|place| is_root(*place)).collect();
    let mut used = vec![false; module.items.len()];
    while let Some(place) = open.pop() {
        if std::mem::replace(&mut used[place], true) {
            continue;
        }
        let tokens = module.items[place].tokens.clone();
        open.extend(tokens.filter_map(|at| places.get(&key(at)).copied()));
    }
    let items = module.items.iter().zip(used).filter(|(_, used)| !used);
    items.map(|(item, _)| vec![Edit::delete(source.lines(&item.tokens))]).collect()
}

/// Deletes lines about the module: target, source's name, inline assembly, named nodes.
pub(super) fn lines(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let items = module.items.iter().filter(|item| match item.what {
        What::Other => true,
        What::Metadata => {
            item.name.is_some_and(|at| !source.name(at).starts_with(|c: char| c.is_ascii_digit()))
        }
        _ => false,
    });
    items.map(|item| vec![Edit::delete(source.lines(&item.tokens))]).collect()
}

/// Deletes single specifications of the data layout.
pub(super) fn layout(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for at in 2..source.tokens.len() {
        if !(source.is_word(at - 2, "datalayout") && source.kind(at) == Some(Kind::Text)) {
            continue;
        }
        let word = source.word(at).strip_prefix('"');
        let Some(layout) = word.and_then(|word| word.strip_suffix('"')) else { continue };
        let mut start = source.bytes(&(at..at + 1)).start + 1;
        for (index, part) in layout.split('-').enumerate() {
            let end = start + part.len();
            // The first one is the order of bytes, and has no dash to go with it.
            if index > 0 {
                changes.push(vec![Edit::delete(start - 1..end)]);
            }
            start = end + 1;
        }
    }
    changes
}

/// Variables that have a value: its type and tokens.
pub(super) fn initialized(module: &Module) -> Vec<(Range<usize>, Range<usize>)> {
    let source = &module.source;
    let variables = module.items.iter().filter(|item| item.what == What::Variable);
    variables
        .filter_map(|item| {
            let word =
                item.tokens.clone().find(|at| matches!(source.word(*at), "global" | "constant"))?;
            let ty = word + 1..source.ty(word + 1)?;
            let value = ty.end..source.value(ty.end)?;
            (value.end <= item.tokens.end).then_some((ty, value))
        })
        .collect()
}

/// Variables become external ones.
pub(super) fn initializers(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let variables = module.items.iter().filter(|item| item.what == What::Variable);
    variables
        .filter_map(|item| {
            let (_, value) =
                initialized(module).into_iter().find(|(ty, _)| item.tokens.contains(&ty.start))?;
            let words = item.tokens.start..value.start;
            let behind = source.bytes(&(value.start - 1..value.start)).end;
            let mut change = vec![Edit::delete(behind..source.bytes(&value).end)];
            for at in words.filter(|at| LINKAGES.contains(&source.word(*at))) {
                change.push(Edit::delete(source.bytes(&(at..at + 1))));
            }
            let equals = source.bytes(&(item.tokens.start + 1..item.tokens.start + 2)).end;
            change.push(Edit::replace(equals..equals, " external"));
            Some(change)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "target triple = \"x\"
%T = type { ptr }
@g = internal global i32 7, align 4
@h = global ptr @g
declare i32 @e(ptr)
define internal i32 @f(i32 %a) nounwind comdat align 4 {
  %b = call i32 @e(ptr @g)
  ret i32 %b
}
define i32 @m() {
  %c = call i32 @f(i32 1)
  ret i32 %c
}
!0 = !{!0}
";

    #[test]
    fn functions_become_declarations() {
        let found = each("functions to declarations", TEXT);
        assert!(found[0].contains("declare  i32 @f(i32 %a) nounwind\ndefine"), "{}", found[0]);
    }

    #[test]
    fn globals_go_with_their_uses() {
        let found = each("delete globals with their uses", TEXT);
        assert!(found[0].contains("@h = global ptr null") && found[0].contains("@e(ptr null)"));
        assert!(found[3].contains("@m() {\n  ret i32 0\n}"), "{}", found[3]);
        assert_eq!(all("delete globals with their uses", TEXT).lines().count(), 3);
    }

    #[test]
    fn layouts_lose_parts() {
        let text = "target datalayout = \"e-m:e-n8:16\"\n";
        let expect = ["target datalayout = \"e-n8:16\"\n", "target datalayout = \"e-m:e\"\n"];
        assert_eq!(each("delete parts of the data layout", text), expect);
    }

    #[test]
    fn unused_items_and_lines_go() {
        let unused = all("delete what is not used", TEXT);
        assert!(!unused.contains("%T") && !unused.contains("@h") && !unused.contains("!0"));
        assert!(unused.contains("@g = internal global"));
        assert!(!all("delete lines of the module", TEXT).contains("triple"));
        let external = &each("initializers away", TEXT)[0];
        assert!(external.contains("@g = external  global i32, align 4"), "{external}");
    }
}
