//! What is to be started, as plain values that another process can be told.

use super::cage::Cage;
use super::seccomp::OverMemory;
use super::{Abilities, Job, ProcessError, Step, descriptor, landlock, seccomp};
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::{env, io};

/// A job, but for its descriptors.
pub(super) struct Order {
    pub(super) cage: Cage,
    pub(super) argv: Vec<CString>,
    pub(super) envp: Vec<CString>,
    pub(super) filter: Option<Vec<libc::sock_filter>>,
    pub(super) over_memory: OverMemory,
    pub(super) fixed_addresses: bool,
    pub(super) rlimits: [(u32, libc::rlimit); 5],
    /// Contents of `uid_map` and `gid_map`.
    pub(super) user_map: (String, String),
}

/// A job's descriptors.
pub(super) struct Descriptors {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    /// Where its supervisor reports.
    pub(super) status: OwnedFd,
    pub(super) dir: OwnedFd,
    pub(super) ruleset: Option<OwnedFd>,
}

/// Our ends of a job's pipes.
pub(super) struct Ends {
    pub(super) stdout: File,
    pub(super) stderr: File,
    pub(super) status: File,
}

impl Order {
    pub(super) fn new(job: &Job, cage: Cage) -> Result<(Order, Descriptors, Ends), ProcessError> {
        let program = || job.program.clone();
        let descriptors = |source| ProcessError::Descriptors { program: program(), source };
        let no_dir = |source: io::Error| match source.raw_os_error() {
            Some(libc::EMFILE | libc::ENFILE) => descriptors(source),
            _ => ProcessError::Dir { program: program(), dir: job.dir.clone(), source },
        };
        let abilities = Abilities::probe();
        let dir_path = std::path::absolute(&job.dir).map_err(no_dir)?;
        let dir = descriptor::directory(&dir_path).map_err(no_dir)?;
        let (stdout_end, stdout) = descriptor::pipe().map_err(descriptors)?;
        let (stderr_end, stderr) = descriptor::pipe().map_err(descriptors)?;
        let (status_end, status) = descriptor::pipe().map_err(descriptors)?;
        let setup =
            |step| move |source| ProcessError::Setup { program: job.program.clone(), step, source };
        let ruleset = landlock::ruleset(job.confine, abilities.landlock_abi, dir.as_fd())
            .map_err(setup(Step::Landlock))?;
        let over_memory = abilities.over_memory();
        let order = Order {
            cage,
            argv: strings(&job.program, arguments(job)?)?,
            envp: strings(&job.program, environment(job, &dir_path))?,
            filter: over_memory
                .and_then(|over| seccomp::filter(job.confine, job.limits.memory, over)),
            over_memory: over_memory.unwrap_or(OverMemory::Kill),
            fixed_addresses: job.fixed_addresses,
            rlimits: rlimits(job),
            user_map: cage.user_map(),
        };
        let stdin = descriptor::source(&job.stdin).map_err(descriptors)?;
        let passed_on = Descriptors { stdin, stdout, stderr, status, dir, ruleset };
        Ok((order, passed_on, Ends { stdout: stdout_end, stderr: stderr_end, status: status_end }))
    }
}

fn strings(program: &Path, strings: Vec<OsString>) -> Result<Vec<CString>, ProcessError> {
    let no_nul = |string: OsString| {
        CString::new(string.into_vec()).map_err(|error| ProcessError::NulByte {
            program: program.to_owned(),
            what: String::from_utf8_lossy(&error.into_vec()).into_owned(),
        })
    };
    strings.into_iter().map(no_nul).collect()
}

/// The program's full path (which is also what it sees as its name) and its arguments.
fn arguments(job: &Job) -> Result<Vec<OsString>, ProcessError> {
    let program = resolve(&job.program)
        .ok_or_else(|| ProcessError::NotFound { program: job.program.clone() })?;
    Ok([program.into_os_string()].into_iter().chain(job.args.iter().cloned()).collect())
}

/// A bare name is looked up in `PATH`; other paths are relative to where we are, not to the job's
/// directory.
fn resolve(program: &Path) -> Option<PathBuf> {
    if program.as_os_str().as_bytes().contains(&b'/') {
        return std::path::absolute(program).ok();
    }
    env::split_paths(&search_path())
        .map(|dir| dir.join(program))
        .find(|path| path.is_absolute() && path.is_file())
}

fn search_path() -> OsString {
    env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into())
}

fn environment(job: &Job, dir: &Path) -> Vec<OsString> {
    let mut variables: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), search_path()),
        ("LC_ALL".into(), "C".into()),
        ("LANG".into(), "C".into()),
        ("TZ".into(), "UTC".into()),
        ("HOME".into(), dir.into()),
        ("TMPDIR".into(), dir.into()),
    ];
    for (key, value) in &job.env {
        variables.retain(|(other, _)| other != key);
        variables.push((key.clone(), value.clone()));
    }
    let equation = |(mut key, value): (OsString, OsString)| {
        key.push(OsStr::new("="));
        key.push(value);
        key
    };
    variables.into_iter().map(equation).collect()
}

fn rlimits(job: &Job) -> [(u32, libc::rlimit); 5] {
    let limits = &job.limits;
    let both = |most: u64| libc::rlimit { rlim_cur: most, rlim_max: most };
    // For the case that the watch is held up, which is finer: a second later than it, and a second
    // more between SIGXCPU and SIGKILL.
    let cpu = limits.cpu.as_secs().saturating_add(2);
    let cpu = libc::rlimit { rlim_cur: cpu, rlim_max: cpu.saturating_add(1) };
    let spare = job.confine.spare_address_space;
    let address_space = if spare { libc::RLIM_INFINITY } else { limits.address_space() };
    [
        (libc::RLIMIT_CPU, cpu),
        (libc::RLIMIT_AS, both(address_space)),
        (libc::RLIMIT_FSIZE, both(limits.file)),
        (libc::RLIMIT_CORE, both(0)),
        // What most systems give by default; some containers give a billion, and programs that
        // close all of them take minutes.
        (libc::RLIMIT_NOFILE, both(1024)),
    ]
}
