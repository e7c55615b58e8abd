//! Killing all descendants without a PID namespace.
//!
//! They are stopped before they are killed: a fork bomb would outrun a hunter that kills one by
//! one. Orphans become children of the hunter (a subreaper), so none gets out of sight.

#![allow(unsafe_code)]

use super::procfs;
use std::ptr;

/// Rounds of stopping before the killing starts anyway: a process in an uninterruptible wait does
/// not stop. At a millisecond each, well below the grace that we are given.
const STOP_ROUNDS: u32 = 100;

/// Kills all descendants of this process; `reap` waits for one ended child, and says if there was
/// one. `table` is room for their ids. Safe after a fork.
pub(super) fn kill_descendants(table: &mut [i32], reap: &mut impl FnMut() -> bool) {
    loop {
        while reap() {}
        if !has_children() {
            return;
        }
        // SAFETY: can't fail.
        let root = unsafe { libc::getpid() };
        stop_descendants(root, table);
        kill_stopped(root, table);
        pause();
    }
}

/// Kills what can be found below `root`, and `root`, from outside. `root` comes last: as long as it
/// lives, no orphan gets out of sight.
pub(super) fn kill_from_outside(root: i32) {
    let mut table = vec![0; 4096];
    for _ in 0..STOP_ROUNDS {
        stop_descendants(root, &mut table);
        if kill_stopped(root, &mut table) == 0 {
            break;
        }
        pause();
    }
    signal(root, libc::SIGKILL);
}

fn stop_descendants(root: i32, table: &mut [i32]) {
    let own_group = procfs::stat(root).map_or(0, |stat| stat.group);
    for _ in 0..STOP_ROUNDS {
        let mut all_stopped = true;
        // Stopped before its children are read, so that it gets no more of them.
        descend(root, table, &mut |pid| {
            let Some(stat) = procfs::stat(pid) else { return };
            if matches!(stat.state, b'T' | b't' | b'Z' | b'X') {
                return;
            }
            all_stopped = false;
            signal_group_of(pid, own_group, libc::SIGSTOP);
        });
        if all_stopped {
            return;
        }
        pause();
    }
}

/// Gives the number that was found alive.
fn kill_stopped(root: i32, table: &mut [i32]) -> usize {
    let own_group = procfs::stat(root).map_or(0, |stat| stat.group);
    let mut alive = 0;
    let found = descend(root, table, &mut |_| {});
    for pid in table.iter().take(found) {
        if procfs::stat(*pid).is_some_and(|stat| !matches!(stat.state, b'Z' | b'X')) {
            alive += 1;
            signal_group_of(*pid, own_group, libc::SIGKILL);
        }
    }
    alive
}

/// To the whole group at once: a fork bomb has thousands in one, and is faster than we.
fn signal_group_of(pid: i32, own_group: i32, number: i32) {
    match procfs::stat(pid).map(|stat| stat.group) {
        Some(group) if group > 1 && group != own_group => signal(-group, number),
        _ => signal(pid, number),
    }
}

/// Puts the descendants of `root` into `table`, parents first, and calls `visit` for each before
/// its children are looked for; gives their number.
fn descend(root: i32, table: &mut [i32], visit: &mut impl FnMut(i32)) -> usize {
    let (mut found, mut visited, mut parent) = (0, 0, root);
    loop {
        let threads = procfs::stat(parent).map_or(1, |stat| stat.threads);
        procfs::children(parent, threads, &mut |child| {
            if let Some(place) = table.get_mut(found) {
                *place = child;
                found += 1;
            }
        });
        if visited == found {
            return found;
        }
        parent = table.get(visited).copied().unwrap_or_default();
        visited += 1;
        visit(parent);
    }
}

/// A negative `pid` is a group.
fn signal(pid: i32, number: i32) {
    // Never 0, -1 or init, whatever /proc gave us.
    if pid.abs() > 1 {
        // SAFETY: takes no memory.
        unsafe { libc::kill(pid, number) };
    }
}

fn has_children() -> bool {
    // SAFETY: info outlives the call; WNOWAIT leaves the child as it is.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
        libc::waitid(libc::P_ALL, 0, &raw mut info, flags) == 0
    }
}

fn pause() {
    // SAFETY: no descriptors, one millisecond.
    unsafe { libc::poll(ptr::null_mut(), 0, 1) };
}
