//! `++x`, `--x`, `x++`, `x--` and `!x`: one by another, or away.

use super::rule_that;
use crate::host::{Host, Program};
use crate::place::{around, bare, inner};
use crate::rule::{Action, Family, UNARY};
use crate::site::Site;
use crate::usage::is_modifiable;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};

pub(super) fn sites(_: &Host, program: &Program) -> Vec<(u8, Site)> {
    let tree = &program.tree;
    let mut found = Vec::new();
    for (id, node) in tree.nodes() {
        let (Kind::Unary, Some(operator), &[operand], true) =
            (node.kind, node.operator, node.children.as_slice(), node.is_exact)
        else {
            continue;
        };
        let operator = if operator == "!" { "!x" } else { operator };
        let Some(from) = UNARY.into_iter().find(|&from| from == operator) else { continue };
        if !tree.node(operand).is_exact {
            continue;
        }
        for to in UNARY.into_iter().map(Some).chain([None]).filter(|&to| to != Some(from)) {
            let rule = rule_that(Family::Unary, Action::Replace(from, to));
            if let (Some(rule), true) = (rule, is_possible(program, id, operand, from, to)) {
                let what = match to {
                    Some(to) => format!("replaced {from} by {to}"),
                    None => format!("deleted {from}"),
                };
                found.push((rule, Site::new(edits(tree, id, operand, from, to), what)));
            }
        }
    }
    found
}

fn is_possible(
    program: &Program,
    id: NodeId,
    operand: NodeId,
    from: &str,
    to: Option<&str>,
) -> bool {
    let Program { tree, variables, .. } = program;
    let Some(ty) = tree.node(operand).ty.as_ref().filter(|ty| ty.is_scalar()) else { return false };
    let steps = to.is_some_and(|to| to != "!x");
    if from == "!x" && steps && (!is_modifiable(tree, variables, operand) || !is_computed(tree, id))
    {
        return false;
    }
    // `!` of anything is an int; without it a pointer is a pointer, which only a condition takes.
    let becomes_other = (from == "!x") != (to == Some("!x"));
    !becomes_other || ty.is_integer() || is_condition(tree, id)
}

/// Is it computed when the program runs? What must be constant has no steps.
fn is_computed(tree: &Tree, id: NodeId) -> bool {
    let mut below = id;
    for id in tree.ancestors(id) {
        let node = tree.node(id);
        match node.kind {
            Kind::Case => return node.children.last() == Some(&below),
            Kind::Compound => return true,
            Kind::Enum | Kind::Field | Kind::StaticAssert | Kind::Typedef => return false,
            Kind::Variable if node.parent.is_none() => return false,
            _ => below = id,
        }
    }
    false
}

/// Does nobody look at the value but to ask whether it is 0, if at all?
fn is_condition(tree: &Tree, id: NodeId) -> bool {
    let Some(outer) = around(tree, id) else { return false };
    let node = tree.node(outer);
    match (node.kind, node.operator) {
        (Kind::Binary, Some("&&" | "||")) | (Kind::Unary, Some("!")) => true,
        (Kind::Conditional, _) => node.children.first().is_some_and(|&c| inner(tree, c) == id),
        (Kind::Switch | Kind::Return | Kind::Case, _) => false,
        (kind, _) => kind.is_statement() && kind != Kind::Asm && kind != Kind::DeclarationStatement,
    }
}

fn edits(tree: &Tree, id: NodeId, operand: NodeId, from: &str, to: Option<&str>) -> Vec<Edit> {
    let text = tree.text();
    let (whole, inside) = (tree.node(id).range.clone(), tree.node(operand).range.clone());
    let (mut before, mut after) = match to {
        Some("!x") => ("!".to_owned(), String::new()),
        Some(to) if to.starts_with('x') => (String::new(), to[1..].to_owned()),
        Some(to) => (to[..2].to_owned(), String::new()),
        None => (String::new(), String::new()),
    };
    // `(*p)++`, not `*p++`.
    let inner = tree.node(bare(tree, operand)).kind;
    if !after.is_empty() && matches!(inner, Kind::Unary | Kind::Cast) {
        before.push('(');
        after.insert(0, ')');
    }
    // `(++p)->x`, not `++p->x`.
    let outer = tree.ancestors(id).find(|&id| tree.node(id).kind != Kind::Unexposed);
    let outer = outer.map(|outer| tree.node(outer));
    let binds_tighter = outer.is_some_and(|outer| {
        matches!(outer.kind, Kind::Member | Kind::Call | Kind::Subscript)
            && outer.children.first().is_some_and(|&first| bare(tree, first) == id)
    });
    if binds_tighter && after.is_empty() && !before.is_empty() {
        before.insert(0, '(');
        after.push(')');
    }
    // `- --x`, not `---x`.
    let previous = whole.start.checked_sub(1).map(|at| text[at]);
    let next = before.bytes().next().unwrap_or(text[inside.start]);
    if previous == Some(next) && matches!(next, b'+' | b'-' | b'&') {
        before.insert(0, ' ');
    }
    let start = whole.start..inside.start;
    let end = inside.end..whole.end;
    let mut edits = Vec::new();
    if !before.is_empty() || !from.starts_with('x') {
        edits.push(Edit::replace(start, before));
    }
    if !after.is_empty() || from.starts_with('x') {
        edits.push(Edit::replace(end, after));
    }
    edits
}
