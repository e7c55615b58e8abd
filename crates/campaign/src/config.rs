//! `whodunit.toml`: what to test, with what, within which limits.

use crate::plan::SourceChoice;
use crate::sequences::{Left, SequenceChoice};
use crate::source::{ProgramChoice, Round};
use base::nearest;
use oracle::Limiting;
use passes::sequence::Lengths;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::DataModel;
use toolchain::process::Limits;

/// The whole file. Everything may be left out; flags of the command line win over it.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Where all randomness comes from.
    pub seed: Option<u64>,
    /// `gen`, `csmith`, or a folder of programs.
    pub source: Option<String>,
    /// How many programs in all.
    pub programs: Option<u64>,
    /// How long this session hunts, instead of a number of programs.
    pub minutes: Option<f64>,
    /// How many programs are tested at the same time; one for each core by default.
    pub jobs: Option<u32>,
    /// The compiler whose bugs are old news.
    pub baseline: Option<String>,
    /// Do constructs of programs follow from what earlier programs brought?
    pub learn: bool,
    /// Limits of compilers and programs.
    pub limits: LimitsConfig,
    /// A file of bugs that are known already: they are counted, and not looked into.
    pub known: Option<PathBuf>,
    /// How findings are made small.
    pub reduce: ReduceConfig,
    /// How Csmith is called.
    pub csmith: CsmithConfig,
    /// How the built-in generator is called.
    #[serde(rename = "gen")]
    pub generator: GenConfig,
    /// Pass sequences of LLVM instead of levels.
    pub passes: Option<PassesConfig>,
    /// Compilers that are not in PATH, or need more than a name.
    #[serde(rename = "compiler")]
    pub compilers: Vec<CompilerConfig>,
    /// What is tested; by default every compiler that doctor finds at its usual levels.
    #[serde(rename = "set")]
    pub sets: Vec<TestSet>,
}

/// Limits; what is left out is as `toolchain::process::Limits` says.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LimitsConfig {
    /// CPU seconds of a compilation; more is a hang. Default 10.
    pub compiler_cpu_seconds: Option<u64>,
    /// Memory of a compilation in MB; more is a bug of kind memory. Default 4096, as CTOS.
    pub compiler_memory_mb: Option<u64>,
    /// CPU seconds of a compiled program. Default 5.
    pub program_cpu_seconds: Option<u64>,
    /// Memory of a compiled program in MB. Default 1024.
    pub program_memory_mb: Option<u64>,
    /// What a compiled program may print, in KB. Default 1024.
    pub program_output_kb: Option<u64>,
}

/// How findings are made small, in the background of the search.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReduceConfig {
    /// Questions to the compilers for each finding; 0 leaves findings as they are. Default 2000:
    /// four programs of 50 to 250 KB took 200 to 1200.
    pub tries: Option<u64>,
}

/// How Csmith is called.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CsmithConfig {
    /// Its own options, passed through.
    pub args: Vec<String>,
    /// Smaller programs are thrown away and made again from the next seed.
    pub min_bytes: Option<u64>,
    /// Larger ones too.
    pub max_bytes: Option<u64>,
    /// Its probabilities are drawn for each program (swarm testing): `rps` draws 0 or 100 for each of them,
    /// `rpsv` anything between. Default: its own.
    pub swarm: Option<String>,
}

/// How the built-in generator is called.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct GenConfig {
    /// The standards to draw from, such as `c99` and `c++17`. Default: all of C.
    pub standards: Vec<String>,
    /// `small`, `medium` or `paper`. Default `small`.
    pub size: Option<String>,
    /// Generation policies: `on`, `off`, or a list of those to use. Default `on`.
    pub policy: Option<String>,
    /// What programs are made of: `all`, or `paper` for what the paper's generator has. Default `all`.
    pub constructs: Option<String>,
    /// Constructs that programs do without, such as what a compiler of the hunt does not know. Default
    /// none.
    pub exclude: Vec<String>,
    /// How programs compute with floating point: `exact`, or `bounded` for the paper's mode, whose results are
    /// compared with a threshold. Default `exact`.
    pub floats: Option<String>,
    /// Numbers of `gen --limit`, such as `bytes_max`. Default: those of the size.
    pub limits: BTreeMap<String, u32>,
    /// One self-contained file instead of three.
    pub single: bool,
}

