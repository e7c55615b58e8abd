//! Our hold on a supervisor.

#![allow(unsafe_code)]

use super::cage::Cage;
use super::hunt;
use super::order::{Descriptors, Order};
use super::report::Report;
use super::zygote::{self, Born};
use std::io;

/// A running supervisor; dropped, it is killed with all its descendants.
pub(super) struct Handle {
    pub(super) pid: i32,
    born: Born,
    cage: Cage,
    waited: bool,
}

impl Handle {
    pub(super) fn start(order: &Order, descriptors: &Descriptors) -> io::Result<Handle> {
        let born = zygote::start(order, descriptors)?;
        Ok(Handle { pid: born.pid, born, cage: order.cage, waited: false })
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
        self.waited = true;
        self.born.wait().unwrap_or_default()
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
