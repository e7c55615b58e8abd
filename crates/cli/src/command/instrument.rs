//! `whodunit instrument`: a build of a compiler whose every block counts.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use coverage::instrument::{From, InstrumentError, Kind, Progress, Request, instrument};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::thread;
use std::time::Duration;
use toolchain::process::{self, ProcessError};

pub fn run(args: &args::Instrument) -> Result<u8, Failure> {
    let kind = match args.compiler.as_str() {
        "gcc" => Kind::Gcc,
        "llvm" => Kind::Llvm,
        "tcc" => Kind::Tcc,
        other => {
            return Err(Failure::input(format!(
                "no recipe for '{other}': gcc, llvm and tcc can be built"
            )));
        }
    };
    let from = match (&args.source, &args.debian) {
        (Some(folder), None) => From::Folder(folder.clone()),
        (None, Some(package)) => From::Debian(package.clone()),
        _ => {
            return Err(Failure::input(
                "say where the source is: --source DIR or --debian PACKAGE",
            ));
        }
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let request = Request {
        kind,
        from,
        out: args.out.clone(),
        jobs: args.jobs.map_or_else(cores, |jobs| jobs.max(1) as usize),
        cxx: args.cxx,
        clang: args.clang,
        assertions: args.assertions,
        checking: args.checking,
        stats: args.stats,
    };
    ctrlc::set_handler(process::interrupt_all)
        .map_err(|error| Failure::ours(format!("cannot listen to Ctrl-C: {error}")))?;
    let mut teller = Teller::default();
    let manifest = instrument(&request, &mut |progress| teller.tell(&progress))?;
    teller.end();
    if args.json {
        println!("{}", json!({ "build": args.out, "manifest": manifest }));
    } else {
        println!("{} {} in {}", manifest.family, manifest.compiler_version, args.out.display());
        for part in &manifest.parts {
            println!("  {}: {} edges", part.role, part.edges);
        }
        println!("use it as a compiler: --compiler {}", shown::as_path(&args.out));
    }
    Ok(NOTHING)
}

/// Progress on standard error: a line that changes on a terminal; elsewhere a line a step, and one a
/// minute.
#[derive(Default)]
struct Teller {
    step: String,
    at: Duration,
}

impl Teller {
    fn tell(&mut self, progress: &Progress) {
        let done = progress.done.map(|(done, all)| format!(", {done} of {all}"));
        let left = progress.left.map(|left| format!(", {} left", shown::duration(left)));
        let line = format!(
            "{}: {}{}{}",
            shown::duration(progress.elapsed),
            progress.step,
            done.unwrap_or_default(),
            left.unwrap_or_default()
        );
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K{line}");
            let _ = std::io::stderr().flush();
        } else if self.step != progress.step || progress.elapsed >= self.at + MINUTE {
            eprintln!("{line}");
            (self.step, self.at) = (progress.step.clone(), progress.elapsed);
        }
    }

    fn end(&self) {
        if std::io::stderr().is_terminal() {
            eprintln!();
        }
    }
}

const MINUTE: Duration = Duration::from_secs(60);

impl std::convert::From<InstrumentError> for Failure {
    fn from(error: InstrumentError) -> Failure {
        use InstrumentError as E;
        match error {
            E::Compiler(error) => error.into(),
            E::Process(ProcessError::Interrupted { .. }) => {
                Failure::ours("stopped; the same command goes on from here")
            }
            E::Refused(_) | E::Exists(_) | E::NotSource { .. } | E::Missing(_) | E::Front(_) => {
                Failure::input(error)
            }
            _ => Failure::ours(error),
        }
    }
}
