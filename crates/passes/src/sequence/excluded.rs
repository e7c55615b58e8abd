//! Sequences that are left out because they would only find the same bugs again.

use super::{Alphabet, Sequence};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Passes that, one somewhere after the other, are a sequence to be left out: `loop-unroll…licm`, in CTOS's
/// Table 3 `.*-loop-unroll.*-licm.*`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pattern(Vec<String>);

/// Why a text is no pattern.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// Nothing in it, or between two dots.
    #[error("{0:?} is no pattern: passes with … or ... between them are, such as loop-unroll…licm")]
    Empty(String),
    /// A pass that is not there.
    #[error("the pattern {pattern} names {name}, which this version does not offer{}", match nearest {
        Some(nearest) => format!("; did you mean {nearest}?"),
        None => String::new(),
    })]
    Unknown {
        /// The pattern.
        pattern: String,
        /// The pass.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim().replace("...", "…");
        let names: Vec<String> = text.split('…').map(|name| name.trim().to_owned()).collect();
        match names.iter().any(String::is_empty) {
            true => Err(PatternError::Empty(text)),
            false => Ok(Pattern(names)),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("…"))
    }
}

/// The patterns of an alphabet. Taking one away lets its sequences in again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Excluded(Vec<Sequence>);

impl Excluded {
    /// Adds a pattern.
    ///
    /// # Errors
    /// When it names a pass that the alphabet lacks.
    pub fn add(&mut self, pattern: &Pattern, alphabet: &Alphabet) -> Result<(), PatternError> {
        let number = |name: &String| {
            alphabet.number(name).ok_or_else(|| {
                let names = alphabet.steps().iter().map(|step| step.text.as_str());
                let nearest = base::nearest(name, names).map(str::to_owned);
                PatternError::Unknown { pattern: pattern.to_string(), name: name.clone(), nearest }
            })
        };
        self.0.push(pattern.0.iter().map(number).collect::<Result<_, _>>()?);
        Ok(())
    }

    /// Is a sequence to be left out?
    #[must_use]
    pub fn has(&self, sequence: &[u16]) -> bool {
        self.0.iter().any(|pattern| {
            let mut rest = sequence.iter();
            pattern.iter().all(|wanted| rest.any(|number| number == wanted))
        })
    }
}

/// The pairs of passes, the first somewhere before the second, that most reduced sequences of findings
/// have, with the number of those; the most frequent first. What CTOS leaves out are the first of them.
#[must_use]
pub fn frequent_pairs(reduced: &[Vec<String>]) -> Vec<(Pattern, usize)> {
    let mut counts: BTreeMap<Pattern, usize> = BTreeMap::new();
    for sequence in reduced {
        let mut seen = std::collections::BTreeSet::new();
        for (at, first) in sequence.iter().enumerate() {
            for second in &sequence[at + 1..] {
                seen.insert(Pattern(vec![first.clone(), second.clone()]));
            }
        }
        seen.into_iter().for_each(|pair| *counts.entry(pair).or_default() += 1);
    }
    let mut pairs: Vec<(Pattern, usize)> = counts.into_iter().collect();
    pairs.sort_by(|(one, count), (other, most)| most.cmp(count).then(one.cmp(other)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::tests::alphabet;
    use super::*;

    #[test]
    fn a_pattern_is_found_wherever_its_passes_follow_each_other() {
        let alphabet = alphabet();
        let mut excluded = Excluded::default();
        for text in ["gvn…licm", "sroa ... sroa"] {
            excluded.add(&text.parse().unwrap(), &alphabet).unwrap();
        }
        let has = |pipeline: &str| excluded.has(&alphabet.read(pipeline).unwrap());
        assert!(has("function(gvn,loop-mssa(licm))"));
        assert!(has("function(sroa,gvn,sroa)"));
        assert!(!has("function(loop-mssa(licm),gvn,sroa)"));
        assert!(!Excluded::default().has(&[0, 1]));
        let error = excluded.add(&"gvn…sroaa".parse().unwrap(), &alphabet).unwrap_err();
        assert!(error.to_string().contains("names sroaa"), "{error}");
        assert!(error.to_string().ends_with("did you mean sroa?"), "{error}");
        assert!("gvn……licm".parse::<Pattern>().is_err() && "".parse::<Pattern>().is_err());
    }

    #[test]
    fn frequent_pairs_are_counted_once_a_sequence() {
        let reduced: Vec<Vec<String>> = [&["a", "b", "a", "b"][..], &["a", "c", "b"], &["b"]]
            .iter()
            .map(|names| names.iter().map(|&name| name.to_owned()).collect())
            .collect();
        let pairs = frequent_pairs(&reduced);
        assert_eq!((pairs[0].0.to_string().as_str(), pairs[0].1), ("a…b", 2));
        assert_eq!(pairs.len(), 6);
        assert!(pairs[1..].iter().all(|(_, count)| *count == 1));
    }
}
