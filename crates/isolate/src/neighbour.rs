//! Arguments one step away from the failing ones: an option or a pass of the compiler switched off.
//! Sequences of passes are `sequence`'s.

use crate::error::IsolateError;
use crate::ladder::{Ladder, Rungs};
use crate::subject::Subject;
use passes::catalogue::{Offered, read_offered};
use passes::pipeline::{flat, join, singles};
use passes::sequence::with_managers;
use search::Genes;
use std::path::Path;
use toolchain::family::{CountTo, NamedPasses, Stepping};
use toolchain::{
    Configuration, counted_transformations, enabled_options, enabled_passes, offered_passes,
    optimiser_pipeline,
};

/// What a witness differs in from the failing run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Differs {
    /// The program.
    Program,
    /// An option.
    Option,
    /// A pass.
    Pass,
    /// The sequence of passes.
    Sequence,
    /// The level: the lowest instead of the failing one.
    Level,
    /// The last step: all passes after it are off.
    Step,
    /// That step alone, on what the steps before it leave; beside nothing.
    Alone,
    /// The last transformation that a counter lets happen.
    Counter,
    /// All of it: a program that has nothing to do with the failing one.
    Unrelated,
}

impl Differs {
    /// What it is.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Differs::Program => "program",
            Differs::Option => "option",
            Differs::Pass => "pass",
            Differs::Sequence => "sequence",
            Differs::Level => "level",
            Differs::Step => "step",
            Differs::Alone => "alone",
            Differs::Counter => "counter",
            Differs::Unrelated => "unrelated",
        }
    }

    /// What was done, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Differs::Program => "program changed",
            Differs::Option => "option off",
            Differs::Pass => "pass off",
            Differs::Sequence => "other sequence",
            Differs::Level => "lowest level",
            Differs::Step => "later passes off",
            Differs::Alone => "the step alone",
            Differs::Counter => "transformations off",
            Differs::Unrelated => "unrelated program",
        }
    }
}

/// Something that can be switched off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Switch {
    pub differs: Differs,
    pub off: Off,
}

/// How something is switched off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Off {
    /// By an argument.
    Argument(String),
    /// The pass at this place of the pipeline is left out.
    LeaveOut(usize),
}

/// The failing arguments, and what can be switched off.
#[derive(Clone, Debug, Default)]
pub(crate) struct Switches {
    pub args: Vec<String>,
    /// The passes that the optimiser runs, each as a pipeline of its own; empty where they have names of their own.
    pub pipeline: Vec<String>,
    /// Which argument is the pipeline; nothing if a level stands for it.
    pub place: Option<usize>,
    /// A pipeline that does nothing.
    pub nothing: String,
    pub switches: Vec<Switch>,
    /// Counters of transformations, each with how far it goes.
    pub counters: Vec<(String, u64)>,
    /// The argument that lets a counter go so far.
    pub count_to: Option<CountTo>,
}

impl Switches {
    /// All that the failing arguments switch on and the lowest level does without.
    pub(crate) fn of(subject: &Subject, scratch: &Path) -> Result<Switches, IsolateError> {
        match subject.fail.compiler.family.stepping() {
            Stepping::Named(passes) => Switches::named(subject, &passes, scratch),
            Stepping::Counted(_) => Switches::in_pipeline(&subject.fail, scratch),
            Stepping::None => Ok(Switches::default()),
        }
    }

    fn named(
        subject: &Subject,
        passes: &NamedPasses,
        scratch: &Path,
    ) -> Result<Switches, IsolateError> {
        let fail = &subject.fail;
        let lowest = fail.lowest();
        let (before, mut options) =
            (enabled_options(&lowest, passes)?, enabled_options(fail, passes)?);
        options.retain(|option| !before.contains(option) || fail.args.contains(option));
        let listed = |configuration| {
            let limits = subject.compiler_limits();
            enabled_passes(configuration, &subject.program, passes, limits, scratch)
        };
        let (before, mut on) = (listed(&lowest)?, listed(fail)?);
        on.retain(|pass| !before.contains(pass) && !passes.essential.contains(&pass.as_str()));
        let by = |differs, off| Switch { differs, off: Off::Argument(off) };
        let options =
            options.iter().map(|option| by(Differs::Option, (passes.without_option)(option)));
        let on = on.iter().map(|pass| by(Differs::Pass, (passes.without)(pass, None)));
        let switches = options.chain(on).collect();
        let (program, limits) = (&subject.program, subject.compiler_limits());
        let counters = counted_transformations(fail, program, passes, limits, scratch)?;
        let count_to = Some(passes.count_to);
        let args = fail.args.clone();
        Ok(Switches { args, switches, counters, count_to, ..Switches::default() })
    }

