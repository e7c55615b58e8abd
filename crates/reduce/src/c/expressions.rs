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
            let with: Vec<u8> = match list {
                0..=2 => {
                    let operand = *operands(tree, id).get(list)?;
                    tree.text_of(operand).to_vec()
                }
                _ => {
                    let literal = matches!(
                        node.kind,
                        Kind::Integer | Kind::Floating | Kind::String | Kind::Character | Kind::InitList
                    );
                    let scalar = node.ty.as_ref().is_some_and(csyntax::Type::is_scalar);
                    if literal || !scalar || is_statement(tree, id) {
                        return None;
                    }
                    if list == 3 { b"0".to_vec() } else { b"1".to_vec() }
                }
            };
            // `x` → `0` is one, `-x` → `-0` is none.
            (with != tree.text_of(id)).then(|| vec![Edit::replace(node.range.clone(), with)])
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
