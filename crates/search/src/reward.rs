//! What A2C takes as the reward of a step (RecBi, formulas 6 and 7).

/// Formula 6: the mean of ΔQ over all the times that an arm was selected.
///
/// T(m) counts every selection, as the paper says: a move that came to nothing has a ΔQ of 0. (The
/// released code leaves such moves out, so that an arm that hardly ever works looks as good as one
/// that always does.)
///
/// ```
/// let mut gains = search::MeanGains::new(2);
/// assert_eq!(gains.reward(0, 0.6), 0.6);
/// assert_eq!(gains.reward(1, 0.0), 0.0);
/// assert_eq!(gains.reward(0, 0.0), 0.3);
/// ```
#[derive(Clone, Debug)]
pub struct MeanGains {
    sums: Vec<(f64, u32)>,
}

impl MeanGains {
    /// Nothing was selected yet.
    #[must_use]
    pub fn new(arms: usize) -> MeanGains {
        MeanGains { sums: vec![(0.0, 0); arms] }
    }

    /// The reward for selecting `arm`, when that changed the quality by `gain`.
    pub fn reward(&mut self, arm: usize, gain: f64) -> f64 {
        let (sum, times) = &mut self.sums[arm];
        *sum += gain;
        *times += 1;
        *sum / f64::from(*times)
    }
}

/// The sums of formula 7 for consecutive steps: what each step and those after it earned, where
/// later rewards count less by `discount` (γ) for each step, and `last` is what the critic predicts
/// for the state after all of them.
///
/// Deviation: formula 7 sums u+1 rewards as printed; here are u, the number before PR_{t+u} begins.
/// It holds for the first of u steps; the others have the rewards that are left before the same
/// PR_{t+u}. So has it the algorithm that the paper follows (Mnih et al., "Asynchronous methods for
/// deep reinforcement learning", ICML 2016, algorithm S3), and the released code.
///
/// ```
/// let returns = search::discounted(&[1.0, 0.0, 2.0], 10.0, 0.5);
/// assert_eq!(returns, [1.0 + 0.0 + 0.25 * 2.0 + 0.125 * 10.0, 0.5 * 2.0 + 0.25 * 10.0, 7.0]);
/// ```
#[must_use]
pub fn discounted(rewards: &[f64], last: f64, discount: f64) -> Vec<f64> {
    let mut returns = vec![0.0; rewards.len()];
    let mut after = last;
    for (sum, reward) in returns.iter_mut().zip(rewards).rev() {
        after = reward + discount * after;
        *sum = after;
    }
    returns
}
