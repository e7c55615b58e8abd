//! What one configuration did with one program.

use crate::kind::Kind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use toolchain::family::{Crash, Failure};
use toolchain::process::{Confine, Limits, ProcessError};
use toolchain::{
    Behaviour, BuildError, Configuration, Program, Stage, build, compile, execute, lay_out,
};

/// The limits of an observation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limiting {
    /// Of the compiler.
    pub compiler: Limits,
    /// Of the compiled program.
    pub program: Limits,
}

impl Default for Limiting {
    fn default() -> Limiting {
        Limiting { compiler: Limits::compiler(), program: Limits::program() }
    }
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It compiled, and the program did this.
    Ran(Behaviour),
    /// It compiled, ran, and a sanitizer under test spoke.
    Alarmed(String),
    /// It did not compile.
    Failed(Stage, Failure),
}

/// What one configuration did with one program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Observation {
    /// The configuration's label.
    pub label: String,
    /// The compiler's family.
    pub family: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The commands that compiled it.
    pub commands: Vec<Vec<String>>,
    /// CPU time of the compiler. Times are not stored with a finding: two runs of a campaign are
    /// equal when their records are.
    #[serde(skip)]
    pub compile_cpu: Duration,
    /// CPU time of the program.
    #[serde(skip)]
    pub run_cpu: Duration,
}

impl Observation {
    /// What the program did, if it ran.
    #[must_use]
    pub fn behaviour(&self) -> Option<&Behaviour> {
        match &self.outcome {
            Outcome::Ran(behaviour) => Some(behaviour),
            Outcome::Alarmed(_) | Outcome::Failed(..) => None,
        }
    }

    /// How the compiler crashed, if it did; broken IR is a crash of its verifier.
    #[must_use]
    pub fn crash(&self) -> Option<&Crash> {
        match &self.outcome {
            Outcome::Failed(_, Failure::Crash(crash) | Failure::InvalidIr(crash)) => Some(crash),
            _ => None,
        }
    }

    /// What came of it, in a line.
    #[must_use]
    pub fn in_words(&self) -> String {
        match &self.outcome {
            Outcome::Ran(behaviour) => behaviour.to_string(),
            Outcome::Alarmed(line) => format!("sanitizer alarm: {line}"),
            Outcome::Failed(stage, failure) => match Kind::of_failure(*stage, failure) {
                Some((kind, signature)) => format!("{kind}: {signature}"),
                None => match failure {
                    Failure::Rejected(why) => format!("rejected: {why}"),
                    Failure::Machine(why) => format!("machine trouble: {why}"),
                    other => format!("{other:?}"),
                },
            },
        }
    }

    fn is_endless(&self) -> bool {
        self.behaviour().is_some_and(|behaviour| behaviour.end == toolchain::End::Endless)
    }

    /// The machine's trouble, if that is what came of it.
    #[must_use]
    pub fn machine_trouble(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Failed(_, Failure::Machine(what)) => Some(what),
            _ => None,
        }
    }
}

/// Compiles and runs `program` by `configuration`, in a private folder below `scratch`.
///
/// # Errors
/// When we failed.
pub fn observe(
    configuration: &Configuration,
    program: &Program,
    limiting: &Limiting,
    scratch: &Path,
) -> Result<Observation, BuildError> {
    let folder = lay_out(program, scratch)?;
    observe_in(configuration, program, limiting, folder.path(), "a.out")
}

/// What goes wrong when `configuration` compiles `program` without linking it, if anything does.
///
/// # Errors
/// When we failed.
pub fn compile_failure(
    configuration: &Configuration,
    program: &Program,
    limiting: &Limiting,
    scratch: &Path,
) -> Result<Option<(Stage, Failure)>, BuildError> {
    let folder = lay_out(program, scratch)?;
    Ok(compile(configuration, program, folder.path(), limiting.compiler)?.result.err())
}

type Look = dyn Fn(&Path) -> std::io::Result<()> + Send + Sync;

