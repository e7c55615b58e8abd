//! The methods by name: the papers' and their variants.

use crate::neighbour::Differs;
use crate::ranking::Aggregate;
use base::Random;
use mutate::Operator;
use search::{A2c, A2cSettings, GeneticSettings, Metropolis, RandomChoice, Strategy};

/// How witnesses are made, chosen and judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// Whose it is.
    pub origin: &'static str,
    /// In a line.
    pub about: &'static str,
    /// What a move is.
    pub moves: Moves,
    /// How moves are chosen.
    pub chooses: Chooses,
    /// Which passing programs become witnesses.
    pub accepts: Accepts,
    /// What a file's score is made of.
    pub aggregate: Aggregate,
}

/// What a move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// One of DiWi's 132 rules.
    Rules,
    /// The same; and each witness is blended with a developers' test, and only the blends count.
    BlendedRules,
    /// One of RecBi's ten operators.
    Operators,
    /// No change: developers' tests as they are.
    DeveloperTests,
    /// No change: random programs.
    RandomPrograms,
    /// The failing program with options and passes switched off.
    Switches,
    /// The same, then RecBi's operators on the program.
    SwitchesThenOperators,
    /// Only the step with which it begins to fail.
    Step,
    /// The lowest level, the step with which it begins to fail, and all of the former.
    Everything,
    /// The failing program with other sequences of passes (LocSeq).
    Sequences {
        /// Are they bred? Otherwise they are drawn.
        breeds: bool,
        /// Do they keep all passes of the failing sequence?
        constrained: bool,
    },
}

/// How moves are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooses {
    /// Each as likely.
    Evenly,
    /// By Metropolis-Hastings (DiWi 4.2.2).
    Metropolis,
    /// By advantage actor-critic (RecBi 3.2).
    A2c,
}

/// Which passing programs become witnesses. A text that was tried before never does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accepts {
    /// All (LocSeq's Algorithm 1, line 17).
    All,
    /// Those for which the compiler does not execute the very same as for a witness (DiWi's Algorithm 1, line 12).
    New,
    /// Of these, those that do not make the set worse (RecBi's formula 5).
    Gainful,
}

const MEAN: Aggregate = Aggregate::MeanOfLines;

