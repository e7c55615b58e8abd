//! Writes the program of a seed into a folder and prints the checksum that it must print:
//! `gen --seed N --std c99 --out DIR [--model ilp32] [--size medium] [--no-policy cse] ...`

use cgen::{Construct, Options, VersionedSeed};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = Options::default();
    let mut seed: VersionedSeed = "0".parse()?;
    let mut folder: Option<PathBuf> = None;
    let mut limits: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--single" {
            options.single = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--seed" => seed = value.parse()?,
            "--std" => options.standard = value.parse()?,
            "--model" => options.data_model = value.parse()?,
            "--size" => {
                options.size = value.parse()?;
                options.limits = options.size.limits();
            }
            "--out" => folder = Some(value.into()),
            "--no-policy" => *options.policies.by_name(&value)? = false,
            "--policy-free-in" => options.policy_free_in = value.parse()?,
            "--exclude" => options.exclude.extend([value.parse::<Construct>()?]),
            "--require" => options.require.extend([value.parse::<Construct>()?]),
            "--limit" => limits.push(value),
            _ => return Err(format!("unknown option {argument}").into()),
        }
    }
    for limit in limits {
        let (name, value) = limit.split_once('=').ok_or("--limit needs NAME=VALUE")?;
        let known = options.limits.by_name(name).ok_or_else(|| format!("no limit {name}"))?;
        *known = value.parse()?;
    }
    options.check()?;
    let program = cgen::generate(seed.0, &options);
    if let Some(folder) = folder {
        std::fs::create_dir_all(&folder)?;
        for file in &program.files {
            std::fs::write(folder.join(&file.name), &file.bytes)?;
        }
    }
    println!("{}", program.expected);
    eprintln!(
        "{} tokens, {} statements, {:?}",
        program.tokens, program.statements, program.statistics
    );
    Ok(())
}
