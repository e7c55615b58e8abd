//! The pass sequences that programs are tested with (CTOS).

use crate::config::PassesConfig;
use crate::plan::PlanError;
use base::{ContentId, Seed, atomic_write};
use embedding::covering::Covering;
use embedding::doc2vec::{Corpus, Settings, train};
use embedding::xmeans::XMeansSettings;
use embedding::{choose, points::Points};
use passes::catalogue::read_offered;
use passes::sequence::{Alphabet, Excluded, Lengths, Pattern, PatternError, Sequence};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use toolchain::{Compiler, Configuration, offered_passes};

/// How sequences are chosen, under the names of the paper's Table 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SequenceChoice {
    /// SS: those that stand for many, by their vectors.
    Selected,
    /// RS: as they are drawn.
    Random,
    /// 2W: every pair of passes at every pair of places.
    TwoWay,
}

impl SequenceChoice {
    /// The choice of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<SequenceChoice> {
        match name {
            "ss" => Some(SequenceChoice::Selected),
            "rs" => Some(SequenceChoice::Random),
            "2w" => Some(SequenceChoice::TwoWay),
            _ => None,
        }
    }
}

/// The sequences of one compiler.
#[derive(Clone, Debug)]
pub(crate) struct Sequences {
    compiler: Arc<Compiler>,
    /// As the optimiser takes them.
    pipelines: Vec<String>,
    /// How many each program is tested with.
    each: usize,
    described: String,
    /// Patterns of what is to be left out that name a pass this version lacks.
    lacking: BTreeMap<String, String>,
    /// What they were chosen from and how, as a name.
    key: String,
}

impl Sequences {
    /// Draws and chooses them.
    ///
    /// # Errors
    /// When the compiler has no optimiser of its version, or a pattern names a pass that it lacks.
    pub(crate) fn choose(
        compiler: &Arc<Compiler>,
        config: &PassesConfig,
        seed: Seed,
        threads: usize,
        kept: Option<&Path>,
    ) -> Result<Sequences, PlanError> {
        let offered = read_offered(&offered_passes(compiler)?);
        let (alphabet, missing) = match config.alphabet() {
            "ctos" => Alphabet::published(&offered),
            _ => (Alphabet::useful(&offered), Vec::new()),
        };
        if alphabet.steps().is_empty() {
            return Err(PlanError::NoPasses(compiler.name.clone()));
        }
        let (mut excluded, mut lacking) = (Excluded::default(), BTreeMap::new());
        for text in &config.exclude {
            let added = match Left::read(text) {
                Ok(left) if !left.concerns(compiler) => continue,
                Ok(left) => excluded.add(&left.pattern, &alphabet),
                Err(error) => Err(error),
            };
            if let Err(error) = added {
                lacking.insert(text.clone(), error.to_string());
            }
        }
        let (count, choice) = (config.count() as usize, config.choice());
        let key = key(compiler, config, seed);
        let choose = || -> Vec<String> {
            let chosen: Vec<Sequence> = match choice {
                SequenceChoice::Random => {
                    drawn(&alphabet, &excluded, config.lengths(), seed, count)
                }
                SequenceChoice::Selected => {
                    let from = config.from().max(config.count()) as usize;
                    let all = drawn(&alphabet, &excluded, config.lengths(), seed, from);
                    let chosen = selected(&all, count, seed, threads);
                    chosen.into_iter().map(|at| all[at].clone()).collect()
                }
                SequenceChoice::TwoWay => {
                    let covering = Covering::new(
                        config.lengths().longest,
                        alphabet.steps().len() as u32,
                        seed.derive("covering", 0),
                    );
                    let rows = covering
                        .iter()
                        .map(|row| row.into_iter().map(|word| word as u16).collect());
                    rows.filter(|sequence: &Sequence| !excluded.has(sequence)).collect()
                }
            };
            chosen.iter().map(|sequence| alphabet.pipeline(sequence)).collect()
        };
        // Choosing takes minutes; what was chosen for the same is the same.
        let pipelines = kept.and_then(|folder| read_kept(folder, &key)).unwrap_or_else(choose);
        let without = match missing.as_slice() {
            [] => String::new(),
            missing => format!(", without {} that this version lacks", missing.join(", ")),
        };
        let described = format!(
            "{} × {} of {} sequences of {} passes ({})",
            compiler.name,
            config.each().min(pipelines.len()),
            pipelines.len(),
            alphabet.steps().len(),
            config.in_words() + &without
        );
        let each = config.each();
        Ok(Sequences { compiler: Arc::clone(compiler), pipelines, each, described, lacking, key })
    }

