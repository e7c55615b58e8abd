//! One file a command.

mod bisect;
mod bugs;
mod check;
mod completions;
mod cover;
mod doctor;
mod eval_coverage;
mod eval_gen;
mod eval_hunt;
mod eval_isolate;
mod generate;
mod hunt;
mod instrument;
mod isolate;
mod man;
mod recheck;
mod reduce;
mod replay;
mod report;
mod serve;
mod status;
mod work;

use crate::args::{Command, Eval};
use crate::exit::Failure;

/// Does what was said; the exit code of success tells what was found.
pub fn run(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Doctor(args) => doctor::run(&args),
        Command::Gen(args) => generate::run(&args),
        Command::Hunt(args) => hunt::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Bisect(args) => bisect::run(&args),
        Command::Bugs(args) => bugs::run(&args),
        Command::Recheck(args) => recheck::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Instrument(args) => instrument::run(&args),
        Command::Cover(args) => cover::run(&args),
        Command::Isolate(args) => isolate::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Work(args) => work::run(&args),
        Command::Interesting(args) => reduce::interesting(&args),
        Command::Eval(Eval::Gen(args)) => eval_gen::run(&args),
        Command::Eval(Eval::Coverage(args)) => eval_coverage::run(&args),
        Command::Eval(Eval::Isolate(args)) => eval_isolate::run(&args),
        Command::Eval(Eval::Hunt(args)) => eval_hunt::run(&args),
    }
}
