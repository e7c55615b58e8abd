//! `whodunit eval isolate`: methods on bugs whose guilty files are known.

use super::work::AtWork;
use crate::args;
use crate::command::isolate::{formula, method};
use crate::exit::{Failure, NOTHING};
use crate::{amount, controlled, ctrl_c, shown};
use base::atomic_write;
use campaign::{Isolator, Stop, Worked};
use eval::{
    BenchBug, BenchError, IsolationChunks, IsolationEvalError, IsolationExperiment, IsolationRun,
    IsolationSummary, MethodWith, pictures, read_bench, summarise,
};
use isolate::Parameters;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;
use toolchain::Compiler;

pub fn run(args: &args::EvalIsolate) -> Result<u8, Failure> {
    let isolator = isolator(args)?;
    let experiment = experiment(args, &isolator)?;
    let runs = match args.cluster.on {
        Some(_) => match on_cluster(args, &experiment)? {
            Some(runs) => runs,
            None => return Ok(NOTHING),
        },
        None => here(&experiment)?,
    };
    summarise_runs(args, &runs)
}

fn isolator(args: &args::EvalIsolate) -> Result<Isolator, Failure> {
    Ok(Isolator::open(Arc::new(Compiler::named(&args.compiler)?), !args.no_screen)?)
}

fn experiment<'a>(
    args: &args::EvalIsolate,
    isolator: &'a Isolator,
) -> Result<IsolationExperiment<'a>, Failure> {
    let mut bugs = read_bench(&args.bench)?;
    select(&mut bugs, args)?;
    // A job on a cluster makes one run after the other, with as many cores as it asks for.
    let is_on_cluster = args.cluster.on.is_some();
    let side_by_side = if is_on_cluster { 1 } else { args.side_by_side.clamp(1, 256) };
    let cores = if is_on_cluster { 1 } else { amount::jobs(None)? };
    let limit = |is_meant: bool| {
        let is_meant = is_meant && args.evaluations.is_none();
        is_meant.then(|| amount::time(&args.budget)).transpose()
    };
    Ok(IsolationExperiment {
        isolator,
        bugs,
        methods: methods(args)?,
        seeds: (args.seed..args.seed.saturating_add(args.repeats.max(1))).collect(),
        time: limit(!args.cpu)?,
        cpu: limit(args.cpu)?,
        spectra: args.spectra,
        evaluations: args.evaluations,
        formula: formula(&args.formula)?,
        screen: !args.no_screen,
        side_by_side,
        jobs: match args.jobs {
            Some(jobs) => amount::jobs(Some(jobs))?,
            None => (cores / side_by_side).max(1),
        },
        out: args.out.clone(),
    })
}

/// What a run came to, in a line.
fn said(run: &IsolationRun) -> String {
    let said = match (&run.error, run.first_rank()) {
        (Some(error), _) => format!("no answer: {error}"),
        (None, Some(rank)) => format!(
            "rank {rank} of {}, {} of {}, {:.0} s",
            run.files,
            shown::plural_es(run.witnesses, "witness"),
            shown::plural(run.evaluations, "evaluation"),
            run.seconds
        ),
        (None, None) => "nothing".to_owned(),
    };
    format!("{} {} seed {}: {said}", run.bug, run.method, run.seed)
}

fn here(experiment: &IsolationExperiment<'_>) -> Result<Vec<IsolationRun>, Failure> {
    let scratch = crate::scratch::in_memory()?;
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping; the same command goes on")?;
    let told = |run: &IsolationRun, done, all| eprintln!("{done} of {all}: {}", said(run));
    Ok(experiment.run(scratch.path(), &|| stop.is_requested(), &told)?)
}

