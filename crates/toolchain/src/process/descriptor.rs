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
    let (reader, writer) = (OwnedFd::from(reader), OwnedFd::from(writer));
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
        return File::open("/dev/null").map(OwnedFd::from);
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
    Ok(file.into())
}

/// A directory as a place, not to be read.
pub(super) fn directory(path: &Path) -> io::Result<OwnedFd> {
    let flags = libc::O_PATH | libc::O_DIRECTORY;
    OpenOptions::new().read(true).custom_flags(flags).open(path).map(OwnedFd::from)
}

/// Closes all from this number on. For a forked process, whose descriptors are copies that it never uses.
pub(super) fn close_from(first: i32) {
    // SAFETY: takes no memory; see above.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) != 0 {
            // Before Linux 5.9.
            let most = libc::sysconf(libc::_SC_OPEN_MAX).clamp(1024, 1 << 16) as i32;
            (first..most).for_each(|fd| {
                libc::close(fd);
            });
        }
    }
}
