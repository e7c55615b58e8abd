//! Hunts of the same length, each a campaign of its own.

use super::variant::HuntVariant;
use campaign::{
    Amount, Choice, Config, Ended, Event, HuntError, Plan, PlanError, Stop, bugs, hunt,
};
use coverage::BuildFault;
use serde::Serialize;
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
#[derive(Clone, PartialEq, Debug, Serialize)]
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
                let name = format!("{variant}-{seed}");
                match self.one(variant, seed, &name, scratch, stop, &|event| tell(&name, event))? {
                    Some(run) => runs.push(run),
                    None => return Ok(runs),
                }
            }
        }
        Ok(runs)
    }

    fn one(
        &self,
        variant: &HuntVariant,
        seed: u64,
        name: &str,
        scratch: &Path,
        stop: &Stop,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<Option<HuntRun>, HuntingError> {
        let campaign = self.out.join(name);
        let choice = Choice { scratch, cores: self.cores, finishes: true };
        let mut plan = Plan::make(&variant.config(&self.base, seed), choice)?;
        plan.cover()?;
        let tries = plan.reduce_tries;
        // First the tests, then the work on what they found: that does not take their time.
        for (amount, tries) in [(Amount::Cpu(self.cpu), 0), (Amount::Programs(0), tries)] {
            (plan.amount, plan.reduce_tries) = (amount, tries);
            let hunted = hunt(&plan, &campaign, stop, tell);
            let hunted = hunted.map_err(|error| HuntingError::Hunt {
                campaign: campaign.clone(),
                source: Box::new(error),
            })?;
            if hunted.ended == Ended::Stopped {
                return Ok(None);
            }
        }
        let reader = Reader::open(&campaign)?;
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
