//! Algorithm 1 of CTOS: the vectors of a function's edges become one, deep regions first.

use super::function::Function;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Vectors of incoming edges of a block are added to those of its outgoing edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The block.
    pub block: usize,
    /// The one incoming edge that is added, at a loop's entry; nothing if all are.
    pub only: Option<usize>,
}

/// What Algorithm 1 does for a function, whatever the vectors are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The blocks in the order in which they are selected (line 11).
    pub blocks: Vec<usize>,
    /// The steps in order (lines 20 to 25 and 29 to 33).
    pub steps: Vec<Step>,
}

/// When the incoming edges of a block are added to its outgoing ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// When the block is found, as Algorithm 1 is printed.
    Found,
    /// When it is selected, which is after all that lies deeper: so loops have their part in the vector. The entry of a
    /// loop, which is found again from inside, is as printed.
    Selected,
}

impl Walk {
    /// Walks through a function, lines 2 to 35. Every block is selected once, so every edge makes
    /// one step at most.
    ///
    /// As published, a block's incoming edges are added to its outgoing ones when the block is found
    /// (lines 15 to 33), not when it is selected. So the edge behind a loop has got what it gets before
    /// the loop's body is walked, and what the body says is lost but for its way to the loop's entry:
    /// edges 4 to 9 of Figure 4 have no part in the vector of the sort.
    ///
    /// Deviation: of several blocks in equally deep regions, the one that was listed first is
    /// selected. The paper does not say which.
    #[must_use]
    pub fn of(function: &Function, passing: Passing) -> Walk {
        let count = function.blocks.len();
        let loop_entries = function.loop_entries();
        let mut walk = Walk { blocks: Vec::with_capacity(count), steps: Vec::new() };
        let mut visited = Visited::none(function);
        visited.outgoing(function, 0);
        let mut listed = vec![false; count];
        listed[0] = true;
        // The deepest comes first, then the oldest.
        let mut work = BinaryHeap::from([(function.depth(0), Reverse(0), 0)]);
        let mut age = 0;
        while let Some((_, _, current)) = work.pop() {
            walk.blocks.push(current);
            if passing == Passing::Selected && current != 0 && !loop_entries[current] {
                walk.steps.push(Step { block: current, only: None });
            }
            for edge in function.outgoing(current) {
                let block = function.edges[edge].to;
                let only = loop_entries[block].then_some(edge);
                if only.is_none() && visited.missing[block] > 0 {
                    continue;
                }
                // As published, a block's edges are added again whenever another of its
                // predecessors is selected after all of them were visited.
                if passing == Passing::Found || only.is_some() {
                    walk.steps.push(Step { block, only });
                }
                visited.outgoing(function, block);
                if !std::mem::replace(&mut listed[block], true) {
                    age += 1;
                    work.push((function.depth(block), Reverse(age), block));
                }
            }
        }
        walk
    }
}

/// The edges that were visited.
struct Visited {
    /// The blocks whose outgoing edges were.
    blocks: Vec<bool>,
    /// How many incoming edges of each block were not.
    missing: Vec<usize>,
}

impl Visited {
    fn none(function: &Function) -> Visited {
        let missing = (0..function.blocks.len()).map(|block| function.incoming(block).len());
        Visited { blocks: vec![false; function.blocks.len()], missing: missing.collect() }
    }

    fn outgoing(&mut self, function: &Function, block: usize) {
        if !std::mem::replace(&mut self.blocks[block], true) {
            for edge in function.outgoing(block) {
                self.missing[function.edges[edge].to] -= 1;
            }
        }
    }
}

