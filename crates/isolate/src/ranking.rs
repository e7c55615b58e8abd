//! From scores of lines to a list of files, functions and lines, the most suspicious first.

use crate::formula::Formula;
use crate::spectrum::Spectrum;
use coverage::{Map, Set};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The compiler's files by suspicion.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ranking {
    /// All files that the failing run executed, without headers.
    pub files: Vec<RankedFile>,
}

/// A file with what makes it suspicious.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedFile {
    /// From 1; files with the same score all have the last of their places, as the papers count.
    pub rank: usize,
    /// Relative to the root of the compiler's source.
    pub file: String,
    /// Its suspicion.
    pub score: f64,
    /// Its functions that the failing run executed, the most suspicious first.
    pub functions: Vec<RankedFunction>,
    /// Its lines that the failing run executed, the most suspicious first.
    pub lines: Vec<RankedLine>,
    /// The witnesses that speak against it most, where they are told apart.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// A witness that speaks against a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// What it differs in: `step`, `option`, `pass`, `program`.
    pub differs: String,
    /// How.
    pub what: String,
    /// Lines of the file that ran whenever it failed, and not for this witness.
    pub lines: BTreeSet<u32>,
}

/// A function with its suspicion: the mean over its lines, or what `combined` makes of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedFunction {
    /// Its name.
    pub name: String,
    /// Its suspicion.
    pub score: f64,
}

/// A line with its suspicion.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedLine {
    /// Its number.
    pub line: u32,
    /// Its suspicion.
    pub score: f64,
    /// How many witnesses did without it.
    pub skipped: u32,
}

/// What a file's score is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aggregate {
    /// The mean over its lines that the failing run executed: DiWi's formula for SUS(f).
    MeanOfLines,
    /// The file as one element, executed or not: SBFL as DiWi 5.4 describes it.
    WholeFile,
    /// Votes on its edges.
    Votes,
    /// Blame of its edges by all that is known.
    Blame,
    /// Only the own file of the first bad pass stands out, or of the one that a crash names.
    FirstBadPass,
    /// Only the file that the message of a crash names stands out, or the own file of the pass that it names.
    Message,
}

/// Is a file ranked? Headers are not: the papers leave them out, and fixes that touch only a header are
/// rare. Files that the build generated lead to nothing that a person could mend. Libraries beside the
/// compiler (libiberty, libbacktrace, libcpp) are not either: GCC's --enable-coverage, which the papers use, is
/// about the folder gcc alone, and a crash executes much of them only to be reported.
pub(crate) fn is_ranked_file(file: &str) -> bool {
    let ends = [".c", ".cc", ".cpp", ".cxx", ".pd", ".md"];
    let is_beside = |folder: &str| folder == "generated" || folder.starts_with("lib");
    ends.iter().any(|end| file.ends_with(end))
        && !file.split_once('/').is_some_and(|(folder, _)| is_beside(folder))
}

/// The files of a map that can be ranked, by index.
fn ranked_files(map: &Map) -> Vec<bool> {
    map.files.iter().map(|file| is_ranked_file(file)).collect()
}

/// Files and scores only, best first: quick, to be asked again and again.
#[must_use]
pub fn file_scores(map: &Map, spectrum: &Spectrum, formula: &Formula) -> Vec<(usize, f64)> {
    let ranked = ranked_files(map);
    let mut sums: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
    for (line, score) in spectrum.scores(formula) {
        let file = map.lines[line].file as usize;
        if ranked[file] {
            let (sum, lines) = sums.entry(file).or_default();
            *sum += score;
            *lines += 1;
        }
    }
    let means = sums.into_iter().map(|(file, (sum, lines))| (file, sum / f64::from(lines)));
    sorted(means.collect(), |file| &map.files[file])
}

/// Scores of whole files, from a spectrum of files.
#[must_use]
pub fn whole_file_scores(map: &Map, files: &Spectrum, formula: &Formula) -> Vec<(usize, f64)> {
    let ranked = ranked_files(map);
    let scores = files.scores(formula).filter(|(file, _)| ranked[*file]).collect();
    sorted(scores, |file| &map.files[file])
}

