//! What runs say together: the papers' measures, and tests of differences.

use super::run::IsolationRun;
use crate::statistics::{a12, mann_whitney, pearson, summary, wilcoxon};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A method over some bugs. A bug with several seeds counts by the median of its ranks, as the papers do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MethodRow {
    /// The method, with its parameters.
    pub name: String,
    /// The bugs: `all`, a kind, a language, `… by report` where bugs of one report count once, by the median of
    /// their ranks, `high confidence`.
    pub kind: String,
    /// How many bugs.
    pub bugs: usize,
    /// Of these, bugs without an answer. They are in no mean, and in no Top-N.
    pub failed: usize,
    /// Bugs with a guilty file at rank 1.
    pub top1: usize,
    /// Within the first 5.
    pub top5: usize,
    /// Within the first 10.
    pub top10: usize,
    /// Within the first 20.
    pub top20: usize,
    /// Mean over seeds of how many are within the first 1, 5, 10, 20.
    pub top_mean: [f64; 4],
    /// Mean first rank.
    pub mfr: f64,
    /// Mean average rank.
    pub mar: f64,
    /// Median first rank.
    pub median: f64,
    /// Mean number of witnesses.
    pub witnesses: f64,
    /// Evaluations a second.
    pub rate: f64,
    /// Mean similarity.
    pub similarity: f64,
    /// Mean distance of pairs.
    pub diversity_pairs: f64,
    /// Mean distance to the nearest.
    pub diversity_nearest: f64,
}

/// Two methods on the same bugs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonRow {
    /// One.
    pub one: String,
    /// The other.
    pub other: String,
    /// Bugs that both have an answer for.
    pub bugs: usize,
    /// Where the first is ahead, and where behind.
    pub ahead: usize,
    /// Where it is behind.
    pub behind: usize,
    /// Wilcoxon's signed-rank test on first ranks, two-sided.
    pub wilcoxon_p: f64,
    /// The Mann-Whitney test.
    pub mann_whitney_p: f64,
    /// How likely the second has the larger (worse) rank; 0.5 is no difference.
    pub a12: f64,
}

/// How a property of witnesses goes with the first rank, over all runs of a method.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CorrelationRow {
    /// The method.
    pub method: String,
    /// The property.
    pub property: &'static str,
    /// Runs.
    pub runs: usize,
    /// Pearson's coefficient.
    pub r: f64,
    /// Its p.
    pub p: f64,
}

/// All together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct IsolationSummary {
    /// Methods over all bugs, by kind, and by report.
    pub methods: Vec<MethodRow>,
    /// Each pair of methods.
    pub comparisons: Vec<ComparisonRow>,
    /// Properties of witnesses.
    pub correlations: Vec<CorrelationRow>,
    /// Witnesses by the move that made them, for each method.
    pub operators: BTreeMap<String, BTreeMap<String, u64>>,
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.into_iter().collect();
    if values.is_empty() { f64::NAN } else { values.iter().sum::<f64>() / values.len() as f64 }
}

fn median(values: &[f64]) -> Option<f64> {
    summary(values).map(|summary| summary.median)
}

/// The median over seeds of something of each bug, of those that have an answer.
fn by_bug<'a>(
    runs: &[&'a IsolationRun],
    key: impl Fn(&'a IsolationRun) -> &'a str,
    value: impl Fn(&IsolationRun) -> Option<f64>,
) -> BTreeMap<&'a str, f64> {
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for run in runs {
        values.entry(key(run)).or_default().extend(value(run));
    }
    values.into_iter().filter_map(|(bug, values)| Some((bug, median(&values)?))).collect()
}

const TOPS: [f64; 4] = [1.0, 5.0, 10.0, 20.0];