/// Which pass sequences programs are tested with.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PassesConfig {
    /// `ss` (selected by their vectors), `rs` (as drawn) or `2w` (every pair of passes at every pair of
    /// places). Default `ss`.
    pub sequences: Option<String>,
    /// `useful`: all passes that may do something to C; `ctos`: the 114 of the paper. Default `useful`.
    pub alphabet: Option<String>,
    /// How many are drawn to select from. Default 30000; the paper has 300000.
    pub from: Option<u64>,
    /// How many there are. Default 300; the paper has 3000.
    pub count: Option<u64>,
    /// How many of them each program is tested with; programs take turns. Default 20; the paper tests
    /// with all.
    pub each: Option<u64>,
    /// Passes in the shortest one. Default 50.
    pub shortest: Option<u64>,
    /// Passes in the longest one. Default 200.
    pub longest: Option<u64>,
    /// Sequences with such passes one after the other are left out: `loop-unroll…licm`, or of one compiler
    /// `clang-14: attributor-cgscc`.
    pub exclude: Vec<String>,
    /// `rp` (as the source gives them), or selected in rounds: `sp` by vectors of their regions and calls
    /// (`sp-whole`: loops too), `sps`
    /// by counts of what they are made of. Default `rp`.
    pub programs: Option<String>,
    /// How many programs are made to select from in each round. Default 500; the paper has 100000.
    pub programs_from: Option<u64>,
    /// How many of them are tested. Default 50; the paper has 1000.
    pub programs_count: Option<u64>,
}

impl PassesConfig {
    pub(crate) fn choice(&self) -> SequenceChoice {
        let name = self.sequences.as_deref().unwrap_or("ss");
        SequenceChoice::named(name).unwrap_or(SequenceChoice::Selected)
    }

    pub(crate) fn alphabet(&self) -> &str {
        self.alphabet.as_deref().unwrap_or("useful")
    }

    pub(crate) fn from(&self) -> u64 {
        self.from.unwrap_or(30_000)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count.unwrap_or(300)
    }

    pub(crate) fn each(&self) -> usize {
        self.each.unwrap_or(20) as usize
    }

    pub(crate) fn lengths(&self) -> Lengths {
        let default = Lengths::default();
        let shortest = self.shortest.map_or(default.shortest, |length| length as usize);
        let longest = self.longest.map_or(default.longest.max(shortest), |length| length as usize);
        Lengths { shortest: shortest.min(longest), longest }
    }

    pub(crate) fn program_choice(&self) -> Option<ProgramChoice> {
        ProgramChoice::named(self.programs.as_deref()?)
    }

    pub(crate) fn program_round(&self) -> Round {
        let count = self.programs_count.unwrap_or(50);
        Round { from: self.programs_from.unwrap_or(500).max(count), count }
    }

