//! Headers that are compiled once for all files: half of a compilation of LLVM is reading them.
//!
//! Measured on LLVM 16 (`LoopUnrollPass.cpp`, clang 16): 6.7 s without, 6.3 s with headers that are only
//! parsed, 3.4 s when their templates are instantiated too.

use super::error::{InstrumentError, at};
use super::work::{Command, Work};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A header is worth it when one in so many files includes it.
const SHARE: usize = 55;

/// A compilation as CMake describes it in `compile_commands.json`.
#[derive(Deserialize)]
struct Compilation {
    command: String,
    file: PathBuf,
}

/// The headers of an LLVM source tree's projects, compiled for each apart.
pub(super) struct Headers<'a> {
    /// The root of the source; a project is a folder below it.
    pub source: &'a Path,
    /// The configured build, with its `compile_commands.json`.
    pub build: &'a Path,
    /// What CMake starts compilations with. As long as nothing is compiled, it only launches.
    pub launcher: PathBuf,
}

impl<'a> Headers<'a> {
    /// Puts the launcher of compilations into the work folder.
    pub(super) fn of(
        work: &Work,
        source: &'a Path,
        build: &'a Path,
    ) -> Result<Headers<'a>, InstrumentError> {
        let launcher = work.folder.join("tools/with-headers");
        let script = include_str!("../../runtime/with-headers")
            .replace("WHODUNIT_SOURCE", &source.display().to_string())
            .replace("WHODUNIT_HEADERS", &work.folder.join("tools").display().to_string());
        fs::write(&launcher, script).map_err(at(&launcher))?;
        fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).map_err(at(&launcher))?;
        Ok(Headers { source, build, launcher })
    }

    /// Compiles the headers below one of the folders (`llvm/`) that many files of a project include.
    /// Where that fails, the build takes longer, and is the same.
    pub(super) fn compile(
        &self,
        work: &mut Work,
        project: &str,
        folders: &[&str],
    ) -> Result<(), InstrumentError> {
        let described = self.build.join("compile_commands.json");
        let text = fs::read(&described).map_err(at(&described))?;
        let mut compilations: Vec<Compilation> = serde_json::from_slice(&text).unwrap_or_default();
        let root = self.source.join(project);
        compilations.retain(|one| {
            one.file.starts_with(&root) && one.file.extension().is_some_and(|end| end == "cpp")
        });
        let Some(arguments) = usual_arguments(&compilations, &self.launcher) else {
            return Ok(());
        };
        let tools = work.folder.join("tools");
        let source = tools.join(format!("{project}.h"));
        let files = compilations.iter().map(|one| one.file.as_path());
        fs::write(&source, includes(files, folders, compilations.len() / SHARE))
            .map_err(at(&source))?;
        let to = tools.join(format!("{project}.pch"));
        let (from, fresh) = (source.display().to_string(), format!("{}.new", to.display()));
        let mut argv: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let as_headers =
            ["-fvisibility=default", "-fpch-instantiate-templates", "-x", "c++-header"];
        argv.extend(as_headers);
        argv.extend([&from, "-o", &fresh]);
        let (is_made, _) = work.output(&Command::new("compile the headers", self.build, &argv))?;
        if is_made {
            fs::rename(&fresh, &to).map_err(at(to))
        } else {
            work.say(&format!(
                "the headers of {project} can't be compiled once for all: this will take longer"
            ));
            Ok(())
        }
    }
}

/// What most compilations have in common: compiler and options, without the folders of one library.
fn usual_arguments(compilations: &[Compilation], launcher: &Path) -> Option<Vec<String>> {
    let launcher = launcher.display().to_string();
    let mut seen: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for compilation in compilations {
        // Some versions of CMake describe the compilation without its launcher.
        let command = compilation.command.replacen(&launcher, "", 1).replace('\\', "");
        let words = command.split_whitespace().map(str::to_owned);
        let mut words: Vec<String> = words.take_while(|word| word != "-o").collect();
        words.retain(|word| !word.starts_with("-I") || word.ends_with("/include"));
        *seen.entry(words).or_default() += 1;
    }
    seen.into_iter().max_by_key(|(_, times)| *times).map(|(words, _)| words)
}

/// An `#include` line for each header of the folders that at least so many files include.
fn includes<'a>(
    files: impl Iterator<Item = &'a Path>,
    folders: &[&str],
    at_least: usize,
) -> String {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(file).unwrap_or_default();
        for line in text.lines() {
            let inside = line.strip_prefix("#include \"").and_then(|rest| rest.split_once('"'));
            if let Some((header, _)) = inside
                && header.ends_with(".h")
                && folders.iter().any(|folder| header.starts_with(folder))
            {
                *seen.entry(header.to_owned()).or_default() += 1;
            }
        }
    }
    let frequent = seen.into_iter().filter(|&(_, times)| times >= at_least.max(2));
    frequent.map(|(header, _)| format!("#include \"{header}\"\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_many_files_include_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let one =
            file("one.cpp", "#include \"llvm/a.h\"\n#include \"b.h\"\n#include \"llvm/c.def\"\n");
        let two =
            file("two.cpp", "// #include \"llvm/d.h\"\n#include \"llvm/a.h\"\n#include \"b.h\"\n");
        let files = [one.as_path(), two.as_path()];
        assert_eq!(includes(files.into_iter(), &["llvm/"], 2), "#include \"llvm/a.h\"\n");
    }

    #[test]
    fn the_usual_arguments_are_those_of_most_files() {
        let compilation = |compiler: &str, options: &str| Compilation {
            command: format!("{compiler} {options} -o a.o -c a.cpp"),
            file: "a.cpp".into(),
        };
        let all = [
            compilation("/w/launch clang++", "-I/b/lib/X -I/b/include -O1"),
            compilation("clang++", "-I/b/lib/Y -I/b/include -O1"),
            compilation("clang++", "-I/b/lib/Z -I/b/include -O1 -fexceptions"),
        ];
        let usual = usual_arguments(&all, Path::new("/w/launch")).unwrap();
        assert_eq!(usual, ["clang++", "-I/b/include", "-O1"]);
    }
}
