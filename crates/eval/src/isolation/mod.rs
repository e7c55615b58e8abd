//! How well methods of isolation do on bugs whose guilty files are known.

mod bench;
mod chunks;
mod kept;
mod plots;
mod run;
mod summary;

pub use bench::{BenchBug, BenchError, read_bench};
pub use chunks::IsolationChunks;
pub use plots::pictures;
pub use run::{IsolationEvalError, IsolationExperiment, IsolationRun, MethodWith};
pub use summary::{ComparisonRow, CorrelationRow, IsolationSummary, MethodRow, summarise};
