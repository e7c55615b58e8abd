//! A variable by another that can be named there and fits.
//!
//! Deviation: DiWi's program takes any variable of any type, functions among them, and may take the
//! same; its paper asks for a compatible one.

use super::rule_that;
use crate::compatible::fits;
use crate::host::{Host, Program};
use crate::lexed::Lexed;
use crate::place::is_bound;
use crate::rule::{Action, Family};
use crate::site::Site;
use crate::usage::usage_of;
use csyntax::{Kind, NodeId};
use std::sync::Arc;

pub(super) fn sites(host: &Host, program: &Program) -> Vec<(u8, Site)> {
    let Some(rule) = rule_that(Family::Variable, Action::Variable) else { return Vec::new() };
    let tree = &program.tree;
    let names = tree.nodes().filter(|(_, node)| node.kind == Kind::Name && node.is_exact);
    names
        .filter_map(|(id, node)| {
            let old = program.variables.get(node.entity?)?;
            let range = node.range.clone();
            if tree.text()[range.clone()] != *old.name.as_bytes() {
                return None;
            }
            let (context, usage) = (context(&host.lexed, program, id)?, usage_of(tree, id));
            // A constant expression takes addresses, and no values.
            if context == Context::Static && !usage.escapes {
                return None;
            }
            let names: Vec<Arc<str>> = program
                .variables
                .visible(range.start)
                .into_iter()
                .filter(|new| new.entity != old.entity && (new.is_here || !old.is_here))
                .filter(|new| context == Context::Computed || new.is_static)
                .filter(|new| fits(new, &old.ty, usage, host.is_cpp))
                .map(|new| Arc::clone(&new.name))
                .collect();
            let is_possible = !names.is_empty();
            let site = Site::Hole { range, old: Arc::clone(&old.name), names };
            is_possible.then_some((rule, site))
        })
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    /// When the program runs.
    Computed,
    /// Before it does.
    Static,
}

/// When the expression that holds a name is computed; nothing for bounds of arrays, labels and the
/// like, where variables hardly stand and others must not.
fn context(lexed: &Lexed, program: &Program, name: NodeId) -> Option<Context> {
    let tree = &program.tree;
    let mut below = name;
    for id in tree.ancestors(name) {
        let node = tree.node(id);
        match node.kind {
            Kind::Case => {
                return (node.children.last() == Some(&below)).then_some(Context::Computed);
            }
            Kind::Variable => {
                if is_bound(lexed, tree, id, name) {
                    return None;
                }
                let variable = node.entity.and_then(|entity| program.variables.get(entity));
                let is_static = variable.is_some_and(|variable| variable.is_static);
                return Some(if is_static { Context::Static } else { Context::Computed });
            }
            Kind::Enum
            | Kind::Field
            | Kind::Typedef
            | Kind::Parameter
            | Kind::StaticAssert
            | Kind::Attribute => return None,
            kind if kind.is_statement() && kind != Kind::DeclarationStatement => {
                return Some(Context::Computed);
            }
            _ => below = id,
        }
    }
    None
}