/// All methods.
pub const METHODS: [Method; 19] = [
    Method {
        name: "diwi",
        origin: "DiWi",
        about: "132 local rules, chosen by Metropolis-Hastings",
        moves: Moves::Rules,
        chooses: Chooses::Metropolis,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "diwi-rand",
        origin: "DiWi 5.4",
        about: "132 local rules, chosen evenly",
        moves: Moves::Rules,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "diwi-synth",
        origin: "DiWi 5.6.4",
        about: "DiWi's witnesses, blended with statements of developers' tests",
        moves: Moves::BlendedRules,
        chooses: Chooses::Metropolis,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "recbi",
        origin: "RecBi",
        about: "ten operators, four of them structural, chosen by advantage actor-critic",
        moves: Moves::Operators,
        chooses: Chooses::A2c,
        accepts: Accepts::Gainful,
        aggregate: MEAN,
    },
    Method {
        name: "recbi-mh",
        origin: "RecBi 4.3.1",
        about: "ten operators, chosen by Metropolis-Hastings",
        moves: Moves::Operators,
        chooses: Chooses::Metropolis,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "recbi-rand",
        origin: "RecBi 4.3.1",
        about: "ten operators, chosen evenly",
        moves: Moves::Operators,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "recbi-filter",
        origin: "RecBi 4.3.1",
        about: "ten operators, chosen evenly; witnesses that lower the quality are left out",
        moves: Moves::Operators,
        chooses: Chooses::Evenly,
        accepts: Accepts::Gainful,
        aggregate: MEAN,
    },
    Method {
        name: "dev",
        origin: "DiWi 5.4 (SBFL-a-dev), RecBi 4.3.1 (Dev)",
        about: "developers' tests as passing programs",
        moves: Moves::DeveloperTests,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "sbfl-rand",
        origin: "DiWi 5.4 (SBFL-a-rand)",
        about: "random programs as passing programs",
        moves: Moves::RandomPrograms,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "sbfl",
        origin: "DiWi 5.4 (SBFL)",
        about: "developers' tests as passing programs, a file executed or not",
        moves: Moves::DeveloperTests,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: Aggregate::WholeFile,
    },
    Method {
        name: "locseq",
        origin: "LocSeq",
        about: "sequences of LLVM's passes that keep those of the failing one, by a genetic algorithm",
        moves: Moves::Sequences { breeds: true, constrained: true },
        chooses: Chooses::Evenly,
        accepts: Accepts::All,
        aggregate: MEAN,
    },
    Method {
        name: "locseq-r",
        origin: "LocSeq IV-C (LocSeq_r)",
        about: "the same, drawn evenly",
        moves: Moves::Sequences { breeds: false, constrained: true },
        chooses: Chooses::Evenly,
        accepts: Accepts::All,
        aggregate: MEAN,
    },
    Method {
        name: "locseq-rwc",
        origin: "LocSeq IV-C (LocSeq_rwc)",
        about: "any sequences, drawn evenly",
        moves: Moves::Sequences { breeds: false, constrained: false },
        chooses: Chooses::Evenly,
        accepts: Accepts::All,
        aggregate: MEAN,
    },
    Method {
        name: "locseq-wc",
        origin: "LocSeq IV-C (LocSeq_wc)",
        about: "any sequences, by a genetic algorithm",
        moves: Moves::Sequences { breeds: true, constrained: false },
        chooses: Chooses::Evenly,
        accepts: Accepts::All,
        aggregate: MEAN,
    },
    Method {
        name: "options",
        origin: "ODFL's construction",
        about: "options and passes switched off one by one, and from the smallest failing set of them",
        moves: Moves::Switches,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: MEAN,
    },
    Method {
        name: "vote",
        origin: "whodunit",
        about: "options, passes and programs as witnesses; blame by vote",
        moves: Moves::SwitchesThenOperators,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: Aggregate::Votes,
    },
    Method {
        name: "pass-first",
        origin: "baseline",
        about: "the own file of the first bad pass, or of the one that a crash names; nothing else",
        moves: Moves::Step,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: Aggregate::FirstBadPass,
    },
    Method {
        name: "message-first",
        origin: "baseline",
        about: "the file that the message of a crash names; nothing else",
        moves: Moves::Step,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: Aggregate::Message,
    },
    Method {
        name: "combined",
        origin: "whodunit",
        about: "the first bad step, options, passes and programs as witnesses; blame by all of them",
        moves: Moves::Everything,
        chooses: Chooses::Evenly,
        accepts: Accepts::New,
        aggregate: Aggregate::Blame,
    },
];

