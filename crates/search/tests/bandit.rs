//! Toy problems: arms that give witnesses with a fixed chance. No strategy may know more.

use base::{Random, Seed};
use search::{A2c, A2cSettings, Metropolis, Outcome, RandomChoice, Strategy};
use std::collections::VecDeque;

/// Most arms hardly ever give anything, a few often do.
const CHANCES: [f64; 10] = [0.02, 0.02, 0.6, 0.02, 0.02, 0.02, 0.4, 0.02, 0.02, 0.02];

fn pull(arm: usize, random: &mut Random) -> Outcome {
    // One draw for luck and one for size, whatever happens, so that runs stay comparable.
    let (luck, size) = (random.unit(), 0.3 + 0.4 * random.unit());
    if luck < CHANCES[arm] {
        Outcome::Accepted { diversity: size, gain: size }
    } else {
        Outcome::Rejected
    }
}

/// The arms that were pulled, and how many witnesses there were.
fn play(
    strategy: &mut dyn Strategy,
    lookahead: usize,
    pulls: usize,
    seed: u64,
) -> (Vec<usize>, usize) {
    let mut random = Seed(seed).stream("bandit", 0);
    let (mut pulled, mut witnesses) = (Vec::new(), 0);
    let mut under_way: VecDeque<usize> = VecDeque::new();
    for _ in 0..pulls {
        while under_way.len() < lookahead {
            under_way.push_back(strategy.ask());
        }
        let arm = under_way.pop_front().expect("asked above");
        let outcome = pull(arm, &mut random);
        witnesses += usize::from(outcome.is_accepted());
        strategy.tell(arm, &outcome);
        pulled.push(arm);
    }
    (pulled, witnesses)
}

fn strategies(seed: u64) -> [Box<dyn Strategy>; 3] {
    let random = || Seed(seed).stream("choose", 0);
    let arms = CHANCES.len();
    [
        Box::new(RandomChoice::new(arms, random())),
        // DiWi's conditions for p, with ten arms instead of 132.
        Box::new(Metropolis::new(arms, random()).with_p(0.3)),
        Box::new(A2c::new(arms, A2cSettings::default(), random())),
    ]
}

/// Witnesses of each strategy, over many seeds.
fn totals(lookahead: usize, pulls: usize) -> [usize; 3] {
    let mut totals = [0; 3];
    for seed in 0..20 {
        for (total, mut strategy) in totals.iter_mut().zip(strategies(seed)) {
            *total += play(&mut *strategy, lookahead, pulls, seed).1;
        }
    }
    totals
}

#[test]
fn strategies_that_learn_find_more_than_chance() {
    let [random, metropolis, a2c] = totals(1, 500);
    assert!(metropolis * 10 > random * 15, "metropolis {metropolis}, random {random}");
    assert!(a2c * 10 > random * 15, "a2c {a2c}, random {random}");
}

#[test]
fn asking_ahead_does_not_keep_them_from_learning() {
    let [random, metropolis, a2c] = totals(8, 500);
    assert!(metropolis * 10 > random * 15, "metropolis {metropolis}, random {random}");
    assert!(a2c * 10 > random * 15, "a2c {a2c}, random {random}");
}

#[test]
fn the_seed_and_the_lookahead_decide_every_choice() {
    for lookahead in [1, 4] {
        let run = |seed| strategies(seed).map(|mut s| play(&mut *s, lookahead, 100, 1).0);
        assert_eq!(run(3), run(3));
        for (first, second) in run(3).iter().zip(&run(4)) {
            assert_ne!(first, second, "another seed, another sequence");
        }
    }
}

#[test]
fn a_single_arm_is_always_chosen() {
    let random = || Seed(1).stream("choose", 0);
    let mut all: [Box<dyn Strategy>; 3] = [
        Box::new(RandomChoice::new(1, random())),
        Box::new(Metropolis::new(1, random())),
        Box::new(A2c::new(1, A2cSettings::default(), random())),
    ];
    for strategy in &mut all {
        for _ in 0..20 {
            assert_eq!(strategy.ask(), 0);
            strategy.tell(0, &Outcome::Accepted { diversity: 0.5, gain: 0.5 });
        }
    }
}
