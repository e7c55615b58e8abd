//! The failing program on a build that counts, and what variants of it do there.

use crate::error::IsolateError;
use crate::neighbour::Alone;
use crate::witness::{Counted, Executed, Witnesses};
use coverage::Build;
use oracle::{Kind, Limiting, Observation, Premise, Question, Screener, check};
use std::ops::Range;
use std::path::Path;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use toolchain::family::{Crash, Failure, Linked};
use toolchain::process::{Confine, Limits};
use toolchain::{Behaviour, Configuration, End, Language, Program, SourceFile, build, compile};
use toolchain::{execute, lay_out, optimised, optimiser_input};

/// A program that is known to fail on a build.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The build.
    pub build: &'a Build,
    /// The program.
    pub program: Program,
    /// The configuration that fails; it counts.
    pub fail: Configuration,
    /// One that passes, if any is known.
    pub pass: Option<Configuration>,
    /// How it fails.
    pub kind: Kind,
    /// What is the same whenever it fails.
    pub signature: String,
    /// What the compiler says when it crashes.
    pub(crate) crash: Option<Crash>,
    /// What the compiler executed while it failed.
    pub executed: Executed,
    /// What the program does when it is compiled rightly.
    expected: Option<Behaviour>,
    screener: Option<Screener>,
    limiting: Limiting,
    /// The edges that count; all if nothing is said.
    only: Option<Range<usize>>,
}

/// What a variant of the failing program did.
#[derive(Clone, PartialEq, Debug)]
pub enum Trial {
    /// It does not compile, or tells nothing.
    Invalid(Invalid),
    /// It fails too; what the compiler executed, if that was asked for.
    Fails(Option<Executed>),
    /// It passes.
    Passes {
        /// What the compiler executed.
        executed: Executed,
        /// Has it undefined behaviour? Then it says nothing.
        is_undefined: bool,
    },
}

/// Why a variant tells nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Invalid {
    /// A compiler refuses it, or it can't be linked.
    Refused,
    /// It shows another failure of the compiler.
    OtherFailure,
    /// Compiled rightly it dies, does not end or prints nothing, other than the failing program: whether
    /// the bug is there can't be seen.
    NoOracle,
    /// A witness executes the very same.
    Repeated,
}

impl Invalid {
    /// In a word, for tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Invalid::Refused => "refused",
            Invalid::OtherFailure => "another failure",
            Invalid::NoOracle => "no oracle",
            Invalid::Repeated => "repeated coverage",
        }
    }
}

impl Trial {
    /// Did it compile and run on both sides? That is what the papers' times and ours are compared by.
    #[must_use]
    pub fn is_evaluation(&self) -> bool {
        !matches!(self, Trial::Invalid(Invalid::Refused))
    }
}

/// How one side ended.
enum Side {
    Ran(Behaviour),
    Refused,
    Failed,
}

