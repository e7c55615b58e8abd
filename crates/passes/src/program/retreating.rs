//! The edges of a graph that close its cycles.

use std::collections::BTreeSet;

/// The edges that lead a depth-first walk back to a node that it has not left yet. Every cycle that
/// can be reached from the roots has such an edge; a reducible graph has the same ones in any walk.
pub(super) fn retreating(
    roots: impl IntoIterator<Item = usize>,
    successors: &[Vec<usize>],
) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    let mut entered = vec![false; successors.len()];
    let mut open = vec![false; successors.len()];
    for root in roots {
        if entered[root] {
            continue;
        }
        (entered[root], open[root]) = (true, true);
        // Nodes on the way, each with the number of successors that were looked at.
        let mut way = vec![(root, 0)];
        while let Some((node, next)) = way.last_mut() {
            let from = *node;
            match successors[from].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if open[to] {
                        found.insert((from, to));
                    } else if !entered[to] {
                        (entered[to], open[to]) = (true, true);
                        way.push((to, 0));
                    }
                }
                None => {
                    open[from] = false;
                    way.pop();
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(roots: &[usize], successors: &[&[usize]], expect: &[(usize, usize)]) {
        let successors: Vec<Vec<usize>> = successors.iter().map(|to| to.to_vec()).collect();
        let found = retreating(roots.iter().copied(), &successors);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn an_edge_of_every_cycle_is_found() {
        check(&[0], &[&[1, 2], &[2], &[]], &[]);
        check(&[0], &[&[1], &[1, 2], &[0]], &[(1, 1), (2, 0)]);
        // Two ways into a cycle: the first one that is walked counts as its entry.
        check(&[0], &[&[1, 2], &[2], &[1]], &[(2, 1)]);
        check(&[0], &[&[2, 1], &[2], &[1]], &[(1, 2)]);
        // What no root leads to is not looked at.
        check(&[0], &[&[], &[1]], &[]);
        check(&[0, 1], &[&[], &[1]], &[(1, 1)]);
    }
}
