//! From a failing program to a small one: options and pipelines first, then the program.

mod journal;
mod merge;
mod options;
mod outside;
mod question;

use base::Budget;
use oracle::{Limiting, Premise, Question, SameBug, Screen, ScreenResult, Screener};
use question::{Asker, ask_about};
use reduce::{Answer, Halt, Progress, Search, Settings};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use toolchain::process::ProcessError;
use toolchain::{BuildError, Compiler, Configuration, Language, Program};

pub use outside::{OutsideTool, ask_server};

/// A failing program, and how it is to be reduced.
pub struct Reduction<'a> {
    /// The program.
    pub program: &'a Program,
    /// The configuration that fails.
    pub fail: Configuration,
    /// One that passes, if any is known.
    pub pass: Option<Configuration>,
    /// Others that may do it right; those that do must go on agreeing.
    pub others: Vec<Configuration>,
    /// Looks for undefined behaviour; nobody does when absent.
    pub screener: Option<Screener>,
    /// Limits of compilers and programs.
    pub limiting: Limiting,
    /// Questions at the same time.
    pub jobs: usize,
    /// For how long, or how many questions.
    pub budget: Budget,
    /// How many questions of the budget one that fails in the same way counts for.
    pub yes: u64,
    /// An outside reducer to use instead of our own.
    pub with: Option<OutsideTool>,
    /// Where answers are kept, so that an interrupted reduction goes on.
    pub journal: Option<PathBuf>,
    /// For temporary files.
    pub scratch: &'a Path,
    /// Has somebody asked to stop?
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told how far it is, with the text that is being reduced.
    pub tell: &'a (dyn Fn(&Told<'_>) + Sync),
}

/// How far a reduction is.
pub struct Told<'a> {
    /// What is being reduced: `options`, a file, …
    pub what: &'a str,
    /// The present text of it.
    pub text: &'a [u8],
    /// Questions so far, all steps together.
    pub progress: Progress,
}

/// What is left.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smaller program.
    pub program: Program,
    /// The arguments that it takes to fail.
    pub fail: Configuration,
    /// The bug.
    pub bug: SameBug,
    /// Questions asked, answers, slips.
    pub progress: Progress,
    /// What the full screen says of the smaller program.
    pub screen: Option<Screen>,
    /// Did it end by itself? Otherwise the budget or somebody stopped it, and more may go.
    pub is_finished: bool,
    /// What was noticed on the way.
    pub remarks: Vec<String>,
}

