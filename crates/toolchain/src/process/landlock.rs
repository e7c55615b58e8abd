//! Landlock: where a job may write.
//!
//! Raw system calls instead of the `landlock` crate: three calls and some bits, and the ruleset
//! must be built before the fork and entered after it, where nothing may be allocated.

#![allow(unsafe_code)]

use super::Confine;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::{fs, io, os::unix::fs::OpenOptionsExt};

/// Devices a job may write to. `/dev/tty` is not among them: a job has no terminal.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

// From <linux/landlock.h>; the bit is followed by the ABI that brought it.
const WRITE_FILE: u64 = 1 << 1;
/// Remove directories and files; make character devices, directories, files, sockets, FIFOs,
/// block devices, symbolic links.
const REMOVE_AND_MAKE: u64 = 0b1_1111_1111 << 4;
const REFER: u64 = 1 << 13; // 2
const TRUNCATE: u64 = 1 << 14; // 3
const IOCTL_DEV: u64 = 1 << 15; // 5
const TCP: u64 = 0b11; // 4
const SCOPE_ABSTRACT_SOCKET_AND_SIGNAL: u64 = 0b11; // 6

const CREATE_VERSION: libc::c_uint = 1;
const RULE_PATH_BENEATH: libc::c_int = 1;

#[repr(C)]
struct RulesetAttr {
    fs: u64,
    net: u64,
    scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    access: u64,
    parent: i32,
}

/// The version of Landlock that the kernel offers.
pub(super) fn abi() -> Option<u32> {
    // SAFETY: with this flag the kernel reads no memory.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0usize, 0usize, CREATE_VERSION) };
    u32::try_from(abi).ok().filter(|abi| *abi > 0)
}

/// What a job may do in its directory and nowhere else, as far as `abi` knows it.
fn write_rights(abi: u32) -> u64 {
    let since = |version: u32, right: u64| if abi >= version { right } else { 0 };
    WRITE_FILE | REMOVE_AND_MAKE | since(2, REFER) | since(3, TRUNCATE) | since(5, IOCTL_DEV)
}

/// The rules for a job in `dir`; none if there is nothing that Landlock could keep it from.
pub(super) fn ruleset(
    confine: Confine,
    abi: Option<u32>,
    dir: BorrowedFd<'_>,
) -> io::Result<Option<OwnedFd>> {
    let Some(abi) = abi else { return Ok(None) };
    let attr = RulesetAttr {
        fs: if confine.writes { write_rights(abi) } else { 0 },
        net: if confine.network && abi >= 4 { TCP } else { 0 },
        // Where there is no PID namespace, this keeps a job from killing us.
        scoped: if confine.writes && abi >= 6 { SCOPE_ABSTRACT_SOCKET_AND_SIGNAL } else { 0 },
    };
    if attr.fs == 0 && attr.net == 0 {
        return Ok(None);
    }
    // SAFETY: attr outlives the call. A kernel that knows less than all of it accepts zeros.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            &raw const attr,
            size_of::<RulesetAttr>(),
            0 as libc::c_uint,
        )
    };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us; it closes on exec.
    let ruleset = unsafe { OwnedFd::from_raw_fd(fd as i32) };
    if attr.fs != 0 {
        allow(&ruleset, dir.as_raw_fd(), attr.fs)?;
        let on_device = attr.fs & (WRITE_FILE | TRUNCATE | IOCTL_DEV);
        for device in DEVICES {
            let device = fs::OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(device);
            // A container may lack one of them.
            if let Ok(device) = device {
                allow(&ruleset, device.as_raw_fd(), on_device)?;
            }
        }
    }
    Ok(Some(ruleset))
}

fn allow(ruleset: &OwnedFd, parent: i32, access: u64) -> io::Result<()> {
    let rule = PathBeneath { access, parent };
    // SAFETY: rule outlives the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            RULE_PATH_BENEATH,
            &raw const rule,
            0 as libc::c_uint,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Enters the rules for good. Safe after a fork.
pub(super) fn enter(ruleset: i32) -> bool {
    // SAFETY: takes no memory.
    unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0 as libc::c_uint) == 0 }
}
