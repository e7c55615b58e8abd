//! A piece of a donor's function with holes: the variables and the other names that it uses.

use super::donor::Donor;
use super::harmless::is_harmless;
use super::material::name_range;
use crate::place::{callee, is_called, is_exact, is_statement, statement_range};
use crate::protected::is_oracle;
use crate::usage::{Usage, usage_of};
use csyntax::{Class, Entity, Kind, NodeId, Tree, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A piece of a donor.
#[derive(Debug)]
pub(crate) struct Snippet {
    /// The number of the donor.
    pub donor: usize,
    /// Text that is not in the donor: a call that was made up.
    pub made_up: Option<Vec<u8>>,
    /// Its bytes in the donor.
    pub range: Range<usize>,
    /// What may get another name, in the order of the text, with ranges as `range` counts.
    pub holes: Vec<(Range<usize>, Hole)>,
    /// The variables that it wants from its surroundings.
    pub needs: Vec<Need>,
    /// The donor's declarations that it depends on.
    pub materials: BTreeSet<usize>,
    /// Does it name something out of a header?
    pub needs_headers: bool,
}

/// A name that may become another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hole {
    /// One of `needs`.
    Variable(usize),
    /// Something declared at the top of the donor.
    Declared(Entity),
}

/// A variable that a snippet wants.
#[derive(Debug)]
pub(crate) struct Need {
    pub ty: Type,
    pub usage: Usage,
    /// The variable itself, if it is one of the whole program: it can come along.
    pub global: Option<Entity>,
}

/// Longer ones are whole programs rather than ingredients.
const LONGEST: usize = 2000;

/// The conditions of branches and loops that call nothing.
pub(super) fn conditions(tree: &Tree, donor: &Donor, at: usize) -> Vec<Snippet> {
    tree.nodes()
        .filter_map(|(id, node)| {
            let condition = match node.kind {
                Kind::If | Kind::While => *node.children.first()?,
                Kind::Do => *node.children.last()?,
                Kind::For => node
                    .children
                    .iter()
                    .copied()
                    .find(|&child| is_between_semicolons(tree, id, child))?,
                _ => return None,
            };
            let is_scalar = tree.node(condition).ty.as_ref().is_some_and(Type::is_scalar);
            let calls =
                tree.below(condition).into_iter().any(|id| tree.node(id).kind == Kind::Call);
            (is_scalar && !calls)
                .then(|| snippet(tree, donor, at, condition, tree.node(condition).range.clone()))?
        })
        .collect()
}

fn is_between_semicolons(tree: &Tree, of: NodeId, child: NodeId) -> bool {
    let range = tree.node(child).range.clone();
    let start = tree.node(of).range.start;
    let before = tree.text()[start..range.start].trim_ascii_end();
    before.ends_with(b";") && tree.text().get(tree.skip_blank(range.end)) == Some(&b';')
}

/// Calls of functions that the donor defines, and a call for each function that nobody calls.
pub(super) fn calls(tree: &Tree, donor: &Donor, at: usize) -> Vec<Snippet> {
    let mut found = Vec::new();
    let mut called = BTreeSet::new();
    let is_defined = |entity: Entity| {
        tree.roots().iter().any(|&root| {
            let node = tree.node(root);
            node.entity == Some(entity) && node.kind == Kind::Function && node.is_definition
        })
    };
    for (id, node) in tree.nodes().filter(|(_, node)| node.kind == Kind::Call) {
        let Some(entity) = callee(tree, id).and_then(|name| tree.node(name).entity) else {
            continue;
        };
        if !is_defined(entity) {
            continue;
        }
        if let Some(made) = snippet(tree, donor, at, id, node.range.clone())
            && donor.closure(&made.materials).is_some()
        {
            called.insert(entity);
            found.push(made);
        }
    }
    for &root in tree.roots() {
        let node = tree.node(root);
        let fresh = node.entity.filter(|entity| !called.contains(entity));
        if let (Kind::Function, true, Some(entity)) = (node.kind, node.is_definition, fresh)
            && let Some(made) = made_up_call(tree, donor, at, root, entity)
            && donor.closure(&made.materials).is_some()
        {
            found.push(made);
        }
    }
    found
}

