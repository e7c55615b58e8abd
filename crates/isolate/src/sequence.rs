//! Sequences of LLVM's passes near the failing one (LocSeq).

use crate::error::IsolateError;
use crate::method::Method;
use crate::neighbour::{Differs, Neighbour, Which, passes_of, with_pipeline};
use crate::subject::{Subject, Trial};
use crate::witness::Executed;
use base::Random;
use coverage::{Build, Map, Set};
use oracle::{Limiting, Question};
use passes::catalogue::read_offered;
use passes::pipeline::join;
use passes::sequence::candidates;
use search::{Genes, Genetic, GeneticSettings};
use std::path::Path;
use std::sync::Arc;
use toolchain::{Configuration, offered_passes, optimiser_input, spelled_out};

/// Sequences to be tried.
#[derive(Debug)]
pub(crate) struct Sequences {
    /// Each pass, as a pipeline of its own.
    passes: Vec<String>,
    genetic: Genetic,
    /// The failing arguments, and which of them is the pipeline.
    failing: Vec<String>,
    at: usize,
    similarity: Similarity,
}

impl Sequences {
    pub(crate) fn new(
        subject: &Subject,
        method: &Method,
        settings: GeneticSettings,
        random: Random,
    ) -> Result<Sequences, IsolateError> {
        let fail = &subject.fail;
        let offered = read_offered(&offered_passes(&fail.compiler)?);
        let place = |arg: &String| fail.compiler.family.pipeline_in(arg).is_some();
        let (Some(at), Some(pipeline)) = (fail.args.iter().position(place), fail.pipeline()) else {
            return Err(no_sequence(method.name, fail));
        };
        let given = passes_of(pipeline, &offered)?;
        let mut passes: Vec<String> = Vec::new();
        let mut number = |text: &String| {
            let known = passes.iter().position(|known| known == text);
            known.unwrap_or_else(|| {
                passes.push(text.clone());
                passes.len() - 1
            }) as u16
        };
        let given: Genes = given.iter().map(&mut number).collect();
        let candidates: Genes = candidates(&offered).iter().map(&mut number).collect();
        Ok(Sequences {
            passes,
            genetic: Genetic::new(given, candidates, settings, random),
            failing: fail.args.clone(),
            at,
            similarity: Similarity::to(&subject.build.map, &subject.executed),
        })
    }

    /// The next one to be tried; nothing while answers are awaited.
    pub(crate) fn ask(&mut self) -> Option<Neighbour> {
        let genes = self.genetic.ask()?;
        let parts: Vec<String> =
            genes.iter().map(|gene| self.passes[usize::from(*gene)].clone()).collect();
        let what = join(&parts)?;
        let mut args = self.failing.clone();
        args[self.at] = with_pipeline(&args[self.at], &what);
        let which = Which::Sequence(genes);
        Some(Neighbour { differs: Differs::Sequence, args, optimiser: None, what, which })
    }

    /// What the compiler executed for a sequence that passes; one that fails, in whatever way, is not fit.
    pub(crate) fn tell(&mut self, which: &Which, passing: Option<&Executed>) {
        if let Which::Sequence(genes) = which {
            self.genetic.tell(genes, passing.map_or(0.0, |executed| self.similarity.of(executed)));
        }
    }
}

/// How similar what a sequence executes is to what the failing one does (formulas 3 to 5).
#[derive(Clone, Debug)]
struct Similarity {
    failing: Executed,
    /// The files of the failing run, and all lines of these files.
    files: Set,
    their_lines: Set,
    file_of_line: Vec<u32>,
    count: usize,
}

impl Similarity {
    fn to(map: &Map, failing: &Executed) -> Similarity {
        let file_of_line: Vec<u32> = map.lines.iter().map(|line| line.file).collect();
        let mut similarity = Similarity {
            failing: failing.clone(),
            files: Set::none(map.files.len()),
            their_lines: Set::none(map.lines.len()),
            file_of_line,
            count: map.files.len(),
        };
        similarity.files = similarity.files_of(&failing.lines);
        for (line, &file) in similarity.file_of_line.iter().enumerate() {
            if similarity.files.contains(file as usize) {
                similarity.their_lines.insert(line);
            }
        }
        similarity
    }

    fn files_of(&self, lines: &Set) -> Set {
        let mut files = Set::none(self.count);
        lines.iter().for_each(|line| files.insert(self.file_of_line[line] as usize));
        files
    }

    /// Deviation: formula 3 as printed, Sim_s / (1 - Sim_f), grows without bound as the files become the same,
    /// where the text says that it is then Sim_s. With 2 - Sim_f below it is what the text says.
    fn of(&self, executed: &Executed) -> f64 {
        let lines = executed.lines.intersection(&self.their_lines);
        lines.jaccard(&self.failing.lines)
            / (2.0 - self.files_of(&executed.lines).jaccard(&self.files))
    }
}

