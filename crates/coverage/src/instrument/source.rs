//! The source of a compiler.

use super::error::InstrumentError;
use super::work::Work;
use super::{From, Recipe, Request, debian};
use std::path::{Path, PathBuf};

/// Is this folder the root of the source?
pub(super) fn check(recipe: &dyn Recipe, folder: &Path) -> Result<(), InstrumentError> {
    if folder.join(recipe.landmark()).is_file() {
        return Ok(());
    }
    Err(InstrumentError::NotSource {
        folder: folder.to_owned(),
        project: recipe.project(),
        landmark: recipe.landmark(),
    })
}

/// The root of the source, and where it came from in words.
pub(super) fn provide(
    recipe: &dyn Recipe,
    request: &Request,
    work: &mut Work,
) -> Result<(PathBuf, String), InstrumentError> {
    match &request.from {
        From::Folder(folder) => {
            let folder = folder.canonicalize().map_err(super::error::at(folder))?;
            let described = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((folder, format!("source tree {described}")))
        }
        From::Debian(package) => debian::source(recipe, package, work),
    }
}

/// The folder below `folder`, at most two deep, that has the landmark.
pub(super) fn find(recipe: &dyn Recipe, folder: &Path, depth: u32) -> Option<PathBuf> {
    if folder.join(recipe.landmark()).is_file() {
        return Some(folder.to_owned());
    }
    if depth == 0 {
        return None;
    }
    let mut inside: Vec<PathBuf> =
        folder.read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
    inside.sort();
    inside.into_iter().filter(|path| path.is_dir()).find_map(|path| find(recipe, &path, depth - 1))
}
