//! Pipelines that use a pass as it is not meant to be used: what goes wrong then is no bug.

use crate::catalogue::{Need, role};
use crate::pipeline::{Element, Pipeline};
use std::fmt;

/// A pass without what it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse {
    /// The pass.
    pub pass: String,
    /// What it needs, and where.
    pub need: Need,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.need {
            Need::LoopMssa => write!(f, "{} needs loop-mssa(…) around it", self.pass),
            Need::Before(needs) => {
                let first = |names: &str| names.split('|').next().unwrap_or(names).to_owned();
                let needs: Vec<String> = needs.split('>').map(first).collect();
                write!(f, "{} needs {} right before it", self.pass, needs.join(","))
            }
            Need::Start(pass) => write!(f, "{} needs {pass} at the start", self.pass),
        }
    }
}

/// The first pass of a pipeline that lacks what it needs.
#[must_use]
pub fn misuse(pipeline: &Pipeline) -> Option<Misuse> {
    let first = pipeline.elements.first().map(ToString::to_string);
    within(pipeline, "", first.as_deref())
}

fn within(pipeline: &Pipeline, manager: &str, first: Option<&str>) -> Option<Misuse> {
    for (at, element) in pipeline.elements.iter().enumerate() {
        let name = element.name.as_str();
        if let Some(inner) = &element.inner {
            let found = within(inner, name, first);
            if found.is_some() {
                return found;
            }
        } else if let Some(need) = role(name).1 {
            let is_met = match need {
                Need::LoopMssa => manager == "loop-mssa",
                Need::Before(needs) => {
                    let mut before = pipeline.elements[..at].iter().rev();
                    needs.rsplit('>').all(|names| {
                        let is_it = |last: &Element| names.split('|').any(|one| one == last.name);
                        before.next().is_some_and(is_it)
                    })
                }
                Need::Start(pass) => first == Some(pass),
            };
            if !is_met {
                return Some(Misuse { pass: name.to_owned(), need });
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::parse;

    #[test]
    fn passes_without_what_they_need_are_found() {
        let said = |text: &str| misuse(&parse(text).unwrap()).map(|found| found.to_string());
        let whole = "lowerswitch,fix-irreducible,lowerswitch,unify-loop-exits,structurizecfg";
        assert_eq!(said(&format!("function(gvn,{whole})")), None);
        assert_eq!(said("function(lower-switch,fix-irreducible)"), None);
        assert_eq!(said("require<profile-summary>,function(chr)"), None);
        assert_eq!(said("function(loop-mssa(licm))"), None);
        let needs = "lowerswitch,fix-irreducible,lowerswitch,unify-loop-exits right before it";
        let needs = format!("structurizecfg needs {needs}");
        assert_eq!(said("function(lowerswitch,structurizecfg)"), Some(needs));
        assert!(said("function(unify-loop-exits)").is_some());
        assert!(said("globaldce,function(chr)").is_some());
        assert!(said("function(loop(licm))").is_some());
    }
}
