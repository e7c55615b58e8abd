//! How suspicious an element of the compiler is, by how many failing and passing runs execute it.
//!
//! The eight formulas of DiWi 5.4 and Barinel's. With one failing run and only what it executes (the
//! papers' setting), all of them order elements by how few passing runs execute them.

/// In how many runs an element was executed, and in how many not.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Failing runs that execute it.
    pub ef: f64,
    /// Failing runs that do not.
    pub nf: f64,
    /// Passing runs that execute it.
    pub ep: f64,
    /// Passing runs that do not.
    pub np: f64,
}

/// A formula of spectrum-based fault localisation.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// Its name, as on the command line.
    pub name: &'static str,
    /// The score; not a number where the formula divides 0 by 0.
    raw: fn(Tally) -> f64,
}

impl Formula {
    /// The score of an element; higher is more suspicious. Where the formula divides 0 by 0 the element
    /// was not executed by what counts, and the score is 0.
    ///
    /// ```
    /// # use isolate::{Formula, Tally};
    /// // One failing run executes it, and 3 of 10 passing ones: 1 / sqrt(1 * (1 + 3)).
    /// let tally = Tally { ef: 1.0, nf: 0.0, ep: 3.0, np: 7.0 };
    /// assert_eq!(Formula::OCHIAI.score(tally), 0.5);
    /// assert_eq!(Formula::named("jaccard").unwrap().score(tally), 0.25);
    /// ```
    #[must_use]
    pub fn score(&self, tally: Tally) -> f64 {
        let score = (self.raw)(tally);
        if score.is_nan() { 0.0 } else { score }
    }

    /// The formula of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Formula> {
        ALL.iter().find(|formula| formula.name == name)
    }

    /// All names.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|formula| formula.name)
    }

    /// The papers' choice.
    pub const OCHIAI: Formula =
        Formula { name: "ochiai", raw: |t| t.ef / ((t.ef + t.nf) * (t.ef + t.ep)).sqrt() };
}

/// Definitions as in Xie, Chen, Kuo and Xu, "A theoretical analysis of the risk evaluation formulas for
/// spectrum-based fault localization", TOSEM 22(4), 2013; DStar by Wong et al., 2014; Barinel by Abreu
/// et al., 2009.
const ALL: [Formula; 9] = [
    Formula::OCHIAI,
    Formula { name: "sbi", raw: |t| t.ef / (t.ef + t.ep) },
    Formula {
        name: "tarantula",
        raw: |t| {
            let (failing, passing) = (t.ef / (t.ef + t.nf), share(t.ep, t.np));
            failing / (failing + passing)
        },
    },
    Formula { name: "jaccard", raw: |t| t.ef / (t.ef + t.nf + t.ep) },
    Formula {
        name: "ochiai2",
        raw: |t| {
            let product = (t.ef + t.ep) * (t.np + t.nf) * (t.ef + t.nf) * (t.ep + t.np);
            t.ef * t.np / product.sqrt()
        },
    },
    Formula { name: "kulczynski2", raw: |t| (t.ef / (t.ef + t.nf) + t.ef / (t.ef + t.ep)) / 2.0 },
    Formula { name: "op2", raw: |t| t.ef - t.ep / (t.ep + t.np + 1.0) },
    // Where nothing speaks against an element it is infinitely suspicious; a large number keeps the
    // mean over a file meaningful.
    Formula {
        name: "dstar2",
        raw: |t| match t.ep + t.nf {
            0.0 => t.ef * t.ef * 1e3,
            against => t.ef * t.ef / against,
        },
    },
    Formula { name: "barinel", raw: |t| 1.0 - t.ep / (t.ep + t.ef) },
];

/// The share of runs that execute an element; without runs none does.
fn share(executed: f64, not: f64) -> f64 {
    if executed + not == 0.0 { 0.0 } else { executed / (executed + not) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, tally: [f64; 4], expected: f64) {
        let [ef, nf, ep, np] = tally;
        let formula = Formula::named(name).unwrap();
        let score = formula.score(Tally { ef, nf, ep, np });
        assert!((score - expected).abs() < 1e-12, "{name}: {score} instead of {expected}");
    }

    #[test]
    fn formulas_give_what_is_computed_by_hand() {
        // 2 of 4 failing runs and 3 of 8 passing runs execute it.
        let tally = [2.0, 2.0, 3.0, 5.0];
        check("ochiai", tally, 2.0 / 20.0_f64.sqrt());
        check("sbi", tally, 0.4);
        check("tarantula", tally, 0.5 / 0.875);
        check("jaccard", tally, 2.0 / 7.0);
        check("ochiai2", tally, 10.0 / (5.0 * 7.0 * 4.0 * 8.0_f64).sqrt());
        check("kulczynski2", tally, 0.45);
        check("op2", tally, 2.0 - 3.0 / 9.0);
        check("dstar2", tally, 0.8);
        check("barinel", tally, 0.4);
    }

    #[test]
    fn with_one_failing_run_all_formulas_order_alike() {
        for formula in &ALL {
            let scores: Vec<f64> = (0..=10)
                .map(|ep| Tally { ef: 1.0, nf: 0.0, ep: f64::from(ep), np: f64::from(10 - ep) })
                .map(|tally| formula.score(tally))
                .collect();
            assert!(scores.is_sorted_by(|a, b| a >= b), "{}: {scores:?}", formula.name);
            assert!(scores[0] > scores[10], "{}", formula.name);
        }
    }

    #[test]
    fn no_witnesses_at_all_is_no_division_by_zero() {
        for formula in &ALL {
            let score = formula.score(Tally { ef: 1.0, ..Tally::default() });
            assert!(score.is_finite(), "{}: {score}", formula.name);
        }
    }
}
