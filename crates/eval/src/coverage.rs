//! What it costs to know what a compiler executed.

use coverage::{Build, CountsError, Set};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toolchain::process::Limits;
use toolchain::{BuildError, Compiler, Configuration, Program, compile, lay_out, thread_cpu_time};

/// What is to be measured.
#[derive(Debug)]
pub struct CoverageExperiment {
    /// The build that counts.
    pub build: Build,
    /// The same compiler without counters, as the system has it.
    pub beside: Arc<Compiler>,
    /// Arguments of both.
    pub args: String,
    /// What is compiled, by name.
    pub programs: Vec<(String, Program)>,
    /// How often each is.
    pub repeats: u32,
}

/// CPU time in milliseconds, the mean of all compilations of a program.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageRow {
    /// Which program.
    pub program: String,
    /// By the compiler of the system.
    pub stock: f64,
    /// By the build, not counting.
    pub silent: f64,
    /// By the build, counting.
    pub counting: f64,
    /// Reading the set.
    pub reading: f64,
    /// (counting + reading) / stock.
    pub ratio: f64,
    /// Edges that ran.
    pub edges: usize,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageResult {
    /// A row a program.
    pub rows: Vec<CoverageRow>,
    /// The geometric mean of their ratios.
    pub ratio: f64,
    /// Edges that the build has.
    pub edges: usize,
    /// Microseconds for the similarity of two sets.
    pub jaccard: f64,
}

/// Why it could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    /// We could not compile.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There are no counts.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

/// Compiles every program by both compilers in turn.
///
/// # Errors
/// When we fail; a compiler that fails takes its time too.
pub fn measure_coverage(
    experiment: &CoverageExperiment,
    scratch: &Path,
) -> Result<CoverageResult, CoverageError> {
    let build = &experiment.build;
    let stock = Configuration::new(Arc::clone(&experiment.beside), &experiment.args);
    let silent = Configuration::new(Arc::clone(&build.compiler), &experiment.args);
    let counting = silent.clone().counting();
    let repeats = experiment.repeats.max(1);
    let mut rows = Vec::new();
    let mut last = Set::none(build.map.edges());
    for (name, program) in &experiment.programs {
        let mut spent = [Duration::ZERO; 4];
        for _ in 0..repeats {
            for (slot, configuration) in [&stock, &silent, &counting].into_iter().enumerate() {
                let folder = lay_out(program, scratch)?;
                let built = compile(configuration, program, folder.path(), Limits::compiler())?;
                spent[slot] += built.cpu;
                if slot == 2 {
                    let before = thread_cpu_time();
                    last = build.counts(folder.path())?.edges();
                    spent[3] += thread_cpu_time().saturating_sub(before);
                }
            }
        }
        let [stock, silent, counting, reading] =
            spent.map(|all| all.as_secs_f64() * 1000.0 / f64::from(repeats));
        rows.push(CoverageRow {
            program: name.clone(),
            stock,
            silent,
            counting,
            reading,
            ratio: (counting + reading) / stock,
            edges: last.len(),
        });
    }
    let ratio = crate::geometric_mean(rows.iter().map(|row| row.ratio));
    Ok(CoverageResult { ratio, edges: build.map.edges(), jaccard: jaccard_time(&last), rows })
}

/// Microseconds for the similarity of two sets as large as this one.
fn jaccard_time(set: &Set) -> f64 {
    const TIMES: u32 = 200;
    let other = set.clone();
    let before = thread_cpu_time();
    for _ in 0..TIMES {
        std::hint::black_box(std::hint::black_box(set).jaccard(std::hint::black_box(&other)));
    }
    let spent = thread_cpu_time().saturating_sub(before);
    spent.as_secs_f64() * 1e6 / f64::from(TIMES)
}
