//! From test sets to configurations.

use crate::config::{Config, PassesConfig, TestSet};
use crate::plan::PlanError;
use crate::sequences::Sequences;
use base::{Random, Seed, nearest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use toolchain::options::Switches;
use toolchain::{
    Compiler, CompilerError, CompilerSpec, Configuration, DataModel, Language, discover,
};

/// The compilers that test sets can name: those of the config, then those of PATH.
pub(crate) struct Known {
    compilers: Vec<Arc<Compiler>>,
}

impl Known {
    /// Opens those of the config and looks through PATH.
    pub(crate) fn find(config: &Config) -> Result<Known, CompilerError> {
        let mut compilers = Vec::new();
        for entry in &config.compilers {
            compilers.push(Arc::new(Compiler::open(&CompilerSpec {
                name: Some(entry.name.clone()),
                path: entry.path.clone(),
                args: entry.args.clone(),
                data_model: entry.data_model,
                runner: entry.runner.clone(),
            })?));
        }
        for found in discover().compilers {
            if compilers.iter().all(|known| known.name != found.name) {
                compilers.push(Arc::new(found));
            }
        }
        Ok(Known { compilers })
    }

    pub(crate) fn all(&self) -> &[Arc<Compiler>] {
        &self.compilers
    }

    /// The compilers that `pattern` names: one by name or path, or all that begin with what stands
    /// before a final `*`.
    pub(crate) fn named(&mut self, pattern: &str) -> Result<Vec<Arc<Compiler>>, PlanError> {
        if let Some(prefix) = pattern.strip_suffix('*') {
            let found: Vec<Arc<Compiler>> = self
                .compilers
                .iter()
                .filter(|compiler| compiler.name.starts_with(prefix) && compiler.runs_here())
                .cloned()
                .collect();
            return match found.is_empty() {
                true => Err(self.unknown(pattern)),
                false => Ok(found),
            };
        }
        if let Some(known) = self.compilers.iter().find(|compiler| compiler.name == pattern) {
            return Ok(vec![Arc::clone(known)]);
        }
        match Compiler::named(pattern) {
            Ok(compiler) => {
                let compiler = Arc::new(compiler);
                self.compilers.push(Arc::clone(&compiler));
                Ok(vec![compiler])
            }
            Err(CompilerError::Missing(_)) => Err(self.unknown(pattern)),
            Err(error) => Err(error.into()),
        }
    }

    fn unknown(&self, pattern: &str) -> PlanError {
        let names: Vec<&str> = self.compilers.iter().map(|known| known.name.as_str()).collect();
        let hint = match nearest(pattern.trim_end_matches('*'), names.iter().copied()) {
            Some(meant) => format!("did you mean {meant}?"),
            None if names.is_empty() => "there is none on this machine".to_owned(),
            None => format!("known: {}", names.join(", ")),
        };
        PlanError::UnknownCompiler { name: pattern.to_owned(), hint }
    }
}

/// What every program is tested with, and what is drawn for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configurations {
    fixed: Vec<Configuration>,
    drawn: Vec<Drawn>,
    sequences: Vec<Sequences>,
}

/// Option sets drawn at random for one compiler.
#[derive(Clone, Debug)]
struct Drawn {
    compiler: Arc<Compiler>,
    args: Vec<String>,
    levels: Vec<String>,
    switches: Switches,
    count: u32,
}

impl Configurations {
    /// All configurations of the sets.
    pub(crate) fn of_sets(
        sets: &[TestSet],
        known: &mut Known,
    ) -> Result<Configurations, PlanError> {
        let mut all = Configurations::default();
        let mut switches: BTreeMap<String, Switches> = BTreeMap::new();
        for set in sets {
            for pattern in &set.compilers {
                for compiler in known.named(pattern)? {
                    all.add(set, &compiler, &mut switches)?;
                }
            }
        }
        Ok(all)
    }