/// By score, then by name, so that the order of equals is always the same.
pub(crate) fn sorted<'a>(
    mut scores: Vec<(usize, f64)>,
    name: impl Fn(usize) -> &'a String,
) -> Vec<(usize, f64)> {
    scores
        .sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| name(*a).cmp(name(*b))));
    scores
}

/// The rank of each of some scores in descending order: on ties the last place of the tie.
///
/// ```
/// assert_eq!(isolate::worst_ranks(&[0.9, 0.5, 0.5, 0.1]), [1, 3, 3, 4]);
/// ```
#[must_use]
pub fn worst_ranks(scores: &[f64]) -> Vec<usize> {
    let mut ranks = vec![scores.len(); scores.len()];
    for at in (0..scores.len().saturating_sub(1)).rev() {
        ranks[at] = if scores[at] == scores[at + 1] { ranks[at + 1] } else { at + 1 };
    }
    ranks
}

impl Ranking {
    /// The ranking with all that is behind it. `scores` are of files, best first; `spectrum` is of
    /// lines, `failing` the edges that the failing run executed.
    #[must_use]
    pub fn new(
        map: &Map,
        scores: &[(usize, f64)],
        spectrum: &Spectrum,
        failing: &Set,
        formula: &Formula,
    ) -> Ranking {
        let mut line_scores = vec![None; map.lines.len()];
        spectrum.scores(formula).for_each(|(line, score)| line_scores[line] = Some(score));
        Ranking::with(map, scores, &line_scores, spectrum, failing, 1.0)
    }

    /// The same with other scores of lines. A function has the sum over its lines, divided by their number to the
    /// power of `size`.
    pub(crate) fn with(
        map: &Map,
        scores: &[(usize, f64)],
        line_scores: &[Option<f64>],
        spectrum: &Spectrum,
        failing: &Set,
        size: f64,
    ) -> Ranking {
        let mut lines: BTreeMap<usize, Vec<RankedLine>> = BTreeMap::new();
        for (line, skipped) in spectrum.skipped() {
            let Some(score) = line_scores[line] else { continue };
            let place = map.lines[line];
            let ranked = RankedLine { line: place.number, score, skipped };
            lines.entry(place.file as usize).or_default().push(ranked);
        }
        let mut functions = functions(map, failing, line_scores, size);
        let ranks = worst_ranks(&scores.iter().map(|(_, score)| *score).collect::<Vec<_>>());
        let files = scores.iter().zip(ranks).map(|(&(file, score), rank)| {
            let mut lines = lines.remove(&file).unwrap_or_default();
            lines.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
            let mut functions = functions.remove(&file).unwrap_or_default();
            functions.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.name.cmp(&b.name)));
            let (file, evidence) = (map.files[file].clone(), Vec::new());
            RankedFile { rank, file, score, functions, lines, evidence }
        });
        Ranking { files: files.collect() }
    }

    /// How many times as suspicious the first file is as the second: 1 if they are alike.
    #[must_use]
    pub fn lead(&self) -> Option<f64> {
        match self.files.as_slice() {
            [first, second, ..] if second.score > 0.0 => Some(first.score / second.score),
            _ => None,
        }
    }

    /// The rank of a file; one behind the last if the failing run did not execute it.
    #[must_use]
    pub fn rank_of(&self, file: &str) -> usize {
        let found = self.files.iter().find(|ranked| ranked.file == file);
        found.map_or(self.files.len() + 1, |ranked| ranked.rank)
    }
}