    /// A pattern that leaves nothing out with any of the compilers was not meant so.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn check_patterns(
        all: &[Sequences],
        config: &PassesConfig,
    ) -> Result<(), PlanError> {
        for text in &config.exclude {
            let concerned =
                |one: &&Sequences| Left::read(text).is_ok_and(|left| left.concerns(&one.compiler));
            let mut concerned = all.iter().filter(concerned);
            if concerned.clone().any(|one| !one.lacking.contains_key(text)) {
                continue;
            }
            let (compiler, why) = match concerned.next() {
                Some(one) => (one.compiler.name.clone(), one.lacking[text].clone()),
                None => ("exclude".to_owned(), format!("{text:?}: no such compiler is tested")),
            };
            return Err(PlanError::Pattern { compiler, why });
        }
        Ok(())
    }

    /// The configurations of the program with this index: programs take turns.
    pub(crate) fn of_program(&self, index: u64) -> impl Iterator<Item = Configuration> + '_ {
        let (all, each) = (self.pipelines.len(), self.each.min(self.pipelines.len()));
        let start = (u128::from(index) * each as u128 % all.max(1) as u128) as usize;
        (0..each).map(move |at| {
            let family = self.compiler.family;
            let mut args: Vec<String> =
                family.checks_each_pass().iter().map(|&arg| arg.to_owned()).collect();
            args.push(family.pipeline_arg(&self.pipelines[(start + at) % all]));
            Configuration::with_args(Arc::clone(&self.compiler), args)
        })
    }

    /// Writes them where [`Sequences::choose`] looks first.
    pub(crate) fn keep(&self, folder: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec(&self.pipelines).expect("plain data");
        atomic_write(&folder.join(&self.key), &text)
    }

    pub(crate) fn compiler(&self) -> &Arc<Compiler> {
        &self.compiler
    }

    /// In words.
    pub(crate) fn describe(&self) -> &str {
        &self.described
    }
}

/// What is to be left out, `loop-unroll…licm`, or with one compiler only, `clang-14: attributor-cgscc`.
pub(crate) struct Left<'a> {
    compiler: Option<&'a str>,
    pattern: Pattern,
}

impl Left<'_> {
    /// Reads it as the config has it.
    pub(crate) fn read(text: &str) -> Result<Left<'_>, PatternError> {
        let (compiler, pattern) = match text.rsplit_once(": ") {
            Some((compiler, pattern)) => (Some(compiler.trim()), pattern),
            None => (None, text),
        };
        Ok(Left { compiler, pattern: pattern.parse()? })
    }

    fn concerns(&self, compiler: &Compiler) -> bool {
        self.compiler.is_none_or(|name| name == compiler.name)
    }
}

/// All that decides which are chosen.
fn key(compiler: &Compiler, config: &PassesConfig, seed: Seed) -> String {
    let said = format!("{} {} {config:?} {seed}", compiler.name, compiler.version_line);
    format!("sequences-{}.json", ContentId::of(said.as_bytes()).short())
}

fn read_kept(folder: &Path, key: &str) -> Option<Vec<String>> {
    serde_json::from_slice(&std::fs::read(folder.join(key)).ok()?).ok()
}

/// Sequences as they are drawn, without those to be left out.
fn drawn(
    alphabet: &Alphabet,
    excluded: &Excluded,
    lengths: Lengths,
    seed: Seed,
    count: usize,
) -> Vec<Sequence> {
    // Where patterns leave nothing over, there are fewer.
    let tries = count as u64 * 100;
    (0..tries)
        .map(|index| alphabet.draw(lengths, &mut seed.stream("sequence", index)))
        .filter(|sequence| !excluded.has(sequence))
        .take(count)
        .collect()
}

/// Those that stand for many: Doc2Vec, X-means and Algorithm 3.
fn selected(all: &[Sequence], count: usize, seed: Seed, threads: usize) -> Vec<usize> {
    let mut corpus = Corpus::new();
    all.iter().for_each(|sequence| corpus.push(sequence.iter().map(|&word| u32::from(word))));
    let vectors = train(&corpus, &Settings::SEQUENCES, seed.derive("doc2vec", 0), threads);
    let Ok(points) = Points::new(vectors.values(), vectors.dimensions()) else {
        return (0..count.min(all.len())).collect();
    };
    choose::representatives(
        points,
        count,
        &XMeansSettings::default(),
        seed.derive("choose", 0),
        threads,
    )
}