    /// Pass sequences of each compiler that has an optimiser, beside what it makes of a program without
    /// one; of the others the first level.
    pub(crate) fn of_sequences(
        compilers: &[Arc<Compiler>],
        passes: &PassesConfig,
        seed: Seed,
        threads: usize,
        kept: Option<&Path>,
    ) -> Result<Configurations, PlanError> {
        let mut all = Configurations::default();
        for compiler in compilers {
            let family = compiler.family;
            match family.ir_references().first() {
                Some(nothing) => {
                    all.push(compiler, words(nothing));
                    all.sequences.push(Sequences::choose(compiler, passes, seed, threads, kept)?);
                }
                None => all.push(compiler, words(family.levels()[0])),
            }
        }
        Sequences::check_patterns(&all.sequences, passes)?;
        Ok(all)
    }

    fn add(
        &mut self,
        set: &TestSet,
        compiler: &Arc<Compiler>,
        switches: &mut BTreeMap<String, Switches>,
    ) -> Result<(), PlanError> {
        let family = compiler.family;
        let levels: Vec<String> = match &set.levels {
            Some(levels) => levels.clone(),
            None => family.levels().iter().map(|&level| level.to_owned()).collect(),
        };
        let models = match set.data_models.as_slice() {
            [] => vec![compiler.data_model],
            models => models.to_vec(),
        };
        for model in models {
            let extra = self.model_args(compiler, model)?;
            let mut machines = vec![None];
            for name in &set.march {
                let machine = family.march(name).ok_or_else(|| PlanError::NoMarch {
                    compiler: compiler.name.clone(),
                    march: name.clone(),
                })?;
                machines.push(Some(machine));
            }
            for machine in &machines {
                let args = |level: &String| {
                    let mut args = words(level);
                    args.extend(extra.iter().chain(&set.args).chain(machine).cloned());
                    args
                };
                let sanitizer = set.sanitize.then(|| family.sanitizer_switch()).flatten();
                for level in &levels {
                    self.push(compiler, args(level));
                    if let Some(switch) = sanitizer {
                        let mut args = args(level);
                        args.extend(switch.iter().map(|&arg| arg.to_owned()));
                        self.push(compiler, args);
                    }
                }
            }
            if set.random_options > 0 {
                let switches = match switches.get(&compiler.name) {
                    Some(known) => known.clone(),
                    None => {
                        let found = Switches::of(compiler)?;
                        switches.insert(compiler.name.clone(), found.clone());
                        found
                    }
                };
                let args = extra.iter().chain(&set.args).cloned().collect();
                let (compiler, levels) = (Arc::clone(compiler), levels.clone());
                let count = set.random_options;
                self.drawn.push(Drawn { compiler, args, levels, switches, count });
            }
        }
        Ok(())
    }

    fn model_args(
        &self,
        compiler: &Compiler,
        model: DataModel,
    ) -> Result<Vec<String>, CompilerError> {
        if model == compiler.data_model {
            return Ok(Vec::new());
        }
        let args = compiler.family.data_model_args(&compiler.target, model);
        let args = args.ok_or_else(|| CompilerError::NoDataModel {
            name: compiler.name.clone(),
            target: compiler.target.clone(),
            model,
        })?;
        Ok(args.iter().map(|&arg| arg.to_owned()).collect())
    }

    fn push(&mut self, compiler: &Arc<Compiler>, args: Vec<String>) {
        let configuration = Configuration::with_args(Arc::clone(compiler), args);
        let label = configuration.label();
        if self.fixed.iter().all(|other| other.label() != label) {
            self.fixed.push(configuration);
        }
    }

    /// Adds the counterpart of each configuration for `baseline`, which goes first: its behaviour
    /// is what is expected.
    pub(crate) fn add_baseline(&mut self, baseline: &Arc<Compiler>) {
        let mine = std::mem::take(&mut self.fixed);
        for configuration in &mine {
            self.push(baseline, configuration.args.clone());
        }
        for configuration in mine {
            self.push(&configuration.compiler, configuration.args);
        }
    }

    /// Keeps in a folder what took long to choose.
    pub(crate) fn keep(&self, folder: &Path) -> std::io::Result<()> {
        self.sequences.iter().try_for_each(|one| one.keep(folder))
    }

    pub(crate) fn fixed(&self) -> &[Configuration] {
        &self.fixed
    }

