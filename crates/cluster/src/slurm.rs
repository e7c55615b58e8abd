//! Slurm's commands.

use crate::ClusterError;
use std::path::PathBuf;
use std::time::Duration;
use toolchain::in_path;
use toolchain::process::{Confine, Ended, Job, Limits, run};

/// Slurm, as a user reaches it.
#[derive(Clone, Debug)]
pub struct Slurm {
    sbatch: PathBuf,
    squeue: PathBuf,
    scontrol: PathBuf,
    scancel: PathBuf,
}

/// A job of ours in the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Queued {
    /// The array.
    pub job: String,
    /// Its place in it.
    pub place: u32,
    /// Its name.
    pub name: String,
    /// `PENDING`, `RUNNING`, …
    pub state: String,
    /// Where it runs.
    pub host: String,
    /// Why it does not.
    pub reason: String,
}

/// A busy controller answers late; one that is not there makes its commands wait for about this long.
const PATIENCE: Duration = Duration::from_secs(100);

impl Slurm {
    /// Finds the commands.
    ///
    /// # Errors
    /// When one is missing.
    pub fn find() -> Result<Slurm, ClusterError> {
        let find = |name: &'static str| in_path(name).ok_or(ClusterError::NoSlurm(name));
        Ok(Slurm {
            sbatch: find("sbatch")?,
            squeue: find("squeue")?,
            scontrol: find("scontrol")?,
            scancel: find("scancel")?,
        })
    }

    /// What it prints, or what it says against it.
    fn call(
        &self,
        program: &PathBuf,
        args: &[String],
        stdin: &str,
    ) -> Result<Result<String, String>, ClusterError> {
        let limits = Limits { wall: PATIENCE, output: 256 << 20, ..Limits::tool() };
        let mut job = Job::new(program, std::env::temp_dir())
            .args(args)
            .stdin(stdin.as_bytes().to_vec())
            .limits(limits)
            .confine(Confine::none());
        for (key, value) in std::env::vars_os() {
            job = job.env(key, value);
        }
        let run = run(&job)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        Ok(match run.ended {
            Ended::Exit(0) => Ok(text(&run.stdout)),
            Ended::Exit(_) => Err(text(&run.stderr)),
            ended => Err(format!("it ended with {ended:?}")),
        })
    }

    /// The same where a refusal is a failure of Slurm's.
    fn ask(&self, program: &PathBuf, args: &[&str]) -> Result<String, ClusterError> {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        self.call(program, &args, "")?.map_err(|said| ClusterError::Silent {
            command: format!("{} {}", program.display(), args.join(" ")),
            said,
        })
    }

    /// Submits a job array, and says what it is called.
    ///
    /// # Errors
    /// When Slurm refuses or does not answer.
    pub(crate) fn submit(&self, args: &[String], script: &str) -> Result<String, ClusterError> {
        match self.call(&self.sbatch, args, script)? {
            // `117;cluster` where there are several clusters.
            Ok(said) => Ok(said.split(';').next().unwrap_or_default().trim().to_owned()),
            Err(said) if is_silence(&said) => {
                Err(ClusterError::Silent { command: "sbatch".to_owned(), said })
            }
            Err(said) => {
                let said = said.lines().map(|line| line.trim_start_matches("sbatch: error: "));
                let said = said.collect::<Vec<_>>().join("; ");
                let advice = advice(&said).map_or(String::new(), |advice| format!("; {advice}"));
                Err(ClusterError::Refused { said, advice })
            }
        }
    }

    /// All jobs of this user whose names begin so, each member of an array for itself.
    pub(crate) fn queue(&self, prefix: &str) -> Result<Vec<Queued>, ClusterError> {
        let uid = uid();
        let format = "%F|%K|%j|%T|%N|%r";
        let said = self.ask(&self.squeue, &["-h", "-r", "-u", &uid, "-o", format])?;
        Ok(said.lines().filter_map(queued).filter(|one| one.name.starts_with(prefix)).collect())
    }

