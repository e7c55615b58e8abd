//! A small process that forks supervisors for us.
//!
//! A fork copies the page tables of whoever forks, and each page that is written after it costs a fault. We hold
//! hundreds of megabytes; the zygote was forked before we did, and holds next to nothing. It ends when we do, and
//! its supervisors with it.
//!
//! - `life`: what it does.
//! - `message`: how it is told what to start.

#![allow(unsafe_code)]

mod life;
mod message;

use super::order::{Descriptors, Order};
use super::report::Report;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fs::File, mem, ptr};

/// The most descriptors that come with a message.
const DESCRIPTORS: usize = 7;

/// What the zygote is asked for: the first number of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Ask {
    /// To start a supervisor; as many bytes of an order follow as the second number says.
    Start = 1,
    /// To wait for the supervisor that the second number names, and write what it used into its pipe.
    Wait,
    /// What it has used itself, and all supervisors that were waited for.
    Usage,
}

/// A supervisor that was started.
pub(super) struct Born {
    pub(super) pid: i32,
    /// What it used can be read here, once it was waited for.
    usage: File,
}

/// Ours. None before the first job, and when it was found dead.
static ZYGOTE: Mutex<Option<Zygote>> = Mutex::new(None);

struct Zygote {
    socket: UnixStream,
    pid: i32,
}

/// Starts a supervisor for `order`.
pub(super) fn start(order: &Order, descriptors: &Descriptors) -> io::Result<Born> {
    let (usage, writer) = io::pipe()?;
    let Descriptors { stdin, stdout, stderr, status, dir, ruleset } = descriptors;
    let passed_on = [stdin, stdout, stderr, status, dir].map(AsRawFd::as_raw_fd);
    let numbers: Vec<RawFd> = passed_on
        .into_iter()
        .chain([writer.as_raw_fd()])
        .chain(ruleset.as_ref().map(AsRawFd::as_raw_fd))
        .collect();
    let bytes = order.to_bytes();
    let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::ArgumentListTooLong)?;
    let ask = |zygote: &Zygote| {
        zygote.send(Ask::Start, length, &numbers)?;
        (&zygote.socket).write_all(&bytes)?;
        let mut answer = [0; 4];
        (&zygote.socket).read_exact(&mut answer)?;
        Ok(i32::from_ne_bytes(answer))
    };
    match with_zygote(ask)? {
        pid if pid > 0 => Ok(Born { pid, usage: OwnedFd::from(usage).into() }),
        errno => Err(io::Error::from_raw_os_error(-errno)),
    }
}

impl Born {
    /// Waits for its end; gives what it used. None if the zygote is gone.
    pub(super) fn wait(&mut self) -> Option<Report> {
        let pid = u32::try_from(self.pid).expect("processes have positive numbers");
        // A new zygote does not know it, and closes nothing: the pipe's other end is gone with the old one.
        let living = ZYGOTE.lock().unwrap_or_else(PoisonError::into_inner);
        living.as_ref()?.send(Ask::Wait, pid, &[]).ok()?;
        drop(living);
        let mut bytes = [0; Report::SIZE];
        self.usage.read_exact(&mut bytes).ok()?;
        Some(Report::from_bytes(&bytes))
    }
}

/// The processor time of the zygote itself, and of all supervisors with their jobs.
pub(super) fn cpu() -> (Duration, Duration) {
    let living = ZYGOTE.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = |zygote: &Zygote| -> io::Result<(Duration, Duration)> {
        zygote.send(Ask::Usage, 0, &[])?;
        let mut answer = [[0; Report::SIZE]; 2];
        (&zygote.socket).read_exact(answer.as_flattened_mut())?;
        let [own, below] = answer.map(|bytes| Report::from_bytes(&bytes).usage().cpu());
        Ok((own, below))
    };
    living.as_ref().and_then(|zygote| ask(zygote).ok()).unwrap_or_default()
}

/// Asks the zygote, and once more a new one if the old one is dead.
fn with_zygote(ask: impl Fn(&Zygote) -> io::Result<i32>) -> io::Result<i32> {
    let mut place = ZYGOTE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(zygote) = &*place {
        match ask(zygote) {
            Err(error) if is_gone(&error) => *place = None,
            answer => return answer,
        }
    }
    ask(place.insert(Zygote::fork()?))
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

impl Zygote {
    fn fork() -> io::Result<Zygote> {
        let (socket, its_end) = UnixStream::pair()?;
        let mut all: libc::sigset_t;
        let mut before: libc::sigset_t;
        // No handler of ours may run in it. fork() and not clone(): it leaves the heap in order, which the zygote uses.
        // SAFETY: plain old data, filled before use; all outlive the calls. The child only does what is safe after a
        // fork of a process with threads: of other threads' locks it takes none but the heap's.
        let pid = unsafe {
            (all, before) = (mem::zeroed(), mem::zeroed());
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            let pid = libc::fork();
            if pid == 0 {
                life::live(its_end.as_fd());
            }
            pid
        };
        let error = io::Error::last_os_error();
        // SAFETY: as above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut()) };
        if pid < 0 { Err(error) } else { Ok(Zygote { socket, pid }) }
    }

    /// Eight bytes, and descriptors with them.
    fn send(&self, ask: Ask, number: u32, descriptors: &[RawFd]) -> io::Result<()> {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&(ask as u32).to_ne_bytes());
        bytes[4..].copy_from_slice(&number.to_ne_bytes());
        let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let mut control = Control::default();
        // SAFETY: all that the message points to outlives the call; the control buffer has room for as many descriptors.
        let sent = unsafe {
            let mut message: libc::msghdr = mem::zeroed();
            (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
            if !descriptors.is_empty() {
                let size = size_of_val(descriptors) as u32;
                message.msg_control = control.0.as_mut_ptr().cast();
                message.msg_controllen = libc::CMSG_SPACE(size) as _;
                let header = libc::CMSG_FIRSTHDR(&raw const message);
                (*header).cmsg_level = libc::SOL_SOCKET;
                (*header).cmsg_type = libc::SCM_RIGHTS;
                (*header).cmsg_len = libc::CMSG_LEN(size) as _;
                let data = libc::CMSG_DATA(header).cast::<RawFd>();
                ptr::copy_nonoverlapping(descriptors.as_ptr(), data, descriptors.len());
            }
            loop {
                let sent =
                    libc::sendmsg(self.socket.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL);
                if sent >= 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                    break sent;
                }
            }
        };
        match sent {
            8 => Ok(()),
            sent if sent < 0 => Err(io::Error::last_os_error()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl Drop for Zygote {
    fn drop(&mut self) {
        // Only when it is dead: a zombie would be left.
        // SAFETY: no status is asked for.
        unsafe { libc::waitpid(self.pid, ptr::null_mut(), 0) };
    }
}

/// Room for a message's descriptors, aligned as its header wants.
#[repr(align(8))]
struct Control([u8; 64]);

impl Default for Control {
    fn default() -> Control {
        Control([0; 64])
    }
}

// SAFETY: a sum of sizes.
const _: () = assert!(unsafe { libc::CMSG_SPACE((DESCRIPTORS * 4) as u32) } <= 64);
