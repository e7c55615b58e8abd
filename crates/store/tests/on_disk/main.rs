//! A real campaign on a real disk: used, killed, filled, damaged.

#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod damaged;
mod exported;
mod full_disk;
mod killed;
mod locked;
mod mount;
mod read_only;
mod samples;
mod used;
