//! How many mutants are still valid C: `validity FOLDER [MUTANTS] [DONORS] [ARGS OF CLANG]`.
//!
//! For every C program below FOLDER so many mutants of each family and operator are drawn and read
//! by clang again. Ingredients are out of the programs below DONORS, FOLDER itself if not given.
//! `SHOW=family` prints what clang says about its invalid ones.

use base::{Random, Seed};
use csyntax::{Dialect, Library};
use mutate::{Host, Level, Mutant, Operator, Pool, mutate_by_operator, mutate_by_rule, rules};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What came of a family's draws.
#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    none: usize,
    time: Duration,
}

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("the first argument is a folder of programs");
    let count: u64 = args.next().map_or(10, |count| count.parse().expect("a number of mutants"));
    let donors = args.next().unwrap_or_else(|| folder.clone());
    let show = std::env::var("SHOW").unwrap_or_default();
    let library = Library::find().expect("validity is told by libclang");
    let dialect = Dialect { file_name: "a.c".to_owned(), args: args.collect() };
    let read = |path: &PathBuf| {
        (path.display().to_string(), std::fs::read(path).expect("a file that was just listed"))
    };
    let begun = Instant::now();
    let pool = Pool::of(programs(Path::new(&donors)).iter().map(read), &dialect, &library);
    println!("{:?} in {:?}", pool.counts(), begun.elapsed());
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut trees, mut tokens, mut reading) = (0, 0, Duration::ZERO);
    for path in programs(Path::new(&folder)) {
        let (name, text) = read(&path);
        let begun = Instant::now();
        let host = Host::read(&text, &dialect, Some(&library));
        reading += begun.elapsed();
        match host.level() {
            Level::Tree => trees += 1,
            Level::Tokens(reason) => {
                tokens += 1;
                println!("{name}: {reason}");
                continue;
            }
        }
        let mut try_out = |family: &str, draw: &dyn Fn(&mut Random) -> Option<Mutant>| {
            let tally = tallies.entry(family.to_owned()).or_default();
            for index in 0..count {
                let begun = Instant::now();
                let mutant = draw(&mut Seed(1).stream(family, index));
                tally.time += begun.elapsed();
                let Some(mutant) = mutant else {
                    tally.none += 1;
                    continue;
                };
                let problems = library.problems(&mutant.text, &dialect).unwrap_or_default();
                match problems.iter().find(|problem| problem.is_error) {
                    None => tally.valid += 1,
                    Some(problem) => {
                        tally.invalid += 1;
                        if !show.is_empty() && family.contains(&show) {
                            println!("{name}: {} ({})", mutant.what, problem.message);
                        }
                    }
                }
            }
        };
        for operator in Operator::ALL {
            let name = format!("operator {}", operator.name());
            try_out(&name, &|random| mutate_by_operator(&host, operator, &pool, random));
        }
        try_out("synthesis", &|random| mutate::synthesise(&host, &pool, random));
        for rule in rules() {
            let name = format!("{:?}", rule.family);
            try_out(&name, &|random| mutate_by_rule(&host, rule, random));
        }
    }
    println!("{trees} programs as trees in {reading:?}, {tokens} by tokens only");
    for (family, Tally { valid, invalid, none, time }) in tallies {
        let made = valid + invalid;
        let share = 100.0 * valid as f64 / made.max(1) as f64;
        let each = time / u32::try_from(made + none).unwrap_or(u32::MAX).max(1);
        println!(
            "{family:24} {share:6.1} % of {made:6} valid, {none:6} not applicable, {each:?} each"
        );
    }
}

/// All files below a folder that end in `.c`, in order.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(programs(&path));
        } else if path.extension().is_some_and(|ending| ending == "c") {
            found.push(path);
        }
    }
    found.sort();
    found
}
