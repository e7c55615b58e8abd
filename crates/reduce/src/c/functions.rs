//! Takes functions away with their calls, or puts their bodies where they are called.

use super::place::{
    arguments, by_entity, callee, declares, delete_declaration, delete_statement, is_statement,
    text,
};
use crate::Change;
use base::Edit;
use csyntax::{Class, Kind, NodeId, Tree};

/// One change for each function: its declarations go, and so do its calls, with a 0 in the place of
/// a result that is used.
pub(super) fn changes(tree: &Tree, _list: usize) -> Vec<Change> {
    let mut found = Vec::new();
    for nodes in by_entity(tree).values() {
        let first = tree.node(nodes[0]);
        if first.kind != Kind::Function || first.name == "main" {
            continue;
        }
        let mut change = Change::new();
        let possible = nodes.iter().all(|&id| {
            if declares(tree, id) {
                change.push(delete_declaration(tree, id));
                return true;
            }
            match call_of(tree, id) {
                Some(call) => match without_call(tree, call) {
                    Some(edit) => {
                        change.push(edit);
                        true
                    }
                    None => false,
                },
                None => false,
            }
        });
        if possible {
            found.push(change);
        }
    }
    found
}

/// The call of which this name is the function.
fn call_of(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let call = tree
        .ancestors(name)
        .find(|&id| !matches!(tree.node(id).kind, Kind::Unexposed | Kind::Parenthesis))?;
    (tree.node(call).kind == Kind::Call
        && callee(tree, call) == tree.node(name).entity
        && tree
            .node(call)
            .children
            .first()
            .is_some_and(|&f| tree.node(f).range.contains(&tree.node(name).range.start)))
    .then_some(call)
}

fn without_call(tree: &Tree, call: NodeId) -> Option<Edit> {
    let node = tree.node(call);
    if is_statement(tree, call) {
        return Some(delete_statement(tree, call));
    }
    let ty = node.ty.as_ref()?;
    match ty.class {
        _ if ty.is_scalar() => Some(Edit::replace(node.range.clone(), "0")),
        Class::Void => Some(Edit::replace(node.range.clone(), "(void)0")),
        _ => None,
    }
}

/// One change for each call of a function whose body is small enough to stand in its place: a
/// single `return`, or statements without one.
pub(super) fn inline(tree: &Tree, _list: usize) -> Vec<Change> {
    let entities = by_entity(tree);
    let mut found = Vec::new();
    for (call, node) in tree.nodes() {
        if node.kind != Kind::Call || !node.is_exact {
            continue;
        }
        let Some(function) = callee(tree, call) else { continue };
        let definition = entities[&function]
            .iter()
            .copied()
            .find(|&id| tree.node(id).kind == Kind::Function && tree.node(id).is_definition);
        let Some(definition) = definition else { continue };
        // Not into itself.
        if tree.ancestors(call).any(|id| id == definition) {
            continue;
        }
        if let Some(edit) = inlined(tree, call, definition) {
            // What was called once is called no more.
            let nodes = &entities[&function];
            let mut change = vec![edit];
            if nodes.iter().filter(|&&id| !declares(tree, id)).count() == 1 {
                let declarations = nodes.iter().filter(|&&id| declares(tree, id));
                change.extend(declarations.map(|&id| delete_declaration(tree, id)));
            }
            found.push(change);
        }
    }
    found
}

fn inlined(tree: &Tree, call: NodeId, definition: NodeId) -> Option<Edit> {
    let node = tree.node(definition);
    let body = *node.children.last()?;
    if tree.node(body).kind != Kind::Compound {
        return None;
    }
    let parameters: Vec<NodeId> =
        node.children.iter().copied().filter(|&id| tree.node(id).kind == Kind::Parameter).collect();
    let given = arguments(tree, call);
    if parameters.len() != given.len() {
        return None;
    }
    let statements = &tree.node(body).children;
    let range = tree.node(call).range.clone();
    if let [only] = statements.as_slice()
        && tree.node(*only).kind == Kind::Return
    {
        let value = *tree.node(*only).children.first()?;
        let value = substituted(tree, value, &parameters, given)?;
        return Some(Edit::replace(range, format!("({value})")));
    }
    let returns: Vec<NodeId> =
        tree.below(body).into_iter().filter(|&id| tree.node(id).kind == Kind::Return).collect();
    let at_end =
        returns.is_empty() || Some(&returns[..]) == statements.last().map(std::slice::from_ref);
    if !at_end || !is_statement(tree, call) {
        return None;
    }
    let mut block = String::from("{");
    for (&parameter, &argument) in parameters.iter().zip(given) {
        if tree.node(parameter).name.is_empty() {
            continue;
        }
        // An argument that names what a parameter is called would read the parameter.
        let clash = tree
            .below(argument)
            .into_iter()
            .any(|id| parameters.iter().any(|&p| tree.node(p).name == tree.node(id).name));
        if clash {
            return None;
        }
        block.push_str(&format!("{}={};", text(tree, parameter), text(tree, argument)));
    }
    // Without the result, which nobody uses here.
    let end = match returns.first() {
        Some(&last) => tree.node(last).range.start,
        None => tree.node(body).range.end - 1,
    };
    let inside = &tree.text()[tree.node(body).range.start + 1..end];
    block.push_str(&String::from_utf8_lossy(inside));
    block.push('}');
    Some(Edit::replace(super::place::statement_range(tree, call), block))
}

/// An expression with arguments in the place of parameters.
fn substituted(
    tree: &Tree,
    value: NodeId,
    parameters: &[NodeId],
    given: &[NodeId],
) -> Option<String> {
    let range = tree.node(value).range.clone();
    let mut edits = Vec::new();
    for id in tree.below(value) {
        let node = tree.node(id);
        if node.kind != Kind::Name || node.entity.is_none() {
            continue;
        }
        let parameter = parameters.iter().position(|&p| tree.node(p).entity == node.entity);
        if let Some(at) = parameter {
            let argument = format!("({})", text(tree, given[at]));
            let inside = node.range.start - range.start..node.range.end - range.start;
            edits.push(Edit::replace(inside, argument));
        }
    }
    String::from_utf8(Edit::apply(&edits, &tree.text()[range])).ok()
}
