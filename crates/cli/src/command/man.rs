//! `whodunit man`: manual pages, one for each command.

use crate::args::{Args, Man};
use crate::exit::{Failure, NOTHING};
use clap::CommandFactory;

pub fn run(args: &Man) -> Result<u8, Failure> {
    let out = &args.out;
    std::fs::create_dir_all(out)
        .and_then(|()| clap_mangen::generate_to(Args::command(), out))
        .map_err(|error| {
            Failure::ours(format!("cannot write manual pages into {}: {error}", out.display()))
        })?;
    eprintln!("written: {}, and a page for each command", out.join("whodunit.1").display());
    Ok(NOTHING)
}
