//! A step of learning, of the vector of a sequence and of words.

use super::lanes::Lanes;
use super::matrices::{Matrices, add, add_scaled, rows};
use super::places::{Places, TILE};
use super::reader::Learner;

/// Learns the vector of a sequence, and words with it.
pub(super) struct Moving<'a> {
    pub matrices: &'a mut Matrices,
    pub vector: &'a mut [Lanes],
    pub step: &'a mut Step,
}

impl Learner for Moving<'_> {
    #[inline(always)]
    fn learn(&mut self, places: &Places, rate: f32) {
        self.step.learn(places, self.matrices, self.vector, rate);
        self.step.apply(places, self.matrices);
    }
}

/// Learns the vector of a sequence among words that stay as they are.
pub(super) struct Fixed<'a> {
    pub matrices: &'a Matrices,
    pub vector: &'a mut [Lanes],
    pub step: &'a mut Step,
}

impl Learner for Fixed<'_> {
    #[inline(always)]
    fn learn(&mut self, places: &Places, rate: f32) {
        self.step.learn(places, self.matrices, self.vector, rate);
    }
}

/// A step of learning. At a place, the vector of the sequence and those of the words around it are averaged:
/// that is `hidden`. Its scalar product with the output of the place's own word should be large, with those
/// of random words small, so each output is pulled towards `hidden` or away from it. The other way round
/// outputs pull at `hidden`, which is `error`; by it the vector of the sequence and the words of the context
/// move. As in word2vec and gensim, it is not divided by the number of vectors that were averaged.
///
/// Deviation: gensim leaves outputs alone whose product is beyond ±6, where its table of σ ends.
#[derive(Default)]
pub(super) struct Step {
    hidden: Vec<Lanes>,
    error: Vec<Lanes>,
    /// For each target its product with `hidden`, in parts.
    parts: Vec<[f32; 4]>,
    pulls: Vec<f32>,
}

impl Step {
    /// Learns places and moves the vector of their sequence.
    #[inline(always)]
    pub fn learn(&mut self, places: &Places, matrices: &Matrices, vector: &mut [Lanes], rate: f32) {
        let groups = matrices.groups;
        self.hidden.resize(places.len() * groups, Lanes::ZERO);
        self.error.resize(places.len() * groups, Lanes::ZERO);
        self.parts.resize(places.targets(), [0.0; 4]);
        self.pulls.resize(places.targets(), 0.0);
        let vector = &mut vector[..groups];

        let (tiles, _) = self.parts.as_chunks_mut();
        let tiles = tiles.chunks_exact_mut(places.tiles_each());
        let hidden = self.hidden.chunks_exact_mut(groups);
        for ((place, hidden), tiles) in places.iter().zip(hidden).zip(tiles) {
            average(vector, place.context, matrices, hidden);
            for (targets, parts) in place.targets.iter().zip(tiles) {
                multiply(hidden, rows(&matrices.outputs, targets, groups), parts);
            }
        }

        for (product, parts) in self.pulls.iter_mut().zip(&self.parts) {
            *product = (parts[0] + parts[2]) + (parts[1] + parts[3]);
        }
        places.pull(&mut self.pulls, rate);

        let (tiles, _) = self.pulls.as_chunks();
        let tiles = tiles.chunks_exact(places.tiles_each());
        let error = self.error.chunks_exact_mut(groups);
        for ((place, error), tiles) in places.iter().zip(error).zip(tiles) {
            error.fill(Lanes::ZERO);
            for (targets, pulls) in place.targets.iter().zip(tiles) {
                add_scaled(error, rows(&matrices.outputs, targets, groups), pulls);
            }
            add(vector, error);
        }
    }

    /// Moves the words by what was learned.
    #[inline(always)]
    pub fn apply(&self, places: &Places, matrices: &mut Matrices) {
        let groups = matrices.groups;
        let row = |number: u32| number as usize * groups..(number as usize + 1) * groups;
        let hidden = self.hidden.chunks_exact(groups);
        let error = self.error.chunks_exact(groups);
        let pulls = self.pulls.chunks_exact(places.tiles_each() * TILE);
        for (((place, hidden), error), pulls) in places.iter().zip(hidden).zip(error).zip(pulls) {
            for (&target, &pull) in place.targets.as_flattened().iter().zip(pulls) {
                for (output, hidden) in matrices.outputs[row(target)].iter_mut().zip(hidden) {
                    *output = output.plus(&hidden.scaled(pull));
                }
            }
            for words in place.context {
                for &word in words {
                    add(&mut matrices.words[row(word)], error);
                }
            }
        }
    }
}

/// The mean of the vector of the sequence and those of the words.
#[inline(always)]
fn average(vector: &[Lanes], context: [&[u32]; 2], matrices: &Matrices, hidden: &mut [Lanes]) {
    let groups = vector.len();
    let hidden = &mut hidden[..groups];
    hidden.iter_mut().zip(vector).for_each(|(hidden, vector)| *hidden = *vector);
    for words in context {
        for &word in words {
            add(hidden, &matrices.words[word as usize * groups..][..groups]);
        }
    }
    let share = 1.0 / (context[0].len() + context[1].len() + 1) as f32;
    hidden.iter_mut().for_each(|hidden| *hidden = hidden.scaled(share));
}

