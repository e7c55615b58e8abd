//! A campaign and experiments in a browser, while they run.
//!
//! In: folders. Out: pages, by HTTP. It only reads, runs nothing, and talks to this machine alone unless
//! it is told otherwise and has a token.
//!
//! Own code instead of `axum`, which brings 47 crates: pages are read by a handful of people, so a thread for each
//! connection, requests without a body and answers that close the connection are enough.

mod access;
mod http;
mod page;
mod server;
mod site;
mod watch;

pub use access::{Access, AccessError};
pub use server::{ServeError, Server};
pub use site::{Experiment, ExperimentError, Site};
