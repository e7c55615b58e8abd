//! `whodunit recheck`: every saved bug against a compiler.

use crate::args;
use crate::exit::{BUG, Failure, NOT_COMPARABLE, NOTHING};
use campaign::{Recheck, Rechecked, recheck};
use serde_json::json;
use std::sync::Arc;
use store::Reader;
use toolchain::Compiler;
use toolchain::process::Scratch;

pub fn run(args: &args::Recheck) -> Result<u8, Failure> {
    let reader = Reader::open(&args.campaign)?;
    let compiler = Arc::new(Compiler::named(&args.compiler)?);
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    let mut all: Vec<Rechecked> = Vec::new();
    recheck(&reader, &compiler, scratch.path(), &mut |result| {
        if !args.json {
            println!("{}", line(&result));
        }
        all.push(result);
    })?;
    let count = |what: Recheck| all.iter().filter(|result| result.now == what).count();
    let (fixed, failing) = (count(Recheck::Fixed), count(Recheck::Failing));
    let (changed, unclear) = (count(Recheck::Changed), count(Recheck::Unclear));
    if args.json {
        println!(
            "{}",
            json!({
                "compiler": compiler.name, "version": compiler.version_line, "bugs": all,
                "fixed": fixed, "failing": failing, "changed": changed, "unclear": unclear,
            })
        );
    } else if all.is_empty() {
        println!("the campaign has no bugs");
    } else {
        println!(
            "{}: {fixed} fixed, {failing} still failing, {changed} changed, {unclear} unclear",
            compiler.name
        );
    }
    Ok(match (failing + changed, unclear) {
        (0, 0) => NOTHING,
        (0, _) => NOT_COMPARABLE,
        _ => BUG,
    })
}

fn line(result: &Rechecked) -> String {
    let id = result.id.to_string();
    match result.now {
        Recheck::Fixed => format!("{id:>8}  fixed          {}", result.was),
        Recheck::Failing => format!("{id:>8}  still failing  {}", result.was),
        Recheck::Changed => format!("{id:>8}  changed        {}; was {}", result.says, result.was),
        Recheck::Unclear => format!("{id:>8}  unclear        {}; was {}", result.says, result.was),
    }
}
