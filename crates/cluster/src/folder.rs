//! The folder that controller and workers share.

use crate::ClusterError;
use base::{ContentId, atomic_write};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The folder that controller and workers share.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// What a worker must know before it looks at its chunk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Order {
    /// Tells this folder from another one at the same place, such as that of a node which does not share it.
    pub token: String,
    /// The version of whodunit that wrote it.
    pub whodunit: String,
    /// The command that was given.
    pub args: Vec<String>,
    /// Where it was given.
    pub dir: PathBuf,
    /// What must be the same for the worker as for the controller.
    pub terms: Value,
}

/// This whodunit: its version and its hash, since two builds of a version may differ.
pub(crate) fn program() -> String {
    let hash = std::env::current_exe().and_then(File::open).and_then(ContentId::of_reader);
    let hash = hash.map_or_else(|_| "unknown".to_owned(), |hash| hash.short());
    format!("{} {hash}", env!("CARGO_PKG_VERSION"))
}

/// Results, submissions and so on are below these.
const PARTS: [&str; 5] = ["submissions", "results", "input", "log", "aside"];

impl Folder {
    /// The folder at this place.
    #[must_use]
    pub fn new(dir: impl Into<PathBuf>) -> Folder {
        Folder(dir.into())
    }

    /// Where it is.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.0
    }

    /// Makes it, if it is not there, and writes the order into it. The token stays.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn prepare(
        &self,
        args: Vec<String>,
        dir: PathBuf,
        terms: Value,
    ) -> Result<Order, ClusterError> {
        for part in PARTS {
            let path = self.0.join(part);
            fs::create_dir_all(&path).map_err(ClusterError::io(&path))?;
        }
        let before = self.order_if_any()?;
        let token = before.as_ref().map_or_else(|| self.new_token(), |order| order.token.clone());
        let order = Order { token, whodunit: program(), args, dir, terms };
        if before.as_ref() != Some(&order) {
            write_json(&self.order_path(), &order)?;
        }
        Ok(order)
    }

    /// Different for each folder and moment; nothing depends on which it is.
    fn new_token(&self) -> String {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let said = format!("{} {since:?} {}", self.0.display(), std::process::id());
        ContentId::of(said.as_bytes()).short()
    }

    fn order_path(&self) -> PathBuf {
        self.0.join("order.json")
    }

    fn order_if_any(&self) -> Result<Option<Order>, ClusterError> {
        read_json(&self.order_path())
    }

    /// What workers must know.
    ///
    /// # Errors
    /// When it is not there, or can't be read.
    pub fn order(&self) -> Result<Order, ClusterError> {
        let missing = || ClusterError::Io {
            path: self.order_path(),
            source: std::io::ErrorKind::NotFound.into(),
        };
        self.order_if_any()?.ok_or_else(missing)
    }

    /// The result of a chunk.
    #[must_use]
    pub fn result(&self, chunk: &str) -> PathBuf {
        self.0.join("results").join(chunk)
    }

    /// A file for chunks to read.
    #[must_use]
    pub fn input(&self, name: &str) -> PathBuf {
        self.0.join("input").join(name)
    }

    pub(crate) fn ledger(&self) -> PathBuf {
        self.0.join("ledger.jsonl")
    }

    pub(crate) fn submissions(&self) -> PathBuf {
        self.0.join("submissions")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// Results are written here before they are renamed.
    pub(crate) fn aside(&self) -> PathBuf {
        self.0.join("aside")
    }

    /// Keeps other controllers away while the file is open.
    pub(crate) fn lock(&self) -> Result<File, ClusterError> {
        let path = self.0.join("lock");
        let io = ClusterError::io(&path);
        let file = match File::create(&path) {
            Ok(file) => file,
            Err(error) => return Err(io(error)),
        };
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ClusterError::Locked(self.0.clone())),
            Err(TryLockError::Error(error)) => Err(io(error)),
        }
    }
}

pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ClusterError> {
    let text = serde_json::to_vec(value).expect("plain data with string keys");
    atomic_write(path, &text).map_err(ClusterError::io(path))
}

/// Nothing if there is no such file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ClusterError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| {
            ClusterError::Damaged { path: path.to_owned(), why: error.to_string() }
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClusterError::io(path)(error)),
    }
}