    /// All that decides which sequences come, but the seed and the compiler.
    pub(crate) fn in_words(&self) -> String {
        let Lengths { shortest, longest } = self.lengths();
        let exclude = match self.exclude.as_slice() {
            [] => String::new(),
            patterns => format!(", without {}", patterns.join(", ")),
        };
        let how = match self.choice() {
            SequenceChoice::Selected => format!("selected from {}", self.from()),
            SequenceChoice::Random => "random".to_owned(),
            SequenceChoice::TwoWay => "2-way".to_owned(),
        };
        format!("{how}, {}, {shortest} to {longest} long{exclude}", self.alphabet())
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        if let Some(name) =
            self.sequences.as_ref().filter(|name| SequenceChoice::named(name).is_none())
        {
            return Err(("sequences", format!("sequences = {name:?}: ss, rs or 2w can be")));
        }
        if let Some(name) = self
            .programs
            .as_ref()
            .filter(|name| name.as_str() != "rp" && ProgramChoice::named(name).is_none())
        {
            return Err((
                "programs",
                format!("programs = {name:?}: rp, sp, sp-whole or sps can be"),
            ));
        }
        if let Some(name) =
            self.alphabet.as_ref().filter(|name| !["useful", "ctos"].contains(&name.as_str()))
        {
            return Err(("alphabet", format!("alphabet = {name:?}: useful or ctos can be")));
        }
        for (key, value, most) in [
            ("from", self.from, 10_000_000),
            ("count", self.count, 1_000_000),
            ("each", self.each, 1_000_000),
            ("shortest", self.shortest, 10_000),
            ("longest", self.longest, 10_000),
            ("programs-from", self.programs_from, 10_000_000),
            ("programs-count", self.programs_count, 1_000_000),
        ] {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                return Err((key, format!("{key} = {value}: 1 to {most} can be")));
            }
        }
        if let (Some(shortest), Some(longest)) = (self.shortest, self.longest)
            && shortest > longest
        {
            return Err((
                "shortest",
                format!("shortest = {shortest} is more than longest = {longest}"),
            ));
        }
        for text in &self.exclude {
            Left::read(text).map_err(|error| ("exclude", error.to_string()))?;
        }
        Ok(())
    }
}

/// A compiler by path.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CompilerConfig {
    /// How test sets and reports call it.
    pub name: String,
    /// Its driver.
    pub path: String,
    /// Arguments for every use of it.
    #[serde(default)]
    pub args: Vec<String>,
    /// `lp64` or `ilp32`; what its target has by default.
    pub data_model: Option<DataModel>,
    /// What runs its programs, such as `["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]`.
    pub runner: Option<Vec<String>>,
}

/// Compilers and what they are tested with: every combination of what is given.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct TestSet {
    /// Names; `*` at the end means every compiler that begins so.
    pub compilers: Vec<String>,
    /// Optimisation levels; the family's usual ones by default.
    pub levels: Option<Vec<String>>,
    /// Arguments for all of them.
    pub args: Vec<String>,
    /// Machines to generate code for; each must run here.
    pub march: Vec<String>,
    /// `lp64`, `ilp32` or both.
    pub data_models: Vec<DataModel>,
    /// How many sets of options are drawn at random for each program and compiler.
    pub random_options: u32,
    /// Test the undefined-behaviour sanitizer too: an alarm on a clean program is a finding.
    pub sanitize: bool,
}

impl TestSet {
    /// The first key beside the compilers that says something.
    pub(crate) fn beyond_compilers(&self) -> Option<&'static str> {
        let TestSet { compilers: _, levels, args, march, data_models, random_options, sanitize } =
            self;
        let keys = [
            ("levels", levels.is_some()),
            ("args", !args.is_empty()),
            ("march", !march.is_empty()),
            ("data-models", !data_models.is_empty()),
            ("random-options", *random_options > 0),
            ("sanitize", *sanitize),
        ];
        keys.into_iter().find_map(|(key, is_said)| is_said.then_some(key))
    }
}

/// What is wrong with a config file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It can't be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It says something that has no meaning.
    #[error("{path}{line}: {what}")]
    Wrong {
        /// Which file.
        path: PathBuf,
        /// `:3`, or nothing.
        line: String,
        /// What is wrong, and what was probably meant.
        what: String,
    },
}

impl Config {
    /// How many programs may be tested at the same time: no machine has more cores, and beyond
    /// some thousands there are no threads.
    pub const JOBS: std::ops::RangeInclusive<u32> = 1..=1024;

