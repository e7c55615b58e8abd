//! From what was built to a folder that can be moved.

use super::error::{InstrumentError, at};
use super::work::Command;
use super::{Made, Making, Recipe};
use crate::symbolise::{Roots, symbolise};
use base::ContentId;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;
use toolchain::process::{self, Ended, Job, Limits};
use toolchain::{CountingPart, Manifest};

/// Larger tests are of tables and limits, and take long to compile.
const LARGEST_TEST: u64 = 64 << 10;

pub(super) fn pack(
    recipe: &dyn Recipe,
    making: &mut Making,
    made: &Made,
    source: String,
) -> Result<Manifest, InstrumentError> {
    let folder = making.work.folder.join("result");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at(&folder))?;
    }
    for inside in ["bin", "maps"] {
        fs::create_dir_all(folder.join(inside)).map_err(at(&folder))?;
    }
    let mut parts = Vec::new();
    for (role, program) in &made.parts {
        let (file, map) = (format!("bin/{role}"), format!("maps/{role}.map"));
        making.work.say(&format!("map the edges of {role} to its source"));
        let elf = fs::read(program).map_err(at(program))?;
        let roots = Roots { source: &making.source, build: &made.build };
        let work = making.work.folder.clone();
        let mapped = symbolise(&elf, &roots, |names| demangled(names, &work))
            .map_err(|source| InstrumentError::Program { program: program.clone(), source })?;
        let bytes = mapped.encode();
        let target = folder.join(&map);
        fs::write(&target, &bytes).map_err(at(&target))?;
        let (from, to) = (program.display().to_string(), folder.join(&file).display().to_string());
        let what = if recipe.keeps_symbols() { "--strip-debug" } else { "--strip-all" };
        let argv = ["strip", what, "-o", &to, &from];
        making.work.run(&Command::new(&format!("strip {role}"), &folder, &argv))?;
        let stripped = File::open(folder.join(&file)).and_then(ContentId::of_reader);
        parts.push(CountingPart {
            role: (*role).to_owned(),
            id: stripped.map_err(at(folder.join(&file)))?,
            file,
            edges: mapped.edges(),
            map,
            map_id: ContentId::of(&bytes),
        });
    }
    for (from, to) in &made.files {
        copy(from, &folder.join(to))?;
    }
    for tests in recipe.tests().iter().map(|tests| making.source.join(tests)) {
        let name = tests.file_name().unwrap_or_default().to_owned();
        if tests.is_dir() {
            copy_tests(&tests, &folder.join("tests").join(name))?;
        }
    }
    let request = making.request;
    let options = [
        ("cxx", request.cxx),
        ("clang", request.clang),
        ("assertions", request.assertions),
        ("checking", request.checking),
        ("stats", request.stats),
    ];
    let manifest = Manifest {
        version: Manifest::VERSION,
        family: recipe.family().to_owned(),
        compiler_version: making.version.clone(),
        source,
        built_by: making.clang.said.clone(),
        options: options.iter().filter(|(_, on)| *on).map(|(name, _)| (*name).to_owned()).collect(),
        front: made.front.clone(),
        parts,
    };
    let text = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data");
    let path = folder.join(Manifest::FILE);
    fs::write(&path, text).map_err(at(&path))?;
    // From here on it is a build, whole.
    fs::rename(&folder, &request.out).map_err(at(&request.out))?;
    fs::remove_dir_all(&making.work.folder).map_err(at(&making.work.folder))?;
    Ok(manifest)
}

/// Names of functions as people write them; as they are where `c++filt` does not answer.
fn demangled(names: Vec<String>, folder: &Path) -> Vec<String> {
    let limits = Limits {
        wall: Duration::from_secs(600),
        cpu: Duration::from_secs(600),
        output: 1 << 30,
        ..Limits::tool()
    };
    let job = Job::new("c++filt", folder)
        .args(["--no-params"])
        .stdin((names.join("\n") + "\n").into_bytes())
        .limits(limits);
    let Ok(run) = process::run(&job) else { return names };
    let text = String::from_utf8_lossy(&run.stdout);
    let plain: Vec<String> = text.lines().map(str::to_owned).collect();
    if run.ended == Ended::Exit(0) && plain.len() == names.len() { plain } else { names }
}

/// The developers' tests: what isolation takes ingredients from.
fn copy_tests(from: &Path, to: &Path) -> Result<(), InstrumentError> {
    for entry in from.read_dir().map_err(at(from))?.flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let size = entry.metadata().map_or(0, |meta| meta.len());
        if path.extension().is_some_and(|end| end == "c") && size <= LARGEST_TEST {
            copy(&path, &to)?;
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), InstrumentError> {
    if from.is_dir() {
        fs::create_dir_all(to).map_err(at(to))?;
        for entry in from.read_dir().map_err(at(from))?.flatten() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(at(parent))?;
    }
    fs::copy(from, to).map(|_| ()).map_err(at(from))
}
