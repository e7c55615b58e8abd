//! `whodunit work`: what a job of a cluster does.

use crate::args::{self, Command, Eval};
use crate::exit::{Failure, NOTHING};
use base::Stopwatch;
use campaign::{Stop, Worked};
use clap::Parser;
use cluster::{Assignment, OTHER_FOLDER, Spent, WorkError};
use std::sync::Arc;
use toolchain::cpu_times;

/// The exit code of a chunk that was stopped: what waits for it is not to begin.
const UNFINISHED: u8 = 75;

/// A job, and what it has used.
pub struct AtWork {
    /// What it is to do.
    pub assignment: Assignment,
    /// Whether Slurm, or somebody, wants it to end.
    pub stop: Arc<Stop>,
    clock: Stopwatch,
    setup: std::cell::Cell<u64>,
}

impl AtWork {
    /// Now the work itself begins.
    pub fn is_set_up(&self) {
        let now = cpu_times();
        self.setup.set((now.own + now.children).as_millis() as u64);
    }

    fn spent(&self) -> Spent {
        let now = cpu_times();
        Spent {
            cpu_own_ms: now.own.as_millis() as u64,
            cpu_children_ms: now.children.as_millis() as u64,
            cpu_setup_ms: self.setup.get(),
            wall_ms: self.clock.elapsed().as_millis() as u64,
        }
    }
}

pub fn run(args: &args::Work) -> Result<u8, Failure> {
    let clock = Stopwatch::start();
    let assignment = match Assignment::read(&args.folder, &args.token, args.submission) {
        Ok(assignment) => assignment,
        Err(error @ WorkError::OtherFolder { .. }) => {
            eprintln!("whodunit: {error}");
            return Ok(OTHER_FOLDER);
        }
        Err(error @ WorkError::NoJob(_)) => return Err(Failure::input(error)),
    };
    let stop = Arc::new(Stop::default());
    crate::ctrl_c::listen(&stop, "asked to end")?;
    let setup = std::cell::Cell::new(0);
    let job = AtWork { assignment, stop, clock, setup };
    let worked = match job.assignment.other_version() {
        Some(why) => Worked::Refused(why),
        None => work(&job).unwrap_or_else(|failure| Worked::Refused(failure.message)),
    };
    let (spent, assignment) = (job.spent(), &job.assignment);
    let (sent, code) = match worked {
        Worked::Parcel(bytes) => (assignment.write(spent, &bytes), NOTHING),
        Worked::Part(bytes) => (assignment.write(spent, &bytes), UNFINISHED),
        Worked::Refused(why) => {
            eprintln!("whodunit: {why}");
            (assignment.refuse(spent, why), crate::exit::OURS)
        }
    };
    sent.map_err(|error| {
        let dir = assignment.folder.dir().display();
        Failure::ours(format!("the result can't be written to {dir}: {error}"))
    })?;
    Ok(code)
}

/// The command that was given, for one chunk.
fn work(job: &AtWork) -> Result<Worked, Failure> {
    let order = &job.assignment.order;
    std::env::set_current_dir(&order.dir).map_err(|error| {
        Failure::input(format!("{} is not on this node: {error}", order.dir.display()))
    })?;
    let given = args::Args::try_parse_from(&order.args).map_err(Failure::input)?;
    match given.command {
        Command::Hunt(args) => super::hunt::work(&args, job),
        Command::Eval(Eval::Isolate(args)) => super::eval_isolate::work(&args, job),
        Command::Eval(Eval::Hunt(args)) => super::eval_hunt::work(&args, job),
        _ => Err(Failure::input("only hunts and experiments have chunks")),
    }
}
