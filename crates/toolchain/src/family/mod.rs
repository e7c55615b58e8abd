//! What differs between compilers, one file a family. No flag, message text or version number of
//! a compiler stands anywhere else.

mod clang;
mod gcc;
mod tcc;

use crate::build::Stage;
use crate::compiler::DataModel;
use crate::process::{Ended, Limit, Run};
use crate::program::Language;
use crate::version::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A family of compilers: how to recognise one, how to talk to it, how to read what it says.
pub trait Family: Sync + Send {
    /// `gcc`, `clang`, `tcc`.
    fn name(&self) -> &'static str;

    /// Is this the file name of a driver of the family, such as `gcc-12` or
    /// `aarch64-linux-gnu-gcc-12`?
    fn is_driver_name(&self, file_name: &str) -> bool;

    /// Arguments that make it print its version.
    fn version_args(&self) -> &'static [&'static str];

    /// The version in what it printed, or nothing when that is not of this family.
    fn read_version(&self, text: &str) -> Option<Version>;

    /// Arguments that make it say all about itself: version, target, how it was configured.
    fn describe_args(&self) -> &'static [&'static str] {
        self.version_args()
    }

    /// Arguments that make it print its target, if it can.
    fn target_args(&self) -> &'static [&'static str];

    /// The target in what `target_args` made it print.
    fn read_target(&self, text: &str) -> Option<String>;

    /// Arguments that make it print the path of the program that does the work, where the driver
    /// only starts it.
    fn worker_args(&self) -> &'static [&'static str] {
        &[]
    }

    /// Words in the names of the shared libraries that hold the compiler itself.
    fn own_libraries(&self) -> &'static [&'static str] {
        &[]
    }

    /// The optimisation levels worth testing.
    fn levels(&self) -> &'static [&'static str];

    /// Does this argument say how much to optimise?
    fn is_level(&self, arg: &str) -> bool {
        arg.starts_with("-O")
    }

    /// Arguments for every compilation, such as: no reproducer written on a crash.
    fn always(&self) -> &'static [&'static str] {
        &[]
    }

    /// The argument that makes it compile and not link, the faster the better.
    fn without_linking(&self) -> &'static str {
        "-S"
    }

    /// Does the linker miss a function of the compiler's own library, which the system's does not have? Then it is the
    /// installation that can't take the program.
    fn lacks_library(&self, _why: &str) -> bool {
        false
    }

    /// Arguments that put a compiler for `target` into a data model, if it can be.
    fn data_model_args(&self, target: &str, model: DataModel) -> Option<&'static [&'static str]>;

    /// Does it compile C++?
    fn compiles_cxx(&self) -> bool;

    /// The argument that selects a language standard, such as `c99` or `c++17`.
    fn standard(&self, name: &str) -> Option<String> {
        Some(format!("-std={name}"))
    }

    /// Does it know what GCC adds to the language: builtins for bits and overflow, vectors?
    fn knows_extensions(&self) -> bool {
        true
    }

    /// Does this version know C23's `_BitInt(N)` in C, in earlier standards too?
    fn knows_bit_int(&self, _version: Version) -> bool {
        false
    }

    /// Does one of these arguments let the compiler see several units at once?
    fn sees_whole_program(&self, args: &[String]) -> bool;

    /// The argument that selects a code generation target, such as `-march=x86-64-v3`.
    fn march(&self, name: &str) -> Option<String>;

    /// The sanitizers that it may have.
    fn sanitizers(&self) -> &'static [Sanitizer];

    /// How to ask for warnings that betray undefined behaviour; nothing if it has none.
    fn undefined_warnings(&self) -> Option<UndefinedWarnings>;

    /// Options that give a meaning to what the language leaves without one: a program that they mend may
    /// be at fault itself.
    fn forgiving(&self) -> &'static [&'static str] {
        &[]
    }

    /// How to ask what its optimisations did; nothing if it does not say.
    fn counters(&self) -> Option<Counters> {
        None
    }

    /// Where options to be switched at random come from.
    fn options(&self) -> OptionSource;

    /// Names of the optimiser and code generator that belong to driver `file_name`.
    fn companions(&self, _file_name: &str) -> Vec<Companion> {
        Vec::new()
    }

    /// The argument that makes it link with a quicker linker than the system's, if one of its companions
    /// is one.
    fn quick_linker(
        &self,
        _companions: &BTreeMap<&'static str, PathBuf>,
        _linked: Linked,
    ) -> Option<String> {
        None
    }

    /// The pass pipeline in an argument of its optimiser, if it is one that holds a pipeline.
    fn pipeline_in<'a>(&self, _arg: &'a str) -> Option<&'a str> {
        None
    }

    /// The arguments with which its front end writes IR that nothing has optimised and everything may.
    fn unoptimised_ir(&self) -> &'static [&'static str] {
        &[]
    }

    /// The argument after which its optimiser lists the passes that it offers.
    fn lists_passes(&self) -> Option<&'static str> {
        None
    }

    /// What a build of it says of itself that checks assertions, where builds differ in that and say so.
    fn says_that_it_asserts(&self) -> Option<&'static str> {
        None
    }

    /// A pipeline that makes the optimiser crash, for what it executes then.
    fn crashing_pipeline(&self) -> Option<&'static str> {
        None
    }

    /// The frames of the stack that it prints when it crashes, the innermost first.
    fn stack(&self, _stderr: &str) -> Vec<StackFrame> {
        Vec::new()
    }

    /// The arguments with which its optimiser looks at the IR after each pass.
    fn checks_each_pass(&self) -> &'static [&'static str] {
        &[]
    }

    /// Does an argument of its optimiser stand for a whole pipeline? Then the arguments that make
    /// the optimiser print it.
    fn prints_pipeline(&self, _arg: &str) -> Option<&'static [&'static str]> {
        None
    }

    /// Does its driver start itself again for each of several jobs, such as compiling and linking? Where it
    /// counts, each needs a command of its own: two processes can't count in one file.
    fn starts_itself(&self) -> bool {
        false
    }

    /// Arguments that make its optimiser write no module.
    fn prints_only(&self) -> &'static [&'static str] {
        &[]
    }

    /// The argument that gives its optimiser this pipeline.
    fn pipeline_arg(&self, pipeline: &str) -> String {
        pipeline.to_owned()
    }

    /// Arguments of its optimiser that leave a module as it means: used to see whether versions
    /// agree on what that is.
    fn ir_references(&self) -> &'static [&'static str] {
        &[]
    }

    /// How the step that goes wrong can be searched for.
    fn stepping(&self) -> Stepping {
        Stepping::None
    }

    /// Arguments that make a driver use the programs of the build in `folder`.
    fn use_build(&self, _folder: &Path) -> Vec<String> {
        Vec::new()
    }

    /// How to ask the system's driver where the headers of C++ are, and the arguments that make a build
    /// behind it look there: a distribution may have put them elsewhere. Nothing where it need not be
    /// asked.
    fn cxx_headers(&self) -> Option<CxxHeaders> {
        None
    }

    /// The program that does the work of a stage, by its role in a build.
    fn worker(&self, stage: Stage, language: Language) -> &'static str;

    /// How to do what the driver does with these arguments by optimiser and code generator apart;
    /// nothing if it can't be done.
    fn apart(&self, _args: &[String]) -> Option<Apart> {
        None
    }

    /// What a compilation that gave no result means. Called when it ended by itself.
    fn diagnose(&self, ended: &Ended, stderr: &str, args: &[String]) -> Failure;
}

