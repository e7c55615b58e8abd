//! `whodunit reduce`: a failing program made small.

use crate::amount;
use crate::args;
use crate::ctrl_c;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use crate::sides::{passing, taken};
use base::{Budget, Stopwatch, atomic_write};
use campaign::{
    OutsideTool, Reduced, Reduction, Stop, Told, ask_server, reduce_program, witnesses_of,
};
use oracle::{Limiting, ScreenResult, Screener};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use toolchain::process::Scratch;
use toolchain::{Compiler, Configuration, Program, discover};

/// How often progress is shown, and improvements are written.
const EVERY: Duration = Duration::from_secs(2);

pub fn run(args: &args::Reduce) -> Result<u8, Failure> {
    let with = tool(&args.with)?;
    let budget = budget(args)?;
    let program = read(&args.failing.file)?;
    let compiler = Arc::new(Compiler::named(&args.failing.compiler)?);
    let configuration = |text: &str| Configuration::new(Arc::clone(&compiler), text);
    let args::Failing { fail, pass, pass_compiler, .. } = &args.failing;
    let pass = passing(&compiler, fail, pass, pass_compiler.as_deref())?;
    let fail = configuration(fail);
    let known: Vec<Arc<Compiler>> = discover().compilers.into_iter().map(Arc::new).collect();
    let limiting = Limiting::default();
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    taken(&program, &compiler, [&fail].into_iter().chain(&pass), scratch.path())?;
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping with the smallest so far")?;
    let shower = Shower::new(args.out.as_deref(), &program);
    let reduction = Reduction {
        others: witnesses_of(&fail, program.language, &known),
        screener: (!args.no_screen).then(|| Screener::new(&known, limiting)),
        program: &program,
        fail,
        pass,
        limiting,
        jobs: amount::jobs(args.jobs)?,
        budget,
        yes: 1,
        with,
        journal: args.journal.clone(),
        scratch: scratch.path(),
        stop: &|| stop.is_requested(),
        tell: &|told| shower.show(told),
    };
    let reduced = reduce_program(&reduction);
    shower.clear();
    let reduced = reduced?;
    write(args, &reduced.program)?;
    if args.json {
        println!("{}", document(args, &program, &reduced, shower.watch.elapsed()));
    } else {
        eprint!("{}", summary(args, &program, &reduced, shower.watch.elapsed()));
    }
    Ok(NOTHING)
}

/// The question of an outside reducer's script: 0 is yes.
pub fn interesting(args: &args::Interesting) -> Result<u8, Failure> {
    let answer = ask_server(&args.socket, &args.file).map_err(Failure::ours)?;
    Ok(u8::from(!answer))
}

fn tool(name: &str) -> Result<Option<OutsideTool>, Failure> {
    let name = match name {
        "own" => return Ok(None),
        "cvise" => "cvise",
        "creduce" => "creduce",
        "llvm-reduce" => "llvm-reduce",
        other => {
            let message =
                format!("no reducer is called '{other}': own, cvise, creduce or llvm-reduce");
            return Err(Failure::input(message));
        }
    };
    let this = std::env::current_exe().map_err(Failure::ours)?;
    Ok(Some(OutsideTool {
        name,
        ask: vec![this.to_string_lossy().into_owned(), "interesting".to_owned()],
    }))
}

fn budget(args: &args::Reduce) -> Result<Budget, Failure> {
    if args.tries == Some(0) {
        return Err(Failure::input("--tries must be at least 1"));
    }
    Ok(Budget::new(amount::minutes("--minutes", args.minutes)?, args.tries))
}

fn read(path: &Path) -> Result<Program, Failure> {
    Ok(if path.is_dir() { Program::read_folder(path)? } else { Program::read_file(path)? })
}

/// Progress on standard error, and improvements in the file that was named.
struct Shower<'a> {
    out: Option<&'a Path>,
    watch: Stopwatch,
    last: Mutex<(Duration, usize)>,
}

