//! Simpler ends of blocks.

use super::instructions::erase;
use crate::Change;
use crate::ir::cfg::Graph;
use crate::ir::grammar::zero;
use crate::ir::instruction::Instruction;
use crate::ir::module::{Block, Function, Module};
use base::Edit;

/// Changes for the last instruction of each block.
fn each_end(
    module: &Module,
    change: impl Fn(&Function, &Graph, usize, &Instruction) -> Option<Change>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for function in module.defined() {
        let graph = Graph::of(&module.source, function);
        for (place, block) in function.blocks.iter().enumerate() {
            changes.extend(end(block).and_then(|end| change(function, &graph, place, end)));
        }
    }
    changes
}

fn end(block: &Block) -> Option<&Instruction> {
    block.instructions.last()
}

/// Another end of a block, which goes to `targets`, with all that follows.
fn replace(
    module: &Module,
    function: &Function,
    graph: &Graph,
    place: usize,
    with: &str,
    targets: Vec<usize>,
) -> Option<Change> {
    let source = &module.source;
    let end = function.blocks[place].instructions.last()?;
    let mut change = erase(module, function, end, end.ty.as_deref().and_then(zero))?;
    change[0] = Edit::replace(source.bytes(&end.tokens), with);
    change.extend(graph.redirect(place, targets));
    Some(change)
}

fn to_target(module: &Module, last: bool) -> Vec<Change> {
    each_end(module, |function, graph, place, end| {
        let targets = &graph.successors[place];
        let chosen = if last { targets.last() } else { targets.first() };
        if end.targets.len() < 2 || targets.len() != end.targets.len() {
            return None;
        }
        let at = if last { end.targets.last() } else { end.targets.first() }?;
        let with = format!("br label {}", module.source.word(*at));
        replace(module, function, graph, place, &with, vec![*chosen?])
    })
}

/// Branches, switches and invokes go to their first target only.
pub(super) fn to_first(module: &Module) -> Vec<Change> {
    to_target(module, false)
}

/// The same with the last target.
pub(super) fn to_last(module: &Module) -> Vec<Change> {
    to_target(module, true)
}

/// Blocks return instead of going on.
pub(super) fn to_return(module: &Module) -> Vec<Change> {
    each_end(module, |function, graph, place, end| {
        if module.source.is_word(end.opcode, "ret") {
            return None;
        }
        let with = match module.source.slice(&function.ty) {
            "void" => "ret void".to_owned(),
            ty => format!("ret {ty} {}", zero(ty)?),
        };
        replace(module, function, graph, place, &with, Vec::new())
    })
}

/// Switches lose cases.
pub(super) fn cases(module: &Module) -> Vec<Change> {
    let mut changes = Vec::new();
    for function in module.defined() {
        let graph = Graph::of(&module.source, function);
        for (place, block) in function.blocks.iter().enumerate() {
            let Some(end) = end(block) else { continue };
            let targets = &graph.successors[place];
            // The first target is the default.
            if end.cases.is_empty() || targets.len() != end.cases.len() + 1 {
                continue;
            }
            for (at, case) in end.cases.iter().enumerate() {
                let mut left = targets.clone();
                left.remove(at + 1);
                let mut change = vec![Edit::delete(module.source.lines(case))];
                change.extend(graph.redirect(place, left));
                changes.push(change);
            }
        }
    }
    changes
}

/// Invokes become calls, and go on where no exception goes.
pub(super) fn invoke_to_call(module: &Module) -> Vec<Change> {
    let source = &module.source;
    each_end(module, |_, graph, place, end| {
        let call = end.call.as_ref().filter(|_| source.is_word(end.opcode, "invoke"))?;
        let (normal, target) = (end.targets.first()?, graph.successors[place].first()?);
        let to = (call.parens.end..end.tokens.end).find(|at| source.is_word(*at, "to"))?;
        let start = source.bytes(&(to - 1..to)).end;
        let unwind = end.targets.last()?;
        let finish = source.bytes(&(*unwind..unwind + 1)).end;
        let mut change = vec![
            Edit::replace(source.bytes(&(end.opcode..end.opcode + 1)), "call"),
            Edit::replace(start..finish, format!("\n  br label {}", source.word(*normal))),
        ];
        change.extend(graph.redirect(place, vec![*target]));
        Some(change)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::each;

    const TEXT: &str = "define i32 @f(i1 %c, i32 %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %y = add i32 %x, 1
  br label %b
b:
  %p = phi i32 [ %x, %entry ], [ %y, %a ]
  switch i32 %p, label %d [
    i32 1, label %d
    i32 2, label %e
  ]
d:
  %q = phi i32 [ 1, %b ], [ 2, %b ]
  ret i32 %q
e:
  ret i32 0
}
";

    #[test]
    fn lost_edges_take_blocks_and_entries_with_them() {
        let first = each("branches to their first target", TEXT);
        assert!(first[0].contains("br label %a\na:") && first[0].contains("phi i32 [ %y, %a ]"));
        assert!(first[1].contains("br label %d\nd:\n  %q = phi i32 [ 1, %b ]\n"), "{}", first[1]);
        assert!(!first[1].contains("e:\n  ret"));
        let last = each("branches to their last target", TEXT);
        assert!(!last[0].contains("%y") && last[0].contains("[ %x, %entry ]\n"));
        let ends = each("ends to returns", TEXT);
        assert_eq!(ends[0], "define i32 @f(i1 %c, i32 %x) {\nentry:\n  ret i32 0\n}\n");
    }

    #[test]
    fn cases_go_one_by_one() {
        let found = each("delete cases", TEXT);
        assert!(
            found[0].contains("[\n    i32 2, label %e\n  ]") && found[0].contains("[ 1, %b ]\n")
        );
        assert!(found[1].contains("[\n    i32 1, label %d\n  ]") && !found[1].contains("\ne:"));
    }

    #[test]
    fn invokes_become_calls() {
        let text = "define void @f() personality ptr @p {
  %r = invoke i32 @g() to label %a
          unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %l
}
";
        let found = each("invokes to calls", text);
        let expect = "  %r = call i32 @g()\n  br label %a\na:\n  ret void\n}\n";
        assert!(found[0].ends_with(expect), "{}", found[0]);
    }
}
