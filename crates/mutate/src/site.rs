//! A place where a rule applies, with the edits that it makes there.

use crate::lexed::touches;
use base::{Edit, Random};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// One place of one rule.
#[derive(Clone, Debug)]
pub(crate) enum Site {
    /// The only thing to do here.
    Change { edits: Vec<Edit>, what: String },
    /// A variable that any of these names can replace.
    Hole { range: Range<usize>, old: Arc<str>, names: Vec<Arc<str>> },
}

/// The places of each rule, by its number.
pub(crate) type Table = BTreeMap<u8, Vec<Site>>;

impl Site {
    pub fn new(edits: Vec<Edit>, what: impl Into<String>) -> Site {
        Site::Change { edits, what: what.into() }
    }

    /// Does it leave these ranges as they are?
    pub fn spares(&self, ranges: &[Range<usize>]) -> bool {
        let spares = |range: &Range<usize>| {
            // The ranges are in order and apart.
            let from = ranges.partition_point(|other| other.end < range.start);
            ranges[from..]
                .iter()
                .take_while(|other| other.start <= range.end)
                .all(|other| !touches(range, other))
        };
        match self {
            Site::Change { edits, .. } => edits.iter().all(|edit| spares(&edit.range)),
            Site::Hole { range, .. } => spares(range),
        }
    }

    /// The edits, drawn where there is a choice, and what they do.
    pub fn draw(&self, random: &mut Random) -> (Vec<Edit>, String) {
        match self {
            Site::Change { edits, what } => (edits.clone(), what.clone()),
            Site::Hole { range, old, names } => {
                let name = random.pick(names);
                let edit = Edit::replace(range.clone(), name.as_bytes());
                (vec![edit], format!("replaced {old} by {name}"))
            }
        }
    }
}
