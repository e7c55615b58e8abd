//! A program under test: its files and its language.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// What a program is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C.
    C,
    /// C++.
    #[serde(rename = "c++")]
    Cxx,
    /// LLVM's intermediate representation.
    Ir,
}

impl Language {
    /// The language of a unit of translation by the ending of its name; headers have none.
    #[must_use]
    pub fn of(name: &str) -> Option<Language> {
        match Path::new(name).extension()?.to_str()? {
            "c" | "i" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "C" | "ii" => Some(Language::Cxx),
            "ll" | "bc" => Some(Language::Ir),
            _ => None,
        }
    }

    fn is_header(name: &str) -> bool {
        matches!(
            Path::new(name).extension().and_then(|e| e.to_str()),
            Some("h" | "hh" | "hpp" | "inc")
        )
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::C => "C",
            Language::Cxx => "C++",
            Language::Ir => "LLVM IR",
        })
    }
}

/// One file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its name, without a folder.
    pub name: String,
    /// What it holds: bytes, because real programs are not always UTF-8.
    pub bytes: Vec<u8>,
}

/// A program: units of translation and the headers that they include.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What it is written in.
    pub language: Language,
    /// Units and headers.
    pub files: Vec<SourceFile>,
    /// The standard that it keeps to, such as `c99`, where that is known.
    pub standard: Option<String>,
    /// Arguments that every compiler needs for it, such as an include path.
    pub args: Vec<String>,
    /// What it must print, where that is known without running it.
    pub expected: Option<Vec<u8>>,
}

/// Why a path is not a program.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The operating system said no.
    #[error("cannot read the program {path}: {source}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// A folder where a file is wanted.
    #[error(
        "the program {0} is a folder; name a file (a folder of programs goes to hunt --source)"
    )]
    Folder(PathBuf),
    /// A pipe, a device, a socket.
    #[error("the program {0} is not a regular file")]
    NotRegular(PathBuf),
    /// Larger than any program that a compiler is tested with.
    #[error("the program {path} has {size} bytes; the limit is {limit}")]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its size.
        size: u64,
        /// [`Program::MAX_BYTES`].
        limit: u64,
    },
    /// An ending that says nothing.
    #[error("cannot tell the language of {0} by its name: it must end in .c, .cpp or .ll")]
    UnknownLanguage(PathBuf),
    /// Nothing to compile in it.
    #[error("{0} holds no .c or .cpp file")]
    Empty(PathBuf),
    /// C and C++ units side by side.
    #[error("{0} mixes languages; a program is C or C++")]
    Mixed(PathBuf),
}

impl Program {
    /// No compiler is tested with more: 64 MiB, forty times the largest that YARPGen makes.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// A program of one file.
    #[must_use]
    pub fn single(name: &str, language: Language, bytes: impl Into<Vec<u8>>) -> Program {
        let files = vec![SourceFile { name: name.to_owned(), bytes: bytes.into() }];
        Program { language, files, standard: None, args: Vec::new(), expected: None }
    }

    /// Reads the program in one file.
    ///
    /// # Errors
    /// When it can't be read, or is not a program by its name, kind or size.
    pub fn read_file(path: &Path) -> Result<Program, ProgramError> {
        let file = read_checked(path)?;
        let language =
            Language::of(&file.name).ok_or_else(|| ProgramError::UnknownLanguage(path.into()))?;
        Ok(Program {
            language,
            files: vec![file],
            standard: None,
            args: Vec::new(),
            expected: None,
        })
    }

