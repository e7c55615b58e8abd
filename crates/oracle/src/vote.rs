//! Attribution by vote.

use crate::observation::Observation;
use std::collections::BTreeMap;
use toolchain::{Behaviour, End};

/// How the vote went. Numbers are indices of observations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ballot<'a> {
    /// All that ran did the same, or nothing ran.
    Unanimous(Option<&'a Behaviour>),
    /// Most did the same; the odd ones out did something else.
    Majority {
        /// What most did.
        expected: &'a Behaviour,
        /// Who did something else.
        odd: Vec<usize>,
    },
    /// No behaviour has more votes than every other: the sides, largest first.
    Tie(Vec<(&'a Behaviour, Vec<usize>)>),
    /// None of the programs ended in time.
    NeverEnds,
}

/// A run that was stopped is a vote for "does not end" only when the others ended in a twentieth
/// of its CPU time: -O0 may well be ten times slower than -O3, and then the limit, not the
/// compiler, stopped it. Such runs abstain.
const SLOWER_THAN_ANY_COMPILER: u32 = 20;

/// Counts the votes of the observations that ran: each has one.
#[must_use]
pub fn vote(observations: &[Observation]) -> Ballot<'_> {
    let ran = || {
        observations.iter().enumerate().filter_map(|(at, seen)| Some((at, seen, seen.behaviour()?)))
    };
    let slowest = ran()
        .filter(|(_, _, behaviour)| behaviour.end != End::Endless)
        .map(|(_, seen, _)| seen.run_cpu)
        .max();
    if slowest.is_none() && ran().next().is_some() {
        return Ballot::NeverEnds;
    }
    let slowest = slowest.unwrap_or_default();
    let mut votes: BTreeMap<&Behaviour, Vec<usize>> = BTreeMap::new();
    for (at, seen, behaviour) in ran() {
        let abstains = behaviour.end == End::Endless
            && slowest.saturating_mul(SLOWER_THAN_ANY_COMPILER) > seen.run_cpu;
        if !abstains {
            votes.entry(behaviour).or_default().push(at);
        }
    }
    let mut sides: Vec<(&Behaviour, Vec<usize>)> = Vec::with_capacity(votes.len());
    for (behaviour, mut voters) in votes {
        // Numbers that are about the same do not make another side.
        match sides.iter_mut().find(|(other, _)| other.agrees_with(behaviour)) {
            Some((_, side)) => {
                side.append(&mut voters);
                side.sort_unstable();
            }
            None => sides.push((behaviour, voters)),
        }
    }
    // Stable: sides of the same size stay in the order of their behaviours.
    sides.sort_by_key(|(_, voters)| std::cmp::Reverse(voters.len()));
    match sides.as_slice() {
        [] => Ballot::Unanimous(None),
        [(behaviour, _)] => Ballot::Unanimous(Some(behaviour)),
        [(_, first), (_, second), ..] if first.len() == second.len() => Ballot::Tie(sides),
        [(expected, _), rest @ ..] => {
            let mut odd: Vec<usize> =
                rest.iter().flat_map(|(_, voters)| voters.iter().copied()).collect();
            odd.sort_unstable();
            Ballot::Majority { expected, odd }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::observation::Outcome;
    use std::time::Duration;
    use toolchain::Printed;

    pub(crate) fn ran(printed: &str, end: End, milliseconds: u64) -> Observation {
        let Printed { exact: output, about } = Printed::of(printed.as_bytes());
        let behaviour = Behaviour { end, output, head: printed.to_owned(), about };
        Observation {
            label: String::new(),
            family: String::new(),
            outcome: Outcome::Ran(behaviour),
            commands: Vec::new(),
            compile_cpu: Duration::ZERO,
            run_cpu: Duration::from_millis(milliseconds),
        }
    }

    fn check(observations: &[Observation], expect: &str) {
        let said = match vote(observations) {
            Ballot::Unanimous(behaviour) => {
                format!("all {}", behaviour.map_or("", |behaviour| &behaviour.head))
            }
            Ballot::Majority { expected, odd } => format!("{} but {odd:?}", expected.head),
            Ballot::Tie(sides) => {
                format!("tie {:?}", sides.iter().map(|s| &s.1).collect::<Vec<_>>())
            }
            Ballot::NeverEnds => "never".to_owned(),
        };
        assert_eq!(said, expect);
    }

    #[test]
    fn the_odd_one_out_is_named() {
        let ok = || ran("1", End::Exit(0), 5);
        check(&[ok(), ok(), ok()], "all 1");
        check(&[ok(), ran("2", End::Exit(0), 5), ok()], "1 but [1]");
        let about = |number: &str| ran(&format!("about {number}"), End::Exit(0), 5);
        check(&[about("0.75001"), about("0.75"), about("0.75002")], "all about 0.75");
        check(&[about("0.75001"), about("0.8"), about("0.75")], "about 0.75 but [1]");
        check(&[ok(), ran("1", End::Signal(11), 5), ok()], "1 but [1]");
        check(&[ok(), ran("2", End::Exit(0), 5), ok(), ran("3", End::Exit(0), 5)], "1 but [1, 3]");
    }

    #[test]
    fn a_tie_is_a_tie_with_its_sides() {
        let (one, two) = (|| ran("1", End::Exit(0), 5), || ran("2", End::Exit(0), 5));
        let observations = [one(), two(), two(), one()];
        let Ballot::Tie(sides) = vote(&observations) else { panic!("no tie") };
        let voters: std::collections::BTreeSet<Vec<usize>> =
            sides.into_iter().map(|(_, voters)| voters).collect();
        assert_eq!(voters, [vec![0, 3], vec![1, 2]].into());
    }

    #[test]
    fn slow_is_not_endless() {
        let limit = 10_000;
        let stopped = || ran("", End::Endless, limit);
        check(&[stopped(), stopped()], "never");
        // The others took 2 s: at -O0 this might take 11 s. It abstains.
        check(&[stopped(), ran("1", End::Exit(0), 2_000), ran("1", End::Exit(0), 1_500)], "all 1");
        // The others took 20 ms: this one hangs.
        check(&[stopped(), ran("1", End::Exit(0), 20), ran("1", End::Exit(0), 20)], "1 but [0]");
    }
}