impl Method {
    /// The method of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|method| method.name == name)
    }

    /// Does it need developers' tests?
    #[must_use]
    pub fn needs_tests(&self) -> bool {
        match self.moves {
            Moves::BlendedRules
            | Moves::Operators
            | Moves::SwitchesThenOperators
            | Moves::Everything
            | Moves::DeveloperTests => true,
            Moves::Rules
            | Moves::RandomPrograms
            | Moves::Switches
            | Moves::Step
            | Moves::Sequences { .. } => false,
        }
    }

    /// Does it need random programs?
    #[must_use]
    pub fn needs_random(&self) -> bool {
        self.moves == Moves::RandomPrograms
    }

    /// Does it change the failing program?
    #[must_use]
    pub fn mutates(&self) -> bool {
        matches!(
            self.moves,
            Moves::Rules
                | Moves::BlendedRules
                | Moves::Operators
                | Moves::SwitchesThenOperators
                | Moves::Everything
        )
    }

    /// Does it change LLVM IR as well as C?
    #[must_use]
    pub fn varies_ir(&self) -> bool {
        matches!(self.moves, Moves::SwitchesThenOperators | Moves::Everything)
    }

    /// Does it vary the failing arguments?
    #[must_use]
    pub fn switches(&self) -> bool {
        matches!(
            self.moves,
            Moves::Switches | Moves::SwitchesThenOperators | Moves::Step | Moves::Everything
        )
    }

    /// Is it about sequences of passes? Then it looks at what the optimiser gets and does.
    #[must_use]
    pub fn is_about_sequences(&self) -> bool {
        matches!(self.moves, Moves::Sequences { .. })
    }

    /// Does it weigh different kinds of evidence against one another?
    #[must_use]
    pub fn weighs(&self) -> bool {
        self.aggregate == Aggregate::Blame
    }

    /// How sequences are made, if it is about them.
    pub(crate) fn genetic(&self, parameters: &Parameters) -> Option<GeneticSettings> {
        let Moves::Sequences { breeds, constrained } = self.moves else { return None };
        let Parameters { crossover, mutation, .. } = *parameters;
        let settings = GeneticSettings::default();
        Some(GeneticSettings { crossover, mutation, breeds, constrained, ..settings })
    }

    /// Does it learn from what else fails?
    #[must_use]
    pub fn wants_failing(&self) -> bool {
        self.switches()
    }

    /// The strategy that chooses among its moves.
    pub(crate) fn strategy(&self, parameters: &Parameters, random: Random) -> Box<dyn Strategy> {
        let arms = match self.moves {
            Moves::Rules | Moves::BlendedRules => mutate::rules().len(),
            Moves::Operators | Moves::SwitchesThenOperators | Moves::Everything => {
                Operator::ALL.len()
            }
            Moves::DeveloperTests
            | Moves::RandomPrograms
            | Moves::Switches
            | Moves::Step
            | Moves::Sequences { .. } => 1,
        };
        match self.chooses {
            Chooses::Evenly => Box::new(RandomChoice::new(arms, random)),
            Chooses::Metropolis => Box::new(Metropolis::new(arms, random).with_p(parameters.p)),
            Chooses::A2c => {
                let settings = A2cSettings {
                    discount: parameters.gamma,
                    learning_rate: parameters.beta,
                    steps: parameters.u,
                    ..A2cSettings::default()
                };
                Box::new(A2c::new(arms, settings, random))
            }
        }
    }
}

