//! What commands that work on a cluster have in common: from arguments to what jobs ask for, and what a user wants
//! while they run.

use crate::args;
use crate::exit::Failure;
use cluster::{
    Chunk, Controller, Folder, Order, Resources, Site, Slurm, Standing, Submission, Told, Wish,
    Workload,
};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minutes of a chunk where nobody says another number: long beside what a job costs to start, short beside what a
/// dead node loses.
const CHUNK_MINUTES: f64 = 15.0;

/// Off a terminal, how far chunks are is said this often, if it has changed.
const PLAIN_EVERY: Duration = Duration::from_secs(30);

/// What each job asks for. `memory` is what a compiler may use, in bytes.
pub fn resources(args: &args::OnCluster, jobs: usize, memory: u64) -> Result<Resources, Failure> {
    if args.at_once == Some(0) {
        return Err(Failure::input("--at-once must be at least 1"));
    }
    let program = std::env::current_exe()
        .map_err(|error| Failure::ours(format!("cannot tell where whodunit is: {error}")))?;
    let megabytes = (memory >> 20) * jobs as u64 + 1024;
    Ok(Resources {
        partition: args.partition.clone(),
        account: args.account.clone(),
        time: args.time.clone(),
        memory: Some(args.mem.clone().unwrap_or_else(|| format!("{megabytes}M"))),
        cores: jobs,
        at_once: args.at_once,
        modules: args.modules.clone(),
        sbatch: args.sbatch_arg.clone(),
        program,
    })
}

/// How long a chunk takes.
pub fn chunk_length(args: &args::OnCluster) -> Result<Duration, Failure> {
    let minutes = args.chunk_minutes.unwrap_or(CHUNK_MINUTES);
    match minutes > 0.0 && minutes < 1e5 {
        true => Ok(Duration::from_secs_f64(minutes * 60.0)),
        false => Err(Failure::input("--chunk-minutes must be more than 0")),
    }
}

/// How often Slurm is asked.
pub fn poll(args: &args::OnCluster) -> Duration {
    Duration::from_secs(args.poll.max(1))
}

/// This command and where it was given, for workers to give again.
pub fn command() -> Result<(Vec<String>, std::path::PathBuf), Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::ours(format!("cannot tell which folder this is: {error}")))?;
    Ok((std::env::args().collect(), here))
}

/// Whoever sits before the terminal, or nobody.
pub struct Person {
    asked: Arc<AtomicBool>,
    detach: bool,
    cancel: bool,
}

impl Person {
    /// Listens to Ctrl-C.
    pub fn listen(args: &args::OnCluster) -> Result<Person, Failure> {
        let asked = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&asked);
        ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst))
            .map_err(|error| Failure::ours(format!("cannot listen to Ctrl-C: {error}")))?;
        Ok(Person { asked, detach: args.detach, cancel: args.cancel })
    }

    /// What is wanted now; asks, if Ctrl-C was pressed and there is somebody to ask.
    pub fn wish(&self) -> Wish {
        if self.cancel {
            return Wish::Cancel;
        }
        if self.detach {
            return Wish::Leave;
        }
        if !self.asked.swap(false, Ordering::SeqCst) {
            return Wish::GoOn;
        }
        if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
            return Wish::Leave;
        }
        loop {
            eprint!("\njobs are in the queue: [l]eave them there, [c]ancel them, or [g]o on? ");
            let _ = std::io::stderr().flush();
            let mut answer = String::new();
            match std::io::stdin().read_line(&mut answer) {
                Ok(0) | Err(_) => return Wish::Leave,
                Ok(_) => match answer.trim().to_lowercase().as_str() {
                    "l" | "leave" => return Wish::Leave,
                    "c" | "cancel" => return Wish::Cancel,
                    "g" | "go on" | "go" => {
                        self.asked.store(false, Ordering::SeqCst);
                        return Wish::GoOn;
                    }
                    _ => {}
                },
            }
        }
    }
}

/// How the end is said, if it is not that all is done.
pub fn farewell(ended: cluster::Ended) -> Option<&'static str> {
    match ended {
        cluster::Ended::Done => None,
        cluster::Ended::Left => Some(
            "jobs are left in the queue; the same command without --detach takes up their results",
        ),
        cluster::Ended::Cancelled => {
            Some("jobs are cancelled; the same command without --cancel goes on")
        }
    }
}

