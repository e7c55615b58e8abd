//! What `/proc` says of a process. Nothing here allocates, so that it works after a fork too.

#![allow(unsafe_code)]

use std::fmt::Write;

/// The parts of `/proc/PID/stat` that matter here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat {
    /// `R`unning, `S`leeping, `T` stopped, `Z`ombie, …
    pub(super) state: u8,
    /// It has not executed its program yet, and still is a copy of a supervisor.
    pub(super) unborn: bool,
    /// Its process group.
    pub(super) group: i32,
    /// Processor time of its own and of its waited-for children, in clock ticks.
    pub(super) ticks: u64,
    /// As `ticks`, of the waited-for children alone.
    pub(super) child_ticks: u64,
    pub(super) threads: u64,
    pub(super) address_space: u64,
    pub(super) rss_pages: u64,
}

/// What a supervisor is called, and a job until it executes its program.
pub(super) const SUPERVISOR: &std::ffi::CStr = c"whodunit-job";

/// `/proc/PID/stat`, if the process is there.
pub(super) fn stat(pid: i32) -> Option<Stat> {
    let mut bytes = [0; 1024];
    let file = File::open(format_args!("/proc/{pid}/stat\0"))?;
    let length = file.read(&mut bytes)?;
    parse_stat(bytes.get(..length)?)
}

fn parse_stat(bytes: &[u8]) -> Option<Stat> {
    // The program's name stands in parentheses and may itself hold any byte.
    let name_end = bytes.iter().rposition(|byte| *byte == b')')?;
    let name_start = bytes.iter().position(|byte| *byte == b'(')? + 1;
    let unborn = bytes.get(name_start..name_end)? == SUPERVISOR.to_bytes();
    let rest = std::str::from_utf8(bytes.get(name_end + 2..)?).ok()?;
    let mut fields = rest.split(' ');
    let state = *fields.next()?.as_bytes().first()?;
    // Numbers as in proc(5); the state is the third, so the next is the fourth.
    let mut number = |skip: usize| fields.nth(skip)?.trim_end().parse::<u64>().ok();
    let group = number(5 - 4)?.try_into().ok()?;
    let own = number(14 - 6)? + number(0)?;
    let child_ticks = number(0)? + number(0)?;
    let threads = number(20 - 18)?;
    let address_space = number(23 - 21)?;
    let rss_pages = number(0)?;
    Some(Stat {
        unborn,
        state,
        group,
        ticks: own + child_ticks,
        child_ticks,
        threads,
        address_space,
        rss_pages,
    })
}

/// Calls `each` for every child of `pid`, which has `threads` threads.
pub(super) fn children(pid: i32, threads: u64, each: &mut impl FnMut(i32)) {
    if threads <= 1 {
        return children_of_thread(pid, pid, each);
    }
    // The kernel lists the children of each thread apart.
    let Some(dir) = File::open(format_args!("/proc/{pid}/task\0")) else { return };
    let mut bytes = [0; 1024];
    while let Some(length) = dir.read_names(&mut bytes).filter(|length| *length > 0) {
        let mut rest = bytes.get(..length).unwrap_or_default();
        // struct linux_dirent64: the record's length at 16, the name from 19 to a NUL.
        while let Some(&[low, high]) = rest.get(16..18) {
            let record = usize::from(u16::from_ne_bytes([low, high]));
            let name = rest.get(19..record).unwrap_or_default();
            let mut numbers = Numbers::default();
            name.iter().take_while(|byte| **byte != 0).for_each(|byte| numbers.push(*byte, each));
            if let Some(thread) = numbers.0 {
                children_of_thread(pid, thread, each);
            }
            rest = rest.get(record.max(1)..).unwrap_or_default();
        }
    }
}

fn children_of_thread(pid: i32, thread: i32, each: &mut impl FnMut(i32)) {
    let path = format_args!("/proc/{pid}/task/{thread}/children\0");
    let Some(file) = File::open(path) else { return };
    let mut bytes = [0; 1024];
    let mut numbers = Numbers::default();
    while let Some(length) = file.read(&mut bytes).filter(|length| *length > 0) {
        bytes.iter().take(length).for_each(|byte| numbers.push(*byte, each));
    }
}

/// Does the kernel list children at all (`CONFIG_PROC_CHILDREN`)?
pub(super) fn lists_children() -> bool {
    let pid = std::process::id();
    File::open(format_args!("/proc/{pid}/task/{pid}/children\0")).is_some()
}

/// Numbers in a stream of digits and spaces, one byte at a time.
#[derive(Default)]
struct Numbers(Option<i32>);

impl Numbers {
    fn push(&mut self, byte: u8, each: &mut impl FnMut(i32)) {
        if byte.is_ascii_digit() {
            let digit = i32::from(byte - b'0');
            self.0 = Some(self.0.unwrap_or(0).wrapping_mul(10).wrapping_add(digit));
        } else if let Some(number) = self.0.take() {
            each(number);
        }
    }
}

/// A file of `/proc`. Not `std::fs::File`, which allocates for long paths and keeps its errors.
struct File(libc::c_int);

impl File {
    /// `path` must end in a NUL.
    fn open(path: std::fmt::Arguments<'_>) -> Option<File> {
        let mut text = Text { bytes: [0; 64], length: 0 };
        text.write_fmt(path).ok()?;
        let flags = libc::O_RDONLY | libc::O_CLOEXEC;
        // SAFETY: the text is shorter than its bytes and ends in a NUL.
        let fd = unsafe { libc::open(text.bytes.as_ptr().cast(), flags) };
        (fd >= 0).then_some(File(fd))
    }

    fn read(&self, bytes: &mut [u8]) -> Option<usize> {
        // SAFETY: the kernel writes at most the length of bytes.
        let length = unsafe { libc::read(self.0, bytes.as_mut_ptr().cast(), bytes.len()) };
        usize::try_from(length).ok()
    }

    fn read_names(&self, bytes: &mut [u8]) -> Option<usize> {
        let (start, length) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: the kernel writes at most the length of bytes.
        let length = unsafe { libc::syscall(libc::SYS_getdents64, self.0, start, length) };
        usize::try_from(length).ok()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        unsafe { libc::close(self.0) };
    }
}

struct Text {
    bytes: [u8; 64],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        self.bytes
            .get_mut(self.length..end)
            .ok_or(std::fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_full_of_traps_does_not_confuse() {
        let line = b"7 (a) R (b) T 1 2 3 4 5 6 7 8 9 10 14 15 16 17 18 19 20 21 22 23 24 25\n";
        let stat = parse_stat(line).unwrap();
        assert_eq!((stat.state, stat.group), (b'T', 2));
        assert_eq!((stat.ticks, stat.child_ticks), (14 + 15 + 16 + 17, 16 + 17));
        assert_eq!((stat.threads, stat.address_space, stat.rss_pages), (20, 23, 24));
        assert!(!stat.unborn && parse_stat(b"").is_none());
    }

    #[test]
    fn children_of_other_threads_are_found() {
        let pid = std::process::id() as i32;
        let sleeper = || std::process::Command::new("sleep").arg("30").spawn().unwrap();
        let mut sleeper = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let child = sleeper();
                let mut found = Vec::new();
                children(pid, stat(pid).unwrap().threads, &mut |child| found.push(child));
                assert!(found.contains(&(child.id() as i32)), "{found:?}");
                child
            });
            thread.join().unwrap()
        });
        assert_eq!(stat(sleeper.id() as i32).unwrap().threads, 1);
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
    }
}
