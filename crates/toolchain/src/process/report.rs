//! What the supervisor tells us at the end, through a pipe.

use super::Usage;
use std::{fmt, io, time::Duration};

/// The steps between fork and exec that can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Step {
    /// Mapping our user into the user namespace.
    UserMap = 1,
    /// Passing on descriptors and taking over signals.
    Descriptors,
    /// Giving the job's PID namespace its own `/proc`.
    Proc,
    /// Forking the job proper.
    Fork,
    /// Entering the private directory.
    Dir,
    /// Giving up new privileges.
    Privileges,
    /// Restricting writes.
    Landlock,
    /// Restricting system calls.
    Seccomp,
    /// Executing the program.
    Exec,
}

impl Step {
    const ALL: [Step; 9] = [
        Step::UserMap,
        Step::Descriptors,
        Step::Proc,
        Step::Fork,
        Step::Dir,
        Step::Privileges,
        Step::Landlock,
        Step::Seccomp,
        Step::Exec,
    ];

    fn numbered(number: i64) -> Option<Step> {
        Step::ALL.into_iter().find(|step| *step as i64 == number)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Step::UserMap => "mapping our user into the user namespace",
            Step::Descriptors => "passing on its descriptors",
            Step::Proc => "mounting its own /proc",
            Step::Fork => "forking",
            Step::Dir => "entering its directory",
            Step::Privileges => "giving up new privileges",
            Step::Landlock => "restricting its writes (Landlock)",
            Step::Seccomp => "restricting its system calls (seccomp)",
            Step::Exec => "executing it",
        })
    }
}

/// The report, as plain numbers: it is made after a fork, where nothing may be allocated.
#[derive(Clone, Copy, Default)]
pub(super) struct Report {
    /// The [`Step`] that failed, or 0.
    pub(super) step: i64,
    pub(super) errno: i64,
    /// The job's wait status.
    pub(super) status: i64,
    /// Descendants killed at the end.
    pub(super) killed: i64,
    /// 1 if the job asked for more memory at once than it may have in all.
    pub(super) over_memory: i64,
    pub(super) user_micros: i64,
    pub(super) system_micros: i64,
    pub(super) max_rss_kib: i64,
    /// The memory that the job started with as a copy of ours.
    pub(super) floor_kib: i64,
}

impl Report {
    pub(super) const SIZE: usize = 9 * 8;

    pub(super) fn to_bytes(self) -> [u8; Report::SIZE] {
        let numbers = [
            self.step,
            self.errno,
            self.status,
            self.killed,
            self.over_memory,
            self.user_micros,
            self.system_micros,
            self.max_rss_kib,
            self.floor_kib,
        ];
        let mut bytes = [0; Report::SIZE];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_ne_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; Report::SIZE]) -> Report {
        let number = |index: usize| {
            let bytes = bytes[index * 8..index * 8 + 8].try_into().expect("eight bytes");
            i64::from_ne_bytes(bytes)
        };
        Report {
            step: number(0),
            errno: number(1),
            status: number(2),
            killed: number(3),
            over_memory: number(4),
            user_micros: number(5),
            system_micros: number(6),
            max_rss_kib: number(7),
            floor_kib: number(8),
        }
    }

    /// The step that failed, and why.
    pub(super) fn failure(&self) -> Option<(Step, io::Error)> {
        let step = Step::numbered(self.step)?;
        Some((step, io::Error::from_raw_os_error(self.errno as i32)))
    }

    pub(super) fn usage(&self) -> Usage {
        let micros = |micros: i64| Duration::from_micros(micros.try_into().unwrap_or(0));
        Usage {
            user: micros(self.user_micros),
            system: micros(self.system_micros),
            max_rss: u64::try_from(self.max_rss_kib).unwrap_or(0) * 1024,
        }
    }

    /// Notes what processes used.
    pub(super) fn add_usage(&mut self, usage: &libc::rusage) {
        let micros = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
        self.user_micros = micros(usage.ru_utime);
        self.system_micros = micros(usage.ru_stime);
        self.max_rss_kib = usage.ru_maxrss;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_survives_the_pipe() {
        let report = Report { step: 9, errno: 2, floor_kib: -1, killed: 7, ..Report::default() };
        let back = Report::from_bytes(&report.to_bytes());
        assert_eq!(back.to_bytes(), report.to_bytes());
        assert_eq!((back.killed, back.floor_kib), (7, -1));
        let (step, error) = back.failure().unwrap();
        assert_eq!((step, error.kind()), (Step::Exec, io::ErrorKind::NotFound));
        assert!(Report::default().failure().is_none());
    }
}
