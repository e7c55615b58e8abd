//! A hunt, decided in every detail before it starts.

use crate::config::{Config, ConfigError, PassesConfig, TestSet};
use crate::configurations::{Configurations, Known};
use crate::covered::Covered;
use crate::isolation::Isolator;
use crate::known::KnownBugs;
use crate::learning::Learning;
use crate::record::{CompilerRecord, PlanRecord};
use crate::source::{self, PRINT, Selected, Source, SourceError, Sourced, Wanted};
use base::Seed;
use cgen::Construct;
use coverage::{Build, BuildFault};
use oracle::{Judge, Limiting, Outcome, Screener, Watch, observe};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use toolchain::has_own_optimiser;
use toolchain::{BuildError, Compiler, CompilerError, Configuration, Language, Program};

/// When a hunt ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    /// After this many programs in all, sessions before this one included.
    Programs(u64),
    /// When this session is so old.
    Time(Duration),
    /// When all sessions together have used so much CPU time, our own included.
    Cpu(Duration),
    /// When it is stopped, or the source is exhausted.
    Endless,
}

/// How far what was found is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Until {
    /// Programs are tested, and that is all.
    Tested,
    /// Findings are told apart.
    ToldApart,
    /// The first of each bug is made small.
    Reduced,
    /// It is looked into.
    Looked,
    /// It is isolated, if there is a build for that.
    Isolated,
}

/// Where programs come from, as the user says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceChoice {
    /// The built-in generator.
    Gen,
    /// Csmith.
    Csmith,
    /// A folder of programs.
    Folder(std::path::PathBuf),
}

/// A hunt, decided in every detail.
pub struct Plan {
    /// Where all randomness comes from.
    pub seed: Seed,
    /// When it ends.
    pub amount: Amount,
    /// The programs of this part of a hunt, if it is a part.
    pub part: Option<Range<u64>>,
    /// How far what was found is taken.
    pub until: Until,
    /// How many programs are tested at the same time.
    pub jobs: usize,
    /// Is the work on what was found finished after the time is over?
    pub finishes: bool,
    /// Questions for the reduction of each finding; 0 for none.
    pub reduce_tries: u64,
    /// Compilers that were found and can't be used, and why.
    pub left_out: Vec<(String, String)>,
    /// What isolates each bug, if anything does.
    pub isolator: Option<Isolator>,
    /// What was executed, if that is watched.
    pub(crate) covered: Option<Arc<Covered>>,
    /// What decides about the constructs of programs, if it is learned.
    pub(crate) learning: Option<Arc<Learning>>,
    pub(crate) source: Box<dyn Source>,
    pub(crate) configurations: Configurations,
    /// Bugs that are known already.
    pub(crate) known_bugs: KnownBugs,
    /// Every compiler that was found, whether it takes part or not.
    pub(crate) known: Vec<Arc<Compiler>>,
    pub(crate) screener: Screener,
    pub(crate) limiting: Limiting,
    pub(crate) baseline: Option<String>,
}

