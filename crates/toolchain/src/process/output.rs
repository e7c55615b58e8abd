//! What a job writes, up to a limit.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;

/// Read at once. Not as much as a pipe holds: most jobs write little, and this is zeroed each time.
const CHUNK: usize = 16 << 10;

/// Our end of a job's stdout or stderr, and what came out of it.
pub(super) struct Output {
    /// None when the other end is closed.
    pipe: Option<File>,
    kept: Vec<u8>,
    most: u64,
    over: bool,
}

impl Output {
    /// Reads from `pipe`, which must not block, and keeps `most` bytes.
    pub(super) fn new(pipe: File, most: u64) -> Output {
        Output { pipe: Some(pipe), kept: Vec::new(), most, over: false }
    }

    /// The descriptor to poll; negative, which `poll` ignores, when there is nothing to come.
    pub(super) fn descriptor(&self) -> i32 {
        self.pipe.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Reads what is there now, at most a chunk; was there anything?
    pub(super) fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(length) if length > 0 => {
                let room = self.most - self.kept.len() as u64;
                let taken = length.min(usize::try_from(room).unwrap_or(usize::MAX));
                self.over |= taken < length;
                self.kept.extend_from_slice(&chunk[..taken]);
                true
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            _ => {
                self.pipe = None;
                false
            }
        }
    }

    /// Reads all that is left after the last writer has ended.
    pub(super) fn drain(&mut self) {
        while self.read() {}
    }

    /// Was there more than may be kept?
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    pub(super) fn kept(self) -> Vec<u8> {
        self.kept
    }
}
