//! Hunts of the same length, each a campaign of its own.

use super::variant::HuntVariant;
use base::atomic_write;
use campaign::{
    Amount, Choice, Config, Ended, Event, HuntError, Plan, PlanError, Stop, bugs, hunt,
};
use cluster::ClusterError;
use coverage::BuildFault;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{Reader, StoreError};

/// What is to be compared.
pub struct HuntExperiment {
    /// What all hunts have in common: compilers, lengths, how many are selected.
    pub base: Config,
    /// How they choose.
    pub variants: Vec<HuntVariant>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// The CPU time of each hunt's tests, choosing included; what was found is looked into after that.
    pub cpu: Duration,
    /// How many cores there are.
    pub cores: usize,
    /// Where each hunt has its campaign.
    pub out: PathBuf,
}

/// What a hunt found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HuntRun {
    /// How it chose.
    pub variant: String,
    /// Its seed.
    pub seed: u64,
    /// Programs tested.
    pub programs: u64,
    /// Findings, repeated ones included.
    pub findings: u64,
    /// Bugs, by kind.
    pub bugs: BTreeMap<String, u64>,
    /// Edges of the compiler that were executed, if it is a build that counts.
    pub edges: Option<usize>,
    /// The shortest sequence of each bug of a sequence.
    pub sequences: Vec<Vec<String>>,
}

impl HuntRun {
    /// How many bugs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bugs.values().sum()
    }
}

/// A result as it is kept beside its campaign.
#[derive(Serialize, Deserialize)]
struct Kept {
    terms: String,
    run: HuntRun,
}

/// Why an experiment ended early.
#[derive(Debug, thiserror::Error)]
pub enum HuntingError {
    /// A hunt that can't be planned.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A build that can't be asked what it executed.
    #[error(transparent)]
    Coverage(#[from] BuildFault),
    /// A hunt that failed.
    #[error("{campaign}: {source}")]
    Hunt {
        /// Its campaign.
        campaign: PathBuf,
        /// What happened.
        source: Box<HuntError>,
    },
    /// The cluster.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A file.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A campaign that can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl HuntExperiment {
    /// Runs what has not been run yet; gives all runs, or those that ended before it was stopped.
    ///
    /// # Errors
    /// When a hunt can't be planned or fails.
    pub fn run(
        &self,
        scratch: &Path,
        stop: &Stop,
        tell: &(dyn Fn(&str, Event) + Sync),
    ) -> Result<Vec<HuntRun>, HuntingError> {
        let mut runs = Vec::new();
        // Seeds last: whoever stops early has every variant once.
        for &seed in &self.seeds {
            for variant in &self.variants {
                let name = HuntExperiment::name(variant, seed);
                if let Some(run) = self.kept(&name) {
                    runs.push(run);
                    continue;
                }
                let campaign = self.out.join(&name);
                let told = |event| tell(&name, event);
                match self.one(variant, seed, &campaign, scratch, stop, &told)? {
                    Some(run) => {
                        self.keep(&name, &run)?;
                        runs.push(run);
                    }
                    None => return Ok(runs),
                }
            }
        }
        Ok(runs)
    }

    pub(super) fn name(variant: &HuntVariant, seed: u64) -> String {
        format!("{variant}-{seed}")
    }

    /// What decides about the result beside variant and seed.
    fn terms(&self) -> String {
        format!("{} CPU minutes, {:?}", self.cpu.as_secs_f64() / 60.0, self.base)
    }

    fn kept_path(&self, name: &str) -> PathBuf {
        self.out.join(format!("{name}.json"))
    }

    /// The result of a hunt that has ended.
    pub(super) fn kept(&self, name: &str) -> Option<HuntRun> {
        let bytes = std::fs::read(self.kept_path(name)).ok()?;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        (kept.terms == self.terms()).then_some(kept.run)
    }

    pub(super) fn keep(&self, name: &str, run: &HuntRun) -> Result<(), HuntingError> {
        let kept = Kept { terms: self.terms(), run: run.clone() };
        let path = self.kept_path(name);
        let text = serde_json::to_vec(&kept).expect("plain data with string keys");
        atomic_write(&path, &text).map_err(|source| HuntingError::Io { path, source })
    }

    pub(super) fn one(
        &self,
        variant: &HuntVariant,
        seed: u64,
        campaign: &Path,
        scratch: &Path,
        stop: &Stop,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<HuntRun>, HuntingError> {
        let choice = Choice { scratch, cores: self.cores, finishes: true, kept: None };
        let mut plan = Plan::make(&variant.config(&self.base, seed), choice)?;
        plan.cover()?;
        let tries = plan.reduce_tries;
        // First the tests, then the work on what they found: that does not take their time.
        for (amount, tries) in [(Amount::Cpu(self.cpu), 0), (Amount::Programs(0), tries)] {
            (plan.amount, plan.reduce_tries) = (amount, tries);
            let hunted = hunt(&plan, campaign, stop, tell);
            let hunted = hunted.map_err(|error| HuntingError::Hunt {
                campaign: campaign.to_owned(),
                source: Box::new(error),
            })?;
            if hunted.ended == Ended::Stopped {
                return Ok(None);
            }
        }
        let reader = Reader::open(campaign)?;
        let counts = reader.counts()?;
        let mut run = HuntRun {
            variant: variant.to_string(),
            seed,
            programs: counts.programs,
            findings: counts.findings,
            bugs: BTreeMap::new(),
            edges: plan.edges_covered(),
            sequences: Vec::new(),
        };
        for bug in bugs(&reader)? {
            *run.bugs.entry(bug.finding.bug.kind.to_string()).or_default() += 1;
            run.sequences.extend(Some(bug.sequence()).filter(|sequence| !sequence.is_empty()));
        }
        Ok(Some(run))
    }
}