impl<'a> Shower<'a> {
    fn new(out: Option<&'a Path>, program: &Program) -> Shower<'a> {
        // Several files are written at the end: only then are they of one piece.
        let out = out.filter(|_| program.files.len() == 1);
        Shower { out, watch: Stopwatch::start(), last: Mutex::new((Duration::ZERO, usize::MAX)) }
    }

    fn show(&self, told: &Told<'_>) {
        let now = self.watch.elapsed();
        let mut last = self.last.lock().expect("no panic while printing");
        if now < last.0 + EVERY {
            return;
        }
        let progress = &told.progress;
        let line = format!(
            "{}: {} bytes, {} tokens left, {} tries ({:.1} a second), {} kept, {} slipped",
            told.what,
            told.text.len(),
            csyntax::tokens(told.text).len(),
            progress.tries,
            progress.tries as f64 / now.as_secs_f64(),
            progress.kept,
            progress.slipped,
        );
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K{line}");
            let _ = std::io::stderr().flush();
        } else if now >= last.0 + 5 * EVERY || last.1 == usize::MAX {
            eprintln!("{line}");
        } else {
            return;
        }
        if let Some(out) = self.out.filter(|_| told.what != "options" && told.text.len() != last.1)
        {
            // The end of the reduction reports what can't be written.
            let _ = atomic_write(out, told.text);
        }
        *last = (now, told.text.len());
    }

    fn clear(&self) {
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}

fn write(args: &args::Reduce, program: &Program) -> Result<(), Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::ours(format!("cannot write {}: {error}", path.display()))
    };
    match (&args.out, program.files.as_slice()) {
        (Some(out), [file]) => atomic_write(out, &file.bytes).map_err(|error| failed(out, error)),
        (Some(out), files) => {
            std::fs::create_dir_all(out).map_err(|error| failed(out, error))?;
            for file in files {
                let path = out.join(&file.name);
                atomic_write(&path, &file.bytes).map_err(|error| failed(&path, error))?;
            }
            Ok(())
        }
        (None, _) if args.json => Ok(()),
        (None, files) => {
            let mut stdout = std::io::stdout().lock();
            for file in files {
                if files.len() > 1 {
                    writeln!(stdout, "/* {} */", file.name).map_err(Failure::ours)?;
                }
                stdout.write_all(&file.bytes).map_err(Failure::ours)?;
            }
            Ok(())
        }
    }
}

fn tokens(program: &Program) -> usize {
    program.files.iter().map(|file| csyntax::tokens(&file.bytes).len()).sum()
}

fn document(
    args: &args::Reduce,
    before: &Program,
    reduced: &Reduced,
    took: Duration,
) -> serde_json::Value {
    let text = |program: &Program| -> Vec<serde_json::Value> {
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        program
            .files
            .iter()
            .map(|file| json!({"name": file.name, "text": show(&file.bytes)}))
            .collect()
    };
    json!({
        "kind": reduced.bug.kind,
        "signature": reduced.bug.signature,
        "fail": reduced.fail.args,
        "bytes_before": before.len(),
        "bytes_after": reduced.program.len(),
        "tokens_before": tokens(before),
        "tokens_after": tokens(&reduced.program),
        "tries": reduced.progress.tries,
        "kept": reduced.progress.kept,
        "slipped": reduced.progress.slipped,
        "implausible": reduced.progress.implausible,
        "seconds": took.as_secs_f64(),
        "finished": reduced.is_finished,
        "screen": reduced.screen,
        "remarks": reduced.remarks,
        "with": args.with,
        "files": text(&reduced.program),
    })
}

fn summary(args: &args::Reduce, before: &Program, reduced: &Reduced, took: Duration) -> String {
    let progress = &reduced.progress;
    let mut text = format!(
        "{} bytes, {} tokens → {} bytes, {} tokens, in {} and {}",
        before.len(),
        tokens(before),
        reduced.program.len(),
        tokens(&reduced.program),
        shown::duration(took),
        shown::plural(progress.tries, "question"),
    );
    if progress.slipped > 0 {
        text.push_str(&format!("; {} refused: another bug", progress.slipped));
    }
    if !reduced.is_finished {
        text.push_str("; stopped, more may go");
    }
    text.push('\n');
    text.push_str(&format!("{}: {}\n", reduced.bug.kind, reduced.bug.signature));
    text.push_str(&format!("fails with {}\n", reduced.fail));
    if !reduced.bug.passing.is_empty() {
        let labels: Vec<String> = reduced.bug.passing.iter().map(Configuration::label).collect();
        text.push_str(&format!("not with {}\n", labels.join(", ")));
    }
    if let Some(screen) = &reduced.screen {
        let made = screen.checks.iter().filter(|check| check.result != ScreenResult::Unchecked);
        let said = match (screen.alarm(), made.count() as u64) {
            (Some(alarm), _) => alarm,
            (None, 0) => "no check could be made".to_owned(),
            (None, made) => format!("none found by {}", shown::plural(made, "check")),
        };
        text.push_str(&format!("undefined behaviour: {said}\n"));
    }
    for remark in &reduced.remarks {
        text.push_str(&format!("{remark}\n"));
    }
    if let Some(out) = &args.out {
        text.push_str(&format!("written: {}\n", out.display()));
    }
    text
}
