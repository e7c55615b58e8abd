//! `whodunit eval gen`.

use crate::args;
use crate::exit::{Failure, NOTHING};
use base::Seed;
use cgen::{ConstructSet, DataModel, Options};
use coverage::Build;
use eval::{GeneratorExperiment, GeneratorResult, ReachError, ReachExperiment};
use eval::{measure_generator, measure_reach};
use std::io::IsTerminal;
use std::sync::Arc;
use toolchain::process::Scratch;
use toolchain::{Compiler, discover};

pub fn run(args: &args::EvalGen) -> Result<u8, Failure> {
    let standard = args.std.parse().map_err(Failure::input)?;
    let size = args.size.parse().map_err(Failure::input)?;
    if args.programs < 2 {
        return Err(Failure::input("--programs must be at least 2: one says nothing about a mean"));
    }
    // Policies are compared on the programs that the paper compares them on.
    let constructs = ConstructSet::Paper;
    let options = Options { constructs, ..Options::new(standard, DataModel::Lp64, size) };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if let Some(build) = &args.build {
        let experiment = ReachExperiment {
            build: Build::of(Arc::new(Compiler::named(build)?))?,
            args: "-O3".to_owned(),
            seed: Seed(args.seed),
            programs: args.programs,
            options: options.clone(),
            jobs: args.jobs.map_or(cores, |jobs| jobs as usize),
        };
        return reach(&experiment, args.json);
    }
    let experiment = GeneratorExperiment {
        seed: Seed(args.seed),
        programs: args.programs,
        options: options.clone(),
        compilers: compilers(&args.compilers)?,
        jobs: args.jobs.map_or(cores, |jobs| jobs as usize),
    };
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let terminal = std::io::stderr().is_terminal();
    let result = measure_generator(&experiment, scratch.path(), &|done, total| {
        if terminal {
            eprint!("\r{done} of {total} programs");
        } else if done % 20 == 0 {
            eprintln!("{done} of {total} programs");
        }
    })?;
    if terminal {
        eprintln!();
    }
    if args.json {
        let document = serde_json::to_string(&result).map_err(Failure::ours)?;
        println!("{document}");
    } else {
        print_text(&result);
    }
    Ok(NOTHING)
}

/// How much of a build programs reach.
fn reach(experiment: &ReachExperiment, as_json: bool) -> Result<u8, Failure> {
    let scratch = crate::scratch::in_memory()?;
    let result = measure_reach(experiment, scratch.path(), &|name, done, count| {
        if done % 50 == 0 || done == count {
            eprintln!("{name}: {done} of {count}");
        }
    })?;
    if as_json {
        println!("{}", serde_json::to_string(&result).map_err(Failure::ours)?);
        return Ok(NOTHING);
    }
    let [functions, lines, edges] = result.of;
    println!("{functions} functions, {lines} lines, {edges} edges");
    println!("{:<44} {:>6} {:>10} {:>9} {:>9}", "programs", "", "functions", "lines", "edges");
    let share = |count: usize, of: usize| format!("{:.2} %", 100.0 * count as f64 / of as f64);
    for row in &result.rows {
        println!(
            "{:<44} {:>6} {:>10} {:>9} {:>9}",
            row.programs,
            row.count,
            share(row.functions, functions),
            share(row.lines, lines),
            share(row.edges, edges)
        );
    }
    Ok(NOTHING)
}

impl From<ReachError> for Failure {
    fn from(error: ReachError) -> Failure {
        match error {
            ReachError::Build(error) => error.into(),
            ReachError::Counts(error) => Failure::ours(error),
        }
    }
}

/// Those that are named, or the newest of each family that says what its optimisations did.
fn compilers(names: &[String]) -> Result<Vec<Arc<Compiler>>, Failure> {
    if !names.is_empty() {
        return names.iter().map(|name| Ok(Arc::new(Compiler::named(name)?))).collect();
    }
    let mut newest: Vec<Compiler> = Vec::new();
    for compiler in discover().compilers {
        if !compiler.runner.is_empty() || compiler.family.counters().is_none() {
            continue;
        }
        match newest.iter_mut().find(|other| other.family.name() == compiler.family.name()) {
            Some(other) if other.version < compiler.version => *other = compiler,
            Some(_) => {}
            None => newest.push(compiler),
        }
    }
    Ok(newest.into_iter().map(Arc::new).collect())
}

fn print_text(result: &GeneratorResult) {
    println!(
        "{} programs with policies ({:.1} MB) and as many without ({:.1} MB)\n",
        result.programs,
        result.bytes_with as f64 / 1e6,
        result.bytes_without as f64 / 1e6
    );
    println!("{:<28} {:<12} {:>9} {:>8}", "tool", "step", "CPU s", "share");
    for row in &result.shares {
        println!("{:<28} {:<12} {:>9.2} {:>7.2} %", row.tool, row.step, row.cpu, row.percent);
    }
    for policies in &result.policies {
        println!("\n{} by {}: what policies do to its counters", policies.label, policies.source);
        println!(
            "  more {}, fewer {}, comparable {} (95 % confidence); only with policies {}, only \
             without {}",
            policies.better,
            policies.worse,
            policies.comparable,
            policies.only_with,
            policies.only_without
        );
        println!(
            "  geometric mean of the ratios: {:.2} per byte of source, {:.2} per second of \
             compilation",
            policies.ratio_per_byte, policies.ratio_per_second
        );
        for row in &policies.counters {
            let ratio = row.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
            println!("  {:<50} {:>9} {:>9} {ratio:>8}", row.name, row.with, row.without);
        }
    }
}
