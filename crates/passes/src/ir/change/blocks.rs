//! Fewer blocks.

use crate::Change;
use crate::ir::cfg::Graph;
use crate::ir::instruction::Instruction;
use crate::ir::module::{Block, Function, Module};
use crate::ir::source::Source;
use base::Edit;
use std::collections::{BTreeMap, BTreeSet};

/// Deletes blocks that can't be reached: all of a function's, and each that nothing goes to.
pub(super) fn unreachable(module: &Module) -> Vec<Change> {
    let mut changes = Vec::new();
    for function in module.defined() {
        let graph = Graph::of(&module.source, function);
        let dead: Vec<bool> = graph.reachable().iter().map(|reached| !reached).collect();
        for (place, _) in dead.iter().enumerate().filter(|(_, dead)| **dead) {
            let from = graph.predecessors(place);
            if from.iter().all(|from| *from == place) {
                let only: Vec<bool> = (0..dead.len()).map(|at| at == place).collect();
                changes.push(graph.delete(&only));
            }
        }
        if dead.contains(&true) {
            changes.push(graph.delete(&dead));
        }
    }
    changes
}

/// Joins a block to the only one that goes to it and nowhere else.
pub(super) fn merge(module: &Module) -> Vec<Change> {
    let mut changes = Vec::new();
    for function in module.defined() {
        let graph = Graph::of(&module.source, function);
        let mut merged = BTreeSet::new();
        for place in 1..function.blocks.len() {
            let &[from] = &graph.predecessors(place)[..] else { continue };
            // In a chain the names of two joints would have to be known to each other.
            if from == place || graph.successors[from].len() != 1 || merged.contains(&from) {
                continue;
            }
            if let Some(change) = join(module, function, from, place) {
                merged.insert(place);
                changes.push(change);
            }
        }
    }
    changes
}

fn join(module: &Module, function: &Function, from: usize, place: usize) -> Option<Change> {
    let source = &module.source;
    let (before, block) = (&function.blocks[from], &function.blocks[place]);
    let end = before.instructions.last().filter(|end| source.is_word(end.opcode, "br"))?;
    let label = block.label?;
    let mut change = Change::new();
    let mut replace = |name: &str, with: &str| {
        for at in function.uses(source, name).into_iter().filter(|at| !end.tokens.contains(at)) {
            change.push(Edit::replace(source.bytes(&(at..at + 1)), with));
        }
    };
    replace(&block.name, &reference(source, before));
    let phis: Vec<&Instruction> =
        block.instructions.iter().filter(|it| !it.entries.is_empty()).collect();
    for phi in &phis {
        replace(source.name(phi.result?), source.slice(&phi.entries.first()?.0));
    }
    if place == from + 1 {
        change.push(Edit::delete(source.lines(&end.tokens)));
        change.push(Edit::delete(source.lines(&(label..label + 1))));
        change.extend(phis.iter().map(|phi| Edit::delete(source.lines(&phi.tokens))));
        return Some(change);
    }
    // The block is elsewhere: what it holds moves, and edits inside it are made on the way.
    let behind = phis.last().map_or(label + 1, |phi| phi.tokens.end);
    let moved = source.bytes(&(behind..block.tokens.end));
    let inside = |edit: &Edit| moved.start <= edit.range.start && edit.range.end <= moved.end;
    let shifted: Vec<Edit> = change
        .extract_if(.., |edit| inside(edit))
        .map(|edit| {
            let range = edit.range.start - moved.start..edit.range.end - moved.start;
            Edit::replace(range, edit.with)
        })
        .collect();
    let content = Edit::apply(&shifted, &source.text[moved]);
    change.push(Edit::replace(source.bytes(&end.tokens), content));
    change.push(Edit::delete(source.lines(&block.tokens)));
    Some(change)
}

/// A block's name as a branch spells it.
fn reference(source: &Source, block: &Block) -> String {
    let name = block.label.map_or(block.name.as_str(), |at| source.word(at));
    format!("%{}", name.trim_end_matches(':'))
}