/// The runs that are there when it ends; nothing where it was only to be said what would be done.
fn on_cluster(
    args: &args::EvalIsolate,
    experiment: &IsolationExperiment<'_>,
) -> Result<Option<Vec<IsolationRun>>, Failure> {
    let length = controlled::chunk_length(&args.cluster)?;
    let told = |run: &IsolationRun| eprintln!("{}", said(run));
    let mut chunks = IsolationChunks::new(experiment, length, &told)?;
    let memory = experiment.memory();
    let resources = controlled::resources(&args.cluster, experiment.jobs, memory)?;
    let go_on = controlled::control(&args.cluster, resources, &args.out, &mut chunks)?;
    Ok(if go_on { Some(chunks.runs()?) } else { None })
}

/// One chunk, in a job of a cluster.
pub fn work(args: &args::EvalIsolate, job: &AtWork) -> Result<Worked, Failure> {
    let isolator = isolator(args)?;
    let experiment = experiment(args, &isolator)?;
    job.is_set_up();
    let scratch = crate::scratch::in_memory()?;
    let stop = &job.stop;
    let lines = experiment.work(&job.assignment.chunk, scratch.path(), &|| stop.is_requested())?;
    Ok(Worked::Parcel(lines))
}

fn summarise_runs(args: &args::EvalIsolate, runs: &[IsolationRun]) -> Result<u8, Failure> {
    let summary = summarise(runs);
    for (name, picture) in pictures(runs) {
        let path = args.out.join(name);
        atomic_write(&path, picture.as_bytes())
            .map_err(|error| Failure::ours(format!("cannot write {}: {error}", path.display())))?;
    }
    if args.json {
        println!("{}", document(&summary, runs));
    } else {
        print!("{}", text(&summary));
        println!("\nruns and pictures: {}", args.out.display());
    }
    Ok(NOTHING)
}

fn select(bugs: &mut Vec<BenchBug>, args: &args::EvalIsolate) -> Result<(), Failure> {
    if let Some(missing) = args.only.iter().find(|id| !bugs.iter().any(|bug| bug.id == **id)) {
        let bench = args.bench.display();
        return Err(Failure::input(format!("{bench} has no bug {missing}")));
    }
    bugs.retain(|bug| {
        args.kind.as_ref().is_none_or(|kind| bug.kind == *kind)
            && (args.only.is_empty() || args.only.contains(&bug.id))
    });
    if bugs.is_empty() {
        return Err(Failure::input("no bug of the benchmark is left by --kind and --only"));
    }
    Ok(())
}

/// Each method with each combination of values.
fn methods(args: &args::EvalIsolate) -> Result<Vec<MethodWith>, Failure> {
    let mut all = Vec::new();
    for name in &args.methods {
        let method = method(name.trim())?;
        let plain =
            MethodWith { name: method.name.to_owned(), method, parameters: Parameters::default() };
        all.push(plain);
    }
    for setting in &args.settings {
        let (name, values) = setting
            .split_once('=')
            .ok_or_else(|| Failure::input(format!("--set {setting}: say NAME=VALUE,VALUE")))?;
        let mut with = Vec::new();
        for method in &all {
            for value in values.split(',').map(str::trim) {
                let mut one = method.clone();
                one.parameters.set(name.trim(), value).map_err(Failure::input)?;
                one.name = format!("{} {}={value}", method.name, name.trim());
                with.push(one);
            }
        }
        all = with;
    }
    if args.ablate {
        let with_ablations = all.into_iter().flat_map(|method| {
            let parts = if method.method.weighs() { &Parameters::WEIGHTS[..] } else { &[] };
            let without = parts.iter().filter_map(|(part, off)| {
                let mut one = method.clone();
                one.parameters.set(part, &off.to_string()).expect("it is a weight");
                one.name = format!("{} {part}={off}", method.name);
                (one.parameters != method.parameters).then_some(one)
            });
            let without: Vec<MethodWith> = without.collect();
            [method].into_iter().chain(without)
        });
        all = with_ablations.collect();
    }
    Ok(all)
}

/// JSON has no number for what can't be computed.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}