impl<'a> Subject<'a> {
    /// Shows that a program fails with a sequence of passes: its IR, and the pipeline that the optimiser gets. Only what
    /// the optimiser executes counts (IV-C). Of a level all passes go that can.
    ///
    /// # Errors
    /// When there is no sequence, it does not fail, fails now and then, or we failed.
    pub fn establish_sequence(
        build: &'a Build,
        method: &Method,
        question: &Question<'_>,
        limiting: Limiting,
        scratch: &Path,
    ) -> Result<Subject<'a>, IsolateError> {
        let limits = limiting.compiler;
        let none = || no_sequence(method.name, &question.fail);
        let only = build.edges_of("opt").ok_or_else(none)?;
        let input = optimiser_input(&question.fail, question.program, limits, scratch)?;
        let (program, args) = input.ok_or_else(none)?;
        let fail = Configuration { args, ..question.fail.clone() };
        let family = fail.compiler.family;
        let passes_with = |pass: &Configuration| {
            pass.pipeline().is_some() && pass.compiler.name == fail.compiler.name
        };
        let pass = question.pass.clone().filter(passes_with).unwrap_or_else(|| {
            let nothing = family.ir_references().first().copied().unwrap_or_default();
            Configuration::new(Arc::clone(&fail.compiler), nothing)
        });
        let establish = |args: Vec<String>| {
            let fail = Configuration { args, ..fail.clone() };
            let question = Question { program: &program, fail, pass: Some(pass.clone()) };
            Subject::establish(build, &question, None, limiting, Some(only.clone()), scratch)
        };
        let Some(spelled) = spelled_out(&fail, scratch)? else {
            return establish(fail.args.clone());
        };
        let by_level = |error| match error {
            IsolateError::Premise(source) => {
                IsolateError::NotByPasses { level: fail.args.join(" "), source }
            }
            other => other,
        };
        let subject = establish(spelled.clone()).map_err(by_level)?;
        let offered = read_offered(&offered_passes(&fail.compiler)?);
        let at =
            spelled.iter().position(|arg| family.pipeline_in(arg).is_some()).ok_or_else(none)?;
        let pipeline = family.pipeline_in(&spelled[at]).unwrap_or_default();
        let all = passes_of(pipeline, &offered)?;
        let args = |parts: &[String]| {
            let mut args = spelled.clone();
            args[at] = with_pipeline(&args[at], &join(parts).unwrap_or_default());
            args
        };
        let left = without_needless(all, &mut |parts| {
            Ok(matches!(subject.try_arguments(&args(parts), None, scratch)?, Trial::Fails(_)))
        })?;
        establish(args(&left)).map_err(by_level)
    }
}

fn no_sequence(method: &str, fail: &Configuration) -> IsolateError {
    IsolateError::NoSequence { method: method.to_owned(), compiler: fail.label() }
}

/// Leaves out what can go while it fails, large pieces first, until no pass can go alone.
fn without_needless(
    all: Vec<String>,
    fails: &mut dyn FnMut(&[String]) -> Result<bool, IsolateError>,
) -> Result<Vec<String>, IsolateError> {
    let mut left = all;
    let mut piece = left.len().div_ceil(2);
    loop {
        let (mut at, mut went) = (0, false);
        while at < left.len() {
            let end = (at + piece).min(left.len());
            let rest: Vec<String> = left[..at].iter().chain(&left[end..]).cloned().collect();
            if !rest.is_empty() && fails(&rest)? {
                (left, went) = (rest, true);
            } else {
                at = end;
            }
        }
        if piece > 1 {
            piece = piece.div_ceil(2);
        } else if !went {
            return Ok(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::Counted;
    use coverage::{Function, Line};

    #[test]
    fn only_what_is_needed_is_left() {
        let all: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        let needed = ["3", "17", "18", "49"];
        let mut asked = 0;
        let left = without_needless(all, &mut |parts| {
            asked += 1;
            Ok(needed.iter().all(|one| parts.iter().any(|part| part == one)))
        });
        assert_eq!(left.unwrap(), needed);
        assert!(asked < 60, "{asked}");
    }

    #[test]
    fn similarity_is_that_of_the_formulas() {
        let files = ["a.cpp", "b.cpp", "c.cpp"].map(str::to_owned).to_vec();
        let functions = vec![Function { name: "f".to_owned(), file: 0 }];
        let line = |file, number| Line { file, number };
        let lines = vec![line(0, 1), line(0, 2), line(0, 3), line(1, 1), line(2, 1)];
        let map = Map::new(files, functions, lines, (0..5).map(|at| (0, vec![at])));
        let executed = |members: &[usize]| {
            let edges = Set::of(5, members.iter().copied());
            Executed::new(&map, Counted { edges, counts: Vec::new() })
        };
        let similarity = Similarity::to(&map, &executed(&[0, 1, 3]));
        let near = |members: &[usize], expect: f64| {
            let found = similarity.of(&executed(members));
            assert!((found - expect).abs() < 1e-12, "{members:?}: {found}");
        };
        near(&[0, 1, 3], 1.0);
        // Lines 0, 1, 2 against 0, 1, 3; files a against a, b.
        near(&[0, 1, 2], (2.0 / 4.0) / (2.0 - 0.5));
        // What it executes in other files counts as files only.
        near(&[0, 1, 3, 4], 1.0 / (2.0 - 2.0 / 3.0));
    }
}
