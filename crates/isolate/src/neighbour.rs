//! Arguments one step away from the failing ones: an option or a pass of the compiler switched off.
//! Sequences of passes are `sequence`'s.

use crate::error::IsolateError;
use crate::subject::Subject;
use search::Genes;
use std::path::Path;
use toolchain::family::Stepping;
use toolchain::{enabled_options, enabled_passes};

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
}

impl Differs {
    /// What was done, in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Differs::Program => "program changed",
            Differs::Option => "option off",
            Differs::Pass => "pass off",
            Differs::Sequence => "other sequence",
        }
    }
}

/// Something that can be switched off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Switch {
    pub differs: Differs,
    /// The argument that does it.
    pub off: String,
}

/// All that the failing arguments switch on and the lowest level does without.
pub(crate) fn switches(subject: &Subject, scratch: &Path) -> Result<Vec<Switch>, IsolateError> {
    let fail = &subject.fail;
    let Stepping::Named(passes) = fail.compiler.family.stepping() else {
        return Ok(Vec::new());
    };
    let lowest = fail.lowest();
    let (before, mut options) =
        (enabled_options(&lowest, &passes)?, enabled_options(fail, &passes)?);
    options.retain(|option| !before.contains(option) || fail.args.contains(option));
    let listed = |configuration| {
        enabled_passes(configuration, &subject.program, &passes, subject.compiler_limits(), scratch)
    };
    let (before, mut on) = (listed(&lowest)?, listed(fail)?);
    on.retain(|pass| !before.contains(pass) && !passes.essential.contains(&pass.as_str()));
    let options = options
        .iter()
        .map(|option| Switch { differs: Differs::Option, off: (passes.without_option)(option) });
    let on =
        on.iter().map(|pass| Switch { differs: Differs::Pass, off: (passes.without)(pass, None) });
    Ok(options.chain(on).collect())
}

/// Switches in the order in which they are tried: each alone; then all that do not matter off together, which
/// is the smallest failing run, and from there each that matters (ODFL's construction).
#[derive(Debug)]
pub(crate) struct Neighbours {
    /// The failing arguments.
    failing: Vec<String>,
    switches: Vec<Switch>,
    /// What became of each alone.
    alone: Vec<Option<Told>>,
    /// The base that is tried next, or the one that fails.
    base: Base,
    /// Of those that matter, the next to be switched off from the base.
    next: usize,
}

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
    Asked(usize, Vec<String>),
    /// It fails.
    Fails(Vec<String>),
    /// No base fails.
    None,
}

/// A neighbour to be tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Neighbour {
    pub differs: Differs,
    /// All arguments.
    pub args: Vec<String>,
    /// What is different about them.
    pub what: String,
    /// Which one, for whoever made it.
    pub which: Which,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Alone(usize),
    Base,
    FromBase,
    Sequence(Genes),
}

impl Neighbours {
    pub(crate) fn new(failing: Vec<String>, switches: Vec<Switch>) -> Neighbours {
        let alone = vec![None; switches.len()];
        Neighbours { failing, switches, alone, base: Base::Wanted(0), next: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.switches.is_empty()
    }

    /// The neighbour with this number; nothing when there are no more, or answers are awaited.
    pub(crate) fn ask(&mut self, index: usize) -> Option<Neighbour> {
        if let Some(switch) = self.switches.get(index) {
            let more = vec![switch.off.clone()];
            return Some(self.neighbour(switch.differs, &more, Which::Alone(index)));
        }
        if self.alone.iter().any(Option::is_none) {
            return None;
        }
        match self.base.clone() {
            Base::Wanted(tried) => {
                // All that does not matter; failing that, options only, then passes only.
                let kinds: &[Differs] = match tried {
                    0 => &[Differs::Option, Differs::Pass],
                    1 => &[Differs::Option],
                    2 => &[Differs::Pass],
                    _ => {
                        self.base = Base::None;
                        return None;
                    }
                };
                let free = self.switches.iter().zip(&self.alone).filter(|(switch, told)| {
                    kinds.contains(&switch.differs) && **told == Some(Told::Fails)
                });
                let more: Vec<String> = free.map(|(switch, _)| switch.off.clone()).collect();
                let base = self.neighbour(Differs::Option, &more, Which::Base);
                self.base = Base::Asked(tried, more);
                Some(base)
            }
            Base::Asked(..) | Base::None => None,
            Base::Fails(base) => {
                let mut matter =
                    self.switches.iter().zip(&self.alone).filter_map(|(switch, told)| {
                        (*told == Some(Told::Passes)).then_some(switch)
                    });
                let switch = matter.nth(self.next)?;
                let mut more = base;
                more.push(switch.off.clone());
                let neighbour = self.neighbour(switch.differs, &more, Which::FromBase);
                self.next += 1;
                Some(neighbour)
            }
        }
    }

    /// The failing arguments and more.
    fn neighbour(&self, differs: Differs, more: &[String], which: Which) -> Neighbour {
        let args = self.failing.iter().chain(more).cloned().collect();
        Neighbour { differs, args, what: more.join(" "), which }
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
            Which::FromBase | Which::Sequence(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours() -> Neighbours {
        let switch = |differs, off: &str| Switch { differs, off: off.to_owned() };
        let switches = vec![
            switch(Differs::Option, "-fno-a"),
            switch(Differs::Option, "-fno-b"),
            switch(Differs::Pass, "-fdisable-c"),
        ];
        Neighbours::new(vec!["-O2".to_owned()], switches)
    }

    fn more(neighbour: Option<Neighbour>) -> Option<(Which, String)> {
        neighbour.map(|one| (one.which, one.what))
    }

    #[test]
    fn each_is_tried_alone_then_from_the_smallest_failing_base() {
        let mut all = neighbours();
        let alone: Vec<String> = (0..3).map(|at| all.ask(at).unwrap().args.join(" ")).collect();
        assert_eq!(alone, ["-O2 -fno-a", "-O2 -fno-b", "-O2 -fdisable-c"]);
        assert_eq!(all.ask(3), None, "answers are awaited");
        for (at, told) in [Told::Passes, Told::Fails, Told::Fails].into_iter().enumerate() {
            all.tell(&Which::Alone(at), told);
        }
        assert_eq!(more(all.ask(4)), Some((Which::Base, "-fno-b -fdisable-c".to_owned())));
        assert_eq!(all.ask(5), None);
        all.tell(&Which::Base, Told::Passes);
        assert_eq!(more(all.ask(6)), Some((Which::Base, "-fno-b".to_owned())));
        all.tell(&Which::Base, Told::Fails);
        assert_eq!(more(all.ask(7)), Some((Which::FromBase, "-fno-b -fno-a".to_owned())));
        assert_eq!(all.ask(8), None);
    }

    #[test]
    fn without_a_failing_base_there_is_nothing_more() {
        let mut all = neighbours();
        (0..3).for_each(|at| all.tell(&Which::Alone(at), Told::Neither));
        for at in 3..6 {
            assert!(matches!(more(all.ask(at)), Some((Which::Base, _))), "{at}");
            all.tell(&Which::Base, Told::Neither);
        }
        assert_eq!(all.ask(6), None);
        assert_eq!(all.ask(7), None);
    }
}
