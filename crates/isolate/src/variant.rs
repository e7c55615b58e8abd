//! Moves: from a program to a variant of it.

use crate::donor::Donors;
use crate::error::IsolateError;
use crate::isolation::Settings;
use crate::ladder::Rungs;
use crate::method::{Method, Moves, Parameters};
use crate::neighbour::{Alone, Differs, Neighbour, Neighbours, Switches, Told, lowest};
use crate::sequence::Sequences;
use crate::subject::Subject;
use crate::witness::Executed;
use base::{Edit, Random, Seed};
use csyntax::{Dialect, Library};
use mutate::{Host, Level, Operator, Pool};
use passes::ir::{Variations, variations};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toolchain::family::decides_reading;
use toolchain::{Language, Program};

/// How many tests the ingredients are taken from; RecBi's code has 109.
const POOL: usize = 200;

/// So many tests show what is usual.
const TESTS: usize = 100;

/// A variant that is to be tried.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub program: Program,
    /// The file that differs, as it is now.
    pub text: Vec<u8>,
    pub what: String,
    pub by: String,
    /// The evaluation of the witness that it blends, if it is a blend.
    pub blends: Option<u64>,
    /// The failing program with other arguments, if it is that.
    pub neighbour: Option<Neighbour>,
    /// Has it nothing to do with the failing program?
    pub is_unrelated: bool,
}

impl Variant {
    /// What must not be tried twice.
    pub fn key(&self) -> Cow<'_, [u8]> {
        match &self.neighbour {
            None => Cow::Borrowed(&self.text),
            Some(neighbour) => {
                let optimiser = neighbour.optimiser.as_deref().unwrap_or_default();
                Cow::Owned(format!("{}\0{optimiser}", neighbour.args.join("\0")).into_bytes())
            }
        }
    }

    pub fn differs(&self) -> Differs {
        match &self.neighbour {
            Some(neighbour) => neighbour.differs,
            None if self.is_unrelated => Differs::Unrelated,
            None => Differs::Program,
        }
    }
}

/// A program that is mutated.
struct Parent {
    program: Program,
    /// Its units, by the index of their file.
    hosts: Vec<(usize, Host)>,
    /// Of IR: what can be changed.
    variations: Vec<Variations>,
}

/// Makes variants by the moves of a method.
pub(crate) struct Moving<'a> {
    method: &'a Method,
    donors: &'a Donors<'a>,
    seed: Seed,
    library: Option<Library>,
    dialect_args: Vec<String>,
    pool: Pool,
    parents: Vec<Parent>,
    /// The order in which donors are taken.
    order: Vec<usize>,
    /// Those of them that show what is usual.
    tests: Range<usize>,
    /// Witnesses that have not been blended yet, by the evaluation that found them.
    to_blend: BTreeMap<u64, Program>,
    /// Arguments near the failing ones.
    neighbours: Neighbours,
    /// The lowest level, if it is wanted.
    lowest: Option<Neighbour>,
    /// Sequences of passes near the failing one.
    sequences: Option<Sequences>,
    failing: &'a Program,
}

