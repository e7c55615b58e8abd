//! A finding as a report: what is known, in the words of `report`.

use crate::record::{FindingBody, IsolatedBody};
use base::Seed;
use isolate::RankedFile;
use oracle::{Limiting, Observation, Outcome, Screen, observe};

use report::{
    Bug, Check, CompilerText, Family, File, Found, Language, Pair, Run, Suspect, Suspicion, Version,
};
use std::path::Path;
use store::FindingId;
use toolchain::family::Failure;
use toolchain::{BuildError, Configuration, End, Program, preprocess};
use triage::{Culprit, VersionResult};

/// All that is known of a bug.
pub(crate) struct Known<'a> {
    pub id: FindingId,
    pub finding: &'a FindingBody,
    /// The program as it was found, if another one stands for it.
    pub original: Option<&'a Program>,
    pub program: &'a Program,
    pub fail: &'a Configuration,
    pub pass: Option<&'a Configuration>,
    /// The screen of the program, if it is not the finding's.
    pub screen: Option<&'a Screen>,
    pub culprit: Option<&'a Culprit>,
    pub versions: &'a [VersionResult],
    /// The seed of the campaign, if programs are made from it.
    pub campaign_seed: Option<Seed>,
}

/// Runs both sides once more, for their exact commands and output, and puts all together.
pub(crate) fn compose(
    known: &Known<'_>,
    limiting: &Limiting,
    scratch: &Path,
) -> Result<Bug, BuildError> {
    let compiler = &known.fail.compiler;
    let look = |side: &Configuration| observe(side, known.program, limiting, scratch);
    let seen = look(known.fail)?;
    let message = match &seen.outcome {
        Outcome::Failed(_, Failure::Crash(crash) | Failure::InvalidIr(crash)) => {
            crash.message.clone()
        }
        Outcome::Failed(_, Failure::Rejected(why)) => why.clone(),
        Outcome::Alarmed(alarm) => alarm.clone(),
        _ => known.finding.bug.message.clone(),
    };
    let pass = known.pass.map(|pass| Ok::<_, BuildError>(run(pass, &look(pass)?))).transpose()?;
    let screen = known.screen.or(known.finding.bug.screen.as_ref());
    Ok(Bug {
        id: known.id.to_string(),
        kind: known.finding.bug.kind.to_string(),
        signature: known.finding.bug.signature.clone(),
        family: match compiler.family.name() {
            "gcc" => Family::Gcc,
            "clang" => Family::Llvm,
            _ => Family::Other,
        },
        compiler: CompilerText {
            name: compiler.name.clone(),
            version: compiler.version.to_string(),
            says: compiler.says().unwrap_or_else(|_| compiler.version_line.clone()),
            target: compiler.target.clone(),
        },
        language: match known.program.language {
            toolchain::Language::C => Language::C,
            toolchain::Language::Cxx => Language::Cxx,
            toolchain::Language::Ir => Language::Ir,
        },
        standard: known.program.standard.clone(),
        files: files(known.program),
        original: known.original.map(files).unwrap_or_default(),
        preprocessed: preprocessed(known, scratch)?,
        fail: run(known.fail, &seen),
        pass,
        message,
        versions: known
            .versions
            .iter()
            .map(|result| Version {
                compiler: result.compiler.clone(),
                version: result.version.clone(),
                fails: result.fails,
                note: result.note.clone(),
            })
            .collect(),
        culprit: known.culprit.map(culprit),
        checks: screen.map(checks).unwrap_or_default(),
        found: known.campaign_seed.map(|seed| Found {
            whodunit: env!("CARGO_PKG_VERSION").to_owned(),
            source: known.finding.source.clone(),
            campaign_seed: seed.to_string(),
            program: known.id.program,
            seed: known.finding.seed.to_string(),
        }),
        duplicates: Vec::new(),
        suspicion: None,
    })
}

impl IsolatedBody {
    /// As a report has it; nothing where there is no answer.
    #[must_use]
    pub fn suspicion(&self) -> Option<Suspicion> {
        let suspect = |file: &RankedFile| Suspect {
            rank: file.rank,
            file: file.file.clone(),
            score: file.score,
            functions: file.functions.iter().map(|function| function.name.clone()).collect(),
            evidence: file
                .evidence
                .iter()
                .map(|one| (one.what.clone(), one.lines.iter().copied().collect()))
                .collect(),
        };
        // Reports are read elsewhere: where the build lies on this machine is nobody's business.
        let build = Path::new(&self.build).file_name().unwrap_or_default();
        self.failed.is_none().then(|| Suspicion {
            build: build.to_string_lossy().into_owned(),
            method: self.method.clone(),
            evaluations: self.evaluations,
            witnesses: self.witnesses,
            files: self.files.iter().map(suspect).collect(),
        })
    }
}

fn files(program: &Program) -> Vec<File> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    program
        .files
        .iter()
        .map(|file| File { name: file.name.clone(), text: text(&file.bytes) })
        .collect()
}

fn preprocessed(known: &Known<'_>, scratch: &Path) -> Result<Vec<File>, BuildError> {
    let ending = match known.program.language {
        toolchain::Language::Ir => return Ok(Vec::new()),
        toolchain::Language::C => "i",
        toolchain::Language::Cxx => "ii",
    };
    let mut made = Vec::new();
    for unit in known.program.units() {
        if let Some(bytes) = preprocess(known.fail, known.program, &unit.name, scratch)? {
            let name = Path::new(&unit.name).with_extension(ending);
            made.push(File {
                name: name.to_string_lossy().into_owned(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
    }
    Ok(made)
}

fn run(side: &Configuration, seen: &Observation) -> Run {
    let bare = |command: &Vec<String>| -> Vec<String> {
        let mut command = command.clone();
        if let Some(name) = command.first().and_then(|path| Path::new(path).file_name()) {
            command[0] = name.to_string_lossy().into_owned();
        }
        command
    };
    let commands: Vec<Vec<String>> = seen.commands.iter().map(bare).collect();
    let first = commands.first().and_then(|command| command.first()).cloned();
    Run {
        compiler: first.unwrap_or_else(|| side.compiler.name.clone()),
        args: side.args.clone(),
        commands,
        end: seen.behaviour().map(|behaviour| match &behaviour.end {
            End::Exit(code) => format!("exit {code}"),
            End::Signal(signal) => format!("signal {signal}"),
            End::Endless => "does not end".to_owned(),
            End::Excess(what) => format!("exceeds its {what} limit"),
        }),
        output: seen.behaviour().map(|behaviour| behaviour.head.clone()).unwrap_or_default(),
    }
}

fn culprit(culprit: &Culprit) -> report::Culprit {
    report::Culprit {
        pass: culprit.pass.clone().unwrap_or_else(|| "none that can be switched off".to_owned()),
        file: culprit.file.clone(),
        step: culprit.step,
        function: culprit.function.clone(),
        needed: culprit.needed.clone(),
        counter: culprit.counter.clone(),
        alone: culprit.alone.clone(),
        pair: culprit.pair.as_ref().map(|pair| Pair {
            form: pair.form.clone(),
            before: pair.before.clone(),
            after: pair.after.clone(),
        }),
        how: culprit.how.join("; "),
    }
}

fn checks(screen: &Screen) -> Vec<Check> {
    screen
        .checks
        .iter()
        .map(|check| Check {
            by: check.by.clone(),
            result: format!("{:?}", check.result).to_lowercase(),
            detail: check.detail.clone(),
        })
        .collect()
}