    fn in_pipeline(fail: &Configuration, scratch: &Path) -> Result<Switches, IsolateError> {
        let args = fail.args.clone();
        let family = fail.compiler.family;
        let place = args.iter().position(|arg| family.pipeline_in(arg).is_some());
        let nothing = family.ir_references().first().and_then(|arg| family.pipeline_in(arg));
        let nothing = nothing.unwrap_or_default().to_owned();
        let Some(text) = optimiser_pipeline(fail, scratch)? else {
            return Ok(Switches { args, place, ..Switches::default() });
        };
        let pipeline = passes_of(&text, &read_offered(&offered_passes(&fail.compiler)?))?;
        let differs = Differs::Pass;
        let switches = (0..pipeline.len()).map(|at| Switch { differs, off: Off::LeaveOut(at) });
        // What is left out must leave something.
        let switches = if pipeline.len() > 1 { switches.collect() } else { Vec::new() };
        Ok(Switches { args, pipeline, place, nothing, switches, ..Switches::default() })
    }

    /// What is switched off.
    fn name(&self, off: &Off) -> String {
        match off {
            Off::Argument(arg) => arg.clone(),
            Off::LeaveOut(at) => format!("without {}", self.pipeline[*at]),
        }
    }

    /// The failing arguments without some of what they switch on.
    fn without(&self, off: &[&Off], differs: Differs, which: Which) -> Neighbour {
        let mut args = self.args.clone();
        let mut what: Vec<String> = Vec::new();
        let mut left: Vec<Option<&String>> = self.pipeline.iter().map(Some).collect();
        for one in off {
            match one {
                Off::Argument(arg) => args.push(arg.clone()),
                Off::LeaveOut(at) => left[*at] = None,
            }
            what.push(self.name(one));
        }
        let left: Vec<String> = left.into_iter().flatten().cloned().collect();
        let pipeline = match left.is_empty() {
            true => Some(self.nothing.clone()),
            false => join(&left),
        };
        let pipeline = pipeline.filter(|_| left.len() < self.pipeline.len());
        let mut optimiser = None;
        match (self.place, pipeline) {
            (Some(at), Some(pipeline)) => args[at] = with_pipeline(&args[at], &pipeline),
            (None, pipeline) => optimiser = pipeline,
            (Some(_), None) => {}
        }
        Neighbour { differs, args, optimiser, what: what.join(" "), which }
    }
}

/// The lowest level: what runs there too has little to do with the bug.
pub(crate) fn lowest(subject: &Subject) -> Neighbour {
    let args = subject.fail.lowest().args;
    let what = args.join(" ");
    Neighbour { differs: Differs::Level, args, optimiser: None, what, which: Which::Level }
}

/// The passes of a pipeline, each as a pipeline of its own.
pub(crate) fn passes_of(text: &str, offered: &[Offered]) -> Result<Vec<String>, IsolateError> {
    let singles = singles(text).map_err(|error| IsolateError::Pipeline(text.to_owned(), error))?;
    Ok(singles.iter().map(|single| with_managers(single, offered)).collect())
}

/// An argument with another pipeline: `-passes=a` and `--passes=a` alike.
pub(crate) fn with_pipeline(arg: &str, pipeline: &str) -> String {
    let name = arg.split('=').next().unwrap_or_default();
    format!("{name}={pipeline}")
}

/// Switches in the order in which they are tried: each alone; then all that do not matter off together, which
/// is the smallest failing run, and from there each that matters (ODFL's construction).
#[derive(Debug)]
pub(crate) struct Neighbours {
    all: Switches,
    /// How many were tried alone.
    asked: usize,
    /// Searches for the step with which it begins to fail.
    ladders: Vec<Ladder>,
    /// What became of each alone.
    alone: Vec<Option<Told>>,
    /// The base that is tried next, or the one that fails.
    base: Base,
    /// Of those that matter, the next to be switched off from the base.
    next: usize,
}

/// How many sorts of bases there are to try.
const KINDS_OF_BASES: usize = 4;

