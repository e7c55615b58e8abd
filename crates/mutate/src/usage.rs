//! What is done with a variable where it is named.

use crate::place::inner;
use crate::variables::Variables;
use csyntax::{Class, Entity, Kind, NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// What happens to a variable at one place, or at all of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Usage {
    /// It or a part of it is written to.
    pub written: bool,
    /// Its address goes elsewhere, as an array's does by its name alone.
    pub escapes: bool,
    /// What it points to is written to.
    pub pointee_written: bool,
    /// Its value is used as more than what is behind it.
    pub pointer_escapes: bool,
    /// It stands where only an integer may: `%`, `<<`, an index.
    pub wants_integer: bool,
    /// It stands where nothing but its very type may: assembly, vectors, sizes of types.
    pub wants_same: bool,
}

impl Usage {
    pub fn and(self, other: Usage) -> Usage {
        Usage {
            written: self.written || other.written,
            escapes: self.escapes || other.escapes,
            pointee_written: self.pointee_written || other.pointee_written,
            pointer_escapes: self.pointer_escapes || other.pointer_escapes,
            wants_integer: self.wants_integer || other.wants_integer,
            wants_same: self.wants_same || other.wants_same,
        }
    }
}

/// What is done with each entity, over all its uses. `hidden` are names that macros use: libclang
/// does not always tell what for, so that anything may be.
pub(crate) fn usages(tree: &Tree, hidden: &BTreeSet<String>) -> BTreeMap<Entity, Usage> {
    let mut found: BTreeMap<Entity, Usage> = BTreeMap::new();
    let anything = Usage {
        written: true,
        escapes: true,
        pointee_written: true,
        pointer_escapes: true,
        wants_integer: true,
        wants_same: true,
    };
    for (id, node) in tree.nodes() {
        if let (Kind::Name, Some(entity)) = (node.kind, node.entity) {
            let usage = found.entry(entity).or_default();
            *usage = usage.and(usage_of(tree, id));
        } else if let Some(entity) = node.entity
            && hidden.contains(&node.name)
        {
            found.insert(entity, anything);
        }
    }
    found
}

/// What is done with a variable at one of its names.
pub(crate) fn usage_of(tree: &Tree, name: NodeId) -> Usage {
    let mut usage = Usage::default();
    let (mut at, mut decayed, mut through) = (name, false, false);
    while let Some(parent) = tree.node(at).parent {
        let node = tree.node(parent);
        let first = node.children.first() == Some(&at);
        let is_array = |id: NodeId| is_class(tree, id, |class| matches!(class, Class::Array(..)));
        match (node.kind, node.operator) {
            (Kind::Unexposed, _) => {
                decayed |= is_array(at) && !is_array(parent);
            }
            (Kind::Parenthesis, _) | (Kind::Unary, Some("__real" | "__imag" | "__extension__")) => {
            }
            (Kind::Member, _) => {
                let pointer = is_class(tree, at, |class| matches!(class, Class::Pointer(_)));
                through |= pointer && !decayed;
                decayed = false;
            }
            (Kind::Subscript, _) if first && !is_integer(tree, at) => {
                through |= !decayed && !is_array(at);
                decayed = false;
            }
            (Kind::Unary, Some("*")) => {
                through |= !decayed;
                decayed = false;
            }
            (Kind::Unary, Some("&")) => {
                usage.escapes |= !through;
                usage.pointee_written |= through;
                break;
            }
            (Kind::Unary, Some("++x" | "--x" | "x++" | "x--")) => {
                write(&mut usage, through);
                break;
            }
            (Kind::Binary, Some("=")) | (Kind::CompoundAssignment, _) if first => {
                write(&mut usage, through);
                break;
            }
            (Kind::Asm, _) => {
                usage = Usage { written: true, escapes: true, pointee_written: true, ..usage };
                break;
            }
            _ => break,
        }
        at = parent;
    }
    usage.escapes |= decayed;
    usage.pointer_escapes = !through;
    wants(tree, name, &mut usage);
    usage
}

fn write(usage: &mut Usage, through: bool) {
    if through {
        usage.pointee_written = true;
    } else {
        usage.written = true;
    }
}

/// What the expressions around a name ask of its type.
fn wants(tree: &Tree, name: NodeId, usage: &mut Usage) {
    let mut at = name;
    for id in tree.ancestors(name) {
        let node = tree.node(id);
        let is_pointer = |id: NodeId| {
            is_class(tree, id, |class| matches!(class, Class::Pointer(_) | Class::Array(..)))
        };
        match (node.kind, node.operator) {
            (Kind::Binary | Kind::CompoundAssignment, Some(operator)) => {
                let trimmed = operator.trim_end_matches('=');
                usage.wants_integer |= matches!(trimmed, "%" | "&" | "|" | "^" | "<<" | ">>");
                // A number beside a pointer.
                usage.wants_integer |= matches!(trimmed, "+" | "-")
                    && (is_pointer(id) || node.children.iter().any(|&child| is_pointer(child)));
                // What `<` says is an integer whatever it compares.
                if matches!(operator, "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||") {
                    break;
                }
            }
            (Kind::Unary, Some("~")) | (Kind::Switch, _) => usage.wants_integer = true,
            (Kind::Unary, Some("!")) => break,
            (Kind::Subscript, _) => {
                usage.wants_integer |= node.children.get(1) == Some(&at);
                if node.children.first() == Some(&at) && !is_pointer(at) {
                    usage.wants_integer = true;
                }
            }
            (Kind::Cast, _) => usage.wants_integer |= is_pointer(id),
            (Kind::Asm | Kind::Generic, _) => usage.wants_same = true,
            // The types of what `...` takes are never converted.
            (Kind::Call, _) if node.name.starts_with("__") => usage.wants_integer = true,
            (Kind::SizeOf, _) => break,
            (kind, _) if !kind.is_expression() => break,
            _ => {}
        }
        if is_class(tree, id, |class| matches!(class, Class::Vector)) {
            usage.wants_same = true;
        }
        at = id;
    }
}

/// Can it be written to: a variable, a part of one, or what a pointer points to?
pub(crate) fn is_modifiable(tree: &Tree, variables: &Variables, id: NodeId) -> bool {
    let id = inner(tree, id);
    let node = tree.node(id);
    let scalar = node.ty.as_ref().is_some_and(|ty| ty.is_scalar() && !ty.is_const);
    scalar
        && match (node.kind, node.operator) {
            (Kind::Name, _) => node.entity.is_some_and(|entity| variables.get(entity).is_some()),
            (Kind::Subscript, _) | (Kind::Unary, Some("*")) => true,
            (Kind::Member, _) => node.children.first().is_none_or(|&base| {
                // A member of something constant is constant, and its own type does not say so.
                let base = tree.node(inner(tree, base));
                base.ty.as_ref().is_some_and(|ty| match &ty.class {
                    Class::Pointer(to) => !to.is_const,
                    Class::Record => !ty.is_const && base.kind != Kind::Call,
                    _ => false,
                })
            }),
            _ => false,
        }
}

fn is_integer(tree: &Tree, id: NodeId) -> bool {
    tree.node(id).ty.as_ref().is_some_and(csyntax::Type::is_integer)
}

fn is_class(tree: &Tree, id: NodeId, fits: impl Fn(&Class) -> bool) -> bool {
    tree.node(id).ty.as_ref().is_some_and(|ty| fits(&ty.class))
}
