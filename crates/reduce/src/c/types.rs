//! Makes types simpler.

use super::place::by_entity;
use crate::Change;
use base::Edit;
use csyntax::{Class, Kind, NodeId, Token, TokenKind, Tree, tokens};

/// Without qualifiers, without attributes, typedefs resolved, everything an `int`, arrays as
/// scalars, pointers as what they point to.
pub(super) const LISTS: usize = 6;

const QUALIFIERS: [&[u8]; 17] = [
    b"const",
    b"volatile",
    b"static",
    b"register",
    b"inline",
    b"__inline",
    b"__inline__",
    b"extern",
    b"unsigned",
    b"signed",
    b"restrict",
    b"__restrict",
    b"long",
    b"short",
    b"_Noreturn",
    b"__extension__",
    b"_Thread_local",
];

const SPECIFIERS: [&[u8]; 12] = [
    b"unsigned",
    b"signed",
    b"long",
    b"short",
    b"char",
    b"int",
    b"double",
    b"float",
    b"_Bool",
    b"bool",
    b"__int128",
    b"_Complex",
];

pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    match list {
        0 => words(tree, &QUALIFIERS),
        1 => attributes(tree),
        2 => typedefs(tree),
        3 => plain(tree),
        4 => by_entity(tree).values().filter_map(|nodes| scalar(tree, nodes)).collect(),
        _ => by_entity(tree).values().filter_map(|nodes| pointee(tree, nodes)).collect(),
    }
}

fn words(tree: &Tree, which: &[&[u8]]) -> Vec<Change> {
    let text = tree.text();
    tokens(text)
        .into_iter()
        .filter(|token| {
            token.kind == TokenKind::Word && which.contains(&&text[token.range.clone()])
        })
        .map(|token| vec![Edit::delete(token.range)])
        .collect()
}

/// `__attribute__((…))`, `__declspec(…)`, `_Alignas(…)`, `asm("…")` behind declarators.
fn attributes(tree: &Tree) -> Vec<Change> {
    let text = tree.text();
    let tokens = tokens(text);
    let is = |token: &Token, what: &[u8]| &text[token.range.clone()] == what;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let starts =
            [&b"__attribute__"[..], b"__attribute", b"__declspec", b"_Alignas", b"alignas"]
                .iter()
                .any(|word| is(token, word));
        if !starts {
            continue;
        }
        let mut depth = 0;
        for end in &tokens[at + 1..] {
            depth += i32::from(is(end, b"(")) - i32::from(is(end, b")"));
            if depth == 0 {
                found.push(vec![Edit::delete(token.range.start..end.range.end)]);
                break;
            }
        }
    }
    found
}

/// A name of a type → the type that it stands for, where that is one or more words.
fn typedefs(tree: &Tree) -> Vec<Change> {
    let entities = by_entity(tree);
    let mut found = Vec::new();
    for nodes in entities.values() {
        let first = tree.node(nodes[0]);
        let Some(ty) = first.ty.as_ref().filter(|_| first.kind == Kind::Typedef) else { continue };
        if matches!(ty.class, Class::Array(..) | Class::Function(_) | Class::Other | Class::Vector)
            || ty.spelling.contains(['(', '['])
        {
            continue;
        }
        for &id in nodes {
            let node = tree.node(id);
            if node.kind == Kind::TypeReference && node.is_exact {
                found.push(vec![Edit::replace(node.range.clone(), ty.spelling.clone())]);
            }
        }
    }
    found
}

/// `unsigned long long` → `int`.
fn plain(tree: &Tree) -> Vec<Change> {
    let text = tree.text();
    let tokens = tokens(text);
    let is_specifier = |token: &Token| SPECIFIERS.contains(&&text[token.range.clone()]);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let len = tokens[at..].iter().take_while(|token| is_specifier(token)).count();
        if len > 0 {
            let range = tokens[at].range.start..tokens[at + len - 1].range.end;
            if &text[range.clone()] != b"int" {
                found.push(vec![Edit::replace(range, "int")]);
            }
        }
        at += len.max(1);
    }
    found
}

/// `int a[3]` → `int a`, and every `a[i]` → `a`.
fn scalar(tree: &Tree, nodes: &[NodeId]) -> Option<Change> {
    let mut change = Change::new();
    for &id in nodes {
        let node = tree.node(id);
        if node.kind.is_declaration() {
            if !matches!(node.ty.as_ref()?.class, Class::Array(..)) {
                return None;
            }
            change.push(Edit::delete(brackets(tree, node.name_at + node.name.len())?));
        } else {
            let base = outermost_same(tree, id);
            let parent = tree.node(base).parent?;
            let around = tree.node(parent);
            if around.kind == Kind::Subscript && around.children.first() == Some(&base) {
                change.push(Edit::delete(tree.node(base).range.end..around.range.end));
            }
        }
    }
    Some(change)
}

/// `int *p = &x` → `int p = x`, `*p` → `p`, `p->a` → `p.a`.
fn pointee(tree: &Tree, nodes: &[NodeId]) -> Option<Change> {
    let text = tree.text();
    let mut change = Change::new();
    for &id in nodes {
        let node = tree.node(id);
        let around = if node.kind.is_declaration() {
            if !matches!(node.ty.as_ref()?.class, Class::Pointer(_)) || node.kind == Kind::Typedef {
                return None;
            }
            let star = text[node.range.start..node.name_at].iter().rposition(|&c| c == b'*')?;
            let star = node.range.start + star;
            change.push(Edit::replace(star..star + 1, " "));
            node.children.last().copied()
        } else {
            let base = outermost_same(tree, id);
            let parent = tree.node(base).parent?;
            let around = tree.node(parent);
            match (around.kind, around.operator) {
                (Kind::Unary, Some("*")) => {
                    change.push(Edit::delete(around.range.start..tree.node(base).range.start));
                }
                (Kind::Member, _) => {
                    let end = tree.skip_blank(tree.node(base).range.end);
                    if text.get(end..end + 2) == Some(b"->") {
                        change.push(Edit::replace(end..end + 2, "."));
                    }
                }
                _ => {}
            }
            let assigned = around.operator == Some("=") && around.children.first() == Some(&base);
            if assigned { around.children.last().copied() } else { None }
        };
        // `&x`, given to what is no pointer any more.
        if let Some(value) = around.map(|value| tree.node(value))
            && (value.operator == Some("&") && value.kind == Kind::Unary)
        {
            change.push(Edit::delete(value.range.start..value.range.start + 1));
        }
    }
    Some(change)
}

/// The outermost node with the same bytes: implicit conversions around a name.
fn outermost_same(tree: &Tree, id: NodeId) -> NodeId {
    let range = &tree.node(id).range;
    tree.ancestors(id).take_while(|&id| tree.node(id).range == *range).last().unwrap_or(id)
}

/// The `[…]` that stands at `at`.
fn brackets(tree: &Tree, at: usize) -> Option<std::ops::Range<usize>> {
    let text = tree.text();
    let start = tree.skip_blank(at);
    if text.get(start) != Some(&b'[') {
        return None;
    }
    let mut depth = 0;
    for (at, c) in text.iter().enumerate().skip(start) {
        depth += i32::from(*c == b'[') - i32::from(*c == b']');
        if depth == 0 {
            return Some(start..at + 1);
        }
    }
    None
}
