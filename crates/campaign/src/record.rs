//! What a campaign keeps: the bodies of the store's records.

use base::{ContentId, Seed};
use isolate::RankedFile;
use oracle::{Bug, Limiting, Observation, Screen};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use store::{FindingId, Reader, StoreError};
use toolchain::{Compiler, DataModel, Identity, Language, Program, SourceFile};
use triage::{Culprit, Fingerprint};

/// What must not change while a campaign lasts: with the same record, the same programs get the
/// same verdicts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanRecord {
    /// Where all randomness comes from.
    pub seed: Seed,
    /// Where programs come from.
    pub source: String,
    /// What they are tested with.
    pub configurations: Vec<String>,
    /// The compilers behind that.
    pub compilers: Vec<CompilerRecord>,
    /// The limits of compilers and programs.
    pub limiting: Limiting,
    /// The compiler whose bugs are old news.
    pub baseline: Option<String>,
}

/// A compiler that took part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompilerRecord {
    /// How reports call it.
    pub name: String,
    /// Its driver.
    pub path: PathBuf,
    /// The folder of the build that counts, if it is one: its driver may be a stock compiler's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<PathBuf>,
    /// GCC, Clang or another.
    pub family: String,
    /// What it says of itself.
    pub version_line: String,
    /// The machine that it compiles for.
    pub target: String,
    /// Its data model.
    pub data_model: DataModel,
    /// Arguments for every use of it.
    pub args: Vec<String>,
    /// What runs its programs.
    pub runner: Vec<String>,
    /// What tells it from a changed one.
    pub identity: Identity,
}

impl CompilerRecord {
    pub(crate) fn of(compiler: &Compiler) -> CompilerRecord {
        CompilerRecord {
            name: compiler.name.clone(),
            path: compiler.path.clone(),
            build: compiler.counting.as_ref().map(|counting| counting.folder.clone()),
            family: compiler.family.name().to_owned(),
            version_line: compiler.version_line.clone(),
            target: compiler.target.clone(),
            data_model: compiler.data_model,
            args: compiler.args.clone(),
            runner: compiler.runner.clone(),
            identity: compiler.identity.clone(),
        }
    }
}

impl PlanRecord {
    /// The first thing that differs from `other`, in words.
    #[must_use]
    pub fn difference(&self, other: &PlanRecord) -> Option<String> {
        let differs = |what: &str, mine: String, theirs: String| {
            (mine != theirs).then(|| format!("{what}: {mine} there, {theirs} now"))
        };
        differs("seed", self.seed.to_string(), other.seed.to_string())
            .or_else(|| differs("source", self.source.clone(), other.source.clone()))
            .or_else(|| {
                differs("test set", self.configurations.join("; "), other.configurations.join("; "))
            })
            .or_else(|| {
                differs("limits", format!("{:?}", self.limiting), format!("{:?}", other.limiting))
            })
            .or_else(|| {
                differs("baseline", format!("{:?}", self.baseline), format!("{:?}", other.baseline))
            })
            .or_else(|| {
                let changed = self.compilers.iter().find(|mine| !other.compilers.contains(mine))?;
                Some(format!("compiler {} has changed ({})", changed.name, changed.path.display()))
            })
    }
}

impl PlanRecord {
    /// The same beside a plan that was made on another machine: there, files may be of another time, and are the same
    /// if their content is.
    #[must_use]
    pub fn difference_elsewhere(&self, other: &PlanRecord) -> Option<String> {
        let timeless = |plan: &PlanRecord| {
            let mut plan = plan.clone();
            plan.compilers.iter_mut().for_each(|compiler| compiler.identity.parts.clear());
            plan
        };
        timeless(self).difference(&timeless(other))
    }
}

/// What is kept of every tested program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ProgramBody {
    /// Bytes of source.
    pub bytes: u64,
    /// Why it was not comparable, or what was dropped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// One file of a program in the store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub id: ContentId,
}

