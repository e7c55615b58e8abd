//! `whodunit completions`: what a shell needs to complete commands and options.

use crate::args::{Args, Completions};
use crate::exit::{Failure, NOTHING};
use clap::CommandFactory;

pub fn run(args: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "whodunit", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(NOTHING)
}
