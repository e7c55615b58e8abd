//! Builds a compiler whose every block counts.
//!
//! One work folder beside the result holds all that is in the making, a log among it; the result appears
//! whole, by one rename, or not at all. The same request goes on where it was stopped: steps that are
//! done have left a mark, and make and ninja know the rest.

mod debian;
mod error;
mod gcc;
mod headers;
mod llvm;
mod pack;
mod packages;
mod source;
mod tcc;
mod work;

pub use error::InstrumentError;
pub use work::Progress;

use base::Stopwatch;
use std::path::{Path, PathBuf};
use toolchain::Manifest;
use work::Work;

/// The compilers that can be built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// GCC: `cc1`.
    Gcc,
    /// LLVM: `opt` and `llc`.
    Llvm,
    /// tcc: all of it.
    Tcc,
}

impl Kind {
    fn recipe(self) -> &'static dyn Recipe {
        match self {
            Kind::Gcc => &gcc::Gcc,
            Kind::Llvm => &llvm::Llvm,
            Kind::Tcc => &tcc::Tcc,
        }
    }
}

/// Where the source comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum From {
    /// A source tree, which is not written to.
    Folder(PathBuf),
    /// The source package of this Debian package, of the installed version if it is installed.
    Debian(String),
}

/// What is to be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which compiler.
    pub kind: Kind,
    /// Of which source.
    pub from: From,
    /// The folder to be made.
    pub out: PathBuf,
    /// Commands at a time.
    pub jobs: usize,
    /// The C++ compiler of GCC too.
    pub cxx: bool,
    /// LLVM's clang too.
    pub clang: bool,
    /// With LLVM's assertions.
    pub assertions: bool,
    /// With GCC's internal checks.
    pub checking: bool,
    /// With LLVM's statistics.
    pub stats: bool,
}

/// How a compiler is built.
trait Recipe: Sync {
    /// `gcc`, `clang`, `tcc`: the family of the result.
    fn family(&self) -> &'static str;

    /// How the project is called.
    fn project(&self) -> &'static str;

    /// A file that every source tree of it has.
    fn landmark(&self) -> &'static str;

    /// The version of the source in `root`.
    fn version(&self, root: &Path) -> Option<String>;

    /// Debian's packages that the build needs, beside the compiler for it.
    fn packages(&self, request: &Request) -> Vec<&'static str>;

    /// Gigabytes of disk and of memory that the build needs.
    fn needs(&self) -> (u64, u64);

    /// Folders below the root of the source with the developers' tests in C; what is below them is not
    /// taken.
    fn tests(&self) -> &'static [&'static str];

    /// Must its functions keep their names? They take room.
    fn keeps_symbols(&self) -> bool {
        false
    }

    /// What about the request can't be done.
    fn refuse(&self, request: &Request) -> Option<&'static str>;

    /// Builds, and says what came out.
    fn build(&self, making: &mut Making) -> Result<Made, InstrumentError>;
}

/// A build in the making.
struct Making<'a> {
    request: &'a Request,
    work: Work<'a>,
    /// The root of the source.
    source: PathBuf,
    version: String,
    clang: packages::Clang,
    /// The runtime, compiled.
    runtime: PathBuf,
}

impl Making<'_> {
    /// Arguments for every compilation of the compiler.
    fn compile_flags(&self) -> Vec<String> {
        let tools = self.work.folder.join("tools");
        let mut flags: Vec<String> = [
            "-O1",
            "-gline-tables-only",
            "-fsanitize-coverage=inline-8bit-counters,pc-table",
            // Our runtime is all it needs; the sanitizers' own would take over signals.
            "-fno-sanitize-link-runtime",
            // A counter for every block: what a block without one did can only be guessed.
            "-mllvm",
            "-sanitizer-coverage-prune-blocks=0",
            "-fno-pie",
            "-fno-integrated-as",
            "-w",
        ]
        .map(str::to_owned)
        .to_vec();
        flags.push(format!("-B{}", tools.display()));
        flags
    }

    /// Arguments for linking it.
    fn link_flags(&self) -> Vec<String> {
        vec!["-no-pie".to_owned(), self.runtime.display().to_string()]
    }
}

/// What a recipe made.
struct Made {
    /// Programs with debug information, by role.
    parts: Vec<(&'static str, PathBuf)>,
    /// What comes along as it is: from, and to in the folder.
    files: Vec<(PathBuf, String)>,
    /// The driver of the system that goes before the parts.
    front: Option<String>,
    /// Where generated sources are.
    build: PathBuf,
}

/// Builds what was requested.
///
/// # Errors
/// When the request can't be met, a step fails, or the machine has too little of something; what was
/// done stays in the work folder, and the same request goes on from there.
pub fn instrument(
    request: &Request,
    say: &mut dyn FnMut(Progress),
) -> Result<Manifest, InstrumentError> {
    let recipe = request.kind.recipe();
    if let Some(why) = recipe.refuse(request) {
        return Err(InstrumentError::Refused(why));
    }
    if request.out.exists() {
        return Err(InstrumentError::Exists(request.out.clone()));
    }
    if let From::Folder(folder) = &request.from {
        source::check(recipe, folder)?;
    }
    let clock = Stopwatch::start();
    let mut work = Work::new(request, say, &clock)?;
    let clang = packages::provide(recipe, request, &mut work)?;
    work.check_room(recipe.needs())?;
    let (source, described) = source::provide(recipe, request, &mut work)?;
    let version = recipe.version(&source).ok_or_else(|| InstrumentError::NotSource {
        folder: source.clone(),
        project: recipe.project(),
        landmark: recipe.landmark(),
    })?;
    let runtime = packages::tools(&clang, &mut work)?;
    let mut making = Making { request, work, source, version, clang, runtime };
    let made = recipe.build(&mut making)?;
    pack::pack(recipe, &mut making, &made, described)
}

#[cfg(test)]
mod tests;