    /// Every compiler that takes part.
    pub(crate) fn compilers(&self) -> Vec<Arc<Compiler>> {
        let mut compilers: Vec<Arc<Compiler>> = Vec::new();
        let all = self.fixed.iter().map(|configuration| &configuration.compiler);
        let drawn = self.drawn.iter().map(|drawn| &drawn.compiler);
        for compiler in all.chain(drawn).chain(self.sequences.iter().map(Sequences::compiler)) {
            if compilers.iter().all(|other| other.name != compiler.name) {
                compilers.push(Arc::clone(compiler));
            }
        }
        compilers
    }

    /// The data models that take part. Programs may do different things in different ones, so each
    /// program is tested in one: they take turns.
    pub(crate) fn data_model(&self, index: u64) -> DataModel {
        let all: BTreeSet<DataModel> =
            self.fixed.iter().map(|configuration| configuration.data_model).collect();
        let turn = index as usize % all.len().max(1);
        all.into_iter().nth(turn).unwrap_or_default()
    }

    /// Is it the turn of programs that use what only some compilers know? Where all know it, always; otherwise every
    /// other time, if there are enough that do.
    pub(crate) fn take_extensions(&self, index: u64) -> bool {
        let knows =
            |configuration: &&Configuration| configuration.compiler.family.knows_extensions();
        let (all, knowing) = (self.fixed.len(), self.fixed.iter().filter(knows).count());
        let models: BTreeSet<DataModel> = self.fixed.iter().map(|one| one.data_model).collect();
        let turn = index / models.len().max(1) as u64;
        // With each data model a part of them.
        all == knowing || (knowing >= 2 * models.len() && turn % 2 == 1)
    }

    /// Do all compilers know `_BitInt`? Few do, so that it is not worth a turn of its own.
    pub(crate) fn know_bit_int(&self) -> bool {
        let knows = |one: &Arc<Compiler>| one.family.knows_bit_int(one.version);
        self.compilers().iter().all(knows)
    }

    /// What the program with this index, in this language, is tested with. If it uses what only some compilers know,
    /// they alone.
    pub(crate) fn for_program(
        &self,
        seed: Seed,
        index: u64,
        language: Language,
        extensions: bool,
    ) -> Vec<Configuration> {
        let data_model = self.data_model(index);
        let mut configurations = self.fixed.clone();
        for (number, drawn) in self.drawn.iter().enumerate() {
            let mut random = seed.stream(&format!("options {number}"), index);
            for _ in 0..drawn.count {
                let args = drawn.args(&mut random);
                configurations.push(Configuration::with_args(Arc::clone(&drawn.compiler), args));
            }
        }
        configurations.extend(self.sequences.iter().flat_map(|one| one.of_program(index)));
        let mut labels = BTreeSet::new();
        configurations.retain(|configuration| {
            configuration.data_model == data_model
                && (language != Language::Cxx || configuration.compiler.family.compiles_cxx())
                && (!extensions || configuration.compiler.family.knows_extensions())
                && labels.insert(configuration.label())
        });
        configurations
    }

    /// All of it in words.
    pub(crate) fn describe(&self) -> Vec<String> {
        let drawn = self.drawn.iter().map(|drawn| {
            let among = drawn.switches.len();
            format!("{} × {} with options drawn among {among}", drawn.count, drawn.compiler.name)
        });
        let sequences = self.sequences.iter().map(|one| one.describe().to_owned());
        self.fixed.iter().map(Configuration::label).chain(drawn).chain(sequences).collect()
    }
}

/// At most so many options are switched in one set: enough for two to meet, few enough for the
/// guilty ones to be found.
const MOST_SWITCHED: u64 = 12;

impl Drawn {
    fn args(&self, random: &mut Random) -> Vec<String> {
        let level: &String = random.pick(&self.levels);
        let mut args = words(level);
        args.extend(self.args.iter().cloned());
        args.extend(self.switches.draw(1 + random.below(MOST_SWITCHED) as usize, random));
        args
    }
}

/// A level may be several arguments: `-O3 -fwrapv`.
fn words(level: &str) -> Vec<String> {
    level.split_whitespace().map(str::to_owned).collect()
}
