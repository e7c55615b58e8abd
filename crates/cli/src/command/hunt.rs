//! `whodunit hunt`.

use super::work::AtWork;
use crate::amount;
use crate::args;
use crate::controlled::{self, Board, Person};
use crate::ctrl_c;
use crate::exit::{BUG, Failure, NOTHING};
use crate::shown;
use campaign::{
    Amount, Choice, Config, Ended, Event, Exclusions, Hunted, ISOLATE, Isolator, OnCluster,
    PassesConfig, Plan, Stop, TestSet, Worked, cluster_folder, hunt, hunt_on_cluster,
    plan_on_cluster, work as work_on,
};
use cluster::{Assignment, Slurm};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::Reader;
use toolchain::Compiler;
use toolchain::process::Scratch;

/// Off a terminal a line of progress is printed this often.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

pub fn run(args: &args::Hunt) -> Result<u8, Failure> {
    let config = config(args)?;
    let cpu = amount::minutes("--cpu-minutes", args.cpu_minutes)?;
    let is_on_cluster = args.cluster.on.is_some();
    if is_on_cluster && config.learn {
        return Err(Failure::input(
            "--learn decides about a program by what came of those before it, which chunks of a cluster do not wait \
             for: leave out one of --learn and --on",
        ));
    }
    if is_on_cluster {
        Slurm::find()?;
    }
    // A job on a cluster asks for as many cores as it uses.
    let cores = if is_on_cluster { 1 } else { amount::jobs(None)? };
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let kept = cluster_folder(&args.campaign).join("input");
    let choice = Choice {
        scratch: scratch.path(),
        cores,
        finishes: args.finish,
        kept: is_on_cluster.then_some(kept.as_path()),
    };
    let isolator = isolator(args)?;
    let mut plan = Plan::make(&config, choice)?;
    if let Some(cpu) = cpu {
        plan.amount = Amount::Cpu(cpu);
    }
    plan.isolator = isolator;
    if config.learn {
        plan.learn()?;
    }
    // Said before anything else, if it can't be read.
    Exclusions::read(&args.campaign)?;
    if is_on_cluster {
        return on_cluster(args, &config, &plan, scratch.path());
    }
    drop(scratch);
    announce(&plan, &args.campaign);
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping after the programs under way")?;
    let screen = Screen::default();
    let hunted = hunt(&plan, &args.campaign, &stop, &|event| screen.show(&event));
    screen.clear();
    let hunted = hunted?;
    summarise(args, &hunted)
}

fn isolator(args: &args::Hunt) -> Result<Option<Isolator>, Failure> {
    let open = |build: &str| -> Result<Isolator, Failure> {
        Ok(Isolator::open(Arc::new(Compiler::named(build)?), true)?)
    };
    args.isolate.as_deref().map(open).transpose()
}

fn on_cluster(
    args: &args::Hunt,
    config: &Config,
    plan: &Plan,
    scratch: &Path,
) -> Result<u8, Failure> {
    let memory = config.limits.limiting().compiler.memory;
    let person = Person::listen(&args.cluster)?;
    let (command, dir) = controlled::command()?;
    let on = OnCluster {
        resources: controlled::resources(&args.cluster, plan.jobs, memory)?,
        chunk: controlled::chunk_length(&args.cluster)?,
        poll: controlled::poll(&args.cluster),
        args: command,
        dir,
        wish: &|| person.wish(),
    };
    if args.cluster.dry_run {
        // A campaign that is not there is not made either.
        let is_there = args.campaign.exists();
        let campaign = if is_there { args.campaign.clone() } else { scratch.join("campaign") };
        let (_, chunks) = plan_on_cluster(plan, &campaign, &on)?;
        let folder = cluster_folder(&args.campaign);
        print!("{}", controlled::dry_run(&folder, &args.cluster, &on.resources, chunks)?);
        return Ok(NOTHING);
    }
    announce(plan, &args.campaign);
    let screen = Screen::default();
    let hunted = hunt_on_cluster(plan, &args.campaign, &on, &|event| screen.show(&event));
    screen.clear();
    let (hunted, ended) = hunted?;
    if let Some(said) = controlled::farewell(ended) {
        eprintln!("{said}");
    }
    summarise(args, &hunted)
}

/// One chunk, in a job of a cluster.
pub fn work(args: &args::Hunt, job: &AtWork) -> Result<Worked, Failure> {
    let config = config(args)?;
    let Assignment { folder, order, chunk, .. } = &job.assignment;
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let kept = folder.input("");
    let choice = Choice { scratch: scratch.path(), cores: 1, finishes: true, kept: Some(&kept) };
    let mut plan = Plan::make(&config, choice)?;
    if chunk.stage == ISOLATE {
        plan.isolator = isolator(args)?;
    }
    job.is_set_up();
    let screen = Screen::default();
    let local = scratch.path().join("campaign");
    let told = |event: Event| screen.show(&event);
    Ok(work_on(&mut plan, &order.terms, folder, chunk, &local, &job.stop, &told)?)
}

