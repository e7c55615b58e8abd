//! What can be said on the command line.

use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// Finds bugs in C compilers and names the file that did it.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: hunt, check, replay and recheck end with 0 nothing found, 1 a bug, 4 not comparable; others \
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
    /// Random C or C++ programs, free of undefined behaviour
    Gen(Gen),
    /// Test the machine's compilers with program after program, and keep every bug
    Hunt(Hunt),
    /// What a campaign has found so far
    Status(Status),
    /// The exact commands of a finding again, with their outcome
    Replay(Replay),
    /// One program, one verdict
    Check(Check),
    /// Make a failing program small, without letting undefined behaviour in
    Reduce(Reduce),
    /// The step of the compiler that goes wrong, what must be on for it, the versions that fail
    Bisect(Bisect),
    /// The bugs of a campaign: findings in groups, with the evidence
    Bugs(Bugs),
    /// Every saved bug against a compiler: fixed, still failing, or changed
    Recheck(Recheck),
    /// A page of a campaign, and a folder for each bug with reports to file
    Report(Report),
    /// Pages of a campaign and of experiments in a browser, while they run
    Serve(Serve),
    /// Build a compiler whose every block counts: what isolation looks at
    Instrument(Instrument),
    /// What a compiler that was built so executes for a program
    Cover(Cover),
    /// The compiler's files by suspicion, with the witnesses behind it
    Isolate(Isolate),
    /// What the scripts that reduce writes for other reducers call
    #[command(hide = true)]
    Interesting(Interesting),
    /// What jobs of a cluster call
    #[command(hide = true)]
    Work(Work),
    /// Experiments that measure whodunit itself
    #[command(subcommand)]
    Eval(Eval),
    /// What a shell needs to complete commands and options, printed
    Completions(Completions),
    /// Manual pages, one for each command
    Man(Man),
}

/// Work on a cluster; several commands take these.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "On a cluster")]
pub struct OnCluster {
    /// Do the work in jobs of this cluster, in chunks that can be repeated; what is given here must be on a
    /// folder that all nodes share
    #[arg(long, value_name = "slurm", value_parser = ["slurm"])]
    pub on: Option<String>,
    /// The partition [default: the site's]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub partition: Option<String>,
    /// The account that pays [default: yours]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub account: Option<String>,
    /// The time limit of each job, as Slurm writes it [default: twice the chunk's minutes, and 10 more]
    #[arg(long, value_name = "TIME", requires = "on")]
    pub time: Option<String>,
    /// The memory of each job, as Slurm writes it [default: what compilers may use, and 1 GB]
    #[arg(long, value_name = "SIZE", requires = "on")]
    pub mem: Option<String>,
    /// Load this environment module in each job; may be repeated
    #[arg(long = "module", value_name = "NAME", requires = "on")]
    pub modules: Vec<String>,
    /// A further argument of sbatch, such as --nice=100; may be repeated
    #[arg(long, value_name = "ARG", requires = "on", allow_hyphen_values = true)]
    pub sbatch_arg: Vec<String>,
    /// Minutes that a chunk takes [default: 15]
    #[arg(long, value_name = "M", requires = "on", allow_negative_numbers = true)]
    pub chunk_minutes: Option<f64>,
    /// Jobs of an array at the same time [default: as many as the site runs]
    #[arg(long, value_name = "N", requires = "on")]
    pub at_once: Option<usize>,
    /// Ask Slurm about the jobs every so many seconds
    #[arg(long, value_name = "S", requires = "on", default_value_t = 15)]
    pub poll: u64,
    /// Submit, and leave; the same command without it takes up the results
    #[arg(long, requires = "on", conflicts_with = "cancel")]
    pub detach: bool,
    /// Take up the results that are there, and cancel the jobs
    #[arg(long, requires = "on")]
    pub cancel: bool,
    /// Print what would be submitted
    #[arg(long, requires = "on")]
    pub dry_run: bool,
}

/// `whodunit work`.
#[derive(Debug, ClapArgs)]
pub struct Work {
    /// The folder that the controller shares with its workers
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Whose folder it must be
    #[arg(long)]
    pub token: String,
    /// The job array
    #[arg(long)]
    pub submission: u64,
}

