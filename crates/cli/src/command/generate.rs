//! `whodunit gen`.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use base::{Seed, Stopwatch, nearest};
use cgen::{Generated, Limits, Options, Policies, VersionedSeed, generate};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub fn run(args: &args::Gen) -> Result<u8, Failure> {
    let options = options(args)?;
    let VersionedSeed(first) = args.seed.parse().map_err(Failure::input)?;
    let last = args.count.checked_sub(1).and_then(|more| first.0.checked_add(more));
    if last.is_none() {
        let message = "--count must be at least 1, and the last seed below 2^64";
        return Err(Failure::input(message));
    }
    match &args.out {
        Some(dir) => write_all(args, &options, first, dir),
        None if args.single && args.count == 1 => {
            let program = generate(first, &options);
            match std::io::stdout().lock().write_all(&program.files[0].bytes) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    Err(Failure::ours(format!("cannot print the program: {error}")))
                }
                _ => Ok(NOTHING),
            }
        }
        None => Err(Failure::input("say where with --out DIR, or print one program with --single")),
    }
}

fn options(args: &args::Gen) -> Result<Options, Failure> {
    let standard = args.std.parse().map_err(Failure::input)?;
    let data_model = args.model.parse().map_err(Failure::input)?;
    let size = args.size.parse().map_err(Failure::input)?;
    let mut options = Options::new(standard, data_model, size);
    options.single = args.single;
    options.policies = match args.policy.as_str() {
        "all" => Policies::ALL,
        "none" => Policies::NONE,
        list => {
            let mut policies = Policies::NONE;
            for name in list.split(',') {
                *policies.by_name(name.trim()).map_err(Failure::input)? = true;
            }
            policies
        }
    };
    for name in &args.no_policy {
        *options.policies.by_name(name).map_err(Failure::input)? = false;
    }
    options.policy_free_in = args.policy_free_in.unwrap_or(options.policy_free_in);
    options.constructs = args.constructs.parse().map_err(Failure::input)?;
    for name in &args.exclude {
        options.exclude.insert(name.parse().map_err(Failure::input)?);
    }
    for name in &args.include {
        options.include.insert(name.parse().map_err(Failure::input)?);
    }
    options.floats = args.floats.parse().map_err(Failure::input)?;
    for name in &args.require {
        options.require.insert(name.parse().map_err(Failure::input)?);
    }
    for limit in &args.limit {
        set_limit(&mut options.limits, limit)?;
    }
    options.check().map_err(Failure::input)?;
    Ok(options)
}

fn set_limit(limits: &mut Limits, text: &str) -> Result<(), Failure> {
    let wrong = |why: String| Failure::input(format!("--limit {text}: {why}"));
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| wrong("write NAME=N, such as functions=2".to_owned()))?;
    let value = value.parse().map_err(|_| wrong(format!("{value:?} is not a number")))?;
    match limits.by_name(name) {
        Some(limit) => *limit = value,
        None => {
            let hint = match nearest(name, Limits::NAMES.iter().copied()) {
                Some(meant) => format!("did you mean {meant}?"),
                None => format!("there are {}", Limits::NAMES.join(", ")),
            };
            return Err(wrong(format!("no such limit; {hint}")));
        }
    }
    Ok(())
}

fn write_all(args: &args::Gen, options: &Options, first: Seed, dir: &Path) -> Result<u8, Failure> {
    let cannot = |error| Failure::ours(format!("cannot write to {}: {error}", dir.display()));
    if let Some(stranger) = stranger_in(dir).map_err(cannot)? {
        return Err(Failure::input(format!(
            "{} holds other things ({stranger}); give an empty or a new folder as --out",
            dir.display()
        )));
    }
    fs::create_dir_all(dir).map_err(cannot)?;
    let watch = Stopwatch::start();
    let next = AtomicU64::new(0);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let jobs = u64::from(args.jobs.unwrap_or(cores).max(1)).min(args.count);
    let made: Mutex<Vec<Made>> = Mutex::new(Vec::new());
    let failed: Mutex<Option<std::io::Error>> = Mutex::new(None);
    let locked = |failed: &Mutex<Option<std::io::Error>>| failed.lock().is_ok_and(|f| f.is_some());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= args.count || locked(&failed) {
                        return;
                    }
                    let seed = Seed(first.0 + at);
                    let program = generate(seed, options);
                    let written = write(dir, seed, &program);
                    match written {
                        Ok(()) => made.lock().expect("no panic").push(Made::of(seed, &program)),
                        Err(error) => drop(failed.lock().expect("no panic").get_or_insert(error)),
                    }
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().expect("no panic") {
        return Err(cannot(error));
    }
    let mut made = made.into_inner().expect("no panic");
    made.sort_by_key(|made| made.seed);
    let bytes: u64 = made.iter().map(|made| made.bytes).sum();
    if args.json {
        let programs: Vec<Value> = made.iter().map(Made::document).collect();
        println!("{}", json!({"generator": cgen::VERSION, "out": dir, "programs": programs}));
    } else {
        println!(
            "{} in {}, {:.1} MB, {:.1} s",
            shown::plural(args.count, "program"),
            dir.display(),
            bytes as f64 / 1e6,
            watch.elapsed().as_secs_f64()
        );
    }
    Ok(NOTHING)
}

/// The first thing in `dir` that is not a folder of an earlier `gen`, named by its seed.
fn stranger_in(dir: &Path) -> std::io::Result<Option<String>> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.parse::<VersionedSeed>().is_err() {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Writes a program into a folder named by its seed, which is either whole or absent.
fn write(dir: &Path, seed: Seed, program: &Generated) -> std::io::Result<()> {
    let aside = dir.join(format!(".{seed}.tmp"));
    let place = dir.join(seed.to_string());
    let written = (|| {
        fs::create_dir_all(&aside)?;
        for file in &program.files {
            fs::write(aside.join(&file.name), &file.bytes)?;
        }
        // The same seed may be there from an earlier call, perhaps with other options.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&aside, &place)
    })();
    if written.is_err() {
        let _ = fs::remove_dir_all(&aside);
    }
    written
}

struct Made {
    seed: Seed,
    expected: u64,
    about: Vec<f64>,
    bytes: u64,
    tokens: u64,
    statements: u64,
    steps: u64,
    policies: bool,
}

impl Made {
    fn of(seed: Seed, program: &Generated) -> Made {
        Made {
            seed,
            expected: program.expected,
            about: program.about.clone(),
            bytes: program.files.iter().map(|file| file.bytes.len() as u64).sum(),
            tokens: program.tokens,
            statements: program.statements,
            steps: program.steps,
            policies: program.policies != Policies::NONE,
        }
    }

    fn document(&self) -> Value {
        let mut document = json!({
            "seed": VersionedSeed(self.seed).to_string(),
            "expected": self.expected.to_string(),
            "bytes": self.bytes,
            "tokens": self.tokens,
            "statements": self.statements,
            "steps": self.steps,
            "policies": self.policies,
        });
        if !self.about.is_empty() {
            document["about"] = json!(self.about);
        }
        document
    }
}
