//! The folder in which a build is made, and the steps that make it.

use super::Request;
use super::error::{InstrumentError, at};
use base::{Stopwatch, atomic_write};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use toolchain::process::{self, Confine, Ended, Job, Limits};

/// What a build is doing.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// The step, in words.
    pub step: String,
    /// How much of it is done, of how much, where that is known.
    pub done: Option<(u64, u64)>,
    /// How long it took so far.
    pub elapsed: Duration,
    /// How long the step may take from here.
    pub left: Option<Duration>,
}

pub(super) struct Work<'a> {
    pub folder: PathBuf,
    pub log: PathBuf,
    say: &'a mut dyn FnMut(Progress),
    clock: &'a Stopwatch,
    /// Held while we work.
    _lock: File,
}

/// How the progress of a step can be told.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// Not at all.
    No,
    /// Ninja says `[n/m]`.
    Ninja,
    /// By the number of compilations in the log, of so many.
    Compilations(u64),
}

/// A command of a step.
pub(super) struct Command<'a> {
    /// The step, in words.
    pub step: &'a str,
    /// Where it runs, below the work folder.
    pub dir: &'a Path,
    pub argv: Vec<String>,
    pub env: Vec<(String, String)>,
    /// Whether it needs the network, or writes elsewhere: the package manager.
    pub is_free: bool,
    pub told: Told,
}

impl<'a> Command<'a> {
    pub fn new(step: &'a str, dir: &'a Path, argv: &[&str]) -> Command<'a> {
        Command {
            step,
            dir,
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            env: Vec::new(),
            is_free: false,
            told: Told::No,
        }
    }
}

const GIB: u64 = 1 << 30;
/// With less than that left, a step that failed has failed for want of it.
const FULL: u64 = 4 << 20;
/// How often progress is told.
const TICK: Duration = Duration::from_secs(2);

