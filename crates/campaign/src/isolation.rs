//! Isolation with what the machine has: a build that counts, developers' tests, sanitizers.

use crate::random_programs::RandomPrograms;
use base::{Budget, Seed};
use coverage::{Build, BuildFault};
use isolate::{Donor, Donors, IsolateError, Isolation, Progress, Settings, Subject, tests_below};
use oracle::{Kind, Limiting, Question, Screener};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use toolchain::process::thread_work;
use toolchain::{Compiler, Configuration, DataModel, Program, discover};

/// A build, ready to be asked which of its files is to blame.
pub struct Isolator {
    /// The build.
    pub build: Build,
    screener: Option<Screener>,
    limiting: Limiting,
    tests: Vec<Donor>,
    origin: String,
    /// Opened when a method asks for them.
    random: OnceLock<Option<RandomPrograms>>,
}

/// A program that fails, and how.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// The program.
    pub program: &'a Program,
    /// Arguments that it fails with.
    pub fail: Vec<String>,
    /// What it passes with, if anything is known: the build with other arguments, or another compiler.
    pub pass: Option<Configuration>,
}

/// The answer, and of which failure.
#[derive(Clone, Debug)]
pub struct Isolated {
    /// How the program fails.
    pub kind: Kind,
    /// What is the same whenever it does.
    pub signature: String,
    /// The answer.
    pub isolation: Isolation,
}

/// Generated programs that stand in for developers' tests where there are none.
const STAND_INS: u64 = 60;

impl Isolator {
    /// What a compiler may use while it works, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.limiting.compiler.memory
    }

    /// Opens the build behind a compiler. Variants are screened for undefined behaviour if `screen` says
    /// so; the papers' programs do not.
    ///
    /// # Errors
    /// When it is no build that counts.
    pub fn open(compiler: Arc<Compiler>, screen: bool) -> Result<Isolator, BuildFault> {
        let limiting = Limiting::default();
        let build = Build::of(compiler)?;
        let screener = screen.then(|| {
            let known: Vec<Arc<Compiler>> =
                discover().compilers.into_iter().map(Arc::new).collect();
            Screener::new(&known, limiting)
        });
        let folder = build.compiler.counting.as_ref().map(|counting| counting.tests());
        let found = folder.and_then(|folder| tests_below(&folder).ok()).unwrap_or_default();
        let (tests, origin) = match found.is_empty() {
            false => {
                let origin = format!("{} tests of the compiler's developers", found.len());
                (found, origin)
            }
            true => (stand_ins(), "generated programs, for want of developers' tests".to_owned()),
        };
        Ok(Isolator { build, screener, limiting, tests, origin, random: OnceLock::new() })
    }

    fn random(&self) -> Option<&RandomPrograms> {
        let open = || RandomPrograms::csmith().or_else(|_| RandomPrograms::generated(false)).ok();
        self.random.get_or_init(open).as_ref()
    }

    /// The build with these arguments.
    #[must_use]
    pub fn configuration(&self, args: Vec<String>) -> Configuration {
        Configuration::with_args(Arc::clone(&self.build.compiler), args)
    }

    /// Isolates the bug of a case.
    ///
    /// # Errors
    /// When the program does not fail on this build as it is said to, the method can't be used on it, or
    /// we failed.
    pub fn isolate(
        &self,
        case: &Case,
        settings: &Settings,
        budget: &Budget,
        scratch: &Path,
        stop: &(dyn Fn() -> bool + Sync),
        say: &mut dyn FnMut(&Progress),
    ) -> Result<Isolated, IsolateError> {
        let began = thread_work();
        let question = Question {
            program: case.program,
            fail: self.configuration(case.fail.clone()),
            pass: case.pass.clone(),
        };
        let (build, method, limiting) = (&self.build, settings.method, self.limiting);
        let subject = match method.is_about_sequences() {
            true => Subject::establish_sequence(build, method, &question, limiting, scratch)?,
            false => {
                let screener = self.screener.clone();
                Subject::establish(build, &question, screener, limiting, None, scratch)?
            }
        };
        let random_programs = match settings.method.needs_random() {
            true => self.random(),
            false => None,
        };
        let random = |index: u64| {
            let seed = settings.seed.derive("random programs", 0);
            random_programs?.program(seed, index, subject.fail.data_model, scratch)
        };
        let donors = Donors {
            tests: self.tests.clone(),
            origin: self.origin.clone(),
            random: random_programs.is_some().then_some(&random),
            random_origin: random_programs.map(RandomPrograms::describe).unwrap_or_default(),
        };
        let cpu = settings.cpu.map(|cpu| cpu.saturating_sub(thread_work() - began));
        let settings = &Settings { cpu, ..settings.clone() };
        let isolation = isolate::isolate(&subject, settings, &donors, budget, scratch, stop, say)?;
        Ok(Isolated { kind: subject.kind, signature: subject.signature, isolation })
    }
}

fn stand_ins() -> Vec<Donor> {
    let Ok(generated) = RandomPrograms::generated(true) else { return Vec::new() };
    let donor = |index: u64| {
        let made = generated.program(Seed(1), index, DataModel::Lp64, Path::new("."))?;
        let text = made.files.into_iter().next()?.bytes;
        Some(Donor { name: format!("generated {index}"), text })
    };
    (0..STAND_INS).filter_map(donor).collect()
}
