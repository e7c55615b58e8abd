//! The paper's experiments on the generator: shares of CPU time (Table 7), and what policies do to
//! the counters of compilers' optimisations (section 4.3, Tables 5 and 6).

use crate::statistics::{Comparison, compare_means, geometric_mean};
use base::Seed;
use cgen::{Options, Policies};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use toolchain::process::{Confine, Limits, ProcessError};
use toolchain::{
    BuildError, Compiler, Configuration, Counted, Language, Program, SourceFile, build,
    count_optimisations, execute, lay_out, thread_cpu_time,
};

/// What is measured.
#[derive(Clone, Debug)]
pub struct GeneratorExperiment {
    /// The first seed; program number i has the seed after it by i.
    pub seed: Seed,
    /// How many programs with policies, and as many without.
    pub programs: u64,
    /// The generator's options; its policies are switched by the experiment.
    pub options: Options,
    /// The compilers that are measured.
    pub compilers: Vec<Arc<Compiler>>,
    /// Programs at the same time.
    pub jobs: usize,
}

/// All tables.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorResult {
    /// Programs with policies; as many without.
    pub programs: u64,
    /// Bytes of source with policies.
    pub bytes_with: u64,
    /// Bytes of source without.
    pub bytes_without: u64,
    /// Table 7.
    pub shares: Vec<ShareRow>,
    /// Tables 5 and 6, a compiler each.
    pub policies: Vec<PolicyResult>,
}

/// A row of Table 7.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShareRow {
    /// `whodunit gen`, or a configuration.
    pub tool: String,
    /// `generation`, `compilation` or `execution`.
    pub step: &'static str,
    /// CPU seconds.
    pub cpu: f64,
    /// Percent of all CPU time.
    pub percent: f64,
}

/// What policies do to the counters of one compiler.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyResult {
    /// The configuration.
    pub label: String,
    /// Where the counters come from.
    pub source: &'static str,
    /// Counters that policies raise, with 95 % confidence.
    pub better: usize,
    /// Counters that they lower.
    pub worse: usize,
    /// Others.
    pub comparable: usize,
    /// The geometric mean of the ratios of events per byte of source.
    pub ratio_per_byte: f64,
    /// The same per second of compilation, as the paper's equal times compare.
    pub ratio_per_second: f64,
    /// Counters that only one side has; they have no ratio.
    pub only_with: usize,
    /// The same for the other side.
    pub only_without: usize,
    /// All counters.
    pub counters: Vec<CounterRow>,
}

/// One counter.
#[derive(Clone, Debug, Serialize)]
pub struct CounterRow {
    /// `pass: what it counts`.
    pub name: String,
    /// Events in programs with policies.
    pub with: u64,
    /// Events in programs without.
    pub without: u64,
    /// The ratio of events per byte of source, where both are there.
    pub ratio: Option<f64>,
    /// What one can be confident of.
    pub comparison: Comparison,
}

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A compiler failed where it must not.
    #[error("{label} does not compile program {seed}: {why}")]
    Failed {
        /// Which configuration.
        label: String,
        /// Which program.
        seed: Seed,
        /// What it said.
        why: String,
    },
    /// The program printed another checksum than it must: a bug, but not what is measured here.
    #[error("program {seed} by {label} prints {printed:?} instead of {expected}")]
    Wrong {
        /// Which configuration.
        label: String,
        /// Which program.
        seed: Seed,
        /// What it printed.
        printed: String,
        /// What it must print.
        expected: u64,
    },
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// We failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// What one program gave.
#[derive(Default)]
struct Sample {
    bytes: u64,
    generation: Duration,
    /// Compilation and execution of each configuration, by label.
    steps: BTreeMap<String, (Duration, Duration)>,
    /// Counters and CPU time of each counting compilation, by label.
    counted: BTreeMap<String, Counted>,
}

