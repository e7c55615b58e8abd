//! A look at all living processes of a job.

#![allow(unsafe_code)]

use super::procfs;
use std::time::Duration;

/// What the processes below a supervisor use at this moment.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tree {
    /// Processor time so far, that of ended processes included.
    pub(super) cpu: Duration,
    /// Bytes of memory; what two processes share is counted twice.
    pub(super) memory: u64,
    /// Bytes of the largest address space.
    pub(super) address_space: u64,
    /// Living processes, as far as counted.
    pub(super) processes: u32,
    /// The job's own process is stopped.
    pub(super) stopped: bool,
    /// One of them has something to compute, whether it gets a processor for it or not.
    pub(super) runnable: bool,
}

impl Tree {
    /// Looks at the descendants of `supervisor`, and stops counting after `most` processes.
    pub(super) fn below(supervisor: i32, most: u32) -> Tree {
        let mut tree = Tree::default();
        let Some(stat) = procfs::stat(supervisor) else { return tree };
        let mut ticks = stat.child_ticks;
        // Each with the address space it may share with its parent.
        let mut found: Vec<(i32, Option<u64>)> = Vec::with_capacity(8);
        procfs::children(supervisor, 1, &mut |child| found.push((child, None)));
        let job = found.first().map(|(pid, _)| *pid);
        while let Some((pid, shared)) = found.pop() {
            let Some(stat) = procfs::stat(pid) else { continue };
            ticks += stat.ticks;
            if stat.state != b'Z' {
                tree.processes += 1;
            }
            tree.runnable |= stat.state == b'R';
            // A copy of a supervisor has our memory, and a child of vfork its parent's.
            if !stat.unborn && shared != Some(stat.address_space) {
                tree.memory += stat.rss_pages * page_size();
                tree.address_space = tree.address_space.max(stat.address_space);
            }
            tree.stopped |= Some(pid) == job && matches!(stat.state, b'T' | b't');
            if tree.processes > most {
                break;
            }
            // This is how the kernel shows a parent that waits in vfork.
            let shared = (stat.state == b'D').then_some(stat.address_space);
            procfs::children(pid, stat.threads, &mut |child| found.push((child, shared)));
        }
        tree.cpu = Duration::from_millis(ticks * 1000 / ticks_per_second());
        tree
    }
}

fn page_size() -> u64 {
    // SAFETY: takes no memory.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.try_into().unwrap_or(4096)
}

fn ticks_per_second() -> u64 {
    // SAFETY: takes no memory.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.try_into().unwrap_or(100)
}
