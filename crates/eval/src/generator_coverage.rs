//! How much of a compiler programs reach: the paper's Tables 8 and 9, with a build that counts.

use base::Seed;
use campaign::RandomPrograms;
use cgen::{Options, Policies};
use coverage::{Build, CountsError, Set};
use isolate::tests_below;
use serde::Serialize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use toolchain::process::Limits;
use toolchain::{BuildError, Configuration, DataModel, Language, Program, SourceFile};
use toolchain::{compile, lay_out};

/// What is measured.
pub struct ReachExperiment {
    /// The build.
    pub build: Build,
    /// Its arguments; the paper has -O3.
    pub args: String,
    /// The first seed.
    pub seed: Seed,
    /// Programs of each kind; developers' tests are all that the build has.
    pub programs: u64,
    /// The generator's options.
    pub options: Options,
    /// Programs at the same time.
    pub jobs: usize,
}

/// What programs reach together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReachRow {
    /// Which programs.
    pub programs: String,
    /// How many.
    pub count: u64,
    /// Functions that ran.
    pub functions: usize,
    /// Lines.
    pub lines: usize,
    /// Edges.
    pub edges: usize,
}

/// The table.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReachResult {
    /// All functions, lines and edges of the build.
    pub of: [usize; 3],
    /// The rows.
    pub rows: Vec<ReachRow>,
}

/// Why it could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum ReachError {
    /// We could not compile.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There are no counts.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

/// The n-th program, if there is one.
type Nth<'a> = &'a (dyn Fn(u64) -> Option<Program> + Sync);

/// Compiles all programs and unites what the build executed.
///
/// # Errors
/// When we fail; a compiler that refuses or crashes has executed something too.
pub fn measure_reach(
    experiment: &ReachExperiment,
    scratch: &Path,
    tell: &(dyn Fn(&str, u64, u64) + Sync),
) -> Result<ReachResult, ReachError> {
    let map = &experiment.build.map;
    let generated = |policies: Policies| {
        move |index: u64| {
            let options = Options { policies, ..experiment.options.clone() };
            let made = cgen::generate(Seed(experiment.seed.0 + index), &options);
            let file =
                |file: cgen::GeneratedFile| SourceFile { name: file.name, bytes: file.bytes };
            Some(Program {
                language: if options.standard.is_cxx() { Language::Cxx } else { Language::C },
                files: made.files.into_iter().map(file).collect(),
                standard: Some(options.standard.name().to_owned()),
                args: Vec::new(),
                expected: None,
            })
        }
    };
    let csmith = RandomPrograms::csmith().ok();
    let csmith_program =
        |index: u64| csmith.as_ref()?.program(experiment.seed, index, DataModel::Lp64, scratch);
    let folder = experiment.build.compiler.counting.as_ref().map(|counting| counting.tests());
    let tests = folder.and_then(|folder| tests_below(&folder).ok()).unwrap_or_default();
    let test = |index: u64| {
        let test = tests.get(index as usize)?;
        Some(Program::single("test.c", Language::C, test.text.clone()))
    };
    let (with, without) = (generated(Policies::ALL), generated(Policies::NONE));
    let programs = experiment.programs;
    let kinds: [(&str, Nth, u64); 4] = [
        ("generated, policies on", &with, programs),
        ("generated, policies off", &without, programs),
        ("Csmith's", &csmith_program, if csmith.is_some() { programs } else { 0 }),
        ("developers' tests", &test, tests.len() as u64),
    ];
    let row = |name: String, count: u64, edges: &Set| ReachRow {
        programs: name,
        count,
        functions: map.functions(edges).len(),
        lines: map.lines(edges).len(),
        edges: edges.len(),
    };
    let mut rows = Vec::new();
    let mut reached: Vec<(&str, u64, Set)> = Vec::new();
    for (name, nth, count) in kinds {
        if count == 0 {
            continue;
        }
        let edges = united(experiment, nth, count, scratch, &|done| tell(name, done, count))?;
        rows.push(row(name.to_owned(), count, &edges));
        reached.push((name, count, edges));
    }
    if let Some((base, (last, count, edges))) =
        reached.split_last().map(|(last, rest)| (rest, last))
    {
        for (name, more, other) in base {
            rows.push(row(format!("{last} + {name}"), count + more, &edges.union(other)));
        }
    }
    let of = [map.functions.len(), map.lines.len(), map.edges()];
    Ok(ReachResult { of, rows })
}

fn united(
    experiment: &ReachExperiment,
    nth: Nth,
    count: u64,
    scratch: &Path,
    tell: &(dyn Fn(u64) + Sync),
) -> Result<Set, ReachError> {
    let build = &experiment.build;
    let counting =
        Configuration::new(std::sync::Arc::clone(&build.compiler), &experiment.args).counting();
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let all = Mutex::new(Ok(Set::none(build.map.edges())));
    let one = |program: &Program| -> Result<Set, ReachError> {
        let folder = lay_out(program, scratch)?;
        compile(&counting, program, folder.path(), Limits::compiler())?;
        Ok(build.counts(folder.path())?.edges())
    };
    thread::scope(|scope| {
        for _ in 0..experiment.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let Some(program) = nth(index) else { continue };
                    let ran = one(&program);
                    let mut all = all.lock().expect("no thread panics with it");
                    match (&mut *all, ran) {
                        (Ok(edges), Ok(ran)) => *edges = edges.union(&ran),
                        (Ok(_), Err(error)) => *all = Err(error),
                        (Err(_), _) => return,
                    }
                    drop(all);
                    tell(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    all.into_inner().expect("no thread panics with it")
}
