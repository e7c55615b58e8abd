//! Which page is where.

use crate::http::{Answer, Request};
use crate::page;
use crate::watch::Watch;
use eval::IsolationRun;
use report::html::{SCRIPT, STYLE};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{FindingId, Reader, StoreError};

/// All that is shown.
#[derive(Debug)]
pub struct Site {
    campaign: Option<Arc<Watch>>,
    experiments: Vec<Experiment>,
}

/// A folder of `whodunit eval isolate`.
#[derive(Debug)]
pub struct Experiment {
    /// What it is called.
    pub name: String,
    folder: PathBuf,
}

/// Why an experiment can't be shown.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// There are no runs.
    #[error(
        "{path} can't be read: {source}; an experiment is a folder that whodunit eval isolate --out wrote"
    )]
    Missing {
        /// Where they should be.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Experiment {
    /// The experiment in a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(folder: &Path) -> Result<Experiment, ExperimentError> {
        let path = folder.join("runs.jsonl");
        if let Err(source) = std::fs::File::open(&path) {
            return Err(ExperimentError::Missing { path, source });
        }
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Experiment { name, folder: folder.to_owned() })
    }

    /// Its runs so far, and how many lines are none.
    pub(crate) fn runs(&self) -> std::io::Result<(Vec<IsolationRun>, usize)> {
        let text = std::fs::read_to_string(self.folder.join("runs.jsonl"))?;
        let lines: Vec<_> = text.lines().map(serde_json::from_str::<IsolationRun>).collect();
        let all = lines.len();
        let runs: Vec<IsolationRun> = lines.into_iter().flatten().collect();
        let wrong = all - runs.len();
        Ok((runs, wrong))
    }
}

impl Site {
    /// Shows a campaign, experiments, or both.
    ///
    /// # Errors
    /// When the campaign can't be read.
    pub fn new(campaign: Option<Reader>, experiments: Vec<Experiment>) -> Result<Site, StoreError> {
        let campaign = campaign.map(|reader| Watch::new(reader).map(Arc::new)).transpose()?;
        if let Some(watch) = campaign.clone() {
            std::thread::spawn(move || watch.follow());
        }
        Ok(Site { campaign, experiments })
    }

    pub(crate) fn campaign(&self) -> Option<&Watch> {
        self.campaign.as_deref()
    }

    pub(crate) fn experiments(&self) -> &[Experiment] {
        &self.experiments
    }

    /// Changes whenever a page might.
    pub(crate) fn version(&self) -> u64 {
        self.campaign().map_or(0, |watch| watch.moment().version)
    }

    /// The version after `known`, or `known` again after a while.
    pub(crate) fn wait_for_change(&self, known: u64, at_most: Duration) -> u64 {
        match self.campaign() {
            Some(watch) => watch.wait_for_change(known, at_most),
            None => {
                std::thread::sleep(at_most);
                known
            }
        }
    }

    /// The page that is wanted.
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        let parts: Vec<&str> = request.path.split('/').skip(1).collect();
        let found = match (parts.as_slice(), self.campaign()) {
            (["style.css"], _) => Some(Answer::of("text/css", STYLE)),
            (["script.js"], _) => Some(Answer::of("text/javascript", SCRIPT)),
            (["icon.svg"], _) => Some(Answer::of("image/svg+xml", ICON)),
            ([""], Some(watch)) => Some(Answer::html(page::overview(self, &watch.moment()))),
            ([""], None) => Some(Answer::html(page::experiments(self))),
            (["bugs"], Some(watch)) => {
                Some(Answer::html(page::bugs(self, &watch.moment(), &request.query)))
            }
            (["bugs", id], Some(watch)) => page::bug(self, &watch.moment(), id).map(Answer::html),
            (["bugs", id, "isolation"], Some(watch)) => id
                .parse()
                .ok()
                .and_then(|id: FindingId| page::isolation(self, watch.reader(), id))
                .map(Answer::html),
            (["bugs", id, file], Some(watch)) => {
                page::bug_file(&watch.moment(), id, file).map(Answer::text)
            }
            (["findings"], Some(watch)) => {
                Some(Answer::html(page::findings(self, watch, &request.query)))
            }
            (["findings", id], Some(watch)) => id
                .parse()
                .ok()
                .and_then(|id: FindingId| page::finding(self, watch.reader(), id))
                .map(Answer::html),
            (["experiments"], _) => Some(Answer::html(page::experiments(self))),
            (["experiments", number], _) => {
                let number = number.parse::<usize>().ok();
                let experiment =
                    number.and_then(|number| self.experiments.get(number.checked_sub(1)?));
                experiment.map(|experiment| Answer::html(page::experiment(self, experiment)))
            }
            _ => None,
        };
        found.unwrap_or_else(|| Answer { status: 404, ..Answer::html(page::missing(self)) })
    }
}

/// A magnifying glass.
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\" fill=\"none\" \
    stroke=\"#0b5fae\" stroke-width=\"2\"><circle cx=\"6.5\" cy=\"6.5\" r=\"4.5\"/><path d=\"M10 10l5 5\"/></svg>\n";