/// What became of a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Told {
    Passes,
    Fails,
    Neither,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Base {
    /// Not asked yet: so many kinds of switches were tried.
    Wanted(usize),
    /// Under way.
    Asked(usize, Vec<Off>),
    /// It fails.
    Fails(Vec<Off>),
    /// No base fails.
    None,
}

/// A neighbour to be tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Neighbour {
    pub differs: Differs,
    /// All arguments.
    pub args: Vec<String>,
    /// The pipeline in the place of the one that the arguments stand for.
    pub optimiser: Option<String>,
    /// What is different about them.
    pub what: String,
    /// Which one, for whoever made it.
    pub which: Which,
}

/// A step, with what comes before it, as pipelines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Alone {
    pub before: String,
    pub step: String,
    /// A pipeline that does nothing.
    pub nothing: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Level,
    /// So many steps of a ladder, all later ones off.
    Step {
        ladder: usize,
        on: usize,
    },
    Alone(usize),
    Base,
    FromBase,
    Sequence(Genes),
}

impl Neighbours {
    pub(crate) fn new(all: Switches) -> Neighbours {
        let alone = vec![None; all.switches.len()];
        Neighbours { all, asked: 0, ladders: Vec::new(), alone, base: Base::Wanted(0), next: 0 }
    }

    /// The same, looking also for the pass with which it begins to fail.
    pub(crate) fn with_steps(mut self) -> Neighbours {
        self.ladders.push(Ladder::new(Rungs::Passes, self.passes().count()));
        self
    }

    /// The same, looking also for the transformations with which it begins to fail.
    pub(crate) fn with_counters(mut self) -> Neighbours {
        let counters = self.all.counters.iter();
        let ladders = counters.map(|(name, value)| {
            Ladder::new(Rungs::Counted(name.clone()), usize::try_from(*value).unwrap_or(usize::MAX))
        });
        self.ladders.extend(ladders);
        self
    }

    /// The passes, in the order in which they run.
    fn passes(&self) -> impl Iterator<Item = Off> {
        let switches = self.all.switches.iter();
        let named = switches.filter(|switch| switch.differs == Differs::Pass);
        let named =
            named.map(|switch| switch.off.clone()).take_while(|_| self.all.pipeline.is_empty());
        named.chain((0..self.all.pipeline.len()).map(Off::LeaveOut))
    }

    /// The pass that comes after so many.
    pub(crate) fn step_pass(&self, on: usize) -> Option<String> {
        match self.passes().nth(on)? {
            Off::Argument(arg) => arg.strip_prefix("-fdisable-").map(str::to_owned),
            Off::LeaveOut(at) => flat(&self.all.pipeline[at]).pop(),
        }
    }

    /// What is different when a ladder is left after so many steps instead of one more.
    pub(crate) fn step_name(&self, rungs: &Rungs, on: usize) -> String {
        match rungs {
            Rungs::Passes => {
                let pass = self.passes().nth(on);
                let name = pass.map_or_else(String::new, |off| self.all.name(&off));
                format!("{name}, with all later passes off")
            }
            Rungs::Counted(name) => {
                format!("{name} counted to {on} instead of {}", on + 1)
            }
        }
    }

    /// The pass that comes after so many, to be run alone.
    pub(crate) fn alone(&self, on: usize) -> Option<Alone> {
        let (before, rest) = self.all.pipeline.split_at_checked(on)?;
        let nothing = self.all.nothing.clone();
        let before = if before.is_empty() { Some(nothing.clone()) } else { join(before) };
        Some(Alone { before: before?, step: rest.first()?.clone(), nothing })
    }

