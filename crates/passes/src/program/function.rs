//! A function as a graph of blocks in regions, and what its edges say.

use super::error::ReadError;
use super::printed::Body;
use super::regions::{Region, Trees, innermost};
use super::retreating::retreating;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A block of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its name as opt prints it: `entry`, or `%2` if it has only a number.
    pub name: String,
    /// The opcodes of its instructions, as places in [`super::OPCODES`].
    pub words: Vec<u32>,
    /// The innermost region that holds it, as a place in [`Function::regions`].
    pub region: usize,
}

/// A way from one block to another, given as places in [`Function::blocks`].
///
/// Deviation: two blocks have at most one, in however many ways a jump names its target. The paper
/// does not speak of such jumps; their edges would say the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// A function with a body: the blocks that its first block leads to, and their regions.
///
/// Deviation: blocks that nothing leads to are left out. The paper does not speak of them; they
/// belong to no region, and Algorithm 1 would wait for their edges forever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, without quotes and escapes.
    pub name: String,
    /// Its blocks in the order of the text, the entry first.
    pub blocks: Vec<Block>,
    /// Its edges, in the order of the blocks that they begin at, then of the targets.
    pub edges: Vec<Edge>,
    /// Its regions, outer ones before inner ones; the first is the whole function.
    pub regions: Vec<Region>,
    outgoing: Vec<Range<usize>>,
    incoming: Vec<Vec<usize>>,
}

impl Function {
    /// Makes a function of its body, with its region tree among these.
    pub(super) fn new(body: Body, trees: &Trees) -> Result<Function, ReadError> {
        let (blocks, successors) = reachable(&body)?;
        let mut blocks: Vec<Block> = blocks
            .into_iter()
            .map(|place| Block {
                name: body.blocks[place].name.clone(),
                words: body.blocks[place].words.clone(),
                region: 0,
            })
            .collect();
        let names = blocks.iter().map(|block| block.name.as_str());
        let regions = trees.regions(&body.name, names)?;
        for (block, region) in blocks.iter_mut().zip(innermost(&regions, &successors)) {
            block.region = region;
        }
        let (mut edges, mut outgoing) = (Vec::new(), Vec::new());
        let mut incoming = vec![Vec::new(); blocks.len()];
        for (from, targets) in successors.iter().enumerate() {
            let start = edges.len();
            for &to in targets {
                incoming[to].push(edges.len());
                edges.push(Edge { from, to });
            }
            outgoing.push(start..edges.len());
        }
        Ok(Function { name: body.name, blocks, edges, regions, outgoing, incoming })
    }

    /// The edges that begin at a block.
    #[must_use]
    pub fn outgoing(&self, block: usize) -> Range<usize> {
        self.outgoing[block].clone()
    }

    /// The edges that end at a block.
    #[must_use]
    pub fn incoming(&self, block: usize) -> &[usize] {
        &self.incoming[block]
    }

    /// How many regions hold a block, the whole function not counted.
    #[must_use]
    pub fn depth(&self, block: usize) -> usize {
        self.regions[self.blocks[block].region].depth
    }

    /// Which blocks are entries of loops: those that a depth-first walk is led back to.
    ///
    /// Deviation: the paper has "entry nodes of loops". For natural loops these are their headers;
    /// but gotos also make loops with several entries. One of them has to be chosen, or Algorithm 1
    /// would not get past the loop.
    #[must_use]
    pub fn loop_entries(&self) -> Vec<bool> {
        let successors: Vec<Vec<usize>> = (0..self.blocks.len())
            .map(|block| self.outgoing(block).map(|edge| self.edges[edge].to).collect())
            .collect();
        let mut entries = vec![false; self.blocks.len()];
        for (_, to) in retreating([0], &successors) {
            entries[to] = true;
        }
        entries
    }

    /// How many documents it has.
    #[must_use]
    pub fn document_count(&self) -> usize {
        self.edges.len().max(1)
    }

    /// What is to be made a vector, as words: for each edge the instructions of the block that it
    /// begins at, then of the one that it ends at. A function of one block has those of the block.
    pub fn documents(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let alone = self.edges.is_empty().then(|| self.blocks[0].words.clone());
        let words = |block: usize| self.blocks[block].words.as_slice();
        let edges = self.edges.iter().map(move |edge| [words(edge.from), words(edge.to)].concat());
        alone.into_iter().chain(edges)
    }
}