/// What happens on the cluster, on standard error.
#[derive(Default)]
pub struct Board {
    last: Mutex<Option<(Instant, Standing)>>,
}

impl Board {
    pub fn show(&self, told: &Told) {
        match told {
            Told::Submitted { job, stage, chunks } => {
                eprintln!("submitted job {job}: {chunks} × {stage}");
            }
            Told::Done { .. } => {}
            Told::Lost { chunk, why } => eprintln!("{chunk} {why}; it is submitted again"),
            Told::Waiting(why) => eprintln!("waiting: {why}"),
            Told::Clock { host, ahead } => eprintln!(
                "the clock of {host} is {ahead} s ahead of this one; nothing depends on it but times in logs"
            ),
            Told::Standing(standing) => self.standing(standing),
        }
    }

    fn standing(&self, standing: &Standing) {
        let mut last = self.last.lock().expect("no panic while printing");
        let terminal = std::io::stderr().is_terminal();
        let is_time = match &*last {
            None => true,
            Some((when, before)) => {
                before != standing && (terminal || when.elapsed() >= PLAIN_EVERY)
            }
        };
        if is_time {
            let line = format!("chunks: {}", standing.in_words());
            if terminal {
                eprint!("\r\x1b[K{line}");
                let _ = std::io::stderr().flush();
            } else {
                eprintln!("{line}");
            }
            *last = Some((Instant::now(), standing.clone()));
        }
    }
}

/// An experiment's chunks, from their first to their last, or as far as a user wants. False: it was only said what would
/// be done.
pub fn control<W: Workload>(
    args: &args::OnCluster,
    resources: Resources,
    out: &Path,
    workload: &mut W,
) -> Result<bool, Failure>
where
    Failure: From<W::Error>,
{
    let place = out.join("slurm");
    if args.dry_run {
        let chunks = workload.next(&[], 64)?;
        print!("{}", dry_run(&place, args, &resources, chunks)?);
        return Ok(false);
    }
    let failed = |error| Failure::ours(format!("{}: {error}", place.display()));
    std::fs::create_dir_all(&place).map_err(failed)?;
    let folder = Folder::new(place.canonicalize().map_err(failed)?);
    let (command, here) = command()?;
    folder.prepare(command, here, serde_json::Value::Null)?;
    let person = Person::listen(args)?;
    let board = Board::default();
    let told = |told: Told| board.show(&told);
    let mut controller = Controller::open(folder, resources, poll(args), &told)?;
    let ended = controller.run(workload, &|| person.wish())?;
    if let Some(said) = farewell(ended) {
        eprintln!("{said}");
    }
    Ok(true)
}

/// What would be submitted, as text.
pub fn dry_run(
    dir: &Path,
    args: &args::OnCluster,
    resources: &Resources,
    chunks: Vec<Chunk>,
) -> Result<String, Failure> {
    let slurm = Slurm::find()?;
    let site = Site::ask(&slurm, args.partition.as_deref())?;
    for chunk in &chunks {
        site.allows(chunk.seconds)?;
    }
    let folder = Folder::new(std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()));
    let (args, here) = command()?;
    let order = Order {
        token: "TOKEN".to_owned(),
        whodunit: String::new(),
        args,
        dir: here,
        terms: serde_json::Value::Null,
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "site: partition {}, arrays of up to {} jobs, at most {} of ours in the queue",
        site.partition,
        site.array,
        site.room()
    );
    let count = chunks.len();
    let first = chunks.into_iter().take(site.array.min(site.room()));
    let submission = Submission { number: 1, chunks: (0..).zip(first).collect(), after: None };
    let _ = writeln!(text, "first chunks: {count}");
    for (_, chunk) in submission.chunks.iter().take(5) {
        let _ = writeln!(text, "  {} ({} s)", chunk.name, chunk.seconds);
    }
    let _ = writeln!(text, "sbatch {}", submission.args(&folder, &order, resources).join(" "));
    text.push_str(&submission.script(&folder, &order, resources));
    Ok(text)
}
