//! The first bad step of a compiler that counts them.

use crate::bisect::{BisectError, Effort};
use crate::culprit::{Culprit, Pair};
use crate::failing::{Failing, Side};
use crate::search::first_bad;
use oracle::Kind;
use passes::pipeline::Stage;
use reduce::{Answer, Halt, Search, Settings};
use std::sync::Arc;
use toolchain::family::{CountedSteps, Step};
use toolchain::{Configuration, Language, Program, spelled_out, written};

pub(crate) fn bisect(
    failing: &Failing<'_>,
    steps: &CountedSteps,
    effort: Effort,
) -> Result<Culprit, BisectError> {
    let search = Counted { failing, steps };
    let mut culprit = Culprit::default();
    let ran = search.steps(None)?;
    let Some(last) = ran.last().map(|step| step.number) else {
        culprit.how.push("no step was counted before it failed".to_owned());
        return Ok(culprit);
    };
    if search.ask(last)? != Side::Bad {
        culprit.how.push(format!(
            "with its {last} steps counted it does not fail: counting changes what is done"
        ));
        return Ok(culprit);
    }
    if search.ask(0)? == Side::Bad {
        culprit.how.push(format!(
            "it fails even when all {last} optional steps are skipped: look at the front end, at \
             what every compilation needs, and at instruction selection"
        ));
        return Ok(culprit);
    }
    // A compiler that dies or does not end says itself at which step.
    let died = failing.bug.kind != Kind::WrongCode;
    let (good, bad) = if died && search.ask(last - 1)? == Side::Good {
        (last - 1, last)
    } else {
        first_bad(0, last, &mut |limit| search.ask(limit))?
    };
    let Some(step) = search.steps(Some(bad))?.into_iter().find(|step| step.number == bad) else {
        culprit.how.push(format!("step {bad} flips the result, but is not named"));
        return Ok(culprit);
    };
    culprit.how.push(format!(
        "right with the first {good} of {last} optional steps, wrong with {bad}: step {bad} is {} \
         on {}",
        step.pass, step.on
    ));
    culprit.step = Some(bad);
    culprit.function = Some(step.on.clone()).filter(|on| !on.is_empty());
    culprit.pass = Some(step.pass.clone());
    if effort == Effort::Full {
        // What dies has no after.
        if !died {
            culprit.pair = search.pair(good, bad)?;
        }
        if died || culprit.pair.as_ref().is_some_and(|pair| pair.form == "ll") {
            culprit.alone = search.alone(&ran, bad, &mut culprit.how)?;
        }
    }
    Ok(culprit)
}

struct Counted<'a> {
    failing: &'a Failing<'a>,
    steps: &'a CountedSteps,
}

