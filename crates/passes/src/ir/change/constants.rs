//! Simpler constants.

use crate::Change;
use crate::ir::grammar::{is_number, zero};
use crate::ir::module::Module;
use crate::ir::token::Kind;
use base::Edit;

/// Is it a constant that names nothing?
fn is_plain(module: &Module, value: &std::ops::Range<usize>) -> bool {
    let named = |at| matches!(module.source.kind(at), Some(Kind::Local | Kind::Global));
    !value.clone().any(named)
}

fn is_zero(word: &str) -> bool {
    matches!(word, "false" | "null" | "zeroinitializer" | "none")
        || word.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'e' | b'+' | b'x' | b'K' | b'L'))
}

/// Constants become the zero of their type, in instructions and in variables.
pub(super) fn to_zero(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let operands = module.instructions().flat_map(|(_, it)| &it.operands);
    let mut changes: Vec<Change> = operands
        .filter(|it| is_plain(module, &it.value) && !is_zero(source.slice(&it.value)))
        .filter_map(|it| Some(vec![Edit::replace(source.bytes(&it.value), zero(&it.ty)?)]))
        .collect();
    for (ty, value) in super::globals::initialized(module) {
        if let Some(zero) = zero(source.slice(&ty))
            && !is_zero(source.slice(&value))
        {
            changes.push(vec![Edit::replace(source.bytes(&value), zero)]);
        }
    }
    changes
}

/// Numbers become one: shorter, and where zero means too much.
pub(super) fn to_one(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let operands = module.instructions().flat_map(|(_, it)| &it.operands);
    operands
        .filter(|it| it.value.len() == 1)
        .filter_map(|operand| {
            let word = source.word(operand.value.start);
            let one = match operand.ty.as_str() {
                "float" | "double" | "half" | "bfloat" => "1.0",
                ty if ty.starts_with('i') && ty != "i1" => "1",
                _ => return None,
            };
            let ones = ["1", "1.0", "1.000000e+00"];
            (is_number(word) && !is_zero(word) && !ones.contains(&word))
                .then(|| vec![Edit::replace(source.bytes(&operand.value), one)])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::all;

    #[test]
    fn constants_become_zero_or_one() {
        let text = "@g = global [2 x i8] c\"ab\"
define double @f() {
  store i32 12, ptr @g
  store <2 x i1> <i1 true, i1 false>, ptr inttoptr (i64 8 to ptr)
  ret double 2.500000e+00
}
";
        let zeros = all("constants to zero", text);
        assert!(zeros.contains("global [2 x i8] zeroinitializer"), "{zeros}");
        assert!(zeros.contains("store i32 0, ptr @g"), "{zeros}");
        assert!(zeros.contains("store <2 x i1> zeroinitializer, ptr null"), "{zeros}");
        assert!(zeros.contains("ret double 0.0"), "{zeros}");
        assert_eq!(all("constants to zero", &zeros), zeros);
        let ones = all("constants to one", text);
        assert!(ones.contains("store i32 1, ptr @g") && ones.contains("ret double 1.0"), "{ones}");
        assert_eq!(all("constants to one", &ones), ones);
    }
}
