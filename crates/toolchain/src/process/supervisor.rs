//! The process between us and a job: it waits for the job, ends what is left of it, and reports.
//!
//! A fork of the zygote: nothing here may allocate, lock or panic.

#![allow(unsafe_code)]

use super::cage::{self, Cage};
use super::order::Descriptors;
use super::prepared::Prepared;
use super::report::Report;
use super::{Step, child, descriptor, hunt, procfs};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;

/// Where the report goes.
const STATUS: i32 = 3;

/// Runs the job and reports; does not return.
pub(super) fn main(prepared: &Prepared) -> ! {
    let mut report = Report::default();
    match set_up(prepared) {
        Ok(signals) => supervise(prepared, signals, &mut report),
        Err(step) => fail(&mut report, step as i32, errno()),
    }
    let bytes = report.to_bytes();
    // SAFETY: bytes outlive the call. Less than a pipe holds, so it is written whole.
    unsafe { libc::write(STATUS, bytes.as_ptr().cast(), bytes.len()) };
    cage::exit(0);
}

fn fail(report: &mut Report, step: i32, errno: i32) {
    (report.step, report.errno) = (step.into(), errno.into());
}

/// Gives the descriptor from which signals are read.
fn set_up(prepared: &Prepared) -> Result<i32, Step> {
    let in_namespace = matches!(prepared.order.cage, Cage::Namespace { .. });
    // When the zygote dies, because we did. Should it have died before this line, the broken status pipe tells.
    let last_will = if in_namespace { libc::SIGKILL } else { libc::SIGTERM };
    // SAFETY: takes no memory.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, last_will, 0, 0, 0) };
    // SAFETY: the name outlives the call.
    unsafe { libc::prctl(libc::PR_SET_NAME, procfs::SUPERVISOR.as_ptr(), 0, 0, 0) };
    if let Cage::Namespace { user: true, .. } = prepared.order.cage
        && !cage::map_user(&prepared.order.user_map)
    {
        return Err(Step::UserMap);
    }
    pass_on(prepared)?;
    // SAFETY: takes no memory.
    unsafe {
        libc::setsid();
        if !in_namespace {
            libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        }
    }
    if let Cage::Namespace { proc: true, .. } = prepared.order.cage
        && !cage::mount_proc()
    {
        return Err(Step::Proc);
    }
    signals().ok_or(Step::Descriptors)
}

/// Puts the job's descriptors where they belong and closes all others: those of other jobs would
/// keep their pipes open.
fn pass_on(prepared: &Prepared) -> Result<(), Step> {
    let Descriptors { stdin, stdout, stderr, status, dir, ruleset } = &prepared.descriptors;
    let ruleset = ruleset.as_ref().unwrap_or(dir);
    let kept = [
        (stdin, 0, 0),
        (stdout, 1, 0),
        (stderr, 2, 0),
        (status, STATUS, libc::O_CLOEXEC),
        (dir, child::DIR, libc::O_CLOEXEC),
        (ruleset, child::RULESET, libc::O_CLOEXEC),
    ];
    for (fd, number, flags) in kept {
        // SAFETY: takes no memory.
        if unsafe { libc::dup3(fd.as_raw_fd(), number, flags) } < 0 {
            return Err(Step::Descriptors);
        }
    }
    descriptor::close_from(descriptor::PASSED_ON);
    Ok(())
}

fn signals() -> Option<i32> {
    // SAFETY: the set is filled before it is used, and outlives the call. All signals are blocked
    // since the fork; `SIGCHLD` must not be ignored, or there is nothing to wait for.
    let fd = unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::sigaddset(&raw mut set, libc::SIGTERM);
        libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK)
    };
    (fd >= 0).then_some(fd)
}

