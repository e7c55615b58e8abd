//! Takes parameters away, with the arguments of all calls.

use super::place::{arguments, by_entity, callee, delete_item};
use crate::Change;
use base::Edit;
use csyntax::{Entity, Kind, NodeId, Tree};
use std::collections::BTreeMap;

/// Parameters that the body does not use, then those that can be 0 in it, then those that can be a
/// variable of the whole program.
pub(super) const LISTS: usize = 3;

pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let entities = by_entity(tree);
    let mut calls: BTreeMap<Entity, Vec<NodeId>> = BTreeMap::new();
    for (id, node) in tree.nodes() {
        if node.kind == Kind::Call
            && let Some(function) = callee(tree, id)
        {
            calls.entry(function).or_default().push(id);
        }
    }
    let mut found = Vec::new();
    for (function, nodes) in &entities {
        let declarations: Vec<NodeId> =
            nodes.iter().copied().filter(|&id| tree.node(id).kind == Kind::Function).collect();
        let Some(&definition) = declarations.iter().find(|&&id| tree.node(id).is_definition) else {
            continue;
        };
        let calls = calls.get(function).map(Vec::as_slice).unwrap_or_default();
        for at in 0..parameters_of(tree, definition).len() {
            found.extend(without(tree, list, at, definition, &declarations, calls, &entities));
        }
    }
    found
}

fn without(
    tree: &Tree,
    list: usize,
    at: usize,
    definition: NodeId,
    declarations: &[NodeId],
    calls: &[NodeId],
    entities: &BTreeMap<Entity, Vec<NodeId>>,
) -> Option<Change> {
    let mut change = Change::new();
    for &declaration in declarations {
        let parameters = parameters_of(tree, declaration);
        parameters.get(at)?;
        let edit = delete_item(tree, &parameters, at);
        change.push(match parameters.len() {
            1 => Edit::replace(edit.range, "void"),
            _ => edit,
        });
    }
    for &call in calls {
        let given = arguments(tree, call);
        given.get(at)?;
        change.push(delete_item(tree, given, at));
    }
    let parameter = tree.node(parameters_of(tree, definition)[at]);
    let uses: Vec<NodeId> = match parameter.entity {
        Some(entity) => entities[&entity]
            .iter()
            .copied()
            .filter(|&id| tree.node(id).kind == Kind::Name)
            .collect(),
        None => Vec::new(),
    };
    match list {
        0 if uses.is_empty() => {}
        1 if !uses.is_empty() => {
            change.extend(uses.iter().map(|&id| Edit::replace(tree.node(id).range.clone(), "0")));
        }
        2 if !uses.is_empty() => {
            let text = &tree.text()[parameter.range.clone()];
            let start = tree.node(definition).range.start;
            change.push(Edit::replace(start..start, [text, b";"].concat()));
        }
        _ => return None,
    }
    Some(change)
}

fn parameters_of(tree: &Tree, function: NodeId) -> Vec<NodeId> {
    let children = &tree.node(function).children;
    children.iter().copied().filter(|&id| tree.node(id).kind == Kind::Parameter).collect()
}