impl fmt::Debug for dyn Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl dyn Family {
    /// What a compilation that gave no result means.
    #[must_use]
    pub fn failure(&self, run: &Run, args: &[String]) -> Failure {
        match run.ended {
            Ended::Limit(Limit::Memory) => Failure::Memory,
            // Endless output and endless forking are ways of never ending.
            Ended::Limit(_) => Failure::Hang,
            ref ended => self.diagnose(ended, &String::from_utf8_lossy(&run.stderr), args),
        }
    }

    /// The data model that `args` select, if they select one.
    #[must_use]
    pub fn data_model_in(&self, target: &str, args: &[String]) -> Option<DataModel> {
        [DataModel::Lp64, DataModel::Ilp32].into_iter().find(|model| {
            let switch = self.data_model_args(target, *model).unwrap_or_default();
            !switch.is_empty() && switch.iter().all(|arg| args.iter().any(|given| given == arg))
        })
    }

    /// The argument that silences warnings, unless `args` ask for some: most programs are not
    /// written by people, and printing thousands of warnings takes longer than compiling.
    #[must_use]
    pub fn quiet(&self, args: &[String]) -> Option<&'static str> {
        let asks = |arg: &String| {
            arg.strip_prefix("-W").is_some_and(|rest| rest.as_bytes().get(1) != Some(&b','))
        };
        (!args.iter().any(asks)).then_some("-w")
    }

    /// The arguments that put the undefined-behaviour sanitizer under test, if there is one. It
    /// must not stop at an alarm it can survive: what the program prints is compared as well.
    #[must_use]
    pub fn sanitizer_switch(&self) -> Option<&'static [&'static str]> {
        (!self.sanitizers().is_empty()).then_some(&["-fsanitize=undefined"])
    }

    /// The sanitizer that `args` switch on, when one is under test.
    #[must_use]
    pub fn sanitizer_under_test(&self, args: &[String]) -> Option<&'static Sanitizer> {
        let wanted = args.iter().find_map(|arg| arg.strip_prefix("-fsanitize="))?;
        let known = self.sanitizers();
        let named = |sanitizer: &&Sanitizer| {
            wanted.split(',').any(|want| sanitizer.name.split(',').any(|name| name == want))
        };
        known.iter().find(named).or(known.first())
    }
}

