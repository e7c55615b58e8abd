//! Where private folders are made.

use crate::exit::Failure;
use std::path::Path;
use toolchain::free_disk;
use toolchain::process::Scratch;

/// Room for a few compilations at once.
const ENOUGH: u64 = 512 << 20;

/// A private folder in memory, where the machine has such a place and room in it: counters that are
/// shared with a file on a disk cost the compiler a journal entry for every page.
pub fn in_memory() -> Result<Scratch, Failure> {
    let memory = Path::new("/dev/shm");
    if free_disk(memory).is_some_and(|free| free >= ENOUGH)
        && let Ok(scratch) = Scratch::new_in(memory)
    {
        return Ok(scratch);
    }
    Scratch::new_in(&std::env::temp_dir()).map_err(Failure::ours)
}