/// The scalar products of `one` with the rows, each in four parts.
#[inline(always)]
fn multiply(one: &[Lanes], rows: [&[Lanes]; TILE], parts: &mut [[f32; 4]; TILE]) {
    let one = &one[..rows[0].len()];
    let mut sums = [Lanes::ZERO; TILE];
    for (group, one) in one.iter().enumerate() {
        for (sum, row) in sums.iter_mut().zip(rows) {
            *sum = sum.plus(&one.times(&row[group]));
        }
    }
    parts.iter_mut().zip(sums).for_each(|(parts, sum)| *parts = sum.folded());
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    /// Learns one place with its own word, the words around it and random words.
    fn step(
        [word, context, others]: [&[u32]; 3],
        matrices: &mut Matrices,
        vector: &mut [Lanes],
        rate: f32,
    ) {
        let places = Places::one(word[0], context, others);
        Moving { matrices, vector, step: &mut Step::default() }.learn(&places, rate);
    }

    /// All that a step moves: the vector of the sequence, words, outputs.
    type State = [Vec<[f64; 3]>; 3];
    const SEQUENCE: usize = 0;
    const WORDS: usize = 1;
    const OUTPUTS: usize = 2;

    /// The loss at a place whose own word is 1, between the words 2, 0 and 2, to be told from 3 and 4.
    fn loss(state: &State) -> f64 {
        let mut hidden = state[SEQUENCE][0];
        for word in [2, 0, 2] {
            (0..3).for_each(|at| hidden[at] += state[WORDS][word][at]);
        }
        let product = |word: usize| -> f64 {
            state[OUTPUTS][word].iter().zip(hidden).map(|(a, b)| a * b / 4.0).sum()
        };
        let loss = |x: f64| (1.0 + (-x).exp()).ln();
        loss(product(1)) + loss(-product(3)) + loss(-product(4))
    }

    #[test]
    fn a_step_goes_down_the_gradient_of_the_loss() {
        let mut random = Seed(1).stream("state", 0);
        let mut rows = |count: usize| -> Vec<[f64; 3]> {
            let mut number = || f64::from((2.0 * random.unit() - 1.0) as f32);
            (0..count).map(|_| [number(), number(), number()]).collect()
        };
        let state = [rows(1), rows(5), rows(5)];
        let lanes = |rows: &Vec<[f64; 3]>| -> Vec<Lanes> {
            rows.iter()
                .map(|row| {
                    let mut lanes = Lanes::ZERO;
                    lanes.0.iter_mut().zip(row).for_each(|(lane, number)| *lane = *number as f32);
                    lanes
                })
                .collect()
        };
        let (words, outputs) = (lanes(&state[WORDS]), lanes(&state[OUTPUTS]));
        let mut matrices = Matrices { words, outputs, groups: 1 };
        let mut vector = lanes(&state[SEQUENCE]);
        let rate = 0.01;
        // The own word is among the random ones too, where it does not count.
        step([&[1], &[2, 0, 2], &[3, 1, 4]], &mut matrices, &mut vector, rate);

        for (kind, after) in [vector, matrices.words, matrices.outputs].iter().enumerate() {
            for row in 0..state[kind].len() {
                for at in 0..3 {
                    let moved = f64::from(after[row].0[at]) - state[kind][row][at];
                    let loss_at = |by: f64| {
                        let mut state = state.clone();
                        state[kind][row][at] += by;
                        loss(&state)
                    };
                    let slope = (loss_at(1e-4) - loss_at(-1e-4)) / 2e-4;
                    // The mean of four vectors: each moves as far as the mean should.
                    let averaged = if kind == OUTPUTS { 1.0 } else { 4.0 };
                    let expected = -f64::from(rate) * averaged * slope;
                    assert!(
                        (moved - expected).abs() < 1e-6,
                        "{kind} {row} {at}: {moved} {expected}"
                    );
                }
                assert!(after[row].0[3..].iter().all(|&number| number == 0.0));
            }
        }
    }

    #[test]
    fn more_random_words_than_a_tile_has_all_count() {
        let words = vec![Lanes([0.5; 16]); 10];
        let mut matrices = Matrices { outputs: words.clone(), words, groups: 1 };
        let others: Vec<u32> = (0..8).collect();
        step([&[9], &[], &others], &mut matrices, &mut [Lanes([0.1; 16])], 0.1);
        assert!((0..8).all(|word| matrices.outputs[word] == matrices.outputs[0]));
        assert!(matrices.outputs[0].0[0] < 0.5 && matrices.outputs[9].0[0] > 0.5);
        assert_eq!(matrices.outputs[8].0[0], 0.5);
    }
}