/// Somebody who looks at the folder in which configurations have worked, before it goes.
#[derive(Clone)]
pub struct Watch(pub Arc<Look>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Observes all configurations in order, in one private folder; stops early when two compilers
/// agree that the program does not end, since the others would only cost time.
///
/// # Errors
/// When we failed.
pub fn observe_all(
    configurations: &[Configuration],
    program: &Program,
    limiting: &Limiting,
    scratch: &Path,
    watch: Option<&Watch>,
) -> Result<Vec<Observation>, BuildError> {
    let folder = lay_out(program, scratch)?;
    let mut observations = Vec::with_capacity(configurations.len());
    for index in order_of_trial(configurations) {
        let configuration = &configurations[index];
        let name = format!("a{index}.out");
        let observation = observe_in(configuration, program, limiting, folder.path(), &name)?;
        let _ = std::fs::remove_file(folder.path().join(&name));
        observations.push((index, observation));
        if let [(first, one), (second, other)] = observations.as_slice()
            && one.is_endless()
            && other.is_endless()
            && configurations[*first].compiler.name != configurations[*second].compiler.name
        {
            break;
        }
    }
    if let Some(Watch(watch)) = watch {
        watch(folder.path())
            .map_err(|source| BuildError::Scratch { folder: folder.path().to_owned(), source })?;
    }
    observations.sort_by_key(|(index, _)| *index);
    Ok(observations.into_iter().map(|(_, observation)| observation).collect())
}

/// The order given, but for the first configuration of a second compiler, which comes second: it
/// tells a program that never ends from a compiler that makes it so.
fn order_of_trial(configurations: &[Configuration]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..configurations.len()).collect();
    let other = |configuration: &Configuration| {
        configuration.compiler.name != configurations[0].compiler.name
    };
    if let Some(second) = configurations.iter().position(other) {
        order.remove(second);
        order.insert(1, second);
    }
    order
}

fn observe_in(
    configuration: &Configuration,
    program: &Program,
    limiting: &Limiting,
    dir: &Path,
    name: &str,
) -> Result<Observation, BuildError> {
    let compiler = &configuration.compiler;
    let built = build(configuration, program, dir, name, limiting.compiler)?;
    let mut observation = Observation {
        label: configuration.label(),
        family: compiler.family.name().to_owned(),
        outcome: Outcome::Failed(Stage::Compile, Failure::Hang),
        commands: built.commands,
        compile_cpu: built.cpu,
        run_cpu: Duration::ZERO,
    };
    let executable = match built.result {
        Ok(executable) => executable,
        Err((stage, failure)) => {
            observation.outcome = Outcome::Failed(stage, failure);
            return Ok(observation);
        }
    };
    let sanitizer = compiler.family.sanitizer_under_test(&configuration.args);
    let confine = if sanitizer.is_some() { Confine::sanitizer() } else { Confine::full() };
    let env = sanitizer.map_or(&[][..], |sanitizer| sanitizer.env);
    let executed = match execute(compiler, &executable, dir, limiting.program, confine, env) {
        // A runner must be there; but what the compiler wrote may be no program, and that is its
        // doing.
        Err(ProcessError::NotExecutable { program, .. } | ProcessError::NotFound { program })
            if program == executable =>
        {
            let why = "it ended with 0 and wrote a file that cannot be run here".to_owned();
            observation.outcome = Outcome::Failed(Stage::Compile, Failure::Rejected(why));
            return Ok(observation);
        }
        executed => executed?,
    };
    observation.run_cpu = executed.cpu;
    let alarm = sanitizer.and_then(|sanitizer| {
        executed.stderr.lines().find(|line| sanitizer.alarms.iter().any(|word| line.contains(word)))
    });
    observation.outcome = match alarm {
        Some(line) => Outcome::Alarmed(line.trim().to_owned()),
        None => Outcome::Ran(executed.behaviour),
    };
    Ok(observation)
}
