//! From a program to an executable, by one configuration.

use crate::configuration::Configuration;
use crate::counting::{COUNTERS_VARIABLE, Counting};
use crate::family::{Apart, Failure};
use crate::process::{self, Confine, Ended, Job, Limits, ProcessError, Run, Scratch};
use crate::program::{Language, Program, SourceFile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which of a compiler's programs was at work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The compiler, from source to executable.
    Compile,
    /// LLVM's `opt`, from IR to IR.
    Optimise,
    /// The code generator, from optimised IR to executable.
    Codegen,
}

/// What a compiler made of a program.
#[derive(Clone, Debug)]
pub struct Built {
    /// The executable, or at which stage and why there is none.
    pub result: Result<PathBuf, (Stage, Failure)>,
    /// The commands, as they were run.
    pub commands: Vec<Vec<String>>,
    /// The CPU time of all of them.
    pub cpu: Duration,
    /// What they said.
    pub stderr: String,
}

/// Why we could not even try.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The door to processes failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The private folder could not be made or filled.
    #[error("cannot write the program into a private folder below {folder}: {source}")]
    Scratch {
        /// Where.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// IR needs `opt`.
    #[error(
        "{0} has no opt beside it or in PATH, which LLVM IR needs (Debian: apt install llvm-N)"
    )]
    NoOpt(String),
    /// A compiler without C++.
    #[error("{0} does not compile C++")]
    NoCxx(String),
}

/// A private folder below `parent` with the files of `program` in it.
///
/// # Errors
/// When the disk says no.
pub fn lay_out(program: &Program, parent: &Path) -> Result<Scratch, BuildError> {
    let failed = |source| BuildError::Scratch { folder: parent.to_owned(), source };
    let folder = Scratch::new_in(parent).map_err(failed)?;
    program.write_to(folder.path()).map_err(failed)?;
    Ok(folder)
}

/// Builds `program`, whose files are in `dir`, as `name` in `dir`.
///
/// # Errors
/// When we failed; a compiler that fails is a result.
pub fn build(
    configuration: &Configuration,
    program: &Program,
    dir: &Path,
    name: &str,
    limits: Limits,
) -> Result<Built, BuildError> {
    let mut build = Build {
        configuration,
        language: program.language,
        dir,
        limits,
        built: Built {
            result: Ok(dir.join(name)),
            commands: Vec::new(),
            cpu: Duration::ZERO,
            stderr: String::new(),
        },
    };
    let failed = match program.language {
        Language::Ir => build.ir(program, name)?,
        Language::C | Language::Cxx if configuration.pipeline().is_some() => {
            build.sequenced(program, name)?
        }
        Language::C | Language::Cxx => build.source(program, name)?,
    };
    if let Some(failed) = failed {
        build.built.result = Err(failed);
    } else if !dir.join(name).is_file() {
        let silent = Failure::Rejected("it ended with 0 and wrote no file".to_owned());
        build.built.result = Err((Stage::Compile, silent));
    }
    Ok(build.built)
}

/// Compiles `program`, whose files are in `dir`, without linking; IR is only optimised. Half the
/// time of [`build`], and enough where the compiler itself is what fails.
///
/// # Errors
/// When we failed; a compiler that fails is a result.
pub fn compile(
    configuration: &Configuration,
    program: &Program,
    dir: &Path,
    limits: Limits,
) -> Result<Built, BuildError> {
    let built = Built {
        result: Ok(dir.to_owned()),
        commands: Vec::new(),
        cpu: Duration::ZERO,
        stderr: String::new(),
    };
    let language = program.language;
    let mut build = Build { configuration, language, dir, limits, built };
    let failed = match program.language {
        Language::Ir => build.optimise(program, OPTIMISED)?,
        Language::C | Language::Cxx if configuration.pipeline().is_some() => {
            build.optimised_units(program, "a")?.err()
        }
        Language::C | Language::Cxx => {
            build.refuse_cxx(program)?;
            let args = compile_args(configuration, program);
            match build.configuration.apart(&args) {
                Some(apart) => build.objects(program, &args, &apart)?.err(),
                None if build.driver_counts() => {
                    let units: Vec<String> =
                        program.units().map(|unit| unit.name.clone()).collect();
                    build.one_by_one(Stage::Compile, &args, &units)?.err()
                }
                None => {
                    let mut command = args;
                    command.push(configuration.compiler.family.without_linking().to_owned());
                    command.extend(program.units().map(|unit| unit.name.clone()));
                    let driver = configuration.compiler.path.clone();
                    build.step(Stage::Compile, driver, command)?
                }
            }
        }
    };
    if let Some(failed) = failed {
        build.built.result = Err(failed);
    }
    Ok(build.built)
}

