//! Simpler operands.

use crate::Change;
use crate::ir::grammar::zero;
use crate::ir::instruction::{Instruction, Operand};
use crate::ir::module::{Function, Module};
use crate::ir::token::Kind;
use base::Edit;
use std::collections::BTreeMap;

/// Puts zeros in the place of values that are no constants, or are made from others.
pub(super) fn to_zero(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let operands = module.instructions().flat_map(|(_, it)| &it.operands);
    operands
        .filter(|operand| {
            operand
                .value
                .clone()
                .any(|at| matches!(source.kind(at), Some(Kind::Local | Kind::Global)))
        })
        .filter_map(|it| Some(vec![Edit::replace(source.bytes(&it.value), zero(&it.ty)?)]))
        .collect()
}

/// Puts an operand of what makes a value in its place.
pub(super) fn skip(module: &Module) -> Vec<Change> {
    let source = &module.source;
    each_local(module, |values, operand, place| {
        let made = values.by_name.get(source.name(operand.value.start))?;
        let with = made.by?.operands.iter().find(|with| {
            // Never a later value, or two phis could be exchanged for each other for ever.
            let later = with.value.clone().any(|at| {
                source.kind(at) == Some(Kind::Local)
                    && values.by_name.get(source.name(at)).is_none_or(|with| with.at >= made.at)
            });
            with.ty == operand.ty && !later && place != with.value.start
        })?;
        Some(source.slice(&with.value).to_owned())
    })
}

/// Puts the first value of the same type in the place of a later one.
pub(super) fn to_earlier(module: &Module) -> Vec<Change> {
    let source = &module.source;
    each_local(module, |values, operand, _| {
        let made = values.by_name.get(source.name(operand.value.start))?;
        let first = values.first.get(operand.ty.as_str())?;
        (first.0 < made.at).then(|| first.1.to_owned())
    })
}

/// Where a value is made.
struct Made<'m> {
    at: usize,
    /// The instruction that makes it; nothing for a parameter.
    by: Option<&'m Instruction>,
}

/// The values of a function.
struct Values<'m> {
    by_name: BTreeMap<&'m str, Made<'m>>,
    /// The first value of each type, with its place.
    first: BTreeMap<&'m str, (usize, &'m str)>,
}

impl<'m> Values<'m> {
    fn of(module: &'m Module, function: &'m Function) -> Values<'m> {
        let source = &module.source;
        let mut values = Values { by_name: BTreeMap::new(), first: BTreeMap::new() };
        for parameter in &function.parameters {
            let at = parameter.tokens.start;
            values.by_name.insert(&parameter.name, Made { at, by: None });
            if let (Some(named), Some(end)) = (parameter.named, source.ty(at)) {
                let ty = source.slice(&(at..end));
                values.first.entry(ty).or_insert((at, source.word(named)));
            }
        }
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(result) = instruction.result else { continue };
            let made = Made { at: result, by: Some(instruction) };
            values.by_name.insert(source.name(result), made);
            if let Some(ty) = &instruction.ty {
                values.first.entry(ty).or_insert((result, source.word(result)));
            }
        }
        values
    }
}

/// Changes for each operand that is a local value, where there is something to put in its place.
fn each_local(
    module: &Module,
    with: impl Fn(&Values, &Operand, usize) -> Option<String>,
) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in module.defined() {
        let values = Values::of(module, function);
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        for operand in instructions.flat_map(|it| &it.operands) {
            let local =
                operand.value.len() == 1 && source.kind(operand.value.start) == Some(Kind::Local);
            if let Some(with) = local.then(|| with(&values, operand, operand.value.start)).flatten()
            {
                changes.push(vec![Edit::replace(source.bytes(&operand.value), with)]);
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "define i32 @f(ptr %p, i32 %a) {
  %b = add i32 3, %a
  %q = getelementptr i8, ptr @g, i64 1
  store i32 %b, ptr %q
  ret i32 %b
}
";

    #[test]
    fn operands_become_zero_but_constants_stay() {
        let found = all("operands to zero", TEXT);
        let lines: Vec<&str> = found.lines().map(str::trim).collect();
        assert_eq!(lines[1], "%b = add i32 3, 0");
        assert_eq!(lines[2], "%q = getelementptr i8, ptr null, i64 1");
        assert_eq!(lines[3], "store i32 0, ptr null");
    }

    #[test]
    fn operands_become_what_they_were_made_of_or_what_came_before() {
        let skipped = all("operands to their operands", TEXT);
        assert!(skipped.contains("store i32 3, ptr @g") && skipped.contains("ret i32 3"));
        let earlier = each("operands to earlier values", TEXT);
        assert_eq!(earlier.len(), 3);
        assert!(all("operands to earlier values", TEXT).contains("store i32 %a, ptr %p"));
    }
}
