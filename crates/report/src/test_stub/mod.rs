//! A file for the test suite of the compiler, as far as it can be written before the bug is
//! understood.

mod dejagnu;
mod lit;

use crate::bug::{Bug, Family, File};

/// The file, for GCC or LLVM. Nothing for other compilers, and for programs of several files: how
/// those are split is for the person who fixes the bug.
#[must_use]
pub fn test_stub(bug: &Bug) -> Option<File> {
    let [program] = bug.files.as_slice() else { return None };
    match bug.family {
        Family::Gcc => Some(dejagnu::stub(bug, program)),
        Family::Llvm => Some(lit::stub(bug, program)),
        Family::Other => None,
    }
}
