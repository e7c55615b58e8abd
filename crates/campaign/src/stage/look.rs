//! The stage "look": all that helps whoever mends the bug, found out once for each bug.

use super::sides::{Opened, labelled};
use super::triage::{fingerprint, key, last_pass, outcome};
use super::{Done, Stages};
use crate::bug_report::{self, Known};
use crate::pipeline::PipelineError;
use crate::plan::Plan;
use crate::record::LookedBody;
use oracle::{Kind, Question};
use report::Check;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use store::{Campaign, FindingId};
use toolchain::Program;
use triage::{BisectError, Culprit, Effort, Failing, Side, VersionResult, bisect, versions};

/// The stage's name in the store.
pub const LOOK: &str = "look";

/// Looks into a finding, stores what it finds, and writes the bug's folder.
pub(crate) fn look(
    plan: &Plan,
    campaign: &Campaign,
    id: FindingId,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Done<LookedBody>, PipelineError> {
    let opened = Opened::read(plan, campaign, id)?;
    let why = |why: String| PipelineError::Finding { id, why };
    let sides = opened.sides.as_ref().map_err(|reason| why(reason.clone()))?;
    let stages = Stages::of(campaign.reader(), &id)?;
    let reduced = stages.reduced.filter(|reduced| reduced.failed.is_none());
    let mut program = opened.program.clone();
    let (mut fail, mut pass) = (sides.fail.clone(), sides.pass.clone());
    if let Some(reduced) = &reduced {
        program = reduced.program(campaign.reader(), &program)?;
        fail = labelled(plan, &reduced.fail).unwrap_or(fail);
        pass = reduced.pass.as_deref().and_then(|label| labelled(plan, label)).or(pass);
    }
    let mut remarks = Vec::new();
    let question = Question { program: &program, fail: fail.clone(), pass: pass.clone() };
    let found = match find_out(plan, &question, scratch, stop, &mut remarks) {
        Ok(found) => found,
        Err(error) => match outcome(error)? {
            Done::Committed(why) => {
                remarks.push(why);
                Found::default()
            }
            Done::Unfinished => return Ok(Done::Unfinished),
            Done::Trouble(what) => return Ok(Done::Trouble(what)),
        },
    };
    let mut print = fingerprint(&opened.body);
    if let Some(culprit) = &found.culprit {
        print.pass = key(&fail, culprit.pass.as_deref());
        print.last_pass = culprit.alone.as_deref().and_then(|arg| last_pass(&fail, arg));
        print.counter =
            culprit.counter.as_deref().and_then(|text| text.split(':').next()).map(str::to_owned);
    }
    let failing = found.versions.iter().filter(|result| result.fails == Some(true));
    print.compilers.extend(failing.map(|result| result.compiler.clone()));
    // Of a program that still holds more than the bug needs it says nothing.
    let is_small = reduced.as_ref().is_some_and(|reduced| reduced.is_finished);
    if print.pass.is_none() && is_small {
        print.shape = shape(&program);
    }
    let mut report = bug_report::compose(
        &Known {
            id,
            finding: &opened.body,
            original: reduced.is_some().then_some(&opened.program),
            program: &program,
            fail: &fail,
            pass: pass.as_ref(),
            screen: reduced.as_ref().and_then(|reduced| reduced.screen.as_ref()),
            culprit: found.culprit.as_ref(),
            versions: &found.versions,
            campaign_seed: plan.source.generates().then_some(plan.seed),
        },
        &plan.limiting,
        scratch,
    )?;
    report.checks.extend(found.forgiven);
    let folder = campaign.reader().dir().join("bugs").join(id.to_string());
    let written = std::fs::create_dir_all(folder.parent().unwrap_or(&folder))
        .and_then(|()| report::write_folder(&report, &folder));
    if let Err(error) = written {
        return Ok(Done::Trouble(format!("cannot write {}: {error}", folder.display())));
    }
    let record = LookedBody { fingerprint: print, culprit: found.culprit, report, remarks };
    campaign.put_stage(&id, LOOK, &record)?;
    Ok(Done::Committed(record))
}

#[derive(Default)]
struct Found {
    culprit: Option<Culprit>,
    versions: Vec<VersionResult>,
    /// What becomes of it with options that forgive.
    forgiven: Vec<Check>,
}

fn find_out(
    plan: &Plan,
    question: &Question<'_>,
    scratch: &Path,
    stop: &(dyn Fn() -> bool + Sync),
    remarks: &mut Vec<String>,
) -> Result<Found, BisectError> {
    let failing = Failing::establish(question, plan.limiting, scratch, stop)?;
    let culprit = match bisect(&failing, Effort::Full) {
        Ok(culprit) => Some(culprit),
        Err(error @ BisectError::NoSwitches(_)) => {
            remarks.push(error.to_string());
            None
        }
        Err(error) => return Err(error),
    };
    let forgiven = match failing.bug.kind {
        Kind::WrongCode => forgiven(&failing)?,
        _ => Vec::new(),
    };
    Ok(Found { culprit, versions: versions(&failing, &plan.known)?, forgiven })
}

/// Wrong code that goes away when the language is made more forgiving may be the program's fault.
fn forgiven(failing: &Failing) -> Result<Vec<Check>, BisectError> {
    let check = |option: &&str| {
        let (result, detail) = match failing.ask(&[(*option).to_owned()])? {
            Side::Bad => ("clean", "wrong with it too"),
            Side::Good => ("caution", "right with it"),
            Side::Unclear => ("unchecked", "neither right nor wrong as before with it"),
        };
        let (result, detail) = (result.to_owned(), detail.to_owned());
        Ok(Check { by: (*option).to_owned(), result, detail })
    };
    failing.fail.compiler.family.forgiving().iter().map(check).collect()
}

/// What a program is made of: its keywords and operators, but for what it takes to print a number.
fn shape(program: &Program) -> BTreeSet<String> {
    use csyntax::TokenKind;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for unit in program.units() {
        for token in csyntax::tokens(&unit.bytes) {
            let text = String::from_utf8_lossy(&unit.bytes[token.range]).into_owned();
            let is_named = match token.kind {
                TokenKind::Word => csyntax::is_keyword(&text),
                TokenKind::Number | TokenKind::String | TokenKind::Character => false,
                _ => true,
            };
            if is_named && !EVERYWHERE.contains(&text.as_str()) {
                *counts.entry(text).or_default() += 1;
            }
        }
    }
    let in_frame =
        |word: &str| FRAME.iter().find(|(known, _)| *known == word).map_or(0, |(_, times)| *times);
    counts.retain(|word, count| *count > in_frame(word));
    counts.into_keys().collect()
}

/// Words that every program has, and more of the larger it is.
const EVERYWHERE: [&str; 12] =
    ["int", "void", "return", "{", "}", "(", ")", ";", ",", "=", ".", "..."];

/// Words of the frame around a reduced program, with how often they stand there:
/// `int printf(const char *, ...); long long z; int main(void) { int v = x; z ^= v; printf("…", z); }`
const FRAME: [(&str, usize); 5] = [("const", 1), ("char", 1), ("*", 1), ("long", 2), ("^=", 1)];