/// Where a driver looks for the headers of C++.
#[derive(Clone, Copy, Debug)]
pub struct CxxHeaders {
    /// Arguments after which it says so.
    pub args: &'static [&'static str],
    /// Reads what it says.
    pub read: fn(&str) -> Vec<String>,
}

/// What is linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linked {
    /// A small program.
    Plain,
    /// A program with the runtime of a sanitizer, which is large.
    Sanitized,
}

/// The role among the companions of the linker that is quickest with small programs.
const GOLD: &str = "gold";
const LINK_WITH_GOLD: &str = "-fuse-ld=gold";

/// A sanitizer of a family.
#[derive(Clone, Copy, Debug)]
pub struct Sanitizer {
    /// How it is called in reports.
    pub name: &'static str,
    /// What it looks for.
    pub sees: Sees,
    /// Arguments that switch it on.
    pub args: &'static [&'static str],
    /// Milliseconds of CPU that a small program takes with it, about: compiled, linked and run.
    pub cost: u32,
    /// Environment of the program: alarms must stop it.
    pub env: &'static [(&'static str, &'static str)],
    /// A line of its alarm holds one of these.
    pub alarms: &'static [&'static str],
}

/// What a sanitizer looks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sees {
    /// Wrong addresses, arithmetic without a result and the like.
    AddressesAndArithmetic,
    /// Reads of what was never written.
    Uninitialised,
}

/// Warnings that betray undefined behaviour.
#[derive(Clone, Copy, Debug)]
pub struct UndefinedWarnings {
    /// Arguments that switch them on.
    pub args: &'static [&'static str],
    /// Warnings that no well-defined program gets.
    pub certain: &'static [&'static str],
    /// Warnings that also come for code that never runs, or from imprecise analysis.
    pub possible: &'static [&'static str],
}

/// How a compiler tells what its optimisations did.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// What it is called.
    pub source: &'static str,
    /// Arguments that make it write a file.
    pub args: &'static [&'static str],
    /// The end of the file's name.
    pub file: &'static str,
    /// Adds what the file says, by `pass: what`.
    pub read: fn(&str, &mut BTreeMap<String, u64>),
}