/// The text of the program's unit `name` after the preprocessor, without line markers; nothing
/// when the compiler refuses.
///
/// # Errors
/// When we failed.
pub fn preprocess(
    configuration: &Configuration,
    program: &Program,
    name: &str,
    scratch: &Path,
) -> Result<Option<Vec<u8>>, BuildError> {
    let folder = lay_out(program, scratch)?;
    let mut args = compile_args(configuration, program);
    args.extend(["-E", "-P", name].map(str::to_owned));
    let limits = Limits { output: Program::MAX_BYTES, ..Limits::tool() };
    let job = Job::new(&configuration.compiler.path, folder.path()).args(&args).limits(limits);
    let run = process::run(&job.confine(Confine::full()))?;
    Ok((run.ended == Ended::Exit(0)).then_some(run.stdout))
}

/// The one unit of a program as IR that nothing has optimised, as a configuration with a pipeline makes it;
/// nothing when there are several, or the compiler refuses.
///
/// # Errors
/// When we failed.
pub fn unoptimised(
    configuration: &Configuration,
    program: &Program,
    limits: Limits,
    scratch: &Path,
) -> Result<Option<Program>, BuildError> {
    let front = configuration.compiler.family.unoptimised_ir();
    let front = front.iter().map(|&arg| arg.to_owned()).collect();
    front_end(configuration, program, front, limits, scratch)
}

/// The module that [`compile`] makes of modules.
const OPTIMISED: &str = "a.opt.ll";

/// What the optimiser gets when a configuration compiles the one unit of a program: the IR, and the optimiser's
/// arguments. Nothing when there are several units, the compiler refuses, or it has no optimiser of its own.
///
/// # Errors
/// When we failed.
pub fn optimiser_input(
    configuration: &Configuration,
    program: &Program,
    limits: Limits,
    scratch: &Path,
) -> Result<Option<(Program, Vec<String>)>, BuildError> {
    let compiler = &configuration.compiler;
    let args = configuration.args.clone();
    if !compiler.companions.contains_key("opt") {
        return Ok(None);
    }
    if program.language == Language::Ir {
        return Ok(Some((program.clone(), args)));
    }
    if configuration.pipeline().is_some() {
        let module = unoptimised(configuration, program, limits, scratch)?;
        return Ok(module.map(|module| (module, args)));
    }
    let Some(Apart { front, mut optimise, .. }) = compiler.family.apart(&args) else {
        return Ok(None);
    };
    optimise.retain(|arg| arg != "-S");
    let front = args.into_iter().chain(front).collect();
    let module = front_end(configuration, program, front, limits, scratch)?;
    Ok(module.map(|module| (module, optimise)))
}

fn front_end(
    configuration: &Configuration,
    program: &Program,
    front: Vec<String>,
    limits: Limits,
    scratch: &Path,
) -> Result<Option<Program>, BuildError> {
    let units: Vec<&SourceFile> = program.units().collect();
    let [unit] = units.as_slice() else { return Ok(None) };
    let folder = lay_out(program, scratch)?;
    let mut args = front_args(configuration, program);
    args.extend(front);
    let file = format!("{}.ll", unit.name);
    args.extend(["-S".to_owned(), unit.name.clone(), "-o".to_owned(), file.clone()]);
    let job = Job::new(&configuration.compiler.path, folder.path()).args(&args).limits(limits);
    let run = process::run(&job.confine(Confine::full()))?;
    if run.ended != Ended::Exit(0) {
        return Ok(None);
    }
    let text = std::fs::read(folder.path().join(&file))
        .map_err(|source| BuildError::Scratch { folder: folder.path().to_owned(), source })?;
    Ok(Some(Program::single(&file, Language::Ir, text)))
}

