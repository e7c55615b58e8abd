//! The variables of a program: their types, and where each can be named.

use crate::lexed::Lexed;
use crate::place::declaration_start;
use crate::specifiers::Specifiers;
use csyntax::{Class, Entity, Kind, NodeId, Tree, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// A variable or parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: Arc<str>,
    pub entity: Entity,
    pub ty: Type,
    /// Where it can be named, unless something inner hides it.
    pub scope: Range<usize>,
    /// Does it live as long as the program?
    pub is_static: bool,
    pub is_register: bool,
    /// Is it defined here, or only said to be elsewhere?
    pub is_here: bool,
}

/// All variables, and whatever else can hide one.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    pub all: Vec<Variable>,
    by_entity: BTreeMap<Entity, usize>,
    /// Functions, types and constants: a name with where it hides an outer one.
    others: Vec<(String, Range<usize>)>,
}

impl Variables {
    pub fn of(tree: &Tree, lexed: &Lexed) -> Variables {
        let mut found = Variables::default();
        for (id, node) in tree.nodes() {
            let Some(entity) = node.entity.filter(|_| node.kind.is_declaration()) else { continue };
            if node.name.is_empty() {
                continue;
            }
            let scope = scope(tree, id);
            match node.kind {
                Kind::Variable | Kind::Parameter => {
                    let Some(ty) = node.ty.clone() else { continue };
                    let specifiers =
                        lexed.at(declaration_start(tree, id)).map(|at| Specifiers::read(lexed, at));
                    let stores = |word: &str| {
                        specifiers.as_ref().is_some_and(|found| found.stores(lexed, word))
                    };
                    let is_here = !stores("extern") || node.is_definition;
                    if let Some(&known) = found.by_entity.get(&entity) {
                        let known = &mut found.all[known];
                        known.is_here |= is_here;
                        // The last one says most: how long an array is.
                        known.ty = ty;
                        continue;
                    }
                    found.by_entity.insert(entity, found.all.len());
                    found.all.push(Variable {
                        name: node.name.as_str().into(),
                        entity,
                        ty,
                        scope,
                        is_static: node.parent.is_none() || stores("static") || stores("extern"),
                        is_register: stores("register"),
                        is_here,
                    });
                }
                Kind::Function | Kind::Typedef | Kind::EnumConstant => {
                    found.others.push((node.name.clone(), scope));
                }
                _ => {}
            }
        }
        found
    }

    /// The variable that an entity is.
    pub fn get(&self, entity: Entity) -> Option<&Variable> {
        self.by_entity.get(&entity).map(|&at| &self.all[at])
    }

    /// Those that can be named at a byte: declared before it and not hidden, in the order of the
    /// text.
    pub fn visible(&self, at: usize) -> Vec<&Variable> {
        let mut inner: BTreeMap<&str, usize> = BTreeMap::new();
        let names = self.all.iter().map(|variable| (&*variable.name, &variable.scope));
        let others = self.others.iter().map(|(name, scope)| (name.as_str(), scope));
        for (name, scope) in names.chain(others).filter(|(_, scope)| scope.contains(&at)) {
            let start = inner.entry(name).or_insert(scope.start);
            *start = (*start).max(scope.start);
        }
        let mut seen = BTreeSet::new();
        self.all
            .iter()
            .filter(|variable| {
                variable.scope.contains(&at)
                    && inner.get(&*variable.name) == Some(&variable.scope.start)
                    && seen.insert(&*variable.name)
            })
            .collect()
    }
}

/// Where a declaration's name can be used: from its end to the end of what it is in.
fn scope(tree: &Tree, id: NodeId) -> Range<usize> {
    let node = tree.node(id);
    // A function and an enumerator are known inside of their own definitions.
    let start = match node.kind {
        Kind::Function => node.name_at,
        _ => node.range.end,
    };
    let around = tree.ancestors(id).find(|&id| {
        matches!(
            tree.node(id).kind,
            Kind::Compound | Kind::For | Kind::Function | Kind::If | Kind::While | Kind::Switch
        )
    });
    let end = around.map_or(tree.text().len(), |id| tree.node(id).range.end);
    start..end.max(start)
}

/// A type without the qualifiers of the variable itself.
pub(crate) fn unqualified(ty: &Type) -> &str {
    let mut text = ty.spelling.as_str();
    if matches!(ty.class, Class::Pointer(_)) {
        // Those of a pointer stand behind its star.
        loop {
            let cut = ["const", "volatile", "restrict", "__restrict"]
                .iter()
                .find_map(|word| text.strip_suffix(word).filter(|rest| rest.ends_with(['*', ' '])));
            match cut {
                Some(rest) => text = rest.trim_end(),
                None => return text,
            }
        }
    }
    while let Some(rest) = text.strip_prefix("const ").or_else(|| text.strip_prefix("volatile ")) {
        text = rest;
    }
    text
}

/// Is an array's element of constant type, or the variable itself?
pub(crate) fn is_const(ty: &Type) -> bool {
    ty.is_const
        || match &ty.class {
            Class::Array(element, _) => is_const(element),
            _ => false,
        }
}

/// Does the size of the type depend on what the program computes?
pub(crate) fn is_variably_modified(ty: &Type) -> bool {
    match &ty.class {
        Class::Array(element, length) => length.is_none() || is_variably_modified(element),
        Class::Pointer(to) => is_variably_modified(to),
        _ => false,
    }
}
