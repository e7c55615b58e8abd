//! What the zygote does: it starts supervisors, and waits for them when it is asked to.

use super::super::cage;
use super::super::descriptor::{self, PASSED_ON};
use super::super::order::{Descriptors, Order};
use super::super::prepared::Prepared;
use super::super::report::Report;
use super::super::supervisor;
use super::{Ask, Control, DESCRIPTORS};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::{mem, ptr};

/// Its socket; what comes through it gets higher numbers, out of the way of those that are passed on to jobs.
const SOCKET: RawFd = PASSED_ON;

/// A supervisor that was not waited for.
struct Living {
    /// Where what it used is written.
    usage: File,
    /// Somebody waits for it.
    is_awaited: bool,
}

/// Lives until the other end of the socket is closed; does not return.
pub(super) fn live(socket: BorrowedFd<'_>) -> ! {
    if let Some((socket, signals)) = set_up(socket) {
        serve(socket, signals);
    }
    cage::exit(0);
}

fn set_up(socket: BorrowedFd<'_>) -> Option<(UnixStream, RawFd)> {
    // SAFETY: takes no memory but strings that outlive the calls; all descriptors are our copies, and nobody here uses
    // them again.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, c"whodunit-zygote".as_ptr(), 0, 0, 0);
        let high = libc::fcntl(socket.as_raw_fd(), libc::F_DUPFD_CLOEXEC, SOCKET + 2);
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if high < 0 || nothing < 0 {
            return None;
        }
        // What others hold open by us would stay so, and descriptors that come must not have low numbers.
        for number in (0..SOCKET).filter(|number| *number != nothing) {
            libc::dup2(nothing, number);
        }
        libc::dup3(high, SOCKET, libc::O_CLOEXEC);
        descriptor::close_from(SOCKET + 1);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let mut set: libc::sigset_t = mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        // Blocked, as all are since the fork.
        let signals = libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        (signals >= 0).then(|| (UnixStream::from_raw_fd(SOCKET), signals))
    }
}

fn serve(mut socket: UnixStream, signals: RawFd) {
    let mut living: BTreeMap<i32, Living> = BTreeMap::new();
    let poll = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut both = [poll(SOCKET), poll(signals)];
    loop {
        // SAFETY: two descriptors, as the array holds; the signals that are read are plain data.
        unsafe {
            libc::poll(both.as_mut_ptr(), 2, -1);
            let mut info: libc::signalfd_siginfo = mem::zeroed();
            while libc::read(signals, (&raw mut info).cast(), size_of_val(&info)) > 0 {}
        }
        if both[1].revents != 0 {
            living.retain(|pid, one| !(one.is_awaited && is_over(*pid, &mut one.usage)));
        }
        if both[0].revents != 0 && answer(&mut socket, &mut living).is_none() {
            return;
        }
    }
}

/// None when nobody asks any more.
fn answer(socket: &mut UnixStream, living: &mut BTreeMap<i32, Living>) -> Option<()> {
    let (ask, number, descriptors) = receive(socket)?;
    if ask == Ask::Start as u32 {
        let mut bytes = vec![0; number as usize];
        socket.read_exact(&mut bytes).ok()?;
        let pid = Order::from_bytes(&bytes)
            .ok_or(libc::EPROTO)
            .and_then(|order| give_birth(order, descriptors, living));
        socket.write_all(&pid.unwrap_or_else(|errno| -errno).to_ne_bytes()).ok()
    } else if ask == Ask::Wait as u32 {
        let pid = number as i32;
        if let Some(mut one) = living.remove(&pid)
            && !is_over(pid, &mut one.usage)
        {
            one.is_awaited = true;
            living.insert(pid, one);
        }
        Some(())
    } else {
        let used = [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].map(|who| {
            // SAFETY: plain old data, filled by the call.
            let usage = unsafe {
                let mut usage: libc::rusage = mem::zeroed();
                libc::getrusage(who, &raw mut usage);
                usage
            };
            as_report(&usage)
        });
        socket.write_all(used.as_flattened()).ok()
    }
}

/// Forks a supervisor; gives its number, or why not.
fn give_birth(
    order: Order,
    descriptors: Vec<OwnedFd>,
    living: &mut BTreeMap<i32, Living>,
) -> Result<i32, i32> {
    let mut descriptors = descriptors.into_iter();
    let mut next = || descriptors.next().ok_or(libc::EPROTO);
    let (stdin, stdout, stderr) = (next()?, next()?, next()?);
    let (status, dir, usage) = (next()?, next()?, next()?);
    let ruleset = next().ok();
    let passed_on = Descriptors { stdin, stdout, stderr, status, dir, ruleset };
    let prepared = Prepared::new(order, passed_on);
    let forked = prepared.order.cage.fork(|| supervisor::main(&prepared));
    let pid = forked.map_err(|error| error.raw_os_error().unwrap_or(libc::EAGAIN))?;
    living.insert(pid, Living { usage: usage.into(), is_awaited: false });
    Ok(pid)
}

/// Has it ended? Then it is waited for, and what it used is told.
fn is_over(pid: i32, told: &mut File) -> bool {
    let mut status = 0;
    // SAFETY: plain old data, filled by the call; both outlive it.
    let (ended, usage) = unsafe {
        let mut usage: libc::rusage = mem::zeroed();
        (libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut usage), usage)
    };
    if ended == 0 {
        return false;
    }
    // Nobody may be there to read it.
    let _ = told.write_all(&as_report(&usage));
    true
}

fn as_report(usage: &libc::rusage) -> [u8; Report::SIZE] {
    let mut report = Report::default();
    report.add_usage(usage);
    report.floor_kib = report.max_rss_kib;
    report.to_bytes()
}

/// The two numbers of a message and its descriptors; none at the end.
fn receive(socket: &UnixStream) -> Option<(u32, u32, Vec<OwnedFd>)> {
    let mut bytes = [0_u8; 8];
    let mut control = Control::default();
    let mut descriptors = Vec::with_capacity(DESCRIPTORS);
    // SAFETY: all that the message points to outlives the call; the kernel has just made the descriptors for us.
    let count = unsafe {
        let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let mut message: libc::msghdr = mem::zeroed();
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        (message.msg_control, message.msg_controllen) =
            (control.0.as_mut_ptr().cast(), control.0.len() as _);
        let flags = libc::MSG_CMSG_CLOEXEC | libc::MSG_WAITALL;
        let count = libc::recvmsg(socket.as_raw_fd(), &raw mut message, flags);
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if count > 0 && !header.is_null() {
            let data = libc::CMSG_DATA(header).cast::<RawFd>();
            let size = (*header).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
            for at in 0..size / size_of::<RawFd>() {
                descriptors.push(OwnedFd::from_raw_fd(ptr::read_unaligned(data.add(at))));
            }
        }
        count
    };
    let number = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (count == 8).then(|| (number(0), number(4), descriptors))
}
