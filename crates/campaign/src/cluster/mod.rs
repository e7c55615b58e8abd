//! A hunt whose programs are tested on the nodes of a cluster.
//!
//! A chunk is a range of programs, or a stage of one finding. A worker hunts in a campaign of its own, in its node's
//! temporary folder, and sends what is in it ([`Parcel`]); the controller puts parcels into the campaign, decides
//! which findings repeat earlier ones in their order, as a hunt on one machine does, and sends out the others.

mod hunting;
mod parcel;
mod task;
mod working;

pub use hunting::{OnCluster, hunt_on_cluster, plan_on_cluster};
pub use parcel::{Parcel, ParcelError};
pub use working::{Worked, work};

use cluster::Standing;
use std::path::{Path, PathBuf};

/// Where the chunks of a campaign are at the moment; nothing if it is not hunted on a cluster.
#[must_use]
pub fn chunks(campaign: &Path) -> Option<Standing> {
    cluster::standing(&cluster_folder(campaign))
}

/// Where the chunks of a campaign are kept.
#[must_use]
pub fn cluster_folder(campaign: &Path) -> PathBuf {
    campaign.join("slurm")
}