/// The papers' parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameters {
    /// DiWi's probability of a success; 0.023 (5.2).
    pub p: f64,
    /// RecBi's weight of diversity against similarity; 0.8 (4.2).
    pub alpha: f64,
    /// RecBi's number of steps between lessons; 5 (4.2).
    pub u: usize,
    /// RecBi's weight of future rewards; 0.9 (4.2).
    pub gamma: f64,
    /// RecBi's learning rate; 0.01 (4.2).
    pub beta: f64,
    /// LocSeq's probability that two sequences exchange their ends; 0.5 (IV-A).
    pub crossover: f64,
    /// LocSeq's probability that a sequence is changed; 0.3 (IV-A).
    pub mutation: f64,
    /// How far what another failing run of the same program does without is acquitted; `combined`, 0 to 1.
    pub acquit: f64,
    /// How far what runs at the lowest level too is acquitted; `combined`, 0 to 1.
    pub lowest: f64,
    /// How far what reports a crash is acquitted; `combined`, 0 to 1.
    pub report: f64,
    /// The weight of the step with which it begins to fail; `combined`.
    pub step: f64,
    /// The weight of that step alone, on what the steps before it leave; `combined`.
    pub alone: f64,
    /// How much it counts that a witness executes something less often, where it executes it at all; `combined`.
    pub counts: f64,
    /// The weight of options as witnesses; `combined`.
    pub options: f64,
    /// The weight of passes as witnesses; `combined`.
    pub passes: f64,
    /// The weight of counted transformations as witnesses; `combined`.
    pub counters: f64,
    /// The weight of programs as witnesses; `combined`.
    pub programs: f64,
    /// How far what unrelated programs execute is acquitted, by their share; `combined`, 0 to 1.
    pub usual: f64,
    /// The weight of what few unrelated programs execute; `combined`.
    pub unusual: f64,
    /// A file's blame is divided by the number of its edges to this power; `combined`.
    pub size: f64,
    /// The weight of the own file of the pass with which it begins to fail; `combined`.
    pub own: f64,
    /// How far other files of that pass share it, by their blame; `combined`, 0 to 1.
    pub kin: f64,
    /// The weight of the file that a crash's message names; `combined`.
    pub named: f64,
    /// The weight of the own file of the pass that a crash's message names; `combined`.
    pub named_pass: f64,
    /// Moves under way at once. The papers have one after the other; their choice of the next then sees
    /// every earlier one. Deviation: 4 by default, so that two to four cores have work; it does not depend
    /// on the number of cores, so that a seed gives the same result everywhere.
    pub lookahead: usize,
    /// Evaluations without a witness after which failing mutants are mutated further (DiWi 4.2.1).
    /// Deviation: the paper's hour; 300 evaluations are more than its machines made in that time.
    pub patience: u64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            p: 0.023,
            alpha: 0.8,
            u: 5,
            gamma: 0.9,
            beta: 0.01,
            crossover: 0.5,
            mutation: 0.3,
            acquit: 0.9,
            lowest: 0.9,
            report: 1.0,
            step: 0.3,
            alone: 0.3,
            counts: 0.0,
            options: 1.0,
            passes: 1.0,
            counters: 0.2,
            programs: 1.0,
            usual: 0.0,
            unusual: 0.0,
            size: 0.5,
            own: 0.6,
            kin: 1.0,
            named: 0.5,
            named_pass: 0.5,
            lookahead: 4,
            patience: 300,
        }
    }
}

/// Why a parameter can't be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParameterError {
    /// No such one.
    #[error("there is no parameter {name}; {}", match nearest {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => format!("there are {}", Parameters::NAMES.join(", ")),
    })]
    Unknown {
        /// What was said.
        name: String,
        /// What may have been meant.
        nearest: Option<&'static str>,
    },
    /// No such value.
    #[error("{name} can't be {value}: {wanted}")]
    Value {
        /// Of which parameter.
        name: String,
        /// What was said.
        value: String,
        /// What it can be.
        wanted: &'static str,
    },
}

impl Parameters {
    /// The names that [`Parameters::set`] knows.
    pub const NAMES: [&str; 26] = [
        "p",
        "alpha",
        "u",
        "gamma",
        "beta",
        "crossover",
        "mutation",
        "acquit",
        "lowest",
        "report",
        "step",
        "alone",
        "counts",
        "options",
        "passes",
        "counters",
        "programs",
        "usual",
        "unusual",
        "size",
        "own",
        "kin",
        "named",
        "named-pass",
        "lookahead",
        "patience",
    ];

