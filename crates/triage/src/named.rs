//! The first bad pass of a compiler whose passes can be switched off by name.
//!
//! Passes that the lowest level does without are optional. With all of them off the program is
//! right; with none off it is wrong; so there is a pass, in the order in which they run, whose
//! switching on makes it wrong while all after it are off. That is the step to look at, as with a
//! compiler that counts its steps.

use crate::bisect::{BisectError, Effort};
use crate::culprit::{Culprit, Pair};
use crate::failing::{Failing, Side};
use crate::search::{first_bad, most};
use toolchain::family::NamedPasses;
use toolchain::{Configuration, counted_transformations, enabled_options, enabled_passes, written};

pub(crate) fn bisect(
    failing: &Failing<'_>,
    passes: &NamedPasses,
    effort: Effort,
) -> Result<Culprit, BisectError> {
    let search = Named { failing, passes };
    let mut culprit = Culprit::default();
    let optional = search.optional()?;
    let order = search.can_be_off(&optional)?;
    let without = |from: usize| search.without(&order[from..]);
    if failing.ask(&without(0))? == Side::Bad {
        culprit.how.push(format!(
            "it fails even with {} of {} optional passes off: look at the front end, at what every \
             compilation needs, and at the {} that could not be switched off",
            order.len(),
            optional.len(),
            optional.len() - order.len(),
        ));
    } else {
        let count = order.len() as u64;
        let (_, bad) = first_bad(0, count, &mut |on| failing.ask(&without(on as usize)))?;
        let at = bad as usize - 1;
        let pass = order[at].clone();
        culprit.how.push(format!(
            "of {count} optional passes in their order, right with all off from {pass} on, wrong \
             with all off after it",
        ));
        if effort == Effort::Full {
            let after = &order[at + 1..];
            culprit.needed = search.needed_passes(&order[..at], after, &pass)?;
            culprit.function = search.function(&pass, after)?;
            culprit.pair = search.pair(&pass, culprit.function.as_deref(), after)?;
        }
        culprit.pass = Some(pass);
    }
    if effort == Effort::Full {
        let mut needed = search.needed_options(&mut culprit.how)?;
        needed.append(&mut culprit.needed);
        culprit.needed = needed;
        culprit.counter = search.counter(&mut culprit.how)?;
    }
    Ok(culprit)
}

struct Named<'a> {
    failing: &'a Failing<'a>,
    passes: &'a NamedPasses,
}

