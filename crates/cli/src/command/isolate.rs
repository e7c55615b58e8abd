//! `whodunit isolate`: the compiler's files by suspicion.

use crate::args::{self, Level};
use crate::exit::{Failure, NOTHING};
use crate::sides::{passing, taken};
use crate::{amount, ctrl_c, shown};
use base::{Budget, Seed, atomic_write, nearest};
use campaign::{Case, Isolated, Isolator, Saved, Stop, args_of, bugs, name_of};
use isolate::{
    Ended, Evidence, Formula, METHODS, Method, Parameters, Progress, RankedFile, Settings, Witness,
};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use store::Reader;
use toolchain::{Compiler, Configuration, Program};

pub fn run(args: &args::Isolate) -> Result<u8, Failure> {
    let settings = settings(args)?;
    let compiler = Arc::new(Compiler::named(&args.compiler)?);
    let failing = failing(args, &compiler)?;
    let scratch = crate::scratch::in_memory()?;
    let fail = Configuration::with_args(Arc::clone(&compiler), failing.fail.clone());
    taken(&failing.program, &compiler, [&fail].into_iter().chain(&failing.pass), scratch.path())?;
    let isolator = Isolator::open(compiler, !args.no_screen)?;
    let case = Case { program: &failing.program, fail: failing.fail, pass: failing.pass };
    let stop = Arc::new(Stop::default());
    ctrl_c::listen(&stop, "stopping with what is known so far")?;
    let time = args.evaluations.is_none().then(|| amount::time(&args.budget)).transpose()?;
    let budget = Budget::new(time, args.evaluations);
    let mut telling = Telling { on_terminal: std::io::stderr().is_terminal(), last: String::new() };
    let isolated = isolator.isolate(
        &case,
        &settings,
        &budget,
        scratch.path(),
        &|| stop.is_requested(),
        &mut |progress| telling.tell(progress),
    )?;
    telling.end();
    if let Some(out) = &args.out {
        write(out, isolated.isolation.witnesses.all(), &failing.program)?;
    }
    if let (Some(path), Some(record)) = (&args.spectra, &isolated.isolation.record) {
        let failed = |error| Failure::ours(format!("cannot write {}: {error}", path.display()));
        atomic_write(path, &record.lines()).map_err(failed)?;
    }
    if args.json {
        println!("{}", document(&isolated, &settings));
    } else {
        print!("{}", text(&isolated, &settings, args));
    }
    Ok(NOTHING)
}

fn settings(args: &args::Isolate) -> Result<Settings, Failure> {
    let mut parameters = Parameters::default();
    for setting in &args.settings {
        let (name, value) = setting
            .split_once('=')
            .ok_or_else(|| Failure::input(format!("--set {setting}: say NAME=VALUE")))?;
        parameters.set(name.trim(), value.trim()).map_err(Failure::input)?;
    }
    Ok(Settings {
        method: method(&args.method)?,
        parameters,
        seed: Seed(args.seed),
        jobs: amount::jobs(args.jobs)?,
        formula: formula(&args.formula)?,
        cpu: None,
        also: Vec::new(),
        record: args.spectra.is_some(),
        stable: args.stable,
    })
}

/// The method of this name.
pub fn method(name: &str) -> Result<&'static Method, Failure> {
    Method::named(name).ok_or_else(|| {
        let names = || METHODS.iter().map(|method| method.name);
        unknown("method", name, names().collect(), nearest(name, names()))
    })
}

/// The formula of this name.
pub fn formula(name: &str) -> Result<&'static Formula, Failure> {
    Formula::named(name).ok_or_else(|| {
        unknown("formula", name, Formula::names().collect(), nearest(name, Formula::names()))
    })
}

fn unknown(what: &str, name: &str, all: Vec<&str>, nearest: Option<&str>) -> Failure {
    let meant = match nearest {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("there are {}", all.join(", ")),
    };
    Failure::input(format!("there is no {what} {name}; {meant}"))
}

struct Failing {
    program: Program,
    fail: Vec<String>,
    pass: Option<Configuration>,
}

