//! DiWi's choice of mutation rules by Metropolis and Hastings (section 4.2.2, algorithm 1).

use crate::strategy::{Outcome, Strategy};
use base::Random;

/// p of the geometric distribution that the walk aims at: the chance of the best arm. DiWi's section
/// 5.2 chooses it for 132 rules, so that they have 95 % of all chances together and the last hardly
/// any.
const P: f64 = 0.023;

/// Walks from arm to arm, rather to those whose moves often gave witnesses unlike the ones before.
///
/// The score of an arm is the diversity of its last accepted witness times its rate of success. An
/// arm is proposed uniformly and accepted with (1−p)^(kb−ka), where ka and kb are the positions
/// of the current arm and of the proposed one in the ranking by score; if it is not, another is
/// proposed.
///
/// Lookahead: the walk goes on from the last arm that was asked for, by the scores of what was told;
/// tries count when they are told, so that what is under way does not look like a failure.
#[derive(Clone, Debug)]
pub struct Metropolis {
    rules: Vec<Rule>,
    /// The positions of the rules, by what was told so far.
    positions: Vec<f64>,
    /// MR_a, the arm from which the next step is taken.
    current: usize,
    p: f64,
    random: Random,
}

#[derive(Clone, Copy, Default, Debug)]
struct Rule {
    tries: u32,
    successes: u32,
    /// Of the last witness that was accepted.
    diversity: f64,
}

impl Rule {
    /// Both factors are what they are now. (The released code multiplies the last score by the rate
    /// of success after every failure, so that scores decay geometrically; the paper's text about
    /// lines 18–20 of its algorithm says that only the rate is renewed.)
    fn score(&self) -> f64 {
        if self.tries == 0 {
            return 0.0;
        }
        self.diversity * f64::from(self.successes) / f64::from(self.tries)
    }
}

impl Metropolis {
    /// A walk among `arms` that begins anywhere, with DiWi's p of 0.023.
    ///
    /// # Panics
    ///
    /// If there are no arms.
    #[must_use]
    pub fn new(arms: usize, mut random: Random) -> Metropolis {
        assert!(arms > 0, "a strategy without arms has nothing to choose");
        let current = random.index(arms);
        let rules = vec![Rule::default(); arms];
        let positions = positions(&vec![0.0; arms]);
        Metropolis { rules, positions, current, p: P, random }
    }

    /// The same walk with another `p`: the larger, the more it keeps to the best arms. By DiWi's
    /// conditions for p, ten arms would need at least 0.26: 1 − (1−p)^10 ≥ 0.95.
    ///
    /// # Panics
    ///
    /// If `p` is not a probability, or 1.
    #[must_use]
    pub fn with_p(self, p: f64) -> Metropolis {
        assert!((0.0..1.0).contains(&p), "p is a probability below 1, not {p}");
        Metropolis { p, ..self }
    }

    /// The scores of the arms by what was told so far.
    pub fn scores(&self) -> impl Iterator<Item = f64> {
        self.rules.iter().map(Rule::score)
    }
}

impl Strategy for Metropolis {
    fn name(&self) -> &'static str {
        "metropolis"
    }

    fn arms(&self) -> usize {
        self.rules.len()
    }

    fn ask(&mut self) -> usize {
        // It ends: the current arm itself is proposed sooner or later, and never refused.
        loop {
            let proposed = self.random.index(self.rules.len());
            let steps_down = self.positions[proposed] - self.positions[self.current];
            if self.random.unit() < (1.0 - self.p).powf(steps_down) {
                self.current = proposed;
                return proposed;
            }
        }
    }

    fn tell(&mut self, arm: usize, outcome: &Outcome) {
        let rule = &mut self.rules[arm];
        rule.tries += 1;
        if let Outcome::Accepted { diversity, .. } = *outcome {
            rule.successes += 1;
            rule.diversity = diversity;
        }
        let scores: Vec<f64> = self.scores().collect();
        self.positions = positions(&scores);
    }
}

/// The position of each score in descending order, the best first; equal scores share the mean of
/// the places that they take up.
///
/// Deviation: the paper says nothing of ties, though all scores are 0 at the start and most stay so.
/// Its code lets the order of a sort decide. The mean is what a random order gives on average; the
/// first place of the tie would put a hundred arms that never gave anything right behind the first
/// that did, and the walk would hardly differ from a random one.
///
/// ```
/// assert_eq!(search::positions(&[0.0, 0.9, 0.0, 0.4, 0.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
/// ```
#[must_use]
pub fn positions(scores: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut positions = vec![0.0; scores.len()];
    let mut before = 0;
    for tie in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
        let mean = before as f64 + (tie.len() + 1) as f64 / 2.0;
        for arm in tie {
            positions[*arm] = mean;
        }
        before += tie.len();
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    fn accepted(diversity: f64) -> Outcome {
        Outcome::Accepted { diversity, gain: 0.0 }
    }

    #[test]
    fn a_score_is_the_last_diversity_times_the_rate_of_success() {
        let mut walk = Metropolis::new(2, Seed(1).stream("walk", 0));
        for outcome in [accepted(1.0), Outcome::Rejected, accepted(0.5)] {
            walk.tell(1, &outcome);
        }
        assert_eq!(walk.scores().collect::<Vec<_>>(), [0.0, 0.5 * 2.0 / 3.0]);
        // A failure renews the rate and nothing else; a filtered program is a failure.
        walk.tell(1, &Outcome::Filtered { gain: -1.0 });
        assert_eq!(walk.scores().collect::<Vec<_>>(), [0.0, 0.5 * 2.0 / 4.0]);
    }

    #[test]
    fn ties_share_the_mean_of_their_places() {
        assert_eq!(positions(&[0.0, 0.0, 0.0]), [2.0, 2.0, 2.0]);
        assert_eq!(positions(&[0.5, 1.0, 0.5, 0.1]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(positions(&[-0.0, 0.0]), [1.5, 1.5]);
        assert!(positions(&[]).is_empty());
    }

    #[test]
    fn arms_are_visited_as_the_geometric_distribution_has_it() {
        // With fixed scores the walk is a Markov chain whose share of time at position k is
        // proportional to (1-p)^k. Re-proposing makes it a jump chain: from the arm at ka the next
        // is kb with a share of min(1, (1-p)^(kb-ka)), so shares are weighted by their sums.
        let (arms, p) = (4, 0.5);
        let mut walk = Metropolis::new(arms, Seed(2).stream("walk", 0)).with_p(p);
        for (arm, diversity) in [0.8, 0.6, 0.4, 0.2].into_iter().enumerate() {
            walk.tell(arm, &accepted(diversity));
        }
        let mut counts = vec![0.0; arms];
        let n = 40_000;
        for _ in 0..n {
            counts[walk.ask()] += 1.0 / f64::from(n);
        }
        let accept = |a: usize, b: usize| (1.0_f64 - p).powi(b as i32 - a as i32).min(1.0);
        let weights: Vec<f64> = (0..arms)
            .map(|a| (1.0 - p).powi(a as i32) * (0..arms).map(|b| accept(a, b)).sum::<f64>())
            .collect();
        let total: f64 = weights.iter().sum();
        for (count, weight) in counts.iter().zip(&weights) {
            assert!((count - weight / total).abs() < 0.01, "{counts:?} beside {weights:?}");
        }
    }
}
