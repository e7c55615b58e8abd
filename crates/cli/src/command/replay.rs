//! `whodunit replay`: the exact commands of a finding again, with their outcome.

use crate::args;
use crate::exit::{BUG, Failure, NOT_COMPARABLE, NOTHING};
use crate::shown;
use campaign::{Replayed, Stages, replay};
use oracle::Verdict;
use serde_json::json;
use std::path::Path;
use store::{FindingId, Reader};
use toolchain::process::Scratch;

pub fn run(args: &args::Replay) -> Result<u8, Failure> {
    let id: FindingId = args.bug.parse().map_err(Failure::input)?;
    let reader = Reader::open(&args.campaign)?;
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let replayed = replay(&reader, id, scratch.path())?;
    if let Some(dir) = &args.out {
        std::fs::create_dir_all(dir).and_then(|()| replayed.program.write_to(dir)).map_err(
            |error| Failure::ours(format!("cannot write to {}: {error}", dir.display())),
        )?;
        write_reduced(&reader, &id, &dir.join("reduced"))?;
    }
    if args.json {
        println!("{}", document(id, &replayed));
    } else {
        print_text(id, &replayed, args);
    }
    Ok(match &replayed.now.verdict {
        Verdict::Agree => NOTHING,
        Verdict::Bugs(_) => BUG,
        Verdict::NotComparable(_) => NOT_COMPARABLE,
    })
}

/// The files of the smaller program, if there is one.
fn write_reduced(reader: &Reader, id: &FindingId, dir: &Path) -> Result<(), Failure> {
    let reduced = Stages::of(reader, id)?.reduced;
    let Some(reduced) = reduced.filter(|reduced| !reduced.files.is_empty()) else {
        return Ok(());
    };
    let failed = |error| Failure::ours(format!("cannot write to {}: {error}", dir.display()));
    std::fs::create_dir_all(dir).map_err(failed)?;
    for file in &reduced.files {
        std::fs::write(dir.join(&file.name), reader.get_file(file.id)?).map_err(failed)?;
    }
    Ok(())
}

fn print_text(id: FindingId, replayed: &Replayed, args: &args::Replay) {
    for name in &replayed.changed {
        println!("note: {name} is not the compiler that it was when this was found");
    }
    if let Some(dir) = &args.out {
        println!("cd {}", dir.display());
    }
    for seen in &replayed.now.observations {
        for command in &seen.commands {
            println!("$ {}", report::command_line(command));
        }
        println!("    {}", seen.in_words());
    }
    println!("\n{id} when found: {}", shown::bug(&replayed.saved.bug));
    match &replayed.now.verdict {
        Verdict::Agree => println!("{id} now: all configurations agree"),
        Verdict::Bugs(bugs) => {
            bugs.iter().for_each(|bug| println!("{id} now: {}", shown::bug(bug)));
        }
        Verdict::NotComparable(reason) => println!("{id} now: not comparable: {reason}"),
    }
}

fn document(id: FindingId, replayed: &Replayed) -> serde_json::Value {
    json!({
        "id": id,
        "saved": replayed.saved.bug,
        "verdict": replayed.now.verdict,
        "observations": replayed.now.observations,
        "changed_compilers": replayed.changed,
    })
}