    /// What Slurm knows of a job that has ended, while it still does: state, exit code, node.
    pub(crate) fn explain(&self, job: &str, place: u32) -> Option<String> {
        let name = format!("{job}_{place}");
        let said = self.ask(&self.scontrol, &["show", "job", "-o", &name]).ok()?;
        Some(said.lines().next()?.to_owned())
    }

    /// Cancels job arrays.
    ///
    /// # Errors
    /// When Slurm does not answer.
    pub(crate) fn cancel(&self, jobs: &[String]) -> Result<(), ClusterError> {
        let args: Vec<&str> = jobs.iter().map(String::as_str).collect();
        if args.is_empty() { Ok(()) } else { self.ask(&self.scancel, &args).map(drop) }
    }

    /// `scontrol show …`.
    pub(crate) fn show(&self, what: &[&str]) -> Result<String, ClusterError> {
        let mut args = vec!["show"];
        args.extend(what);
        self.ask(&self.scontrol, &args)
    }

    /// What the accounts of this user may submit at a time; nothing where that is not kept.
    pub(crate) fn most_submitted(&self) -> Option<usize> {
        let sacctmgr = in_path("sacctmgr")?;
        let uid = uid();
        let filter = format!("user={uid}");
        let wanted = ["-nP", "show", "assoc", "where", &filter, "format=MaxSubmitJobs"];
        let said = self.ask(&sacctmgr, &wanted).ok()?;
        said.lines().filter_map(|line| line.trim().parse().ok()).min()
    }
}

/// The user, as Slurm's commands take it.
fn uid() -> String {
    use std::os::unix::fs::MetadataExt;
    // The owner of our own process: no system call of libc's for one number.
    std::fs::metadata("/proc/self").map_or_else(|_| "0".to_owned(), |own| own.uid().to_string())
}

fn queued(line: &str) -> Option<Queued> {
    let mut words = line.split('|').map(str::to_owned);
    let mut next = || words.next();
    let (job, place) = (next()?, next()?.parse().ok()?);
    let (name, state, host, reason) = (next()?, next()?, next()?, next().unwrap_or_default());
    Some(Queued { job, place, name, state, host, reason })
}

fn is_silence(said: &str) -> bool {
    [
        "Unable to contact",
        "Connection refused",
        "timed out",
        "Zero Bytes",
        "Socket timed",
        "Protocol authentication",
    ]
    .iter()
    .any(|words| said.contains(words))
}

/// Is it that there are too many jobs at the moment? The words of `slurm_strerror` and of reasons.
pub(crate) fn is_quota(said: &str) -> bool {
    ["SubmitJob", "job submit limit", "temporarily unable", "MaxJobCount"]
        .iter()
        .any(|words| said.contains(words))
}

/// What to do about a refusal, where that is known.
fn advice(said: &str) -> Option<&'static str> {
    let low = said.to_lowercase();
    let rows: [(&str, &str); 8] = [
        ("time limit", "use a smaller --chunk-minutes or --time, or another --partition"),
        ("partition", "say --partition; sinfo lists them"),
        ("account", "say --account; sacctmgr show assoc lists yours"),
        ("memory", "say --mem"),
        ("node configuration", "no node has so many cores or so much memory: say --jobs and --mem"),
        ("permission", "this user may not submit there"),
        ("access", "this user may not submit there"),
        ("array", "the site limits arrays"),
    ];
    rows.iter().find(|(word, _)| low.contains(word)).map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_queue_is_a_member_of_an_array() {
        let one = queued("117|3|whodunit-abc-2|RUNNING|w1|None").unwrap();
        assert_eq!((one.job.as_str(), one.place, one.host.as_str()), ("117", 3, "w1"));
        assert_eq!(queued("118|N/A|other|RUNNING|w1|None"), None);
    }

    #[test]
    fn refusals_are_told_apart() {
        assert!(is_quota(
            "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"
        ));
        assert!(is_quota("AssocMaxSubmitJobLimit"));
        assert!(is_quota(
            "Batch job submission failed: Slurm temporarily unable to accept job, sleeping and retrying"
        ));
        assert!(!is_quota(
            "Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)"
        ));
        assert!(advice("invalid partition specified: lon").unwrap().contains("--partition"));
        assert!(is_silence("Unable to contact slurm controller (connect failure)"));
    }
}