    /// Reads `path`.
    ///
    /// # Errors
    /// When it can't be read, has unknown keys, or contradicts itself.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let mut config = Config::parse(&text, path)?;
        let beside = |file: PathBuf| path.parent().unwrap_or(Path::new("")).join(file);
        config.known = config.known.map(beside);
        // A folder of programs is meant as seen from the config, wherever whodunit is called.
        config.source = config.source.map(|source| {
            let beside = path.parent().unwrap_or(Path::new("")).join(&source);
            let is_folder = SourceChoice::parse(&source).is_err() && beside.is_dir();
            if is_folder { beside.to_string_lossy().into_owned() } else { source }
        });
        Ok(config)
    }

    /// Reads `text`, which stands in `path`.
    ///
    /// # Errors
    /// When it has unknown keys or contradicts itself.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        let config: Config = toml::from_str(text).map_err(|error| ConfigError::Wrong {
            path: path.to_owned(),
            line: error.span().map_or_else(String::new, |span| line_of(text, span.start)),
            what: with_nearest(error.message()),
        })?;
        config.check().map_err(|(word, what)| ConfigError::Wrong {
            path: path.to_owned(),
            line: line_with_key(text, word),
            what,
        })?;
        Ok(config)
    }

    /// What contradicts itself: the key to point at, and what is wrong.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let wrong = |key, what: &str| Err((key, what.to_owned()));
        if self.programs.is_some() && self.minutes.is_some() {
            return wrong("minutes", "programs and minutes are given: one of them ends a hunt");
        }
        if self.programs == Some(0) {
            return wrong("programs", "programs = 0 tests nothing");
        }
        if self.minutes.is_some_and(|minutes| !(minutes > 0.0 && minutes < 1e7)) {
            return wrong("minutes", "minutes must be more than 0, and less than ten million");
        }
        if let Some(jobs) = self.jobs.filter(|jobs| !Config::JOBS.contains(jobs)) {
            return Err(("jobs", format!("jobs = {jobs}: 1 to {} can be", Config::JOBS.end())));
        }
        let limits = &self.limits;
        for (key, value) in [
            ("compiler-cpu-seconds", limits.compiler_cpu_seconds),
            ("compiler-memory-mb", limits.compiler_memory_mb),
            ("program-cpu-seconds", limits.program_cpu_seconds),
            ("program-memory-mb", limits.program_memory_mb),
            ("program-output-kb", limits.program_output_kb),
        ] {
            if value == Some(0) {
                return Err((key, format!("{key} = 0 lets nothing run")));
            }
            if let Some(value) = value.filter(|value| *value > MOST) {
                return Err((
                    key,
                    format!("{key} = {value} is more than {MOST}, the most there is"),
                ));
            }
        }
        if let (Some(min), Some(max)) = (self.csmith.min_bytes, self.csmith.max_bytes)
            && min > max
        {
            return Err(("min-bytes", format!("min-bytes = {min} is more than max-bytes = {max}")));
        }
        if let Some(name) =
            self.csmith.swarm.as_ref().filter(|name| !["rps", "rpsv"].contains(&name.as_str()))
        {
            return Err(("swarm", format!("swarm = {name:?}: rps or rpsv can be")));
        }
        if let Some(passes) = &self.passes {
            passes.check()?;
        }
        for (at, compiler) in self.compilers.iter().enumerate() {
            if self.compilers[..at].iter().any(|other| other.name == compiler.name) {
                let what = format!("two compilers are called {}", compiler.name);
                return Err(("[[compiler]]", what));
            }
            if compiler.name.is_empty() || compiler.name.contains(char::is_whitespace) {
                let what = format!("the compiler name {:?} must be one word", compiler.name);
                return Err(("[[compiler]]", what));
            }
        }
        for set in &self.sets {
            if set.compilers.is_empty() {
                return wrong("[[set]]", "a [[set]] names no compilers");
            }
            if set.levels.as_ref().is_some_and(Vec::is_empty) {
                return wrong("levels", "levels = [] leaves nothing to test");
            }
        }
        Ok(())
    }
}

