//! `whodunit doctor`: what is here, what that enables, how to get the rest.

use crate::args;
use crate::exit::{Failure, NOTHING};
use campaign::Config;
use serde_json::{Value, json};
use std::path::Path;
use toolchain::process::Abilities;
use toolchain::{Compiler, CompilerSpec, Discovered, TOOLS, discover};

/// A family that is missing altogether, and the command that gets a compiler of it.
const WISHES: [(&str, &str); 3] = [
    ("gcc", "apt install gcc-12"),
    ("clang", "apt install clang-16 llvm-16 libclang-rt-16-dev"),
    ("tcc", "apt install tcc"),
];

pub fn run(args: &args::Doctor) -> Result<u8, Failure> {
    let mut found = discover();
    if let Some(path) = &args.config {
        add_configured(path, &mut found)?;
    }
    if args.json {
        println!("{}", document(&found));
    } else {
        print_text(&found);
    }
    Ok(NOTHING)
}

fn add_configured(path: &Path, found: &mut Discovered) -> Result<(), Failure> {
    for entry in Config::read(path)?.compilers {
        let spec = CompilerSpec {
            name: Some(entry.name.clone()),
            path: entry.path,
            args: entry.args,
            data_model: entry.data_model,
            runner: entry.runner,
        };
        match Compiler::open(&spec) {
            Ok(compiler) => found.compilers.push(compiler),
            Err(error) => found.failed.push((entry.name, error)),
        }
    }
    Ok(())
}

fn missing_families(found: &Discovered) -> impl Iterator<Item = (&'static str, &'static str)> {
    WISHES.into_iter().filter(|(family, _)| {
        found.compilers.iter().all(|compiler| compiler.family.name() != *family)
    })
}

/// What lets the kernel confine tested programs, whether it does, and what its absence means.
fn sandbox() -> Vec<(&'static str, bool, String)> {
    let abilities = Abilities::probe();
    let landlock = abilities.landlock_abi.map_or_else(
        || {
            "tested programs can write where you can (Linux 5.13 or newer with landlock has it)"
                .to_owned()
        },
        |abi| format!("tested programs write to their private folder only (ABI {abi})"),
    );
    vec![
        (
            "PID namespaces",
            abilities.pid_namespace,
            match abilities.pid_namespace {
                true => "every descendant of a job dies with it".to_owned(),
                false => "descendants are hunted down one by one instead (unprivileged user \
                          namespaces would do: sysctl kernel.unprivileged_userns_clone=1)"
                    .to_owned(),
            },
        ),
        ("Landlock", abilities.landlock_abi.is_some(), landlock),
        (
            "seccomp",
            abilities.seccomp,
            match abilities.seccomp {
                true => "tested programs have no network; huge allocations are caught".to_owned(),
                false => "tested programs can use the network".to_owned(),
            },
        ),
    ]
}

fn print_text(found: &Discovered) {
    println!("compilers");
    for compiler in &found.compilers {
        let mut notes: Vec<String> =
            compiler.companions.keys().map(|&role| role.to_owned()).collect();
        if !compiler.runner.is_empty() {
            notes.push(format!("run by {}", compiler.runner.join(" ")));
        } else if !compiler.runs_here() {
            notes.push("compiles only: apt install qemu-user to run its programs".to_owned());
        }
        println!(
            "  ✓ {:<26} {:<8} {:<22} {}",
            compiler.name,
            compiler.version.to_string(),
            compiler.target,
            notes.join(", ")
        );
    }
    for (name, error) in &found.failed {
        println!("  ✗ {name:<26} {error}");
    }
    for (family, get) in missing_families(found) {
        println!("  · no {family}: {get}");
    }
    println!("tools");
    for tool in &TOOLS {
        match tool.look() {
            Some((_, version)) => println!("  ✓ {:<12} {version}", tool.name),
            None => println!("  · {:<12} for {}: {}", tool.name, tool.enables, tool.get),
        }
    }
    println!("sandbox");
    for (name, there, effect) in sandbox() {
        println!("  {} {name:<15} {effect}", if there { '✓' } else { '·' });
    }
    println!("commands");
    let (hunts, csmith) = (found.compilers.len(), TOOLS[0].look().is_some());
    let sources = if csmith { "gen, csmith or a folder" } else { "gen or a folder" };
    println!("  hunt    {hunts} compilers, programs from {sources}");
    println!("  check   any of the compilers; LLVM IR with those that have opt");
}

fn document(found: &Discovered) -> Value {
    let compilers: Vec<Value> = found
        .compilers
        .iter()
        .map(|compiler| {
            json!({
                "name": compiler.name,
                "path": compiler.path,
                "family": compiler.family.name(),
                "version": compiler.version.to_string(),
                "version_line": compiler.version_line,
                "target": compiler.target,
                "data_model": compiler.data_model,
                "runner": compiler.runner,
                "runs_here": compiler.runs_here(),
                "companions": compiler.companions,
                "identity": compiler.identity,
            })
        })
        .collect();
    let tools: Vec<Value> = TOOLS
        .iter()
        .map(|tool| match tool.look() {
            Some((path, version)) => {
                json!({"name": tool.name, "path": path, "version": version, "enables": tool.enables})
            }
            None => json!({"name": tool.name, "missing": true, "enables": tool.enables, "get": tool.get}),
        })
        .collect();
    let failed: Vec<Value> = found
        .failed
        .iter()
        .map(|(name, error)| json!({"name": name, "error": error.to_string()}))
        .collect();
    let missing: Vec<Value> = missing_families(found)
        .map(|(family, get)| json!({"family": family, "get": get}))
        .collect();
    json!({
        "compilers": compilers,
        "unusable": failed,
        "missing_families": missing,
        "tools": tools,
        "sandbox": Abilities::probe(),
    })
}