impl Function {
    /// How much each of its [documents](Function::documents) counts in its vector, which is the sum of theirs
    /// by these shares.
    ///
    /// All that Algorithm 1 does is to add and to divide. So its steps can be taken backwards, from the edges
    /// whose mean is the vector to those that were added to them, with one number for each edge.
    #[must_use]
    pub fn shares(&self, passing: Passing) -> Vec<f64> {
        let mut shares = vec![0.0; self.document_count()];
        // Without edges the only block is all there is.
        let leaves = |edge: &usize| self.outgoing(self.edges[*edge].to).is_empty();
        let mut last: Vec<usize> = (0..self.edges.len()).filter(leaves).collect();
        if last.is_empty() {
            last = (0..shares.len()).collect();
        }
        last.iter().for_each(|edge| shares[*edge] = 1.0 / last.len() as f64);
        for Step { block, only } in Walk::of(self, passing).steps.iter().rev() {
            let incoming = only.as_ref().map_or(self.incoming(*block), std::slice::from_ref);
            let mut passed_on = 0.0;
            for edge in self.outgoing(*block) {
                shares[edge] /= (incoming.len() + 1) as f64;
                passed_on += shares[edge];
            }
            incoming.iter().for_each(|edge| shares[*edge] += passed_on);
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{OPCODES, Program};

    /// The edges of Figure 4 in the order of their numbers there, from 1.
    const FIGURE: [(&str, &str); 12] = [
        ("%2", "%11"),
        ("%11", "%14"),
        ("%14", "%15"),
        ("%15", "%19"),
        ("%19", "%32"),
        ("%32", "%54"),
        ("%19", "%54"),
        ("%54", "%55"),
        ("%55", "%15"),
        ("%15", "%58"),
        ("%58", "%11"),
        ("%11", "%59"),
    ];

    fn sort() -> Function {
        let printed = include_bytes!("samples/sort.printed");
        let program = Program::read(include_bytes!("samples/sort.ll"), printed, printed).unwrap();
        program.functions[0].clone()
    }

    /// The number of an edge in the figure.
    fn number(function: &Function, edge: usize) -> usize {
        let name = |block: usize| function.blocks[block].name.as_str();
        let ends = (name(function.edges[edge].from), name(function.edges[edge].to));
        FIGURE.iter().position(|figure| *figure == ends).unwrap() + 1
    }

    #[test]
    fn the_sort_has_the_graph_of_the_figure() {
        let function = sort();
        assert_eq!((function.blocks.len(), function.edges.len()), (10, 12));
        assert_eq!(function.regions.len(), 4);
        let depths: Vec<usize> = (0..10).map(|block| function.depth(block)).collect();
        assert_eq!(depths, [0, 1, 1, 2, 3, 3, 2, 2, 1, 0]);
        let mut numbers: Vec<usize> = (0..12).map(|edge| number(&function, edge)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(1..=12));
        let entries = function.loop_entries();
        let entries = function.blocks.iter().zip(entries).filter(|(_, entry)| *entry);
        let entries: Vec<&str> = entries.map(|(block, _)| block.name.as_str()).collect();
        assert_eq!(entries, ["%11", "%15"]);
        let first: Vec<&str> =
            function.documents().next().unwrap().iter().map(|it| OPCODES[*it as usize]).collect();
        let expect = "alloca alloca alloca alloca alloca store store bitcast bitcast bitcast store br \
             load icmp br";
        assert_eq!(first.join(" "), expect);
    }

    #[test]
    fn deep_regions_come_first_and_loop_entries_do_not_wait() {
        let function = sort();
        let walk = Walk::of(&function, Passing::Found);
        let name = |block: usize| function.blocks[block].name.as_str();
        let blocks: Vec<&str> = walk.blocks.iter().map(|block| name(*block)).collect();
        let expect = ["%2", "%11", "%14", "%15", "%19", "%32", "%54", "%55", "%58", "%59"];
        assert_eq!(blocks, expect);
        // From which edges to which; the first edge is visited before.
        let steps: Vec<(Vec<usize>, Vec<usize>)> = walk
            .steps
            .iter()
            .map(|step| {
                let incoming = step
                    .only
                    .map_or_else(|| function.incoming(step.block).to_vec(), |edge| vec![edge]);
                let numbers = |edges: Vec<usize>| {
                    let mut numbers: Vec<usize> =
                        edges.into_iter().map(|edge| number(&function, edge)).collect();
                    numbers.sort_unstable();
                    numbers
                };
                (numbers(incoming), numbers(function.outgoing(step.block).collect()))
            })
            .collect();
        let expect: [(&[usize], &[usize]); 12] = [
            (&[1], &[2, 12]),
            (&[2], &[3]),
            (&[12], &[]),
            (&[3], &[4, 10]),
            (&[4], &[5, 7]),
            (&[10], &[11]),
            (&[5], &[6]),
            (&[6, 7], &[8]),
            (&[6, 7], &[8]),
            (&[8], &[9]),
            (&[9], &[4, 10]),
            (&[11], &[2, 12]),
        ];
        let expect: Vec<_> = expect.iter().map(|(from, to)| (from.to_vec(), to.to_vec())).collect();
        assert_eq!(steps, expect);
    }

    #[test]
    fn the_vector_of_the_sort_is_that_of_its_last_edge() {
        let function = sort();
        let mut shares = [0.0; 12];
        for (edge, share) in function.shares(Passing::Found).into_iter().enumerate() {
            shares[number(&function, edge) - 1] = share;
        }
        let mut expect = [0.0; 12];
        for (number, share) in [(1, 9), (2, 1), (3, 2), (10, 4), (11, 8), (12, 8)] {
            expect[number - 1] = f64::from(share) / 32.0;
        }
        assert_eq!(shares, expect);
    }

    #[test]
    fn passed_on_at_selection_every_edge_of_the_sort_has_a_part() {
        let function = sort();
        let walk = Walk::of(&function, Passing::Selected);
        assert_eq!(walk.blocks, Walk::of(&function, Passing::Found).blocks);
        let shares = function.shares(Passing::Selected);
        assert!(shares.iter().all(|share| *share > 0.0), "{shares:?}");
        let sum: f64 = shares.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }

    /// The vector of a function whose every edge says only its place.
    fn check(module: &str, regions: &str, expect: &[f64]) {
        let printed = format!(
            "Call graph node for function: 'f'<<0x7>>  #uses=1\n\n\
             Region Tree for function: f\n[0] %0 => <Function Return>\n{regions}End region tree\n"
        );
        let printed = printed.as_bytes();
        let program = Program::read(module.as_bytes(), printed, printed).unwrap();
        let function = &program.functions[0];
        assert_eq!(Walk::of(function, Passing::Found).blocks.len(), function.blocks.len());
        let found = function.shares(Passing::Found);
        let near = |(found, expect): (&f64, &f64)| (found - expect).abs() < 1e-6;
        assert!(found.len() == expect.len() && found.iter().zip(expect).all(near), "{found:?}");
    }

    #[test]
    fn a_function_may_have_one_exit_or_several_or_none() {
        check("define void @f() {\n  ret void\n}", "", &[1.0]);
        check(
            "define void @f(i1 %c) {
  br i1 %c, label %1, label %2
1:
  br label %2
2:
  ret void
}",
            "  [1] %0 => %2\n",
            &[0.25, 0.5, 0.25],
        );
        // The block 2 waits for the edge that comes from block 1.
        check(
            "define void @f(i1 %c) {
  br i1 %c, label %2, label %1
1:
  br label %2
2:
  br label %3
3:
  ret void
}",
            "  [1] %0 => %2\n",
            &[2.0, 1.0, 1.0, 2.0].map(|share: f64| share / 6.0),
        );
        check(
            "define void @f(i1 %c) {
  br i1 %c, label %1, label %2
1:
  ret void
2:
  unreachable
}",
            "",
            &[0.5, 0.5],
        );
        check("define void @f() {\n  br label %1\n1:\n  br label %1\n}", "", &[0.75, 0.25]);
    }

    #[test]
    fn a_loop_with_two_entries_is_passed() {
        check(
            "define void @f(i1 %c) {
  br i1 %c, label %1, label %2
1:
  br label %2
2:
  br i1 %c, label %1, label %3
3:
  ret void
}",
            "  [1] %0 => %3\n",
            &[2.0 / 9.0, 4.0 / 9.0, 2.0 / 9.0, 0.0, 1.0 / 9.0],
        );
    }

    #[test]
    fn edges_that_have_changed_are_added_as_they_are() {
        // Block 4 gets its edges from block 2, then block 1 changes them, then block 3 asks again.
        check(
            "define void @f(i1 %c) {
  br i1 %c, label %1, label %2
1:
  br label %2
2:
  br i1 %c, label %3, label %4
3:
  br label %4
4:
  br label %5
5:
  ret void
}",
            "  [1] %0 => %2\n  [1] %2 => %5\n    [2] %2 => %3\n",
            &[3.5, 7.0, 3.5, 2.0, 2.0, 6.0, 3.0].map(|share: f64| share / 27.0),
        );
    }
}
