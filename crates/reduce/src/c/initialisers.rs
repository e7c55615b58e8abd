//! Takes initialisers away, whole or in part.

use super::place::delete_item;
use crate::Change;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};

/// Without any, with `{0}`, with fewer elements.
pub(super) const LISTS: usize = 3;

pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let mut found = Vec::new();
    for (id, node) in tree.nodes() {
        if !node.is_exact {
            continue;
        }
        match (list, node.kind) {
            (0, Kind::Variable | Kind::EnumConstant | Kind::Field) => {
                found.extend(without(tree, id).map(|edit| vec![edit]));
            }
            (1, Kind::InitList) if tree.text_of(id) != b"{0}" => {
                found.push(vec![Edit::replace(node.range.clone(), "{0}")]);
            }
            (2, Kind::InitList) if node.children.len() > 1 => {
                let items = &node.children;
                found.extend((0..items.len()).map(|at| vec![delete_item(tree, items, at)]));
            }
            _ => {}
        }
    }
    found
}

/// Deletes `= value`, or the width of a bit-field.
fn without(tree: &Tree, id: NodeId) -> Option<Edit> {
    let node = tree.node(id);
    let value = tree.node(*node.children.last()?);
    if !value.kind.is_expression() || value.range.start <= node.name_at {
        return None;
    }
    let before = &tree.text()[node.name_at..value.range.start];
    let sign = before.iter().rposition(|&c| matches!(c, b'=' | b':'))?;
    // The size of an array is an expression too, and has brackets before it.
    let clear = before[sign + 1..].iter().all(u8::is_ascii_whitespace);
    clear.then(|| Edit::delete(node.name_at + sign..node.range.end))
}
