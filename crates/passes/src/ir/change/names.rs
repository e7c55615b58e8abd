//! Names: of what has only a number, since deleting a numbered thing would shift the others; and
//! short ones at the end.

use crate::Change;
use crate::ir::module::{Function, Module, What};
use crate::ir::token::Kind;
use base::Edit;
use std::collections::{BTreeMap, BTreeSet};

fn is_number(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// All names that a function makes.
fn locals(function: &Function) -> impl Iterator<Item = &str> {
    let parameters = function.parameters.iter().map(|parameter| parameter.name.as_str());
    let blocks = function.blocks.iter().map(|block| block.name.as_str());
    parameters.chain(blocks).chain(function.numbers.values().map(String::as_str))
}

/// Gives a name to everything in a function that has a number.
pub(super) fn name_numbers(module: &Module) -> Vec<Change> {
    module.defined().filter_map(|function| name_numbers_of(module, function)).collect()
}

fn name_numbers_of(module: &Module, function: &Function) -> Option<Change> {
    let source = &module.source;
    let taken: BTreeSet<&str> = locals(function).collect();
    let numbers: Vec<&str> = taken.iter().copied().filter(|name| is_number(name)).collect();
    let prefix = ["v", "v.", "value.", "value.."].into_iter().find(|prefix| {
        let free = |number: &&str| !taken.contains(format!("{prefix}{number}").as_str());
        !numbers.is_empty() && numbers.iter().all(free)
    })?;
    let mut change = Change::new();
    for parameter in function.parameters.iter().filter(|it| it.named.is_none()) {
        let end = source.bytes(&parameter.tokens).end;
        change.push(Edit::replace(end..end, format!(" %{prefix}{}", parameter.name)));
    }
    for block in function.blocks.iter().filter(|block| is_number(&block.name)) {
        let before = source.bytes(&(block.tokens.start - 1..block.tokens.start)).end;
        match block.label {
            Some(label) => change.push(Edit::replace(
                source.bytes(&(label..label + 1)),
                format!("{prefix}{}:", block.name),
            )),
            // The first block needs a label only if it is named somewhere.
            None if block.name == function.blocks[0].name
                && function.uses(source, &block.name).is_empty() => {}
            None => {
                // Behind the last token, since the next one may be renamed at the same place.
                let label = format!("\n{prefix}{}:", block.name);
                change.push(Edit::replace(before..before, label));
            }
        }
    }
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let (None, Some(name)) =
            (instruction.result, function.numbers.get(&instruction.tokens.start))
        {
            let start = source.bytes(&instruction.tokens).start;
            change.push(Edit::replace(start..start, format!("%{prefix}{name} = ")));
        }
    }
    for at in function.parens.start..function.tokens.end {
        if source.kind(at) == Some(Kind::Local) && is_number(source.name(at)) {
            let name = format!("%{prefix}{}", source.name(at));
            change.push(Edit::replace(source.bytes(&(at..at + 1)), name));
        }
    }
    (!change.is_empty()).then_some(change)
}

/// `a`, `b`, …, `z`, `aa`, …
fn short(mut index: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(b'a' + (index % 26) as u8);
        if index < 26 {
            break;
        }
        index = index / 26 - 1;
    }
    name.iter().rev().map(|letter| char::from(*letter)).collect()
}

/// Names a function's values and blocks in their order.
pub(super) fn shorten(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in module.defined() {
        let mut order: Vec<(usize, &str)> = Vec::new();
        order.extend(function.parameters.iter().map(|it| (it.tokens.start, it.name.as_str())));
        let labelled = function.blocks.iter().filter(|block| block.label.is_some());
        order.extend(labelled.map(|block| (block.tokens.start, block.name.as_str())));
        order.extend(function.numbers.iter().map(|(at, name)| (*at, name.as_str())));
        order.sort_unstable();
        if locals(function).any(|name| is_number(name) && name != function.blocks[0].name) {
            continue;
        }
        let free = (0..).map(short).filter(|name| !module.types.contains(name.as_str()));
        let names: BTreeMap<&str, String> = order.iter().map(|(_, name)| *name).zip(free).collect();
        let renamed = (function.parens.start..function.tokens.end).filter_map(|at| {
            let (before, after) = match source.kind(at)? {
                Kind::Local if !module.types.contains(source.name(at)) => ("%", ""),
                Kind::Label => ("", ":"),
                _ => return None,
            };
            let name = names.get(source.name(at))?;
            let bytes = source.bytes(&(at..at + 1));
            let name = format!("{before}{name}{after}");
            (source.text[bytes.clone()] != *name.as_bytes()).then(|| Edit::replace(bytes, name))
        });
        let change: Change = renamed.collect();
        if !change.is_empty() {
            changes.push(change);
        }
    }
    changes
}

/// Names functions and variables in their order, each by itself: some names mean something.
pub(super) fn shorten_globals(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let named = module.items.iter().filter(|it| matches!(it.what, What::Function | What::Variable));
    let names: Vec<usize> = named.filter_map(|item| item.name).collect();
    let taken: BTreeSet<&str> = names.iter().map(|at| source.name(*at)).collect();
    let mut free = (0..).map(short).filter(|name| !taken.contains(name.as_str()));
    names
        .iter()
        .filter(|at| source.name(**at).len() > 1 && !source.name(**at).starts_with("llvm."))
        .filter_map(|at| {
            let name = format!("@{}", free.next()?);
            let places = std::iter::once(*at).chain(module.uses_of_global(*at));
            Some(
                places.map(|at| Edit::replace(source.bytes(&(at..at + 1)), name.clone())).collect(),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::all;

    const NUMBERED: &str = "define i32 @f(i32, ptr %v1) {
  call i32 @f(i32 %0, ptr null)
  br label %3
3:
  %4 = phi i32 [ 0, %1 ]
  ret i32 %4

  ret i32 0
}
";

    #[test]
    fn everything_numbered_gets_a_name() {
        let expect = "define i32 @f(i32 %v.0, ptr %v1) {
v.1:
  %v.2 = call i32 @f(i32 %v.0, ptr null)
  br label %v.3
v.3:
  %v.4 = phi i32 [ 0, %v.1 ]
  ret i32 %v.4
v.5:

  ret i32 0
}
";
        assert_eq!(all("name what is numbered", NUMBERED), expect);
        assert_eq!(all("name what is numbered", expect), expect);
    }

    #[test]
    fn short_names_follow_the_order() {
        let text = "%a = type { i32 }\ndefine %a @long(%a %x) {\nentry:\n  br label %next\nnext:\n  ret %a %x\n}\n";
        let expect =
            "%a = type { i32 }\ndefine %a @long(%a %b) {\nc:\n  br label %d\nd:\n  ret %a %b\n}\n";
        assert_eq!(all("short names", text), expect);
        assert_eq!(all("short names", expect), expect);
        assert!(all("short names of globals", text).contains("@a(%a %x)"));
        assert_eq!(
            (super::short(25), super::short(26), super::short(52)),
            ("z".into(), "aa".into(), "ba".into())
        );
    }
}
