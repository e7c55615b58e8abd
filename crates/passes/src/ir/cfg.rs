//! The graph of a function's blocks, and what must follow when an edge of it goes.

use super::module::{Block, Function};
use super::source::Source;
use crate::Change;
use base::Edit;
use std::collections::BTreeMap;

/// The graph of a function's blocks, by their places in the function.
pub(crate) struct Graph<'m, 'a> {
    source: &'m Source<'a>,
    function: &'m Function,
    /// Where each block goes, an edge for each time that it is named.
    pub successors: Vec<Vec<usize>>,
}

impl<'m, 'a> Graph<'m, 'a> {
    pub fn of(source: &'m Source<'a>, function: &'m Function) -> Graph<'m, 'a> {
        let places: BTreeMap<&str, usize> = function
            .blocks
            .iter()
            .enumerate()
            .map(|(place, block)| (block.name.as_str(), place))
            .collect();
        let targets = |block: &Block| {
            let targets = block.instructions.last().map_or(&[][..], |last| &last.targets);
            targets.iter().filter_map(|at| places.get(source.name(*at)).copied()).collect()
        };
        Graph { source, function, successors: function.blocks.iter().map(targets).collect() }
    }

    /// The blocks that go to a block, once for each edge.
    pub fn predecessors(&self, block: usize) -> Vec<usize> {
        let edges = self.successors.iter().enumerate();
        edges
            .flat_map(|(from, to)| to.iter().filter(|to| **to == block).map(move |_| from))
            .collect()
    }

    fn reached(successors: &[Vec<usize>]) -> Vec<bool> {
        let mut reached = vec![false; successors.len()];
        let mut open = vec![0];
        while let Some(block) = open.pop() {
            if block < reached.len() && !reached[block] {
                reached[block] = true;
                open.extend(&successors[block]);
            }
        }
        reached
    }

    /// The blocks that can be reached from the first.
    pub fn reachable(&self) -> Vec<bool> {
        Graph::reached(&self.successors)
    }

    /// What must follow when `block` goes to `targets` from now on: blocks that can no longer be
    /// reached go, and phis lose the entries of lost edges. The block's own end is not touched.
    pub fn redirect(&self, block: usize, targets: Vec<usize>) -> Change {
        let before = self.reachable();
        let mut successors = self.successors.clone();
        successors[block] = targets;
        let after = Graph::reached(&successors);
        // A block that was never reached may be what the bug is about.
        let gone: Vec<bool> = before.iter().zip(&after).map(|(was, is)| *was && !*is).collect();
        self.without(&gone, &successors)
    }

    /// What must follow when these blocks go.
    pub fn delete(&self, gone: &[bool]) -> Change {
        self.without(gone, &self.successors)
    }

    fn without(&self, gone: &[bool], successors: &[Vec<usize>]) -> Change {
        let mut change = Change::new();
        for (place, block) in self.function.blocks.iter().enumerate() {
            if gone[place] {
                change.push(Edit::delete(self.source.lines(&block.tokens)));
                continue;
            }
            let mut left: BTreeMap<&str, usize> = BTreeMap::new();
            for (from, targets) in successors.iter().enumerate().filter(|(from, _)| !gone[*from]) {
                let edges = targets.iter().filter(|to| **to == place).count();
                left.insert(&self.function.blocks[from].name, edges);
            }
            for phi in block.instructions.iter().filter(|phi| !phi.entries.is_empty()) {
                let mut left = left.clone();
                let keep: Vec<bool> = phi
                    .entries
                    .iter()
                    .map(|(_, from, _)| match left.get_mut(self.source.name(*from)) {
                        Some(count) if *count > 0 => {
                            *count -= 1;
                            true
                        }
                        _ => false,
                    })
                    .collect();
                let entries: Vec<_> = phi.entries.iter().map(|(.., all)| all.clone()).collect();
                change.extend(self.source.keep_of_list(&entries, &keep));
            }
        }
        change
    }
}
