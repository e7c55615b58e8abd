//! The 114 passes that CTOS draws from, in today's names.

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

impl Alphabet {
    /// The passes of the paper that are offered, and those that are not. Three of them are now what another
    /// of them is; a sequence draws that one as often.
    #[must_use]
    pub fn published(offered: &[Offered]) -> (Alphabet, Vec<Gone>) {
        let mut gone = Vec::new();
        let mut steps = Vec::new();
        for PublishedPass { name, today } in published() {
            let found = today.into_iter().flat_map(|today| today.split('|')).find_map(|text| {
                let (level, text) = offered_as(text, offered)?;
                Some(Step::of(text, level, offered))
            });
            match found {
                Some(step) => steps.push(step),
                None => gone.push(name),
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
