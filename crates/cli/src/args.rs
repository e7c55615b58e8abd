//! What can be said on the command line.

use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// Finds bugs in C compilers and names the file that did it.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: hunt, check and replay end with 0 nothing found, 1 a bug, 4 not comparable; others \
with 0 done; all with 2 bad usage or input, 3 whodunit itself failed."
)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compilers and tools found, what each command can use, how to get the rest
    Doctor(Doctor),
    /// Test the machine's compilers with program after program, and keep every bug
    Hunt(Hunt),
    /// What a campaign has found so far
    Status(Status),
    /// The exact commands of a finding again, with their outcome
    Replay(Replay),
    /// One program, one verdict
    Check(Check),
}

/// `whodunit doctor`.
#[derive(Debug, ClapArgs)]
pub struct Doctor {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Compilers of this config too
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// `whodunit hunt`.
#[derive(Debug, ClapArgs)]
pub struct Hunt {
    /// What to test: compilers, levels, limits. Without it, whodunit.toml if that is here, else
    /// every compiler in PATH at its usual levels
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The campaign's folder; a campaign that is there goes on
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// Where all randomness comes from [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Test this many programs in all
    #[arg(long, value_name = "K", conflicts_with = "minutes")]
    pub programs: Option<u64>,
    /// Hunt for this long
    #[arg(long, value_name = "M")]
    pub minutes: Option<f64>,
    /// Programs tested at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Where programs come from: gen, csmith, or a folder of programs [default: gen]
    #[arg(long, value_name = "gen|csmith|DIR")]
    pub source: Option<String>,
    /// Keep only what this compiler does right: test a build against the one it came from
    #[arg(long, value_name = "C")]
    pub baseline: Option<String>,
    /// Test only these compilers (names or paths), each at its usual levels
    #[arg(long = "compiler", value_name = "C")]
    pub compilers: Vec<String>,
    /// With --compiler: the arguments to test instead of the usual levels, such as '-O3 -fwrapv'
    #[arg(long = "args", value_name = "ARGS", allow_hyphen_values = true, requires = "compilers")]
    pub args: Vec<String>,
    /// Print one JSON document at the end
    #[arg(long)]
    pub json: bool,
}

/// `whodunit status`.
#[derive(Debug, ClapArgs)]
pub struct Status {
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// Print one JSON document
    #[arg(long, conflicts_with = "export")]
    pub json: bool,
    /// Print every record as a line of JSON
    #[arg(long)]
    pub export: bool,
}

/// `whodunit replay`.
#[derive(Debug, ClapArgs)]
pub struct Replay {
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// The finding, such as 17-0; whodunit status lists them
    #[arg(value_name = "BUG")]
    pub bug: String,
    /// Write the program's files into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// A failing program and what it fails with; several commands take these.
#[derive(Debug, ClapArgs)]
pub struct Failing {
    /// C, C++ or LLVM IR (.ll)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The compiler: a name in PATH or a path
    #[arg(long, value_name = "C")]
    pub compiler: String,
    /// Arguments that fail: of the compiler, or for IR of opt, such as -passes=gvn
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    pub fail: String,
    /// Arguments that pass; empty if none are known
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    pub pass: String,
}

/// `whodunit check`.
#[derive(Debug, ClapArgs)]
pub struct Check {
    /// The program and what it fails with
    #[command(flatten)]
    pub failing: Failing,
    /// Do not look for undefined behaviour
    #[arg(long)]
    pub no_screen: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
