//! `whodunit eval coverage`.

use crate::args;
use crate::exit::{Failure, NOTHING};
use coverage::Build;
use eval::{CoverageError, CoverageExperiment, CoverageResult, measure_coverage};
use std::path::Path;
use std::sync::Arc;
use toolchain::{Compiler, Program};

pub fn run(args: &args::EvalCoverage) -> Result<u8, Failure> {
    let build = Build::of(Arc::new(Compiler::named(&args.compiler)?))?;
    let beside = Arc::new(Compiler::named(&args.beside)?);
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let programs = args
        .files
        .iter()
        .map(|file| Ok((name(file), Program::read_file(file)?)))
        .collect::<Result<_, Failure>>()?;
    let args_of_both = args.args.trim().to_owned();
    let repeats = args.repeats;
    let experiment = CoverageExperiment { build, beside, args: args_of_both, programs, repeats };
    let scratch = crate::scratch::in_memory()?;
    let result = measure_coverage(&experiment, scratch.path())?;
    if args.json {
        println!("{}", serde_json::to_string(&result).map_err(Failure::ours)?);
    } else {
        print_text(&result, &args.beside);
    }
    Ok(NOTHING)
}

fn print_text(result: &CoverageResult, beside: &str) {
    println!("CPU time in ms, {} edges", result.edges);
    println!(
        "{:<24} {:>10} {:>8} {:>9} {:>8} {:>7} {:>9}",
        "program", beside, "silent", "counting", "reading", "ratio", "edges ran"
    );
    for row in &result.rows {
        println!(
            "{:<24} {:>10.1} {:>8.1} {:>9.1} {:>8.2} {:>7.2} {:>9}",
            row.program, row.stock, row.silent, row.counting, row.reading, row.ratio, row.edges
        );
    }
    println!("ratio (geometric mean): {:.2}", result.ratio);
    println!("similarity of two sets: {:.1} µs", result.jaccard);
}

impl From<CoverageError> for Failure {
    fn from(error: CoverageError) -> Failure {
        match error {
            CoverageError::Build(error) => error.into(),
            CoverageError::Counts(error) => Failure::ours(error),
        }
    }
}