/// The level at which optimisations are counted, and the two that Table 7 has.
const COUNTED: &str = "-O3";
const SHARED: [&str; 2] = ["-O0", "-O3"];

/// Runs the experiment in private folders below `scratch`.
///
/// # Errors
/// When a compiler or we fail.
pub fn measure_generator(
    experiment: &GeneratorExperiment,
    scratch: &Path,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<GeneratorResult, EvalError> {
    let total = experiment.programs * 2;
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let work = || -> Result<Vec<(u64, Sample)>, EvalError> {
        let mut samples = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= total {
                return Ok(samples);
            }
            samples.push((at, sample(experiment, at, scratch)?));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        }
    };
    let results: Vec<Result<Vec<(u64, Sample)>, EvalError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..experiment.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic in samples")).collect()
    });
    let mut samples = Vec::new();
    for result in results {
        samples.extend(result?);
    }
    samples.sort_by_key(|(at, _)| *at);
    let (with, without): (Vec<_>, Vec<_>) = samples.into_iter().partition(|(at, _)| at % 2 == 0);
    let strip = |samples: Vec<(u64, Sample)>| -> Vec<Sample> {
        samples.into_iter().map(|(_, sample)| sample).collect()
    };
    let (with, without) = (strip(with), strip(without));
    let bytes = |samples: &[Sample]| samples.iter().map(|sample| sample.bytes).sum();
    Ok(GeneratorResult {
        programs: experiment.programs,
        bytes_with: bytes(&with),
        bytes_without: bytes(&without),
        shares: shares(with.iter().chain(&without)),
        policies: experiment
            .compilers
            .iter()
            .filter_map(|compiler| policy_result(compiler, &with, &without))
            .collect(),
    })
}

/// Even numbers are programs with policies, odd ones the same seeds without.
fn sample(experiment: &GeneratorExperiment, at: u64, scratch: &Path) -> Result<Sample, EvalError> {
    let seed = Seed(experiment.seed.0.wrapping_add(at / 2));
    let policies = if at.is_multiple_of(2) { Policies::ALL } else { Policies::NONE };
    let options = Options { policies, policy_free_in: 0, ..experiment.options.clone() };
    let before = thread_cpu_time();
    let made = cgen::generate(seed, &options);
    let mut sample = Sample { generation: thread_cpu_time() - before, ..Sample::default() };
    let cxx = options.standard.is_cxx();
    let program = Program {
        language: if cxx { Language::Cxx } else { Language::C },
        files: made
            .files
            .into_iter()
            .map(|file| SourceFile { name: file.name, bytes: file.bytes })
            .collect(),
        standard: Some(options.standard.name().to_owned()),
        args: Vec::new(),
        expected: None,
    };
    sample.bytes = program.len() as u64;
    let folder = lay_out(&program, scratch)?;
    let limits = Limits { cpu: Duration::from_secs(120), ..Limits::compiler() };
    for compiler in &experiment.compilers {
        for level in SHARED {
            let configuration = Configuration::new(Arc::clone(compiler), level);
            let label = configuration.label();
            let built = build(&configuration, &program, folder.path(), "a.out", limits)?;
            let executable = built.result.map_err(|(_, failure)| EvalError::Failed {
                label: label.clone(),
                seed,
                why: format!("{failure:?}"),
            })?;
            let confine = Confine::full();
            let ran =
                execute(compiler, &executable, folder.path(), Limits::program(), confine, &[])?;
            if ran.stdout != format!("{}\n", made.expected).as_bytes() {
                let printed = ran.behaviour.head;
                return Err(EvalError::Wrong { label, seed, printed, expected: made.expected });
            }
            sample.steps.insert(label, (built.cpu, ran.cpu));
        }
        let configuration = Configuration::new(Arc::clone(compiler), COUNTED);
        if let Some(counted) = count_optimisations(&configuration, &program, folder.path(), limits)?
        {
            sample.counted.insert(configuration.label(), counted);
        }
    }
    Ok(sample)
}

