//! The order in which sets of changes are tried: all of them, then halves of what failed.

use crate::Change;
use base::Edit;
use std::ops::Range;

/// A place in the search for a largest set of changes that can be made. It is a value: the answers
/// so far decide it, so that several futures can be looked at from one present.
#[derive(Clone)]
pub(crate) struct Walk {
    /// Changes that are made.
    applied: Vec<bool>,
    /// Groups that are still to be tried, the next one last.
    groups: Vec<Range<usize>>,
}

impl Walk {
    pub(crate) fn new(changes: usize) -> Walk {
        let groups = std::iter::once(0..changes).filter(|all| !all.is_empty()).collect();
        Walk { applied: vec![false; changes], groups }
    }

    /// The text with the next group's changes made too; nothing when all groups were tried.
    pub(crate) fn candidate(&self, text: &[u8], changes: &[Change]) -> Option<Vec<u8>> {
        let group = self.groups.last()?;
        let made = |at: &usize| self.applied[*at] || group.contains(at);
        let edits = (0..changes.len()).filter(made).flat_map(|at| &changes[at]);
        Some(Edit::apply(edits, text))
    }

    /// The size of the next group.
    pub(crate) fn group_len(&self) -> usize {
        self.groups.last().map_or(0, Range::len)
    }

    /// The next group's changes are made.
    pub(crate) fn accept(&mut self) {
        for at in self.groups.pop().into_iter().flatten() {
            self.applied[at] = true;
        }
    }

    /// They are not; the halves are tried, the later one first: in most texts what comes later
    /// uses what came before.
    pub(crate) fn reject(&mut self) {
        let Some(group) = self.groups.pop() else { return };
        if group.len() > 1 {
            let middle = group.start + group.len() / 2;
            self.groups.push(group.start..middle);
            self.groups.push(middle..group.end);
        }
    }

    /// The next group changes nothing: nor do its parts.
    pub(crate) fn skip(&mut self) {
        self.groups.pop();
    }
}