/// Lets the edges to a block that only goes on lead to where it goes.
pub(super) fn forward(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in module.defined() {
        let graph = Graph::of(source, function);
        for (place, block) in function.blocks.iter().enumerate().skip(1) {
            let ([only], &[to]) = (&block.instructions[..], &graph.successors[place][..]) else {
                continue;
            };
            let from = graph.predecessors(place);
            if !source.is_word(only.opcode, "br") || to == place || from.is_empty() {
                continue;
            }
            let mut change = vec![Edit::delete(source.lines(&block.tokens))];
            for end in from.iter().filter_map(|from| function.blocks[*from].instructions.last()) {
                for at in end.targets.iter().filter(|at| source.name(**at) == block.name) {
                    let with = source.word(only.targets[0]);
                    change.push(Edit::replace(source.bytes(&(*at..at + 1)), with));
                }
            }
            for phi in function.blocks[to].instructions.iter() {
                for (value, name, all) in &phi.entries {
                    if source.name(*name) != block.name {
                        continue;
                    }
                    let entry = |from: &usize| {
                        let from = reference(source, &function.blocks[*from]);
                        format!("[ {}, {from} ]", source.slice(value))
                    };
                    let entries: Vec<String> = from.iter().map(entry).collect();
                    change.push(Edit::replace(source.bytes(all), entries.join(", ")));
                }
            }
            changes.push(change);
        }
    }
    changes
}

/// Lets the edges to a block that only returns lead to an earlier one that returns the same.
pub(super) fn same_returns(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in module.defined() {
        let mut known: BTreeMap<&str, &Block> = BTreeMap::new();
        // No edge may lead to the first block.
        for block in function.blocks.iter().skip(1) {
            let [only] = &block.instructions[..] else { continue };
            if !source.is_word(only.opcode, "ret") || block.label.is_none() {
                continue;
            }
            let Some(first) = known.get(source.slice(&only.tokens)) else {
                known.insert(source.slice(&only.tokens), block);
                continue;
            };
            let mut change = vec![Edit::delete(source.lines(&block.tokens))];
            for at in function.uses(source, &block.name) {
                let with = reference(source, first);
                change.push(Edit::replace(source.bytes(&(at..at + 1)), with));
            }
            changes.push(change);
        }
    }
    changes
}

/// Deletes the label of a first block that nothing names.
pub(super) fn first_label(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let blocks = module.defined().filter_map(|function| {
        let block = function.blocks.first()?;
        let label = block.label.filter(|_| function.uses(source, &block.name).is_empty())?;
        Some(vec![Edit::delete(source.lines(&(label..label + 1)))])
    });
    blocks.collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "define i32 @f(i1 %c) {
entry:
  br label %b
dead:
  br label %b
b:
  %p = phi i32 [ 1, %entry ], [ 2, %dead ]
  br i1 %c, label %x, label %y
y:
  ret i32 0
x:
  br label %z
z:
  %q = phi i32 [ %p, %x ]
  ret i32 %q
}
";

    #[test]
    fn dead_blocks_go() {
        let found = all("delete unreachable blocks", TEXT);
        assert!(!found.contains("dead") && found.contains("phi i32 [ 1, %entry ]\n"), "{found}");
    }

    #[test]
    fn chains_are_joined() {
        let found = each("merge blocks", TEXT);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("x:\n  ret i32 %p\n}\n"), "{}", found[0]);
        let apart = TEXT.replace("z:\n  %q = phi i32 [ %p, %x ]\n  ret i32 %q\n", "");
        let apart = apart.replace("y:\n", "z:\n  %q = phi i32 [ %p, %x ]\n  ret i32 %q\ny:\n");
        let found = each("merge blocks", &apart);
        assert!(found[0].ends_with("y:\n  ret i32 0\nx:\n  ret i32 %p\n}\n"), "{}", found[0]);
    }

    #[test]
    fn empty_blocks_are_passed_by() {
        let found = each("pass by empty blocks", TEXT);
        assert!(found[0].contains("label %z, label %y") && found[0].contains("[ %p, %b ]"));
        let same = TEXT.replace("ret i32 %q", "ret i32 0").replace("%q = phi i32 [ %p, %x ]", "");
        let found = each("join blocks that return the same", &same);
        assert!(found[0].contains("x:\n  br label %y\n}"), "{}", found[0]);
        let first = all("delete labels of first blocks", &TEXT.replace("%entry", "%x"));
        assert!(first.starts_with("define i32 @f(i1 %c) {\n  br"));
    }
}