    /// A ladder on which the step was found since the last time: which, what it is made of, and how many steps
    /// before it.
    pub(crate) fn found(&mut self) -> Option<(usize, Rungs, usize)> {
        let mut ladders = self.ladders.iter_mut().enumerate();
        ladders.find_map(|(at, ladder)| {
            let on = ladder.steps.found().filter(|_| !ladder.is_known)?;
            ladder.is_known = true;
            Some((at, ladder.rungs.clone(), on))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.switches.is_empty()
    }

    /// The next of the searches for a step.
    pub(crate) fn ask_step(&mut self) -> Option<Neighbour> {
        let mut ladders = self.ladders.iter_mut().enumerate();
        let (ladder, on) = ladders.find_map(|(at, one)| Some((at, one.steps.ask()?)))?;
        let which = Which::Step { ladder, on };
        match &self.ladders[ladder].rungs {
            Rungs::Passes => {
                let off: Vec<Off> = self.passes().skip(on).collect();
                let off: Vec<&Off> = off.iter().collect();
                let neighbour = self.all.without(&off, Differs::Step, which);
                Some(Neighbour { what: format!("the first {on} passes"), ..neighbour })
            }
            Rungs::Counted(name) => {
                let stop = (self.all.count_to?)(&[(name, on as u64)]);
                let mut args = self.all.args.clone();
                args.push(stop.clone());
                let (differs, optimiser) = (Differs::Counter, None);
                Some(Neighbour { differs, args, optimiser, what: stop, which })
            }
        }
    }

    /// The next neighbour; nothing when there are no more, or answers are awaited.
    pub(crate) fn ask(&mut self) -> Option<Neighbour> {
        if let Some(neighbour) = self.ask_step() {
            return Some(neighbour);
        }
        if let Some(Switch { differs, off }) = self.all.switches.get(self.asked) {
            let neighbour = self.all.without(&[off], *differs, Which::Alone(self.asked));
            self.asked += 1;
            return Some(neighbour);
        }
        if self.alone.iter().any(Option::is_none) {
            return None;
        }
        match self.base.clone() {
            Base::Wanted(tried) => {
                // With nothing off it is the failing run itself.
                let wanted = (tried..KINDS_OF_BASES)
                    .map(|tried| (tried, self.free(tried).into_iter().cloned().collect()))
                    .find(|(_, free): &(usize, Vec<Off>)| !free.is_empty());
                let Some((tried, free)) = wanted else {
                    self.base = Base::None;
                    return None;
                };
                let off: Vec<&Off> = free.iter().collect();
                let base = self.all.without(&off, Differs::Option, Which::Base);
                self.base = Base::Asked(tried, free);
                Some(base)
            }
            Base::Asked(..) | Base::None => None,
            Base::Fails(base) => {
                let Switch { differs, off } = self.told(Told::Passes).nth(self.next)?.1;
                let all: Vec<&Off> = base.iter().chain([off]).collect();
                let neighbour = self.all.without(&all, *differs, Which::FromBase);
                let what = format!("{}, with all off that it fails without", self.all.name(off));
                self.next += 1;
                Some(Neighbour { what, ..neighbour })
            }
        }
    }

    /// The switches of which this became alone, with their places.
    fn told(&self, wanted: Told) -> impl Iterator<Item = (usize, &Switch)> {
        let all = self.all.switches.iter().zip(&self.alone).enumerate();
        all.filter(move |(_, (_, told))| **told == Some(wanted))
            .map(|(at, (switch, _))| (at, switch))
    }

    /// What does not matter alone: all of it; failing that, options only, passes only, what comes after all that
    /// matters.
    fn free(&self, tried: usize) -> Vec<&Off> {
        let last = self.told(Told::Passes).map(|(at, _)| at).max().unwrap_or_default();
        let is_meant: &dyn Fn(usize, Differs) -> bool = match tried {
            0 => &|_, _| true,
            1 => &|_, differs| differs == Differs::Option,
            2 => &|_, differs| differs == Differs::Pass,
            _ => &|at, _| at > last,
        };
        let free = self.told(Told::Fails).filter(|(at, switch)| is_meant(*at, switch.differs));
        free.map(|(_, switch)| &switch.off).collect()
    }

    /// What became of a neighbour.
    pub(crate) fn tell(&mut self, which: &Which, told: Told) {
        match which {
            Which::Alone(index) => self.alone[*index] = Some(told),
            Which::Base => {
                let Base::Asked(tried, more) = self.base.clone() else { return };
                self.base = match told {
                    Told::Fails => Base::Fails(more),
                    _ => Base::Wanted(tried + 1),
                };
            }
            Which::Step { ladder, on } => self.ladders[*ladder].steps.tell(*on, told),
            Which::FromBase | Which::Sequence(_) | Which::Level => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours() -> Neighbours {
        let switch = |differs, off: &str| Switch { differs, off: Off::Argument(off.to_owned()) };
        let switches = vec![
            switch(Differs::Option, "-fno-a"),
            switch(Differs::Option, "-fno-b"),
            switch(Differs::Pass, "-fdisable-c"),
        ];
        let args = vec!["-O2".to_owned()];
        Neighbours::new(Switches { args, switches, ..Switches::default() })
    }

    fn more(neighbour: Option<Neighbour>) -> Option<(Which, String)> {
        neighbour.map(|one| (one.which, one.what))
    }

    #[test]
    fn each_is_tried_alone_then_from_the_smallest_failing_base() {
        let mut all = neighbours();
        let alone: Vec<String> = (0..3).map(|_| all.ask().unwrap().args.join(" ")).collect();
        assert_eq!(alone, ["-O2 -fno-a", "-O2 -fno-b", "-O2 -fdisable-c"]);
        assert_eq!(all.ask(), None, "answers are awaited");
        for (at, told) in [Told::Passes, Told::Fails, Told::Fails].into_iter().enumerate() {
            all.tell(&Which::Alone(at), told);
        }
        assert_eq!(more(all.ask()), Some((Which::Base, "-fno-b -fdisable-c".to_owned())));
        assert_eq!(all.ask(), None);
        all.tell(&Which::Base, Told::Passes);
        assert_eq!(more(all.ask()), Some((Which::Base, "-fno-b".to_owned())));
        all.tell(&Which::Base, Told::Fails);
        assert_eq!(
            more(all.ask()),
            Some((Which::FromBase, "-fno-a, with all off that it fails without".to_owned()))
        );
        assert_eq!(all.ask(), None);
    }

    #[test]
    fn counters_are_taken_to_the_transformation_that_matters() {
        let all = Switches {
            args: vec!["-O2".to_owned()],
            counters: vec![("dce".to_owned(), 9), ("match".to_owned(), 40)],
            count_to: Some(|to| format!("{}:{}", to[0].0, to[0].1)),
            ..Switches::default()
        };
        let mut all = Neighbours::new(all).with_counters();
        let mut asked = Vec::new();
        while let Some(Neighbour { args, which, .. }) = all.ask() {
            let Which::Step { ladder, on } = which else { panic!() };
            asked.push(args.join(" "));
            // The first does not matter; the second does from its 12th transformation on.
            let told = if ladder == 0 || on > 11 { Told::Fails } else { Told::Passes };
            all.tell(&which, told);
        }
        assert_eq!(asked[..2], ["-O2 dce:0", "-O2 match:0"]);
        assert_eq!(all.found(), Some((1, Rungs::Counted("match".to_owned()), 11)));
        assert_eq!(all.found(), None, "it is told once");
    }

    #[test]
    fn without_a_failing_base_there_is_nothing_more() {
        let mut all = neighbours();
        for at in 0..3 {
            all.ask().unwrap();
            all.tell(&Which::Alone(at), Told::Fails);
        }
        for base in
            ["-fno-a -fno-b -fdisable-c", "-fno-a -fno-b", "-fdisable-c", "-fno-b -fdisable-c"]
        {
            assert_eq!(more(all.ask()), Some((Which::Base, base.to_owned())));
            all.tell(&Which::Base, Told::Neither);
        }
        assert_eq!(all.ask(), None);
        assert_eq!(all.ask(), None);
    }

    #[test]
    fn passes_are_left_out_of_a_pipeline() {
        let pipeline = ["function(sroa)", "function(gvn)", "globaldce"].map(str::to_owned).to_vec();
        let switch = |at| Switch { differs: Differs::Pass, off: Off::LeaveOut(at) };
        let mut switches = Switches {
            args: ["-passes=default<O1>", "-x"].map(str::to_owned).to_vec(),
            pipeline,
            place: Some(0),
            nothing: "verify".to_owned(),
            switches: (0..3).map(switch).collect(),
            ..Switches::default()
        };
        let asked = |switches: Switches, at: usize| {
            let mut all = Neighbours::new(switches);
            std::iter::from_fn(|| all.ask()).nth(at).unwrap()
        };
        let one = asked(switches.clone(), 1);
        assert_eq!(one.args, ["-passes=function(sroa),globaldce", "-x"]);
        assert_eq!((one.optimiser, one.what.as_str()), (None, "without function(gvn)"));
        let none = Neighbours::new(switches.clone()).with_steps().ask().unwrap();
        assert_eq!(none.args, ["-passes=verify", "-x"]);
        // A level stands for the pipeline.
        (switches.args, switches.place) = (vec!["-O1".to_owned()], None);
        let one = asked(switches, 2);
        assert_eq!(one.args, ["-O1"]);
        assert_eq!(one.optimiser.as_deref(), Some("function(sroa,gvn)"));
    }
}
