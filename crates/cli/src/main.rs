//! The command line: arguments and config in, one call, a summary and an exit code out.

mod amount;
mod args;
mod command;
mod ctrl_c;
mod exit;
mod scratch;
mod shown;

use clap::Parser;
use std::process::ExitCode;
use toolchain::process::Heap;

#[global_allocator]
static HEAP: Heap = Heap;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match command::run(args.command) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("whodunit: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}