/// The config with the flags over it.
fn config(args: &args::Hunt) -> Result<Config, Failure> {
    let here = Path::new("whodunit.toml");
    let mut config = match &args.config {
        Some(path) => Config::read(path)?,
        None if here.is_file() => Config::read(here)?,
        None => Config::default(),
    };
    config.seed = args.seed.or(config.seed);
    config.jobs = args.jobs.or(config.jobs);
    config.source = args.source.clone().or(config.source);
    config.reduce.tries = args.reduce_tries.or(config.reduce.tries);
    config.known = args.known.clone().or(config.known);
    config.baseline = args.baseline.clone().or(config.baseline);
    config.learn |= args.learn;
    if args.passes {
        config.passes = config.passes.or_else(|| Some(PassesConfig::default()));
    }
    if args.programs.is_some() || args.minutes.is_some() || args.cpu_minutes.is_some() {
        (config.programs, config.minutes) = (args.programs, args.minutes);
    }
    amount::jobs(config.jobs)?;
    if config.programs == Some(0) {
        return Err(Failure::input("--programs must be at least 1"));
    }
    amount::minutes("--minutes", config.minutes)?;
    if !args.compilers.is_empty() {
        let levels = (!args.args.is_empty()).then(|| args.args.clone());
        config.sets =
            vec![TestSet { compilers: args.compilers.clone(), levels, ..TestSet::default() }];
    }
    Ok(config)
}

fn announce(plan: &Plan, campaign: &Path) {
    for (label, why) in &plan.left_out {
        eprintln!("left out: {label}: {why}");
    }
    let names: Vec<String> = plan.compilers().iter().map(|c| c.name.clone()).collect();
    eprintln!(
        "hunting with {} ({} configurations), programs from {}, seed {}, {}",
        names.join(", "),
        plan.configurations_per_program(),
        plan.source_in_words(),
        plan.seed,
        shown::plural(plan.jobs as u64, "job"),
    );
    eprintln!("campaign: {}", campaign.display());
}

/// Progress on standard error: a line that is rewritten on a terminal, plain lines elsewhere.
#[derive(Default)]
pub(super) struct Screen {
    last_plain: Mutex<Duration>,
    board: Board,
}

impl Screen {
    pub(super) fn show(&self, event: &Event) {
        let terminal = std::io::stderr().is_terminal();
        match event {
            Event::Started { done_before: 0 } => {}
            Event::Started { done_before } => {
                eprintln!("going on after {}", shown::plural(*done_before, "program"));
            }
            Event::Progress(snapshot) if terminal => {
                eprint!("\r\x1b[K{}", shown::progress(snapshot));
                let _ = std::io::stderr().flush();
            }
            Event::Progress(snapshot) => {
                let mut last = self.last_plain.lock().expect("no panic while printing");
                if snapshot.elapsed >= *last + PLAIN_EVERY {
                    *last = snapshot.elapsed;
                    eprintln!("{}", shown::progress(snapshot));
                }
            }
            Event::Found { id, kind, culprits, signature } => {
                self.clear();
                eprintln!(
                    "found {id}: {kind} by {}: {signature}",
                    shown::briefly(culprits).join(", ")
                );
            }
            Event::Reduced { id, before, after, why_not } => {
                self.clear();
                match (after, why_not) {
                    (Some(after), _) => eprintln!("reduced {id}: {before} → {after} bytes"),
                    (None, why) => {
                        eprintln!("not reduced {id}: {}", why.as_deref().unwrap_or_default());
                    }
                }
            }
            Event::Repeats { id, of, evidence } => {
                self.clear();
                eprintln!("{id} is {of} again ({})", evidence.join("; "));
            }
            Event::Looked { id, title } => {
                self.clear();
                eprintln!("bug {id}: {title}");
            }
            Event::Isolated { id, answer } => {
                self.clear();
                match answer {
                    Ok(files) => eprintln!("suspicious for {id}: {}", files.join(", ")),
                    Err(why) => eprintln!("not isolated {id}: {why}"),
                }
            }
            Event::Cluster(told) => self.board.show(told),
            Event::NotReducing(why) => eprintln!("findings are not reduced: {why}"),
            Event::Trouble(what) => {
                self.clear();
                eprintln!("machine trouble, will try again: {what}");
            }
        }
    }

    fn clear(&self) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}

fn summarise(args: &args::Hunt, hunted: &Hunted) -> Result<u8, Failure> {
    let reader = Reader::open(&args.campaign)?;
    let counts = reader.counts()?;
    if args.json {
        let document = json!({
            "campaign": args.campaign,
            "ended": match hunted.ended { Ended::Done => "done", Ended::Stopped => "stopped" },
            "resumed": hunted.resumed,
            "programs": counts.programs,
            "outcomes": counts.by_outcome,
            "findings": counts.findings,
            "kinds": counts.by_kind,
            "session": {
                "programs": hunted.last.programs,
                "findings": hunted.last.findings,
                "not_comparable": hunted.last.not_comparable,
                "usage": hunted.usage,
            },
        });
        println!("{document}");
    } else {
        print!("{}", super::status::summary(&args.campaign, &reader)?);
        if hunted.ended == Ended::Stopped && args.cluster.on.is_none() {
            println!("stopped; the same command goes on");
        }
    }
    Ok(if counts.findings > 0 { BUG } else { NOTHING })
}