fn row(name: &str, kind: &str, runs: &[&IsolationRun], by_report: bool) -> MethodRow {
    let key = |run: &'_ IsolationRun| -> String {
        if by_report { run.report.clone() } else { run.bug.clone() }
    };
    let keys: BTreeSet<String> = runs.iter().map(|run| key(run)).collect();
    let of = |run| if by_report { report_of(run) } else { bug_of(run) };
    let first = by_bug(runs, of, IsolationRun::first_rank);
    let average = by_bug(runs, of, IsolationRun::mean_rank);
    let within = |top: f64| first.values().filter(|&&rank| rank <= top).count();
    let seeds: BTreeSet<u64> = runs.iter().map(|run| run.seed).collect();
    let top_mean = TOPS.map(|top| {
        mean(seeds.iter().map(|seed| {
            let of_seed: Vec<&IsolationRun> =
                runs.iter().copied().filter(|run| run.seed == *seed).collect();
            let ranks = by_bug(&of_seed, of, IsolationRun::first_rank);
            ranks.values().filter(|&&rank| rank <= top).count() as f64
        }))
    });
    let answered = || runs.iter().filter(|run| run.error.is_none());
    let evaluations: u64 = answered().map(|run| run.evaluations).sum();
    let seconds: f64 = answered().map(|run| run.seconds).sum();
    let ranks: Vec<f64> = first.values().copied().collect();
    MethodRow {
        name: name.to_owned(),
        kind: kind.to_owned(),
        bugs: keys.len(),
        failed: keys.len() - first.len(),
        top1: within(1.0),
        top5: within(5.0),
        top10: within(10.0),
        top20: within(20.0),
        top_mean,
        mfr: mean(ranks.iter().copied()),
        mar: mean(average.values().copied()),
        median: median(&ranks).unwrap_or(f64::NAN),
        witnesses: mean(answered().map(|run| run.witnesses as f64)),
        rate: evaluations as f64 / seconds,
        similarity: mean(answered().filter_map(|run| run.similarity)),
        diversity_pairs: mean(answered().filter_map(|run| run.diversity_pairs)),
        diversity_nearest: mean(answered().filter_map(|run| run.diversity_nearest)),
    }
}

fn bug_of(run: &IsolationRun) -> &str {
    &run.bug
}

fn report_of(run: &IsolationRun) -> &str {
    &run.report
}

fn compare(one: &str, other: &str, runs: &[IsolationRun]) -> ComparisonRow {
    let ranks = |method: &str| {
        let of: Vec<&IsolationRun> = runs.iter().filter(|run| run.method == method).collect();
        let ranks = by_bug(&of, bug_of, IsolationRun::first_rank);
        ranks.into_iter().map(|(bug, rank)| (bug.to_owned(), rank)).collect::<BTreeMap<_, _>>()
    };
    let (first, second) = (ranks(one), ranks(other));
    let pairs: Vec<(f64, f64)> =
        first.iter().filter_map(|(bug, &rank)| Some((rank, *second.get(bug)?))).collect();
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let count = |ahead: fn(f64, f64) -> bool| pairs.iter().filter(|(a, b)| ahead(*a, *b)).count();
    ComparisonRow {
        one: one.to_owned(),
        other: other.to_owned(),
        bugs: pairs.len(),
        ahead: count(|a, b| a < b),
        behind: count(|a, b| a > b),
        wilcoxon_p: wilcoxon(&first, &second).p,
        mann_whitney_p: mann_whitney(&first, &second).p,
        a12: a12(&second, &first).unwrap_or(f64::NAN),
    }
}