impl<'a> Subject<'a> {
    /// Shows that the program fails on this build as it is said to. `only` are the edges of the build that count.
    ///
    /// # Errors
    /// When it does not fail, fails now and then, or we failed.
    pub fn establish(
        build: &'a Build,
        question: &Question<'_>,
        screener: Option<Screener>,
        limiting: Limiting,
        only: Option<Range<usize>>,
        scratch: &Path,
    ) -> Result<Subject<'a>, IsolateError> {
        let checked = check(question, None, &limiting, scratch)?;
        // One that never ends says nothing about how long the program takes.
        let ends = |seen: &&Observation| seen.behaviour().is_some_and(|it| it.end != End::Endless);
        let slowest = checked.observations.iter().filter(ends).map(|seen| seen.run_cpu).max();
        let compile = checked.observations.iter().map(|seen| seen.compile_cpu).min();
        let crash = checked.observations.iter().find_map(Observation::crash).cloned();
        let bug = Premise::of(&question.fail, checked.verdict)?;
        let mut subject = Subject {
            build,
            program: question.program.clone(),
            fail: question.fail.clone().counting(),
            pass: question.pass.clone(),
            kind: bug.kind,
            signature: bug.signature,
            crash,
            executed: Executed::new(&build.map, Counted::none(&build.map)),
            expected: bug.expected,
            // IR can't be screened.
            screener: screener.filter(|_| {
                bug.kind == Kind::WrongCode && question.program.language != Language::Ir
            }),
            limiting,
            only,
        };
        // Variants that never end would cost seconds each. Ten times what the program takes, and a
        // quarter of a second at least, is enough for those that do; of the compiler likewise.
        let limits = &mut subject.limiting;
        let cpu = (slowest.unwrap_or_default() * 10).max(Duration::from_millis(250));
        limits.program.cpu = limits.program.cpu.min(cpu);
        let cpu = (compile.unwrap_or_default() * 20).max(Duration::from_secs(2));
        limits.compiler.cpu = limits.compiler.cpu.min(cpu);
        subject.link_quickly(scratch)?;
        let (_, edges) = subject.compile(&subject.fail, &subject.program, scratch)?;
        if edges.edges.is_empty() {
            return Err(IsolateError::NothingExecuted(build.compiler.name.clone()));
        }
        subject.executed = Executed::new(&build.map, edges);
        if subject.executed.lines.is_empty() {
            return Err(IsolateError::NoLines(build.compiler.name.clone()));
        }
        Ok(subject)
    }

    /// Lets both sides link with a quicker linker, if the program fails with that one as well.
    fn link_quickly(&mut self, scratch: &Path) -> Result<(), IsolateError> {
        let Some(pass) = self.pass.clone().filter(|_| !self.is_compile_only()) else {
            return Ok(());
        };
        let fail = self.fail.clone().linking_quickly(Linked::Plain);
        let slow = (
            std::mem::replace(&mut self.fail, fail),
            self.pass.replace(pass.linking_quickly(Linked::Plain)),
        );
        if !matches!(self.try_running(&self.program, false, scratch)?, Trial::Fails(_)) {
            (self.fail, self.pass) = slow;
        }
        Ok(())
    }

    /// Is it seen without running what was compiled?
    pub(crate) fn is_compile_only(&self) -> bool {
        self.kind != Kind::WrongCode
    }

    /// The limits of a compilation.
    pub(crate) fn compiler_limits(&self) -> Limits {
        self.limiting.compiler
    }

    /// Tries the program with other arguments, and with another pipeline than they stand for. It is the same program,
    /// so that what it must do is known.
    ///
    /// # Errors
    /// When we failed, or the machine is in trouble.
    pub fn try_arguments(
        &self,
        args: &[String],
        optimiser: Option<&String>,
        scratch: &Path,
    ) -> Result<Trial, IsolateError> {
        let mut fail = self.fail.clone();
        fail.args = args.to_vec();
        fail.optimiser = optimiser.cloned();
        if self.is_compile_only() {
            return self.try_compiling_with(&fail, &self.program, true, scratch);
        }
        let Some(expected) = &self.expected else { return Err(IsolateError::NoPass) };
        let folder = lay_out(&self.program, scratch)?;
        let found = match self.side(&fail, &self.program, folder.path(), "fail.out")? {
            Side::Ran(behaviour) => behaviour,
            Side::Refused => return Ok(Trial::Invalid(Invalid::Refused)),
            Side::Failed => return Ok(Trial::Invalid(Invalid::OtherFailure)),
        };
        let edges = self.edges(folder.path())?;
        Ok(match found == *expected {
            true => self.passes(edges),
            false => Trial::Fails(Some(Executed::new(&self.build.map, edges))),
        })
    }

    /// Tries a variant. `known` are the witnesses so far: what repeats one of them is not screened.
    ///
    /// # Errors
    /// When we failed, or the machine is in trouble.
    pub fn try_variant(
        &self,
        variant: &Program,
        known: &RwLock<Witnesses>,
        wants_failing: bool,
        scratch: &Path,
    ) -> Result<Trial, IsolateError> {
        let trial = match self.is_compile_only() {
            true => self.try_compiling_with(&self.fail, variant, wants_failing, scratch)?,
            false => self.try_running(variant, wants_failing, scratch)?,
        };
        let Trial::Passes { executed, .. } = trial else { return Ok(trial) };
        let known = known.read().unwrap_or_else(PoisonError::into_inner);
        if known.has_executed(&executed) {
            return Ok(Trial::Invalid(Invalid::Repeated));
        }
        drop(known);
        let is_undefined = match &self.screener {
            Some(screener) => {
                screener.quick_alarm(variant, self.fail.data_model, scratch)?.is_some()
            }
            None => false,
        };
        Ok(Trial::Passes { executed, is_undefined })
    }

    /// Compiles any program with the failing arguments; a program that compiles passes.
    ///
    /// # Errors
    /// When we failed, or the machine is in trouble.
    pub fn try_compiling(&self, program: &Program, scratch: &Path) -> Result<Trial, IsolateError> {
        self.try_compiling_with(&self.fail, program, false, scratch)
    }

    fn try_compiling_with(
        &self,
        fail: &Configuration,
        program: &Program,
        wants_failing: bool,
        scratch: &Path,
    ) -> Result<Trial, IsolateError> {
        let (failure, edges) = self.compile(fail, program, scratch)?;
        let Some(failure) = failure else { return Ok(self.passes(edges)) };
        Ok(match self.of_failure(&failure)? {
            Trial::Fails(_) if wants_failing => {
                Trial::Fails(Some(Executed::new(&self.build.map, edges)))
            }
            trial => trial,
        })
    }

    /// What went wrong when the failing configuration compiles a program without linking it, and what
    /// the compiler executed.
    fn compile(
        &self,
        fail: &Configuration,
        program: &Program,
        scratch: &Path,
    ) -> Result<(Option<Failed>, Counted), IsolateError> {
        let folder = lay_out(program, scratch)?;
        let built = compile(fail, program, folder.path(), self.limiting.compiler)?;
        let edges = self.edges(folder.path())?;
        Ok((built.result.err(), edges))
    }

    /// Where the compiler was when it crashed, the innermost first, as far as it says; libraries are nothing.
    pub(crate) fn stack(&self, scratch: &Path) -> Result<Vec<Option<usize>>, IsolateError> {
        let folder = lay_out(&self.program, scratch)?;
        let built = compile(&self.fail, &self.program, folder.path(), self.limiting.compiler)?;
        let stack = self.fail.compiler.family.stack(&built.stderr);
        Ok(self.build.edges_at(&stack)?)
    }

    /// What the compiler executes to report trouble: when it crashes, it executes that after the fact. An optimiser is
    /// made to crash; to another compiler the program is given with an error at its end.
    pub(crate) fn reporting(&self, scratch: &Path) -> Result<Option<coverage::Set>, IsolateError> {
        let mut fail = self.fail.clone();
        let mut program = self.program.clone();
        let family = fail.compiler.family;
        let place = fail.args.iter().position(|arg| family.pipeline_in(arg).is_some());
        match (family.crashing_pipeline(), place) {
            (Some(crash), Some(at)) => fail.args[at] = family.pipeline_arg(crash),
            (Some(crash), None) => fail.optimiser = Some(crash.to_owned()),
            (None, _) => {
                let is_source = |file: &&mut SourceFile| {
                    matches!(Language::of(&file.name), Some(Language::C | Language::Cxx))
                };
                let Some(file) = program.files.iter_mut().find(is_source) else { return Ok(None) };
                file.bytes.extend_from_slice(WRONG.as_bytes());
            }
        }
        let (failure, edges) = self.compile(&fail, &program, scratch)?;
        // An optimiser of another version may not know that pass; it then refuses.
        let is_meant = |(_, failure): &Failed| {
            family.crashing_pipeline().is_none() || matches!(failure, Failure::Crash(_))
        };
        Ok(failure.filter(is_meant).map(|_| edges.edges))
    }

    /// What the optimiser executes for one step alone, on the module that the steps before it leave, and for nothing at
    /// all; nothing where it can't be had.
    pub(crate) fn alone(
        &self,
        step: &Alone,
        scratch: &Path,
    ) -> Result<Option<[coverage::Set; 2]>, IsolateError> {
        let limits = self.compiler_limits();
        let input = optimiser_input(&self.fail, &self.program, limits, scratch)?;
        let Some((module, args)) = input else { return Ok(None) };
        let family = self.fail.compiler.family;
        let is_pipeline = |arg: &String| {
            family.pipeline_in(arg).is_some() || family.prints_pipeline(arg).is_some()
        };
        let Some(at) = args.iter().position(is_pipeline) else { return Ok(None) };
        let with = |pipeline: &str| {
            let mut args = args.clone();
            args[at] = family.pipeline_arg(pipeline);
            Configuration { args, optimiser: None, ..self.fail.clone() }
        };
        let Some(module) = optimised(&with(&step.before), &module, limits, scratch)? else {
            return Ok(None);
        };
        let (_, ran) = self.compile(&with(&step.step), &module, scratch)?;
        let (_, nothing) = self.compile(&with(&step.nothing), &module, scratch)?;
        Ok(Some([ran.edges, nothing.edges]))
    }

    fn of_failure(&self, (stage, failure): &Failed) -> Result<Trial, IsolateError> {
        if let Failure::Machine(what) = failure {
            return Err(IsolateError::Machine(what.clone()));
        }
        Ok(match Kind::of_failure(*stage, failure) {
            Some((kind, signature)) if kind == self.kind && signature == self.signature => {
                Trial::Fails(None)
            }
            Some(_) => Trial::Invalid(Invalid::OtherFailure),
            // What is refused where it should not be fails as before.
            None if self.kind == Kind::RejectsValid => Trial::Fails(None),
            None => Trial::Invalid(Invalid::Refused),
        })
    }

    /// Both sides, the passing one first: it is the cheaper one to be refused by.
    fn try_running(
        &self,
        variant: &Program,
        wants_failing: bool,
        scratch: &Path,
    ) -> Result<Trial, IsolateError> {
        let Some(pass) = &self.pass else {
            return Err(IsolateError::NoPass);
        };
        let folder = lay_out(variant, scratch)?;
        let right = match self.side(pass, variant, folder.path(), "pass.out")? {
            Side::Ran(behaviour) => behaviour,
            Side::Refused => return Ok(Trial::Invalid(Invalid::Refused)),
            Side::Failed => return Ok(Trial::Invalid(Invalid::OtherFailure)),
        };
        if self.expected.as_ref().is_some_and(|expected| !tells_as_much(expected, &right)) {
            return Ok(Trial::Invalid(Invalid::NoOracle));
        }
        let wrong = match self.side(&self.fail, variant, folder.path(), "fail.out")? {
            Side::Ran(behaviour) => behaviour,
            Side::Refused => return Ok(Trial::Invalid(Invalid::Refused)),
            Side::Failed => return Ok(Trial::Invalid(Invalid::OtherFailure)),
        };
        let agree = wrong.agrees_with(&right);
        if !agree && !wants_failing {
            return Ok(Trial::Fails(None));
        }
        let edges = self.edges(folder.path())?;
        Ok(match agree {
            true => self.passes(edges),
            false => Trial::Fails(Some(Executed::new(&self.build.map, edges))),
        })
    }

    /// What the compiler executed in a folder.
    fn edges(&self, dir: &Path) -> Result<Counted, IsolateError> {
        let mut counts = self.build.counts(dir)?;
        if let Some(only) = &self.only {
            counts.0[..only.start].fill(0);
            counts.0[only.end..].fill(0);
        }
        let edges = counts.edges();
        let failing = Some(&self.executed.edges).filter(|failing| !failing.is_empty());
        let counts = failing.unwrap_or(&edges).iter().map(|edge| counts.0[edge]).collect();
        Ok(Counted { edges, counts })
    }

    fn passes(&self, edges: Counted) -> Trial {
        Trial::Passes { executed: Executed::new(&self.build.map, edges), is_undefined: false }
    }

    fn side(
        &self,
        configuration: &Configuration,
        program: &Program,
        dir: &Path,
        name: &str,
    ) -> Result<Side, IsolateError> {
        let built = build(configuration, program, dir, name, self.limiting.compiler)?;
        let executable = match built.result {
            Ok(executable) => executable,
            Err((_, Failure::Machine(what))) => return Err(IsolateError::Machine(what)),
            Err((stage, failure)) => {
                return Ok(match Kind::of_failure(stage, &failure) {
                    Some(_) => Side::Failed,
                    None => Side::Refused,
                });
            }
        };
        let compiler = &configuration.compiler;
        let limits = self.limiting.program;
        let ran = execute(compiler, &executable, dir, limits, Confine::full(), &[])?;
        Ok(Side::Ran(ran.behaviour))
    }

    /// Can C be mutated here?
    #[must_use]
    pub fn is_source(&self) -> bool {
        self.program.language != Language::Ir
    }
}

