//! A folder of programs as a source: each file, and each sub-folder of files, is one.

use super::{Source, SourceError, Sourced, Wanted};
use base::{ContentId, Seed};
use std::path::{Path, PathBuf};
use toolchain::{Language, Program, ProgramError};

pub(super) struct Folder {
    folder: PathBuf,
    programs: Vec<PathBuf>,
    language: Language,
    /// Of all names and bytes: a changed program is another source.
    contents: ContentId,
}

impl Folder {
    pub(super) fn new(folder: &Path) -> Result<Folder, SourceError> {
        let unreadable = |source| ProgramError::Read { path: folder.into(), source };
        let mut programs: Vec<PathBuf> = Vec::new();
        for entry in folder.read_dir().map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_unit = matches!(Language::of(&name), Some(Language::C | Language::Cxx));
            // A folder without units is none of ours; one that can't be read is counted later.
            let is_empty = || matches!(Program::read_folder(&path), Err(ProgramError::Empty(_)));
            if is_unit || path.is_dir() && !is_empty() {
                programs.push(path);
            }
        }
        programs.sort();
        let folder = folder.canonicalize().map_err(unreadable)?;
        let first = programs.first().ok_or_else(|| SourceError::NoPrograms(folder.clone()))?;
        let readable = programs.iter().find_map(|path| read(path).ok());
        let language = readable.map_or_else(|| read(first), Ok)?.language;
        let mut all = Vec::new();
        for path in &programs {
            all.extend_from_slice(path.file_name().unwrap_or_default().as_encoded_bytes());
            for file in read(path).map(|program| program.files).unwrap_or_default() {
                all.extend_from_slice(file.name.as_bytes());
                all.extend_from_slice(ContentId::of(&file.bytes).to_string().as_bytes());
            }
        }
        Ok(Folder { folder, programs, language, contents: ContentId::of(&all) })
    }
}

fn read(path: &Path) -> Result<Program, ProgramError> {
    if path.is_dir() { Program::read_folder(path) } else { Program::read_file(path) }
}

impl Source for Folder {
    fn describe(&self) -> String {
        let (number, folder) = (self.programs.len(), self.folder.display());
        let programs = if number == 1 { "program" } else { "programs" };
        format!("the {number} {programs} in {folder} ({})", self.contents.short())
    }

    fn language(&self) -> Language {
        self.language
    }

    fn generates(&self) -> bool {
        false
    }

    fn len(&self) -> Option<u64> {
        Some(self.programs.len() as u64)
    }

    fn program(&self, wanted: &Wanted<'_>, _scratch: &Path) -> Result<Sourced, SourceError> {
        let index = wanted.index;
        // One bad file among a thousand is counted with its reason; it does not stop the hunt.
        let program = read(&self.programs[index as usize]).map_err(|error| error.to_string());
        Ok(Sourced { seed: Seed(index), program })
    }
}