/// The functions that the failing run executed, by file, each with the sum over its lines in that file, divided by
/// their number to the power of `size`: the mean if that is 1.
fn functions(
    map: &Map,
    failing: &Set,
    line_scores: &[Option<f64>],
    size: f64,
) -> BTreeMap<usize, Vec<RankedFunction>> {
    let mut lines: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for edge in failing.iter() {
        let function = map.function_of(edge);
        let file = map.functions[function].file;
        let own = map.lines_of(edge).iter().filter(|line| map.lines[**line as usize].file == file);
        lines.entry(function).or_default().extend(own);
    }
    let mut functions: BTreeMap<usize, Vec<RankedFunction>> = BTreeMap::new();
    for (function, mut lines) in lines {
        lines.sort_unstable();
        lines.dedup();
        let scores: Vec<f64> =
            lines.iter().filter_map(|line| line_scores[*line as usize]).collect();
        if scores.is_empty() {
            continue;
        }
        let score = scores.iter().sum::<f64>() / (scores.len() as f64).powf(size);
        let function = &map.functions[function];
        let ranked = RankedFunction { name: function.name.clone(), score };
        functions.entry(function.file as usize).or_default().push(ranked);
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;
    use coverage::{Function, Line};
    use proptest::prelude::*;

    /// Two edges in a.cc (functions f and g), one in b.cc, one in a header.
    fn map() -> Map {
        let files = ["a.cc", "b.cc", "c.h"].map(str::to_owned).to_vec();
        let function = |name: &str, file| Function { name: name.to_owned(), file };
        let line = |file, number| Line { file, number };
        Map::new(
            files,
            vec![function("f", 0), function("g", 0), function("h", 1)],
            vec![line(0, 1), line(0, 2), line(0, 9), line(1, 5), line(2, 3)],
            [(0, vec![0, 1]), (1, vec![2]), (2, vec![3, 4])],
        )
    }

    fn edges(members: &[usize]) -> Set {
        Set::of(3, members.iter().copied())
    }

    #[test]
    fn files_functions_and_lines_are_ranked_by_what_witnesses_skip() {
        let map = map();
        let failing = edges(&[0, 1, 2]);
        let mut spectrum = Spectrum::of(&map.lines(&failing));
        for witness in [edges(&[0, 2]), edges(&[0, 2]), edges(&[0, 2])] {
            spectrum.add_passing(&map.lines(&witness));
        }
        let scores = file_scores(&map, &spectrum, &Formula::OCHIAI);
        let ranking = Ranking::new(&map, &scores, &spectrum, &failing, &Formula::OCHIAI);
        let names: Vec<&str> = ranking.files.iter().map(|file| file.file.as_str()).collect();
        assert_eq!(names, ["a.cc", "b.cc"], "headers are not ranked");
        assert_eq!(ranking.files[0].score, (0.5 + 0.5 + 1.0) / 3.0);
        assert_eq!(ranking.files[0].functions[0].name, "g");
        let first = &ranking.files[0].lines[0];
        assert_eq!((first.line, first.score, first.skipped), (9, 1.0, 3));
        assert_eq!((ranking.rank_of("a.cc"), ranking.rank_of("nowhere.cc")), (1, 3));
    }

    #[test]
    fn headers_libraries_and_what_was_generated_are_not_ranked() {
        let ranked = ["gcc/dce.cc", "gcc/match.pd", "llvm/lib/IR/Type.cpp", "libtcc.c"];
        assert!(ranked.iter().all(|file| is_ranked_file(file)));
        let others =
            ["gcc/tree.h", "libiberty/hashtab.c", "generated/gcc/insn-emit.cc", "libcpp/lex.cc"];
        assert!(!others.iter().any(|file| is_ranked_file(file)));
    }

    #[test]
    fn whole_files_are_executed_or_not() {
        let map = map();
        let failing = edges(&[0, 1, 2]);
        let mut spectrum = Spectrum::of(&map.files(&failing));
        spectrum.add_passing(&map.files(&edges(&[0])));
        let scores = whole_file_scores(&map, &spectrum, &Formula::OCHIAI);
        assert_eq!(scores, [(1, 1.0), (0, 1.0 / 2.0_f64.sqrt())]);
    }

    proptest! {
        #[test]
        fn ranks_count_those_that_are_at_least_as_suspicious(
            mut scores in prop::collection::vec(0_u8..5, 0..30)
        ) {
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let ranks = worst_ranks(&scores);
            for (score, rank) in scores.iter().zip(ranks) {
                prop_assert_eq!(rank, scores.iter().filter(|other| *other >= score).count());
            }
        }
    }
}
