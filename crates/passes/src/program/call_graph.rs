//! Who calls whom, and Algorithm 2 of CTOS: the vectors of functions become one, callees first.

use super::error::ReadError;
use super::retreating::retreating;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The functions that each function of a program calls, given by their places, without recursion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<usize>>,
    callers: Vec<Vec<usize>>,
}

const NODE: &str = "Call graph node ";
const FUNCTION: &str = "for function: '";
const CALL: &str = "calls function '";
const OUTSIDE: &str = "calls external node";

impl CallGraph {
    /// The graph of functions that call these. A function counts once however often it is called,
    /// and calls that close a circle are left out (line 2).
    ///
    /// Deviation: the paper does not say which call of a circle is the recursive one. Here it is
    /// the one that leads back, seen from functions that no other calls, or else from the first of
    /// the circle. So func4 of Figure 5 loses its call of func1, as in the paper.
    fn new(callees: Vec<Vec<usize>>) -> CallGraph {
        let mut callees = callees;
        for called in &mut callees {
            let mut seen = BTreeSet::new();
            called.retain(|callee| seen.insert(*callee));
        }
        let callers = reversed(&callees);
        let all = 0..callees.len();
        let first = all.clone().filter(|it| callers[*it].iter().all(|caller| caller == it));
        let recursive = retreating(first.chain(all), &callees);
        for (caller, called) in callees.iter_mut().enumerate() {
            called.retain(|callee| !recursive.contains(&(caller, *callee)));
        }
        let callers = reversed(&callees);
        CallGraph { callees, callers }
    }

    /// Reads what `opt -passes=print-callgraph` prints, as far as it is about these functions; other
    /// lines are passed over.
    ///
    /// Deviation: functions without a body have no vector and are left out, and so are calls of
    /// what is not known by name.
    pub(super) fn read(text: &str, functions: &[&str]) -> Result<CallGraph, ReadError> {
        let places: BTreeMap<&str, usize> =
            functions.iter().enumerate().map(|(place, name)| (*name, place)).collect();
        let mut callees: Vec<Option<Vec<usize>>> = vec![None; functions.len()];
        let mut caller = None;
        for (place, line) in text.lines().enumerate() {
            let wrong = || ReadError::Call { line: place + 1, text: line.to_owned() };
            if let Some(node) = line.strip_prefix(NODE) {
                caller = match node.strip_prefix(FUNCTION) {
                    Some(name) => places.get(name.rsplit_once("'<<").ok_or_else(wrong)?.0),
                    None => None,
                };
                caller.map(|caller| callees[*caller].get_or_insert_default());
            } else if line.is_empty() {
                caller = None;
            } else if let Some(called) = caller.and_then(|caller| callees[*caller].as_mut())
                && !line.ends_with(OUTSIDE)
            {
                let name = line.split_once(CALL).and_then(|(_, name)| name.strip_suffix('\''));
                called.extend(places.get(name.ok_or_else(wrong)?));
            }
        }
        let lacking = |name: &str| ReadError::NoCalls { function: name.to_owned() };
        let callees: Result<Vec<_>, _> = callees
            .into_iter()
            .zip(functions)
            .map(|(callees, name)| callees.ok_or_else(|| lacking(name)))
            .collect();
        Ok(CallGraph::new(callees?))
    }

    /// The functions that a function calls.
    #[must_use]
    pub fn callees(&self, function: usize) -> &[usize] {
        &self.callees[function]
    }

    /// The functions in the order in which their vectors become final (lines 8 to 25). The paper
    /// picks any function of the work list; here it is the oldest, and the vectors are the same.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut missing: Vec<usize> = self.callees.iter().map(Vec::len).collect();
        let mut order = Vec::with_capacity(missing.len());
        let mut visited = vec![false; missing.len()];
        let mut work: VecDeque<usize> = VecDeque::new();
        let mut visit = |function: usize, missing: &mut [usize], work: &mut VecDeque<usize>| {
            if !std::mem::replace(&mut visited[function], true) {
                self.callers[function].iter().for_each(|caller| missing[*caller] -= 1);
                order.push(function);
                work.push_back(function);
            }
        };
        for function in (0..missing.len()).filter(|it| self.callees[*it].is_empty()) {
            visit(function, &mut missing, &mut work);
        }
        while let Some(current) = work.pop_front() {
            for &caller in &self.callers[current] {
                if missing[caller] == 0 {
                    visit(caller, &mut missing, &mut work);
                }
            }
        }
        order
    }

    /// How much each function counts in the vector of the program, which is the sum of theirs by these
    /// shares. Algorithm 2 only adds and divides, and is taken backwards: from the start, whose callees are
    /// those that nobody calls, to callees.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let called_by_none = |function: &usize| self.callers[*function].is_empty();
        let first: Vec<usize> = (0..self.callees.len()).filter(called_by_none).collect();
        let mut shares = vec![0.0; self.callees.len()];
        first.iter().for_each(|function| shares[*function] = 1.0 / (first.len() + 1) as f64);
        for function in self.order().into_iter().rev() {
            let callees = &self.callees[function];
            shares[function] /= (callees.len() + 1) as f64;
            let passed_on = shares[function];
            callees.iter().for_each(|callee| shares[*callee] += passed_on);
        }
        shares
    }
}