/// A module after the optimiser with a configuration's arguments; nothing where it fails.
///
/// # Errors
/// When there is no optimiser, or we failed.
pub fn optimised(
    configuration: &Configuration,
    module: &Program,
    limits: Limits,
    scratch: &Path,
) -> Result<Option<Program>, BuildError> {
    let folder = lay_out(module, scratch)?;
    let built = compile(configuration, module, folder.path(), limits)?;
    if built.result.is_err() {
        return Ok(None);
    }
    let text = std::fs::read(folder.path().join(OPTIMISED))
        .map_err(|source| BuildError::Scratch { folder: folder.path().to_owned(), source })?;
    Ok(Some(Program::single("module.ll", Language::Ir, text)))
}

/// The arguments of a compiler before those of the units. With a pipeline, those of the configuration are
/// the optimiser's.
#[must_use]
pub fn compile_args(configuration: &Configuration, program: &Program) -> Vec<String> {
    let mut args = front_args(configuration, program);
    if configuration.pipeline().is_none() {
        args.extend(configuration.args.iter().cloned());
    }
    args
}

fn front_args(configuration: &Configuration, program: &Program) -> Vec<String> {
    let compiler = &configuration.compiler;
    let family = compiler.family;
    let mut args: Vec<String> = family
        .always()
        .iter()
        .copied()
        .chain(family.quiet(&configuration.args))
        .map(str::to_owned)
        .collect();
    args.extend(compiler.args.iter().cloned());
    if program.language == Language::Cxx {
        args.extend(compiler.cxx_args.iter().cloned());
    }
    args.extend(program.standard.as_deref().and_then(|standard| family.standard(standard)));
    args.extend(program.args.iter().cloned());
    args
}

struct Build<'a> {
    configuration: &'a Configuration,
    language: Language,
    dir: &'a Path,
    limits: Limits,
    built: Built,
}

type Failed = Option<(Stage, Failure)>;

impl BuildError {
    /// The machine's trouble behind the error, if that is what it is.
    #[must_use]
    pub fn machine_trouble(&self) -> Option<String> {
        use std::io::ErrorKind::{OutOfMemory, QuotaExceeded, StorageFull, WouldBlock};
        match self {
            // Too many processes, or no memory for one more.
            BuildError::Process(ProcessError::Fork { source, .. })
                if matches!(source.kind(), WouldBlock | OutOfMemory) =>
            {
                Some(self.to_string())
            }
            BuildError::Scratch { source, .. }
                if matches!(source.kind(), StorageFull | QuotaExceeded | OutOfMemory) =>
            {
                Some(self.to_string())
            }
            _ => None,
        }
    }
}

