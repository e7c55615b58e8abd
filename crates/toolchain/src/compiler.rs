//! A compiler as a value.

use crate::build::Stage;
use crate::counting::{Counting, Manifest};
use crate::family::{FAMILIES, Family};
use crate::identity::Identity;
use crate::process::{self, Job, Limits, ProcessError, Scratch};
use crate::program::Language;
use crate::runner;
use crate::version::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How wide `long` and pointers are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataModel {
    /// 64 bits: Linux on 64-bit machines.
    #[default]
    Lp64,
    /// 32 bits: `-m32`, and 32-bit machines.
    Ilp32,
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        })
    }
}

/// What a user says about a compiler; all but the path can be found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompilerSpec {
    /// How it is called in test sets and reports; the file name by default.
    pub name: Option<String>,
    /// A path, or a name to look up in PATH.
    pub path: String,
    /// Arguments for every use of it, such as `--sysroot=…`.
    pub args: Vec<String>,
    /// Its data model; what the target has by default.
    pub data_model: Option<DataModel>,
    /// What runs its programs, such as `qemu-aarch64 -L /usr/aarch64-linux-gnu`.
    pub runner: Option<Vec<String>>,
}

/// A compiler that was seen to answer.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// How it is called in test sets and reports.
    pub name: String,
    /// Its driver.
    pub path: PathBuf,
    /// GCC, Clang or another.
    pub family: &'static dyn Family,
    /// Its version.
    pub version: Version,
    /// The line in which it tells its version, for reports.
    pub version_line: String,
    /// The machine that it compiles for.
    pub target: String,
    /// Its data model.
    pub data_model: DataModel,
    /// Arguments for every use of it.
    pub args: Vec<String>,
    /// What runs its programs; empty where this machine can.
    pub runner: Vec<String>,
    /// The tools that belong to it, by role: `opt`, `llc`, `llvm-reduce`.
    pub companions: BTreeMap<&'static str, PathBuf>,
    /// Arguments for C++ only.
    pub cxx_args: Vec<String>,
    /// What tells it from a changed one.
    pub identity: Identity,
    /// The build whose programs do the work and count, if it is one.
    pub counting: Option<Counting>,
}

/// Why a compiler can't be used.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// No such file.
    #[error("compiler {0}: not found{hint}", hint = looked_in(.0))]
    Missing(String),
    /// A file that is no program, or a folder that is no build.
    #[error("compiler {0}: not an executable file, nor a build of whodunit instrument")]
    NotExecutable(PathBuf),
    /// It answers, but not as a compiler does.
    #[error("compiler {path}: not GCC, Clang or tcc by what it prints as its version: {printed:?}")]
    Unrecognised {
        /// Which one.
        path: PathBuf,
        /// The beginning of what it printed.
        printed: String,
    },
    /// It does not answer.
    #[error("compiler {path}: asking for its version failed: {why}")]
    Silent {
        /// Which one.
        path: PathBuf,
        /// How it ended.
        why: String,
    },
    /// A folder that should hold a build.
    #[error("build {folder}: {why}")]
    Build {
        /// Which one.
        folder: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The family can't do that.
    #[error("compiler {name} ({target}) has no data model {model}")]
    NoDataModel {
        /// Which one.
        name: String,
        /// What it compiles for.
        target: String,
        /// What was wanted.
        model: DataModel,
    },
    /// We failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The scratch folder failed.
    #[error("cannot make a private folder for temporary files: {0}")]
    Scratch(std::io::Error),
}

/// Adds what is not there yet: of a compiler that is opened again by its record, all is.
fn add(args: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for arg in more {
        if !args.contains(&arg) {
            args.push(arg);
        }
    }
}

fn looked_in(path: &str) -> &'static str {
    if path.contains('/') { "" } else { " in PATH; whodunit doctor lists the compilers there are" }
}