/// `whodunit serve`.
#[derive(Debug, ClapArgs)]
pub struct Serve {
    /// The campaign to show [default: whodunit-campaign, unless there are only experiments]
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// A folder that eval isolate --out wrote; may be repeated
    #[arg(long = "experiment", value_name = "DIR")]
    pub experiments: Vec<PathBuf>,
    /// The port; 0 is any that is free
    #[arg(long, value_name = "P", default_value_t = 7878)]
    pub port: u16,
    /// Another address than that of this machine for itself; whoever can reach it needs the token
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: std::net::IpAddr,
    /// A file with a secret that browsers must give once, as ?token=…
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// `whodunit eval`.
#[derive(Debug, Subcommand)]
pub enum Eval {
    /// The generator: shares of CPU time, and what policies do to compilers' optimisations
    Gen(EvalGen),
    /// A build that counts: its time beside the same compiler without counters
    Coverage(EvalCoverage),
    /// Methods of isolation on bugs whose guilty files are known
    Isolate(EvalIsolate),
    /// Ways to choose programs and pass sequences: which finds more bugs in the same time?
    Hunt(EvalHunt),
}

/// `whodunit eval hunt`.
#[derive(Debug, ClapArgs)]
pub struct EvalHunt {
    /// How to choose, as SEQUENCES+PROGRAMS, separated by commas: ss, rs or 2w, and rp, rps, rpsv, sp,
    /// sp-whole, sps (Csmith's), gen, gen-sp, gen-sp-whole or gen-sps
    #[arg(long, value_name = "LIST", default_value = "rs+rp,ss+sp", value_delimiter = ',')]
    pub variants: Vec<String>,
    /// CPU minutes of each hunt
    #[arg(long, value_name = "M", default_value_t = 60.0)]
    pub cpu_minutes: f64,
    /// Hunts of each variant
    #[arg(long, value_name = "K", default_value_t = 3)]
    pub repeats: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// What all hunts have in common [default: whodunit.toml, if it is here]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A compiler to test; may be repeated
    #[arg(long = "compiler", value_name = "C")]
    pub compilers: Vec<String>,
    /// Where each hunt has its campaign; the same command goes on
    #[arg(long, value_name = "DIR", default_value = "whodunit-eval-hunt")]
    pub out: PathBuf,
    /// On a cluster
    #[command(flatten)]
    pub cluster: OnCluster,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit eval isolate`.
#[derive(Debug, ClapArgs)]
pub struct EvalIsolate {
    /// A folder of bugs, each a folder with a bug.toml
    #[arg(long, value_name = "DIR")]
    pub bench: PathBuf,
    /// A build that whodunit instrument made
    #[arg(long, value_name = "BUILD")]
    pub compiler: String,
    /// The methods, separated by commas
    #[arg(long, value_name = "LIST", default_value = "diwi,recbi", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// How long each run may take, such as 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub budget: String,
    /// Write what each run executed below --out, for rankings of your own
    #[arg(long)]
    pub spectra: bool,
    /// The budget is CPU time of compilers, programs and whodunit: what else the machine does
    /// costs less
    #[arg(long)]
    pub cpu: bool,
    /// How many variants each run evaluates, however long it takes
    #[arg(long, value_name = "N", conflicts_with = "budget")]
    pub evaluations: Option<u64>,
    /// Seeds for each bug and method
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub repeats: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Values of a parameter, such as alpha=0,0.2,0.4: each method runs with each of them; values that
    /// only weigh what is found share a search
    #[arg(long = "set", value_name = "NAME=V,…")]
    pub settings: Vec<String>,
    /// Rank what `combined` finds also without each of its parts
    #[arg(long)]
    pub ablate: bool,
    /// Only bugs of this kind, such as wrong-code
    #[arg(long, value_name = "KIND")]
    pub kind: Option<String>,
    /// Only these bugs, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The formula for a line's suspicion
    #[arg(long, value_name = "NAME", default_value = "ochiai")]
    pub formula: String,
    /// Do not look for undefined behaviour in variants, as the papers' programs don't
    #[arg(long)]
    pub no_screen: bool,
    /// Runs at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub side_by_side: usize,
    /// Variants at the same time in each run [default: the cores, shared by the runs]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Where each run is kept, and pictures are written; what is there is not run again
    #[arg(long, value_name = "DIR", default_value = "whodunit-eval")]
    pub out: PathBuf,
    /// On a cluster
    #[command(flatten)]
    pub cluster: OnCluster,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit eval coverage`.
#[derive(Debug, ClapArgs)]
pub struct EvalCoverage {
    /// Programs to compile
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// A build that whodunit instrument made
    #[arg(long, value_name = "BUILD")]
    pub compiler: String,
    /// The same compiler without counters, such as gcc-12
    #[arg(long, value_name = "C")]
    pub beside: String,
    /// Arguments of both
    #[arg(long, value_name = "ARGS", default_value = "", allow_hyphen_values = true)]
    pub args: String,
    /// How often each program is compiled
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub repeats: u32,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit eval gen`.
#[derive(Debug, ClapArgs)]
pub struct EvalGen {
    /// Programs with policies, and as many without
    #[arg(long, value_name = "K", default_value_t = 60)]
    pub programs: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Measure instead how much of this build, made by whodunit instrument, programs reach
    #[arg(long, value_name = "BUILD", conflicts_with = "compilers")]
    pub build: Option<String>,
    /// The compilers to measure [default: the newest gcc and clang in PATH]
    #[arg(long = "compiler", value_name = "C")]
    pub compilers: Vec<String>,
    /// The language standard
    #[arg(long, value_name = "STD", default_value = "c99")]
    pub std: String,
    /// How much source a program has: small, medium or paper
    #[arg(long, value_name = "SIZE", default_value = "small")]
    pub size: String,
    /// Programs at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
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

/// `whodunit gen`.
#[derive(Debug, ClapArgs)]
pub struct Gen {
    /// The first program's seed, as N or as V_N with the generator's version
    #[arg(long, value_name = "N")]
    pub seed: String,
    /// How many programs: seeds N, N+1, …
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub count: u64,
    /// The language standard: c99, c11, c17, c++11, c++14, c++17 or c++20
    #[arg(long, value_name = "STD", default_value = "c99")]
    pub std: String,
    /// The data model: lp64 or ilp32
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub model: String,
    /// One self-contained file instead of three
    #[arg(long)]
    pub single: bool,
    /// How much source: small (20 to 50 KB), medium (200 to 300 KB) or paper (1.6 MB)
    #[arg(long, value_name = "SIZE", default_value = "small")]
    pub size: String,
    /// Generation policies: all, none, or a list of contexts, constants, cse, overlap, shuffling
    #[arg(long, value_name = "LIST", default_value = "all")]
    pub policy: String,
    /// Do without this policy; may be repeated
    #[arg(long, value_name = "NAME")]
    pub no_policy: Vec<String>,
    /// One in so many programs is made without policies; 0 is never [default: 5]
    #[arg(long, value_name = "N")]
    pub policy_free_in: Option<u32>,
    /// What programs are made of: all, or only what the paper's generator has
    #[arg(long, value_name = "all|paper", default_value = "all")]
    pub constructs: String,
    /// Do without this construct, such as bit-fields; may be repeated
    #[arg(long, value_name = "CONSTRUCT")]
    pub exclude: Vec<String>,
    /// Have this construct, which is left out otherwise, such as bit-int; may be repeated
    #[arg(long, value_name = "CONSTRUCT")]
    pub include: Vec<String>,
    /// Do not let shuffling take this construct away; may be repeated
    #[arg(long, value_name = "CONSTRUCT")]
    pub require: Vec<String>,
    /// Floating point: exact to the last bit, or the paper's mode, which rounds and prints about what it computes
    #[arg(long, value_name = "exact|bounded", default_value = "exact")]
    pub floats: String,
    /// Change a limit, such as functions=2; may be repeated
    #[arg(long, value_name = "NAME=N")]
    pub limit: Vec<String>,
    /// Programs made at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Write DIR/SEED/{init.h,func.c,driver.c}. Without it, --single prints one program
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON document: seeds, sizes and the checksums that the programs must print
    #[arg(long, requires = "out")]
    pub json: bool,
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
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Test this many programs in all
    #[arg(long, value_name = "K", conflicts_with = "minutes")]
    pub programs: Option<u64>,
    /// Hunt for this long
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub minutes: Option<f64>,
    /// Hunt for so much CPU time of compilers, programs and whodunit, earlier sessions included
    #[arg(long, value_name = "M", allow_negative_numbers = true, conflicts_with_all = ["programs", "minutes"])]
    pub cpu_minutes: Option<f64>,
    /// Programs tested at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Where programs come from: gen, csmith, or a folder of programs [default: gen]
    #[arg(long, value_name = "gen|csmith|DIR")]
    pub source: Option<String>,
    /// Give more time to the mixes of constructs that lead to new findings and, if one of the
    /// compilers is a build that counts, to edges of it that no program has reached
    #[arg(long)]
    pub learn: bool,
    /// Keep only what this compiler does right: test a build against the one it came from
    #[arg(long, value_name = "C")]
    pub baseline: Option<String>,
    /// Test only these compilers (names or paths), each at its usual levels
    #[arg(long = "compiler", value_name = "C")]
    pub compilers: Vec<String>,
    /// With --compiler: the arguments to test instead of the usual levels, such as '-O3 -fwrapv'
    #[arg(long = "args", value_name = "ARGS", allow_hyphen_values = true, requires = "compilers")]
    pub args: Vec<String>,
    /// Questions for the reduction of each finding; 0 leaves findings as they are [default: 2000]
    #[arg(long, value_name = "N")]
    pub reduce_tries: Option<u64>,
    /// When the time is over, test no more programs, but finish the work on what was found
    #[arg(long)]
    pub finish: bool,
    /// Test pass sequences of LLVM's optimiser instead of levels
    #[arg(long, conflicts_with = "args")]
    pub passes: bool,
    /// Isolate each new bug on this build, made by whodunit instrument
    #[arg(long, value_name = "BUILD")]
    pub isolate: Option<String>,
    /// Bugs in this file are known: they are counted, and not looked into
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// On a cluster
    #[command(flatten)]
    pub cluster: OnCluster,
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
    /// Write the program's files into this folder; the reduced one's into its folder `reduced`
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
    /// The compiler of the passing arguments, if it is another one; they may be empty then
    #[arg(long, value_name = "C")]
    pub pass_compiler: Option<String>,
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

/// `whodunit bugs`.
#[derive(Debug, ClapArgs)]
pub struct Bugs {
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// This finding is a bug of its own, whatever the evidence: split it from its group for good
    #[arg(long, value_name = "ID")]
    pub split: Option<String>,
    /// From a coming program on, generate without this construct, such as bit-fields; may be
    /// repeated
    #[arg(long, value_name = "CONSTRUCT")]
    pub exclude: Vec<String>,
    /// Take such an exclusion back, from a coming program on; may be repeated
    #[arg(long, value_name = "CONSTRUCT")]
    pub include: Vec<String>,
    /// List the pairs of passes that the shortest sequences of most bugs have, for exclude in the config's passes
    #[arg(long)]
    pub pairs: bool,
    /// List the shortest sequence of each bug with its compiler, for exclude in the config's passes
    #[arg(long)]
    pub sequences: bool,
    /// Write the bugs as known ones, for hunt --known
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit recheck`.
#[derive(Debug, ClapArgs)]
pub struct Recheck {
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// The compiler: a name in PATH or a path
    #[arg(long, value_name = "C")]
    pub compiler: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit report`.
#[derive(Debug, ClapArgs)]
pub struct Report {
    /// The campaign's folder
    #[arg(long, value_name = "DIR", default_value = "whodunit-campaign")]
    pub campaign: PathBuf,
    /// The page; the folder bugs/ and the SARIF file go beside it
    #[arg(long, value_name = "FILE.html")]
    pub out: PathBuf,
}

/// `whodunit bisect`.
#[derive(Debug, ClapArgs)]
pub struct Bisect {
    /// The program and what it fails with; a folder is a program of several files
    #[command(flatten)]
    pub failing: Failing,
    /// Write the code before and after the step into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit isolate`.
#[derive(Debug, ClapArgs)]
pub struct Isolate {
    /// C or C++; with --campaign, the id of a finding
    #[arg(value_name = "FILE|BUG")]
    pub file: PathBuf,
    /// A build that whodunit instrument made
    #[arg(long, value_name = "BUILD")]
    pub compiler: String,
    /// Arguments that fail
    #[arg(
        long,
        value_name = "ARGS",
        allow_hyphen_values = true,
        required_unless_present = "campaign"
    )]
    pub fail: Option<String>,
    /// Arguments that pass; empty if none are known
    #[arg(
        long,
        value_name = "ARGS",
        allow_hyphen_values = true,
        required_unless_present = "campaign"
    )]
    pub pass: Option<String>,
    /// The compiler of the passing arguments, if it is another one; they may be empty then
    #[arg(long, value_name = "C")]
    pub pass_compiler: Option<String>,
    /// The campaign that the finding is of
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,
    /// How to make witnesses: see docs/isolation.md
    #[arg(long, value_name = "METHOD", default_value = "combined")]
    pub method: String,
    /// How long it may take, such as 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub budget: String,
    /// How many variants to evaluate, however long it takes; repeats a result
    #[arg(long, value_name = "N", conflicts_with = "budget")]
    pub evaluations: Option<u64>,
    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Variants at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// What to list: file, function or line
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "file")]
    pub level: Level,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// A parameter of the method, such as alpha=0.5
    #[arg(long = "set", value_name = "NAME=V")]
    pub settings: Vec<String>,
    /// The formula for a line's suspicion
    #[arg(long, value_name = "NAME", default_value = "ochiai")]
    pub formula: String,
    /// End when the first five files have stayed the same for so many evaluations; 0: never
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub stable: u64,
    /// Do not look for undefined behaviour in variants, as the papers' programs don't
    #[arg(long)]
    pub no_screen: bool,
    /// Write the witnesses into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write what each run executed into this file, for rankings of your own
    #[arg(long, value_name = "FILE")]
    pub spectra: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit instrument`.
#[derive(Debug, ClapArgs)]
pub struct Instrument {
    /// The compiler: gcc, llvm or tcc
    #[arg(value_name = "gcc|llvm|tcc")]
    pub compiler: String,
    /// Its source tree, which is not written to
    #[arg(long, value_name = "DIR", conflicts_with = "debian")]
    pub source: Option<PathBuf>,
    /// The Debian package whose source is to be got, such as gcc-12, llvm-16 or tcc
    #[arg(long, value_name = "PACKAGE")]
    pub debian: Option<String>,
    /// The folder to be made; while it is in the making, DIR.work beside it
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Commands at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// GCC: cc1plus too
    #[arg(long)]
    pub cxx: bool,
    /// LLVM: clang too; otherwise the system's is the front end
    #[arg(long)]
    pub clang: bool,
    /// LLVM: with assertions
    #[arg(long)]
    pub assertions: bool,
    /// GCC: with its internal checks
    #[arg(long)]
    pub checking: bool,
    /// LLVM: with statistics
    #[arg(long)]
    pub stats: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit cover`.
