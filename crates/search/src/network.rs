//! A neural network with one hidden layer, and its gradient.
//!
//! Own code instead of a library: two matrices are 100 lines, and the smallest library that trains
//! networks brings 128 crates with it.

use base::Random;
use std::f64::consts::TAU;

/// input → linear → ReLU → linear → output. All parameters stand in one list, so that an optimiser
/// need not know what they are: the rows of the first matrix, its biases, the rows of the second,
/// its biases.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    inputs: usize,
    hidden: usize,
    outputs: usize,
    pub parameters: Vec<f64>,
}

/// What the layers said to an input.
pub(crate) struct Activation {
    hidden: Vec<f64>,
    pub output: Vec<f64>,
}

impl Network {
    /// Weights from the normal distribution with mean 0 and standard deviation 0.1, biases 0 (both
    /// from RecBi's released code; the paper has no word on them).
    pub fn new(inputs: usize, hidden: usize, outputs: usize, random: &mut Random) -> Network {
        let mut weights = |count: usize| -> Vec<f64> {
            (0..count).map(|_| 0.1 * standard_normal(random)).collect()
        };
        let mut parameters = weights(hidden * inputs);
        parameters.extend(vec![0.0; hidden]);
        parameters.extend(weights(outputs * hidden));
        parameters.extend(vec![0.0; outputs]);
        Network { inputs, hidden, outputs, parameters }
    }

    pub fn forward(&self, input: &[f64]) -> Activation {
        let (first, second) = self.parameters.split_at(self.second_layer());
        let mut hidden = linear(first, input, self.hidden);
        hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        let output = linear(second, &hidden, self.outputs);
        Activation { hidden, output }
    }

    /// Adds to `gradient` how a loss changes with each parameter, when `by_output` is how it changes
    /// with each output that `input` had.
    pub fn add_gradient(
        &self,
        input: &[f64],
        activation: &Activation,
        by_output: &[f64],
        gradient: &mut [f64],
    ) {
        let (first, second) = gradient.split_at_mut(self.second_layer());
        add_linear_gradient(second, &activation.hidden, by_output);
        let weights = &self.parameters[self.second_layer()..];
        let by_hidden: Vec<f64> = (0..self.hidden)
            .map(|unit| {
                // Where ReLU cuts off, nothing gets through; at 0 itself its slope is taken as 0.
                if activation.hidden[unit] <= 0.0 {
                    return 0.0;
                }
                by_output
                    .iter()
                    .enumerate()
                    .map(|(o, by)| by * weights[o * self.hidden + unit])
                    .sum()
            })
            .collect();
        add_linear_gradient(first, input, &by_hidden);
    }

    /// Where the parameters of the second layer begin.
    fn second_layer(&self) -> usize {
        self.hidden * (self.inputs + 1)
    }
}

/// Rows of weights, then a bias for each row.
fn linear(parameters: &[f64], input: &[f64], outputs: usize) -> Vec<f64> {
    let (weights, biases) = parameters.split_at(outputs * input.len());
    weights
        .chunks_exact(input.len())
        .zip(biases)
        .map(|(row, bias)| bias + row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>())
        .collect()
}

fn add_linear_gradient(gradient: &mut [f64], input: &[f64], by_output: &[f64]) {
    let (weights, biases) = gradient.split_at_mut(by_output.len() * input.len());
    for ((row, bias), by) in weights.chunks_exact_mut(input.len()).zip(biases).zip(by_output) {
        row.iter_mut().zip(input).for_each(|(w, x)| *w += by * x);
        *bias += by;
    }
}

/// Box and Muller, "A note on the generation of random normal deviates", 1958.
fn standard_normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (TAU * random.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn a_small_network_says_what_one_computes_by_hand() {
        let parameters = vec![1.0, 2.0, -1.0, 0.0, 0.5, -1.0, 3.0, 4.0, 0.25];
        let network = Network { inputs: 2, hidden: 2, outputs: 1, parameters };
        // Hidden: 1·1 + 2·2 + 0.5 = 5.5, and -1·1 + 0·2 - 1 = -2, which ReLU cuts off.
        assert_eq!(network.forward(&[1.0, 2.0]).output, [3.0 * 5.5 + 0.25]);
    }

    #[test]
    fn weights_are_normal_with_a_deviation_of_a_tenth_and_biases_are_zero() {
        let network = Network::new(50, 40, 1, &mut Seed(1).stream("weights", 0));
        let weights = &network.parameters[..2000];
        let mean = weights.iter().sum::<f64>() / 2000.0;
        let variance = weights.iter().map(|w| w * w).sum::<f64>() / 2000.0;
        assert!(mean.abs() < 0.01 && (variance.sqrt() - 0.1).abs() < 0.005, "{mean} {variance}");
        assert!(network.parameters[2000..2040].iter().all(|bias| *bias == 0.0));
        assert_eq!(network.parameters.last(), Some(&0.0));
    }
}
