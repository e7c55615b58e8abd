//! The step with which a compilation begins to fail.

use crate::neighbour::Told;
use std::collections::BTreeSet;

/// Looks for it among passes in their order: with so many on, and all others off, it passes; with one more it fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    /// With so many on it passes; nothing is known before the first answer.
    passes: Option<usize>,
    /// With so many on it fails.
    fails: usize,
    /// Neither passes nor fails.
    unclear: BTreeSet<usize>,
    asked: bool,
    /// Nothing more can be found out.
    is_over: bool,
}

impl Steps {
    /// Of so many passes, with which it fails.
    pub(crate) fn new(count: usize) -> Steps {
        let is_over = count == 0;
        Steps { passes: None, fails: count, unclear: BTreeSet::new(), asked: false, is_over }
    }

    /// How many passes to try next; nothing while an answer is awaited, or at the end.
    pub(crate) fn ask(&mut self) -> Option<usize> {
        if self.asked || self.is_over {
            return None;
        }
        let next = match self.passes {
            None => 0,
            Some(passes) => {
                let middle = usize::midpoint(passes, self.fails);
                let mut between = (passes + 1..self.fails).filter(|on| !self.unclear.contains(on));
                let first = between.next();
                let nearest = first.into_iter().chain(between).min_by_key(|on| on.abs_diff(middle));
                let Some(nearest) = nearest else {
                    self.is_over = true;
                    return None;
                };
                nearest
            }
        };
        self.asked = true;
        Some(next)
    }

    /// What became of it with so many on.
    pub(crate) fn tell(&mut self, on: usize, told: Told) {
        self.asked = false;
        match (told, self.passes) {
            (Told::Passes, _) => self.passes = Some(on),
            // It fails without any of them, or nothing can be said.
            (_, None) => self.is_over = true,
            (Told::Fails, Some(_)) => self.fails = on,
            (Told::Neither, Some(_)) => _ = self.unclear.insert(on),
        }
    }

    /// With so many on it passes, and with one more it fails.
    pub(crate) fn found(&self) -> Option<usize> {
        self.passes.filter(|passes| passes + 1 == self.fails)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(count: usize, answer: impl Fn(usize) -> Told) -> (Option<usize>, usize) {
        let mut steps = Steps::new(count);
        let mut asked = 0;
        while let Some(on) = steps.ask() {
            assert_eq!(steps.ask(), None, "an answer is awaited");
            steps.tell(on, answer(on));
            asked += 1;
        }
        (steps.found(), asked)
    }

    #[test]
    fn the_first_bad_step_is_found_in_few_questions() {
        for bad in 0..100 {
            let answer = |on| if on > bad { Told::Fails } else { Told::Passes };
            let (found, asked) = look(100, answer);
            assert_eq!(found, Some(bad));
            assert!(asked <= 9, "{asked}");
        }
    }

    #[test]
    fn what_is_unclear_is_passed_by() {
        let answer = |on: usize| match on {
            _ if on % 3 == 1 => Told::Neither,
            _ if on > 50 => Told::Fails,
            _ => Told::Passes,
        };
        assert_eq!(look(100, answer).0, Some(50));
        let answer = |on: usize| if on == 0 { Told::Passes } else { Told::Neither };
        assert_eq!(look(20, answer).0, None);
        assert_eq!(look(20, |_| Told::Fails), (None, 1));
        assert_eq!(look(0, |_| Told::Fails), (None, 0));
    }
}
