//! The job itself, between fork and exec: it takes on its limits and becomes the program.
//!
//! It shares memory and descriptors with its supervisor, which waits for the exec (as after
//! `vfork`): no page tables are copied, and a failure is left in a variable.

#![allow(unsafe_code)]

use super::prepared::Prepared;
use super::{Step, cage, landlock, seccomp};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::Ordering;

/// Where the supervisor has put the directory and the ruleset.
pub(super) const DIR: i32 = 4;
pub(super) const RULESET: i32 = 5;

/// Times to try a program that somebody still has open for writing: another thread's fork may
/// hold for a moment a descriptor through which we wrote it.
const BUSY_TRIES: u32 = 50;

/// Starts the job; gives its id or -1.
pub(super) fn start(prepared: &Prepared) -> i32 {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_FILES | libc::SIGCHLD;
    let arg = ptr::from_ref(prepared).cast_mut().cast::<c_void>();
    // SAFETY: the stack is ours alone: this process has one thread, which waits for the exec. The
    // stack grows down from its end.
    unsafe {
        let stack = &mut *prepared.stack.get();
        let end = stack.as_mut_ptr().add(stack.capacity());
        libc::clone(main, end.cast(), flags, arg)
    }
}

extern "C" fn main(arg: *mut c_void) -> c_int {
    // SAFETY: `start` passes a reference that outlives us.
    let prepared = unsafe { &*arg.cast_const().cast::<Prepared>() };
    let step = become_program(prepared);
    // SAFETY: errno is a variable of this thread.
    let errno = unsafe { *libc::__errno_location() };
    prepared.failed_errno.store(errno, Ordering::SeqCst);
    prepared.failed_step.store(step as i32, Ordering::SeqCst);
    cage::exit(127);
}

/// Returns only on failure: the step that failed.
fn become_program(prepared: &Prepared) -> Step {
    for (resource, limit) in &prepared.order.rlimits {
        // It fails only if we ourselves have a lower limit, which is then inherited.
        // SAFETY: the limit outlives the call.
        unsafe { libc::setrlimit(*resource, ptr::from_ref(limit)) };
    }
    // SAFETY: takes no memory.
    if unsafe { libc::fchdir(DIR) } != 0 {
        return Step::Dir;
    }
    // A session of its own: a job may kill its group, which the supervisor is not to be in; and a
    // kernel that shares the processor among sessions leaves the supervisor its part.
    // SAFETY: takes no memory.
    unsafe { libc::setsid() };
    // SAFETY: takes no memory.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
        return Step::Privileges;
    }
    if prepared.descriptors.ruleset.is_some() && !landlock::enter(RULESET) {
        return Step::Landlock;
    }
    if prepared.order.fixed_addresses {
        // Where that is forbidden, addresses vary; nothing else does.
        // SAFETY: takes no memory.
        unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) };
    }
    default_signals();
    if let Some(filter) = &prepared.order.filter {
        match seccomp::enter(filter, prepared.order.over_memory) {
            Some(listener) => prepared.listener.store(listener, Ordering::SeqCst),
            None => return Step::Seccomp,
        }
    }
    let (argv, envp) = (prepared.argv.as_ptr(), prepared.envp.as_ptr());
    for _ in 0..BUSY_TRIES {
        // SAFETY: both arrays end in null and hold C strings; the first of argv is the program.
        unsafe {
            libc::execve(*argv, argv, envp);
            if *libc::__errno_location() != libc::ETXTBSY {
                break;
            }
            libc::poll(ptr::null_mut(), 0, 2);
        }
    }
    Step::Exec
}

/// What we ignore (Rust ignores `SIGPIPE`) or block, a program would inherit.
fn default_signals() {
    for signal in 1..=64 {
        // SAFETY: installs no handler. Signals that can't be changed give an error.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: the set is filled before it is used, and outlives the call.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}
