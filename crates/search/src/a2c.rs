//! RecBi's choice of mutation operators by advantage actor-critic (section 3.2).

use crate::adam::Adam;
use crate::network::Network;
use crate::reward::{MeanGains, discounted};
use crate::softmax::{log_softmax, sample};
use crate::strategy::{Outcome, Strategy};
use base::Random;
use std::collections::VecDeque;

/// What can be set about [`A2c`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct A2cSettings {
    /// γ, the weight of the next reward beside this one; 0.9 (section 4.2).
    pub discount: f64,
    /// β, how fast both networks learn; 0.01 (section 4.2).
    pub learning_rate: f64,
    /// u, how many steps are taken before the networks learn from them; 5 (section 4.2).
    pub steps: usize,
    /// Units in the hidden layer of the actor; 20 (released code).
    pub actor_hidden: usize,
    /// Units in the hidden layer of the critic; 15 (released code).
    pub critic_hidden: usize,
}

impl Default for A2cSettings {
    fn default() -> A2cSettings {
        A2cSettings {
            discount: 0.9,
            learning_rate: 0.01,
            steps: 5,
            actor_hidden: 20,
            critic_hidden: 15,
        }
    }
}

/// Two networks that see how many witnesses each arm has given: the actor says how likely each arm is
/// to be chosen, the critic what is still to be earned. Every u steps both learn from them.
///
/// Lookahead: an arm is chosen by what the networks know and how many witnesses there are when it is
/// asked for. Both are kept with it, so that the step is learnt from as it was made; the actor may
/// have learnt from earlier steps in between, whose advantage then counts for a policy that is at
/// most a lookahead older.
#[derive(Clone, Debug)]
pub struct A2c {
    settings: A2cSettings,
    actor: Network,
    critic: Network,
    actor_adam: Adam,
    critic_adam: Adam,
    gains: MeanGains,
    /// The state: accepted witnesses of each arm. It begins at 0, as the paper's words have it ("the
    /// number of times"); the released code begins at 1.
    witnesses: Vec<f64>,
    /// Asked, not told.
    pending: VecDeque<Choice>,
    /// Told, not learnt from.
    batch: Vec<Step>,
    random: Random,
}

/// An arm, and the state in which it was chosen.
#[derive(Clone, Debug)]
struct Choice {
    state: Vec<f64>,
    arm: usize,
}

#[derive(Clone, Debug)]
struct Step {
    choice: Choice,
    reward: f64,
}

impl A2c {
    /// Chooses among `arms` with networks that know nothing.
    ///
    /// # Panics
    ///
    /// If there are no arms, or if it should learn every 0 steps.
    #[must_use]
    pub fn new(arms: usize, settings: A2cSettings, mut random: Random) -> A2c {
        assert!(arms > 0, "a strategy without arms has nothing to choose");
        assert!(settings.steps > 0, "there is nothing to learn from 0 steps");
        let actor = Network::new(arms, settings.actor_hidden, arms, &mut random);
        let critic = Network::new(arms, settings.critic_hidden, 1, &mut random);
        A2c {
            actor_adam: Adam::new(actor.parameters.len(), settings.learning_rate),
            critic_adam: Adam::new(critic.parameters.len(), settings.learning_rate),
            gains: MeanGains::new(arms),
            witnesses: vec![0.0; arms],
            pending: VecDeque::new(),
            batch: Vec::new(),
            settings,
            actor,
            critic,
            random,
        }
    }