/// Where options that can be switched come from.
#[derive(Clone, Copy, Debug)]
pub enum OptionSource {
    /// The compiler lists them, in lines of `  -fname  [enabled]`.
    Listed {
        /// Arguments after a level that make it.
        args: &'static [&'static str],
        /// Beginnings of names that must not be switched: they change what a program means.
        changes_meaning: &'static [&'static str],
    },
    /// It does not; these may exist in it and are tried once.
    Known(&'static [&'static str]),
    /// There are none.
    None,
}

/// How the step of a compiler that goes wrong can be searched for.
#[derive(Clone, Copy, Debug)]
pub enum Stepping {
    /// It has no switches for that.
    None,
    /// It counts its steps, and can be told to skip those after a number.
    Counted(CountedSteps),
    /// Its passes can be switched off by name.
    Named(NamedPasses),
}

/// Switches of a compiler that counts its steps.
#[derive(Clone, Copy, Debug)]
pub struct CountedSteps {
    /// Arguments of the driver that let so many optional steps run; all, and told, for nothing.
    pub limit: fn(Option<u64>) -> Vec<String>,
    /// The same for the optimiser.
    pub optimiser_limit: fn(Option<u64>) -> Vec<String>,
    /// The steps that were run, in what it said on standard error.
    pub read: fn(&str) -> Vec<Step>,
    /// The argument that makes the driver write IR where it would write assembly.
    pub emit_ir: &'static str,
    /// Arguments of the optimiser that leave IR as it is.
    pub nothing: &'static str,
}

/// A step of a compiler: a pass at work on something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: u64,
    /// The pass, as the compiler calls it.
    pub pass: String,
    /// What it worked on: a function, a loop, the module.
    pub on: String,
}

/// From counters of transformations, each with how far it may go, to the argument that says so.
pub type CountTo = fn(&[(&str, u64)]) -> String;

/// Switches of a compiler whose passes can be switched off by name.
#[derive(Clone, Copy, Debug)]
pub struct NamedPasses {
    /// The argument that makes it list its passes on standard error.
    pub list: &'static str,
    /// Those that are on, in the order in which they run.
    pub read: fn(&str) -> Vec<String>,
    /// The argument that switches a pass off, or off for one function.
    pub without: fn(pass: &str, function: Option<&str>) -> String,
    /// Passes that no compilation does without.
    pub essential: &'static [&'static str],
    /// Arguments that make it list its options, without a program, in lines of `  -fname
    /// [enabled]`.
    pub options: &'static [&'static str],
    /// The argument that switches off an option that is listed so.
    pub without_option: fn(&str) -> String,
    /// The argument that lists counters of transformations, after a compilation.
    pub counters: &'static str,
    /// Each counter with its value, in what that argument made it say.
    pub read_counters: fn(&str) -> Vec<(String, u64)>,
    /// The argument that lets each counter go so far.
    pub count_to: CountTo,
    /// Arguments that write the program down after every pass.
    pub dump: &'static [&'static str],
    /// What a file that was written so belongs to: when it was written, and the pass.
    pub dumped: fn(&str) -> Option<(u64, String)>,
    /// The functions in such a file, each with its text.
    pub functions: fn(&str) -> Vec<(String, String)>,
}

/// Arguments for doing a driver's work in three steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Of the driver, from source to IR.
    pub front: Vec<String>,
    /// Of the optimiser, from IR to IR.
    pub optimise: Vec<String>,
    /// Of the code generator, from IR to an object file.
    pub codegen: Vec<String>,
}

/// A tool that comes with a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// `opt`, `llc`, `llvm-reduce`.
    pub role: &'static str,
    /// The file name beside the driver or in PATH.
    pub file_name: String,
}