/// The program and what it fails with: a file, or a finding of a campaign.
fn failing(args: &args::Isolate, build: &Arc<Compiler>) -> Result<Failing, Failure> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let said = |pass: &str| {
        let pass = Some(words(pass)).filter(|pass| !pass.is_empty());
        pass.map(|pass| Configuration::with_args(Arc::clone(build), pass))
    };
    let Some(campaign) = &args.campaign else {
        let file = &args.file;
        let program =
            if file.is_dir() { Program::read_folder(file)? } else { Program::read_file(file)? };
        let (fail, pass) = (args.fail.as_deref(), args.pass.as_deref());
        let (fail, pass) = (fail.unwrap_or_default(), pass.unwrap_or_default());
        let is_crash = fail.trim().is_empty() && pass.trim().is_empty();
        let pass = match (&args.pass_compiler, is_crash) {
            // A compiler without levels that crashes.
            (None, true) => None,
            (other, _) => passing(build, fail, pass, other.as_deref())?,
        };
        return Ok(Failing { program, fail: words(fail), pass });
    };
    let id = args.file.display().to_string();
    let reader = Reader::open(campaign)?;
    let all = bugs(&reader)?;
    let bug = all.iter().find(|bug| {
        bug.group.leader.to_string() == id
            || bug.group.members.iter().any(|(member, _)| member.to_string() == id)
    });
    let bug = bug.ok_or_else(|| {
        let campaign = campaign.display();
        Failure::input(format!("{campaign} has no finding {id}; whodunit bugs lists them"))
    })?;
    let saved = Saved::of(&reader, bug)?;
    let pass = match (&args.pass, &saved.pass) {
        (Some(pass), _) => said(pass),
        (None, None) => None,
        // What another compiler does right, it does right beside the build too.
        (None, Some(label)) if name_of(label) != name_of(&saved.fail) => {
            let other = Arc::new(Compiler::named(name_of(label))?);
            Some(Configuration::new(other, args_of(label)))
        }
        (None, Some(label)) => said(args_of(label)),
    };
    let fail = words(args.fail.as_deref().unwrap_or_else(|| args_of(&saved.fail)));
    Ok(Failing { program: saved.program, fail, pass })
}

/// Says how far it is: one line that changes on a terminal, a line whenever the order changes elsewhere.
struct Telling {
    on_terminal: bool,
    last: String,
}

impl Telling {
    fn tell(&mut self, progress: &Progress) {
        let names: Vec<&str> =
            progress.top.iter().map(|file| file.rsplit('/').next().unwrap_or(file)).collect();
        let top = names.join(" ");
        let evaluations = shown::plural(progress.evaluations, "evaluation");
        let witnesses = shown::plural_es(progress.witnesses as u64, "witness");
        if self.on_terminal {
            eprint!("\r\x1b[K{evaluations}, {witnesses}: {top}");
        } else if top != self.last {
            eprintln!("{evaluations}, {witnesses}: {top}");
        }
        self.last = top;
    }

    fn end(&self) {
        if self.on_terminal && !self.last.is_empty() {
            eprint!("\r\x1b[K");
        }
    }
}

fn write(out: &Path, witnesses: &[Witness], program: &Program) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::ours(format!("cannot write into {}: {error}", out.display()))
    };
    std::fs::create_dir_all(out).map_err(failed)?;
    let end = program.units().next().and_then(|unit| unit.name.rsplit_once('.'));
    let end = end.map_or("c", |(_, end)| end);
    for (number, witness) in (1..).zip(witnesses) {
        let path = out.join(format!("witness-{number:03}.{end}"));
        atomic_write(&path, &witness.text).map_err(failed)?;
    }
    Ok(())
}

/// What is listed of a file in a JSON document.
const MOST: usize = 20;

pub fn ranked(file: &RankedFile) -> Value {
    json!({
        "rank": file.rank,
        "file": file.file,
        "score": file.score,
        "functions": &file.functions[..file.functions.len().min(MOST)],
        "lines": &file.lines[..file.lines.len().min(MOST)],
        "evidence": file.evidence,
    })
}

fn document(isolated: &Isolated, settings: &Settings) -> Value {
    let isolation = &isolated.isolation;
    let witnesses = &isolation.witnesses;
    let found: Vec<Value> = witnesses
        .all()
        .iter()
        .map(|witness| {
            json!({
                "evaluation": witness.evaluation, "by": witness.by, "what": witness.what,
                "distance": witness.distance,
            })
        })
        .collect();
    json!({
        "method": settings.method.name,
        "seed": settings.seed,
        "kind": isolated.kind,
        "signature": isolated.signature,
        "evaluations": isolation.evaluations,
        "moves": isolation.moves,
        "witnesses": witnesses.all().len(),
        "failing": isolation.failing,
        "dropped": isolation.dropped,
        "order": isolation.order,
        "similarity": witnesses.similarity(),
        "diversity_pairs": witnesses.pairwise_diversity(),
        "diversity_nearest": witnesses.nearest_diversity(),
        "by_tokens": isolation.token_level,
        "donors": isolation.donors,
        "ended": isolation.ended.name(),
        "seconds": isolation.took.as_secs_f64(),
        "history": isolation.history,
        "witness_list": found,
        "lead": isolation.ranking.lead(),
        "ranking": isolation.ranking.files.iter().map(ranked).collect::<Vec<_>>(),
    })
}