/// Why there is nothing smaller.
#[derive(Debug, thiserror::Error)]
pub enum ReduceError {
    /// The program is no start for a reduction.
    #[error(transparent)]
    Premise(#[from] Premise),
    /// No libclang.
    #[error("cannot reduce C: {0}")]
    Library(#[from] csyntax::LibraryError),
    /// The outside reducer is not there.
    #[error("{0} is not installed; whodunit doctor says how to get it")]
    NoTool(&'static str),
    /// It is made for something else.
    #[error("--with {tool}: {why}")]
    WrongTool {
        /// Which one.
        tool: &'static str,
        /// What it is for.
        why: &'static str,
    },
    /// An outside reducer failed.
    #[error("{tool} failed: {why}")]
    Tool {
        /// Which one.
        tool: &'static str,
        /// What it said.
        why: String,
    },
    /// A pipeline that can't be read.
    #[error("{0}")]
    Pipeline(String),
    /// The journal can't be used.
    #[error("cannot keep the answers in {path}: {source}")]
    Journal {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The machine was in trouble, or we failed.
    #[error("{0}")]
    Failed(String),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl ReduceError {
    /// The machine's trouble behind the error, if that is what it is.
    #[must_use]
    pub fn machine_trouble(&self) -> Option<String> {
        match self {
            ReduceError::Build(error) | ReduceError::Premise(Premise::Build(error)) => {
                error.machine_trouble()
            }
            ReduceError::Failed(trouble) => Some(trouble.clone()),
            _ => None,
        }
    }
}

/// Reduces a failing program.
///
/// # Errors
/// When it does not fail as is said, or we failed. Stopping and running out of budget are no
/// errors: the smallest so far is returned.
pub fn reduce_program(reduction: &Reduction<'_>) -> Result<Reduced, ReduceError> {
    // Before any long work: is everything there?
    if let Some(tool) = &reduction.with {
        tool.check_language(reduction.program.language)?;
        tool.find(&reduction.fail.compiler)?;
    }
    options::check_pipeline(&reduction.fail)?;
    let library = match reduction.program.language {
        Language::Ir => None,
        Language::C | Language::Cxx => Some(csyntax::Library::find()?),
    };
    let mut work = Work::begin(reduction, library)?;
    work.options()?;
    match &reduction.with {
        Some(tool) => outside::reduce(&mut work, tool)?,
        None => work.files()?,
    }
    work.options()?;
    work.wait()?;
    let screen = work.screen()?;
    let is_finished = work.may_go_on();
    Ok(Reduced {
        fail: work.bug.fail.clone(),
        program: work.program,
        bug: work.bug,
        progress: work.done,
        screen,
        is_finished,
        remarks: work.remarks,
    })
}

/// Reduces only the failing arguments, the program as it is.
///
/// # Errors
/// As [`reduce_program`].
pub fn reduce_arguments(reduction: &Reduction<'_>) -> Result<Configuration, ReduceError> {
    options::check_pipeline(&reduction.fail)?;
    let mut work = Work::begin(reduction, None)?;
    work.options()?;
    work.wait()?;
    Ok(work.bug.fail)
}

/// A reduction under way.
struct Work<'a> {
    reduction: &'a Reduction<'a>,
    library: Option<csyntax::Library>,
    bug: SameBug,
    program: Program,
    journal: journal::Journal,
    /// Of the steps before this one.
    done: Progress,
    remarks: Vec<String>,
    /// The number of the present step: the same questions may mean different things in others.
    step: u32,
}

impl<'a> Work<'a> {
    /// Shows that the program fails.
    fn begin(
        reduction: &'a Reduction<'a>,
        library: Option<csyntax::Library>,
    ) -> Result<Work<'a>, ReduceError> {
        let question = Question {
            program: reduction.program,
            fail: reduction.fail.clone(),
            pass: reduction.pass.clone(),
        };
        let bug = SameBug::establish(
            &question,
            &reduction.others,
            reduction.screener.clone(),
            reduction.limiting,
            reduction.scratch,
        )?;
        Ok(Work {
            reduction,
            library,
            bug,
            program: Program { expected: None, ..reduction.program.clone() },
            journal: journal::Journal::open(reduction.journal.as_deref())?,
            done: Progress::default(),
            remarks: Vec::new(),
            step: 0,
        })
    }

    /// Of a program, or a compiler, that does not end: does what is left not end either, given all of the time?
    fn wait(&mut self) -> Result<(), ReduceError> {
        let Some(patient) = self.bug.patient() else { return Ok(()) };
        match ask_about(&patient, &self.program, false, self.reduction.scratch) {
            Ok(Answer::Interesting) | Err(Halt::Stopped) => {}
            Ok(_) => {
                self.program = Program { expected: None, ..self.reduction.program.clone() };
                self.bug = self.bug.with_fail(self.reduction.fail.clone());
                self.remarks.push("what was left only took longer: it is as it was".to_owned());
            }
            Err(Halt::Failed(error)) => return Err(ReduceError::Failed(error.to_string())),
        }
        Ok(())
    }

    fn may_go_on(&self) -> bool {
        !(self.reduction.stop)() && self.reduction.budget.allows(self.done.cost(self.reduction.yes))
    }

    /// Reduces the text `start` by `predicate`, with the budget that is left.
    fn search(
        &mut self,
        (what, start): (&str, &[u8]),
        predicate: &dyn reduce::Predicate,
        make: impl FnOnce(&Search<'_>) -> Result<Vec<u8>, Halt>,
        seen: &(dyn Fn(&[u8]) + Sync),
    ) -> Result<Vec<u8>, ReduceError> {
        self.step += 1;
        let (done, step, journal) = (self.done, self.step, &self.journal);
        let cost = done.cost(self.reduction.yes);
        let left = self.reduction.budget.amount().map(|all| all.saturating_sub(cost));
        let budget = Budget::new(self.reduction.budget.time_left(), left);
        let last: Mutex<Vec<u8>> = Mutex::new(start.to_vec());
        let tell = |progress: &Progress, text: &[u8]| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if *last != text {
                last.clear();
                last.extend_from_slice(text);
                seen(text);
            }
            (self.reduction.tell)(&Told { what, text, progress: sum(done, *progress) });
        };
        let remember = |id, answer| journal.write(step, id, answer);
        let settings = Settings {
            jobs: self.reduction.jobs,
            budget,
            yes: self.reduction.yes,
            stop: self.reduction.stop,
            tell: &tell,
            known: self.journal.known(step),
            remember: &remember,
        };
        let search = Search::new(predicate, settings);
        let made = make(&search);
        self.done = sum(done, search.progress());
        match made {
            Ok(text) => Ok(text),
            // The best so far was told.
            Err(Halt::Stopped) => Ok(last.into_inner().unwrap_or_else(PoisonError::into_inner)),
            Err(Halt::Failed(error)) => Err(ReduceError::Failed(error.to_string())),
        }
    }

    /// All files into one, then that one; or each in turn where that hides the bug.
    fn files(&mut self) -> Result<(), ReduceError> {
        if self.program.language == Language::Ir {
            return self.file(0);
        }
        if let Some(merged) = merge::merged(&self.program)
            && self.is_same(&merged)?
        {
            self.program = merged;
        }
        self.preprocess()?;
        loop {
            let before = self.program.clone();
            for file in (0..self.program.files.len()).rev() {
                self.file(file)?;
            }
            if self.program.files.len() < 2 || self.program == before || !self.may_go_on() {
                return Ok(());
            }
        }
    }

    /// Macros and headers of others' go where they can: what they write can't be reduced.
    fn preprocess(&mut self) -> Result<(), ReduceError> {
        for at in 0..self.program.files.len() {
            let file = &self.program.files[at];
            if Language::of(&file.name).is_none() || !merge::has_macros(&self.program, file) {
                continue;
            }
            let name = file.name.clone();
            let text = toolchain::preprocess(
                &self.bug.fail,
                &self.program,
                &name,
                self.reduction.scratch,
            )?;
            if let Some(text) = text {
                let mut plain = self.program.clone();
                plain.files[at].bytes = text;
                if self.is_same(&plain)? {
                    self.program = plain;
                }
            }
        }
        Ok(())
    }

    fn is_same(&mut self, program: &Program) -> Result<bool, ReduceError> {
        if !self.may_go_on() {
            return Ok(false);
        }
        let answer = ask_about(&self.bug, program, false, self.reduction.scratch);
        self.done.tries += 1;
        match answer {
            Ok(answer) => Ok(answer == Answer::Interesting),
            Err(Halt::Stopped) => Ok(false),
            Err(Halt::Failed(error)) => Err(ReduceError::Failed(error.to_string())),
        }
    }

    /// One file: with the quick screen first; if the full one then finds fault, from where it did
    /// not, with the full one.
    fn file(&mut self, at: usize) -> Result<(), ReduceError> {
        let accepted: Mutex<Vec<Vec<u8>>> = Mutex::new(vec![self.program.files[at].bytes.clone()]);
        let smaller = self.file_by(at, false, &|text| {
            accepted.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_vec());
        })?;
        let mut history = accepted.into_inner().unwrap_or_else(PoisonError::into_inner);
        history.push(smaller);
        let clean = match self.last_clean(at, &history) {
            Err(ReduceError::Build(BuildError::Process(ProcessError::Interrupted { .. }))) => {
                self.remarks.push("interrupted before the full screen".to_owned());
                history.len() - 1
            }
            clean => clean?,
        };
        let was_clean = clean + 1 == history.len();
        self.program.files[at].bytes = history.swap_remove(clean);
        if !was_clean && self.may_go_on() {
            let smaller = self.file_by(at, true, &|_| {})?;
            self.program.files[at].bytes = smaller;
        }
        Ok(())
    }

    fn file_by(
        &mut self,
        at: usize,
        hard: bool,
        seen: &(dyn Fn(&[u8]) + Sync),
    ) -> Result<Vec<u8>, ReduceError> {
        let (bug, program, library) =
            (self.bug.clone(), self.program.clone(), self.library.clone());
        let text = program.files[at].bytes.clone();
        let name = program.files[at].name.clone();
        let asker = Asker::new(&bug, &program, at, library.as_ref(), hard, self.reduction.scratch)?;
        let make = |search: &Search<'_>| match asker.reader() {
            Some(reader) => reduce::reduce_c(search, &text, &reader),
            None => reduce::reduce_ir(search, &text),
        };
        self.search((&name, &text), &asker, make, seen)
    }

    /// The last text of the history that the full screen finds clean. Undefined behaviour seldom
    /// goes once it has come, so the place where it came is found by halving.
    fn last_clean(&self, at: usize, history: &[Vec<u8>]) -> Result<usize, ReduceError> {
        let is_clean = |index: usize| -> Result<bool, ReduceError> {
            let mut program = self.program.clone();
            program.files[at].bytes.clone_from(&history[index]);
            let screen = self.bug.screen(&program, self.reduction.scratch)?;
            Ok(screen.is_none_or(|screen| screen.result != ScreenResult::Alarm))
        };
        let (mut good, mut bad) = (0, history.len());
        if is_clean(history.len() - 1)? {
            return Ok(history.len() - 1);
        }
        while good + 1 < bad {
            let middle = good + (bad - good) / 2;
            if is_clean(middle)? { good = middle } else { bad = middle }
        }
        Ok(good)
    }

    fn screen(&self) -> Result<Option<Screen>, ReduceError> {
        // A second Ctrl-C ends it; the result is kept all the same.
        Ok(self.bug.screen(&self.program, self.reduction.scratch).ok().flatten())
    }
}

fn sum(a: Progress, b: Progress) -> Progress {
    Progress {
        bytes: b.bytes,
        tries: a.tries + b.tries,
        kept: a.kept + b.kept,
        slipped: a.slipped + b.slipped,
        implausible: a.implausible + b.implausible,
    }
}

/// Configurations of other compilers that are worth asking whether they agree: the newest of each
/// other family without optimisation; for IR other versions of LLVM, and the newest of them with.
#[must_use]
pub fn witnesses_of(
    fail: &Configuration,
    language: Language,
    known: &[Arc<Compiler>],
) -> Vec<Configuration> {
    let usable = |compiler: &&Arc<Compiler>| {
        compiler.runs_here()
            && compiler.runner.is_empty()
            && (language != Language::Cxx || compiler.family.compiles_cxx())
    };
    let mut newest: Vec<&Arc<Compiler>> = Vec::new();
    for compiler in known.iter().filter(usable) {
        let same_family = compiler.family.name() == fail.compiler.family.name();
        if (language == Language::Ir) != same_family || compiler.path == fail.compiler.path {
            continue;
        }
        match newest.iter_mut().find(|other| other.family.name() == compiler.family.name()) {
            Some(other) if other.version < compiler.version => *other = compiler,
            Some(_) => {}
            None => newest.push(compiler),
        }
    }
    newest
        .into_iter()
        .flat_map(|compiler| {
            let plain: &[&str] = match language {
                Language::Ir => compiler.family.ir_references(),
                _ => &compiler.family.levels()[..1],
            };
            plain.iter().map(move |args| {
                let mut args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
                let model = compiler.family.data_model_args(&compiler.target, fail.data_model);
                if language != Language::Ir && compiler.data_model != fail.data_model {
                    args.extend(model.unwrap_or_default().iter().map(|&arg| arg.to_owned()));
                }
                Configuration::with_args(Arc::clone(compiler), args)
            })
        })
        .collect()
}
