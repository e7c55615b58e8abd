//! The command line: arguments and config in, one call, a summary and an exit code out.

mod amount;
mod args;
mod command;
mod controlled;
mod ctrl_c;
mod exit;
mod ink;
#[cfg(test)]
mod reference;
mod scratch;
mod shown;
mod sides;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    end_with_whoever_reads();
    let args = args::Args::parse();
    match command::run(args.command) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("whodunit: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

/// Nobody reads on (`whodunit doctor | head`): that is an end, not a failure of ours. What `print!` makes of it
/// is a panic with this message.
fn end_with_whoever_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.payload().downcast_ref::<String>();
        let is_end = |said: &String| {
            said.starts_with("failed printing to stdout") && said.contains("Broken pipe")
        };
        if said.is_some_and(is_end) {
            std::process::exit(0);
        }
        usual(panic);
    }));
}
