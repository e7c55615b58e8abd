//! Adam: Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1.

/// Moves parameters against their gradient, each by about the learning rate.
#[derive(Clone, Debug)]
pub(crate) struct Adam {
    learning_rate: f64,
    steps: i32,
    /// The running means of the gradient and of its square.
    moments: Vec<(f64, f64)>,
}

/// β₁, β₂ and ε as in the paper, which are PyTorch's defaults too.
const DECAY: (f64, f64) = (0.9, 0.999);
const EPSILON: f64 = 1e-8;

impl Adam {
    pub fn new(parameters: usize, learning_rate: f64) -> Adam {
        Adam { learning_rate, steps: 0, moments: vec![(0.0, 0.0); parameters] }
    }

    pub fn step(&mut self, parameters: &mut [f64], gradient: &[f64]) {
        self.steps += 1;
        // Both means begin at 0, which is made up for.
        let correction = (1.0 - DECAY.0.powi(self.steps), 1.0 - DECAY.1.powi(self.steps));
        for ((parameter, by), (mean, square)) in
            parameters.iter_mut().zip(gradient).zip(&mut self.moments)
        {
            *mean = DECAY.0 * *mean + (1.0 - DECAY.0) * by;
            *square = DECAY.1 * *square + (1.0 - DECAY.1) * by * by;
            let spread = (*square / correction.1).sqrt() + EPSILON;
            *parameter -= self.learning_rate * (*mean / correction.0) / spread;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_learning_rate_whatever_the_gradient() {
        let mut parameters = [1.0, 1.0, 1.0];
        Adam::new(3, 0.01).step(&mut parameters, &[1e-3, -50.0, 0.0]);
        for (parameter, expected) in parameters.iter().zip([0.99, 1.01, 1.0]) {
            assert!((parameter - expected).abs() < 1e-6, "{parameters:?}");
        }
    }

    #[test]
    fn a_bowl_is_descended_to_its_bottom() {
        let mut at = [3.0, -2.0];
        let mut adam = Adam::new(2, 0.05);
        for _ in 0..2000 {
            let gradient = [2.0 * (at[0] - 1.0), 20.0 * at[1]];
            adam.step(&mut at, &gradient);
        }
        assert!((at[0] - 1.0).abs() < 1e-3 && at[1].abs() < 1e-3, "{at:?}");
    }
}