/// Why a compilation gave no result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The compiler itself failed.
    Crash(Crash),
    /// A pass left IR that the verifier refuses, seen under verification of each pass.
    InvalidIr(Crash),
    /// It did not end within its limit.
    Hang,
    /// It wanted more memory than its limit.
    Memory,
    /// It says that the program is wrong.
    Rejected(String),
    /// The machine failed, not the compiler: no disk, killed from outside.
    Machine(String),
}

/// A frame of a compiler's stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// The program or library that it belongs to, if that is said.
    pub object: Option<String>,
    /// Where it goes on.
    pub address: u64,
}

/// `0x31a2b3c` as a number.
fn address(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// A crash of a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Crash {
    /// What is the same whenever this bug shows: no addresses, folders or line numbers.
    pub signature: String,
    /// The pass that the message names.
    pub pass: Option<String>,
    /// The first lines of the message.
    pub message: String,
}

impl Crash {
    fn new(headline: &str, pass: Option<&str>, frame: Option<&str>, stderr: &str) -> Crash {
        let mut signature = crate::text::normalise(headline);
        if let Some(pass) = pass {
            // Whichever of its runs: GCC numbers them.
            let pass = pass.trim_end_matches(|c: char| c.is_ascii_digit());
            signature.push_str(&format!(" during {pass}"));
        }
        if let Some(frame) = frame {
            signature.push_str(&format!(" in {frame}"));
        }
        let lines: Vec<String> =
            stderr.lines().take(12).map(crate::text::without_addresses).collect();
        let message = lines.join("\n");
        Crash { signature, pass: pass.map(str::to_owned), message }
    }
}

/// All families.
pub static FAMILIES: [&dyn Family; 3] = [&clang::Clang, &gcc::Gcc, &tcc::Tcc];

/// Does an argument decide how a program is read, and do GCC and Clang share it? Whoever parses the
/// program for itself needs those.
#[must_use]
pub fn decides_reading(arg: &str) -> bool {
    let starts =
        ["-std=", "-ansi", "-D", "-U", "-I", "-m", "-funsigned-char", "-fshort-", "-fopenmp"];
    starts.iter().any(|start| arg.starts_with(start))
}

/// The pipeline in the text of a configuration, such as `clang-16 -verify-each -passes=…`.
#[must_use]
pub fn pipeline_in_label(label: &str) -> Option<&str> {
    let words = || label.split(' ');
    FAMILIES.iter().find_map(|family| words().find_map(|word| family.pipeline_in(word)))
}

/// The family with this name.
#[must_use]
pub fn family(name: &str) -> Option<&'static dyn Family> {
    FAMILIES.into_iter().find(|family| family.name() == name)
}

/// Messages of the machine, the same from every compiler.
fn machine_trouble(stderr: &str) -> Option<Failure> {
    [
        "No space left on device",
        "Disk quota exceeded",
        "Too many open files",
        "Read-only file system",
    ]
    .iter()
    .find_map(|trouble| stderr.lines().find(|line| line.contains(trouble)))
    .map(|line| Failure::Machine(line.trim().to_owned()))
}

/// The first line that holds `word`.
fn line_with<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.lines().find(|line| line.contains(word))
}

/// Do two signatures say the same, as far as both say something? Not every version of a compiler names the pass, or what
/// is broken about IR.
///
/// ```
/// # use toolchain::family::says_the_same;
/// assert!(says_the_same("Segmentation fault during gvn in llvm::f", "Segmentation fault in llvm::f"));
/// assert!(!says_the_same("Segmentation fault during gvn in llvm::f", "Segmentation fault during licm in llvm::f"));
/// assert!(!says_the_same("Segmentation fault during gvn in llvm::f", "Segmentation fault"));
/// let broken = ["broken IR: LLVM ERROR: Broken module found!", "broken IR: PHI nodes not grouped", "broken IR: no dominance"];
/// assert!(says_the_same(broken[0], broken[1]) && !says_the_same(broken[1], broken[2]));
/// ```
#[must_use]
pub fn says_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (Said::of(one), Said::of(other));
    let is_same_pass = one.pass == other.pass || one.pass.is_none() || other.pass.is_none();
    is_same_pass && one.frame == other.frame && one.headline_is_that_of(&other)
}

