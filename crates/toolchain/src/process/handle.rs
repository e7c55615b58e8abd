//! Our hold on a supervisor.

#![allow(unsafe_code)]

use super::cage::Cage;
use super::prepared::Prepared;
use super::report::Report;
use super::{hunt, supervisor};
use std::io;

/// A running supervisor; dropped, it is killed with all its descendants.
pub(super) struct Handle {
    pub(super) pid: i32,
    cage: Cage,
    waited: bool,
}

impl Handle {
    pub(super) fn start(prepared: &Prepared) -> io::Result<Handle> {
        let cage = prepared.cage;
        let pid = cage.fork(|| supervisor::main(prepared))?;
        Ok(Handle { pid, cage, waited: false })
    }

    /// Asks it to end the job and to report.
    pub(super) fn ask_to_end(&self) {
        self.signal(libc::SIGTERM);
        // Without a namespace, the job may have stopped it.
        self.signal(libc::SIGCONT);
    }

    /// Ends it and the job, should it not do so itself.
    pub(super) fn force_to_end(&self) {
        match self.cage {
            Cage::Namespace { .. } => self.signal(libc::SIGKILL),
            Cage::Subreaper => hunt::kill_from_outside(self.pid),
        }
    }

    /// Waits for its end; gives what is known of the job's usage if it could not report.
    pub(super) fn wait(&mut self) -> Report {
        let mut report = Report::default();
        let mut status = 0;
        // SAFETY: plain old data, filled by the call.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        loop {
            // SAFETY: status and usage outlive the call.
            let pid = unsafe { libc::wait4(self.pid, &raw mut status, 0, &raw mut usage) };
            if pid >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                break;
            }
        }
        self.waited = true;
        report.add_usage(&usage);
        report.floor_kib = report.max_rss_kib;
        report
    }

    fn signal(&self, number: i32) {
        // SAFETY: takes no memory. Not waited for yet, so the id is still its own.
        unsafe { libc::kill(self.pid, number) };
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if !self.waited {
            self.force_to_end();
            self.wait();
        }
    }
}
