//! Deletes members of structures with everything that uses them.

use super::declarations::with_its_uses;
use super::place::by_entity;
use crate::Change;
use csyntax::{Kind, Tree};

pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    by_entity(tree)
        .values()
        .filter(|nodes| matches!(tree.node(nodes[0]).kind, Kind::Field | Kind::EnumConstant))
        .filter_map(|nodes| with_its_uses(tree, nodes))
        .collect()
}