/// Of broken IR, all that some versions say.
const BROKEN: &str = "broken IR: LLVM ERROR: Broken ";

/// The parts of a signature, as [`Crash::new`] puts them together.
struct Said<'a> {
    headline: &'a str,
    pass: Option<&'a str>,
    frame: Option<&'a str>,
}

impl Said<'_> {
    fn of(signature: &str) -> Said<'_> {
        match signature.split_once(" during ") {
            Some((headline, rest)) => {
                let (pass, frame) = cut(rest);
                Said { headline, pass: Some(pass), frame }
            }
            None => {
                let (headline, frame) = cut(signature);
                Said { headline, pass: None, frame }
            }
        }
    }

    fn headline_is_that_of(&self, other: &Said) -> bool {
        let both = [self.headline, other.headline];
        let is_broken = both.iter().all(|headline| headline.starts_with("broken IR: "));
        self.headline == other.headline
            || is_broken && both.iter().any(|headline| headline.starts_with(BROKEN))
    }
}

fn cut(text: &str) -> (&str, Option<&str>) {
    text.rsplit_once(" in ").map_or((text, None), |(before, frame)| (before, Some(frame)))
}

/// Does the signature of a crash say no more than by which signal it ended? Then it does not tell one from another.
#[must_use]
pub fn is_only_a_signal(signature: &str) -> bool {
    (1..=64).any(|signal| signal_name(signal) == signature)
}

/// The name of a signal as compilers print it.
fn signal_name(signal: i32) -> String {
    match signal {
        4 => "Illegal instruction".to_owned(),
        6 => "Aborted".to_owned(),
        7 => "Bus error".to_owned(),
        8 => "Floating point exception".to_owned(),
        11 => "Segmentation fault".to_owned(),
        other => format!("signal {other}"),
    }
}

/// `-march=NAME`, as GCC and Clang spell it, and the -m32 of x86.
fn march(name: &str) -> String {
    format!("-march={name}")
}

fn m32(target: &str, model: DataModel) -> Option<&'static [&'static str]> {
    match (model, target.starts_with("x86_64")) {
        (DataModel::Lp64, _) => Some(&[]),
        (DataModel::Ilp32, true) => Some(&["-m32"]),
        (DataModel::Ilp32, false) => None,
    }
}

/// Is `file_name` the driver `stem`, or with a version or a target around it: `gcc`, `gcc-12`,
/// `aarch64-linux-gnu-gcc-12`? Never `gcc-ar-12` or `clang++-16`.
fn is_driver(file_name: &str, stem: &str) -> bool {
    let (before, after) = match file_name.rfind(stem) {
        Some(at) => (&file_name[..at], &file_name[at + stem.len()..]),
        None => return false,
    };
    let version = after.strip_prefix('-').unwrap_or(after);
    let versioned = version.chars().all(|c| c.is_ascii_digit() || c == '.')
        && (after.is_empty() || after.starts_with('-') && !version.is_empty());
    let target = before.strip_suffix('-');
    versioned
        && (before.is_empty() || target.is_some_and(|target| target.matches('-').count() >= 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_known_by_name() {
        let check = |name, expect: &[&str]| {
            let found: Vec<&str> = FAMILIES
                .into_iter()
                .filter(|family| family.is_driver_name(name))
                .map(|family| family.name())
                .collect();
            assert_eq!(found, expect, "{name}");
        };
        check("gcc", &["gcc"]);
        check("gcc-12", &["gcc"]);
        check("aarch64-linux-gnu-gcc-12", &["gcc"]);
        check("gcc-ar-12", &[]);
        check("c99-gcc", &[]);
        check("clang-16", &["clang"]);
        check("clang++-16", &[]);
        check("clang-format-16", &[]);
        check("tcc", &["tcc"]);
        check("x86_64-tcc", &[]);
    }
}
