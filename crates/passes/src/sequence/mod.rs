//! Sequences of passes: drawn at random, printed as a pipeline, read back.
//!
//! A sequence is a list of numbers, each a [`Step`] of an [`Alphabet`]: hundreds of thousands of them are
//! compared with each other before one is run.
//!
//! ```
//! use passes::catalogue::read_offered;
//! use passes::sequence::Alphabet;
//!
//! let list = "Module passes:\n  globaldce\nFunction passes:\n  gvn\n  sroa\nLoop passes:\n  licm\n";
//! let alphabet = Alphabet::useful(&read_offered(list));
//! let sequence = alphabet.read("function(sroa,loop-mssa(licm),gvn),globaldce").unwrap();
//! assert_eq!(sequence.len(), 4);
//! assert_eq!(alphabet.pipeline(&sequence), "function(sroa,loop-mssa(licm),gvn),globaldce");
//! ```

mod excluded;
mod misuse;
mod published;
mod random;

pub use excluded::{Excluded, Pattern, PatternError, frequent_pairs};
pub use misuse::{Misuse, misuse};
pub use published::{Gone, PublishedPass, candidates, published};
pub use random::Lengths;

use crate::catalogue::{Level, Need, Offered, Role, role};
use crate::pipeline::{Element, ParseError, Pipeline, parse};
use std::collections::BTreeMap;

/// Passes in the order in which they run, by their numbers in an [`Alphabet`].
pub type Sequence = Vec<u16>;

/// A pass as it stands in a pipeline.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// With its parameters: `early-cse<memssa>`, `require<memdep>`.
    pub text: String,
    /// The manager that runs it.
    pub manager: Manager,
    /// Passes that have to run right before it, in this order.
    pub before: Vec<String>,
    /// A pass that has to run at the start of the pipeline.
    pub start: Option<String>,
}

/// Who runs a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Manager {
    /// The pipeline itself.
    Module,
    /// `cgscc(…)`.
    Cgscc,
    /// `function(…)`.
    Function,
    /// `function(loop(…))`.
    Loop,
    /// `function(loop-mssa(…))`.
    LoopMssa,
}

impl Manager {
    /// The managers around a pass, from the outside.
    fn around(self) -> &'static [&'static str] {
        match self {
            Manager::Module => &[],
            Manager::Cgscc => &["cgscc"],
            Manager::Function => &["function"],
            Manager::Loop => &["function", "loop"],
            Manager::LoopMssa => &["function", "loop-mssa"],
        }
    }
}

/// The passes that sequences are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alphabet {
    steps: Vec<Step>,
    numbers: BTreeMap<(String, Manager), u16>,
}

/// Why a pipeline is no sequence of an alphabet.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no pipeline.
    #[error(transparent)]
    Pipeline(#[from] ParseError),
    /// A pass that the alphabet lacks.
    #[error("{name} is no pass that this version offers{}", match nearest {
        Some(nearest) => format!("; did you mean {nearest}?"),
        None => String::new(),
    })]
    Unknown {
        /// The pass.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
}

impl Alphabet {
    /// These steps; one that is there already is left out.
    #[must_use]
    pub fn new(all: impl IntoIterator<Item = Step>) -> Alphabet {
        let mut alphabet = Alphabet { steps: Vec::new(), numbers: BTreeMap::new() };
        for step in all {
            let key = (step.text.clone(), step.manager);
            if !alphabet.numbers.contains_key(&key) && alphabet.steps.len() < usize::from(u16::MAX)
            {
                alphabet.numbers.insert(key, alphabet.steps.len() as u16);
                alphabet.steps.push(step);
            }
        }
        alphabet
    }

    /// The passes with which something may happen to a C program.
    #[must_use]
    pub fn useful(offered: &[Offered]) -> Alphabet {
        let works = |one: &&Offered| !one.is_analysis && role(&one.name).0 == Role::Works;
        Alphabet::new(
            offered.iter().filter(works).map(|one| Step::of(&one.name, one.level, offered)),
        )
    }

    /// The steps, by number.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A step.
    #[must_use]
    pub fn step(&self, number: u16) -> &Step {
        &self.steps[usize::from(number)]
    }

    /// The number of the step with this text, wherever it runs.
    #[must_use]
    pub fn number(&self, text: &str) -> Option<u16> {
        self.steps.iter().position(|step| step.text == text).map(|at| at as u16)
    }