impl LimitsConfig {
    /// These limits, with the defaults for what is left out.
    #[must_use]
    pub fn limiting(&self) -> Limiting {
        let seconds =
            |given: Option<u64>, default: Duration| given.map_or(default, Duration::from_secs);
        let megabytes = |given: Option<u64>, default: u64| given.map_or(default, |mb| mb << 20);
        let adjust = |limits: Limits, cpu: Option<u64>, memory: Option<u64>| Limits {
            cpu: seconds(cpu, limits.cpu),
            // A loaded machine may give a process a sixth of a core.
            wall: limits.wall.max(seconds(cpu, limits.cpu) * 6),
            memory: megabytes(memory, limits.memory),
            ..limits
        };
        let mut program =
            adjust(Limits::program(), self.program_cpu_seconds, self.program_memory_mb);
        program.output = self.program_output_kb.map_or(program.output, |kb| kb << 10);
        let compiler =
            adjust(Limits::compiler(), self.compiler_cpu_seconds, self.compiler_memory_mb);
        Limiting { compiler, program }
    }
}

/// Of seconds, megabytes and kilobytes: beyond any machine, and far from overflow.
const MOST: u64 = 1_000_000;

/// The line that begins with `key`, as `:3`; a comment may hold the word too.
fn line_with_key(text: &str, key: &str) -> String {
    let line = text.lines().position(|line| line.trim_start().starts_with(key));
    line.map_or_else(String::new, |at| format!(":{}", at + 1))
}

pub(crate) fn line_of(text: &str, at: usize) -> String {
    format!(":{}", text[..at.min(text.len())].matches('\n').count() + 1)
}

/// Serde says ``unknown field `x`, expected one of `a`, `b` ``; people want the one they meant.
pub(crate) fn with_nearest(message: &str) -> String {
    let message = message.lines().next().unwrap_or_default();
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown ").then(|| quoted.next()).flatten();
    match unknown {
        Some(word) => {
            let valid: Vec<&str> = quoted.collect();
            match nearest(word, valid.iter().copied()) {
                Some(meant) => format!("unknown key `{word}`; did you mean `{meant}`?"),
                None => format!("unknown key `{word}`; valid here: {}", valid.join(", ")),
            }
        }
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Config::parse(text, Path::new("whodunit.toml")).unwrap_err().to_string()
    }

    #[test]
    fn a_full_config_is_understood() {
        let config = Config::parse(
            r#"
            seed = 7
            source = "csmith"
            programs = 100
            [limits]
            compiler-cpu-seconds = 5
            [csmith]
            args = ["--no-volatiles"]
            max-bytes = 50000
            [[compiler]]
            name = "arm"
            path = "aarch64-linux-gnu-gcc-12"
            runner = ["qemu-aarch64"]
            [[set]]
            compilers = ["gcc-*", "arm"]
            levels = ["-O0", "-O3"]
            march = ["x86-64-v3"]
            data-models = ["lp64", "ilp32"]
            random-options = 2
            sanitize = true
            "#,
            Path::new("whodunit.toml"),
        )
        .unwrap();
        assert_eq!(config.sets[0].data_models, [DataModel::Lp64, DataModel::Ilp32]);
        assert_eq!(config.limits.limiting().compiler.cpu, Duration::from_secs(5));
    }

    #[test]
    fn mistakes_are_named_with_line_and_nearest_key() {
        assert_eq!(
            error("seed = 1\n[[set]]\ncompiler = [\"gcc\"]\n"),
            "whodunit.toml:3: unknown key `compiler`; did you mean `compilers`?"
        );
        assert!(
            error("sed = 1")
                .starts_with("whodunit.toml:1: unknown key `sed`; did you mean `seed`?")
        );
        assert!(error("zebra = 1").contains("valid here: seed, source"));
        assert!(error("seed = \"x\"").starts_with("whodunit.toml:1: invalid type"));
        assert!(error("seed = ").starts_with("whodunit.toml:1: "));
        assert_eq!(
            error("programs = 3\nminutes = 2"),
            "whodunit.toml:2: programs and minutes are given: one of them ends a hunt"
        );
        assert!(error("\n[limits]\ncompiler-memory-mb = 0").starts_with("whodunit.toml:3: "));
        assert!(error("[csmith]\nmin-bytes = 9\nmax-bytes = 3").contains("min-bytes = 9 is more"));
        assert!(error("[[set]]\nlevels = [\"-O1\"]\n").contains("names no compilers"));
    }
}
