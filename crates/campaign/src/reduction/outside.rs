//! Reducers of others: C-Vise, C-Reduce and llvm-reduce, with our question.
//!
//! They want a script that says whether a file is interesting. Ours asks this process, by a socket
//! in the private folder: compilers are opened once, and slips are counted as in our own reducer.

use super::question::Asker;
use super::{ReduceError, Told, Work};
use reduce::{Answer, Predicate, Progress};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use toolchain::process::{self, Confine, Ended, Job, Limit, Limits, Scratch};
use toolchain::{Compiler, Language, in_path};

/// A reducer of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutsideTool {
    /// `cvise`, `creduce` or `llvm-reduce`.
    pub name: &'static str,
    /// The command by which its script asks: the path of this program, and arguments before those
    /// of the socket and the file.
    pub ask: Vec<String>,
}

/// The one for IR.
const LLVM_REDUCE: &str = "llvm-reduce";

impl OutsideTool {
    /// The tool: the one that belongs to the compiler, or the one in PATH.
    pub(super) fn find(&self, compiler: &Compiler) -> Result<PathBuf, ReduceError> {
        let own = compiler.companions.get(self.name).cloned();
        own.or_else(|| in_path(self.name)).ok_or(ReduceError::NoTool(self.name))
    }

    /// Is it made for this language?
    pub(super) fn check_language(&self, language: Language) -> Result<(), ReduceError> {
        let why = match (self.name == LLVM_REDUCE, language == Language::Ir) {
            (true, true) | (false, false) => return Ok(()),
            (true, false) => "it reduces LLVM IR, not C",
            (false, true) => "it reduces C and C++, not LLVM IR",
        };
        Err(ReduceError::WrongTool { tool: self.name, why })
    }

    /// Its arguments for `jobs` scripts at a time. llvm-reduce writes to another file and tells its
    /// script which one to look at; the others change the file, and copy it into the folder in
    /// which they start the script. The flags are those that versions 14 to 22 of llvm-reduce
    /// share.
    fn args(&self, jobs: usize, script: &Path, name: &str, out: &str) -> Vec<String> {
        let (jobs, script) = (jobs.to_string(), script.to_string_lossy());
        let args: &[&str] = match self.name {
            LLVM_REDUCE => &[&format!("--test={script}"), "-o", out, "-j", &jobs, name],
            _ => &["--n", &jobs, "--timeout", "300", &script, name],
        };
        args.iter().map(|&arg| arg.to_owned()).collect()
    }
}

/// A day: the budget ends it before.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Lets the tool reduce each file of the program.
pub(super) fn reduce(work: &mut Work<'_>, tool: &OutsideTool) -> Result<(), ReduceError> {
    if work.program.language == Language::Ir {
        return reduce_file(work, tool, 0);
    }
    if let Some(merged) = super::merge::merged(&work.program)
        && work.is_same(&merged)?
    {
        work.program = merged;
    }
    work.preprocess()?;
    for file in 0..work.program.files.len() {
        reduce_file(work, tool, file)?;
    }
    Ok(())
}

