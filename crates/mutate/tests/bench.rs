//! Mutants of real programs that made compilers fail. They are not part of this repository: without
//! them, or without libclang, the test says so.
#![allow(clippy::unwrap_used)]

use base::Seed;
use csyntax::{Dialect, Library};
use mutate::{Host, Level, Operator, Pool, mutate_by_operator, synthesise};
use std::path::Path;

#[test]
fn nearly_all_mutants_of_real_programs_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/gcc-12.2.0");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return println!("not tested: there is no {}", folder.display());
    };
    let library = match Library::find() {
        Ok(library) => library,
        Err(error) => return println!("not tested: {error}"),
    };
    let mut programs: Vec<(String, Vec<u8>)> = entries
        .flatten()
        .map(|entry| entry.path().join("main.c"))
        .filter_map(|path| Some((path.display().to_string(), std::fs::read(&path).ok()?)))
        .collect();
    programs.sort();
    let dialect = Dialect { file_name: "a.c".to_owned(), args: vec!["-std=gnu17".to_owned()] };
    let pool = Pool::of(programs.clone(), &dialect, &library);
    let (mut valid, mut all) = (0, 0);
    for (name, text) in &programs {
        let host = Host::read(text, &dialect, Some(&library));
        for index in 0..2 {
            let mut random = Seed(1).stream(name, index);
            let by_operators = Operator::ALL.map(|operator| {
                let pool = &pool;
                let mutant = mutate_by_operator(&host, operator, pool, &mut random);
                mutant.map(|mutant| mutant.text)
            });
            let blended = synthesise(&host, &pool, &mut random).map(|mutant| mutant.text);
            for text in by_operators.into_iter().chain([blended]).flatten() {
                if *host.level() == Level::Tree {
                    let problems = library.problems(&text, &dialect).unwrap();
                    valid += usize::from(!problems.iter().any(|problem| problem.is_error));
                    all += 1;
                }
            }
        }
    }
    assert!(all > 100 && valid * 100 >= all * 95, "{valid} of {all} are valid");
}