    /// Reads the program whose units and headers are the files of `folder`.
    ///
    /// # Errors
    /// As for [`Program::read_file`], and when there is no unit or there are units of two languages.
    pub fn read_folder(folder: &Path) -> Result<Program, ProgramError> {
        let unreadable = |source| ProgramError::Read { path: folder.into(), source };
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .map_err(unreadable)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()
            .map_err(unreadable)?;
        paths.sort();
        let mut files = Vec::new();
        let mut language = None;
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            match Language::of(&name) {
                Some(Language::Ir) => continue,
                Some(found) if language.is_some_and(|language| language != found) => {
                    return Err(ProgramError::Mixed(folder.into()));
                }
                Some(found) => language = Some(found),
                None if Language::is_header(&name) => {}
                None => continue,
            }
            files.push(read_checked(&path)?);
        }
        let language = language.ok_or_else(|| ProgramError::Empty(folder.into()))?;
        Ok(Program { language, files, standard: None, args: Vec::new(), expected: None })
    }

    /// The files that are compiled, headers left out. Assembly is one of them: what a compiler made
    /// of a unit can stand for it.
    pub fn units(&self) -> impl Iterator<Item = &SourceFile> {
        self.files
            .iter()
            .filter(|file| Language::of(&file.name).is_some() || file.name.ends_with(".s"))
    }

    /// Drops arguments that name folders of headers, where nothing is included.
    pub fn drop_unused_folders(&mut self) {
        // `#embed` and `#import` look there too; a word in a comment costs nothing.
        let looks = |file: &SourceFile| {
            let text = String::from_utf8_lossy(&file.bytes);
            ["include", "embed", "import"].iter().any(|word| text.contains(word))
        };
        if !self.files.iter().any(looks) {
            self.args.retain(|arg| arg.strip_prefix("-I").is_none_or(str::is_empty));
        }
    }

    /// Bytes in all files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum()
    }

    /// Does it hold nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes its files into `dir`.
    ///
    /// # Errors
    /// When the disk says no.
    pub fn write_to(&self, dir: &Path) -> std::io::Result<()> {
        self.files.iter().try_for_each(|file| fs::write(dir.join(&file.name), &file.bytes))
    }
}

fn read_checked(path: &Path) -> Result<SourceFile, ProgramError> {
    let read = |source| ProgramError::Read { path: path.into(), source };
    let meta = fs::metadata(path).map_err(read)?;
    if meta.is_dir() {
        return Err(ProgramError::Folder(path.into()));
    }
    if !meta.is_file() {
        return Err(ProgramError::NotRegular(path.into()));
    }
    if meta.len() > Program::MAX_BYTES {
        let (size, limit) = (meta.len(), Program::MAX_BYTES);
        return Err(ProgramError::TooLarge { path: path.into(), size, limit });
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(SourceFile { name, bytes: fs::read(path).map_err(read)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_several_files_is_one_program() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.c", "a.c", "x.h", "notes.txt"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let program = Program::read_folder(dir.path()).unwrap();
        let units: Vec<&str> = program.units().map(|file| file.name.as_str()).collect();
        assert_eq!(units, ["a.c", "b.c"]);
        assert_eq!(program.files.len(), 3);
        assert_eq!(program.language, Language::C);
    }

    #[test]
    fn folders_of_headers_go_with_the_last_include() {
        let mut program = Program::single("a.c", Language::C, "# include <x.h>\nint main() {}");
        program.args = ["-I/x", "-I", "/y", "-DX"].map(str::to_owned).to_vec();
        let all = program.args.clone();
        program.drop_unused_folders();
        assert_eq!(program.args, all);
        program.files[0].bytes = b"int main() {}".to_vec();
        program.drop_unused_folders();
        assert_eq!(program.args, ["-I", "/y", "-DX"], "two words stay, and do no harm");
    }

    #[test]
    fn what_is_not_a_program_is_said_plainly() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge.c");
        fs::File::create(&path).unwrap().set_len(1 << 30).unwrap();
        let error = |path: &Path| Program::read_file(path).unwrap_err().to_string();
        assert!(error(&path).contains("1073741824 bytes"));
        assert!(error(dir.path()).contains("is a folder"));
        assert!(error(Path::new("/dev/null")).contains("not a regular file"));
        fs::write(dir.path().join("a.txt"), "").unwrap();
        assert!(error(&dir.path().join("a.txt")).contains("must end in .c"));
        assert!(error(&dir.path().join("absent.c")).contains("cannot read"));
    }
}
