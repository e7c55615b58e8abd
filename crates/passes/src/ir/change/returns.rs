//! Functions without a result.

use crate::Change;
use crate::ir::grammar::zero;
use crate::ir::module::Module;
use base::Edit;

/// A function returns nothing; what calls it goes on with zero.
pub(super) fn to_void(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in &module.functions {
        let ty = source.slice(&function.ty);
        let Some(calls) = module.calls_of(function.name).filter(|_| ty != "void") else { continue };
        // Attributes of the result go with it.
        let words = function.tokens.start + 1..function.ty.start;
        let kept = words.clone().rev().find(|at| {
            let word = source.word(*at);
            !["noundef", "signext", "zeroext", "nonnull", "noalias", "inreg"].contains(&word)
        });
        let start = kept.map_or(words.start, |kept| kept + 1);
        let mut change = vec![Edit::replace(source.bytes(&(start..function.ty.end)), "void")];
        let mut zero_of_used = Some(());
        for (caller, it) in calls {
            let Some(call) = &it.call else { continue };
            change.push(Edit::replace(source.bytes(&call.ty), "void"));
            let Some(result) = it.result else { continue };
            change.push(Edit::delete(
                source.bytes(&(result..result + 1)).start
                    ..source.bytes(&(result + 2..result + 3)).start,
            ));
            for at in caller.uses(source, source.name(result)) {
                match zero(ty) {
                    Some(zero) => {
                        change.push(Edit::replace(source.bytes(&(at..at + 1)), zero));
                    }
                    None => zero_of_used = None,
                }
            }
        }
        for it in function.blocks.iter().filter_map(|block| block.instructions.last()) {
            if source.is_word(it.opcode, "ret") {
                let operand = it.operands.last().map_or(it.tokens.end, |last| last.value.end);
                let bytes = source.bytes(&(it.tokens.start..operand));
                change.push(Edit::replace(bytes, "ret void"));
            }
        }
        if zero_of_used.is_some() {
            changes.push(change);
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::each;

    #[test]
    fn results_go_from_returns_and_calls() {
        let text = "define internal noundef i32 @f() {
  ret i32 1, !dbg !0
}
define i32 @g() {
  %r = tail call noundef i32 @f()
  ret i32 %r
}
";
        let found = each("results to void", text);
        assert!(found[0].contains("define internal void @f() {\n  ret void, !dbg !0"));
        assert!(found[0].contains("  tail call noundef void @f()\n  ret i32 0"), "{}", found[0]);
        assert!(found[1].contains("define void @g()") && found[1].contains("@f()\n  ret void"));
    }
}