impl Named<'_> {
    fn without(&self, passes: &[String]) -> Vec<String> {
        passes.iter().map(|pass| (self.passes.without)(pass, None)).collect()
    }

    fn ask_without(&self, passes: &[String]) -> Result<Side, BisectError> {
        self.failing.ask(&self.without(passes))
    }

    fn listed(&self, configuration: &Configuration) -> Result<Vec<String>, BisectError> {
        let failing = self.failing;
        let limits = failing.limiting.compiler;
        Ok(enabled_passes(configuration, &failing.program, self.passes, limits, failing.scratch)?)
    }

    /// The passes that are on and that the lowest level does without, in their order.
    fn optional(&self) -> Result<Vec<String>, BisectError> {
        let needed = self.listed(&self.failing.fail.lowest())?;
        let mut on = self.listed(&self.failing.fail)?;
        let essential = self.passes.essential;
        on.retain(|pass| !needed.contains(pass) && !essential.contains(&pass.as_str()));
        Ok(on)
    }

    /// Those of them without which the program still compiles.
    fn can_be_off(&self, optional: &[String]) -> Result<Vec<String>, BisectError> {
        let mut compiles = |off: &[String]| self.ask_without(off).map(|side| side != Side::Unclear);
        let off = most(Vec::new(), optional, &mut compiles)?;
        Ok(optional.iter().filter(|pass| off.contains(pass)).cloned().collect())
    }

    /// Of the passes before the culprit, those that must be on too; with those after it off.
    fn needed_passes(
        &self,
        before: &[String],
        after: &[String],
        pass: &str,
    ) -> Result<Vec<String>, BisectError> {
        let mut fails = |off: &[String]| self.ask_without(off).map(|side| side == Side::Bad);
        let off = most(after.to_vec(), before, &mut fails)?;
        let mut needed: Vec<String> =
            before.iter().filter(|pass| !off.contains(pass)).cloned().collect();
        needed.push(pass.to_owned());
        Ok(needed)
    }

    /// The options that must be on.
    fn needed_options(&self, how: &mut Vec<String>) -> Result<Vec<String>, BisectError> {
        let failing = self.failing;
        let lowest = enabled_options(&failing.fail.lowest(), self.passes)?;
        let mut on = enabled_options(&failing.fail, self.passes)?;
        on.retain(|option| !lowest.contains(option) || failing.fail.args.contains(option));
        let switch = |off: &[String]| -> Vec<String> {
            off.iter().map(|option| (self.passes.without_option)(option)).collect()
        };
        let mut fails = |off: &[String]| failing.ask(&switch(off)).map(|side| side == Side::Bad);
        let off = most(Vec::new(), &on, &mut fails)?;
        let needed: Vec<String> =
            on.iter().filter(|option| !off.contains(option)).cloned().collect();
        how.push(format!(
            "{} of the {} options that the failing arguments switch on must be on",
            needed.len(),
            on.len()
        ));
        Ok(needed)
    }

    /// The function that the pass must see for the failure.
    fn function(&self, pass: &str, after: &[String]) -> Result<Option<String>, BisectError> {
        let functions = self.dumps(pass, &[])?.1.map(|text| (self.passes.functions)(&text));
        let functions = functions.unwrap_or_default();
        if let [(only, _)] = functions.as_slice() {
            return Ok(Some(only.clone()));
        }
        for (function, _) in functions.iter().take(64) {
            let mut args = self.without(after);
            args.push((self.passes.without)(pass, Some(function)));
            if self.failing.ask(&args)? == Side::Good {
                return Ok(Some(function.clone()));
            }
        }
        Ok(None)
    }

    /// What the pass before `pass`, and `pass`, left, with the passes `off` off.
    fn dumps(
        &self,
        pass: &str,
        off: &[String],
    ) -> Result<(Option<String>, Option<String>), BisectError> {
        let failing = self.failing;
        let mut args = self.without(off);
        args.extend(self.passes.dump.iter().map(|&arg| arg.to_owned()));
        let wanted = |name: &str| (self.passes.dumped)(name).is_some();
        let limits = failing.limiting.compiler;
        let configuration = failing.with(&args);
        let said = written(&configuration, &failing.program, limits, failing.scratch, &wanted)?;
        let mut dumps: Vec<(u64, String, String)> = said
            .files
            .iter()
            .filter_map(|file| {
                let (number, of) = (self.passes.dumped)(&file.name)?;
                Some((number, of, String::from_utf8_lossy(&file.bytes).into_owned()))
            })
            .collect();
        dumps.sort();
        // `rtl-rtl pre` writes files of `rtl-pre`.
        let short = match (pass.split_once('-'), pass.rsplit_once(' ')) {
            (Some((kind, _)), Some((_, word))) => format!("{kind}-{word}"),
            _ => pass.to_owned(),
        };
        let Some(at) = dumps.iter().position(|(_, of, _)| *of == short) else {
            return Ok((None, None));
        };
        // Only a pass of the same kind writes the same language.
        let kind = |of: &str| of.split('-').next().map(str::to_owned);
        let before = dumps[..at].iter().rev().find(|(_, of, text)| {
            kind(of) == kind(pass) && !(self.passes.functions)(text).is_empty()
        });
        let before = before.map(|(_, _, text)| text.clone());
        Ok((before, dumps.into_iter().nth(at).map(|(_, _, text)| text)))
    }

    /// The function before and after the pass; all of them when it can't be told which.
    fn pair(
        &self,
        pass: &str,
        function: Option<&str>,
        after: &[String],
    ) -> Result<Option<Pair>, BisectError> {
        let (before, text) = self.dumps(pass, after)?;
        let cut = |text: String| match function {
            Some(function) => (self.passes.functions)(&text)
                .into_iter()
                .find(|(name, _)| name == function)
                .map_or(text, |(_, body)| body),
            None => text,
        };
        let form = match pass.split('-').next() {
            Some("rtl") => "rtl",
            Some("ipa") => "ipa",
            _ => "gimple",
        };
        Ok(before.zip(text).map(|(before, after)| Pair {
            form: form.to_owned(),
            before: cut(before),
            after: cut(after),
        }))
    }

    /// The counter of transformations that decides, at its first bad value.
    fn counter(&self, how: &mut Vec<String>) -> Result<Option<String>, BisectError> {
        let failing = self.failing;
        let limits = failing.limiting.compiler;
        let (program, scratch) = (&failing.program, failing.scratch);
        let counters =
            counted_transformations(&failing.fail, program, self.passes, limits, scratch)?;
        if counters.is_empty() {
            return Ok(None);
        }
        let ask = |limits: &[(&str, u64)]| failing.ask(&[(self.passes.count_to)(limits)]);
        let stopped = |stopped: &[(String, u64)]| -> Vec<(String, u64)> {
            stopped.iter().map(|(name, _)| (name.clone(), 0)).collect()
        };
        let ask_all = |limits: &[(String, u64)]| {
            let limits: Vec<(&str, u64)> =
                limits.iter().map(|(name, to)| (name.as_str(), *to)).collect();
            ask(&limits)
        };
        // Without some of them nothing compiles.
        let mut compiles =
            |chosen: &[(String, u64)]| ask_all(&stopped(chosen)).map(|side| side != Side::Unclear);
        let counters = most(Vec::new(), &counters, &mut compiles)?;
        if counters.is_empty() || ask_all(&stopped(&counters))? != Side::Good {
            how.push("no counter of transformations decides".to_owned());
            return Ok(None);
        }
        // All that can go on counting while it stays right; what is left must be stopped.
        let mut right = |free: &[(String, u64)]| {
            let kept: Vec<(String, u64)> =
                counters.iter().filter(|one| !free.contains(one)).cloned().collect();
            Ok::<bool, BisectError>(!kept.is_empty() && ask_all(&stopped(&kept))? == Side::Good)
        };
        let free = most(Vec::new(), &counters, &mut right)?;
        let must: Vec<&(String, u64)> = counters.iter().filter(|one| !free.contains(one)).collect();
        let [(name, last)] = must.as_slice() else {
            let names: Vec<&str> = must.iter().map(|(name, _)| name.as_str()).collect();
            how.push(format!("only together do these counters decide: {}", names.join(", ")));
            return Ok(None);
        };
        if ask(&[(name, *last)])? != Side::Bad {
            return Ok(None);
        }
        let (_, bad) = first_bad(0, *last, &mut |to| ask(&[(name, to)]))?;
        how.push(format!("right with {name} counted to {}, wrong with {bad} of {last}", bad - 1));
        Ok(Some(format!("{name}:{bad}")))
    }
}
