//! How good a set of witnesses is (RecBi, section 3.2.1, formulas 1 to 5).

/// The quality of a set, in running sums: what a new witness adds needs only its own distances.
///
/// Q = n (α div + (1−α) sim), where sim is the mean similarity to the failing program (formula 1) and
/// div the mean distance between two witnesses (formula 2), 0 for a single one.
///
/// ```
/// let mut quality = search::Quality::new(0.8);
/// // The first: div = 0, sim = 0.9, Q = 1 · 0.2 · 0.9.
/// assert!((quality.gain(0.9, &[]) - 0.18).abs() < 1e-12);
/// quality.accept(0.9, &[]);
/// // The second: div = 0.5, sim = 0.8, Q = 2 · (0.8 · 0.5 + 0.2 · 0.8) = 1.12.
/// assert!((quality.gain(0.7, &[0.5]) - (1.12 - 0.18)).abs() < 1e-12);
/// quality.accept(0.7, &[0.5]);
/// // Almost the same as both: div falls to 0.2, sim is 0.8, Q = 3 · (0.8 · 0.2 + 0.2 · 0.8) = 0.96.
/// assert!((quality.gain(0.8, &[0.05, 0.05]) - (0.96 - 1.12)).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Quality {
    alpha: f64,
    witnesses: usize,
    similarities: f64,
    /// Over all pairs.
    distances: f64,
}

impl Default for Quality {
    /// With RecBi's α of 0.8 (section 4.2).
    fn default() -> Quality {
        Quality::new(0.8)
    }
}

impl Quality {
    /// An empty set; `alpha` is the weight of diversity, the rest is that of similarity.
    ///
    /// # Panics
    ///
    /// If `alpha` is not between 0 and 1.
    #[must_use]
    pub fn new(alpha: f64) -> Quality {
        assert!((0.0..=1.0).contains(&alpha), "a weight is between 0 and 1, not {alpha}");
        Quality { alpha, witnesses: 0, similarities: 0.0, distances: 0.0 }
    }

    /// ΔQ of formula 5: what a witness would add that is as similar to the failing program as
    /// `similarity`, and has these `distances` to the witnesses of the set, each once.
    ///
    /// # Panics
    ///
    /// If there are not as many distances as witnesses.
    #[must_use]
    pub fn gain(&self, similarity: f64, distances: &[f64]) -> f64 {
        self.with(similarity, distances).value() - self.value()
    }

    /// Takes the witness into the set.
    ///
    /// # Panics
    ///
    /// If there are not as many distances as witnesses.
    pub fn accept(&mut self, similarity: f64, distances: &[f64]) {
        *self = self.with(similarity, distances);
    }

    /// Q of formula 4; 0 for the empty set.
    #[must_use]
    pub fn value(&self) -> f64 {
        let n = self.witnesses as f64;
        n * (self.alpha * self.diversity() + (1.0 - self.alpha) * self.similarity())
    }

    /// sim of formula 1; 0 for the empty set.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        if self.witnesses == 0 { 0.0 } else { self.similarities / self.witnesses as f64 }
    }

    /// div of formula 2; 0 for fewer than two witnesses, which have no distance. (The paper leaves
    /// that open; its code has 0.)
    #[must_use]
    pub fn diversity(&self) -> f64 {
        if self.witnesses < 2 {
            return 0.0;
        }
        let n = self.witnesses as f64;
        self.distances / (n * (n - 1.0) / 2.0)
    }

    /// How many witnesses were accepted.
    #[must_use]
    pub fn witnesses(&self) -> usize {
        self.witnesses
    }

    fn with(&self, similarity: f64, distances: &[f64]) -> Quality {
        assert_eq!(distances.len(), self.witnesses, "each witness has one distance to the new one");
        Quality {
            alpha: self.alpha,
            witnesses: self.witnesses + 1,
            similarities: self.similarities + similarity,
            distances: self.distances + distances.iter().sum::<f64>(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    /// Formulas 1 to 5 as they are printed, over all pairs.
    fn printed(alpha: f64, similarities: &[f64], distances: &[Vec<f64>]) -> (f64, f64) {
        let state = |n: usize| {
            let pairs: f64 = distances[..n].iter().flatten().sum();
            let div = if n < 2 { 0.0 } else { pairs / (n * (n - 1)) as f64 * 2.0 };
            let sim = if n == 0 { 0.0 } else { similarities[..n].iter().sum::<f64>() / n as f64 };
            (div, sim)
        };
        let n = similarities.len();
        let ((div, sim), (div_before, sim_before)) = (state(n), state(n - 1));
        let mix = |div: f64, sim: f64| alpha * div + (1.0 - alpha) * sim;
        (
            n as f64 * mix(div, sim),
            (n - 1) as f64 * mix(div - div_before, sim - sim_before) + mix(div, sim),
        )
    }

    #[test]
    fn running_sums_are_the_printed_formulas() {
        let mut random = Seed(5).stream("quality", 0);
        for alpha in [0.0, 0.2, 0.8, 1.0] {
            let mut quality = Quality::new(alpha);
            let (mut similarities, mut distances) = (Vec::new(), Vec::new());
            for n in 0..30 {
                similarities.push(random.unit());
                distances.push((0..n).map(|_| random.unit()).collect::<Vec<f64>>());
                let gain = quality.gain(similarities[n], &distances[n]);
                quality.accept(similarities[n], &distances[n]);
                let (value, delta) = printed(alpha, &similarities, &distances);
                assert!((quality.value() - value).abs() < 1e-9);
                assert!((gain - delta).abs() < 1e-9, "{gain} is not {delta} for {n}");
            }
        }
    }

    #[test]
    fn a_copy_of_all_the_others_makes_a_diverse_set_worse() {
        let mut quality = Quality::default();
        quality.accept(0.5, &[]);
        quality.accept(0.5, &[0.9]);
        assert!(quality.gain(0.5, &[0.0, 0.0]) < 0.0);
        assert_eq!(quality.witnesses(), 2, "asking for the gain takes nothing in");
    }
}
