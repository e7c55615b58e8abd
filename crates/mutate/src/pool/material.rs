//! A declaration at the top of a donor, as it can be copied.

use crate::lexed::Lexed;
use csyntax::{Entity, Kind, NodeId, TokenKind, Tree};
use std::collections::BTreeSet;
use std::ops::Range;

/// A declaration at the top of a donor, with all that is declared together with it.
#[derive(Debug)]
pub(crate) struct Material {
    /// Its bytes, with the semicolon.
    pub range: Range<usize>,
    /// Where it names what is declared at the top.
    pub names: Vec<(Range<usize>, Entity)>,
    /// What it declares.
    pub declares: Vec<(Entity, String)>,
    /// The materials that it needs.
    pub needs: BTreeSet<usize>,
    /// Does it name something out of a header?
    pub needs_headers: bool,
    /// May it be copied?
    pub is_copyable: bool,
    /// Is it but a promise that somebody defines this, such as a function of the library? Then
    /// its name stays.
    pub is_promise: bool,
}

/// Declarations whose bytes overlap are one: `struct s { int a; } x, *y;`.
pub(super) fn groups(tree: &Tree) -> Vec<Vec<NodeId>> {
    let mut found: Vec<(usize, Vec<NodeId>)> = Vec::new();
    for &root in tree.roots() {
        let range = &tree.node(root).range;
        match found.last_mut() {
            Some((end, roots)) if range.start < *end => {
                *end = (*end).max(range.end);
                roots.push(root);
            }
            _ => found.push((range.end, vec![root])),
        }
    }
    found.into_iter().map(|(_, roots)| roots).collect()
}

/// The bytes of declarations: from behind the one before, so that attributes are with them, to the
/// semicolon.
pub(super) fn whole(tree: &Tree, lexed: &Lexed, roots: &[NodeId], from: usize) -> Range<usize> {
    let start = roots.iter().map(|&root| tree.node(root).range.start).min().unwrap_or(from);
    let last = roots.iter().max_by_key(|&&root| tree.node(root).range.end);
    let end = last.map_or(start, |&last| {
        let node = tree.node(last);
        let is_body = node.kind == Kind::Function && node.is_definition;
        if is_body { node.range.end } else { semicolon(lexed, node.range.end) }
    });
    let mut first = lexed.first_from(start);
    while first > 0
        && lexed.tokens[first - 1].range.start >= from
        && lexed.tokens[first - 1].kind != TokenKind::Directive
        && !lexed.is(first - 1, ";")
    {
        first -= 1;
    }
    let start = lexed.tokens.get(first).map_or(start, |token| token.range.start.min(start));
    start..end.max(start)
}

/// Behind the next semicolon: attributes may stand before it.
fn semicolon(lexed: &Lexed, from: usize) -> usize {
    (lexed.first_from(from)..lexed.tokens.len())
        .find(|&at| lexed.is(at, ";"))
        .map_or(from, |at| lexed.tokens[at].range.end)
}

/// What a root gives a name to: itself, the types in it and their constants.
pub(super) fn at_top(tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let node = tree.node(root);
    let mut found = vec![root];
    let is_body = |kind: Kind| kind == Kind::Compound || kind == Kind::Parameter;
    let mut open: Vec<NodeId> = node.children.clone();
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        if is_body(node.kind) {
            continue;
        }
        if node.kind.is_tag() || node.kind == Kind::EnumConstant {
            found.push(id);
        }
        open.extend(node.children.iter().copied());
    }
    found
}

/// Where a name stands; none if something else does.
pub(super) fn name_range(tree: &Tree, start: usize, name: &str) -> Option<Range<usize>> {
    // Types are told as `struct s`.
    let name = name.rsplit(' ').next()?;
    let range = start..start + name.len();
    if tree.text().get(range.clone()) == Some(name.as_bytes()) {
        return Some(range);
    }
    // An elaborated reference may begin at its keyword.
    let end = tree.text().len().min(start + 64);
    let word =
        tree.text()[start..end].split(|c| !(c.is_ascii_alphanumeric() || *c == b'_')).next()?;
    if !matches!(word, b"struct" | b"union" | b"enum") {
        return None;
    }
    let start = tree.skip_blank(start + word.len());
    (tree.text().get(start..start + name.len()) == Some(name.as_bytes()))
        .then(|| start..start + name.len())
}
