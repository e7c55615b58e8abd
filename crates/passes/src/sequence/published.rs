//! The 114 passes that CTOS draws from, and the 32 of LocSeq, in today's names.

use super::{Alphabet, Step};
use crate::catalogue::{Level, Offered};

const PUBLISHED: &str = include_str!("../catalogue/ctos.tsv");

/// A pass of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublishedPass {
    /// As the paper has it.
    pub name: &'static str,
    /// What it is called in a pipeline, the newest first; nothing where the pass is gone.
    pub today: Option<&'static str>,
}

/// A pass of the paper that a version does not have.
pub type Gone = &'static str;

/// All of them.
pub fn published() -> impl Iterator<Item = PublishedPass> {
    PUBLISHED.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let (name, today) = line.split_once('\t')?;
        Some(PublishedPass { name, today: (today != "-").then_some(today) })
    })
}

/// LocSeq's candidates (Table I).
const CANDIDATES: [&str; 32] = [
    "adce",
    "argpromotion",
    "bdce",
    "constmerge",
    "correlated-propagation",
    "dse",
    "early-cse",
    "early-cse-memssa",
    "globaldce",
    "globalopt",
    "gvn",
    "indvars",
    "instcombine",
    "instsimplify",
    "ipsccp",
    "lcssa",
    "licm",
    "loop-deletion",
    "loop-distribute",
    "loop-idiom",
    "loop-load-elim",
    "loop-rotate",
    "loop-simplify",
    "loop-sink",
    "loop-unroll",
    "loop-unswitch",
    "loop-vectorize",
    "reassociate",
    "sccp",
    "simplifycfg",
    "slp-vectorizer",
    "sroa",
];

/// LocSeq's candidates as far as a version offers them, each as a pipeline of its own.
#[must_use]
pub fn candidates(offered: &[Offered]) -> Vec<String> {
    let steps = published().filter(|pass| CANDIDATES.contains(&pass.name));
    let steps = steps.filter_map(|pass| step_of(pass, offered));
    let alphabet = Alphabet::new(steps);
    (0..alphabet.steps().len()).map(|number| alphabet.pipeline(&[number as u16])).collect()
}

/// A pass of the paper as a version offers it.
fn step_of(pass: PublishedPass, offered: &[Offered]) -> Option<Step> {
    pass.today?.split('|').find_map(|text| {
        let (level, text) = offered_as(text, offered)?;
        Some(Step::of(text, level, offered))
    })
}

impl Alphabet {
    /// The passes of the paper that are offered, and those that are not. Three of them are now what another
    /// of them is; a sequence draws that one as often.
    #[must_use]
    pub fn published(offered: &[Offered]) -> (Alphabet, Vec<Gone>) {
        let mut gone = Vec::new();
        let mut steps = Vec::new();
        for pass in published() {
            match step_of(pass, offered) {
                Some(step) => steps.push(step),
                None => gone.push(pass.name),
            }
        }
        (Alphabet::with_repeats(steps), gone)
    }

    /// These steps; one that is there twice is drawn twice as often, and read as the first.
    fn with_repeats(steps: Vec<Step>) -> Alphabet {
        let mut alphabet = Alphabet::new(steps.iter().cloned());
        alphabet.steps = steps;
        alphabet.numbers.clear();
        for (at, step) in alphabet.steps.iter().enumerate().rev() {
            alphabet.numbers.insert((step.text.clone(), step.manager), at as u16);
        }
        alphabet
    }
}

/// The level of a pass as a version offers it: with this parameter, as an analysis, or plainly.
fn offered_as<'a>(text: &'a str, offered: &[Offered]) -> Option<(Level, &'a str)> {
    let (name, parameter) = match text.split_once('<') {
        Some((name, rest)) => (name, Some(rest.trim_end_matches('>'))),
        None => (text, None),
    };
    if name == "require" {
        let is_it = |one: &&Offered| one.is_analysis && Some(one.name.as_str()) == parameter;
        return offered.iter().find(is_it).map(|one| (one.level, text));
    }
    let fits = |one: &&Offered| {
        let takes =
            parameter.is_none_or(|wanted| one.parameters.iter().any(|known| known == wanted));
        !one.is_analysis && one.name == name && takes
    };
    offered.iter().find(fits).map(|one| (one.level, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::read_offered;

    #[test]
    fn the_paper_has_114() {
        let all: Vec<PublishedPass> = published().collect();
        assert_eq!(all.len(), 114);
        assert!(all.is_sorted_by_key(|pass| pass.name));
        assert_eq!(all.iter().filter(|pass| pass.today.is_none()).count(), 3);
    }

    #[test]
    fn locseq_has_32_candidates_which_ctos_has_too() {
        assert!(CANDIDATES.iter().all(|name| published().any(|pass| pass.name == *name)));
        let list =
            "Module passes:\n  globaldce\nFunction passes:\n  gvn\n  chr\nLoop passes:\n  licm\n";
        let expect = ["globaldce", "function(gvn)", "function(loop-mssa(licm))"];
        assert_eq!(candidates(&read_offered(list)), expect);
    }

    #[test]
    fn a_version_has_some_of_them_under_its_own_names() {
        let list = "Module passes with params:\n  loop-extract<single>\nFunction passes:\n  dce\n  \
            flatten-cfg\n  early-cse-memssa\nFunction analyses:\n  memdep\n";
        let (alphabet, gone) = Alphabet::published(&read_offered(list));
        let texts: Vec<&str> = alphabet.steps().iter().map(|step| step.text.as_str()).collect();
        let expected = [
            "dce",
            "dce",
            "early-cse-memssa",
            "flatten-cfg",
            "loop-extract",
            "loop-extract<single>",
            "require<memdep>",
        ];
        assert_eq!(texts, expected);
        assert_eq!(gone.len(), 114 - 7);
        assert_eq!(alphabet.read("function(dce)"), Ok(vec![0]));
    }
}
