//! A bug as plain data: all that a report says.

use serde::{Deserialize, Serialize};

/// A bug, by the program that shows it best.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bug {
    /// The id of the finding that it is shown by, such as `17-0`.
    pub id: String,
    /// `wrong-code`, `crash`, `hang`, `memory`, `invalid-ir`, `codegen`, `rejects-valid`,
    /// `sanitizer-alarm`.
    pub kind: String,
    /// What is the same whenever it shows.
    pub signature: String,
    /// Whose bug it is: where it is reported.
    pub family: Family,
    /// The compiler that fails.
    pub compiler: CompilerText,
    /// What the program is written in.
    pub language: Language,
    /// The standard that it keeps to, such as `c11`, where that is known.
    pub standard: Option<String>,
    /// The program, reduced where that was done.
    pub files: Vec<File>,
    /// The program as it was found; empty when it was never reduced.
    pub original: Vec<File>,
    /// Each unit after the preprocessor, named `NAME.i` or `NAME.ii`; empty for IR.
    pub preprocessed: Vec<File>,
    /// What fails.
    pub fail: Run,
    /// What does right, where that is known: usually other arguments of the same compiler.
    pub pass: Option<Run>,
    /// The compiler's message, for a crash or a rejection.
    pub message: String,
    /// Which compilers of the machine fail on it, oldest first.
    pub versions: Vec<Version>,
    /// Where it goes wrong in the compiler.
    pub culprit: Option<Culprit>,
    /// The search for undefined behaviour.
    pub checks: Vec<Check>,
    /// How it was found; nothing for a program that a person gave.
    pub found: Option<Found>,
    /// Other findings of the same bug, with the evidence for each.
    pub duplicates: Vec<(String, String)>,
    /// Which files of the compiler are suspicious, if that was looked into.
    #[serde(default)]
    pub suspicion: Option<Suspicion>,
}

/// The compiler's files by suspicion: what it executed for the program, beside what it executed for runs that
/// narrowly avoid the bug.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Suspicion {
    /// The build that was asked.
    pub build: String,
    /// The method.
    pub method: String,
    /// Variants that were evaluated.
    pub evaluations: u64,
    /// Those that avoid the bug.
    pub witnesses: u64,
    /// The most suspicious first.
    pub files: Vec<Suspect>,
}

/// A file of the compiler.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Suspect {
    /// From 1; alike files all have the last of their places.
    pub rank: usize,
    /// Relative to the root of the compiler's source.
    pub file: String,
    /// How suspicious it is, compared with the others.
    pub score: f64,
    /// Its most suspicious functions.
    pub functions: Vec<String>,
    /// Runs that avoid the bug, and lines of the file that ran whenever it failed and not for them.
    pub evidence: Vec<(String, Vec<u32>)>,
}

/// Where a compiler's bugs are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// GCC Bugzilla.
    Gcc,
    /// LLVM on GitHub.
    Llvm,
    /// Elsewhere.
    Other,
}

/// What a program is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
    /// LLVM's intermediate representation.
    Ir,
}

/// What is said about a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompilerText {
    /// Its name, such as `gcc-12`.
    pub name: String,
    /// Its version alone, such as `12.2.0`.
    pub version: String,
    /// What it says of itself in full: version, target, how it was configured.
    pub says: String,
    /// The machine that it compiles for.
    pub target: String,
}

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// Its bytes, as text; programs for tests are UTF-8 but for odd bytes.
    pub text: String,
}

/// One compilation, and what the program did then.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The compiler's name, such as `gcc-12`, or for IR its optimiser's, such as `opt-16`.
    pub compiler: String,
    /// The arguments under test, such as `-O2`.
    pub args: Vec<String>,
    /// The commands in full, in the folder of the program, their first word a bare name.
    pub commands: Vec<Vec<String>>,
    /// What the compiled program did: `exit 0`, `signal 11`, `does not end`; nothing if it did
    /// not compile.
    pub end: Option<String>,
    /// What it printed.
    pub output: String,
}

/// A compiler of the machine and what it makes of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// Its name.
    pub compiler: String,
    /// Its version.
    pub version: String,
    /// Does it fail? Nothing when it can't be told.
    pub fails: Option<bool>,
    /// What else is to be said, such as another crash, or why it can't be told.
    pub note: String,
}

/// Where it goes wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Culprit {
    /// The pass to look at.
    pub pass: String,
    /// The file that holds it, in the compiler's source tree.
    pub file: Option<String>,
    /// The number of the first bad step, if the compiler counts steps.
    pub step: Option<u64>,
    /// The function that the step worked on.
    pub function: Option<String>,
    /// The smallest set of options and passes that must be on.
    pub needed: Vec<String>,
    /// A counter and its first bad value, such as `dce:3`: the single transformation.
    pub counter: Option<String>,
    /// Arguments that show it alone: a pipeline, or options.
    pub alone: Option<String>,
    /// The program inside the compiler before and after the step.
    pub pair: Option<Pair>,
    /// How it was found out, in words: what was tried, what was decided.
    pub how: String,
}

/// The same code before and after a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// What it is: `ll`, `gimple`, `rtl`, `s`; the ending of the files.
    pub form: String,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}

/// A check for undefined behaviour.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// Who checked.
    pub by: String,
    /// `clean`, `caution`, `alarm`, `unchecked`.
    pub result: String,
    /// The alarm, or why there was no check.
    pub detail: String,
}

/// How a bug was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// The version of whodunit.
    pub whodunit: String,
    /// The generator and its options.
    pub source: String,
    /// The seed of the campaign.
    pub campaign_seed: String,
    /// The number of the program in it.
    pub program: u64,
    /// The seed of the program.
    pub seed: String,
}