/// A function that no compiler takes.
const WRONG: &str = "\nvoid whodunit_wrong(void) { whodunit_unknown; }\n";

type Failed = (toolchain::Stage, Failure);

/// Does a variant, compiled rightly, still show what the failing program shows? One that dies by itself,
/// or prints nothing where the failing program prints its result, does so whether the bug is there or
/// not: a fake pass (DiWi, section 6).
fn tells_as_much(expected: &Behaviour, variant: &Behaviour) -> bool {
    let ends = match (&expected.end, &variant.end) {
        (End::Exit(_), End::Exit(_)) => true,
        (expected, variant) => expected == variant,
    };
    ends && (expected.head.is_empty() || !variant.head.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::ContentId;

    #[test]
    fn a_variant_that_dies_or_falls_silent_tells_nothing() {
        let behaviour = |end: End, printed: &str| Behaviour {
            end,
            output: ContentId::of(printed.as_bytes()),
            head: printed.to_owned(),
            about: Vec::new(),
        };
        let prints = behaviour(End::Exit(0), "5");
        let silent = behaviour(End::Exit(0), "");
        assert!(tells_as_much(&prints, &behaviour(End::Exit(1), "6")));
        assert!(tells_as_much(&silent, &silent));
        assert!(!tells_as_much(&prints, &silent));
        assert!(!tells_as_much(&silent, &behaviour(End::Signal(6), "")));
        assert!(!tells_as_much(&silent, &behaviour(End::Endless, "")));
    }
}