fn document(summary: &IsolationSummary, runs: &[IsolationRun]) -> Value {
    let methods: Vec<Value> = summary
        .methods
        .iter()
        .map(|row| {
            json!({
                "name": row.name, "kind": row.kind, "bugs": row.bugs, "failed": row.failed,
                "top1": row.top1, "top5": row.top5, "top10": row.top10, "top20": row.top20,
                "top_mean": row.top_mean, "mfr": number(row.mfr), "mar": number(row.mar),
                "median": number(row.median), "witnesses": number(row.witnesses),
                "evaluations_per_second": number(row.rate),
                "similarity": number(row.similarity),
                "diversity_pairs": number(row.diversity_pairs),
                "diversity_nearest": number(row.diversity_nearest),
            })
        })
        .collect();
    json!({
        "methods": methods,
        "comparisons": summary.comparisons,
        "correlations": summary.correlations,
        "operators": summary.operators,
        "bugs": runs.iter().map(|run| json!({
            "id": run.bug, "kind": run.kind, "method": run.method, "seed": run.seed,
            "ranks": run.ranks, "error": run.error, "evaluations": run.evaluations,
            "witnesses": run.witnesses, "seconds": run.seconds,
        })).collect::<Vec<_>>(),
    })
}

fn text(summary: &IsolationSummary) -> String {
    let mut text = String::new();
    let mut kind = "";
    for row in &summary.methods {
        if row.kind != kind {
            let _ = writeln!(
                text,
                "\n{} ({} bugs)\n{:<24} {:>5} {:>5} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6}",
                row.kind,
                row.bugs,
                "method",
                "top-1",
                "top-5",
                "top-10",
                "top-20",
                "MFR",
                "MAR",
                "median",
                "failed",
                "wit.",
                "/s",
                "sim."
            );
            kind = &row.kind;
        }
        let _ = writeln!(
            text,
            "{:<24} {:>5} {:>5} {:>6} {:>6} {:>7.2} {:>7.2} {:>7.1} {:>7} {:>6.1} {:>6.1} {:>6.3}",
            row.name,
            row.top1,
            row.top5,
            row.top10,
            row.top20,
            row.mfr,
            row.mar,
            row.median,
            row.failed,
            row.witnesses,
            row.rate,
            row.similarity
        );
    }
    if !summary.comparisons.is_empty() {
        let _ = writeln!(text, "\nfirst ranks compared");
    }
    for row in &summary.comparisons {
        let _ = writeln!(
            text,
            "{} beside {}: ahead on {}, behind on {} of {}; Wilcoxon p {:.4}, Mann-Whitney p {:.4}, A12 {:.2}",
            row.one,
            row.other,
            row.ahead,
            row.behind,
            row.bugs,
            row.wilcoxon_p,
            row.mann_whitney_p,
            row.a12
        );
    }
    if !summary.correlations.is_empty() {
        let _ = writeln!(text, "\ncorrelation with the first rank");
    }
    for row in &summary.correlations {
        let _ = writeln!(
            text,
            "{} {}: r {:.2}, p {:.4} ({} runs)",
            row.method, row.property, row.r, row.p, row.runs
        );
    }
    for (method, counts) in &summary.operators {
        let mut counts: Vec<(&String, &u64)> = counts.iter().collect();
        counts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let most: Vec<String> =
            counts.iter().take(8).map(|(by, count)| format!("{count} {by}")).collect();
        if !most.is_empty() {
            let _ = writeln!(text, "\nwitnesses of {method} by: {}", most.join(", "));
        }
    }
    text
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Failure {
        Failure::input(error)
    }
}

impl From<IsolationEvalError> for Failure {
    fn from(error: IsolationEvalError) -> Failure {
        match error {
            IsolationEvalError::Isolate(error) => error.into(),
            IsolationEvalError::OtherTerms { .. } | IsolationEvalError::NoRun { .. } => {
                Failure::input(error)
            }
            IsolationEvalError::Cluster(error) => error.into(),
            IsolationEvalError::Io { .. } => Failure::ours(error),
        }
    }
}
