//! Finding and opening libclang.

use crate::ffi::Api;
use crate::parse::Unit;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// An opened libclang. Clones share it; any thread may use it.
#[derive(Clone)]
pub struct Library {
    pub(crate) api: Arc<Api>,
    /// Files that were read and may be read again: headers are kept with them.
    pub(crate) units: Arc<Mutex<Vec<Unit>>>,
    path: PathBuf,
    version: u32,
}

/// Why there is no libclang to use.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// None is installed.
    #[error(
        "no libclang {MINIMUM} or newer was found (Debian: apt install libclang1-19); \
         LIBCLANG_PATH may name the file"
    )]
    NotFound,
    /// The file that was named can't be opened or is something else.
    #[error("{path} can't be used as libclang: {why}")]
    Unusable {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Too old to tell operators.
    #[error("{path} is libclang {version}; {MINIMUM} or newer is needed")]
    TooOld {
        /// Which file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
}

/// The first libclang that tells which operator an expression has.
const MINIMUM: u32 = 17;

impl Library {
    /// Opens the file that LIBCLANG_PATH names, or else the newest libclang in the usual
    /// places.
    ///
    /// # Errors
    /// When there is none, or the one that is named can't be used.
    pub fn find() -> Result<Library, LibraryError> {
        if let Some(path) = std::env::var_os("LIBCLANG_PATH").map(PathBuf::from)
            && path.is_file()
        {
            return Library::open(&path);
        }
        let mut found = candidates();
        // The newest first: one that is broken does not hide an older one.
        found.sort_by(|a, b| b.cmp(a));
        found.iter().find_map(|(_, path)| Library::open(path).ok()).ok_or(LibraryError::NotFound)
    }

    /// Opens the libclang in this file.
    ///
    /// # Errors
    /// When it is not a libclang that can be used.
    pub fn open(path: &Path) -> Result<Library, LibraryError> {
        let unusable = |why| LibraryError::Unusable { path: path.to_owned(), why };
        let api = Arc::new(Api::open(path).map_err(unusable)?);
        let text = crate::parse::version_text(&api);
        let version = text
            .split("version ")
            .nth(1)
            .and_then(|rest| rest.split('.').next())
            .and_then(|major| major.parse().ok())
            .ok_or_else(|| unusable(format!("its version is {text:?}")))?;
        if version < MINIMUM || api.binary_operator.is_none() || api.unary_operator.is_none() {
            return Err(LibraryError::TooOld { path: path.to_owned(), version });
        }
        Ok(Library { api, units: Arc::default(), path: path.to_owned(), version })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first number of its version.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "libclang {} ({})", self.version, self.path.display())
    }
}

/// Files that look like a libclang, with the version in their folder or name.
fn candidates() -> Vec<(u32, PathBuf)> {
    let mut found = Vec::new();
    let llvm: Vec<PathBuf> = entries(Path::new("/usr/lib"))
        .into_iter()
        .filter(|path| name_of(path).starts_with("llvm"))
        .map(|path| path.join("lib"))
        .collect();
    let plain = ["/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from);
    for folder in llvm.iter().chain(&plain) {
        for path in entries(folder) {
            let name = name_of(&path);
            // Not libclang-cpp, which is another library.
            let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
            let fits =
                |rest: &&str| rest.starts_with(".so") || rest.strip_prefix('-').is_some_and(digit);
            let Some(rest) = name.strip_prefix("libclang").filter(fits) else { continue };
            let number = |text: &str| {
                let digits: String = text
                    .chars()
                    .skip_while(|c| !c.is_ascii_digit())
                    .take_while(char::is_ascii_digit)
                    .collect();
                digits.parse::<u32>().ok()
            };
            let folder = folder.to_string_lossy();
            let version = rest.strip_prefix('-').and_then(number).or_else(|| number(&folder));
            found.push((version.unwrap_or_default(), path));
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder);
    read.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
