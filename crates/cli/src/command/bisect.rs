//! `whodunit bisect`: the step of the compiler that goes wrong.

use crate::args;
use crate::ctrl_c;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use crate::sides::{passing, taken};
use base::{Stopwatch, atomic_write};
use campaign::Stop;
use oracle::{Kind, Limiting, Question, Screener};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toolchain::process::Scratch;
use toolchain::{Compiler, Configuration, Program, discover};
use triage::{Culprit, Effort, Failing, Pair, VersionResult, bisect, versions};

pub fn run(args: &args::Bisect) -> Result<u8, Failure> {
    let watch = Stopwatch::start();
    let file = &args.failing.file;
    let program =
        if file.is_dir() { Program::read_folder(file)? } else { Program::read_file(file)? };
    let compiler = Arc::new(Compiler::named(&args.failing.compiler)?);
    let configuration = |text: &str| Configuration::new(Arc::clone(&compiler), text);
    let args::Failing { fail, pass, pass_compiler, .. } = &args.failing;
    let pass = passing(&compiler, fail, pass, pass_compiler.as_deref())?;
    let question = Question { program: &program, fail: configuration(fail), pass };
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)?;
    taken(&program, &compiler, [&question.fail].into_iter().chain(&question.pass), scratch.path())?;
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping")?;
    let stopped = || stop.is_requested();
    let limiting = Limiting::default();
    let failing = Failing::establish(&question, limiting, scratch.path(), &stopped)?;
    let known: Vec<Arc<Compiler>> = discover().compilers.into_iter().map(Arc::new).collect();
    let undefined = match failing.bug.kind {
        Kind::WrongCode => Screener::new(&known, limiting).quick_alarm(
            &program,
            failing.fail.data_model,
            scratch.path(),
        )?,
        _ => None,
    };
    let culprit = bisect(&failing, Effort::Full)?;
    let table = versions(&failing, &known)?;
    if let (Some(out), Some(pair)) = (&args.out, &culprit.pair) {
        write(out, pair)?;
    }
    let answer = Answer { failing: &failing, culprit, table, undefined, took: watch.elapsed() };
    if args.json {
        println!("{}", answer.document());
    } else {
        print!("{}", answer.text(args.out.as_deref()));
    }
    Ok(NOTHING)
}

fn write(out: &Path, pair: &Pair) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::ours(format!("cannot write into {}: {error}", out.display()))
    };
    std::fs::create_dir_all(out).map_err(failed)?;
    for (name, text) in [("before", &pair.before), ("after", &pair.after)] {
        let path = out.join(format!("{name}.{}", pair.form));
        atomic_write(&path, text.as_bytes()).map_err(failed)?;
    }
    Ok(())
}

struct Answer<'a> {
    failing: &'a Failing<'a>,
    culprit: Culprit,
    table: Vec<VersionResult>,
    undefined: Option<String>,
    took: Duration,
}

impl Answer<'_> {
    fn document(&self) -> serde_json::Value {
        let culprit = &self.culprit;
        // Those that can't be told apart from others: `fails` is always one of two.
        let (told, untold): (Vec<_>, Vec<_>) =
            self.table.iter().partition(|result| result.fails.is_some());
        json!({
            "kind": self.failing.bug.kind,
            "signature": self.failing.bug.signature,
            "pass": culprit.pass,
            "file": culprit.file,
            "step": culprit.step,
            "function": culprit.function,
            "needed": culprit.needed,
            "counter": culprit.counter,
            "alone": culprit.alone,
            "pair": culprit.pair,
            "versions": told,
            "versions_unclear": untold,
            "how": culprit.how,
            "undefined_behaviour": self.undefined,
            "questions": culprit.questions,
            "seconds": self.took.as_secs_f64(),
        })
    }

    fn text(&self, out: Option<&Path>) -> String {
        let culprit = &self.culprit;
        let mut text = format!("{}: {}\n", self.failing.bug.kind, self.failing.bug.signature);
        let mut line = |name: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                text.push_str(&format!("{name:<10}{value}\n"));
            }
        };
        let pass = culprit.pass.clone().unwrap_or_else(|| "none that can be switched off".into());
        line("pass", Some(pass));
        line("file", culprit.file.clone());
        line("step", culprit.step.map(|step| step.to_string()));
        line("function", culprit.function.clone());
        line("needed", Some(culprit.needed.join(" ")));
        line("counter", culprit.counter.clone());
        line("alone", culprit.alone.clone());
        line("versions", Some(shown::versions(&self.table)));
        line("warning", self.undefined.as_ref().map(|what| format!("undefined behaviour: {what}")));
        for how in &culprit.how {
            text.push_str(&format!("  {how}\n"));
        }
        let asked = shown::plural(culprit.questions, "question");
        text.push_str(&format!("  {asked} in {}\n", shown::duration(self.took)));
        match (&culprit.pair, out) {
            (Some(pair), Some(out)) => {
                let out = out.display();
                let form = &pair.form;
                text.push_str(&format!("written: {out}/before.{form}, {out}/after.{form}\n"));
            }
            (Some(_), None) => {
                text.push_str("--out DIR writes the code before and after the step\n");
            }
            (None, _) => {}
        }
        text
    }
}
