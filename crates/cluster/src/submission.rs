//! Chunks on their way: a job array.

use crate::chunk::Chunk;
use crate::folder::{Folder, Order, read_json, write_json};
use crate::{ClusterError, Site};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What each job asks for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Resources {
    /// The partition; the site's default without one.
    pub partition: Option<String>,
    /// Whose account pays.
    pub account: Option<String>,
    /// The time limit of each job as Slurm writes it, instead of one that follows from the chunk's minutes.
    pub time: Option<String>,
    /// Memory of each job, as Slurm writes it.
    pub memory: Option<String>,
    /// Cores of each job.
    pub cores: usize,
    /// So many jobs of an array run at the same time.
    pub at_once: Option<usize>,
    /// Environment modules to load.
    pub modules: Vec<String>,
    /// Further arguments of sbatch.
    pub sbatch: Vec<String>,
    /// whodunit, as the nodes see it.
    pub program: PathBuf,
}

/// A job array, as it is kept.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// Its number, from 1.
    pub number: u64,
    /// Its chunks by their place in the array.
    pub chunks: Vec<(u32, Chunk)>,
    /// The job array whose members with the same places must end before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl Submission {
    fn path(folder: &Folder, number: u64) -> PathBuf {
        folder.submissions().join(number.to_string())
    }

    pub(crate) fn write(&self, folder: &Folder) -> Result<(), ClusterError> {
        write_json(&Submission::path(folder, self.number), self)
    }

    pub(crate) fn read(folder: &Folder, number: u64) -> Result<Option<Submission>, ClusterError> {
        read_json(&Submission::path(folder, number))
    }

    /// The array's name in the queue: how it is found again.
    #[must_use]
    pub fn job_name(order: &Order, number: u64) -> String {
        format!("whodunit-{}-{number}", order.token)
    }

    fn seconds(&self) -> u64 {
        self.chunks.iter().map(|(_, chunk)| chunk.seconds).max().unwrap_or(1)
    }

    /// `0-4,7`, with at most so many at a time.
    fn places(&self, at_once: Option<usize>) -> String {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (place, _) in &self.chunks {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == *place => *last = *place,
                _ => ranges.push((*place, *place)),
            }
        }
        let words = ranges.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        let mut text = words.collect::<Vec<_>>().join(",");
        if let Some(at_once) = at_once {
            let _ = write!(text, "%{at_once}");
        }
        text
    }

    /// What sbatch is called with.
    #[must_use]
    pub fn args(&self, folder: &Folder, order: &Order, resources: &Resources) -> Vec<String> {
        let time =
            resources.time.clone().unwrap_or_else(|| Site::limit(self.seconds()).to_string());
        let mut args = vec![
            "--parsable".to_owned(),
            format!("--job-name={}", Submission::job_name(order, self.number)),
            format!("--array={}", self.places(resources.at_once)),
            format!("--output={}/%A_%a.log", folder.log().display()),
            format!("--chdir={}", order.dir.display()),
            format!("--time={time}"),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", resources.cores.max(1)),
            // A chunk whose node died is submitted again by whoever watches: the file is what counts.
            "--no-requeue".to_owned(),
        ];
        let mut option = |name: &str, value: &Option<String>| {
            args.extend(value.as_ref().map(|value| format!("--{name}={value}")));
        };
        option("mem", &resources.memory);
        option("partition", &resources.partition);
        option("account", &resources.account);
        if let Some(job) = &self.after {
            args.push(format!("--dependency=aftercorr:{job}"));
            args.push("--kill-on-invalid-dep=yes".to_owned());
        }
        args.extend(resources.sbatch.iter().cloned());
        args
    }

    /// What each job runs.
    #[must_use]
    pub fn script(&self, folder: &Folder, order: &Order, resources: &Resources) -> String {
        let mut text = "#!/bin/sh\n".to_owned();
        if !resources.modules.is_empty() {
            // `module` is a function that login shells know.
            text.push_str("command -v module >/dev/null || . /etc/profile\n");
        }
        for module in &resources.modules {
            let _ = writeln!(text, "module load {} || exit 1", quoted(Path::new(module)));
        }
        let _ = writeln!(
            text,
            "exec {} work {} --token {} --submission {}",
            quoted(&resources.program),
            quoted(folder.dir()),
            order.token,
            self.number
        );
        text
    }
}

/// As a shell takes it for one word.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn submission(places: &[u32]) -> Submission {
        let chunk = |place: &u32| Chunk {
            name: format!("test-{place}"),
            stage: "test".to_owned(),
            seconds: 300,
            after: None,
            body: Value::Null,
        };
        let chunks = places.iter().map(|place| (*place, chunk(place))).collect();
        Submission { number: 3, chunks, after: Some("117".to_owned()) }
    }

    #[test]
    fn places_of_an_array_are_said_shortly() {
        assert_eq!(submission(&[0, 1, 2, 5, 7, 8]).places(None), "0-2,5,7-8");
        assert_eq!(submission(&[4]).places(Some(10)), "4%10");
    }

    #[test]
    fn a_job_is_one_command_in_the_place_where_the_hunt_was_started() {
        let order = Order {
            token: "abc".to_owned(),
            whodunit: "1".to_owned(),
            args: Vec::new(),
            dir: "/shared/it's here".into(),
            terms: Value::Null,
        };
        let resources = Resources {
            partition: Some("long".to_owned()),
            memory: Some("5G".to_owned()),
            modules: vec!["llvm/16".to_owned()],
            sbatch: vec!["--nice".to_owned()],
            program: "/opt/whodunit".into(),
            ..Resources::default()
        };
        let folder = Folder::new("/shared/it's");
        let args = submission(&[0]).args(&folder, &order, &resources);
        for wanted in [
            "--job-name=whodunit-abc-3",
            "--array=0",
            "--time=20",
            "--mem=5G",
            "--partition=long",
            "--dependency=aftercorr:117",
            "--nice",
        ] {
            assert!(args.iter().any(|arg| arg == wanted), "{wanted} in {args:?}");
        }
        assert!(!args.iter().any(|arg| arg.starts_with("--account")));
        assert_eq!(
            submission(&[0]).script(&folder, &order, &resources),
            "#!/bin/sh\ncommand -v module >/dev/null || . /etc/profile\nmodule load 'llvm/16' || exit 1\n\
             exec '/opt/whodunit' work '/shared/it'\\''s' --token abc --submission 3\n"
        );
    }
}