    /// A sequence as `-passes=` takes it: neighbours with the same manager share it.
    #[must_use]
    pub fn pipeline(&self, sequence: &[u16]) -> String {
        let mut pipeline = Pipeline::default();
        let mut starts: Vec<&str> = Vec::new();
        for &number in sequence {
            let step = self.step(number);
            if let Some(start) = &step.start
                && !starts.contains(&start.as_str())
            {
                starts.push(start);
            }
            for text in step.before.iter().chain([&step.text]) {
                append(&mut pipeline, step.manager.around(), text);
            }
        }
        let all: Vec<String> =
            starts.iter().map(|&start| start.to_owned()).chain([pipeline.to_string()]).collect();
        all.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(",")
    }

    /// The sequence that a pipeline prints.
    ///
    /// # Errors
    /// When it is none, or has a pass that the alphabet lacks.
    pub fn read(&self, text: &str) -> Result<Sequence, ReadError> {
        let mut passes = Vec::new();
        flatten(&parse(text)?, Manager::Module, &mut passes);
        let mut sequence: Sequence = Vec::new();
        let is_start =
            |text: &str| self.steps.iter().any(|step| step.start.as_deref() == Some(text));
        let starts = passes.iter().take_while(|(text, _)| is_start(text)).count();
        let mut rest = &passes[starts..];
        while let Some((text, manager)) = rest.first() {
            let (number, printed) = match self.with_needs(rest) {
                Some(found) => found,
                None => (self.find(text, *manager)?, 1),
            };
            sequence.push(number);
            rest = &rest[printed..];
        }
        Ok(sequence)
    }

    /// The pass that is printed with what it needs before it, and how many passes that are; of several the longest.
    fn with_needs(&self, passes: &[(String, Manager)]) -> Option<(u16, usize)> {
        let is_here = |step: &Step| {
            let all = step.before.iter().chain([&step.text]);
            passes.len() > step.before.len()
                && all
                    .zip(passes)
                    .all(|(text, (here, manager))| text == here && *manager == step.manager)
        };
        let needy = self.steps.iter().zip(0..).filter(|(step, _)| !step.before.is_empty());
        let here = needy.filter(|(step, _)| is_here(step));
        here.map(|(step, number)| (number, step.before.len() + 1)).max_by_key(|(_, len)| *len)
    }

    /// A pass in a manager that also takes it, such as a module's pass of several levels, is that one.
    fn find(&self, text: &str, manager: Manager) -> Result<u16, ReadError> {
        let key = (text.to_owned(), manager);
        self.numbers.get(&key).copied().or_else(|| self.number(text)).ok_or_else(|| {
            let names = self.steps.iter().map(|step| step.text.as_str());
            let nearest = base::nearest(text, names).map(str::to_owned);
            ReadError::Unknown { name: text.to_owned(), nearest }
        })
    }
}

/// A single pass, as [`pipeline::singles`](crate::pipeline::singles) gives it, with the managers that it needs
/// anywhere in a pipeline: only the first pass of a whole one may go without.
///
/// ```
/// use passes::{catalogue::read_offered, sequence::with_managers};
///
/// let offered = read_offered("Function passes:\n  gvn\nFunction analyses:\n  memdep\nLoop passes:\n  licm\n");
/// assert_eq!(with_managers("gvn", &offered), "function(gvn)");
/// assert_eq!(with_managers("loop-mssa(licm)", &offered), "function(loop-mssa(licm))");
/// assert_eq!(with_managers("require<memdep>", &offered), "function(require<memdep>)");
/// assert_eq!(with_managers("function<eager-inv>(gvn)", &offered), "function<eager-inv>(gvn)");
/// ```
#[must_use]
pub fn with_managers(single: &str, offered: &[Offered]) -> String {
    let name = single.split(['<', '(']).next().unwrap_or(single);
    let around: &[&str] = match name {
        "module" | "cgscc" | "function" => &[],
        "loop" | "loop-mssa" => &["function"],
        _ => {
            let parameter = single.split_once('<').map(|(_, rest)| rest.trim_end_matches('>'));
            let is_about_analysis = matches!(name, "require" | "invalidate");
            let is_it = |one: &&Offered| match is_about_analysis {
                true => one.is_analysis && Some(one.name.as_str()) == parameter,
                false => !one.is_analysis && one.name == name,
            };
            let found = offered.iter().find(is_it);
            found.map_or(&[], |one| Step::of(single, one.level, offered).manager.around())
        }
    };
    around.iter().rev().fold(single.to_owned(), |inner, manager| format!("{manager}({inner})"))
}

