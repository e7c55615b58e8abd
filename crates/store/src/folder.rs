//! The folder of a campaign: what lies where, and whether a folder is one.

use crate::{FORMAT_VERSION, StoreError};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A campaign's folder, whether it exists or not.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

/// Says that a folder is a campaign and who may read it, without opening the database. These two
/// fields stay in all formats; others may join.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Marker {
    pub(crate) format: u32,
    pub(crate) whodunit: String,
}

impl Marker {
    fn ours() -> Marker {
        Marker { format: FORMAT_VERSION, whodunit: env!("CARGO_PKG_VERSION").to_owned() }
    }

    fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec(self).expect("a number and a string have a JSON form");
        json.push(b'\n');
        json
    }
}

impl Folder {
    pub(crate) fn new(dir: &Path) -> Folder {
        Folder(dir.to_owned())
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.0
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("campaign.db")
    }

    pub(crate) fn write_ahead_log(&self) -> PathBuf {
        self.0.join("campaign.db-wal")
    }

    pub(crate) fn files(&self) -> PathBuf {
        self.0.join("files")
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.0.join("lock")
    }

    fn marker(&self) -> PathBuf {
        self.0.join("whodunit-campaign.json")
    }

    /// The marker, if there is one and this whodunit reads its format.
    pub(crate) fn read_marker(&self) -> Result<Option<Marker>, StoreError> {
        let path = self.marker();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound) => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(self.not_a_campaign("it is a file, not a folder"));
            }
            Err(error) => return Err(StoreError::io("reading", &path, error)),
        };
        let marker: Marker = serde_json::from_slice(&bytes).map_err(|error| {
            let ours = Marker::ours().to_json();
            let why = format!("{error} (a sound one reads {})", ours.trim_ascii().escape_ascii());
            StoreError::Corrupt { what: "the campaign's marker".into(), place: path, why }
        })?;
        if marker.format > FORMAT_VERSION {
            return Err(self.other_version(marker.format, &marker.whodunit));
        }
        Ok(Some(marker))
    }

    /// The marker of a folder that must be a campaign.
    pub(crate) fn require_marker(&self) -> Result<Marker, StoreError> {
        self.read_marker()?.ok_or_else(|| match self.0.exists() {
            true => self.not_a_campaign("it has no file whodunit-campaign.json"),
            false => self.not_a_campaign("there is no such folder"),
        })
    }

    /// Makes the folder a campaign, if it is absent or empty.
    pub(crate) fn claim(&self) -> Result<(), StoreError> {
        let failed = |error| StoreError::write("making the campaign's folder", &self.0, error);
        fs::create_dir_all(&self.0).map_err(failed)?;
        for entry in fs::read_dir(&self.0).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            // A hunt that was killed while it claimed the folder leaves one of these.
            if !is_temporary(&name.to_string_lossy()) {
                let why = format!("it holds other things, such as {}", name.display());
                return Err(self.not_a_campaign(&why));
            }
        }
        self.write_marker()
    }

    /// Writes the marker of this version.
    pub(crate) fn write_marker(&self) -> Result<(), StoreError> {
        base::atomic_write(&self.marker(), &Marker::ours().to_json())
            .and_then(|()| sync_folder(&self.0))
            .map_err(|error| StoreError::write("writing", &self.marker(), error))
    }

    pub(crate) fn not_a_campaign(&self, why: &str) -> StoreError {
        StoreError::NotACampaign { dir: self.0.clone(), why: why.to_owned() }
    }

    pub(crate) fn other_version(&self, found: u32, made_by: &str) -> StoreError {
        let (dir, made_by) = (self.0.clone(), made_by.to_owned());
        StoreError::OtherVersion { dir, found, made_by, readable: FORMAT_VERSION }
    }

    /// Removes what writers left that were killed in the middle of a file. Only for the holder of
    /// the lock: to others, a temporary file may be one that is being written.
    pub(crate) fn sweep(&self) -> Result<(), StoreError> {
        let sweep_one = |dir: &Path| -> io::Result<()> {
            for entry in fs::read_dir(dir)? {
                let entry = entry?;
                if is_temporary(&entry.file_name().to_string_lossy()) {
                    fs::remove_file(entry.path())?;
                }
            }
            Ok(())
        };
        let sweep = || -> io::Result<()> {
            sweep_one(&self.0)?;
            if self.files().exists() {
                for entry in fs::read_dir(self.files())? {
                    let entry = entry?;
                    if entry.file_type()?.is_dir() {
                        sweep_one(&entry.path())?;
                    }
                }
            }
            Ok(())
        };
        sweep().map_err(|error| StoreError::write("removing unfinished files in", &self.0, error))
    }
}

/// Is this the name of a file that [`base::atomic_write`] has not finished?
fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(".tmp")
}

/// Makes the names in a folder survive a loss of power, as `sync_all` does for the bytes of a file.
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