    /// How likely each arm is to be chosen next.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        self.log_policy(&self.witnesses).into_iter().map(f64::exp).collect()
    }

    fn log_policy(&self, state: &[f64]) -> Vec<f64> {
        log_softmax(&self.actor.forward(state).output)
    }

    /// PR, what the critic predicts.
    fn predicted(&self, state: &[f64]) -> f64 {
        self.critic.forward(state).output[0]
    }

    /// A(t) of formula 7 for each step of the batch.
    fn advantages(&self) -> Vec<f64> {
        let rewards: Vec<f64> = self.batch.iter().map(|step| step.reward).collect();
        let last = self.predicted(&self.witnesses);
        let returns = discounted(&rewards, last, self.settings.discount);
        let steps = self.batch.iter().zip(returns);
        steps.map(|(step, sum)| sum - self.predicted(&step.choice.state)).collect()
    }

    /// The gradients of the actor's and of the critic's parameters, for the loss
    /// mean(A² − log π(a) A): the second term is formula 8, in which A is a constant; the first
    /// teaches the critic, where what it is compared to is a constant too.
    fn gradients(&self, advantages: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut by_actor = vec![0.0; self.actor.parameters.len()];
        let mut by_critic = vec![0.0; self.critic.parameters.len()];
        let share = 1.0 / self.batch.len() as f64;
        for (Step { choice, .. }, advantage) in self.batch.iter().zip(advantages) {
            let policy = self.actor.forward(&choice.state);
            let by_logit: Vec<f64> = log_softmax(&policy.output)
                .iter()
                .enumerate()
                .map(|(arm, log)| log.exp() - f64::from(u8::from(arm == choice.arm)))
                .map(|slope| slope * advantage * share)
                .collect();
            self.actor.add_gradient(&choice.state, &policy, &by_logit, &mut by_actor);
            let prediction = self.critic.forward(&choice.state);
            let by_value = [-2.0 * advantage * share];
            self.critic.add_gradient(&choice.state, &prediction, &by_value, &mut by_critic);
        }
        (by_actor, by_critic)
    }

    fn learn(&mut self) {
        let (by_actor, by_critic) = self.gradients(&self.advantages());
        self.actor_adam.step(&mut self.actor.parameters, &by_actor);
        self.critic_adam.step(&mut self.critic.parameters, &by_critic);
        self.batch.clear();
    }
}

