//! Where things stand in a tree.

use crate::lexed::Lexed;
use csyntax::{Kind, NodeId, Tree};
use std::ops::Range;

/// Does the node stand where a statement does: in a block, or as the body of something?
pub(crate) fn is_statement(tree: &Tree, id: NodeId) -> bool {
    let Some(parent) = tree.node(id).parent else { return false };
    let of = tree.node(parent);
    let last = of.children.last() == Some(&id);
    match of.kind {
        Kind::Compound => true,
        Kind::For => last && tree.node(id).range.end == of.range.end,
        Kind::While | Kind::Switch | Kind::Label | Kind::Case | Kind::Default => last,
        Kind::If => of.children.first() != Some(&id),
        Kind::Do => of.children.first() == Some(&id),
        _ => false,
    }
}

/// The bytes of a statement, with its semicolon.
pub(crate) fn statement_range(tree: &Tree, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    let holds_statement = matches!(
        node.kind,
        Kind::If
            | Kind::For
            | Kind::While
            | Kind::Switch
            | Kind::Label
            | Kind::Case
            | Kind::Default
    );
    match node.children.last() {
        // Their end is the end of the statement in them, whose semicolon libclang leaves out.
        Some(&last) if holds_statement && is_statement(tree, last) => {
            node.range.start..statement_range(tree, last).end
        }
        _ if node.kind == Kind::Compound => node.range.clone(),
        _ => tree.with_semicolon(node.range.clone()),
    }
}

/// Where the words of a declaration begin. In a function libclang has a declarator that is not the
/// first begin with its name.
pub(crate) fn declaration_start(tree: &Tree, id: NodeId) -> usize {
    let node = tree.node(id);
    match node.parent.map(|parent| tree.node(parent)) {
        Some(parent) if parent.kind == Kind::DeclarationStatement => parent.range.start,
        _ => node.range.start,
    }
}

/// The nearest ancestor that is no implicit conversion and no parenthesis.
pub(crate) fn around(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id)
        .find(|&id| !matches!(tree.node(id).kind, Kind::Unexposed | Kind::Parenthesis))
}

/// Without implicit conversions.
pub(crate) fn bare(tree: &Tree, id: NodeId) -> NodeId {
    let node = tree.node(id);
    match node.children.as_slice() {
        [only] if node.kind == Kind::Unexposed => bare(tree, *only),
        _ => id,
    }
}

/// Without implicit conversions and parentheses.
pub(crate) fn inner(tree: &Tree, id: NodeId) -> NodeId {
    let node = tree.node(id);
    match node.children.as_slice() {
        [only] if matches!(node.kind, Kind::Unexposed | Kind::Parenthesis) => inner(tree, *only),
        _ => id,
    }
}

/// The name of the function that a call calls, if it is called by its name.
pub(crate) fn callee(tree: &Tree, call: NodeId) -> Option<NodeId> {
    let first = inner(tree, *tree.node(call).children.first()?);
    (tree.node(first).kind == Kind::Name).then_some(first)
}

/// The definition of the function that the node is in.
pub(crate) fn function_of(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id).find(|&id| tree.node(id).kind == Kind::Function)
}

/// Is the whole of what is below as it stands in the text, nothing of it from a macro?
pub(crate) fn is_exact(tree: &Tree, id: NodeId) -> bool {
    tree.below(id).into_iter().all(|id| tree.node(id).is_exact)
}

/// Does the node stand in the `[…]` of a declarator, before what initialises it?
pub(crate) fn is_bound(lexed: &Lexed, tree: &Tree, declaration: NodeId, id: NodeId) -> bool {
    let (node, start) = (tree.node(declaration), tree.node(id).range.start);
    let (first, last) = (lexed.first_from(node.range.start), lexed.first_from(start));
    let mut depth = 0;
    for at in first..last {
        match lexed.word(at) {
            b"[" | b"(" | b"{" => depth += 1,
            b"]" | b")" | b"}" => depth -= 1,
            b"=" if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

/// Must it be a constant that makes sense: the size of something, or a label?
pub(crate) fn is_size_or_label(lexed: &Lexed, tree: &Tree, id: NodeId) -> bool {
    let mut below = id;
    for outer in tree.ancestors(id) {
        let node = tree.node(outer);
        match node.kind {
            Kind::Case => return node.children.last() != Some(&below),
            Kind::Field | Kind::StaticAssert | Kind::Attribute => return true,
            Kind::Variable | Kind::Parameter | Kind::Typedef => {
                return is_bound(lexed, tree, outer, id);
            }
            kind if kind.is_statement() && kind != Kind::DeclarationStatement => return false,
            _ => below = outer,
        }
    }
    false
}

/// Does the name stand for a function that is called here?
pub(crate) fn is_called(tree: &Tree, name: NodeId) -> bool {
    around(tree, name)
        .is_some_and(|call| tree.node(call).kind == Kind::Call && callee(tree, call) == Some(name))
}