impl Counted<'_> {
    fn is_ir(&self) -> bool {
        self.failing.program.language == Language::Ir
    }

    fn limit(&self, limit: Option<u64>) -> Vec<String> {
        if self.is_ir() { (self.steps.optimiser_limit)(limit) } else { (self.steps.limit)(limit) }
    }

    fn ask(&self, limit: u64) -> Result<Side, BisectError> {
        self.failing.ask(&self.limit(Some(limit)))
    }

    /// The steps that are run with this limit.
    fn steps(&self, limit: Option<u64>) -> Result<Vec<Step>, BisectError> {
        let failing = self.failing;
        let configuration = failing.with(&self.limit(limit));
        let limits = failing.limiting.compiler;
        let said = written(&configuration, &failing.program, limits, failing.scratch, &|_| false)?;
        Ok((self.steps.read)(&said.built.stderr))
    }

    /// The code with the first `limit` steps run: IR, or assembly.
    fn code(&self, limit: u64, ir: bool) -> Result<Option<String>, BisectError> {
        let failing = self.failing;
        let mut extra = self.limit(Some(limit));
        if ir && !self.is_ir() {
            extra.push(self.steps.emit_ir.to_owned());
        }
        let ending = if ir { ".ll" } else { ".s" };
        let wanted = |name: &str| name.ends_with(ending);
        // Only the unit at fault: assembly makes no IR.
        let mut program = failing.program.clone();
        program.files.retain(|file| !file.name.ends_with(".s"));
        let limits = failing.limiting.compiler;
        let said = written(&failing.with(&extra), &program, limits, failing.scratch, &wanted)?;
        let file = said.files.into_iter().next();
        Ok(file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()))
    }

    /// The code before and after the step: IR, or assembly when the IR is the same.
    fn pair(&self, good: u64, bad: u64) -> Result<Option<Pair>, BisectError> {
        for (form, ir) in [("ll", true), ("s", false)] {
            if let (Some(before), Some(after)) = (self.code(good, ir)?, self.code(bad, ir)?)
                && before != after
            {
                return Ok(Some(Pair { form: form.to_owned(), before, after }));
            }
            if self.is_ir() {
                break;
            }
        }
        Ok(None)
    }

    /// Arguments of the optimiser that fail on the IR before the step, and that IR: the pass alone
    /// if that does, else with the steps before it.
    fn alone(
        &self,
        ran: &[Step],
        bad: u64,
        how: &mut Vec<String>,
    ) -> Result<Option<String>, BisectError> {
        let compiler = &self.failing.fail.compiler;
        if !compiler.companions.contains_key("opt") {
            how.push(format!("{} has no opt beside it: the pass was not run alone", compiler.name));
            return Ok(None);
        }
        let family = compiler.family;
        let pipeline = self.pipeline()?.unwrap_or_default();
        // A pass may fail only by what those before it left in memory.
        for window in [1, 4, 16, 64] {
            let first = bad.saturating_sub(window);
            let names: Vec<&str> = ran
                .iter()
                .filter(|step| first < step.number && step.number <= bad)
                .filter_map(|step| passes::catalogue::llvm(&step.pass)?.pipeline)
                .collect();
            let Some(ir) = self.code(first, true)? else { return Ok(None) };
            let before = Before::new(self.failing, ir);
            if names.is_empty() || before.ask(self.steps.nothing)? != Side::Good {
                continue;
            }
            for form in forms(&names, &pipeline) {
                if before.ask(&family.pipeline_arg(&form))? != Side::Bad {
                    continue;
                }
                let is_bad = |text: &str| before.ask(&family.pipeline_arg(text));
                let arg = family.pipeline_arg(&shortest(form, &is_bad)?);
                how.push(format!("the IR after {first} steps fails with {arg} alone"));
                return Ok(Some(arg));
            }
            if first == 0 {
                break;
            }
        }
        how.push("the pass does not fail alone on the IR before it".to_owned());
        Ok(None)
    }

    /// The pipeline that the failing arguments stand for, as far as the optimiser tells.
    fn pipeline(&self) -> Result<Option<String>, BisectError> {
        let fail = &self.failing.fail;
        let family = fail.compiler.family;
        let is_asked = |arg: &&String| family.is_level(arg) || family.pipeline_in(arg).is_some();
        let asked = fail.args.iter().filter(is_asked).cloned().collect();
        let level = Configuration::with_args(Arc::clone(&fail.compiler), asked);
        let args = spelled_out(&level, self.failing.scratch)?.unwrap_or(level.args);
        Ok(args.iter().find_map(|arg| family.pipeline_in(arg)).map(str::to_owned))
    }
}

/// The IR before a step, as a program.
struct Before<'a> {
    failing: &'a Failing<'a>,
    program: Program,
}

impl<'a> Before<'a> {
    fn new(failing: &'a Failing<'a>, ir: String) -> Before<'a> {
        let mut program = Program::single("before.ll", Language::Ir, ir);
        let assembly = failing.program.files.iter().filter(|file| file.name.ends_with(".s"));
        program.files.extend(assembly.cloned());
        Before { failing, program }
    }

    fn ask(&self, arg: &str) -> Result<Side, BisectError> {
        let compiler = Arc::clone(&self.failing.fail.compiler);
        let configuration = Configuration::with_args(compiler, vec![arg.to_owned()]);
        self.failing.ask_of(&self.program, &configuration)
    }
}

/// The pipelines that passes with these names may be: with the parameters and in the managers that
/// a level has them in, and bare.
fn forms(names: &[&str], pipeline: &str) -> Vec<String> {
    if let [name] = names {
        let mut forms = passes::pipeline::alone(pipeline, name);
        forms.push((*name).to_owned());
        return forms;
    }
    let in_level = |name: &&str| {
        let form = passes::pipeline::alone(pipeline, name).into_iter().next();
        form.unwrap_or_else(|| (*name).to_owned())
    };
    let mut parts: Vec<String> = names.iter().map(in_level).collect();
    // The same pass on one function after the other.
    parts.dedup();
    passes::pipeline::join(&parts).into_iter().collect()
}

/// The pipeline without all that can go while it is bad.
fn shortest(
    pipeline: String,
    ask: &(dyn Fn(&str) -> Result<Side, BisectError> + Sync),
) -> Result<String, BisectError> {
    let predicate = |text: &[u8]| -> Result<Answer, Halt> {
        match ask(&String::from_utf8_lossy(text)) {
            Ok(Side::Bad) => Ok(Answer::Interesting),
            Ok(Side::Good | Side::Unclear) => Ok(Answer::Boring),
            Err(error) => Err(Halt::Failed(Box::new(error))),
        }
    };
    let search = Search::new(&predicate, Settings::default());
    let whole = pipeline.clone().into_bytes();
    let made = reduce::to_fixpoint(&search, whole, Stage::ALL.len(), |stage, text| {
        passes::pipeline::changes(&String::from_utf8_lossy(text), Stage::ALL[stage])
    });
    match made {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        Err(Halt::Stopped) => Ok(pipeline),
        Err(Halt::Failed(error)) => match error.downcast::<BisectError>() {
            Ok(error) => Err(*error),
            Err(error) => Err(BisectError::Machine(error.to_string())),
        },
    }
}
