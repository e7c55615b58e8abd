//! Declarations whose words may change: those of variables, and of parameters where their function
//! is defined.

use crate::host::{Host, Program};
use crate::place::{declaration_start, function_of, is_called};
use crate::specifiers::Specifiers;
use crate::usage::Usage;
use csyntax::{Class, Entity, Kind, NodeId, Type};
use std::collections::{BTreeMap, BTreeSet};

/// One or more variables that are declared with the same words.
pub(super) struct Declaration<'a> {
    pub specifiers: Specifiers,
    pub declarators: Vec<Declarator<'a>>,
}

/// One variable of a declaration.
pub(super) struct Declarator<'a> {
    /// Where its name stands.
    pub name_at: usize,
    pub ty: &'a Type,
    pub usage: Usage,
    /// Is its type said elsewhere too? Then only what C does not compare may change.
    pub is_declared_again: bool,
    /// Is it a parameter? Those may have other qualifiers in every declaration of their function.
    pub is_parameter: bool,
}

impl Declarator<'_> {
    /// How many stars its type has, behind the brackets of arrays.
    pub fn depth(&self) -> usize {
        depth(self.ty)
    }

    /// Does its type hold a function? The words before a pointer to one are of its result.
    pub fn holds_function(&self) -> bool {
        holds_function(self.ty)
    }
}

fn depth(ty: &Type) -> usize {
    match &ty.class {
        Class::Pointer(to) => 1 + depth(to),
        Class::Array(element, _) => depth(element),
        _ => 0,
    }
}

fn holds_function(ty: &Type) -> bool {
    match &ty.class {
        Class::Function(_) => true,
        Class::Pointer(to) | Class::Array(to, _) => holds_function(to),
        _ => false,
    }
}

/// All of them, in the order of the text.
pub(super) fn declarations<'a>(host: &Host, program: &'a Program) -> Vec<Declaration<'a>> {
    let tree = &program.tree;
    let mut times: BTreeMap<Entity, usize> = BTreeMap::new();
    // Declarators that share their words begin at the same byte; what else does (a function, say)
    // keeps them as they are.
    let mut groups: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for (id, node) in tree.nodes().filter(|(_, node)| node.kind.is_declaration()) {
        if let Some(entity) = node.entity {
            *times.entry(entity).or_default() += 1;
        }
        if !node.kind.is_tag() {
            groups.entry(declaration_start(tree, id)).or_default().push(id);
        }
    }
    // A pointer to a function says the types of its parameters again.
    let taken: BTreeSet<Entity> = tree
        .nodes()
        .filter(|(id, node)| node.kind == Kind::Name && !is_called(tree, *id))
        .filter_map(|(_, node)| node.entity)
        .collect();
    let declarator = |id: NodeId| -> Option<Declarator<'a>> {
        let node = tree.node(id);
        let is_again = match node.kind {
            Kind::Variable => times.get(&node.entity?) > Some(&1),
            Kind::Parameter => {
                let function = tree.node(function_of(tree, id)?);
                // Clang and the standard say what the parameters of `main` are.
                if node.parent != function_of(tree, id)
                    || !function.is_definition
                    || function.name == "main"
                {
                    return None;
                }
                let entity = function.entity?;
                times.get(&entity) > Some(&1) || taken.contains(&entity)
            }
            _ => return None,
        };
        let fits = node.is_exact && !node.name.is_empty();
        fits.then_some(Declarator {
            name_at: node.name_at,
            ty: node.ty.as_ref()?,
            usage: program.usages.get(&node.entity?).copied().unwrap_or_default(),
            is_declared_again: is_again,
            is_parameter: node.kind == Kind::Parameter,
        })
    };
    groups
        .into_iter()
        .filter_map(|(start, ids)| {
            let specifiers = Specifiers::read(&host.lexed, host.lexed.at(start)?);
            let declarators: Vec<_> = ids.into_iter().map(declarator).collect::<Option<_>>()?;
            let next = host.lexed.tokens.get(specifiers.next)?.range.start;
            let is_whole = declarators.iter().all(|declarator| next <= declarator.name_at);
            is_whole.then_some(Declaration { specifiers, declarators })
        })
        .collect()
}
