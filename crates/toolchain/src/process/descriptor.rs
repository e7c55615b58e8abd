//! Descriptors for a job. All close on exec: another thread may fork at any time.

#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The supervisor puts what it passes on at the numbers below this one.
pub(super) const PASSED_ON: i32 = 6;

/// A pipe: the end to read from, which does not block, and the end to write to.
pub(super) fn pipe() -> io::Result<(File, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    let (reader, writer) = (lifted(reader.into())?, lifted(writer.into())?);
    // SAFETY: takes no memory. Each end has its own flags, so the writer still blocks.
    let result = unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((reader.into(), writer))
}

/// A descriptor to read `bytes` from: a file in memory, so that nobody has to feed a pipe.
pub(super) fn source(bytes: &[u8]) -> io::Result<OwnedFd> {
    if bytes.is_empty() {
        return lifted(File::open("/dev/null")?.into());
    }
    // SAFETY: the name is a string that outlives the call.
    let fd = unsafe { libc::memfd_create(c"stdin".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(bytes)?;
    file.rewind()?;
    lifted(file.into())
}

/// A directory as a place, not to be read.
pub(super) fn directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = libc::O_PATH | libc::O_DIRECTORY;
    lifted(OpenOptions::new().read(true).custom_flags(flags).open(path)?.into())
}

/// The same descriptor at a number out of the way of those that are passed on. Ours are low when
/// somebody has closed our stdin.
pub(super) fn lifted(fd: OwnedFd) -> io::Result<OwnedFd> {
    if fd.as_raw_fd() >= PASSED_ON {
        return Ok(fd);
    }
    // SAFETY: takes no memory.
    let higher = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, PASSED_ON) };
    if higher < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(higher) })
}