fn text(isolated: &Isolated, settings: &Settings, args: &args::Isolate) -> String {
    let isolation = &isolated.isolation;
    let mut text = format!("{}: {}\n", isolated.kind, isolated.signature);
    let witnesses = isolation.witnesses.all();
    text += &format!(
        "{}, seed {}: {} of {} in {} ({})\n",
        settings.method.name,
        settings.seed,
        shown::plural_es(witnesses.len() as u64, "witness"),
        shown::plural(isolation.evaluations, "evaluation"),
        shown::duration(isolation.took),
        isolation.ended.name(),
    );
    let others: Vec<String> =
        isolation.dropped.iter().map(|(why, count)| format!("{count} {why}")).collect();
    text += &format!("  {} failing as before", isolation.failing);
    if !others.is_empty() {
        text += &format!("; dropped: {}", others.join(", "));
    }
    text.push('\n');
    if isolation.order > 1 {
        text += &format!("  no single change passes: up to {} changes at once\n", isolation.order);
    }
    if let Some(why) = &isolation.token_level {
        text += &format!("  changed by tokens only: {why}\n");
    }
    if let Some(donors) = &isolation.donors {
        text += &format!("  ingredients: {donors}\n");
    }
    if let (Some(similarity), Some(diversity)) =
        (isolation.witnesses.similarity(), isolation.witnesses.pairwise_diversity())
    {
        text += &format!("  similarity {similarity:.3}, diversity {diversity:.3}\n");
    }
    if witnesses.is_empty() {
        text += "  no witness: every file that ran is as suspicious as any other\n";
    }
    if isolation.ended == Ended::Stable {
        text += "  the first five have not changed any more; --stable 0 goes on to the end\n";
    }
    if let Some(lead) = isolation.ranking.lead().filter(|_| !witnesses.is_empty()) {
        text += &match lead {
            ..1.25 => "  the first and the second are close\n".to_owned(),
            _ => format!("  the first is {lead:.1} times as suspicious as the second\n"),
        };
    }
    text.push('\n');
    match args.level {
        Level::File => {
            for file in isolation.ranking.files.iter().take(args.top) {
                let functions: Vec<String> =
                    file.functions.iter().take(3).map(|function| brief(&function.name)).collect();
                let (rank, name) = (file.rank, &file.file);
                text += &format!(
                    "{rank:>4}  {:.4}  {name:<40}  {}\n",
                    file.score,
                    functions.join(", ")
                );
                for evidence in file.evidence.iter().take(if rank <= EXPLAINED { 2 } else { 0 }) {
                    text += &format!("              {}\n", told(evidence));
                }
            }
        }
        Level::Function => {
            let mut rows: Vec<(f64, &str, &str)> = Vec::new();
            for file in &isolation.ranking.files {
                let of = |one: &'_ isolate::RankedFunction| one.score;
                rows.extend(
                    file.functions
                        .iter()
                        .map(|one| (of(one), file.file.as_str(), one.name.as_str())),
                );
            }
            rows.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            for (score, file, name) in rows.into_iter().take(args.top) {
                text += &format!("  {score:.4}  {file}  {}\n", brief(name));
            }
        }
        Level::Line => {
            let mut rows: Vec<(f64, &str, u32, u32)> = Vec::new();
            for file in &isolation.ranking.files {
                let row = |line: &isolate::RankedLine| {
                    (line.score, file.file.as_str(), line.line, line.skipped)
                };
                rows.extend(file.lines.iter().map(row));
            }
            rows.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            for (score, file, line, skipped) in rows.into_iter().take(args.top) {
                text += &format!("  {score:.4}  {file}:{line}  (skipped by {skipped})\n");
            }
        }
    }
    text
}

/// Of so many files the evidence is told.
const EXPLAINED: usize = 5;

/// What a witness says, for people.
fn told(evidence: &Evidence) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut all = evidence.lines.iter().copied().peekable();
    while let Some(first) = all.next() {
        let mut last = first;
        while let Some(next) = all.next_if_eq(&(last + 1)) {
            last = next;
        }
        lines.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    let more = if lines.len() > 6 { ", …" } else { "" };
    lines.truncate(6);
    let count = shown::plural(evidence.lines.len() as u64, "line");
    format!("{}: passes without {count} ({}{more})", evidence.what, lines.join(", "))
}

/// The name of a function for people: without what all names of a file share, and without the arguments
/// of templates.
fn brief(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    let mut short = String::new();
    let mut depth = 0_usize;
    // In `operator<`, `operator>>` and the like it is no bracket.
    let operator = name.find("operator").map_or(name.len(), |at| at + "operator".len());
    for (at, c) in name.char_indices() {
        let is_bracket = at < operator || !"<>=-".contains(c);
        match c {
            '<' if is_bracket => {
                if depth == 0 {
                    short.push_str("<…>");
                }
                depth += 1;
            }
            '>' if is_bracket => depth = depth.saturating_sub(1),
            c if depth == 0 => short.push(c),
            _ => {}
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn names_are_brief() {
        assert_eq!(brief("(anonymous namespace)::pass::run"), "pass::run");
        assert_eq!(
            brief("llvm::PassModel<A<B>, C>::run(A<B> &)"),
            "llvm::PassModel<…>::run(A<…> &)"
        );
        assert_eq!(brief("wi::operator<<"), "wi::operator<<");
        assert_eq!(brief("vec<int>::operator->"), "vec<…>::operator->");
    }
}
