//! How the descendants of a job are held together, so that none survives it.

#![allow(unsafe_code)]

use super::{Abilities, Job};
use std::{io, ptr};

/// What holds a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cage {
    /// The supervisor is the first process of a PID namespace: when it ends, the kernel kills all
    /// others in it, whatever they did to get away.
    Namespace {
        /// A user namespace as well, which makes this possible without being root.
        user: bool,
        /// A `/proc` that shows this namespace. Otherwise a program finds other processes under
        /// the ids it knows for its own, and LeakSanitizer fails.
        proc: bool,
    },
    /// Orphans become children of the supervisor, which hunts them down.
    Subreaper,
}

impl Cage {
    /// The best cage there is for `job`.
    pub(super) fn of(job: &Job) -> Cage {
        let abilities = Abilities::probe();
        let proc = job.confine.spare_address_space;
        if !abilities.pid_namespace || (proc && !abilities.own_proc) {
            return Cage::Subreaper;
        }
        Cage::Namespace { user: abilities.user_namespace, proc }
    }

    fn clone_flags(self) -> i32 {
        let Cage::Namespace { user, proc } = self else { return 0 };
        let flag = |wanted: bool, flag: i32| if wanted { flag } else { 0 };
        libc::CLONE_NEWPID | flag(user, libc::CLONE_NEWUSER) | flag(proc, libc::CLONE_NEWNS)
    }

    /// `uid_map` and `gid_map`: we stay who we are.
    pub(super) fn user_map(self) -> (String, String) {
        let Cage::Namespace { user: true, .. } = self else { return Default::default() };
        // SAFETY: these can't fail.
        let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
        (format!("{uid} {uid} 1"), format!("{gid} {gid} 1"))
    }

    /// Forks into the cage: in the child calls `inside`, which must not return and may only do
    /// what is safe after a fork of a process with threads; gives the child's id.
    pub(super) fn fork(self, inside: impl FnOnce()) -> io::Result<i32> {
        // No handler of ours may run in the child, so it starts with all signals blocked.
        // SAFETY: plain old data, filled by sigfillset and pthread_sigmask before use.
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        // SAFETY: both sets outlive the calls.
        unsafe {
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        }
        let flags = self.clone_flags() | libc::SIGCHLD;
        // Not fork(): it has no flags and runs the hooks of libraries. The order of the last two
        // arguments differs between machines; both are null.
        // SAFETY: without CLONE_VM this is a fork; what the child does is `inside`'s promise.
        let pid = unsafe {
            let null = ptr::null::<u8>();
            libc::syscall(libc::SYS_clone, libc::c_long::from(flags), null, null, null, null)
        };
        if pid == 0 {
            let _guard = ExitOnUnwind;
            inside();
            exit(0);
        }
        let error = io::Error::last_os_error();
        // SAFETY: as above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut()) };
        if pid < 0 { Err(error) } else { Ok(pid as i32) }
    }
}

/// Ends a forked process at once, without any of our destructors and exit handlers.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: safe after a fork, and does not return.
    unsafe { libc::_exit(code) }
}

/// A panic in a forked process must not unwind into the copy of our caller.
struct ExitOnUnwind;

impl Drop for ExitOnUnwind {
    fn drop(&mut self) {
        exit(70);
    }
}

/// Gives a process in a new user namespace its user. Safe after a fork.
pub(super) fn map_user((uid_map, gid_map): &(String, String)) -> bool {
    // An older kernel has no setgroups to forbid.
    write_to(c"/proc/self/setgroups", b"deny");
    write_to(c"/proc/self/uid_map", uid_map.as_bytes())
        && write_to(c"/proc/self/gid_map", gid_map.as_bytes())
}

fn write_to(path: &std::ffi::CStr, bytes: &[u8]) -> bool {
    // SAFETY: path and bytes outlive the calls.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        let written = libc::write(fd, bytes.as_ptr().cast(), bytes.len());
        libc::close(fd);
        written == bytes.len() as isize
    }
}

/// Gives a process in new PID and mount namespaces its own `/proc`. Safe after a fork.
pub(super) fn mount_proc() -> bool {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    // SAFETY: all strings outlive the calls; null stands for "none".
    unsafe {
        let (none, name) = (ptr::null(), c"proc".as_ptr());
        // Or the mount would show outside too.
        let private = libc::MS_REC | libc::MS_PRIVATE;
        libc::mount(c"none".as_ptr(), c"/".as_ptr(), none, private, ptr::null()) == 0
            && libc::mount(name, c"/proc".as_ptr(), name, flags, ptr::null()) == 0
    }
}
