//! Deletes what nobody uses.

use super::place::{by_entity, declares, delete_declaration};
use crate::Change;
use csyntax::{Entity, Kind, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// One change for each function, variable, type, member or label that is used nowhere, or only by
/// others that go as well.
pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    let entities = by_entity(tree);
    let users = users(tree);
    let mut dead: BTreeSet<Entity> = BTreeSet::new();
    loop {
        let before = dead.len();
        for (entity, nodes) in &entities {
            let used = users.get(entity).is_some_and(|users| {
                users.iter().any(|user| user.is_none_or(|user| !dead.contains(&user)))
            });
            let first = tree.node(nodes[0]);
            if !used && removable(first.kind) && first.name != "main" {
                dead.insert(*entity);
            }
        }
        if dead.len() == before {
            break;
        }
    }
    let mut found: Vec<Change> = dead
        .iter()
        .map(|entity| {
            let declarations = entities[entity].iter().filter(|&&id| declares(tree, id));
            declarations
                .map(|&id| match tree.node(id).kind {
                    Kind::Label => super::unwrap::without_label(tree, id),
                    _ => delete_declaration(tree, id),
                })
                .collect()
        })
        .collect();
    // `typedef struct s { … } t;` declares two names; it goes with either, and stays where the
    // other is used: the predicate sees to that.
    found.sort_by_key(|change| change.first().map(|edit| edit.range.start));
    found
}

/// Who uses an entity: a use counts for the declaration at the top that it stands in, and a
/// function's own use of itself for nobody.
fn users(tree: &Tree) -> BTreeMap<Entity, BTreeSet<Option<Entity>>> {
    let mut users: BTreeMap<Entity, BTreeSet<Option<Entity>>> = BTreeMap::new();
    for &root in tree.roots() {
        let user = tree.node(root).entity;
        for id in tree.below(root) {
            if let Some(entity) = tree.node(id).entity
                && !declares(tree, id)
                && user != Some(entity)
            {
                users.entry(entity).or_default().insert(user);
            }
        }
    }
    users
}

fn removable(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Function
            | Kind::Variable
            | Kind::Typedef
            | Kind::Struct
            | Kind::Union
            | Kind::Class
            | Kind::Enum
            | Kind::Field
            | Kind::EnumConstant
            | Kind::Label
            | Kind::Method
    )
}
