//! What hunts say together: CTOS's Tables 2 and 5, and its Figure 7.

use super::run::HuntRun;
use crate::statistics::{a12, mann_whitney};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the hunts of a variant found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HuntRow {
    /// How they chose.
    pub variant: String,
    /// How many hunts.
    pub hunts: usize,
    /// Mean number of programs.
    pub programs: f64,
    /// Mean number of findings.
    pub findings: f64,
    /// Mean number of edges of the compiler that were executed, if that was counted.
    pub edges: Option<f64>,
    /// Bugs by kind, and of all kinds as `all`.
    pub bugs: BTreeMap<String, Spread>,
}

/// A number of several hunts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

/// Two variants by the bugs of each of their hunts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HuntComparison {
    /// One.
    pub one: String,
    /// The other.
    pub other: String,
    /// The Mann-Whitney test.
    pub mann_whitney_p: f64,
    /// How likely the first finds more; 0.5 is no difference.
    pub a12: f64,
}

/// A pass and how often.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PassCount {
    /// The pass.
    pub pass: String,
    /// How often.
    pub count: usize,
}

/// All together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HuntSummary {
    /// The variants (Table 2).
    pub variants: Vec<HuntRow>,
    /// Each pair of them.
    pub comparisons: Vec<HuntComparison>,
    /// The last passes of the shortest sequences: where bugs show (Table 5).
    pub last: Vec<PassCount>,
    /// All passes of the shortest sequences (Figure 7).
    pub used: Vec<PassCount>,
}

fn spread(numbers: &[u64]) -> Spread {
    Spread {
        mean: numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64,
        least: numbers.iter().copied().min().unwrap_or_default(),
        most: numbers.iter().copied().max().unwrap_or_default(),
    }
}

/// The most frequent first.
fn counted<'a>(passes: impl Iterator<Item = &'a String>) -> Vec<PassCount> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    passes.for_each(|pass| *counts.entry(pass).or_default() += 1);
    let mut all: Vec<PassCount> =
        counts.into_iter().map(|(pass, count)| PassCount { pass: pass.clone(), count }).collect();
    all.sort_by(|one, other| other.count.cmp(&one.count).then(one.pass.cmp(&other.pass)));
    all
}

/// What the hunts say together.
#[must_use]
pub fn summarise_hunts(runs: &[HuntRun]) -> HuntSummary {
    let mut names: Vec<&str> = Vec::new();
    for run in runs {
        if !names.contains(&run.variant.as_str()) {
            names.push(&run.variant);
        }
    }
    let of = |name: &str| runs.iter().filter(|run| run.variant == name).collect::<Vec<_>>();
    let kinds: BTreeSet<&String> = runs.iter().flat_map(|run| run.bugs.keys()).collect();
    let row = |name: &&str| {
        let own = of(name);
        let mean = |number: fn(&HuntRun) -> u64| {
            own.iter().map(|run| number(run)).sum::<u64>() as f64 / own.len() as f64
        };
        let of_kind = |kind: &str| -> Vec<u64> {
            own.iter().map(|run| run.bugs.get(kind).copied().unwrap_or_default()).collect()
        };
        let all: Vec<u64> = own.iter().map(|run| run.total()).collect();
        let mut bugs: BTreeMap<String, Spread> =
            kinds.iter().map(|kind| ((*kind).clone(), spread(&of_kind(kind)))).collect();
        bugs.insert("all".to_owned(), spread(&all));
        HuntRow {
            variant: (*name).to_owned(),
            hunts: own.len(),
            programs: mean(|run| run.programs),
            findings: mean(|run| run.findings),
            edges: own
                .iter()
                .map(|run| run.edges)
                .sum::<Option<usize>>()
                .map(|sum| sum as f64 / own.len() as f64),
            bugs,
        }
    };
    let totals = |name: &str| of(name).iter().map(|run| run.total() as f64).collect::<Vec<f64>>();
    let mut comparisons = Vec::new();
    for (at, one) in names.iter().enumerate() {
        for other in &names[at + 1..] {
            let (first, second) = (totals(one), totals(other));
            comparisons.push(HuntComparison {
                one: (*one).to_owned(),
                other: (*other).to_owned(),
                mann_whitney_p: mann_whitney(&first, &second).p,
                a12: a12(&first, &second).unwrap_or(f64::NAN),
            });
        }
    }
    let sequences = || runs.iter().flat_map(|run| &run.sequences);
    HuntSummary {
        variants: names.iter().map(row).collect(),
        comparisons,
        last: counted(sequences().filter_map(|sequence| sequence.last())),
        used: counted(sequences().flatten()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(variant: &str, seed: u64, crashes: u64, wrong: u64, sequence: &[&str]) -> HuntRun {
        HuntRun {
            variant: variant.to_owned(),
            seed,
            programs: 10 * seed,
            findings: crashes + wrong,
            edges: Some(100 * seed as usize),
            bugs: BTreeMap::from([("crash".to_owned(), crashes), ("wrong-code".to_owned(), wrong)]),
            sequences: vec![sequence.iter().map(|&pass| pass.to_owned()).collect()],
        }
    }

    #[test]
    fn hunts_are_counted_by_variant_and_kind() {
        let runs = [
            run("ss+sp", 1, 4, 1, &["gvn", "licm"]),
            run("rs+rp", 1, 1, 0, &["sroa", "licm"]),
            run("ss+sp", 2, 2, 1, &["licm"]),
            run("rs+rp", 2, 0, 0, &["licm", "gvn"]),
        ];
        let summary = summarise_hunts(&runs);
        let first = &summary.variants[0];
        assert_eq!((first.variant.as_str(), first.hunts, first.programs), ("ss+sp", 2, 15.0));
        assert_eq!(first.edges, Some(150.0));
        assert_eq!(first.bugs["crash"], Spread { mean: 3.0, least: 2, most: 4 });
        assert_eq!(first.bugs["all"], Spread { mean: 4.0, least: 3, most: 5 });
        let comparison = &summary.comparisons[0];
        assert_eq!(comparison.a12, 1.0);
        // U is 0 or 4 in 2 of the 6 orders of two and two values.
        assert!((comparison.mann_whitney_p - 2.0 / 6.0).abs() < 1e-9);
        let count = |pass: &str, count| PassCount { pass: pass.to_owned(), count };
        assert_eq!(summary.last, [count("licm", 3), count("gvn", 1)]);
        assert_eq!(summary.used, [count("licm", 4), count("gvn", 2), count("sroa", 1)]);
    }
}