/// The places of the blocks that the first one leads to, and where each of them goes by its place
/// among them.
fn reachable(body: &Body) -> Result<(Vec<usize>, Vec<Vec<usize>>), ReadError> {
    let successors = successors(body)?;
    let mut reached = vec![false; successors.len()];
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut reached[block], true) {
            open.extend(successors[block].iter().filter(|to| !reached[**to]));
        }
    }
    let kept: Vec<usize> = (0..successors.len()).filter(|block| reached[*block]).collect();
    let mut places = vec![0; successors.len()];
    for (place, block) in kept.iter().enumerate() {
        places[*block] = place;
    }
    let moved = |block: &usize| successors[*block].iter().map(|to| places[*to]).collect();
    let successors = kept.iter().map(moved).collect();
    Ok((kept, successors))
}

/// Where each block goes, every target once.
fn successors(body: &Body) -> Result<Vec<Vec<usize>>, ReadError> {
    let names = body.blocks.iter().map(|block| block.name.as_str());
    let places: BTreeMap<&str, usize> =
        names.enumerate().map(|(place, name)| (name, place)).collect();
    body.blocks
        .iter()
        .map(|block| {
            let mut seen = BTreeSet::new();
            let targets: Option<Vec<usize>> =
                block.targets.iter().map(|to| places.get(to.as_str()).copied()).collect();
            let lost = || ReadError::targets(&body.name, &block.name, &block.words);
            Ok(targets.ok_or_else(lost)?.into_iter().filter(|to| seen.insert(*to)).collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use crate::program::printed::bodies;
    use crate::program::vocabulary::{OPCODES, word};

    fn jumps() -> Function {
        let printed = include_bytes!("samples/jumps.printed");
        let program = Program::read(include_bytes!("samples/jumps.ll"), printed, printed).unwrap();
        assert_eq!(program.functions[1].name, "a \" b => c");
        program.functions[0].clone()
    }

    #[test]
    fn blocks_are_those_that_the_first_leads_to_and_have_opcodes() {
        let function = jumps();
        let opcodes = |block: &Block| {
            block.words.iter().map(|word| OPCODES[*word as usize]).collect::<Vec<_>>().join(" ")
        };
        let blocks: Vec<(&str, String)> =
            function.blocks.iter().map(|block| (block.name.as_str(), opcodes(block))).collect();
        let expect = [
            ("%1", "switch"),
            ("here", "indirectbr"),
            ("%2", "call callbr"),
            ("%4", "invoke"),
            ("and there", "ret"),
            ("failed", "landingpad resume"),
        ];
        assert_eq!(blocks, expect.map(|(name, opcodes)| (name, opcodes.to_owned())));
    }

    #[test]
    fn every_jump_has_an_edge_for_each_of_its_targets() {
        let function = jumps();
        let edges: Vec<(usize, usize)> =
            function.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let expect = [(0, 1), (0, 4), (1, 1), (1, 4), (1, 2), (2, 3), (2, 4), (3, 4), (3, 5)];
        assert_eq!(edges, expect);
        assert_eq!((function.outgoing(1), function.incoming(1)), (2..5, &[0, 2][..]));
        assert_eq!(function.loop_entries(), [false, true, false, false, false, false]);
    }

    #[test]
    fn documents_are_the_blocks_of_an_edge_or_the_only_block() {
        let words = |text: &str| text.split(' ').map(|it| word(it).unwrap()).collect::<Vec<_>>();
        let function = jumps();
        let documents: Vec<Vec<u32>> = function.documents().collect();
        assert_eq!((documents.len(), function.document_count()), (9, 9));
        assert_eq!(documents[5], words("call callbr invoke"));

        let text = "define void @f() {\n  fence seq_cst\n  ret void\nx:\n  br label %x\n}\n";
        let tree = "Region Tree for function: f\n[0] %0 => <Function Return>\nEnd region tree\n";
        let body = bodies(text).unwrap().remove(0);
        let function = Function::new(body, &Trees::find(tree)).unwrap();
        assert_eq!(function.documents().collect::<Vec<_>>(), [words("fence ret")]);
        assert_eq!(function.document_count(), 1);
    }
}
