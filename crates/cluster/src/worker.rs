//! A worker's side: its chunk in, its result out.

use crate::chunk::{Chunk, Spent};
use crate::envelope::{self, Envelope};
use crate::folder::{Folder, Order, program};
use crate::submission::Submission;
use base::{ContentId, atomic_write};
use std::path::{Path, PathBuf};

/// The exit code of a worker whose node has another folder at the place of the controller's: it can't write there.
pub const OTHER_FOLDER: u8 = 66;

/// What a worker is to do.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The folder.
    pub folder: Folder,
    /// The command behind it.
    pub order: Order,
    /// The chunk.
    pub chunk: Chunk,
    host: String,
    job: String,
}

/// Why a worker can't begin.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The folder is not the controller's.
    #[error(
        "{dir} on {host} is not the folder from which this job was submitted ({why}): it must be shared by all nodes"
    )]
    OtherFolder {
        /// The folder.
        dir: PathBuf,
        /// The node.
        host: String,
        /// What is wrong with it.
        why: String,
    },
    /// Not called by Slurm.
    #[error("this is what jobs of a cluster call: {0} is not set")]
    NoJob(&'static str),
}

fn variable(name: &'static str) -> Result<String, WorkError> {
    std::env::var(name).map_err(|_| WorkError::NoJob(name))
}

impl Assignment {
    /// Reads what the job is to do.
    ///
    /// # Errors
    /// When it is not one of Slurm's, or the folder is another one.
    pub fn read(dir: &Path, token: &str, submission: u64) -> Result<Assignment, WorkError> {
        let place = variable("SLURM_ARRAY_TASK_ID")?;
        let job = variable("SLURM_ARRAY_JOB_ID")?;
        let host = std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| "unknown".to_owned());
        let other =
            |why: String| WorkError::OtherFolder { dir: dir.to_owned(), host: host.clone(), why };
        let folder = Folder::new(dir);
        let order = folder.order().map_err(|error| other(error.to_string()))?;
        if order.token != token {
            return Err(other(format!("its token is {}, not {token}", order.token)));
        }
        let chunks = Submission::read(&folder, submission)
            .map_err(|error| other(error.to_string()))?
            .ok_or_else(|| other(format!("it has no submission {submission}")))?
            .chunks;
        let chunk = chunks.into_iter().find(|(at, _)| at.to_string() == place);
        let (_, chunk) =
            chunk.ok_or_else(|| other(format!("submission {submission} has no chunk {place}")))?;
        let job = format!("{job}_{place}");
        Ok(Assignment { folder, order, chunk, host, job })
    }

    /// Why this whodunit is the wrong one for it, if it is.
    #[must_use]
    pub fn other_version(&self) -> Option<String> {
        let (mine, theirs) = (program(), &self.order.whodunit);
        (mine != *theirs)
            .then(|| format!("it was submitted by whodunit {theirs}, and this node has {mine}"))
    }

    /// Writes the result, whole or not at all.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&self, spent: Spent, content: &[u8]) -> std::io::Result<()> {
        self.send(spent, None, content)
    }

    /// Says that there is none, and why.
    ///
    /// # Errors
    /// When that can't be written.
    pub fn refuse(&self, spent: Spent, why: String) -> std::io::Result<()> {
        self.send(spent, Some(why), b"")
    }

    fn send(&self, spent: Spent, refused: Option<String>, content: &[u8]) -> std::io::Result<()> {
        let envelope = Envelope {
            chunk: self.chunk.name.clone(),
            token: self.order.token.clone(),
            whodunit: self.order.whodunit.clone(),
            host: self.host.clone(),
            job: self.job.clone(),
            spent,
            written: envelope::now(),
            refused,
            content: ContentId::of(content),
        };
        // A name that no other node has: another try at the same chunk may be under way.
        let aside = self.folder.aside().join(format!("{}.{}", self.chunk.name, self.job));
        atomic_write(&aside, &envelope.close(content))?;
        std::fs::rename(&aside, self.folder.result(&self.chunk.name))
    }
}