/// Why a hunt can't be planned.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A name that no compiler has.
    #[error("unknown compiler {name}; {hint}")]
    UnknownCompiler {
        /// The name.
        name: String,
        /// The nearest one, or all.
        hint: String,
    },
    /// A compiler that can't be used.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// A file of known bugs that can't be used.
    #[error(transparent)]
    Known(#[from] ConfigError),
    /// A compiler without an optimiser of its own.
    #[error(
        "{0} has no opt of its version beside it, which --passes is about (Debian: apt install llvm-16 \
         beside clang-16)"
    )]
    NoOptimiser(String),
    /// An optimiser without passes.
    #[error("opt of {0} offers no pass that is known to do something to C")]
    NoPasses(String),
    /// What sequences have no use for.
    #[error(
        "a hunt of pass sequences takes only the compilers of a [[set]], not its {0}; for another machine, give a \
         [[compiler]] args = [\"-march=…\"]"
    )]
    NotOfSequences(&'static str),
    /// Programs that are as they are.
    #[error("programs can be selected from those of a generator, not from {0}")]
    NothingToSelect(String),
    /// Programs whose constructs are not ours to choose.
    #[error("the constructs of generated programs can be learned, not those of {0}")]
    NothingToLearn(String),
    /// A build whose maps can't be read.
    #[error(transparent)]
    Counting(#[from] BuildFault),
    /// Passes to be left out that are not there.
    #[error("{compiler}: {why}")]
    Pattern {
        /// Which compiler.
        compiler: String,
        /// What is wrong.
        why: String,
    },
    /// A family without targets to choose from.
    #[error("{compiler} knows no -march; leave it out of the set with march = [\"{march}\"]")]
    NoMarch {
        /// Which compiler.
        compiler: String,
        /// What was wanted.
        march: String,
    },
    /// Nothing to compare.
    #[error("the test set has {0}; comparing needs two or more: name more compilers or levels")]
    TooFew(String),
    /// A configuration that can't even compile a simple program.
    #[error("{label} does not work on this machine: {why}")]
    Broken {
        /// Which configuration.
        label: String,
        /// What it did.
        why: String,
    },
    /// The source of programs.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// We failed.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// What `Plan::make` needs to know beyond the config.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// Where temporary folders go while compilers are tried out.
    pub scratch: &'a Path,
    /// How many cores there are.
    pub cores: usize,
    /// Is the work on what was found finished after the time is over?
    pub finishes: bool,
    /// A folder in which somebody may have kept what takes long to choose.
    pub kept: Option<&'a Path>,
}

impl Plan {
    /// Decides everything, and tries every configuration on a small program.
    ///
    /// # Errors
    /// When something named does not exist or does not work.
    pub fn make(config: &Config, choice: Choice<'_>) -> Result<Plan, PlanError> {
        let choice_of_programs = config.passes.as_ref().and_then(PassesConfig::program_choice);
        let mut source = match choice_of_programs {
            None => source::open(config)?,
            // A program is one module to those who read it.
            Some(_) => {
                let mut config = config.clone();
                config.generator.single = true;
                source::open(&config)?
            }
        };
        let known_bugs = config.known.as_deref().map(KnownBugs::read).transpose()?;
        let known_bugs = known_bugs.unwrap_or_default();
        let mut known = Known::find(config)?;
        let jobs = config.jobs.map_or(choice.cores, |jobs| jobs as usize).max(1);
        let limiting = config.limits.limiting();
        let mut left_out = Vec::new();
        let seed = Seed(config.seed.unwrap_or(1));
        let sets = if config.sets.is_empty() {
            let (usable, broken) =
                usable_by_default(&known, source.language(), &limiting, choice, jobs)?;
            left_out = broken;
            let set = |name| TestSet { compilers: vec![name], ..TestSet::default() };
            usable.into_iter().map(set).collect()
        } else {
            config.sets.clone()
        };
        let mut configurations = match &config.passes {
            None => Configurations::of_sets(&sets, &mut known)?,
            Some(passes) => {
                if let Some(key) = config.sets.iter().find_map(TestSet::beyond_compilers) {
                    return Err(PlanError::NotOfSequences(key));
                }
                let compilers = with_optimiser(&sets, &mut known, !config.sets.is_empty())?;
                if let Some(by) = choice_of_programs {
                    if !source.generates() {
                        return Err(PlanError::NothingToSelect(source.describe()));
                    }
                    // The first has an optimiser.
                    let print = compilers[0].family.pipeline_arg(PRINT);
                    let reader = Configuration::with_args(Arc::clone(&compilers[0]), vec![print]);
                    let limits = limiting.compiler;
                    let round = passes.program_round();
                    source = Box::new(Selected::new(source, by, round, reader, limits, jobs));
                }
                Configurations::of_sequences(&compilers, passes, seed, jobs, choice.kept)?
            }
        };
        if let Some(name) = &config.baseline {
            configurations.add_baseline(&one(&mut known, name)?);
        }
        // What a user names must work; what was only found was tried above.
        if !config.sets.is_empty() || config.baseline.is_some() {
            let fixed = configurations.fixed();
            let broken = try_out(fixed, source.language(), &limiting, choice.scratch, jobs)?;
            if let Some((label, why)) = broken.into_iter().next() {
                return Err(PlanError::Broken { label, why });
            }
        }
        let first = configurations.for_program(seed, 0, source.language(), false);
        if first.len() < 2 {
            let what = match (first.as_slice(), left_out.first()) {
                ([one, ..], _) => format!("one configuration only ({one})"),
                ([], Some((label, why))) => format!("nothing that works ({label}: {why})"),
                ([], None) if known.all().is_empty() => {
                    "no compiler: none is in PATH (whodunit doctor tells how to get one)".to_owned()
                }
                ([], None) => "no configuration".to_owned(),
            };
            return Err(PlanError::TooFew(what));
        }
        Ok(Plan {
            seed,
            amount: match (config.programs, config.minutes) {
                (Some(programs), _) => Amount::Programs(programs),
                (None, Some(minutes)) => Amount::Time(Duration::from_secs_f64(minutes * 60.0)),
                (None, None) => Amount::Endless,
            },
            part: None,
            until: Until::Isolated,
            jobs,
            left_out,
            finishes: choice.finishes,
            reduce_tries: config.reduce.tries.unwrap_or(2000),
            isolator: None,
            covered: None,
            learning: None,
            source,
            screener: Screener::new(known.all(), limiting),
            known: known.all().to_vec(),
            known_bugs,
            configurations,
            limiting,
            baseline: config.baseline.clone(),
        })
    }

    /// May the program with this index use what only some compilers know? They alone test it then.
    fn extensions(&self, index: u64) -> bool {
        self.source.uses_extensions() && self.configurations.take_extensions(index)
    }

    /// The judge of the program with this index.
    pub(crate) fn judge(&self, index: u64, language: Language) -> Judge {
        let extensions = self.extensions(index);
        let mut configurations =
            self.configurations.for_program(self.seed, index, language, extensions);
        let mut watch = None;
        if let Some(covered) = &self.covered {
            let counts =
                |configuration: &Configuration| configuration.compiler.name == covered.compiler();
            for configuration in configurations.iter_mut().filter(|one| counts(one)) {
                *configuration = configuration.clone().counting();
            }
            let (covered, learning) = (Arc::clone(covered), self.learning.clone());
            watch = Some(Watch(Arc::new(move |folder| {
                let executed = covered.add(folder)?;
                if let Some(learning) = &learning {
                    learning.executed(index, executed);
                }
                Ok(())
            })));
        }
        Judge {
            configurations,
            watch,
            screener: self.screener.clone(),
            limiting: self.limiting,
            baseline: self.baseline.clone(),
        }
    }

    /// Has the first compiler that can count all that it executes while programs are tested.
    ///
    /// # Errors
    /// When its maps can't be read.
    pub fn cover(&mut self) -> Result<(), BuildFault> {
        let counts = |compiler: &Arc<Compiler>| compiler.counting.is_some();
        if let Some(compiler) = self.compilers().into_iter().find(counts) {
            self.covered = Some(Covered::new(Build::of(compiler)?));
        }
        Ok(())
    }

    /// Has the constructs of programs follow from what earlier programs brought: new findings and, if one of the
    /// compilers counts, new edges.
    ///
    /// # Errors
    /// When programs have no constructs to choose from, or maps can't be read.
    pub fn learn(&mut self) -> Result<(), PlanError> {
        let constructs = self.source.constructs();
        if constructs.is_empty() {
            return Err(PlanError::NothingToLearn(self.source.describe()));
        }
        self.cover()?;
        let edges = self.covered.as_ref().map(|covered| covered.edges());
        self.learning = Some(Arc::new(Learning::new(self.seed, constructs, edges)));
        Ok(())
    }

    /// How many edges of the compiler that [`Plan::cover`] has found were executed so far.
    #[must_use]
    pub fn edges_covered(&self) -> Option<usize> {
        self.covered.as_ref().map(|covered| covered.len())
    }

    /// The program with this index.
    pub(crate) fn program(
        &self,
        index: u64,
        without: &BTreeSet<Construct>,
        scratch: &Path,
    ) -> Result<Sourced, SourceError> {
        let data_model = self.configurations.data_model(index);
        let extensions = self.extensions(index);
        let bit_int = extensions && self.configurations.know_bit_int();
        let wanted = Wanted { seed: self.seed, index, data_model, extensions, bit_int, without };
        self.source.program(&wanted, scratch)
    }

    /// How many programs there are, if that is limited by a number and not by time.
    pub(crate) fn programs(&self) -> Option<u64> {
        let wanted = match self.amount {
            Amount::Programs(programs) => Some(programs),
            Amount::Time(_) | Amount::Cpu(_) | Amount::Endless => None,
        };
        match (wanted, self.source.len()) {
            (Some(wanted), Some(len)) => Some(wanted.min(len)),
            (wanted, len) => wanted.or(len),
        }
    }

    /// The compilers that take part.
    #[must_use]
    pub fn compilers(&self) -> Vec<Arc<Compiler>> {
        self.configurations.compilers()
    }

    /// How many configurations a program is tested with.
    #[must_use]
    pub fn configurations_per_program(&self) -> usize {
        self.configurations.for_program(self.seed, 0, self.source.language(), false).len()
    }

    /// What programs come from, in words.
    #[must_use]
    pub fn source_in_words(&self) -> String {
        let source = self.source.describe();
        match (&self.learning, &self.covered) {
            (None, _) => source,
            (Some(_), None) => format!("{source}, learning from findings"),
            (Some(_), Some(covered)) => {
                format!("{source}, learning from findings and from {}", covered.compiler())
            }
        }
    }

    /// What must not change while a campaign lasts.
    #[must_use]
    pub fn record(&self) -> PlanRecord {
        PlanRecord {
            seed: self.seed,
            source: self.source_in_words(),
            configurations: self.configurations.describe(),
            compilers: self.compilers().iter().map(|c| CompilerRecord::of(c)).collect(),
            limiting: self.limiting,
            baseline: self.baseline.clone(),
        }
    }
}

/// The compilers of the sets whose optimiser runs passes in any order, and one of each other family to
/// vote beside them. What a user names must have one, or be of another family.
fn with_optimiser(
    sets: &[TestSet],
    known: &mut Known,
    is_named: bool,
) -> Result<Vec<Arc<Compiler>>, PlanError> {
    let mut all: Vec<Arc<Compiler>> = Vec::new();
    for pattern in sets.iter().flat_map(|set| &set.compilers) {
        for compiler in known.named(pattern)? {
            if all.iter().all(|other| other.name != compiler.name) {
                all.push(compiler);
            }
        }
    }
    let (optimisers, others): (Vec<Arc<Compiler>>, Vec<Arc<Compiler>>) =
        all.into_iter().partition(|compiler| !compiler.family.ir_references().is_empty());
    let mut usable = Vec::new();
    for compiler in optimisers {
        match has_own_optimiser(&compiler)? {
            true => usable.push(compiler),
            false if is_named => return Err(PlanError::NoOptimiser(compiler.name.clone())),
            false => {}
        }
    }
    if usable.is_empty() {
        return Err(PlanError::NoOptimiser("the machine".to_owned()));
    }
    let mut voters: Vec<Arc<Compiler>> = Vec::new();
    for compiler in others {
        let of_family =
            voters.iter_mut().find(|other| other.family.name() == compiler.family.name());
        match of_family {
            Some(other) if !is_named && other.version < compiler.version => *other = compiler,
            Some(_) if !is_named => {}
            _ => voters.push(compiler),
        }
    }
    usable.extend(voters);
    Ok(usable)
}

fn one(known: &mut Known, name: &str) -> Result<Arc<Compiler>, PlanError> {
    Ok(known.named(name)?.remove(0))
}

type Broken = Vec<(String, String)>;

/// Every compiler whose programs run here without an emulator, tried out; those that do not work
/// are left out with the reason.
fn usable_by_default(
    known: &Known,
    language: Language,
    limiting: &Limiting,
    choice: Choice<'_>,
    jobs: usize,
) -> Result<(Vec<String>, Broken), PlanError> {
    let candidates: Vec<Configuration> = known
        .all()
        .iter()
        .filter(|compiler| compiler.runs_here() && compiler.runner.is_empty())
        .map(|compiler| Configuration::new(Arc::clone(compiler), compiler.family.levels()[0]))
        .collect();
    let broken = try_out(&candidates, language, limiting, choice.scratch, jobs)?;
    let works = |configuration: &&Configuration| {
        broken.iter().all(|(label, _)| *label != configuration.label())
    };
    let usable = candidates.iter().filter(works).map(|c| c.compiler.name.clone()).collect();
    Ok((usable, broken))
}

/// A small program that makes a compiler show whether it, its linker, its libraries and the
/// machine fit together; the loop is there to be vectorised for the chosen machine.
const TRIAL: &str = "#include <stdio.h>\n\
    static unsigned a[64], b[64]; static double c[64];\n\
    int main(void) {\n  unsigned sum = 0; double total = 0;\n\
      for (int i = 0; i < 64; i++) { a[i] = i * 3u; b[i] = ~i; c[i] = i * 0.5; }\n\
      for (int i = 0; i < 64; i++) { a[i] ^= b[63 - i] << (i & 7); c[i] = c[i] * 2.0 + 1.0; }\n\
      for (int i = 0; i < 64; i++) { sum += a[i]; total += c[i]; }\n\
      printf(\"%u %d\\n\", sum, (int) total);\n  return 0;\n}\n";

/// Tries each configuration on a small program: which do not work, and why?
fn try_out(
    configurations: &[Configuration],
    language: Language,
    limiting: &Limiting,
    scratch: &Path,
    jobs: usize,
) -> Result<Broken, PlanError> {
    let name = if language == Language::Cxx { "trial.cpp" } else { "trial.c" };
    let program = Program::single(name, language, TRIAL);
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, String)>, PlanError> {
        let mut broken = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(configuration) = configurations.get(at) else { return Ok(broken) };
            let seen = match observe(configuration, &program, limiting, scratch) {
                Ok(seen) => seen,
                // A runner that is missing, a compiler without C++: the configuration's fault.
                Err(error) => {
                    broken.push((at, error.to_string()));
                    continue;
                }
            };
            match seen.outcome {
                Outcome::Ran(behaviour) if behaviour.head == TRIAL_PRINTS => {}
                Outcome::Ran(behaviour) => {
                    let hint = match behaviour.end {
                        toolchain::End::Signal(4) => "; does this CPU have its instructions?",
                        _ => "",
                    };
                    broken.push((at, format!("a simple program of its {behaviour}{hint}")));
                }
                Outcome::Alarmed(line) => broken.push((at, line)),
                Outcome::Failed(_, failure) => {
                    broken.push((at, format!("it cannot build a simple program: {failure:?}")));
                }
            }
        }
    };
    let results: Vec<Result<Vec<(usize, String)>, PlanError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic in trials")).collect()
    });
    let mut broken: Vec<(usize, String)> = Vec::new();
    for result in results {
        broken.extend(result?);
    }
    broken.sort();
    Ok(broken.into_iter().map(|(at, why)| (configurations[at].label(), why)).collect())
}

/// What [`TRIAL`] prints.
const TRIAL_PRINTS: &str = "4294905008 2080";