fn reduce_file(work: &mut Work<'_>, tool: &OutsideTool, at: usize) -> Result<(), ReduceError> {
    let failed = |error: io::Error| ReduceError::Tool { tool: tool.name, why: error.to_string() };
    let (bug, program, library) = (work.bug.clone(), work.program.clone(), work.library.clone());
    let asker = Asker::new(&bug, &program, at, library.as_ref(), false, work.reduction.scratch)?;
    let folder = Scratch::new_in(work.reduction.scratch).map_err(failed)?;
    let name = &program.files[at].name;
    let file = folder.path().join(name);
    std::fs::write(&file, &program.files[at].bytes).map_err(failed)?;
    let socket = folder.path().join("ask");
    let script = folder.path().join("interesting.sh");
    let mut words = tool.ask.clone();
    words.push(socket.to_string_lossy().into_owned());
    let words = report::command_line(&words);
    let ask = format!("#!/bin/sh\nexec {words} \"${{1:-{name}}}\"\n");
    std::fs::write(&script, ask).map_err(failed)?;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).map_err(failed)?;
    let listener = UnixListener::bind(&socket).map_err(failed)?;
    let out = if tool.name == LLVM_REDUCE { "out.ll" } else { name.as_str() };
    let job = Job::new(tool.find(&bug.fail.compiler)?, folder.path())
        .args(tool.args(work.reduction.jobs, &script, name, out))
        .limits(Limits {
            wall: work.reduction.budget.time_left().unwrap_or(LONGEST),
            cpu: LONGEST,
            memory: Limits::compiler().memory * 4,
            processes: 1024,
            ..Limits::tool()
        })
        // It is no program under test, and wants semaphores and our socket.
        .confine(Confine::none());
    let server = Server {
        asker: &asker,
        name,
        tell: work.reduction.tell,
        done: work.done,
        progress: Mutex::default(),
        smallest: Mutex::new(program.files[at].bytes.clone()),
        closed: AtomicBool::new(false),
    };
    let run = std::thread::scope(|scope| {
        scope.spawn(|| server.serve(&listener, scope));
        let run = process::run(&job);
        server.closed.store(true, Ordering::SeqCst);
        // Wakes the server.
        let _ = UnixStream::connect(&socket);
        run
    });
    work.done =
        super::sum(work.done, *server.progress.lock().unwrap_or_else(PoisonError::into_inner));
    match run {
        Ok(run)
            if !matches!(
                run.ended,
                Ended::Exit(0) | Ended::Limit(Limit::Wall | Limit::Stopped)
            ) =>
        {
            let said = String::from_utf8_lossy(&run.stderr);
            let why = said.lines().last().unwrap_or("no message").to_owned();
            return Err(ReduceError::Tool { tool: tool.name, why });
        }
        Ok(_) | Err(process::ProcessError::Interrupted { .. }) => {}
        Err(error) => return Err(ReduceError::Failed(error.to_string())),
    }
    // The tool changes the file while it works; what it leaves is asked about once more.
    let mut left = std::fs::read(folder.path().join(out)).unwrap_or_default();
    if program.language == Language::Ir {
        // It pads its comments to a column, which hides what it has gained.
        left = passes::ir::stripped(&left);
    }
    let smallest = server.smallest.into_inner().unwrap_or_else(PoisonError::into_inner);
    let holds =
        asker.is_plausible(&left) && asker.ask(&left).is_ok_and(|a| a == Answer::Interesting);
    work.program.files[at].bytes = if holds { left } else { smallest };
    Ok(())
}

struct Server<'a> {
    asker: &'a Asker<'a>,
    name: &'a str,
    tell: &'a (dyn Fn(&Told<'_>) + Sync),
    done: Progress,
    progress: Mutex<Progress>,
    smallest: Mutex<Vec<u8>>,
    closed: AtomicBool,
}

impl Server<'_> {
    fn serve<'s>(&'s self, listener: &UnixListener, scope: &'s std::thread::Scope<'s, '_>) {
        for stream in listener.incoming() {
            if self.closed.load(Ordering::SeqCst) {
                return;
            }
            if let Ok(stream) = stream {
                scope.spawn(move || self.answer(stream));
            }
        }
    }

    /// Reads a file to its end, and answers by one byte.
    fn answer(&self, mut stream: UnixStream) {
        let mut text = Vec::new();
        if stream.read_to_end(&mut text).is_err() {
            return;
        }
        let answer = if self.asker.is_plausible(&text) {
            self.asker.ask(&text).unwrap_or(Answer::Boring)
        } else {
            Answer::Implausible
        };
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let mut smallest = self.smallest.lock().unwrap_or_else(PoisonError::into_inner);
        match answer {
            Answer::Interesting => progress.kept += 1,
            Answer::Slipped => progress.slipped += 1,
            Answer::Implausible => progress.implausible += 1,
            Answer::Boring => {}
        }
        progress.tries += u64::from(answer != Answer::Implausible);
        if answer == Answer::Interesting && text.len() < smallest.len() {
            *smallest = text;
        }
        progress.bytes = smallest.len();
        let told =
            Told { what: self.name, text: &smallest, progress: super::sum(self.done, *progress) };
        (self.tell)(&told);
        let _ = stream.write_all(&[u8::from(answer == Answer::Interesting)]);
    }
}

/// The other side: asks the reducing process at `socket` about `file`.
///
/// # Errors
/// When there is nobody to ask.
pub fn ask_server(socket: &Path, file: &Path) -> io::Result<bool> {
    let text = std::fs::read(file)?;
    let mut stream = UnixStream::connect(socket)?;
    stream.write_all(&text)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut answer = [0];
    stream.read_exact(&mut answer)?;
    Ok(answer == [1])
}
