//! Where things stand in a tree: what several transformations ask.

use base::Edit;
use csyntax::{Entity, Kind, NodeId, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// Does the node stand where a statement does: in a block, or as the body of something?
pub(super) fn is_statement(tree: &Tree, id: NodeId) -> bool {
    let node = tree.node(id);
    let Some(parent) = node.parent else { return false };
    let of = tree.node(parent);
    let last = of.children.last() == Some(&id);
    match of.kind {
        Kind::Compound => true,
        Kind::For | Kind::While | Kind::Switch | Kind::Label | Kind::Case | Kind::Default => last,
        Kind::If => of.children.first() != Some(&id),
        Kind::Do => of.children.first() == Some(&id),
        _ => false,
    }
}

/// The bytes of a statement, with its semicolon.
pub(super) fn statement_range(tree: &Tree, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    let closed = matches!(
        node.kind,
        Kind::Compound | Kind::If | Kind::For | Kind::While | Kind::Switch | Kind::Label
    ) || matches!(node.kind, Kind::Case | Kind::Default);
    match node.children.last() {
        // Their end is the end of the statement in them, whose semicolon libclang leaves out.
        Some(&last) if closed && node.kind != Kind::Compound && is_statement(tree, last) => {
            node.range.start..statement_range(tree, last).end
        }
        _ if node.kind == Kind::Compound => node.range.clone(),
        _ => tree.with_semicolon(node.range.clone()),
    }
}

/// Deletes a statement: out of a block, or by an empty one where something must stand.
pub(super) fn delete_statement(tree: &Tree, id: NodeId) -> Edit {
    let range = statement_range(tree, id);
    let in_block =
        tree.node(id).parent.is_some_and(|parent| tree.node(parent).kind == Kind::Compound);
    if in_block { Edit::delete(range) } else { Edit::replace(range, ";") }
}

/// The statement that the node is in, itself included.
pub(super) fn enclosing_statement(tree: &Tree, id: NodeId) -> Option<NodeId> {
    std::iter::once(id).chain(tree.ancestors(id)).find(|&id| is_statement(tree, id))
}

/// How deep a node is.
pub(super) fn depth(tree: &Tree, id: NodeId) -> usize {
    tree.ancestors(id).count()
}

/// All nodes of each entity: its declarations and its uses.
pub(super) fn by_entity(tree: &Tree) -> BTreeMap<Entity, Vec<NodeId>> {
    let mut found: BTreeMap<Entity, Vec<NodeId>> = BTreeMap::new();
    for (id, node) in tree.nodes() {
        if let Some(entity) = node.entity {
            found.entry(entity).or_default().push(id);
        }
    }
    found
}

/// Is it a declaration of an entity, not a use?
pub(super) fn declares(tree: &Tree, id: NodeId) -> bool {
    let kind = tree.node(id).kind;
    kind.is_declaration() || kind == Kind::Label
}

/// Deletes one declaration wherever it stands. Of `int a, *b = 0;` only what is its own; the whole
/// with its semicolon when it stands alone.
pub(super) fn delete_declaration(tree: &Tree, id: NodeId) -> Edit {
    let node = tree.node(id);
    let siblings: &[NodeId] = match node.parent {
        Some(parent) => &tree.node(parent).children,
        None => tree.roots(),
    };
    // Declarators that share their specifiers begin at the same byte.
    let sharing: Vec<NodeId> = siblings
        .iter()
        .copied()
        .filter(|&other| {
            let other = tree.node(other);
            other.range.start == node.range.start
                && other.kind.is_declaration()
                && !other.kind.is_tag()
        })
        .collect();
    let at = sharing.iter().position(|&other| other == id);
    if sharing.len() > 1
        && let Some(at) = at
    {
        let end = |at: usize| tree.node(sharing[at]).range.end;
        if at > 0 {
            return Edit::delete(end(at - 1)..end(at));
        }
        // The first declarator begins somewhere behind the specifiers; up to the comma it is
        // found by its name, with the stars and parentheses before it.
        let mut start = node.name_at;
        let text = tree.text();
        while start > node.range.start
            && matches!(text[start - 1], b'*' | b'(' | b' ' | b'&')
            && text[node.range.start..start - 1].iter().any(u8::is_ascii_alphanumeric)
        {
            start -= 1;
        }
        let comma = tree.skip_blank(node.range.end);
        if text.get(comma) == Some(&b',') {
            return Edit::replace(start..comma + 1, " ");
        }
    }
    match node.parent.map(|parent| (parent, tree.node(parent).kind)) {
        Some((parent, Kind::DeclarationStatement)) if tree.node(parent).children.len() == 1 => {
            delete_statement(tree, parent)
        }
        _ if node.kind == Kind::Function && node.is_definition => Edit::delete(node.range.clone()),
        _ => Edit::delete(tree.with_semicolon(node.range.clone())),
    }
}

/// Sorts changes so that the outermost, and of these the last, come last: they are tried first.
pub(super) fn outermost_last(tree: &Tree, nodes: &mut [NodeId]) {
    nodes.sort_by_key(|&id| (std::cmp::Reverse(depth(tree, id)), id));
}

/// Deletes the item at `at` of a list between commas: arguments, parameters, initialisers.
pub(super) fn delete_item(tree: &Tree, items: &[NodeId], at: usize) -> Edit {
    let range = |at: usize| tree.node(items[at]).range.clone();
    if at > 0 {
        Edit::delete(range(at - 1).end..range(at).end)
    } else if items.len() > 1 {
        Edit::delete(range(0).start..range(1).start)
    } else {
        Edit::delete(range(0))
    }
}

/// The arguments of a call: all children but the function.
pub(super) fn arguments(tree: &Tree, call: NodeId) -> &[NodeId] {
    tree.node(call).children.get(1..).unwrap_or_default()
}

/// The function that a call calls, if it is called by its name.
pub(super) fn callee(tree: &Tree, call: NodeId) -> Option<Entity> {
    let mut at = *tree.node(call).children.first()?;
    loop {
        let node = tree.node(at);
        match node.kind {
            Kind::Name => return node.entity,
            Kind::Unexposed | Kind::Parenthesis => at = *node.children.first()?,
            _ => return None,
        }
    }
}

/// The text of a node.
pub(super) fn text(tree: &Tree, id: NodeId) -> String {
    String::from_utf8_lossy(tree.text_of(id)).into_owned()
}
