//! The helper tools that commands can use, where they are installed.

use crate::compiler::{ask, in_path};
use std::path::{Path, PathBuf};

/// A tool that some command can use.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// How it is found.
    find: Find,
    /// What it enables.
    pub enables: &'static str,
    /// The command that gets it on Debian.
    pub get: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Find {
    /// A program in PATH, and the argument that makes it tell its version.
    Program(&'static str, &'static str),
    /// A shared library, by folder prefix, inner folder and the beginning of its name.
    Library(&'static [&'static str]),
}

/// All tools, in the order in which commands need them.
pub static TOOLS: [Tool; 9] = [
    Tool {
        name: "csmith",
        find: Find::Program("csmith", "--version"),
        enables: "hunt --source csmith",
        get: "apt install csmith libcsmith-dev",
    },
    Tool {
        name: "frama-c",
        find: Find::Program("frama-c", "-version"),
        enables: "a sharper screen for undefined behaviour in small C programs",
        get: "apt install frama-c-base",
    },
    Tool {
        name: "qemu",
        find: Find::Program("qemu-aarch64", "--version"),
        enables: "running what cross compilers make",
        get: "apt install qemu-user",
    },
    Tool {
        name: "cvise",
        find: Find::Program("cvise", "--version"),
        enables: "reduction by C-Vise",
        get: "apt install cvise",
    },
    Tool {
        name: "creduce",
        find: Find::Program("creduce", "--version"),
        enables: "reduction by C-Reduce",
        get: "apt install creduce",
    },
    Tool {
        name: "llvm-reduce",
        find: Find::Program("llvm-reduce-16", "--version"),
        enables: "reduction of LLVM IR",
        get: "apt install llvm-16",
    },
    Tool {
        name: "libclang",
        find: Find::Library(&[
            "/usr/lib/llvm-22/lib",
            "/usr/lib/llvm-21/lib",
            "/usr/lib/llvm-20/lib",
            "/usr/lib/llvm-19/lib",
            "/usr/lib/llvm-18/lib",
            "/usr/lib/llvm-17/lib",
        ]),
        enables: "reading C programs as typed trees: reduce, and hunt's own reduction",
        get: "apt install libclang1-19",
    },
    Tool {
        name: "z3",
        find: Find::Program("z3", "--version"),
        enables: "proving the generator's rewrite table (scripts/prove-rewrites.py)",
        get: "apt install z3",
    },
    Tool {
        name: "slurm",
        find: Find::Program("sbatch", "--version"),
        enables: "campaigns on a cluster",
        get: "apt install slurm-client",
    },
];

impl Tool {
    /// Where it is and what it says of its version, or nothing.
    #[must_use]
    pub fn look(&self) -> Option<(PathBuf, String)> {
        match self.find {
            Find::Program(name, version) => {
                let path = in_path(name)?;
                let text = ask(&path, &[version]).unwrap_or_default();
                let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                Some((path, line.trim().to_owned()))
            }
            Find::Library(folders) => folders.iter().find_map(|folder| library(Path::new(folder))),
        }
    }
}

fn library(folder: &Path) -> Option<(PathBuf, String)> {
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("libclang-")
                && !name.starts_with("libclang-cpp")
                && name.contains(".so")
        })
        .collect();
    files.sort();
    let path = files.into_iter().next()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some((path, name))
}
