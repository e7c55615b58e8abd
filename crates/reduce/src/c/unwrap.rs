//! Leaves of a statement only what is inside of it.

use super::place::{is_statement, outermost_last, statement_range};
use crate::Change;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};

pub(super) const LISTS: usize = 2;

/// `if (c) a; else b;` → `a;`, then `b;`; a loop → its body, once, then with what it starts with;
/// a block → what is in it; a label or a case → its statement.
pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let mut found: Vec<NodeId> = tree
        .nodes()
        .filter(|(id, node)| node.is_exact && is_statement(tree, *id))
        .map(|(id, _)| id)
        .collect();
    outermost_last(tree, &mut found);
    found.into_iter().filter_map(|id| inside(tree, id, list)).collect()
}

fn inside(tree: &Tree, id: NodeId, list: usize) -> Option<Change> {
    let node = tree.node(id);
    let whole = statement_range(tree, id);
    let bodies: Vec<NodeId> =
        node.children.iter().copied().filter(|&child| is_statement(tree, child)).collect();
    let (keep, before) = match (node.kind, list) {
        (Kind::If, 0) => (*bodies.first()?, None),
        (Kind::If, 1) => (*bodies.get(1)?, None),
        (Kind::For, 1) => (*bodies.last()?, first_of_for(tree, id)),
        (Kind::For | Kind::While | Kind::Do | Kind::Switch, 0) => (*bodies.last()?, None),
        (Kind::Label | Kind::Case | Kind::Default, 0) => {
            let keep = *bodies.last()?;
            return Some(vec![Edit::delete(whole.start..tree.node(keep).range.start)]);
        }
        (Kind::Compound, 0) => {
            return Some(vec![
                Edit::replace(whole.start..whole.start + 1, " "),
                Edit::replace(whole.end - 1..whole.end, " "),
            ]);
        }
        _ => return None,
    };
    let kept = statement_range(tree, keep);
    match before {
        None => {
            Some(vec![Edit::delete(whole.start..kept.start), Edit::delete(kept.end..whole.end)])
        }
        Some(before) => {
            let text = &tree.text()[kept];
            Some(vec![Edit::replace(whole, [b"{", before, text, b"}"].concat())])
        }
    }
}

/// The `int i = 0;` of a `for`.
fn first_of_for(tree: &Tree, id: NodeId) -> Option<&[u8]> {
    let node = tree.node(id);
    let text = tree.text();
    let open = node.range.start + text[node.range.clone()].iter().position(|&c| c == b'(')? + 1;
    let first = *node.children.first()?;
    let end = match tree.node(first).kind {
        Kind::DeclarationStatement => tree.with_semicolon(tree.node(first).range.clone()).end,
        _ => open + text[open..node.range.end].iter().position(|&c| c == b';')? + 1,
    };
    (end > open + 1).then(|| &text[open..end])
}

/// Takes a label away and leaves its statement.
pub(super) fn without_label(tree: &Tree, id: NodeId) -> Edit {
    let node = tree.node(id);
    match node.children.last() {
        Some(&kept) => Edit::delete(node.range.start..tree.node(kept).range.start),
        None => Edit::delete(node.range.clone()),
    }
}