impl Strategy for A2c {
    fn name(&self) -> &'static str {
        "a2c"
    }

    fn arms(&self) -> usize {
        self.witnesses.len()
    }

    fn ask(&mut self) -> usize {
        let arm = sample(&self.log_policy(&self.witnesses), &mut self.random);
        self.pending.push_back(Choice { state: self.witnesses.clone(), arm });
        arm
    }

    /// # Panics
    ///
    /// If `arm` is not the oldest that was asked for.
    fn tell(&mut self, arm: usize, outcome: &Outcome) {
        let choice = self.pending.pop_front().expect("a tell answers an ask");
        assert_eq!(choice.arm, arm, "tells come in the order of the asks");
        let reward = self.gains.reward(arm, outcome.gain());
        if outcome.is_accepted() {
            self.witnesses[arm] += 1.0;
        }
        self.batch.push(Step { choice, reward });
        if self.batch.len() == self.settings.steps {
            self.learn();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    /// A strategy in the middle of a batch, with random parameters and states that are not whole
    /// numbers, so that no unit stands at ReLU's edge.
    fn in_the_middle() -> A2c {
        let mut random = Seed(9).stream("test", 0);
        let settings = A2cSettings { steps: 100, ..A2cSettings::default() };
        let mut a2c = A2c::new(4, settings, Seed(9).stream("a2c", 0));
        for network in [&mut a2c.actor, &mut a2c.critic] {
            network.parameters.iter_mut().for_each(|value| *value = random.unit() - 0.5);
        }
        a2c.witnesses = (0..4).map(|_| 3.0 * random.unit()).collect();
        a2c.batch = (0..5)
            .map(|_| Step {
                choice: Choice {
                    state: (0..4).map(|_| 3.0 * random.unit()).collect(),
                    arm: random.index(4),
                },
                reward: random.unit() - 0.3,
            })
            .collect();
        a2c
    }

    /// The whole loss; `detached` are the advantages and `returns` the sums that do not move with the
    /// parameters.
    fn loss(a2c: &A2c, detached: &[f64], returns: &[f64]) -> f64 {
        let steps = a2c.batch.iter().zip(detached).zip(returns);
        let sum: f64 = steps
            .map(|((step, detached), target)| {
                let error = target - a2c.predicted(&step.choice.state);
                error * error - a2c.log_policy(&step.choice.state)[step.choice.arm] * detached
            })
            .sum();
        sum / a2c.batch.len() as f64
    }

    #[test]
    fn gradients_are_what_finite_differences_say() {
        let a2c = in_the_middle();
        let detached = a2c.advantages();
        let rewards: Vec<f64> = a2c.batch.iter().map(|step| step.reward).collect();
        let returns = discounted(&rewards, a2c.predicted(&a2c.witnesses), 0.9);
        let (by_actor, by_critic) = a2c.gradients(&detached);
        let slope = |change: &dyn Fn(&mut A2c, f64)| {
            let at = |distance| {
                let mut moved = a2c.clone();
                change(&mut moved, distance);
                loss(&moved, &detached, &returns)
            };
            (at(1e-5) - at(-1e-5)) / 2e-5
        };
        for (index, gradient) in by_actor.iter().enumerate() {
            let measured = slope(&|a2c, by| a2c.actor.parameters[index] += by);
            assert!((gradient - measured).abs() < 1e-8, "actor {index}: {gradient} {measured}");
        }
        for (index, gradient) in by_critic.iter().enumerate() {
            let measured = slope(&|a2c, by| a2c.critic.parameters[index] += by);
            assert!((gradient - measured).abs() < 1e-8, "critic {index}: {gradient} {measured}");
        }
        let moving = by_actor.iter().chain(&by_critic).filter(|slope| slope.abs() > 1e-4).count();
        assert!(moving > 100, "only {moving} gradients are not 0");
    }

    #[test]
    fn the_networks_learn_every_five_steps_and_not_only_once() {
        let mut a2c = A2c::new(3, A2cSettings::default(), Seed(1).stream("a2c", 0));
        let mut changes = Vec::new();
        for step in 1..=20 {
            let (actor, critic) = (a2c.actor.parameters.clone(), a2c.critic.parameters.clone());
            let arm = a2c.ask();
            a2c.tell(arm, &Outcome::Accepted { diversity: 1.0, gain: 0.5 });
            if actor != a2c.actor.parameters && critic != a2c.critic.parameters {
                changes.push(step);
            }
        }
        assert_eq!(changes, [5, 10, 15, 20]);
    }

    #[test]
    fn the_state_counts_accepted_witnesses_and_each_step_keeps_its_own() {
        let settings = A2cSettings { steps: 100, ..A2cSettings::default() };
        let mut a2c = A2c::new(2, settings, Seed(1).stream("a2c", 0));
        let outcomes = [
            Outcome::Accepted { diversity: 1.0, gain: 0.5 },
            Outcome::Rejected,
            Outcome::Filtered { gain: -0.1 },
            Outcome::Accepted { diversity: 1.0, gain: 0.5 },
        ];
        for outcome in &outcomes {
            let arm = a2c.ask();
            a2c.tell(arm, outcome);
        }
        let totals = |state: &Vec<f64>| state.iter().sum::<f64>();
        let seen: Vec<f64> = a2c.batch.iter().map(|step| totals(&step.choice.state)).collect();
        assert_eq!(seen, [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(totals(&a2c.witnesses), 2.0);
    }

    #[test]
    fn a_reward_is_the_mean_over_all_moves_of_the_arm_also_over_those_that_failed() {
        let settings = A2cSettings { steps: 100, ..A2cSettings::default() };
        let mut a2c = A2c::new(1, settings, Seed(1).stream("a2c", 0));
        let first = Outcome::Accepted { diversity: 1.0, gain: 0.5 };
        for outcome in [first, Outcome::Rejected, Outcome::Filtered { gain: -0.25 }] {
            let arm = a2c.ask();
            a2c.tell(arm, &outcome);
        }
        let rewards: Vec<f64> = a2c.batch.iter().map(|step| step.reward).collect();
        assert_eq!(rewards, [0.5, 0.25, 0.25 / 3.0]);
    }

    #[test]
    #[should_panic(expected = "tells come in the order of the asks")]
    fn a_tell_for_another_arm_is_refused() {
        let mut a2c = A2c::new(2, A2cSettings::default(), Seed(1).stream("a2c", 0));
        let arm = a2c.ask();
        a2c.tell(1 - arm, &Outcome::Rejected);
    }
}
