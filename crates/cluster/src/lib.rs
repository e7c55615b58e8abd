//! Work beyond one machine: chunks of it as jobs of Slurm.
//!
//! In: somebody who says which chunks come next and takes their results ([`Workload`]). Out: job arrays on a
//! cluster, and each result once. This crate does not know what a chunk does, nor what its result holds.
//!
//! All that lasts is files of one folder that the nodes share ([`Folder`]):
//!
//! ```text
//! order.json        what a worker must know: the command, and whose folder this is
//! ledger.jsonl      what became of each chunk, a line for each change
//! submissions/N     the chunks of a job array
//! results/NAME      what a chunk gave: written aside and renamed, and the only truth about it
//! input/            what chunks are about, as the controller wrote it
//! log/              what workers said
//! ```

mod chunk;
mod controller;
mod envelope;
mod error;
mod folder;
mod ledger;
mod site;
mod slurm;
mod submission;
mod worker;

pub use chunk::{Chunk, Spent};
pub use controller::{Controller, Ended, Gathered, Told, Wish, Workload};
pub use envelope::Envelope;
pub use error::ClusterError;
pub use folder::{Folder, Order};
pub use ledger::{Standing, standing};
pub use site::Site;
pub use slurm::Slurm;
pub use submission::{Resources, Submission};
pub use worker::{Assignment, OTHER_FOLDER, WorkError};
