//! What the kernel lets us do to hold jobs, found out by trying.

#![allow(unsafe_code)]

use super::cage::{self, Cage};
use super::seccomp::OverMemory;
use super::{Confine, descriptor, landlock, procfs, seccomp};
use serde::Serialize;
use std::os::fd::{AsFd, AsRawFd};
use std::{path::Path, sync::OnceLock};

/// What holds jobs on this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Abilities {
    /// Jobs get PID namespaces: none of their processes can survive them.
    pub pid_namespace: bool,
    /// They need user namespaces for it, as we aren't root.
    pub user_namespace: bool,
    /// PID namespaces get their own `/proc`. Without it, jobs with a spared address space (where
    /// LeakSanitizer may look into `/proc`) run without a namespace.
    pub own_proc: bool,
    /// The version of Landlock; without it jobs can write wherever we can.
    pub landlock_abi: Option<u32>,
    /// System calls are filtered: no network, no huge requests for memory.
    pub seccomp: bool,
    /// We hear of huge requests for memory, whichever process of a job makes them.
    pub seccomp_listener: bool,
    /// `/proc` lists children. Without it the limits of a whole job aren't watched, only those the
    /// kernel sets for each process; and outside of a namespace, daemons survive.
    pub children_lists: bool,
}

impl Abilities {
    /// Tries everything, once.
    pub fn probe() -> &'static Abilities {
        static ABILITIES: OnceLock<Abilities> = OnceLock::new();
        ABILITIES.get_or_init(Abilities::try_all)
    }

    fn try_all() -> Abilities {
        let namespace = |user, proc| Cage::Namespace { user, proc };
        let as_root = works(namespace(false, false));
        let as_user = !as_root && works(namespace(true, false));
        let over_memory = seccomp::available().filter(|over_memory| filters(*over_memory));
        Abilities {
            pid_namespace: as_root || as_user,
            user_namespace: as_user,
            own_proc: (as_root || as_user) && works(namespace(as_user, true)),
            landlock_abi: landlock::abi().filter(|abi| restricts(*abi)),
            seccomp: over_memory.is_some(),
            seccomp_listener: over_memory == Some(OverMemory::Tell),
            children_lists: procfs::lists_children(),
        }
    }

    pub(super) fn over_memory(&self) -> Option<OverMemory> {
        let told = if self.seccomp_listener { OverMemory::Tell } else { OverMemory::Kill };
        self.seccomp.then_some(told)
    }
}

fn works(cage: Cage) -> bool {
    let user_map = cage.user_map();
    let Cage::Namespace { user, proc } = cage else { return true };
    succeeds(cage, || {
        // SAFETY: can't fail.
        let first = unsafe { libc::getpid() } == 1;
        first && (!user || cage::map_user(&user_map)) && (!proc || cage::mount_proc())
    })
}

fn filters(over_memory: OverMemory) -> bool {
    let Some(filter) = seccomp::filter(Confine::full(), 1 << 30, over_memory) else { return false };
    succeeds(Cage::Subreaper, || {
        no_new_privileges() && seccomp::enter(&filter, over_memory).is_some()
    })
}

fn restricts(abi: u32) -> bool {
    let ruleset = descriptor::directory(Path::new("/"))
        .and_then(|dir| landlock::ruleset(Confine::full(), Some(abi), dir.as_fd()));
    let Ok(Some(ruleset)) = ruleset else { return false };
    succeeds(Cage::Subreaper, || no_new_privileges() && landlock::enter(ruleset.as_raw_fd()))
}

fn no_new_privileges() -> bool {
    // SAFETY: takes no memory.
    unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 }
}

/// Does `attempt`, made in a process of its own, succeed?
fn succeeds(cage: Cage, attempt: impl FnOnce() -> bool) -> bool {
    let forked = cage.fork(|| cage::exit(if attempt() { 0 } else { 1 }));
    let Ok(pid) = forked else { return false };
    let mut status = 0;
    // SAFETY: status outlives the call.
    unsafe {
        while libc::waitpid(pid, &raw mut status, 0) < 0 && *libc::__errno_location() == libc::EINTR
        {
        }
    }
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0
}