fn shares<'a>(samples: impl Iterator<Item = &'a Sample> + Clone) -> Vec<ShareRow> {
    let mut rows: BTreeMap<(String, &'static str), Duration> = BTreeMap::new();
    let mut generation = Duration::ZERO;
    for sample in samples {
        generation += sample.generation;
        for (label, (compilation, execution)) in &sample.steps {
            *rows.entry((label.clone(), "compilation")).or_default() += *compilation;
            *rows.entry((label.clone(), "execution")).or_default() += *execution;
        }
    }
    let total = (generation + rows.values().sum::<Duration>()).as_secs_f64();
    let row = |tool: String, step, cpu: Duration| {
        let cpu = cpu.as_secs_f64();
        ShareRow { tool, step, cpu, percent: 100.0 * cpu / total.max(1e-9) }
    };
    let mut shares = vec![row("whodunit gen".to_owned(), "generation", generation)];
    shares.extend(rows.into_iter().map(|((tool, step), cpu)| row(tool, step, cpu)));
    shares
}

fn counted<'a>(samples: &'a [Sample], label: &str) -> Vec<(&'a Counted, u64)> {
    samples.iter().filter_map(|sample| Some((sample.counted.get(label)?, sample.bytes))).collect()
}

fn policy_result(
    compiler: &Arc<Compiler>,
    with: &[Sample],
    without: &[Sample],
) -> Option<PolicyResult> {
    let label = Configuration::new(Arc::clone(compiler), COUNTED).label();
    let source = compiler.family.counters()?.source;
    // What was counted in each program, and the program's bytes.
    let (with, without) = (counted(with, &label), counted(without, &label));
    let bytes = |all: &[(&Counted, u64)]| all.iter().map(|(_, bytes)| *bytes).sum::<u64>() as f64;
    let seconds = |all: &[(&Counted, u64)]| {
        all.iter().map(|(counted, _)| counted.cpu.as_secs_f64()).sum::<f64>()
    };
    let names: BTreeSet<&String> =
        with.iter().chain(&without).flat_map(|(counted, _)| counted.events.keys()).collect();
    let per_byte = bytes(&without) / bytes(&with);
    let per_second = seconds(&without) / seconds(&with);
    let mut result = PolicyResult {
        label,
        source,
        better: 0,
        worse: 0,
        comparable: 0,
        ratio_per_byte: 0.0,
        ratio_per_second: 0.0,
        only_with: 0,
        only_without: 0,
        counters: Vec::new(),
    };
    let mut ratios = Vec::new();
    for name in names {
        let get = |counted: &Counted| counted.events.get(name).copied().unwrap_or(0);
        let sum = |all: &[(&Counted, u64)]| -> u64 { all.iter().map(|(c, _)| get(c)).sum() };
        let rates = |all: &[(&Counted, u64)]| -> Vec<f64> {
            all.iter().map(|(c, bytes)| get(c) as f64 / *bytes as f64).collect()
        };
        let (events_with, events_without) = (sum(&with), sum(&without));
        let comparison = compare_means(&rates(&with), &rates(&without));
        match comparison {
            Comparison::Better => result.better += 1,
            Comparison::Worse => result.worse += 1,
            Comparison::Comparable => result.comparable += 1,
        }
        let ratio = match (events_with, events_without) {
            (0, _) => {
                result.only_without += 1;
                None
            }
            (_, 0) => {
                result.only_with += 1;
                None
            }
            (with, without) => Some(with as f64 / without as f64),
        };
        ratios.extend(ratio);
        result.counters.push(CounterRow {
            name: name.clone(),
            with: events_with,
            without: events_without,
            ratio: ratio.map(|ratio| ratio * per_byte),
            comparison,
        });
    }
    let mean = geometric_mean(ratios);
    result.ratio_per_byte = mean * per_byte;
    result.ratio_per_second = mean * per_second;
    Some(result)
}