fn supervise(prepared: &Prepared, signals: i32, report: &mut Report) {
    let job = child::start(prepared);
    if job < 0 {
        return fail(report, Step::Fork as i32, errno());
    }
    // Where we may: on a busy machine a fork bomb must not outrun us. The job was started before,
    // and keeps its priority.
    // SAFETY: takes no memory.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, -20) };
    // The job has them now; held open here they would hide the end of its output.
    for fd in [0, 1, 2, child::DIR, child::RULESET] {
        // SAFETY: takes no memory; nobody uses them again.
        unsafe { libc::close(fd) };
    }
    report.floor_kib = usage(libc::RUSAGE_SELF).ru_maxrss;
    let listener = match prepared.listener.load(Ordering::SeqCst) {
        0 => -1,
        listener => listener,
    };
    let mut reaped = Reaped { job, status: None, killed: 0 };
    wait(signals, listener, &mut reaped, report);
    end_all(prepared, &mut reaped);
    report.status = reaped.status.unwrap_or(libc::SIGKILL).into();
    report.killed = reaped.killed;
    report.add_usage(&usage(libc::RUSAGE_CHILDREN));
    let step = prepared.failed_step.load(Ordering::SeqCst);
    fail(report, step, prepared.failed_errno.load(Ordering::SeqCst));
}

/// Waits until the job has ended, or somebody wants it to end.
fn wait(signals: i32, listener: i32, reaped: &mut Reaped, report: &mut Report) {
    let poll = |fd, events| libc::pollfd { fd, events, revents: 0 };
    let mut fds = [poll(signals, libc::POLLIN), poll(listener, libc::POLLIN), poll(STATUS, 0)];
    loop {
        while reaped.next(libc::WNOHANG) {}
        if reaped.status.is_some() {
            return;
        }
        let [signal, over_memory, status] = &mut fds;
        // SAFETY: three descriptors, as the array holds. The signals it reads are plain data.
        unsafe {
            libc::poll(signal, 3, -1);
            let mut info: libc::signalfd_siginfo = std::mem::zeroed();
            while libc::read(signals, (&raw mut info).cast(), size_of_val(&info)) > 0 {
                if info.ssi_signo == libc::SIGTERM as u32 {
                    return;
                }
            }
        }
        if status.revents & libc::POLLERR != 0 {
            return; // Nobody reads the report: we are gone.
        }
        if over_memory.revents & libc::POLLIN != 0 {
            report.over_memory = 1;
            return;
        }
        if over_memory.revents != 0 {
            over_memory.fd = -1; // All processes with the filter have ended.
        }
    }
}

/// Children that have been waited for.
struct Reaped {
    job: i32,
    /// The job's wait status, once it has ended.
    status: Option<i32>,
    killed: i64,
}

impl Reaped {
    /// Waits for one more child; false if there is none (or none that has ended, as `flags` say).
    fn next(&mut self, flags: i32) -> bool {
        let mut status = 0;
        // SAFETY: status outlives the call.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, flags | libc::__WALL) };
        if pid == self.job {
            self.status = Some(status);
        } else if pid > 0 && libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL {
            self.killed += 1;
        }
        pid > 0
    }
}

/// Kills all descendants and waits for them.
fn end_all(prepared: &Prepared, reaped: &mut Reaped) {
    reaped.killed = 0;
    if prepared.order.cage == Cage::Subreaper {
        // SAFETY: this process has one thread, and only this line uses the table.
        let table = unsafe { &mut *prepared.hunted.get() };
        return hunt::kill_descendants(table, &mut || reaped.next(libc::WNOHANG));
    }
    loop {
        // All in the namespace but us; a fork that is under way fails.
        // SAFETY: takes no memory.
        unsafe { libc::kill(-1, libc::SIGKILL) };
        if !reaped.next(0) {
            return;
        }
    }
}

fn usage(who: i32) -> libc::rusage {
    // SAFETY: plain old data, filled by the call.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(who, &raw mut usage);
        usage
    }
}

fn errno() -> i32 {
    // SAFETY: errno is a variable of this thread.
    unsafe { *libc::__errno_location() }
}

const _: () = assert!(STATUS < child::DIR && child::RULESET < descriptor::PASSED_ON);
