//! Deletes statements.

use super::place::{delete_statement, is_statement, outermost_last};
use crate::Change;
use csyntax::{Kind, NodeId, Tree};

/// One change for each statement, the outermost tried first.
pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    let mut found: Vec<NodeId> = tree
        .nodes()
        .filter(|(id, node)| {
            node.is_exact && node.kind != Kind::Null && is_statement(tree, *id)
                || node.kind == Kind::Null
                    && node.parent.is_some_and(|parent| tree.node(parent).kind == Kind::Compound)
        })
        .map(|(id, _)| id)
        .collect();
    outermost_last(tree, &mut found);
    found.into_iter().map(|id| vec![delete_statement(tree, id)]).collect()
}
