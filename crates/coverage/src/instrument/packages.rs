//! What a build needs on the machine: a clang, Debian's packages, and two tools of our own.

use super::error::{InstrumentError, at};
use super::work::{Command, Work};
use super::{Recipe, Request};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use toolchain::{Compiler, in_path};

/// The clang that builds.
pub(super) struct Clang {
    /// Its version, as in `clang-16`.
    pub major: String,
    /// The line in which it tells its version.
    pub said: String,
}

impl Clang {
    pub fn cc(&self) -> String {
        format!("clang-{}", self.major)
    }

    pub fn cxx(&self) -> String {
        format!("clang++-{}", self.major)
    }
}

/// The versions that were tried, the best first: LLVM 16 and GCC 12 were built with 16.
const VERSIONS: [&str; 4] = ["16", "19", "15", "14"];

/// Finds a clang and all packages, and installs what is missing if we may.
pub(super) fn provide(
    recipe: &dyn Recipe,
    request: &Request,
    work: &mut Work,
) -> Result<Clang, InstrumentError> {
    work.say("look for what the build needs");
    let found = VERSIONS.into_iter().find(|major| in_path(&format!("clang-{major}")).is_some());
    let major = found.unwrap_or(VERSIONS[0]).to_owned();
    let mut wanted = vec![format!("clang-{major}"), "binutils".to_owned(), "make".to_owned()];
    let rest = recipe.packages(request);
    wanted.extend(rest.iter().map(|package| package.replace("CLANG", &major)));
    // On other systems the package manager can't be asked; what is missing shows in the log.
    if in_path("dpkg-query").is_some() {
        let missing = missing(&wanted, work)?;
        if !missing.is_empty() {
            install(&missing, work)?;
        }
    }
    let said = Compiler::named(&format!("clang-{major}"))?.version_line;
    Ok(Clang { major, said })
}

fn missing(wanted: &[String], work: &mut Work) -> Result<Vec<String>, InstrumentError> {
    let mut missing = Vec::new();
    let folder = work.folder.clone();
    for package in wanted {
        let argv = ["dpkg-query", "-W", "-f", "${db:Status-Status}", package];
        let (is_known, said) =
            work.output(&Command::new("look for what the build needs", &folder, &argv))?;
        // Once for each architecture that has it.
        if !is_known || !said.contains("installed") || said.contains("not-installed") {
            missing.push(package.clone());
        }
    }
    Ok(missing)
}

fn install(missing: &[String], work: &mut Work) -> Result<(), InstrumentError> {
    if !is_root() {
        return Err(InstrumentError::Missing(missing.to_vec()));
    }
    let step = format!("install {}", missing.join(" "));
    let folder = work.folder.clone();
    let mut argv = vec!["apt-get", "install", "-y", "--no-install-recommends"];
    argv.extend(missing.iter().map(String::as_str));
    let environment = vec![("DEBIAN_FRONTEND".to_owned(), "noninteractive".to_owned())];
    let command = |argv: &[&str]| Command {
        is_free: true,
        env: environment.clone(),
        ..Command::new(&step, &folder, argv)
    };
    if work.run(&command(&argv)).is_ok() {
        return Ok(());
    }
    // The lists of packages may be old.
    work.run(&command(&["apt-get", "update"]))?;
    work.run(&command(&argv))
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// Puts the assembler and the runtime into the work folder; gives the runtime's object file.
pub(super) fn tools(clang: &Clang, work: &mut Work) -> Result<PathBuf, InstrumentError> {
    let folder = work.folder.join("tools");
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let assembler =
        in_path("as").map_or("/usr/bin/as".to_owned(), |path| path.display().to_string());
    let script = include_str!("../../runtime/as").replace("WHODUNIT_AS", &assembler);
    let (file, source) = (folder.join("as"), folder.join("counters.c"));
    fs::write(&file, script).map_err(at(&file))?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).map_err(at(&file))?;
    fs::write(&source, include_str!("../../runtime/counters.c")).map_err(at(&source))?;
    let cc = clang.cc();
    let argv = [&cc, "-O2", "-fno-pie", "-Wall", "-Werror", "-c", "counters.c", "-o", "counters.o"];
    work.run(&Command::new("compile the runtime", &folder, &argv))?;
    Ok(folder.join("counters.o"))
}
