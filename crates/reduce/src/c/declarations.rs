//! Deletes variables and types with everything that uses them.

use super::place::{
    by_entity, declares, delete_declaration, delete_statement, enclosing_statement, is_statement,
};
use crate::Change;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};

/// One change for each declaration as it stands at the top, then one for each variable: it goes
/// with every statement that names it.
pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    let mut found = Vec::new();
    for nodes in by_entity(tree).values() {
        if tree.node(nodes[0]).kind == Kind::Variable
            && let Some(change) = with_its_uses(tree, nodes)
        {
            found.push(change);
        }
    }
    found.extend(tree.roots().iter().map(|&root| vec![delete_declaration(tree, root)]));
    found
}

pub(super) fn with_its_uses(tree: &Tree, nodes: &[NodeId]) -> Option<Change> {
    let mut change = Change::new();
    for &id in nodes {
        if declares(tree, id) {
            change.push(delete_declaration(tree, id));
            continue;
        }
        change.push(without_use(tree, id)?);
    }
    Some(change)
}

/// The statement around a use goes; a condition becomes 0; an initialiser at the top too.
fn without_use(tree: &Tree, id: NodeId) -> Option<Edit> {
    let statement = enclosing_statement(tree, id)?;
    let node = tree.node(statement);
    let controls = matches!(
        node.kind,
        Kind::If | Kind::For | Kind::While | Kind::Do | Kind::Switch | Kind::Return
    );
    if !controls {
        return is_statement(tree, statement).then(|| delete_statement(tree, statement));
    }
    // The part of the statement that the use is in: never a body, which is a statement itself.
    let part = std::iter::once(id)
        .chain(tree.ancestors(id))
        .find(|&at| tree.node(at).parent == Some(statement))?;
    tree.node(part).kind.is_expression().then(|| Edit::replace(tree.node(part).range.clone(), "0"))
}
