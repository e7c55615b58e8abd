//! Gives short names to everything.

use super::place::by_entity;
use crate::Change;
use base::Edit;
use csyntax::{Kind, NodeId, TokenKind, Tree, tokens};
use std::collections::BTreeSet;

/// One change for each entity whose name is longer than it need be.
pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    let text = tree.text();
    let mut taken: BTreeSet<String> = tokens(text)
        .into_iter()
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| String::from_utf8_lossy(&text[token.range]).into_owned())
        .collect();
    let mut found = Vec::new();
    for nodes in by_entity(tree).values() {
        let Some(name) = own_name(tree, nodes) else { continue };
        let short = free_name(&taken, tree.node(nodes[0]).kind);
        if short.len() >= name.len() {
            continue;
        }
        let mut change = Change::new();
        for &id in nodes {
            let at = tree.node(id).name_at;
            if text.get(at..at + name.len()) == Some(name.as_bytes()) {
                change.push(Edit::replace(at..at + name.len(), short.clone()));
            }
        }
        change.dedup();
        taken.insert(short);
        found.push(change);
    }
    found
}

/// The name, if it is ours to change: what is only declared here is somebody else's.
fn own_name<'a>(tree: &'a Tree, nodes: &[NodeId]) -> Option<&'a str> {
    let declaration = nodes
        .iter()
        .map(|&id| tree.node(id))
        .find(|node| node.kind.is_declaration() || node.kind == Kind::Label)?;
    let is_ours = match declaration.kind {
        Kind::Function => nodes
            .iter()
            .any(|&id| tree.node(id).kind == Kind::Function && tree.node(id).is_definition),
        Kind::Constructor
        | Kind::Destructor
        | Kind::ConversionFunction
        | Kind::Using
        | Kind::Namespace => false,
        _ => true,
    };
    let name = declaration.name.as_str();
    let plain = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    (is_ours && plain && name != "main" && !name.is_empty()).then_some(name)
}

/// `f`, `g`, … for functions, `a`, `b`, … for the rest, then longer ones.
fn free_name(taken: &BTreeSet<String>, kind: Kind) -> String {
    let letters: &str = match kind {
        Kind::Function => "fghpqrstuvwxyzabcdeijklmno",
        Kind::Struct | Kind::Union | Kind::Class | Kind::Typedef | Kind::Enum => {
            "STUVWXYZABCDEFGHIJKLMNOPQR"
        }
        _ => "abcdefghijklmnopqrstuvwxyz",
    };
    let mut candidates = letters
        .chars()
        .map(|c| c.to_string())
        .chain(letters.chars().flat_map(|a| letters.chars().map(move |b| format!("{a}{b}"))));
    candidates
        .find(|name| !taken.contains(name) && !["do", "if"].contains(&name.as_str()))
        .unwrap_or_else(|| format!("x{}", taken.len()))
}
