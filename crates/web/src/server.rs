//! A thread for each connection, and few of them.

use crate::access::Access;
use crate::http::{Answer, Refused, Request};
use crate::site::Site;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// So many connections at a time: people have some windows open, and each may follow a campaign.
const CONNECTIONS: usize = 64;

/// How long somebody may take to ask, and to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often those who follow a campaign hear something, if only that we are still there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    access: Access,
    port: u16,
}

/// Why pages can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Somebody else has the port.
    #[error("port {0} is in use: say another --port, or 0 for any that is free")]
    PortInUse(u16),
    /// The address can't be had.
    #[error("cannot serve at {address}, port {port}: {source}")]
    Listen {
        /// The address.
        address: std::net::IpAddr,
        /// The port.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
}

impl Server {
    /// Takes a port; 0 is any that is free.
    ///
    /// # Errors
    /// When it can't be had.
    pub fn listen(access: Access, port: u16) -> Result<Server, ServeError> {
        let address = access.address();
        let wrong = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::PortInUse(port),
            _ => ServeError::Listen { address, port, source },
        };
        let listener = TcpListener::bind((address, port)).map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        Ok(Server { listener, access, port })
    }

    /// The address to type in.
    #[must_use]
    pub fn link(&self) -> String {
        self.access.link(self.port)
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Answers until `stop` is set, and a last connection has come.
    pub fn run(&self, site: &Arc<Site>, stop: &Arc<AtomicBool>) {
        let open = Arc::new(AtomicUsize::new(0));
        for stream in self.listener.incoming() {
            if stop.load(Ordering::SeqCst) {
                return;
            }
            // One that broke before it was accepted, or no descriptors left.
            let Ok(mut stream) = stream else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let timeouts =
                [stream.set_read_timeout(Some(PATIENCE)), stream.set_write_timeout(Some(PATIENCE))];
            if timeouts.iter().any(Result::is_err) {
                continue;
            }
            if open.load(Ordering::SeqCst) >= CONNECTIONS {
                let _ = Answer::refusal(503, "too many connections").write(&mut stream, false);
                continue;
            }
            open.fetch_add(1, Ordering::SeqCst);
            let (site, stop, open) = (Arc::clone(site), Arc::clone(stop), Arc::clone(&open));
            let (access, port) = (self.access.clone(), self.port);
            thread::spawn(move || {
                // Whoever went away needs no answer.
                let _ = answer(&mut stream, &access, port, &site, &stop);
                open.fetch_sub(1, Ordering::SeqCst);
            });
        }
    }
}

fn answer(
    stream: &mut TcpStream,
    access: &Access,
    port: u16,
    site: &Site,
    stop: &AtomicBool,
) -> io::Result<()> {
    let request = match Request::read(stream)? {
        None => return Ok(()),
        Some(Ok(request)) => request,
        Some(Err(refused)) => {
            let answer = match refused {
                Refused::Malformed => Answer::refusal(400, "that is no request"),
                Refused::Method => Answer::refusal(405, "these pages can only be read"),
            };
            return answer.write(stream, false);
        }
    };
    if let Some(instead) = access.refuse(&request, port) {
        return instead.write(stream, request.is_head);
    }
    if request.path == "/events" && !request.is_head {
        return follow(stream, site, stop);
    }
    site.answer(&request).write(stream, request.is_head)
}

/// Tells of every change, until the other side goes away.
fn follow(stream: &mut TcpStream, site: &Site, stop: &AtomicBool) -> io::Result<()> {
    let head = Answer::of("text/event-stream", "").head();
    stream.write_all(format!("{head}\r\nretry: 2000\n\n").as_bytes())?;
    let mut known = site.version();
    while !stop.load(Ordering::SeqCst) {
        let now = site.wait_for_change(known, SIGN_OF_LIFE);
        let event = if now == known { ":\n\n".to_owned() } else { format!("data: {now}\n\n") };
        known = now;
        stream.write_all(event.as_bytes())?;
        stream.flush()?;
    }
    Ok(())
}
