//! An allocator whose large blocks are left out of forks.
//!
//! Every job is a fork of us, and a fork copies the page tables of all that we hold: of maps of a
//! compiler's edges and of sets of them, hundreds of megabytes that no supervisor looks at. Where they are
//! not copied, a job costs the same however much we remember.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

/// Blocks of at least so many bytes are left out; what a supervisor needs is smaller.
const LARGE: usize = 128 << 10;

/// The system's allocator, but for large blocks: those are mappings of their own, which forked processes
/// do not have. For a program's `#[global_allocator]`.
#[derive(Debug)]
pub struct Heap;

impl Heap {
    /// Keeps small blocks together, for as many threads as there are cores. Otherwise each of many threads in turn
    /// leaves pages of its own behind, and all of them are part of every fork: experiments with isolation had 220 MB of
    /// them after half an hour, and 80 where all threads shared one arena.
    pub fn keep_together(cores: usize) {
        let arenas = i32::try_from(cores.max(2)).unwrap_or(i32::MAX);
        // SAFETY: it sets a number.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, arenas) };
    }
}

fn is_large(layout: &Layout) -> bool {
    // A page is aligned to its size, and no page is smaller.
    layout.size() >= LARGE && layout.align() <= 4096
}

/// A mapping of zeros, or null.
fn map(size: usize) -> *mut u8 {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping touches no memory that anybody has.
    unsafe {
        let start = libc::mmap(ptr::null_mut(), size, access, kind, -1, 0);
        if start == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        // Where that is not known, forks cost more.
        libc::madvise(start, size, libc::MADV_DONTFORK);
        start.cast()
    }
}

// SAFETY: a block is either one of the system's or a mapping of its own; its layout, which the caller gives
// back unchanged, tells which.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_large(&layout) {
            true => map(layout.size()),
            // SAFETY: the caller's promise.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_large(&layout) {
            true => map(layout.size()),
            // SAFETY: the caller's promise.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match is_large(&layout) {
            // SAFETY: it is a whole mapping, and nobody uses it any more.
            true => unsafe {
                libc::munmap(block.cast(), layout.size());
            },
            // SAFETY: the caller's promise.
            false => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is one that a layout can have.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (is_large(&layout), is_large(&wanted)) {
            // SAFETY: the caller's promise.
            (false, false) => unsafe { System.realloc(block, layout, size) },
            (true, true) => {
                // SAFETY: it is a whole mapping; what is left out of forks stays so.
                let moved = unsafe {
                    libc::mremap(block.cast(), layout.size(), size, libc::MREMAP_MAYMOVE)
                };
                if moved == libc::MAP_FAILED { ptr::null_mut() } else { moved.cast() }
            }
            // SAFETY: both blocks hold at least the smaller size, and are different ones.
            _ => unsafe {
                let moved = self.alloc(wanted);
                if !moved.is_null() {
                    ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                    self.dealloc(block, layout);
                }
                moved
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_bytes_across_the_limit() {
        let layout = |size: usize| Layout::from_size_align(size, 8).unwrap();
        let sizes = [100, LARGE - 1, LARGE, 3 * LARGE + 5, LARGE + 1, LARGE - 8, 64];
        // SAFETY: each block is used by its layout, and freed once.
        unsafe {
            let mut block = Heap.alloc_zeroed(layout(sizes[0]));
            assert!((0..sizes[0]).all(|at| *block.add(at) == 0));
            (0..sizes[0]).for_each(|at| *block.add(at) = at as u8);
            for pair in sizes.windows(2) {
                block = Heap.realloc(block, layout(pair[0]), pair[1]);
                assert!((0..64).all(|at| *block.add(at) == at as u8), "{pair:?}");
            }
            Heap.dealloc(block, layout(sizes[sizes.len() - 1]));
            let zeros = Heap.alloc_zeroed(layout(2 * LARGE));
            assert!((0..2 * LARGE).all(|at| *zeros.add(at) == 0));
            Heap.dealloc(zeros, layout(2 * LARGE));
        }
    }

    #[test]
    fn a_fork_does_not_have_large_blocks() {
        // SAFETY: the child only looks and ends.
        unsafe {
            let layout = Layout::from_size_align(LARGE, 8).unwrap();
            let block = Heap.alloc(layout);
            *block = 1;
            let child = libc::fork();
            if child == 0 {
                libc::_exit((*block).into());
            }
            let mut status = 0;
            libc::waitpid(child, &raw mut status, 0);
            assert!(libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGSEGV);
            Heap.dealloc(block, layout);
        }
    }
}
