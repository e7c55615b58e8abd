//! Fewer parameters.

use crate::Change;
use crate::ir::grammar::zero;
use crate::ir::module::Module;
use base::Edit;

/// Deletes a parameter with the arguments of all calls; its uses become zero. Functions that are
/// used in another way than by calls keep theirs.
pub(super) fn delete(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in &module.functions {
        let Some(calls) = module.calls_of(function.name) else { continue };
        let calls: Vec<_> = calls.iter().filter_map(|(_, it)| it.call.as_ref()).collect();
        let lists = source.parts(function.parens.start + 1..function.parens.end - 1);
        // A call that spells the function's type would have to lose a part of it too.
        if calls.iter().any(|call| {
            call.ty.end != call.callee.start || call.args.len() != function.parameters.len()
        }) || lists.len() != function.parameters.len()
        {
            continue;
        }
        for (at, parameter) in function.parameters.iter().enumerate() {
            let mut change = vec![source.delete_of_list(&lists, at)];
            change.extend(calls.iter().map(|call| source.delete_of_list(&call.args, at)));
            let uses = function.uses(source, &parameter.name);
            let ty = source.ty(parameter.tokens.start);
            let zero = ty.and_then(|end| zero(source.slice(&(parameter.tokens.start..end))));
            match zero {
                None if !uses.is_empty() => continue,
                zero => change.extend(uses.into_iter().map(|at| {
                    Edit::replace(source.bytes(&(at..at + 1)), zero.unwrap_or_default())
                })),
            }
            changes.push(change);
        }
    }
    changes
}

/// Deletes arguments that a function takes without a parameter for them.
pub(super) fn variadic(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for call in module.instructions().filter_map(|(_, it)| it.call.as_ref()) {
        // The type is spelled out: `i32 (ptr, ...)`.
        let Some(close) = source.close(call.ty.end) else { continue };
        if call.ty.end == call.callee.start || !source.is_word(close - 2, "...") {
            continue;
        }
        let fixed = source.parts(call.ty.end + 1..close - 1).len() - 1;
        let more = fixed..call.args.len();
        changes.extend(more.map(|at| vec![source.delete_of_list(&call.args, at)]));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    #[test]
    fn variadic_arguments_go() {
        let text = "define void @f() {
  call i32 (ptr, ...) @p(ptr null, i32 1, i32 2)
  call void (...) @q(i32 1)
  call void @r(i32 1)
  ret void
}
";
        let found = all("delete variadic arguments", text);
        assert!(found.contains("@p(ptr null)\n"), "{found}");
        assert!(found.contains("@q()\n") && found.contains("@r(i32 1)\n"), "{found}");
    }

    #[test]
    fn parameters_go_with_their_arguments() {
        let text = "declare void @e(ptr)
define i32 @f(i32 %a, ptr noundef %b) {
  call void @e(ptr %b)
  ret i32 %a
}
define void @g() {
  %r = call i32 @f(i32 1, ptr null)
  ret void
}
";
        let found = each("delete parameters", text);
        assert_eq!(found.len(), 3);
        assert!(found[0].contains("@e()\n") && found[0].contains("call void @e()"));
        assert!(found[1].contains("@f(ptr noundef %b)") && found[1].contains("@f(ptr null)"));
        assert!(found[1].contains("ret i32 0"));
        assert!(found[2].contains("@f(i32 %a)") && found[2].contains("@e(ptr null)"));
    }
}
