//! Which findings repeat an earlier one: decided in their order, so that it does not matter who tested what when.

use crate::known::KnownBugs;
use crate::record::RepeatsBody;
use std::collections::BTreeMap;
use store::FindingId;
use triage::{Item, repeats};

/// Findings that were told apart.
#[derive(Debug, Default)]
pub(crate) struct Leaders {
    /// Those of which it is not decided whether they repeat an earlier one.
    undecided: BTreeMap<FindingId, Item<FindingId>>,
    /// Those that repeat none.
    leaders: Vec<Item<FindingId>>,
}

/// A finding, and what it repeats; nothing for the first of a bug.
pub(crate) type Decision = (FindingId, Option<RepeatsBody>);

impl Leaders {
    /// A finding that is known to repeat none.
    pub(crate) fn lead(&mut self, item: Item<FindingId>) {
        self.leaders.push(item);
    }

    /// A finding whose turn comes.
    pub(crate) fn add(&mut self, item: Item<FindingId>) {
        self.undecided.insert(item.id, item);
    }

    /// How many wait for their turn.
    pub(crate) fn waiting(&self) -> usize {
        self.undecided.len()
    }

    /// Decides about all whose turn has come: programs before `frontier` are tested (all, if there is none), and
    /// findings before `untold` are told apart.
    pub(crate) fn decide(
        &mut self,
        frontier: Option<u64>,
        untold: Option<FindingId>,
        known: &KnownBugs,
    ) -> Vec<Decision> {
        let mut decided = Vec::new();
        while let Some(first) = self.undecided.first_entry() {
            if frontier.is_some_and(|frontier| frontier <= first.key().program)
                || untold.is_some_and(|untold| untold < *first.key())
            {
                break;
            }
            let item = first.remove();
            let id = item.id;
            let earlier = || {
                let (of, evidence) = repeats(&item, self.leaders.iter())?;
                Some(RepeatsBody { of: of.to_string(), evidence })
            };
            let repeats = known.find(&item.first).or_else(earlier);
            if repeats.is_none() {
                self.leaders.push(item);
            }
            decided.push((id, repeats));
        }
        decided
    }
}
