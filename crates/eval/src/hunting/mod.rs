//! Ways to choose programs and pass sequences, side by side: which finds more bugs in the same time?

mod chunks;
mod run;
mod summary;
mod variant;

pub use chunks::HuntChunks;
pub use run::{HuntExperiment, HuntRun, HuntingError};
pub use summary::{HuntComparison, HuntRow, HuntSummary, PassCount, summarise_hunts};
pub use variant::HuntVariant;
