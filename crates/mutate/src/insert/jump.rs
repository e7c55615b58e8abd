//! A `goto`.

use super::place::Place;
use crate::host::Host;
use crate::mutant::Mutant;
use crate::variables::is_variably_modified;
use base::{Edit, Random};
use csyntax::{Kind, NodeId, Tree};
use std::collections::BTreeSet;

/// A program with a jump from one place of a function to another.
///
/// Deviation: only forwards, since backwards is hardly ever left again, and never over the oracle,
/// which would no longer look.
pub(super) fn insert(host: &Host, random: &mut Random) -> Option<Mutant> {
    let places = host.places();
    let froms: Vec<usize> =
        (0..places.len()).filter(|&from| targets(host, places, from).next().is_some()).collect();
    if froms.is_empty() {
        return None;
    }
    let from = *random.pick(&froms);
    let to: Vec<&Place> = targets(host, places, from).collect();
    let (from, to) = (&places[from], to[random.index(to.len())]);
    let label = host.fresh("label", &BTreeSet::new());
    let mut edits = from.before(&format!("goto {label};"));
    let start = to.range.start;
    edits.push(Edit::replace(start..start, format!("{label}: ")));
    let line = host.text()[..start].iter().filter(|&&c| c == b'\n').count() + 1;
    Some(Mutant::new(host, edits, from.range.start, &format!("inserted goto to line {line}")))
}

/// Where a jump from a place may lead. Places are in the order of the text.
fn targets<'a>(
    host: &'a Host,
    places: &'a [Place],
    from: usize,
) -> impl Iterator<Item = &'a Place> {
    let start = &places[from];
    let protected = host.protected();
    let next = protected.partition_point(|range| range.start < start.range.start);
    let last = protected.get(next).map_or(usize::MAX, |range| range.start);
    places[from + 1..]
        .iter()
        .take_while(move |to| to.range.start <= last && to.function == start.function)
        .filter(|to| start.may_jump && to.island == start.island)
        .filter(|to| to.range.start > start.range.start)
}

/// Nobody jumps into the scope of an array whose length is computed, or of a variable that is
/// cleaned up; in C++ of none that is initialised.
pub(super) fn may_be_jumped_in(host: &Host, tree: &Tree, function: NodeId) -> bool {
    let body = String::from_utf8_lossy(tree.text_of(function));
    !body.contains("cleanup")
        && !tree.below(function).into_iter().any(|id| {
            let node = tree.node(id);
            let variable = node.kind == Kind::Variable || node.kind == Kind::Typedef;
            variable && (host.is_cpp || node.ty.as_ref().is_some_and(is_variably_modified))
        })
}