type Property = (&'static str, fn(&IsolationRun) -> Option<f64>);

const PROPERTIES: [Property; 4] = [
    ("similarity", |run| run.similarity),
    ("diversity of pairs", |run| run.diversity_pairs),
    ("diversity to the nearest", |run| run.diversity_nearest),
    ("witnesses", |run| Some(run.witnesses as f64)),
];

/// The papers' measures of some runs.
#[must_use]
pub fn summarise(runs: &[IsolationRun]) -> IsolationSummary {
    let mut names: Vec<&str> = Vec::new();
    for run in runs {
        if !names.contains(&run.method.as_str()) {
            names.push(&run.method);
        }
    }
    let kinds: BTreeSet<&str> = runs.iter().map(|run| run.kind.as_str()).collect();
    let mut methods = Vec::new();
    let mut select = |kind: &str, by_report: bool, is_in: &dyn Fn(&IsolationRun) -> bool| {
        for name in &names {
            let own: Vec<&IsolationRun> =
                runs.iter().filter(|run| run.method == *name && is_in(run)).collect();
            if !own.is_empty() {
                methods.push(row(name, kind, &own, by_report));
            }
        }
    };
    select("all", false, &|_| true);
    select("all by report", true, &|_| true);
    if kinds.len() > 1 {
        for kind in &kinds {
            select(kind, false, &|run| run.kind == *kind);
            select(&format!("{kind} by report"), true, &|run| run.kind == *kind);
        }
    }
    let languages: BTreeSet<&str> = runs.iter().map(|run| run.language.as_str()).collect();
    if languages.len() > 1 {
        for language in &languages {
            select(language, false, &|run| run.language == *language);
        }
    }
    if runs.iter().any(|run| !run.confidence.is_empty()) {
        select("high confidence", false, &|run| run.confidence == "high");
    }
    let mut comparisons = Vec::new();
    for (at, one) in names.iter().enumerate() {
        comparisons.extend(names[at + 1..].iter().map(|other| compare(one, other, runs)));
    }
    let mut correlations = Vec::new();
    let mut operators: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for name in &names {
        let own: Vec<&IsolationRun> = runs.iter().filter(|run| run.method == *name).collect();
        for (property, value) in PROPERTIES {
            let pairs = own.iter().filter_map(|run| Some((value(run)?, run.first_rank()?)));
            let (values, ranks): (Vec<f64>, Vec<f64>) = pairs.unzip();
            if let Some(found) = pearson(&values, &ranks) {
                let (runs, r, p) = (found.n, found.r, found.p);
                let method = (*name).to_owned();
                correlations.push(CorrelationRow { method, property, runs, r, p });
            }
        }
        let counts = operators.entry((*name).to_owned()).or_default();
        for (by, count) in own.iter().flat_map(|run| &run.by) {
            *counts.entry(by.clone()).or_default() += count;
        }
    }
    IsolationSummary { methods, comparisons, correlations, operators }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bug: &str, method: &str, seed: u64, ranks: &[usize]) -> IsolationRun {
        IsolationRun {
            bug: bug.to_owned(),
            kind: "crash".to_owned(),
            language: if bug.ends_with('1') { "c" } else { "ir" }.to_owned(),
            report: bug[..1].to_owned(),
            confidence: String::new(),
            method: method.to_owned(),
            seed,
            terms: String::new(),
            ranks: ranks.to_vec(),
            files: 100,
            error: ranks.is_empty().then(|| "no".to_owned()),
            evaluations: 10,
            witnesses: 2,
            failing: 0,
            dropped: BTreeMap::new(),
            by: BTreeMap::from([("rule".to_owned(), 2)]),
            similarity: Some(0.9),
            diversity_pairs: None,
            diversity_nearest: None,
            seconds: 2.0,
            ended: "budget".to_owned(),
        }
    }

    #[test]
    fn measures_are_the_papers() {
        let runs = [
            run("a1", "m", 1, &[1, 9]),
            run("a1", "m", 2, &[5, 7]),
            run("a1", "m", 3, &[30, 40]),
            run("a2", "m", 1, &[11]),
            run("b1", "m", 1, &[]),
        ];
        let summary = summarise(&runs);
        let all = &summary.methods[0];
        assert_eq!((all.bugs, all.failed), (3, 1));
        // The median of 1, 5 and 30 is 5; the other bug has 11.
        assert_eq!((all.top1, all.top5, all.top10, all.top20), (0, 1, 1, 2));
        assert_eq!((all.mfr, all.median), (8.0, 8.0));
        // Means of the two files: 5, 6, 35; the median is 6.
        assert_eq!(all.mar, (6.0 + 11.0) / 2.0);
        // Seed 1 has one within the first, seeds 2 and 3 none.
        assert_eq!(all.top_mean[0], 1.0 / 3.0);
        let by_report = &summary.methods[1];
        assert_eq!((by_report.bugs, by_report.failed), (2, 1));
        let groups: Vec<(&str, usize)> =
            summary.methods.iter().map(|row| (row.kind.as_str(), row.bugs)).collect();
        assert_eq!(groups, [("all", 3), ("all by report", 2), ("c", 2), ("ir", 1)]);
        assert_eq!(summary.operators["m"]["rule"], 10);
    }

    #[test]
    fn two_methods_are_compared_on_the_bugs_that_both_answer() {
        let mut runs = Vec::new();
        for (at, bug) in ["a1", "b1", "c1", "d1", "e1", "f1"].iter().enumerate() {
            runs.push(run(bug, "good", 1, &[1 + at]));
            runs.push(run(bug, "bad", 1, &[20 + 2 * at]));
        }
        runs.push(run("g1", "bad", 1, &[3]));
        let comparison = &summarise(&runs).comparisons[0];
        assert_eq!((comparison.bugs, comparison.ahead, comparison.behind), (6, 6, 0));
        assert_eq!(comparison.a12, 1.0);
        assert_eq!(comparison.wilcoxon_p, 2.0 / 64.0);
    }
}
