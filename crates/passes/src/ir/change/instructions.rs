//! Deleting instructions, with something of the same type in the place of the result.

use crate::Change;
use crate::ir::grammar::zero;
use crate::ir::instruction::Instruction;
use crate::ir::module::{Function, Module};
use base::Edit;
use std::collections::BTreeSet;

/// Deletes an instruction and puts `with` where its result was used. Nothing if the result is
/// used and there is nothing to put there.
pub(super) fn erase(
    module: &Module,
    function: &Function,
    instruction: &Instruction,
    with: Option<&str>,
) -> Option<Change> {
    let source = &module.source;
    let mut change = vec![Edit::delete(source.lines(&instruction.tokens))];
    if let Some(name) = function.numbers.get(&instruction.tokens.start) {
        for at in function.uses(source, name) {
            if !instruction.tokens.contains(&at) {
                change.push(Edit::replace(source.bytes(&(at..at + 1)), with?));
            }
        }
    }
    Some(change)
}

fn erasable<'m>(module: &'m Module) -> impl Iterator<Item = (&'m Function, &'m Instruction)> {
    module.instructions().filter(|(_, it)| !it.is_terminator(&module.source))
}

/// Puts the type's zero in an instruction's place.
pub(super) fn to_zero(module: &Module) -> Vec<Change> {
    erasable(module)
        .filter_map(|(function, it)| erase(module, function, it, it.ty.as_deref().and_then(zero)))
        .collect()
}

/// Puts the first operand that has its type in an instruction's place.
pub(super) fn to_first(module: &Module) -> Vec<Change> {
    to_operand(module, false)
}

/// The same with the last one, where it is another.
pub(super) fn to_last(module: &Module) -> Vec<Change> {
    to_operand(module, true)
}

fn to_operand(module: &Module, last: bool) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    // What takes another's place can't go at the same time.
    let (mut gone, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for (function, it) in erasable(module) {
        let Some(result) = it.result else { continue };
        let same = it.operands.iter().filter(|operand| Some(&operand.ty) == it.ty.as_ref());
        let mut same = same.map(|operand| source.slice(&operand.value));
        let first = same.find(|value| *value != source.word(result));
        let chosen = if last { same.next_back().filter(|it| Some(*it) != first) } else { first };
        let Some(with) = chosen.filter(|with| *with != source.word(result)) else { continue };
        let (own, with_key) = ((function.name, source.word(result)), (function.name, with));
        if gone.contains(&with_key) || kept.contains(&own) {
            continue;
        }
        if let Some(change) = erase(module, function, it, Some(with)) {
            gone.insert(own);
            kept.insert(with_key);
            changes.push(change);
        }
    }
    changes
}

/// Makes an instruction's result a new parameter: anything may come from outside. Calls give zero
/// for it.
pub(super) fn to_parameter(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    let mut started = BTreeSet::new();
    for (function, it) in erasable(module) {
        let (Some(result), Some(ty)) = (it.result, &it.ty) else { continue };
        // Joined without a comma, two first parameters would not be read.
        let empty = function.parens.len() == 2;
        if function.uses(source, source.name(result)).is_empty()
            || empty && started.contains(&function.name)
        {
            continue;
        }
        let (Some(zero), Some(calls)) = (zero(ty), module.calls_of(function.name)) else {
            continue;
        };
        if source.is_word(function.parens.end - 2, "...") {
            continue;
        }
        started.insert(function.name);
        let mut change = vec![Edit::delete(source.lines(&it.tokens))];
        let mut insert = |close: usize, first: bool, what: String| {
            let at = source.bytes(&(close..close + 1)).start;
            let what = if first { what } else { format!(", {what}") };
            change.push(Edit::replace(at..at, what));
        };
        insert(function.parens.end - 1, empty, format!("{ty} {}", source.word(result)));
        for call in calls.iter().filter_map(|(_, it)| it.call.as_ref()) {
            insert(call.parens.end - 1, call.args.is_empty(), format!("{ty} {zero}"));
        }
        changes.push(change);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "define i32 @f(i32 %a) {
  %b = add nsw i32 %a, 1
  %c = call <2 x i1> @g(i32 %b)
  %d = sub i32 %b, %a
  store i32 %d, ptr null, align 4
  ret i32 %d
}
";

    #[test]
    fn results_become_zeros() {
        let expect = "define i32 @f(i32 %a) {\n  ret i32 0\n}\n";
        assert_eq!(all("delete instructions", TEXT), expect);
        assert_eq!(each("delete instructions", TEXT).len(), 4);
    }

    #[test]
    fn results_become_operands_that_stay() {
        let first = all("instructions to their first operand", TEXT);
        assert!(first.contains("sub i32 %a, %a") && first.contains("ret i32 %d"), "{first}");
        let last = all("instructions to their last operand", TEXT);
        assert!(last.contains("@g(i32 1)") && last.contains("ret i32 %a"), "{last}");
    }

    #[test]
    fn results_become_parameters() {
        let text = "define void @f() {
  %b = load i32, ptr null
  %c = load i8, ptr null
  store i32 %b, ptr null
  store i8 %c, ptr null
  call void @f()
  ret void
}
";
        let found = each("instructions to parameters", text);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("@f(i32 %b) {\n  %c"), "{}", found[0]);
        assert!(found[0].contains("call void @f(i32 0)"), "{}", found[0]);
    }
}