/// `f(a, b)` with a variable for each parameter.
fn made_up_call(
    tree: &Tree,
    donor: &Donor,
    at: usize,
    root: NodeId,
    entity: Entity,
) -> Option<Snippet> {
    let node = tree.node(root);
    let mut text = format!("{}(", node.name);
    let mut holes = vec![(0..node.name.len(), Hole::Declared(entity))];
    let mut needs = Vec::new();
    for &parameter in node.children.iter().filter(|&&id| tree.node(id).kind == Kind::Parameter) {
        let ty = tree.node(parameter).ty.clone()?;
        if !needs.is_empty() {
            text.push_str(", ");
        }
        holes.push((text.len()..text.len() + 1, Hole::Variable(needs.len())));
        text.push('x');
        needs.push(Need { ty, usage: Usage::default(), global: None });
    }
    text.push(')');
    Some(Snippet {
        donor: at,
        range: 0..text.len(),
        made_up: Some(text.into_bytes()),
        holes,
        needs,
        materials: donor.declared_in.get(&entity)?.iter().copied().collect(),
        needs_headers: false,
    })
}

/// The statements in blocks. DiWi leaves out declarations, and whatever prints, returns or ends the
/// program.
pub(super) fn statements(tree: &Tree, donor: &Donor, at: usize) -> Vec<Snippet> {
    tree.nodes()
        .filter(|(id, node)| {
            let in_block =
                node.parent.is_some_and(|parent| tree.node(parent).kind == Kind::Compound);
            let useful = !matches!(
                node.kind,
                Kind::DeclarationStatement
                    | Kind::Null
                    | Kind::Break
                    | Kind::Continue
                    | Kind::Case
                    | Kind::Default
            );
            in_block && useful && is_statement(tree, *id)
        })
        .filter_map(|(id, _)| {
            let made = snippet(tree, donor, at, id, statement_range(tree, id))?;
            donor.closure(&made.materials).is_some().then_some(made)
        })
        .collect()
}

fn snippet(
    tree: &Tree,
    donor: &Donor,
    at: usize,
    id: NodeId,
    range: Range<usize>,
) -> Option<Snippet> {
    if range.len() > LONGEST || !is_exact(tree, id) {
        return None;
    }
    let ids = tree.below(id);
    let inside: BTreeSet<Entity> = ids
        .iter()
        .map(|&id| tree.node(id))
        .filter(|node| node.kind.is_declaration())
        .filter_map(|node| node.entity)
        .collect();
    let mut made = Snippet {
        donor: at,
        made_up: None,
        range,
        holes: Vec::new(),
        needs: Vec::new(),
        materials: BTreeSet::new(),
        needs_headers: false,
    };
    let mut known: BTreeMap<Entity, usize> = BTreeMap::new();
    for &one in &ids {
        let node = tree.node(one);
        match node.kind {
            Kind::Goto
            | Kind::IndirectGoto
            | Kind::Label
            | Kind::LabelAddress
            | Kind::Asm
            | Kind::Return
            | Kind::OtherStatement
            | Kind::Attribute => return None,
            Kind::Break | Kind::Continue | Kind::Case | Kind::Default
                if !is_held(tree, one, id) =>
            {
                return None;
            }
            Kind::Call if is_oracle(&node.name) => return None,
            Kind::Name | Kind::TypeReference => {}
            _ => continue,
        }
        let Some(entity) = node.entity else {
            if node.kind == Kind::Name && !is_harmless(&node.name) {
                return None;
            }
            made.needs_headers |= !node.name.starts_with("__builtin_");
            continue;
        };
        if inside.contains(&entity) {
            continue;
        }
        let place = name_range(tree, node.range.start, &node.name)?;
        let top = donor.declared_in.get(&entity);
        let kind = donor.kinds.get(&entity).copied();
        let is_variable =
            node.kind == Kind::Name && (kind == Some(Kind::Variable) || kind.is_none());
        if is_variable {
            let ty = node.ty.clone().filter(|ty| !matches!(ty.class, Class::Function(_)))?;
            if is_called(tree, one) {
                return None;
            }
            let number = *known.entry(entity).or_insert_with(|| {
                made.needs.push(Need { ty, usage: Usage::default(), global: top.map(|_| entity) });
                made.needs.len() - 1
            });
            let need = &mut made.needs[number];
            need.usage = need.usage.and(usage_of(tree, one));
            made.holes.push((place, Hole::Variable(number)));
        } else {
            // A function, a type or a constant: it comes along, unless it is a function's own.
            made.materials.extend(top?.iter().copied());
            if donor.wrappers.contains(&entity) {
                return None;
            }
            made.holes.push((place, Hole::Declared(entity)));
        }
    }
    Some(made)
}

/// Does a `break`, `continue` or `case` belong to something inside of the snippet?
fn is_held(tree: &Tree, one: NodeId, id: NodeId) -> bool {
    let kind = tree.node(one).kind;
    tree.ancestors(one).take_while(|&outer| outer >= id).any(|outer| {
        let outer = tree.node(outer).kind;
        match kind {
            Kind::Continue => outer.is_loop(),
            Kind::Break => outer.is_loop() || outer == Kind::Switch,
            _ => outer == Kind::Switch,
        }
    })
}
