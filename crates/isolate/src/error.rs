//! Why there is no answer.

use coverage::{BuildFault, CountsError};
use oracle::Premise;
use toolchain::process::ProcessError;
use toolchain::{BuildError, CompilerError};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum IsolateError {
    /// The program does not fail with this build, or not always.
    #[error(transparent)]
    Premise(#[from] Premise),
    /// Wrong code needs something to compare with.
    #[error("wrong code can't be told without passing arguments: give --pass")]
    NoPass,
    /// The method changes C.
    #[error("{method} changes C source, and {file} is LLVM IR")]
    NotSource {
        /// The method.
        method: String,
        /// The program.
        file: String,
    },
    /// No place to change.
    #[error("{method} finds nothing in {file} that it could change")]
    NothingToMutate {
        /// The method.
        method: String,
        /// The program.
        file: String,
    },
    /// The method needs other programs.
    #[error("{0} needs other programs, and there are none: {1}")]
    NoDonors(String, String),
    /// A build that counts nothing.
    #[error("{0} counted nothing for this program: is the failing compiler the one that counts?")]
    NothingExecuted(String),
    /// A build without lines.
    #[error("{0} has no lines for what it executed: its map was made without debug information")]
    NoLines(String),
    /// The compiler has nothing to be switched off.
    #[error("{0} has no options or passes that can be switched off one by one, which {1} is about")]
    NoSwitches(String, String),
    /// There is no sequence of passes.
    #[error("{method} is about sequences of passes, and {compiler} takes none for this program")]
    NoSequence {
        /// The method.
        method: String,
        /// The compiler.
        compiler: String,
    },
    /// The level fails, but not as a list of passes.
    #[error("the passes of {level}, one after the other, do not fail: {source}")]
    NotByPasses {
        /// The arguments that fail.
        level: String,
        /// What they do.
        source: Premise,
    },
    /// The pipeline is none.
    #[error("-passes={0}: {1}")]
    Pipeline(String, passes::pipeline::ParseError),
    /// The compiler did not answer.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// The machine is in trouble.
    #[error("the machine is in trouble: {0}")]
    Machine(String),
    /// A program of the build can't be read.
    #[error(transparent)]
    Fault(#[from] BuildFault),
    /// Counters can't be read.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// We failed.
    #[error(transparent)]
    Process(#[from] ProcessError),
}
