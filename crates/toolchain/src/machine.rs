//! Is the machine itself in trouble? A compiler that fails on a full disk is not to blame.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// Below this, compilers fail for lack of temporary space: a large program's assembly, object and
/// executable at several levels fit in a tenth of it.
const MIN_DISK: u64 = 128 << 20;
/// Below this, the kernel starts to kill.
const MIN_MEMORY: u64 = 128 << 20;

/// What the machine lacks for work in `folder`, if anything.
#[must_use]
pub fn machine_trouble(folder: &Path) -> Option<String> {
    let short = |what: String, free: Option<u64>, least: u64| {
        free.filter(|free| *free < least).map(|free| format!("{} MB free {what}", free >> 20))
    };
    short(format!("on the disk of {}", folder.display()), free_disk(folder), MIN_DISK)
        .or_else(|| short("of memory".to_owned(), free_memory(), MIN_MEMORY))
}

/// Bytes that an ordinary user may still write to the disk of `folder`.
#[must_use]
pub fn free_disk(folder: &Path) -> Option<u64> {
    let path = CString::new(folder.as_os_str().as_bytes()).ok()?;
    let mut stat = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path is a C string, and statvfs fills the struct when it answers 0.
    let stat = unsafe {
        if libc::statvfs(path.as_ptr(), stat.as_mut_ptr()) != 0 {
            return None;
        }
        stat.assume_init()
    };
    Some(stat.f_bavail as u64 * stat.f_frsize as u64)
}

/// Bytes of memory that programs can still get.
#[must_use]
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// CPU time so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuTimes {
    /// Of this process, and of those that start and supervise jobs for it.
    pub own: Duration,
    /// Of all jobs that have ended.
    pub children: Duration,
}

/// The CPU time that this process and its jobs have used.
#[must_use]
pub fn cpu_times() -> CpuTimes {
    let of = |who| {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: getrusage fills the struct, and zeroes are a valid one should it fail.
        let usage = unsafe {
            libc::getrusage(who, usage.as_mut_ptr());
            usage.assume_init()
        };
        let time = |t: libc::timeval| {
            Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
        };
        time(usage.ru_utime) + time(usage.ru_stime)
    };
    let (jobs, around_them) = crate::process::cpu_of_jobs();
    CpuTimes { own: of(libc::RUSAGE_SELF) + around_them, children: jobs }
}

/// The CPU time that this thread has used.
#[must_use]
pub fn thread_cpu_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: clock_gettime fills the struct, and zeroes are a valid one should it fail.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_can_be_read() {
        assert!(free_disk(Path::new("/")).is_some_and(|free| free > 0));
        assert!(free_memory().is_some_and(|free| free > 0));
        assert_eq!(free_disk(Path::new("/no/such/folder")), None);
    }
}
