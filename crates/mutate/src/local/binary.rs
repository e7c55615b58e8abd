//! One binary operator by another of its category.
//!
//! DiWi's definition 1 keeps the tree of a program: where the new operator binds otherwise than the
//! old one, parentheses keep `a - b * c` from falling apart differently.

use super::rule_that;
use crate::host::{Host, Program};
use crate::place::{bare, is_size_or_label};
use crate::rule::{Action, OPERATORS};
use crate::site::Site;
use base::Edit;
use csyntax::{Class, Kind, Node, NodeId, Tree, Type};

pub(super) fn sites(host: &Host, program: &Program) -> Vec<(u8, Site)> {
    let tree = &program.tree;
    let mut found = Vec::new();
    for (id, node) in tree.nodes() {
        let (Some(from), &[left, right], true) =
            (node.operator, node.children.as_slice(), node.is_exact)
        else {
            continue;
        };
        let family = OPERATORS.iter().find(|(_, operators)| operators.contains(&from));
        let (Some(&(family, operators)), false) = (family, node.kind == Kind::Unary) else {
            continue;
        };
        if is_size_or_label(&host.lexed, tree, id) {
            continue;
        }
        let Some(token) = operator_token(host, tree, from, left, right) else { continue };
        for &to in operators.iter().filter(|&&to| to != from) {
            if !is_possible(tree, node, from, to, left, right) {
                continue;
            }
            let Some(rule) = rule_that(family, Action::Replace(from, Some(to))) else { continue };
            let mut edits = vec![Edit::replace(token.clone(), to)];
            edits.extend(parentheses(tree, id, to, left, right));
            found.push((rule, Site::new(edits, format!("replaced {from} by {to}"))));
        }
    }
    found
}

/// Where the operator stands between its operands.
fn operator_token(
    host: &Host,
    tree: &Tree,
    operator: &str,
    left: NodeId,
    right: NodeId,
) -> Option<std::ops::Range<usize>> {
    let (left, right) = (tree.node(left), tree.node(right));
    if !left.is_exact || !right.is_exact || left.range.end > right.range.start {
        return None;
    }
    let at = host.lexed.first_from(left.range.end);
    let range = host.lexed.tokens.get(at)?.range.clone();
    (host.lexed.is(at, operator) && range.end <= right.range.start).then_some(range)
}

/// Do the operands' types allow it?
fn is_possible(
    tree: &Tree,
    node: &Node,
    from: &str,
    to: &str,
    left: NodeId,
    right: NodeId,
) -> bool {
    let ty = |id: NodeId| tree.node(id).ty.as_ref();
    let (Some(left), Some(right)) = (ty(left), ty(right)) else { return false };
    let both = |fits: fn(&Type) -> bool| fits(left) && fits(right);
    if from == to || node.ty.is_none() {
        return false;
    }
    let vector = left.class == Class::Vector || right.class == Class::Vector;
    match to.trim_end_matches('=') {
        "%" => both(Type::is_integer),
        "*" | "/" => vector || both(Type::is_arithmetic),
        // A pointer less a pointer is a number, and their sum nothing; a number less a pointer too.
        "+" | "-" => vector || right.is_arithmetic(),
        // Complex numbers are equal or not, and never less.
        "<" | ">" => left.class != Class::Complex && right.class != Class::Complex,
        _ => true,
    }
}

/// How tight operators bind.
fn precedence(operator: &str) -> u8 {
    match operator {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "<" | ">" | "<=" | ">=" => 7,
        "==" | "!=" => 6,
        "&" => 5,
        "^" => 4,
        "|" => 3,
        "&&" => 2,
        "||" => 1,
        _ => 0,
    }
}

/// The parentheses that keep the tree as it is.
fn parentheses(tree: &Tree, id: NodeId, to: &str, left: NodeId, right: NodeId) -> Vec<Edit> {
    let new = precedence(to);
    let binary = |id: NodeId| {
        let node = tree.node(bare(tree, id));
        node.operator.filter(|_| node.kind == Kind::Binary).map(precedence)
    };
    let mut wrapped = Vec::new();
    // Assignments bind less than anything, and all alike.
    if new > 0 {
        if binary(left).is_some_and(|old| old < new) {
            wrapped.push(left);
        }
        if binary(right).is_some_and(|old| old <= new) {
            wrapped.push(right);
        }
        let parent = tree.ancestors(id).find(|&id| tree.node(id).kind != Kind::Unexposed);
        let outer = parent.map(|parent| tree.node(parent));
        if let Some(outer) = outer.filter(|outer| outer.kind == Kind::Binary) {
            let old = outer.operator.map_or(0, precedence);
            let is_left = outer.children.first().is_some_and(|&first| bare(tree, first) == id);
            if new < old || new == old && !is_left {
                wrapped.push(id);
            }
        }
    }
    let range = |id: NodeId| tree.node(id).range.clone();
    wrapped
        .into_iter()
        .flat_map(|id| {
            let range = range(id);
            [Edit::replace(range.start..range.start, "("), Edit::replace(range.end..range.end, ")")]
        })
        .collect()
}
