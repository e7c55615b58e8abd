//! `whodunit check`: one program, one verdict.

use crate::args;
use crate::exit::{BUG, Failure, NOT_COMPARABLE, NOTHING};
use crate::shown;
use crate::sides::{passing, taken};
use oracle::{Checked, Limiting, Question, Screener, Verdict, check};
use serde_json::json;
use std::sync::Arc;
use toolchain::process::Scratch;
use toolchain::{Compiler, Configuration, Program, discover};

pub fn run(args: &args::Check) -> Result<u8, Failure> {
    let program = Program::read_file(&args.failing.file)?;
    let compiler = Arc::new(Compiler::named(&args.failing.compiler)?);
    let configuration = |text: &str| Configuration::new(Arc::clone(&compiler), text);
    let args::Failing { fail, pass, pass_compiler, .. } = &args.failing;
    let pass = match (fail.trim() == pass.trim(), pass_compiler) {
        // Twice the same agrees: that is an answer too.
        (true, None) => (!pass.trim().is_empty()).then(|| configuration(pass)),
        (_, other) => passing(&compiler, fail, pass, other.as_deref())?,
    };
    let question = Question { program: &program, fail: configuration(fail), pass };
    let limiting = Limiting::default();
    let screener = (!args.no_screen).then(|| {
        let known: Vec<Arc<Compiler>> = discover().compilers.into_iter().map(Arc::new).collect();
        Screener::new(&known, limiting)
    });
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    taken(&program, &compiler, [&question.fail].into_iter().chain(&question.pass), scratch.path())?;
    let checked = check(&question, screener.as_ref(), &limiting, scratch.path())?;
    if args.json {
        println!("{}", document(&checked));
    } else {
        print!("{}", shown::checked(&checked));
    }
    Ok(match checked.verdict {
        Verdict::Agree => NOTHING,
        Verdict::Bugs(_) => BUG,
        Verdict::NotComparable(_) => NOT_COMPARABLE,
    })
}

fn document(checked: &Checked) -> serde_json::Value {
    let mut document = json!({
        "verdict": "agree", "kind": null, "culprits": [], "screen": null, "reason": null,
        "observations": checked.observations,
    });
    match &checked.verdict {
        Verdict::Agree => {}
        Verdict::Bugs(bugs) => {
            let bug = &bugs[0];
            document["verdict"] = json!("bug");
            document["kind"] = json!(bug.kind);
            document["culprits"] = json!(bug.culprits);
            document["screen"] = json!(bug.screen);
            document["reason"] = json!(bug.signature);
            document["expected"] = json!(bug.expected);
            document["actual"] = json!(bug.actual);
        }
        Verdict::NotComparable(reason) => {
            document["verdict"] = json!("not-comparable");
            document["reason"] = json!(reason.to_string());
        }
    }
    document
}