/// What is kept of a finding: enough to repeat it without the generator.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FindingBody {
    /// What is wrong with whom.
    pub bug: Bug,
    /// The seed of the program.
    pub seed: Seed,
    /// Where it came from.
    pub source: String,
    /// What it is written in.
    pub language: Language,
    /// The standard that it keeps to, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// Its files.
    pub files: Vec<FileRecord>,
    /// Arguments that every compiler needs for it.
    pub args: Vec<String>,
    /// What it must print, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Vec<u8>>,
    /// What each configuration did, with its commands.
    pub observations: Vec<Observation>,
}

/// What the reduction of a finding gave: the stage "reduce".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReducedBody {
    /// The smaller program; the finding keeps the original.
    pub files: Vec<FileRecord>,
    /// The configuration that fails, such as `gcc-12 -O1`.
    pub fail: String,
    /// One that passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// Bytes of the original.
    pub bytes_before: u64,
    /// Bytes of the smaller program.
    pub bytes: u64,
    /// Questions asked.
    pub tries: u64,
    /// Candidates refused because they showed another bug.
    pub slipped: u64,
    /// Can nothing more go? Otherwise the budget ended it.
    pub is_finished: bool,
    /// The search for undefined behaviour in the smaller program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// Why there is no smaller program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl ReducedBody {
    /// The smaller program in the place of the original.
    pub(crate) fn program(
        &self,
        reader: &Reader,
        original: &Program,
    ) -> Result<Program, StoreError> {
        let read = |file: &FileRecord| {
            Ok(SourceFile { name: file.name.clone(), bytes: reader.get_file(file.id)? })
        };
        let files = self.files.iter().map(read).collect::<Result<_, StoreError>>()?;
        // What the original prints, this one need not.
        let mut program = Program { files, expected: None, ..original.clone() };
        program.drop_unused_folders();
        Ok(program)
    }
}

/// What tells a finding from others: the stage "triage".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TriagedBody {
    /// As it was found, before reduction.
    pub fingerprint: Fingerprint,
    /// How the pass was found out, or why it was not.
    pub how: Vec<String>,
    /// The failing configuration with the shortest sequence of passes, of a finding that has one and can only be told
    /// apart by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<String>,
}

/// That a finding is an old one again: the record "repeats".
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RepeatsBody {
    /// The earlier finding, or the name of a known bug.
    pub of: String,
    /// Why that is believed.
    pub evidence: Vec<String>,
}

/// That a finding is not the same as others: the record "apart".
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ApartBody {
    /// Which.
    pub from: Vec<FindingId>,
}

/// Which files of the compiler are suspicious: the stage "isolate".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IsolatedBody {
    /// The build that was asked.
    pub build: String,
    /// The method.
    pub method: String,
    /// Its seed.
    pub seed: Seed,
    /// Variants that were evaluated.
    pub evaluations: u64,
    /// Those that became witnesses.
    pub witnesses: u64,
    /// The most suspicious files.
    pub files: Vec<RankedFile>,
    /// Why there is no answer.
    pub failed: Option<String>,
    /// After how many evaluations which files were first, whenever that changed.
    #[serde(default)]
    pub history: Vec<(u64, Vec<String>)>,
    /// The witnesses, in the order in which they were found.
    #[serde(default)]
    pub trail: Vec<WitnessBody>,
}

/// What is kept of a witness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WitnessBody {
    /// The evaluation that found it.
    pub evaluation: u64,
    /// How it differs from the failing program.
    pub what: String,
    /// How similar it is to it: the share of lines that the compiler executed for both.
    pub similarity: f64,
    /// Its distance to the nearest witness before it.
    pub novelty: Option<f64>,
}

/// What was found out about the first finding of a bug: the stage "look".
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LookedBody {
    /// What tells it from others, after reduction.
    pub fingerprint: Fingerprint,
    /// Where the compiler goes wrong.
    pub culprit: Option<Culprit>,
    /// All that a report says.
    pub report: report::Bug,
    /// What could not be found out, and why.
    pub remarks: Vec<String>,
}
