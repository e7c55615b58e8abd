//! A small seccomp filter: no network, and no single request for more memory than the limit.
//!
//! The second is how one `malloc` of 100 GB becomes "out of memory": refused, it would give a
//! null pointer and look like a crash of the program's own.

#![allow(unsafe_code)]

use super::Confine;
use libc::sock_filter;

/// What happens to a request for too much memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OverMemory {
    /// The supervisor hears of it and ends the whole job, whichever process asked.
    Tell,
    /// The process dies of `SIGSYS`: before Linux 5.0 nobody can be told.
    Kill,
}

/// The numbers of one architecture's system calls.
struct Arch {
    audit: u32,
    socket: u32,
    socketpair: u32,
    /// i386 also has one call for all of them, which says in its first argument which is meant.
    socketcall: Option<u32>,
    mmap: u32,
    mremap: u32,
    /// x86-64 has a second set of all calls from this number on (x32), which nobody needs.
    other_set: Option<u32>,
}

#[cfg(target_arch = "x86_64")]
const ARCHS: &[Arch] = &[
    Arch {
        audit: 0xc000_003e,
        socket: 41,
        socketpair: 53,
        socketcall: None,
        mmap: 9,
        mremap: 25,
        other_set: Some(0x4000_0000),
    },
    Arch {
        audit: 0x4000_0003,
        socket: 359,
        socketpair: 360,
        socketcall: Some(102),
        mmap: 192,
        mremap: 163,
        other_set: None,
    },
];
#[cfg(target_arch = "aarch64")]
const ARCHS: &[Arch] = &[
    Arch {
        audit: 0xc000_00b7,
        socket: 198,
        socketpair: 199,
        socketcall: None,
        mmap: 222,
        mremap: 216,
        other_set: None,
    },
    // 32-bit programs.
    Arch {
        audit: 0x4000_0028,
        socket: 281,
        socketpair: 288,
        socketcall: None,
        mmap: 192,
        mremap: 163,
        other_set: None,
    },
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHS: &[Arch] = &[];

/// The same number on every architecture. io_uring would do what the filter forbids.
const IO_URING_SETUP: u32 = 425;
const MAP_NORESERVE: u32 = 0x4000;
const CALL_SOCKET: u32 = 1;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EACCES as u32;
const UNKNOWN: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

// Offsets in struct seccomp_data.
const NUMBER: u32 = 0;
const AUDIT_ARCH: u32 = 4;
fn low(arg: u32) -> u32 {
    16 + 8 * arg
}
fn high(arg: u32) -> u32 {
    low(arg) + 4
}

/// Is there a filter for this machine, and does the kernel take it?
pub(super) fn available() -> Option<OverMemory> {
    if ARCHS.is_empty() || !knows_action(libc::SECCOMP_RET_ERRNO) {
        return None;
    }
    let tell = knows_action(libc::SECCOMP_RET_USER_NOTIF);
    Some(if tell { OverMemory::Tell } else { OverMemory::Kill })
}

fn knows_action(action: u32) -> bool {
    // SAFETY: action outlives the call.
    unsafe {
        let get = libc::SECCOMP_GET_ACTION_AVAIL;
        libc::syscall(libc::SYS_seccomp, get, 0 as libc::c_uint, &raw const action) == 0
    }
}

/// Enters `filter` for good; gives the descriptor on which the supervisor is told, or 0 if it
/// isn't, or nothing on failure. Safe after a fork.
pub(super) fn enter(filter: &[sock_filter], over_memory: OverMemory) -> Option<i32> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    let flags = match over_memory {
        OverMemory::Tell => libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
        OverMemory::Kill => 0,
    };
    let set = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: program and filter outlive the call, and the kernel only reads them.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, set, flags, &raw const program) };
    i32::try_from(result).ok().filter(|listener| *listener >= 0)
}

/// The filter for a job; none if there is nothing to keep it from.
pub(super) fn filter(confine: Confine, memory: u64, over: OverMemory) -> Option<Vec<sock_filter>> {
    let memory = (!confine.spare_address_space).then_some(memory);
    if ARCHS.is_empty() || (!confine.network && memory.is_none()) {
        return None;
    }
    let mut filter = vec![load(AUDIT_ARCH)];
    for arch in ARCHS {
        let rules = rules(arch, confine.network, memory, over);
        filter.push(jump(libc::BPF_JEQ, arch.audit, 0, rules.len() as u8));
        filter.extend(rules);
    }
    filter.push(give(UNKNOWN));
    Some(filter)
}

fn rules(
    arch: &Arch,
    network: bool,
    memory: Option<u64>,
    over_memory: OverMemory,
) -> Vec<sock_filter> {
    let mut rules = vec![load(NUMBER)];
    if let Some(first) = arch.other_set {
        rules.extend([jump(libc::BPF_JGE, first, 0, 1), give(UNKNOWN)]);
    }
    let mut on = |call: u32, then: &[sock_filter]| {
        rules.push(jump(libc::BPF_JEQ, call, 0, then.len() as u8));
        rules.extend(then);
    };
    if network {
        on(arch.socket, &[give(REFUSE)]);
        on(IO_URING_SETUP, &[give(UNKNOWN)]);
        on(arch.socketpair, &first_arg(libc::AF_UNIX as u32, ALLOW, REFUSE));
        if let Some(call) = arch.socketcall {
            on(call, &first_arg(CALL_SOCKET, REFUSE, ALLOW));
        }
    }
    if let Some(memory) = memory {
        let mut written = vec![
            load(low(2)),
            jump(libc::BPF_JSET, libc::PROT_WRITE as u32, 1, 0),
            give(ALLOW),
            load(low(3)),
            jump(libc::BPF_JSET, MAP_NORESERVE, 0, 1),
            give(ALLOW),
        ];
        written.extend(at_least(1, memory, over_memory));
        on(arch.mmap, &written);
        on(arch.mremap, &at_least(2, memory, over_memory));
    }
    rules.push(give(ALLOW));
    rules
}

fn first_arg(value: u32, then: u32, otherwise: u32) -> [sock_filter; 4] {
    [load(low(0)), jump(libc::BPF_JEQ, value, 0, 1), give(then), give(otherwise)]
}

/// Is the 64-bit argument at or above the limit?
fn at_least(arg: u32, limit: u64, over_memory: OverMemory) -> [sock_filter; 7] {
    let over = match over_memory {
        OverMemory::Tell => libc::SECCOMP_RET_USER_NOTIF,
        OverMemory::Kill => libc::SECCOMP_RET_KILL_PROCESS,
    };
    let (limit_high, limit_low) = ((limit >> 32) as u32, limit as u32);
    [
        load(high(arg)),
        jump(libc::BPF_JGT, limit_high, 4, 0),
        jump(libc::BPF_JEQ, limit_high, 0, 2),
        load(low(arg)),
        jump(libc::BPF_JGE, limit_low, 1, 0),
        give(ALLOW),
        give(over),
    ]
}

fn load(offset: u32) -> sock_filter {
    sock_filter {
        code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        jt: 0,
        jf: 0,
        k: offset,
    }
}

fn jump(test: u32, value: u32, then: u8, otherwise: u8) -> sock_filter {
    let code = (libc::BPF_JMP | test | libc::BPF_K) as u16;
    sock_filter { code, jt: then, jf: otherwise, k: value }
}

fn give(action: u32) -> sock_filter {
    sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action }
}