fn reversed(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![Vec::new(); graph.len()];
    for (from, targets) in graph.iter().enumerate() {
        for to in targets {
            reversed[*to].push(from);
        }
    }
    reversed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph of Figure 5, as opt 16 prints it for a program of that shape: func1 and func4 call
    /// each other, func7 calls itself.
    const FIGURE: &str = "\
Call graph node <<null function>><<0x7>>  #uses=0
  CS<None> calls function 'func7'
  CS<None> calls function 'main'
  CS<None> calls function 'puts'

Call graph node for function: 'func1'<<0x7>>  #uses=2
  CS<0x7> calls function 'func4'
  CS<0x7> calls function 'func6'

Call graph node for function: 'func2'<<0x7>>  #uses=2
  CS<0x7> calls function 'func5'
  CS<0x7> calls function 'func6'
  CS<0x7> calls function 'func6'

Call graph node for function: 'func3'<<0x7>>  #uses=2
  CS<0x7> calls function 'func7'
  CS<0x7> calls external node

Call graph node for function: 'func4'<<0x7>>  #uses=2
  CS<0x7> calls function 'func1'

Call graph node for function: 'func5'<<0x7>>  #uses=2

Call graph node for function: 'func6'<<0x7>>  #uses=4

Call graph node for function: 'func7'<<0x7>>  #uses=3
  CS<0x7> calls function 'func7'

Call graph node for function: 'main'<<0x7>>  #uses=1
  CS<0x7> calls function 'puts'
  CS<0x7> calls function 'func2'
  CS<0x7> calls function 'func3'

Call graph node for function: 'puts'<<0x7>>  #uses=2
  CS<None> calls external node

";
    const FUNCTIONS: [&str; 8] =
        ["main", "func1", "func2", "func3", "func4", "func5", "func6", "func7"];

    #[test]
    fn callees_come_first_and_recursion_goes() {
        let graph = CallGraph::read(FIGURE, &FUNCTIONS).unwrap();
        let callees: Vec<&[usize]> = (0..8).map(|function| graph.callees(function)).collect();
        assert_eq!(callees, [&[2, 3][..], &[4, 6], &[5, 6], &[7], &[], &[], &[], &[]]);
        // Those without callees, then func1, func2, func3, then main.
        assert_eq!(graph.order(), [4, 5, 6, 7, 1, 2, 3, 0]);
    }

    #[test]
    fn the_vector_of_the_program_is_that_of_start() {
        let graph = CallGraph::read(FIGURE, &FUNCTIONS).unwrap();
        let found = graph.shares();
        // start = (func1 + main) / 3, func1 = (func1 + func4 + func6) / 3, main = (main + func2 +
        // func3) / 3, func2 = (func2 + func5 + func6) / 3, func3 = (func3 + func7) / 2.
        let ninth = 1.0 / 9.0;
        let expect = [
            ninth,
            ninth,
            ninth / 3.0,
            ninth / 2.0,
            ninth,
            ninth / 3.0,
            ninth + ninth / 3.0,
            ninth / 2.0,
        ];
        let near = |(found, expect): (&f64, &f64)| (found - expect).abs() < 1e-6;
        assert!(found.iter().zip(&expect).all(near), "{found:?} is not {expect:?}");
    }

    #[test]
    fn a_circle_of_calls_is_cut_where_it_leads_back() {
        let check = |callees: &[&[usize]], expect: &[&[usize]], order: &[usize]| {
            let graph = CallGraph::new(callees.iter().map(|it| it.to_vec()).collect());
            let found: Vec<&[usize]> = (0..callees.len()).map(|it| graph.callees(it)).collect();
            assert_eq!(found, expect);
            assert_eq!(graph.order(), order);
        };
        // Function 2, which only itself calls, is where the circle of 0 and 1 is entered.
        check(&[&[1], &[0], &[2, 1]], &[&[], &[0], &[1]], &[0, 1, 2]);
        check(&[&[1], &[2], &[0]], &[&[1], &[2], &[]], &[2, 1, 0]);
        // Function 0 waits for all that it calls.
        check(&[&[1, 2], &[2], &[]], &[&[1, 2], &[2], &[]], &[2, 1, 0]);
    }

    #[test]
    fn lines_that_are_no_calls_are_named() {
        let text = FIGURE.replace("calls function 'func4'", "greets 'func4'");
        let expect = ReadError::Call { line: 7, text: "  CS<0x7> greets 'func4'".into() };
        assert_eq!(CallGraph::read(&text, &FUNCTIONS), Err(expect));
        let expect = ReadError::NoCalls { function: "func8".into() };
        assert_eq!(CallGraph::read(FIGURE, &["main", "func8"]), Err(expect));
    }
}