impl Step {
    /// A pass of this name and level, with all that it needs.
    #[must_use]
    pub fn of(text: &str, level: Level, offered: &[Offered]) -> Step {
        let name = text.split('<').next().unwrap_or(text);
        let need = role(name).1;
        let manager = match level {
            Level::Module | Level::Machine => Manager::Module,
            Level::Cgscc => Manager::Cgscc,
            Level::Function => Manager::Function,
            Level::Loop if need == Some(Need::LoopMssa) => Manager::LoopMssa,
            Level::Loop => Manager::Loop,
        };
        let is_offered = |name: &&str| offered.iter().any(|one| one.name == *name);
        let before = match need {
            Some(Need::Before(needs)) => {
                let each = needs.split('>').filter_map(|names| names.split('|').find(is_offered));
                each.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let start = match need {
            Some(Need::Start(pass)) => Some(pass.to_owned()),
            _ => None,
        };
        Step { text: text.to_owned(), manager, before, start }
    }
}

fn append(pipeline: &mut Pipeline, around: &[&str], text: &str) {
    let Some((outer, inner)) = around.split_first() else {
        let (name, list) = match text.split_once('<') {
            Some((name, list)) => (name, Some(list.strip_suffix('>').unwrap_or(list))),
            None => (text, None),
        };
        let (name, list) = (name.to_owned(), list.map(str::to_owned));
        pipeline.elements.push(Element { name, list, inner: None, range: 0..0 });
        return;
    };
    let is_open =
        pipeline.elements.last().is_some_and(|last| last.inner.is_some() && last.name == *outer);
    if !is_open {
        let inner = Some(Pipeline::default());
        let name = (*outer).to_owned();
        pipeline.elements.push(Element { name, list: None, inner, range: 0..0 });
    }
    let last = pipeline.elements.last_mut().and_then(|last| last.inner.as_mut());
    append(last.expect("made above"), inner, text);
}

fn flatten(pipeline: &Pipeline, manager: Manager, passes: &mut Vec<(String, Manager)>) {
    for element in &pipeline.elements {
        match (&element.inner, element.name.as_str()) {
            (None, _) => passes.push((element.to_string(), manager)),
            (Some(inner), "cgscc") => flatten(inner, Manager::Cgscc, passes),
            (Some(inner), "function") => flatten(inner, Manager::Function, passes),
            (Some(inner), "loop") => flatten(inner, Manager::Loop, passes),
            (Some(inner), "loop-mssa") => flatten(inner, Manager::LoopMssa, passes),
            (Some(inner), _) => flatten(inner, manager, passes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::read_offered;

    pub(super) fn alphabet() -> Alphabet {
        let list = "Module passes:\n  globaldce\n  globalopt\nCGSCC passes:\n  inline\nFunction passes:\n  \
            gvn\n  sroa\n  chr\n  lowerswitch\n  fix-irreducible\n  unify-loop-exits\n  structurizecfg\nFunction passes with params:\n  \
            early-cse<memssa>\nLoop passes:\n  licm\n  indvars\n  loop-rotate\n";
        Alphabet::useful(&read_offered(list))
    }

    fn sequence(alphabet: &Alphabet, names: &[&str]) -> Sequence {
        names.iter().map(|name| alphabet.number(name).unwrap()).collect()
    }

    #[test]
    fn sequences_print_as_pipelines_and_are_read_back() {
        let alphabet = alphabet();
        let check = |names: &[&str], text: &str| {
            let sequence = sequence(&alphabet, names);
            assert_eq!(alphabet.pipeline(&sequence), text);
            assert_eq!(alphabet.read(text), Ok(sequence));
        };
        check(&["globaldce"], "globaldce");
        check(&["gvn", "sroa", "inline"], "function(gvn,sroa),cgscc(inline)");
        check(&["gvn", "indvars", "loop-rotate"], "function(gvn,loop(indvars,loop-rotate))");
        check(&["indvars", "licm", "gvn"], "function(loop(indvars),loop-mssa(licm),gvn)");
        let whole = "lowerswitch,fix-irreducible,lowerswitch,unify-loop-exits,structurizecfg";
        check(&["structurizecfg"], &format!("function({whole})"));
        check(
            &["lowerswitch", "structurizecfg", "lowerswitch"],
            &format!("function(lowerswitch,{whole},lowerswitch)"),
        );
        check(
            &["fix-irreducible", "unify-loop-exits", "gvn"],
            "function(lowerswitch,fix-irreducible,lowerswitch,unify-loop-exits,gvn)",
        );
        check(
            &["gvn", "chr", "globalopt", "chr"],
            "require<profile-summary>,function(gvn,chr),globalopt,function(chr)",
        );
        assert_eq!(alphabet.read(""), Err(ReadError::Pipeline(parse("").unwrap_err())));
    }

    #[test]
    fn a_pass_that_is_not_there_is_named_with_the_nearest() {
        let error = alphabet().read("function(gvnn)").unwrap_err();
        assert_eq!(
            error.to_string(),
            "gvnn is no pass that this version offers; did you mean gvn?"
        );
        assert!(alphabet().read("function(").is_err());
    }
}
