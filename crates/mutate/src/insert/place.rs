//! Where something can be put into a program.
//!
//! RecBi names three kinds of places where nothing is: outside of functions, before declarations,
//! before statements of the oracle. Its figure 3 has no place before a `break` either.

use super::jump::may_be_jumped_in;
use crate::host::Host;
use crate::place::{function_of, is_statement, statement_range};
use crate::protected::{is_oracle_statement, wrappers};
use crate::site::Site;
use base::Edit;
use csyntax::{Kind, NodeId, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// A statement that something can be put before.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Its bytes, with the semicolon.
    pub range: Range<usize>,
    /// Does it stand alone, where two would need a block?
    pub needs_block: bool,
    /// Does an `else` follow, which an `if` before it would take?
    pub has_else: bool,
    /// May it be made conditional? Not what holds a part of the oracle.
    ///
    /// Deviation: RecBi only says "before the statements used as test oracles", but a loop around
    /// the oracle is as good a place to switch it off.
    pub may_be_wrapped: bool,
    /// May jumps lead into and out of it?
    pub may_jump: bool,
    /// The function that it is in.
    pub function: NodeId,
    /// The `({ … })` that it is in, out of and into which nobody jumps.
    pub island: Option<NodeId>,
}

impl Place {
    /// The edits that put a statement before this one.
    pub fn before(&self, text: &str) -> Vec<Edit> {
        let (start, end) = (self.range.start, self.range.end);
        if self.needs_block {
            vec![Edit::replace(start..start, format!("{{ {text} ")), Edit::replace(end..end, " }")]
        } else {
            vec![Edit::replace(start..start, format!("{text} "))]
        }
    }
}

/// All places of a program; none if it is known by its tokens only.
pub(crate) fn places(host: &Host) -> Vec<Place> {
    let Some(program) = &host.program else { return Vec::new() };
    let tree = &program.tree;
    let wrappers = wrappers(tree);
    let mut jumps: BTreeMap<NodeId, bool> = BTreeMap::new();
    tree.nodes()
        .filter(|(id, node)| {
            node.is_exact
                && is_statement(tree, *id)
                && is_possible(node.kind)
                && !is_oracle_statement(tree, *id, &wrappers)
                && !is_result(tree, *id)
        })
        .filter_map(|(id, node)| {
            let parent = node.parent?;
            let function = function_of(tree, id)?;
            let range = statement_range(tree, id);
            let of = tree.node(parent);
            let last = of.children.last() == Some(&id);
            let place = Place {
                needs_block: of.kind != Kind::Compound,
                has_else: of.kind == Kind::If && !last,
                may_be_wrapped: !host
                    .protected()
                    .iter()
                    .any(|other| range.start < other.end && other.start < range.end),
                may_jump: *jumps
                    .entry(function)
                    .or_insert_with(|| may_be_jumped_in(host, tree, function)),
                function,
                island: tree
                    .ancestors(id)
                    .find(|&id| tree.node(id).kind == Kind::StatementExpression),
                range,
            };
            Site::new(place.before(""), "").spares(host.protected()).then_some(place)
        })
        .collect()
}

fn is_possible(kind: Kind) -> bool {
    kind.is_expression()
        || matches!(
            kind,
            Kind::Compound
                | Kind::If
                | Kind::Switch
                | Kind::While
                | Kind::Do
                | Kind::For
                | Kind::Asm
        )
}

/// Is it the value of a `({ … })`?
fn is_result(tree: &Tree, id: NodeId) -> bool {
    let Some(block) = tree.node(id).parent else { return false };
    let holder = tree.node(block).parent.map(|holder| tree.node(holder).kind);
    holder == Some(Kind::StatementExpression) && tree.node(block).children.last() == Some(&id)
}