impl<'a> Moving<'a> {
    pub fn new(
        subject: &'a Subject,
        settings: &Settings,
        donors: &'a Donors<'a>,
        scratch: &Path,
    ) -> Result<Moving<'a>, IsolateError> {
        let Settings { method, parameters, seed, .. } = settings;
        let (method, seed) = (*method, *seed);
        let file =
            || subject.program.units().map(|unit| unit.name.clone()).next().unwrap_or_default();
        let mut neighbours = Neighbours::new(match method.switches() {
            true => Switches::of(subject, scratch)?,
            false => Switches::default(),
        });
        if matches!(method.moves, Moves::Everything | Moves::Step) {
            neighbours = neighbours.with_steps();
        }
        if matches!(method.moves, Moves::Everything | Moves::Switches) {
            neighbours = neighbours.with_counters();
        }
        let sequences = match method.genetic(parameters) {
            Some(genetic) => {
                Some(Sequences::new(subject, method, genetic, seed.stream("sequences", 0))?)
            }
            None => None,
        };
        if method.moves == Moves::Switches && neighbours.is_empty() {
            let compiler = subject.fail.compiler.name.clone();
            return Err(IsolateError::NoSwitches(compiler, method.name.to_owned()));
        }
        // With arguments to vary, a program need not be one that can be.
        let is_varied = !neighbours.is_empty() || method.moves == Moves::Everything;
        let must_mutate = method.mutates() && !is_varied;
        if must_mutate && !subject.is_source() && !method.varies_ir() {
            return Err(IsolateError::NotSource { method: method.name.to_owned(), file: file() });
        }
        let needed = match method.moves {
            Moves::RandomPrograms => donors.random.is_some(),
            _ => !method.needs_tests() || !donors.tests.is_empty(),
        };
        if !needed {
            let why = donors.origin.clone();
            return Err(IsolateError::NoDonors(method.name.to_owned(), why));
        }
        let mut order: Vec<usize> = (0..donors.tests.len()).collect();
        seed.stream("donors", 0).shuffle(&mut order);
        let library = Library::find().ok();
        let mut dialect_args: Vec<String> = vec!["-Wno-everything".to_owned()];
        let standard = subject.program.standard.iter().map(|standard| format!("-std={standard}"));
        dialect_args.extend(standard);
        dialect_args.extend(subject.program.args.iter().cloned());
        let read = subject.fail.args.iter().filter(|arg| decides_reading(arg));
        dialect_args.extend(read.cloned());
        let mut moving = Moving {
            method,
            donors,
            seed,
            library,
            dialect_args,
            pool: Pool::default(),
            parents: Vec::new(),
            order,
            tests: 0..if settings.wants(Parameters::ask_tests) { TESTS } else { 0 },
            to_blend: BTreeMap::new(),
            neighbours,
            lowest: (method.moves == Moves::Everything).then(|| lowest(subject)),
            sequences,
            failing: &subject.program,
        };
        if method.mutates() && method.needs_tests() {
            moving.pool = moving.pool_of_tests();
        }
        if method.mutates() && (subject.is_source() || method.varies_ir()) {
            moving.replace_parents(std::iter::once(subject.program.clone()));
            if must_mutate && !moving.has_places() {
                let method = method.name.to_owned();
                return Err(IsolateError::NothingToMutate { method, file: file() });
            }
        }
        Ok(moving)
    }

    fn pool_of_tests(&self) -> Pool {
        let Some(library) = &self.library else { return Pool::default() };
        let chosen = self.order.iter().take(POOL).map(|&at| &self.donors.tests[at]);
        let dialect = Dialect {
            file_name: "donor.c".to_owned(),
            args: vec!["-Wno-everything".to_owned(), "-std=gnu89".to_owned()],
        };
        Pool::of(chosen.map(|donor| (donor.name.clone(), donor.text.clone())), &dialect, library)
    }

    fn has_places(&self) -> bool {
        if self.parents.iter().any(|parent| !parent.variations.is_empty()) {
            return true;
        }
        let hosts = self.parents.iter().flat_map(|parent| &parent.hosts);
        hosts
            .into_iter()
            .any(|(_, host)| mutate::rules().iter().any(|rule| mutate::applicable(host, rule) > 0))
    }

    /// How well the failing program is understood: why not as a tree, if it is not.
    pub fn token_level(&self) -> Option<String> {
        let mut hosts = self.parents.iter().flat_map(|parent| &parent.hosts);
        hosts.find_map(|(_, host)| match host.level() {
            Level::Tree => None,
            Level::Tokens(why) => Some(why.clone()),
        })
    }

    /// From now on these are mutated.
    pub fn replace_parents(&mut self, programs: impl Iterator<Item = Program>) {
        let parents: Vec<Parent> = programs.map(|program| self.parent(program)).collect();
        self.parents = parents;
    }

    fn parent(&self, program: Program) -> Parent {
        let units = (0..).zip(&program.files).filter(|(_, file)| {
            matches!(Language::of(&file.name), Some(Language::C | Language::Cxx))
        });
        let hosts = units.map(|(at, file)| {
            let dialect = Dialect { file_name: file.name.clone(), args: self.dialect_args.clone() };
            (at, Host::read(&file.bytes, &dialect, self.library.as_ref()))
        });
        let hosts = hosts.collect();
        let variations = match (&program.language, program.files.as_slice()) {
            (Language::Ir, [file]) => variations(&file.bytes),
            _ => Vec::new(),
        };
        Parent { program, hosts, variations }
    }

    /// A witness of a method that blends.
    pub fn blend_later(&mut self, evaluation: u64, program: Program) {
        self.to_blend.insert(evaluation, program);
    }

    /// A blend has become a witness: its origin needs no other.
    pub fn blended_well(&mut self, evaluation: u64) {
        self.to_blend.remove(&evaluation);
    }

    /// The variant of a move; nothing when the move can't be made.
    pub fn variant(&mut self, arm: usize, index: u64) -> Option<Variant> {
        let mut random = self.seed.stream("variant", index);
        match self.method.moves {
            Moves::Rules => self.by_rule(arm, &mut random),
            // Every other move is a blend, of each witness in turn until one succeeds (the paper first
            // ends the search, then blends; a search that may end at any moment can't).
            Moves::BlendedRules => {
                let waiting = self.to_blend.len() as u64;
                match (index / 2).checked_rem(waiting).filter(|_| index % 2 == 1) {
                    None => self.by_rule(arm, &mut random),
                    Some(turn) => {
                        let (evaluation, witness) = self.to_blend.iter().nth(turn as usize)?;
                        self.blended(*evaluation, witness, &mut random)
                    }
                }
            }
            Moves::Operators => self.by_operator(Operator::ALL[arm], &mut random),
            Moves::Sequences { .. } => {
                let neighbour = self.sequences.as_mut()?.ask()?;
                Some(Variant { text: neighbour.what.clone().into(), ..self.with(neighbour) })
            }
            Moves::Switches => self.by_switch(),
            Moves::Step => {
                let neighbour = self.neighbours.ask_step()?;
                Some(self.with(neighbour))
            }
            Moves::SwitchesThenOperators => {
                self.by_switch().or_else(|| self.by_change(arm, &mut random))
            }
            Moves::Everything => {
                let lowest = self.lowest.take().map(|lowest| self.with(lowest));
                let near = lowest.or_else(|| self.by_switch());
                // Tests and changes take turns.
                let is_turn = index.is_multiple_of(2);
                let near = near.or_else(|| is_turn.then(|| self.next_test()).flatten());
                near.or_else(|| self.by_change(arm, &mut random))
            }
            Moves::DeveloperTests => self.test(index as usize),
            Moves::RandomPrograms => {
                let program = (self.donors.random?)(index)?;
                let text = program.files.first().map(|file| file.bytes.clone())?;
                let what = format!("program {index}");
                let by = self.donors.random_origin.clone();
                let (blends, neighbour) = (None, None);
                Some(Variant { program, text, what, by, blends, neighbour, is_unrelated: true })
            }
        }
    }

    /// A developers' test as it is.
    fn test(&self, at: usize) -> Option<Variant> {
        let donor = &self.donors.tests[*self.order.get(at)?];
        Some(Variant {
            program: donor.program(),
            text: donor.text.clone(),
            what: donor.name.clone(),
            by: "developers' test".to_owned(),
            blends: None,
            neighbour: None,
            is_unrelated: true,
        })
    }

    /// The next of some tests that show what is usual.
    fn next_test(&mut self) -> Option<Variant> {
        let at = self.tests.next()?;
        self.test(at)
    }

    fn by_switch(&mut self) -> Option<Variant> {
        let neighbour = self.neighbours.ask()?;
        Some(self.with(neighbour))
    }

    /// The failing program with other arguments.
    fn with(&self, neighbour: Neighbour) -> Variant {
        let program = self.failing.clone();
        Variant {
            text: program.files.first().map(|file| file.bytes.clone()).unwrap_or_default(),
            program,
            what: neighbour.what.clone(),
            by: neighbour.differs.name().to_owned(),
            blends: None,
            neighbour: Some(neighbour),
            is_unrelated: false,
        }
    }

    /// A ladder on which the step was found since the last time.
    pub fn found(&mut self) -> Option<(usize, Rungs, usize)> {
        self.neighbours.found()
    }

    /// The pass that comes after so many.
    pub fn step_pass(&self, on: usize) -> Option<String> {
        self.neighbours.step_pass(on)
    }

    /// The pass that comes after so many, to be run alone.
    pub fn alone(&self, on: usize) -> Option<Alone> {
        self.neighbours.alone(on)
    }

    /// What is different when a ladder is left after so many steps.
    pub fn step_name(&self, rungs: &Rungs, on: usize) -> String {
        self.neighbours.step_name(rungs, on)
    }

    /// What became of a variant of the arguments, and what the compiler executed for it if it passes.
    pub fn tell(&mut self, neighbour: &Neighbour, told: Told, passing: Option<&Executed>) {
        self.neighbours.tell(&neighbour.which, told);
        if let Some(sequences) = &mut self.sequences {
            sequences.tell(&neighbour.which, passing);
        }
    }

    fn by_rule(&self, arm: usize, random: &mut Random) -> Option<Variant> {
        let rule = &mutate::rules()[arm];
        let (parent, at, host) = self.host(random)?;
        let mutant = mutate::mutate_by_rule(host, rule, random)?;
        Some(variant(parent, at, mutant, rule.name.clone()))
    }

    /// A small change of the program.
    fn by_change(&self, arm: usize, random: &mut Random) -> Option<Variant> {
        self.by_variation(random).or_else(|| self.by_operator(Operator::ALL[arm], random))
    }

    /// IR with a small change: of an evenly chosen sort, an evenly chosen one.
    fn by_variation(&self, random: &mut Random) -> Option<Variant> {
        let parents: Vec<&Parent> =
            self.parents.iter().filter(|parent| !parent.variations.is_empty()).collect();
        if parents.is_empty() {
            return None;
        }
        let parent = random.pick(&parents);
        let sort = random.pick(&parent.variations);
        let change = random.pick(&sort.changes);
        let mut program = parent.program.clone();
        let file = program.files.first_mut()?;
        let at = change.first()?.range.start;
        let line = file.bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        file.bytes = Edit::apply(change, &file.bytes);
        let (text, by) = (file.bytes.clone(), sort.name.to_owned());
        let what = format!("line {line}: {by}");
        let (blends, neighbour) = (None, None);
        Some(Variant { program, text, what, by, blends, neighbour, is_unrelated: false })
    }

    fn by_operator(&self, operator: Operator, random: &mut Random) -> Option<Variant> {
        let (parent, at, host) = self.host(random)?;
        let mutant = mutate::mutate_by_operator(host, operator, &self.pool, random)?;
        Some(variant(parent, at, mutant, operator.name().to_owned()))
    }

    fn blended(&self, evaluation: u64, witness: &Program, random: &mut Random) -> Option<Variant> {
        let parent = self.parent(witness.clone());
        let (at, host) = parent.hosts.first()?;
        let mutant = mutate::synthesise(host, &self.pool, random)?;
        let blend = variant(&parent, *at, mutant, "blend".to_owned());
        Some(Variant { blends: Some(evaluation), ..blend })
    }

    /// One of the units of one of the parents.
    fn host(&self, random: &mut Random) -> Option<(&Parent, usize, &Host)> {
        if self.parents.is_empty() {
            return None;
        }
        let parent = random.pick(&self.parents);
        if parent.hosts.is_empty() {
            return None;
        }
        let (at, host) = random.pick(&parent.hosts);
        Some((parent, *at, host))
    }
}

fn variant(parent: &Parent, at: usize, mutant: mutate::Mutant, by: String) -> Variant {
    let mut program = parent.program.clone();
    program.files[at].bytes.clone_from(&mutant.text);
    let (text, what) = (mutant.text, mutant.what);
    Variant { program, text, what, by, blends: None, neighbour: None, is_unrelated: false }
}