impl Compiler {
    /// Finds out all about the compiler that `spec` names.
    ///
    /// # Errors
    /// When it is absent, not a program, or does not answer like a compiler.
    pub fn open(spec: &CompilerSpec) -> Result<Compiler, CompilerError> {
        let is_build =
            spec.path.contains('/') && Path::new(&spec.path).join(Manifest::FILE).exists();
        let counting = is_build.then(|| Counting::open(Path::new(&spec.path))).transpose()?;
        let path = match &counting {
            Some(counting) => counting.driver()?,
            None => find(&spec.path)?,
        };
        let file_name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (family, version, version_text) = recognise(&path)?;
        let target = ask(&path, family.target_args())?;
        let target = family.read_target(&target).unwrap_or_else(|| "unknown".to_owned());
        let name = spec.name.clone().unwrap_or_else(|| spec.path.clone());
        let native = runner::data_model_of(&target);
        let data_model = spec.data_model.unwrap_or(native);
        let mut args = spec.args.clone();
        if let Some(Counting { folder, manifest }) = &counting {
            if manifest.family != family.name() {
                let why = format!("{} is not of family {}", path.display(), manifest.family);
                return Err(CompilerError::Build { folder: folder.clone(), why });
            }
            add(&mut args, family.use_build(folder));
        }
        if data_model != native {
            let no_model = || CompilerError::NoDataModel {
                name: name.clone(),
                target: target.clone(),
                model: data_model,
            };
            let model_args = family.data_model_args(&target, data_model).ok_or_else(no_model)?;
            add(&mut args, model_args.iter().map(|&arg| arg.to_owned()));
        }
        let counts_cxx = counting
            .as_ref()
            .is_some_and(|counting| counting.has(family.worker(Stage::Compile, Language::Cxx)));
        let cxx_args = match family.cxx_headers().filter(|_| counts_cxx) {
            Some(headers) => (headers.read)(&ask(&path, headers.args)?),
            None => Vec::new(),
        };
        let worker = match family.worker_args() {
            [] => None,
            args => Some(PathBuf::from(ask(&path, args)?.trim())),
        };
        let of_build = |role| counting.as_ref().and_then(|counting| counting.program(role));
        let companions = family
            .companions(&file_name)
            .into_iter()
            .filter_map(|tool| {
                let program = of_build(tool.role);
                let program = program.or_else(|| beside_or_in_path(&path, &tool.file_name))?;
                Some((tool.role, program))
            })
            .collect();
        let mut identity = Identity::of(&path, worker.as_deref(), family.own_libraries());
        if let Some(Counting { folder, manifest }) = &counting {
            let parts: Vec<PathBuf> =
                manifest.parts.iter().map(|part| folder.join(&part.file)).collect();
            identity.add(&parts);
        }
        Ok(Compiler {
            version_line: version_text.lines().next().unwrap_or_default().to_owned(),
            identity,
            runner: spec.runner.clone().unwrap_or_else(|| runner::for_target(&target)),
            name,
            path,
            family,
            version,
            target,
            data_model,
            args,
            companions,
            cxx_args,
            counting,
        })
    }

    /// Opens the compiler with this name or path, everything else found out.
    ///
    /// # Errors
    /// As for [`Compiler::open`].
    pub fn named(name: &str) -> Result<Compiler, CompilerError> {
        Compiler::open(&CompilerSpec { path: name.to_owned(), ..CompilerSpec::default() })
    }

    /// All that it says of itself: version, target, how it was configured.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn says(&self) -> Result<String, CompilerError> {
        Ok(ask(&self.path, self.family.describe_args())?.trim().to_owned())
    }

    /// The first binary of the compiler that is not as it was when it was opened.
    #[must_use]
    pub fn changed(&self) -> Option<PathBuf> {
        self.identity.first_change()
    }

    /// Can programs of this compiler run here, as far as one can tell without trying?
    #[must_use]
    pub fn runs_here(&self) -> bool {
        !self.runner.is_empty() || runner::is_host(&self.target)
    }
}

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} {}, {})", self.name, self.family.name(), self.version, self.target)
    }
}

/// The file that `name` means: a path as it is, a bare name by PATH.
fn find(name: &str) -> Result<PathBuf, CompilerError> {
    let path = if name.contains('/') {
        // Made absolute without following links: a driver may act by the name it is called by.
        std::path::absolute(name).map_err(|_| CompilerError::Missing(name.to_owned()))?
    } else {
        in_path(name).ok_or_else(|| CompilerError::Missing(name.to_owned()))?
    };
    match path.metadata() {
        Err(_) => Err(CompilerError::Missing(name.to_owned())),
        Ok(meta) if !meta.is_file() || !is_executable(&meta) => {
            Err(CompilerError::NotExecutable(path))
        }
        Ok(_) => Ok(path),
    }
}

pub(crate) fn is_executable(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o111 != 0
}

/// The first executable called `name` in the folders of PATH.
#[must_use]
pub fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.metadata().is_ok_and(|meta| meta.is_file() && is_executable(&meta)))
}

fn beside_or_in_path(driver: &Path, file_name: &str) -> Option<PathBuf> {
    let beside = driver.with_file_name(file_name);
    if beside.is_file() { Some(beside) } else { in_path(file_name) }
}

fn recognise(path: &Path) -> Result<(&'static dyn Family, Version, String), CompilerError> {
    let mut first_answer = None;
    let mut args_tried: Vec<&[&str]> = Vec::new();
    for family in FAMILIES {
        let args = family.version_args();
        let text = match (&first_answer, args_tried.contains(&args)) {
            (Some(text), true) => String::clone(text),
            _ => ask(path, args)?,
        };
        args_tried.push(args);
        if let Some(version) = family.read_version(&text) {
            return Ok((family, version, text));
        }
        first_answer.get_or_insert(text);
    }
    let printed: String = first_answer.unwrap_or_default().chars().take(80).collect();
    Err(CompilerError::Unrecognised { path: path.to_owned(), printed })
}

/// What the program prints when asked a short question.
pub(crate) fn ask(path: &Path, args: &[&str]) -> Result<String, CompilerError> {
    let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(CompilerError::Scratch)?;
    let limits = Limits { wall: Duration::from_secs(20), ..Limits::tool() };
    let run = process::run(&Job::new(path, scratch.path()).args(args).limits(limits))?;
    match run.ended {
        process::Ended::Exit(_) => {
            // Some compilers answer on standard error.
            let text = if run.stdout.is_empty() { run.stderr } else { run.stdout };
            Ok(String::from_utf8_lossy(&text).into_owned())
        }
        ended => Err(CompilerError::Silent { path: path.to_owned(), why: format!("{ended:?}") }),
    }
}