impl Build<'_> {
    fn source(&mut self, program: &Program, name: &str) -> Result<Failed, BuildError> {
        self.refuse_cxx(program)?;
        let compiler = &self.configuration.compiler;
        let units: Vec<&SourceFile> = program.units().collect();
        let args = compile_args(self.configuration, program);
        if self.driver_counts() {
            let units: Vec<String> = units.iter().map(|unit| unit.name.clone()).collect();
            let objects = match self.one_by_one(Stage::Compile, &args, &units)? {
                Ok(objects) => objects,
                Err(failed) => return Ok(Some(failed)),
            };
            return self.link(args, objects, name);
        }
        if let Some(apart) = self.configuration.apart(&args) {
            let objects = match self.objects(program, &args, &apart)? {
                Ok(objects) => objects,
                Err(failed) => return Ok(Some(failed)),
            };
            return self.link(args, objects, name);
        }
        let barrier = units.len() > 1 && compiler.family.sees_whole_program(&args);
        let (library, main): (Vec<&SourceFile>, Vec<&SourceFile>) =
            units.iter().partition(|unit| barrier && !defines_main(unit));
        let mut linked = Vec::new();
        if barrier {
            // A compiler that sees all units at once would compute the program's result at
            // compile time. A shared library keeps the tested functions apart (YARPGen, 3.2).
            let file = format!("lib{name}.so");
            let mut command = args.clone();
            command.extend(["-fPIC".to_owned(), "-shared".to_owned()]);
            command.extend(library.iter().map(|unit| unit.name.clone()));
            command.extend(["-o".to_owned(), file.clone()]);
            if let Some(failed) = self.step(Stage::Compile, compiler.path.clone(), command)? {
                return Ok(Some(failed));
            }
            linked.extend([format!("./{file}"), "-Wl,-rpath,$ORIGIN".to_owned()]);
        }
        let mut command = args;
        command.extend(main.iter().map(|unit| unit.name.clone()));
        command.extend(linked);
        command.extend(["-o".to_owned(), name.to_owned()]);
        command.extend(self.libraries());
        self.step(Stage::Compile, compiler.path.clone(), command)
    }

    /// What every program is linked with.
    fn libraries(&self) -> impl Iterator<Item = String> + use<> {
        let cxx = (self.language == Language::Cxx).then_some("-lstdc++");
        cxx.into_iter().chain(["-lm"]).map(str::to_owned)
    }

    /// Does a driver count that starts itself?
    fn driver_counts(&self) -> bool {
        let compiler = &self.configuration.compiler;
        compiler.family.starts_itself()
            && self.counting().is_some_and(|counting| counting.role_of(&compiler.path).is_some())
    }

    /// An object file of each of some files, each by a command of its own.
    fn one_by_one(
        &mut self,
        stage: Stage,
        args: &[String],
        files: &[String],
    ) -> Result<Result<Vec<String>, (Stage, Failure)>, BuildError> {
        let compiler = &self.configuration.compiler;
        let mut objects = Vec::new();
        for file in files {
            let object = format!("{file}.o");
            let mut command = args.to_vec();
            command.extend(["-c", file, "-o", &object].map(str::to_owned));
            if let Some(failed) = self.step(stage, compiler.path.clone(), command)? {
                return Ok(Err(failed));
            }
            objects.push(object);
        }
        Ok(Ok(objects))
    }

    /// Links objects; nobody wants to know what is executed for that.
    fn link(
        &mut self,
        args: Vec<String>,
        objects: Vec<String>,
        name: &str,
    ) -> Result<Failed, BuildError> {
        let mut command = args;
        command.extend(objects);
        command.extend(["-o".to_owned(), name.to_owned()]);
        command.extend(self.libraries());
        let driver = self.configuration.compiler.path.clone();
        self.run(Stage::Compile, driver, command, None)
    }

    /// The object files of the program's units, each by driver, optimiser and code generator; whatever
    /// fails is a failure of the compiler as a whole.
    fn objects(
        &mut self,
        program: &Program,
        args: &[String],
        apart: &Apart,
    ) -> Result<Result<Vec<String>, (Stage, Failure)>, BuildError> {
        let compiler = &self.configuration.compiler;
        let mut objects = Vec::new();
        for unit in program.units() {
            if is_assembly(unit) {
                objects.push(unit.name.clone());
                continue;
            }
            let [ir, optimised, object] =
                ["ll", "opt.ll", "o"].map(|end| format!("{}.{end}", unit.name));
            let front = args.iter().chain(&apart.front).cloned().collect();
            let steps = [
                (Stage::Compile, front, &unit.name, &ir),
                (Stage::Optimise, apart.optimise.clone(), &ir, &optimised),
                (Stage::Codegen, apart.codegen.clone(), &optimised, &object),
            ];
            for (worker, mut command, from, to) in steps {
                let role = compiler.family.worker(worker, program.language);
                let path = compiler.companions.get(role).unwrap_or(&compiler.path).clone();
                command.extend([from.clone(), "-o".to_owned(), to.clone()]);
                if let Some((_, failure)) = self.step(worker, path, command)? {
                    return Ok(Err((Stage::Compile, failure)));
                }
            }
            objects.push(object);
        }
        Ok(Ok(objects))
    }

    fn refuse_cxx(&self, program: &Program) -> Result<(), BuildError> {
        let compiler = &self.configuration.compiler;
        if program.language == Language::Cxx && !compiler.family.compiles_cxx() {
            return Err(BuildError::NoCxx(compiler.name.clone()));
        }
        Ok(())
    }

    fn optimise(&mut self, program: &Program, to: &str) -> Result<Failed, BuildError> {
        let compiler = &self.configuration.compiler;
        let opt = compiler
            .companions
            .get("opt")
            .ok_or_else(|| BuildError::NoOpt(compiler.name.clone()))?
            .clone();
        let mut command = self.configuration.args.clone();
        command.push("-S".to_owned());
        let modules = program.units().filter(|unit| !is_assembly(unit));
        command.extend(modules.map(|unit| unit.name.clone()));
        command.extend(["-o".to_owned(), to.to_owned()]);
        self.step(Stage::Optimise, opt, command)
    }

    /// Source with a pipeline: the front end without optimisation, once for all pipelines in this folder;
    /// the optimiser; the code generator.
    fn sequenced(&mut self, program: &Program, name: &str) -> Result<Failed, BuildError> {
        self.refuse_cxx(program)?;
        let modules = match self.optimised_units(program, name)? {
            Ok(modules) => modules,
            Err(failed) => return Ok(Some(failed)),
        };
        self.generate_code(program, &self.configuration.compiler.args, modules, name)
    }

    /// The executable of optimised modules and the program's assembly.
    fn generate_code(
        &mut self,
        program: &Program,
        args: &[String],
        modules: Vec<String>,
        name: &str,
    ) -> Result<Failed, BuildError> {
        let compiler = &self.configuration.compiler;
        let mut command: Vec<String> =
            compiler.family.always().iter().map(|&arg| arg.to_owned()).collect();
        command.extend(args.iter().cloned());
        if self.driver_counts() {
            let mut compile = command.clone();
            compile.extend(["-O0", "-x", "ir"].map(str::to_owned));
            let mut objects = match self.one_by_one(Stage::Codegen, &compile, &modules)? {
                Ok(objects) => objects,
                Err(failed) => return Ok(Some(failed)),
            };
            objects
                .extend(program.units().filter(|unit| is_assembly(unit)).map(|u| u.name.clone()));
            return self.link(command, objects, name);
        }
        command.extend(["-O0", "-x", "ir"].map(str::to_owned));
        command.extend(modules);
        command.extend(["-x", "none"].map(str::to_owned));
        command.extend(program.units().filter(|unit| is_assembly(unit)).map(|u| u.name.clone()));
        command.extend(["-o".to_owned(), name.to_owned()]);
        command.extend(self.libraries());
        self.step(Stage::Codegen, compiler.path.clone(), command)
    }

    /// The modules of the program's units, each after the pipeline.
    fn optimised_units(
        &mut self,
        program: &Program,
        name: &str,
    ) -> Result<Result<Vec<String>, (Stage, Failure)>, BuildError> {
        let compiler = &self.configuration.compiler;
        let opt = compiler.companions.get("opt");
        let opt = opt.ok_or_else(|| BuildError::NoOpt(compiler.name.clone()))?.clone();
        let front = compiler.family.unoptimised_ir();
        let whose: String =
            compiler.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let mut modules = Vec::new();
        for unit in program.units().filter(|unit| !is_assembly(unit)) {
            let module = format!("{}.{whose}.bc", unit.name);
            let mut command = front_args(self.configuration, program);
            command.extend(front.iter().map(|&arg| arg.to_owned()));
            command.extend([unit.name.clone(), "-o".to_owned(), module.clone()]);
            if self.dir.join(&module).exists() {
                // Whoever repeats the commands elsewhere needs it.
                command.insert(0, compiler.path.to_string_lossy().into_owned());
                self.built.commands.push(command);
            } else if let Some(failed) =
                self.step(Stage::Compile, compiler.path.clone(), command)?
            {
                return Ok(Err(failed));
            }
            let optimised = format!("{name}.{}.bc", unit.name);
            let mut command = self.configuration.args.clone();
            command.extend([module, "-o".to_owned(), optimised.clone()]);
            if let Some(failed) = self.step(Stage::Optimise, opt.clone(), command)? {
                return Ok(Err(failed));
            }
            modules.push(optimised);
        }
        Ok(Ok(modules))
    }

    fn ir(&mut self, program: &Program, name: &str) -> Result<Failed, BuildError> {
        let optimised = format!("{name}.opt.ll");
        if let Some(failed) = self.optimise(program, &optimised)? {
            return Ok(Some(failed));
        }
        self.generate_code(program, &[], vec![optimised], name)
    }

    /// The build that is to count, if it can and shall.
    fn counting(&self) -> Option<&Counting> {
        let configuration = self.configuration;
        configuration.compiler.counting.as_ref().filter(|_| configuration.counts)
    }

    fn step(
        &mut self,
        stage: Stage,
        program: PathBuf,
        args: Vec<String>,
    ) -> Result<Failed, BuildError> {
        let family = self.configuration.compiler.family;
        let role = self.counting().and_then(|counting| {
            // One of the build's own, or what a driver of the system starts.
            let worker = Some(family.worker(stage, self.language));
            let role = counting.role_of(&program).or(worker.filter(|role| counting.has(role)));
            role.map(str::to_owned)
        });
        self.run(stage, program, args, role.as_deref())
    }

    /// Runs a command; what counts in it is in the file of this role.
    fn run(
        &mut self,
        stage: Stage,
        program: PathBuf,
        args: Vec<String>,
        role: Option<&str>,
    ) -> Result<Failed, BuildError> {
        let family = self.configuration.compiler.family;
        let mut job = Job::new(&program, self.dir).args(&args).limits(self.limits);
        if self.counting().is_some() {
            if let Some(role) = role {
                job = job.env(COUNTERS_VARIABLE, Counting::counters(self.dir, role));
            }
            // The same program is to give the same counts.
            job = job.fixed_addresses();
        }
        let mut run: Run = process::run(&job.confine(Confine::full()))?;
        // The private folder has another name each time, and messages are kept.
        let private = format!("{}/", self.dir.display());
        let said = String::from_utf8_lossy(&run.stderr).replace(&private, "");
        self.built.cpu += run.usage.user + run.usage.system;
        self.built.stderr.push_str(&said);
        run.stderr = said.into_bytes();
        let failed = (run.ended != Ended::Exit(0)).then(|| (stage, family.failure(&run, &args)));
        let mut command = vec![program.to_string_lossy().into_owned()];
        command.extend(args);
        self.built.commands.push(command);
        Ok(failed)
    }
}

fn is_assembly(unit: &SourceFile) -> bool {
    Language::of(&unit.name).is_none()
}

/// Does the unit define `main`? Good enough for programs made for testing: the word, at the
/// beginning of a line or after a type, with a parenthesis behind it.
pub(crate) fn defines_main(unit: &SourceFile) -> bool {
    let text = String::from_utf8_lossy(&unit.bytes);
    text.match_indices("main").any(|(at, word)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].trim_start();
        before.is_none_or(|c| c.is_whitespace()) && after.starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_is_found_and_nothing_else() {
        let check = |text: &str, expect| {
            let unit = SourceFile { name: "a.c".to_owned(), bytes: text.into() };
            assert_eq!(defines_main(&unit), expect, "{text}");
        };
        check("int main(void) {}", true);
        check("int\nmain (int argc, char **argv)\n{}", true);
        check("void test_main(void) {}", false);
        check("int domain(int x);", false);
    }
}