impl<'a> Work<'a> {
    pub fn new(
        request: &Request,
        say: &'a mut dyn FnMut(Progress),
        clock: &'a Stopwatch,
    ) -> Result<Work<'a>, InstrumentError> {
        let out = std::path::absolute(&request.out).map_err(at(&request.out))?;
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".work");
        let folder = out.with_file_name(name);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let lock_path = folder.join("lock");
        let lock = File::create(&lock_path).map_err(at(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(InstrumentError::Busy(folder)),
            Err(TryLockError::Error(error)) => return Err(at(lock_path)(error)),
        }
        // Another request's objects must not end up in this one's build.
        let wanted = Request { jobs: 0, ..request.clone() };
        let (wanted, path) = (format!("{wanted:?}"), folder.join("request"));
        match fs::read_to_string(&path) {
            Ok(was) if was != wanted => return Err(InstrumentError::OtherWork { folder, was }),
            Ok(_) => {}
            Err(_) => atomic_write(&path, wanted.as_bytes()).map_err(at(&path))?,
        }
        let log = folder.join("log.txt");
        Ok(Work { folder, log, say, clock, _lock: lock })
    }

    pub fn check_room(&self, (disk, memory): (u64, u64)) -> Result<(), InstrumentError> {
        let enough = |what: String, free: Option<u64>, needs: u64| match free {
            Some(free) if free < needs * GIB => {
                Err(InstrumentError::Room { what, free: free / GIB, needs })
            }
            _ => Ok(()),
        };
        let disk_free = toolchain::free_disk(&self.folder).map(|free| free + used(&self.folder));
        enough(format!("disk of {}", self.folder.display()), disk_free, disk)?;
        enough("memory".to_owned(), toolchain::free_memory(), memory)
    }

    /// Says what is being done, for steps of our own.
    pub fn say(&mut self, step: &str) {
        self.tell(step, None, Duration::ZERO);
    }

    fn tell(&mut self, step: &str, done: Option<(u64, u64)>, in_step: Duration) {
        let left = done
            .filter(|&(done, _)| done > 0)
            .map(|(done, all)| in_step.mul_f64(all.saturating_sub(done) as f64 / done as f64));
        let elapsed = self.clock.elapsed();
        (self.say)(Progress { step: step.to_owned(), done, elapsed, left });
    }

    /// Does something once: a later call with the same name does nothing, also in another process.
    pub fn once(
        &mut self,
        name: &str,
        action: impl FnOnce(&mut Self) -> Result<(), InstrumentError>,
    ) -> Result<(), InstrumentError> {
        let mark = self.folder.join(format!("done-{name}"));
        if mark.exists() {
            return Ok(());
        }
        action(self)?;
        atomic_write(&mark, b"").map_err(at(mark))
    }

    /// Runs a command to its end.
    pub fn run(&mut self, command: &Command) -> Result<(), InstrumentError> {
        let before = fs::metadata(&self.log).map_or(0, |meta| meta.len());
        let (ended, _) = self.job(command, before)?;
        if ended == Ended::Exit(0) {
            return Ok(());
        }
        if toolchain::free_disk(&self.folder).is_some_and(|free| free < FULL) {
            let (step, folder) = (command.step.to_owned(), self.folder.clone());
            return Err(InstrumentError::Full { step, folder });
        }
        let how = match ended {
            Ended::Exit(code) => format!("exit code {code}"),
            Ended::Signal(signal) => format!("signal {signal}"),
            Ended::Limit(limit) => limit.to_string(),
        };
        let step = command.step.to_owned();
        Err(InstrumentError::Step { step, how, log: self.log.clone(), tail: self.tail(before) })
    }

    /// Whether a command succeeds, and what it prints.
    pub fn output(&mut self, command: &Command) -> Result<(bool, String), InstrumentError> {
        let before = fs::metadata(&self.log).map_or(0, |meta| meta.len());
        let (ended, said) = self.job(command, before)?;
        Ok((ended == Ended::Exit(0), said))
    }

    fn job(&mut self, command: &Command, before: u64) -> Result<(Ended, String), InstrumentError> {
        // Everything it says goes to the log, which is where its progress is read.
        let script = "cd \"$1\" && log=$2 && shift 2 && exec \"$@\" >>\"$log\" 2>&1";
        let limits = Limits {
            wall: Duration::from_secs(48 * 3600),
            cpu: Duration::from_secs(1000 * 3600),
            memory: 1 << 40,
            output: 1 << 20,
            file: 1 << 40,
            processes: 4096,
        };
        let confine = match command.is_free {
            true => Confine::none(),
            false => Confine { spare_address_space: true, ..Confine::full() },
        };
        let mut job = Job::new("/bin/sh", &self.folder)
            .args(["-c", script, "sh"])
            .arg(command.dir)
            .arg(&self.log)
            .args(&command.argv)
            .limits(limits)
            .confine(confine);
        job.env = command.env.iter().map(|(key, value)| (key.into(), value.into())).collect();
        self.tell(command.step, None, Duration::ZERO);
        let in_step = Stopwatch::start();
        let run = std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            scope.spawn(move || send.send(process::run(&job)));
            loop {
                match receive.recv_timeout(TICK) {
                    Ok(run) => return run,
                    Err(RecvTimeoutError::Timeout) => {
                        let done = self.progress(command.told, before);
                        self.tell(command.step, done, in_step.elapsed());
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        unreachable!("the thread sends before it ends")
                    }
                }
            }
        })?;
        Ok((run.ended, self.said_since(before)))
    }

    fn said_since(&self, before: u64) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let new = log.get(usize::try_from(before).unwrap_or(usize::MAX)..).unwrap_or_default();
        String::from_utf8_lossy(new).into_owned()
    }

    fn progress(&self, told: Told, before: u64) -> Option<(u64, u64)> {
        match told {
            Told::No => None,
            Told::Ninja => {
                let said = self.said_since(before);
                let last = said.lines().rev().find_map(|line| {
                    let inside = line.strip_prefix('[')?.split_once(']')?.0;
                    let (done, all) = inside.split_once('/')?;
                    Some((done.parse().ok()?, all.parse().ok()?))
                })?;
                Some(last)
            }
            Told::Compilations(all) => {
                let done =
                    self.said_since(before).lines().filter(|line| is_compilation(line)).count();
                Some((done as u64, all.max(done as u64)))
            }
        }
    }

    fn tail(&self, before: u64) -> String {
        let said = self.said_since(before);
        let lines: Vec<&str> = said.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    }
}

/// Does a line of make's output start a compilation?
fn is_compilation(line: &str) -> bool {
    line.contains(" -c ") && !line.starts_with("libtool:")
}

/// The bytes that a folder takes: what an earlier try has used already.
fn used(folder: &Path) -> u64 {
    let Ok(entries) = folder.read_dir() else { return 0 };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => used(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
