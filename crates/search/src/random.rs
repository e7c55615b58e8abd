//! The baseline that learns nothing (DiWi^rand, RecBi_rand, and with the filter RecBi_filter).

use crate::strategy::{Outcome, Strategy};
use base::Random;

/// Every arm is as likely as any other, always. A lookahead makes no difference to it.
#[derive(Clone, Debug)]
pub struct RandomChoice {
    arms: usize,
    random: Random,
}

impl RandomChoice {
    /// Chooses among `arms`.
    ///
    /// # Panics
    ///
    /// If there are no arms.
    #[must_use]
    pub fn new(arms: usize, random: Random) -> RandomChoice {
        assert!(arms > 0, "a strategy without arms has nothing to choose");
        RandomChoice { arms, random }
    }
}

impl Strategy for RandomChoice {
    fn name(&self) -> &'static str {
        "random"
    }

    fn arms(&self) -> usize {
        self.arms
    }

    fn ask(&mut self) -> usize {
        self.random.index(self.arms)
    }

    fn tell(&mut self, _: usize, _: &Outcome) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn every_arm_is_as_likely_as_any_other() {
        let mut strategy = RandomChoice::new(4, Seed(1).stream("random", 0));
        let mut counts = [0; 4];
        for _ in 0..4000 {
            let arm = strategy.ask();
            counts[arm] += 1;
            strategy.tell(arm, &Outcome::Accepted { diversity: arm as f64, gain: arm as f64 });
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