#[derive(Debug, ClapArgs)]
pub struct Cover {
    /// A C, C++ or LLVM IR program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// A build that whodunit instrument made
    #[arg(long, value_name = "BUILD")]
    pub compiler: String,
    /// Arguments for the compiler, such as '-O2'
    #[arg(long, value_name = "ARGS", default_value = "", allow_hyphen_values = true)]
    pub args: String,
    /// What is listed
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Level::File)]
    pub level: Level,
    /// List what did not run too
    #[arg(long)]
    pub all: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// How finely something is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Level {
    /// Files of the compiler.
    File,
    /// Its functions.
    Function,
    /// Its lines.
    Line,
}

/// `whodunit reduce`.
#[derive(Debug, ClapArgs)]
pub struct Reduce {
    /// The program and what it fails with; a folder is a program of several files
    #[command(flatten)]
    pub failing: Failing,
    /// The reducer: own; for C cvise or creduce; for IR llvm-reduce
    #[arg(long, value_name = "TOOL", default_value = "own")]
    pub with: String,
    /// Write the smaller program here, and every improvement on the way; a folder when it has
    /// several files [default: print it]
    #[arg(short, long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Questions to the compilers at the same time [default: one for each core]
    #[arg(long, value_name = "J")]
    pub jobs: Option<u32>,
    /// Stop after so long with the smallest so far
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub minutes: Option<f64>,
    /// Stop after so many questions: the same number gives the same result
    #[arg(long, value_name = "N")]
    pub tries: Option<u64>,
    /// Do not look for undefined behaviour
    #[arg(long)]
    pub no_screen: bool,
    /// Keep answers in this file, so that a reduction that was killed goes on
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `whodunit completions`.
#[derive(Debug, ClapArgs)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// `whodunit man`.
#[derive(Debug, ClapArgs)]
pub struct Man {
    /// The folder for whodunit.1, whodunit-hunt.1 and so on
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// `whodunit interesting`.
#[derive(Debug, ClapArgs)]
pub struct Interesting {
    /// Where the reducing process listens
    pub socket: PathBuf,
    /// The candidate
    pub file: PathBuf,
}
