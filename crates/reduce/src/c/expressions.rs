//! Replaces expressions by their operands, or by constants.

use super::place::{is_statement, outermost_last};
use crate::Change;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};

/// The first, second and third operand, 0 and 1.
pub(super) const LISTS: usize = 5;

/// One change for each expression, the outermost tried first.
pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let mut found: Vec<NodeId> = tree
        .nodes()
        .filter(|(_, node)| node.kind.is_expression() && node.is_exact && !node.range.is_empty())
        .filter(|(_, node)| {
            // An implicit conversion is where its operand is.
            !node.children.first().is_some_and(|&child| tree.node(child).range == node.range)
        })
        .map(|(id, _)| id)
        .collect();
    outermost_last(tree, &mut found);
    found
        .into_iter()
        .filter_map(|id| {
            let node = tree.node(id);
            if let Some(&operand) = operands(tree, id).get(list).filter(|_| list < 3) {
                // What is around it goes, so that changes inside of the operand can be made too.
                let kept = tree.node(operand).range.clone();
                return Some(vec![
                    Edit::delete(node.range.start..kept.start),
                    Edit::delete(kept.end..node.range.end),
                ]);
            }
            let literal = matches!(
                node.kind,
                Kind::Integer | Kind::Floating | Kind::String | Kind::Character | Kind::InitList
            );
            let scalar = node.ty.as_ref().is_some_and(csyntax::Type::is_scalar);
            if list < 3 || literal || !scalar || is_statement(tree, id) {
                return None;
            }
            let constant = if list == 3 { "0" } else { "1" };
            Some(vec![Edit::replace(node.range.clone(), constant)])
        })
        .collect()
}

fn operands(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    let node = tree.node(id);
    let children = node.children.iter().copied().filter(|&child| {
        let child = tree.node(child);
        child.kind.is_expression() && child.is_exact && child.range.len() < node.range.len()
    });
    match node.kind {
        // The function's name is no operand.
        Kind::Call => children.skip(1).collect(),
        Kind::StatementExpression | Kind::InitList | Kind::SizeOf => Vec::new(),
        _ => children.collect(),
    }
}
