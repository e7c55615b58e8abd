//! Following a job from outside: its output, its limits, its end.

#![allow(unsafe_code)]

use super::handle::Handle;
use super::interrupt::Epoch;
use super::order::Ends;
use super::output::Output;
use super::report::Report;
use super::tree::Tree;
use super::{Abilities, Ended, Job, Limit, ProcessError, Run, seccomp::OverMemory};
use base::Stopwatch;
use std::io::Read;
use std::{fs::File, os::fd::AsRawFd, time::Duration};

/// Most jobs are over before the first look, which makes the watch cost nothing.
const FIRST_LOOK: Duration = Duration::from_millis(20);
/// A look takes about 30 µs a process, so this costs about a thousandth of one processor.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// A job that waits for a processor has so many times its wall time: a busy machine makes no hang.
const PATIENCE: u32 = 20;
/// A job is asleep when so many looks in a row have seen nothing that wants a processor.
const ASLEEP: u32 = 5;
/// How long a supervisor may take to end a job. A hunt for a fork bomb's children takes a while.
const GRACE: Duration = Duration::from_millis(1500);

/// Why we end a job.
#[derive(Clone, Copy)]
enum Cause {
    Limit(Limit),
    Interrupt,
}

/// A job under way.
pub(super) struct Watch<'a> {
    job: &'a Job,
    handle: Handle,
    stdout: Output,
    stderr: Output,
    status: File,
    clock: Stopwatch,
    epoch: Epoch,
    /// Why and when we asked for the end.
    ending: Option<(Cause, Duration)>,
    forced: bool,
    /// Looks in a row, after its wall time, that have seen it asleep.
    asleep: u32,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        job: &'a Job,
        handle: Handle,
        ends: Ends,
        clock: Stopwatch,
        epoch: Epoch,
    ) -> Watch<'a> {
        let most = job.limits.output;
        Watch {
            job,
            handle,
            stdout: Output::new(ends.stdout, most),
            stderr: Output::new(ends.stderr, most),
            status: ends.status,
            clock,
            epoch,
            ending: None,
            forced: false,
            asleep: 0,
        }
    }

    /// Follows the job to its end.
    pub(super) fn follow(mut self) -> Result<Run, ProcessError> {
        let report = self.wait_for_report();
        let last_words = self.handle.wait();
        // All processes have ended: what they wrote is in the pipes, and there is no more to come.
        self.stdout.drain();
        self.stderr.drain();
        let wall = self.clock.elapsed();
        let program = || self.job.program.clone();
        let report = match (report, self.ending) {
            (_, Some((Cause::Interrupt, _))) => {
                return Err(ProcessError::Interrupted { program: program() });
            }
            (Some(report), _) => report,
            (None, Some(_)) => last_words,
            (None, None) => return Err(ProcessError::SupervisorLost { program: program() }),
        };
        if let Some((step, source)) = report.failure() {
            return Err(ProcessError::setup(self.job, step, source));
        }
        Ok(Run {
            ended: self.ended(&report),
            usage: report.usage(),
            wall,
            killed: report.killed.try_into().unwrap_or(0),
            stdout: self.stdout.kept(),
            stderr: self.stderr.kept(),
        })
    }

    /// Waits until the supervisor has reported, or has died without.
    fn wait_for_report(&mut self) -> Option<Report> {
        let mut look_at = FIRST_LOOK;
        loop {
            let wall = self.job.limits.wall;
            let on_time = self.ending.is_none() && self.clock.elapsed() < wall;
            let wake_at = if on_time { look_at.min(wall) } else { look_at };
            let ready = self.poll(wake_at.saturating_sub(self.clock.elapsed()));
            if ready[0] {
                self.stdout.read();
            }
            if ready[1] {
                self.stderr.read();
            }
            if ready[2] {
                let mut bytes = [0; Report::SIZE];
                let read = self.status.read_exact(&mut bytes);
                return read.ok().map(|()| Report::from_bytes(&bytes));
            }
            if self.stdout.is_over() || self.stderr.is_over() {
                self.end(Cause::Limit(Limit::Output));
            }
            let now = self.clock.elapsed();
            if now >= wake_at {
                self.look(now);
                look_at = now + LOOK_EVERY;
            }
        }
    }

    /// Waits for stdout, stderr, the report, or the time to look; says which of the three came.
    fn poll(&self, time: Duration) -> [bool; 3] {
        let poll = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds =
            [self.stdout.descriptor(), self.stderr.descriptor(), self.status.as_raw_fd()].map(poll);
        // Rounded up, or the last millisecond would be spent in a busy loop.
        let millis = time.as_micros().div_ceil(1000).try_into().unwrap_or(i32::MAX);
        // SAFETY: three descriptors, as the array holds.
        let count = unsafe { libc::poll(fds.as_mut_ptr(), 3, millis) };
        fds.map(|fd| count > 0 && fd.revents != 0)
    }

    fn look(&mut self, now: Duration) {
        if let Some((_, asked)) = self.ending {
            if now > asked + GRACE && !self.forced {
                self.forced = true;
                self.handle.force_to_end();
            }
            return;
        }
        if self.epoch.is_over() {
            return self.end(Cause::Interrupt);
        }
        let limits = &self.job.limits;
        let tree = Tree::below(self.handle.pid, limits.processes);
        // Near the end of its address space a program is about to be refused memory.
        let address_space = limits.address_space() / 8 * 7;
        let spare = self.job.confine.spare_address_space;
        let limit = if tree.processes > limits.processes {
            Limit::Processes
        } else if tree.memory > limits.memory || (!spare && tree.address_space > address_space) {
            Limit::Memory
        } else if tree.cpu >= limits.cpu {
            Limit::Cpu
        } else if now >= limits.wall && tree.stopped {
            Limit::Stopped
        } else if now >= limits.wall * PATIENCE || self.asleep >= ASLEEP {
            Limit::Wall
        } else if now >= limits.wall {
            self.asleep = if tree.runnable { 0 } else { self.asleep + 1 };
            return;
        } else {
            return;
        };
        self.end(Cause::Limit(limit));
    }

    fn end(&mut self, cause: Cause) {
        if self.ending.is_none() {
            self.ending = Some((cause, self.clock.elapsed()));
            self.handle.ask_to_end();
        }
    }

    fn ended(&self, report: &Report) -> Ended {
        let limits = &self.job.limits;
        let usage = report.usage();
        let status = report.status as i32;
        let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status));
        let refused = signal == Some(libc::SIGSYS)
            && !self.job.confine.spare_address_space
            && Abilities::probe().over_memory() == Some(OverMemory::Kill);
        // A copy of us that was larger than the limit says nothing of the job.
        let grew = report.max_rss_kib > report.floor_kib && usage.max_rss >= limits.memory;
        if let Some((Cause::Limit(limit), _)) = self.ending {
            Ended::Limit(limit)
        } else if self.stdout.is_over() || self.stderr.is_over() {
            Ended::Limit(Limit::Output)
        } else if report.over_memory != 0 || refused || grew {
            Ended::Limit(Limit::Memory)
        } else if usage.cpu() >= limits.cpu {
            Ended::Limit(Limit::Cpu)
        } else {
            match signal {
                Some(libc::SIGXFSZ) => Ended::Limit(Limit::FileSize),
                Some(signal) => Ended::Signal(signal),
                None => Ended::Exit(libc::WEXITSTATUS(status)),
            }
        }
    }
}
