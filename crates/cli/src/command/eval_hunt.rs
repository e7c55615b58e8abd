//! `whodunit eval hunt`: ways to choose programs and pass sequences, side by side.

use super::hunt::Screen;
use super::work::AtWork;
use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::{amount, controlled, ctrl_c};
use campaign::{Config, Stop, TestSet, Worked};
use eval::{
    HuntChunks, HuntExperiment, HuntRun, HuntSummary, HuntingError, PassCount, summarise_hunts,
};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use toolchain::process::Scratch;

pub fn run(args: &args::EvalHunt) -> Result<u8, Failure> {
    let experiment = experiment(args)?;
    let runs = match args.cluster.on {
        Some(_) => match on_cluster(args, &experiment)? {
            true => experiment.all_kept(),
            false => return Ok(NOTHING),
        },
        None => here(&experiment)?,
    };
    let summary = summarise_hunts(&runs);
    if args.json {
        println!("{}", json!({ "summary": summary, "hunts": runs }));
    } else {
        print!("{}", text(&summary, &runs));
        println!("\ncampaigns: {}", args.out.display());
    }
    Ok(NOTHING)
}

fn experiment(args: &args::EvalHunt) -> Result<HuntExperiment, Failure> {
    let here = Path::new("whodunit.toml");
    let mut base = match &args.config {
        Some(path) => Config::read(path)?,
        None if here.is_file() => Config::read(here)?,
        None => Config::default(),
    };
    if !args.compilers.is_empty() {
        base.sets = vec![TestSet { compilers: args.compilers.clone(), ..TestSet::default() }];
    }
    let variants = args.variants.iter().map(|text| text.parse()).collect::<Result<_, _>>();
    // A job on a cluster asks for as many cores as it uses.
    let is_on_cluster = args.cluster.on.is_some();
    let cores = match base.jobs {
        Some(jobs) if is_on_cluster => amount::jobs(Some(jobs))?,
        None if is_on_cluster => 1,
        _ => amount::jobs(None)?,
    };
    Ok(HuntExperiment {
        base,
        variants: variants.map_err(|error: String| Failure::input(error))?,
        seeds: (args.seed..args.seed.saturating_add(args.repeats.max(1))).collect(),
        cpu: amount::minutes("--cpu-minutes", Some(args.cpu_minutes))?.unwrap_or_default(),
        cores,
        out: args.out.clone(),
    })
}

fn here(experiment: &HuntExperiment) -> Result<Vec<HuntRun>, Failure> {
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping; the same command goes on")?;
    let screen = Screen::default();
    Ok(experiment.run(scratch.path(), &stop, &|name, event| {
        if let campaign::Event::Started { .. } = event {
            eprintln!("{name}");
        }
        screen.show(&event);
    })?)
}

/// False where it was only to be said what would be done.
fn on_cluster(args: &args::EvalHunt, experiment: &HuntExperiment) -> Result<bool, Failure> {
    let told = |run: &HuntRun| {
        eprintln!("{}-{}: {} of {} programs", run.variant, run.seed, run.total(), run.programs);
    };
    let memory = experiment.base.limits.limiting().compiler.memory;
    let resources = controlled::resources(&args.cluster, experiment.cores, memory)?;
    let mut chunks = HuntChunks::new(experiment, &told);
    controlled::control(&args.cluster, resources, &args.out, &mut chunks)
}

/// One chunk, in a job of a cluster.
pub fn work(args: &args::EvalHunt, job: &AtWork) -> Result<Worked, Failure> {
    let experiment = experiment(args)?;
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    job.is_set_up();
    let screen = Screen::default();
    let told = |event: campaign::Event| screen.show(&event);
    let done = experiment.work(&job.assignment.chunk, scratch.path(), &job.stop, &told)?;
    let stopped = || Worked::Refused("it was stopped before its end".to_owned());
    Ok(done.map_or_else(stopped, Worked::Parcel))
}

fn text(summary: &HuntSummary, runs: &[HuntRun]) -> String {
    let mut text = String::new();
    let kinds: Vec<&String> =
        summary.variants.first().map(|row| row.bugs.keys().collect()).unwrap_or_default();
    let _ = write!(text, "{:<14} {:>5} {:>9} {:>9}", "chosen by", "hunts", "programs", "findings");
    for kind in &kinds {
        let _ = write!(text, " {kind:>16}");
    }
    text.push_str("       edges\n");
    for row in &summary.variants {
        let _ = write!(
            text,
            "{:<14} {:>5} {:>9.1} {:>9.1}",
            row.variant, row.hunts, row.programs, row.findings
        );
        for kind in &kinds {
            let bugs = &row.bugs[*kind];
            let said = format!("{:.1} ({} to {})", bugs.mean, bugs.least, bugs.most);
            let _ = write!(text, " {said:>16}");
        }
        let edges = row.edges.map_or_else(|| "–".to_owned(), |edges| format!("{edges:.0}"));
        let _ = writeln!(text, " {edges:>11}");
    }
    for row in &summary.comparisons {
        let _ = writeln!(
            text,
            "{} beside {}: Mann-Whitney p {:.4}, A12 {:.2}",
            row.one, row.other, row.mann_whitney_p, row.a12
        );
    }
    let list = |passes: &[PassCount]| -> String {
        let first = passes.iter().take(20);
        first.map(|pass| format!("{} {}", pass.count, pass.pass)).collect::<Vec<_>>().join(", ")
    };
    let sequences: usize = runs.iter().map(|run| run.sequences.len()).sum();
    if sequences > 0 {
        let _ = writeln!(
            text,
            "\nlast passes of {sequences} shortest sequences: {}",
            list(&summary.last)
        );
        let _ = writeln!(text, "all of their passes: {}", list(&summary.used));
    }
    text
}

impl From<HuntingError> for Failure {
    fn from(error: HuntingError) -> Failure {
        match error {
            HuntingError::Plan(error) => error.into(),
            HuntingError::Store(error) => error.into(),
            HuntingError::Coverage(error) => Failure::input(error),
            HuntingError::Cluster(error) => error.into(),
            error @ HuntingError::Io { .. } => Failure::ours(error),
            HuntingError::Hunt { source, campaign } => {
                let failure: Failure = (*source).into();
                Failure {
                    message: format!("{}: {}", campaign.display(), failure.message),
                    ..failure
                }
            }
        }
    }
}