    /// The weights with which `combined` ranks what it found, each with the value that switches its part off. That of
    /// `size` makes the papers' mean of it.
    pub const WEIGHTS: [(&'static str, f64); 17] = [
        ("acquit", 0.0),
        ("lowest", 0.0),
        ("report", 0.0),
        ("step", 0.0),
        ("alone", 0.0),
        ("counts", 0.0),
        ("options", 0.0),
        ("passes", 0.0),
        ("counters", 0.0),
        ("programs", 0.0),
        ("usual", 0.0),
        ("unusual", 0.0),
        ("size", 1.0),
        ("own", 0.0),
        ("kin", 0.0),
        ("named", 0.0),
        ("named-pass", 0.0),
    ];

    /// Do they look for the same, and differ only in how they weigh what is found?
    #[must_use]
    pub fn search_alike(&self, other: &Parameters) -> bool {
        let plain = |parameters: &Parameters| {
            let mut plain = *parameters;
            for (name, off) in Parameters::WEIGHTS {
                plain.set(name, &off.to_string()).expect("it is a weight");
            }
            plain
        };
        plain(self) == plain(other)
    }

    /// Does it matter what developers' tests execute?
    pub(crate) fn ask_tests(&self) -> bool {
        self.usual > 0.0 || self.unusual > 0.0
    }

    /// How much witnesses of a kind weigh together.
    pub(crate) fn weight(&self, differs: Differs) -> f64 {
        match differs {
            Differs::Option => self.options,
            Differs::Pass => self.passes,
            Differs::Program => self.programs,
            Differs::Step => self.step,
            Differs::Alone => self.alone,
            Differs::Counter => self.counters,
            Differs::Sequence | Differs::Level | Differs::Unrelated => 0.0,
        }
    }

    /// Sets one by its name.
    ///
    /// # Errors
    /// When there is no such parameter, or it can't have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let wrong = |wanted| ParameterError::Value {
            name: name.to_owned(),
            value: value.to_owned(),
            wanted,
        };
        let share = || {
            let number = value.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
            number.ok_or_else(|| wrong("a number from 0 to 1"))
        };
        let weight = || {
            let number = value.parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
            number.ok_or_else(|| wrong("a number from 0 to 100"))
        };
        let count = || {
            let number =
                value.parse::<u64>().ok().filter(|number| (1..=1_000_000).contains(number));
            number.ok_or_else(|| wrong("a whole number from 1"))
        };
        match name {
            "p" => self.p = share()?,
            "alpha" => self.alpha = share()?,
            "u" => self.u = count()? as usize,
            "gamma" => self.gamma = share()?,
            "beta" => self.beta = share()?,
            "crossover" => self.crossover = share()?,
            "mutation" => self.mutation = share()?,
            "acquit" => self.acquit = share()?,
            "lowest" => self.lowest = share()?,
            "report" => self.report = share()?,
            "step" => self.step = weight()?,
            "alone" => self.alone = weight()?,
            "counts" => self.counts = weight()?,
            "options" => self.options = weight()?,
            "passes" => self.passes = weight()?,
            "counters" => self.counters = weight()?,
            "programs" => self.programs = weight()?,
            "usual" => self.usual = share()?,
            "unusual" => self.unusual = weight()?,
            "size" => self.size = share()?,
            "own" => self.own = weight()?,
            "kin" => self.kin = share()?,
            "named" => self.named = weight()?,
            "named-pass" => self.named_pass = weight()?,
            "lookahead" => self.lookahead = count()?.min(1024) as usize,
            "patience" => self.patience = count()?,
            _ => {
                let nearest = base::nearest(name, Parameters::NAMES);
                return Err(ParameterError::Unknown { name: name.to_owned(), nearest });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_found_by_name() {
        for method in &METHODS {
            assert_eq!(Method::named(method.name), Some(method));
        }
        assert_eq!(Method::named("nobody"), None);
    }

    #[test]
    fn parameters_are_set_by_name_and_strange_ones_refused() {
        let mut parameters = Parameters::default();
        parameters.set("alpha", "0.4").unwrap();
        parameters.set("u", "7").unwrap();
        assert_eq!((parameters.alpha, parameters.u), (0.4, 7));
        let refused = |name, value| Parameters::default().set(name, value).unwrap_err().to_string();
        assert!(refused("alpa", "1").contains("did you mean alpha?"));
        assert!(refused("alpha", "2").contains("from 0 to 1"));
        assert!(refused("u", "0").contains("from 1"));
        assert!(refused("p", "x").contains("p can't be x"));
    }

    #[test]
    fn weights_alone_need_no_other_search() {
        let parameters = Parameters::default();
        let with = |name: &str, value: &str| {
            let mut with = parameters;
            with.set(name, value).unwrap();
            with
        };
        for (name, off) in Parameters::WEIGHTS {
            assert!(parameters.search_alike(&with(name, &off.to_string())), "{name}");
        }
        assert!(!parameters.search_alike(&with("patience", "7")));
        assert!(!parameters.search_alike(&with("mutation", "0.1")));
    }
}
