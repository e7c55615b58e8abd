//! What a site allows, as it says itself.

use crate::{ClusterError, Slurm};
use std::time::Duration;

/// What a site allows.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// Members of a job array: places go up to one less.
    pub array: usize,
    /// Jobs in the queue at the same time, of all users.
    pub jobs: usize,
    /// Jobs that this user may have in the queue, where that is limited.
    pub user_jobs: Option<usize>,
    /// The longest that the partition lets a job run, in minutes.
    pub minutes: Option<u64>,
    /// The partition, or what stands for the default.
    pub partition: String,
}

/// A share of the queue that one user may take without being asked about it.
const SHARE: usize = 4;

impl Site {
    /// Asks.
    ///
    /// # Errors
    /// When Slurm does not answer, or there is no such partition.
    pub fn ask(slurm: &Slurm, partition: Option<&str>) -> Result<Site, ClusterError> {
        let config = slurm.show(&["config"])?;
        let number = |key: &str| setting(&config, key).and_then(|value| value.parse().ok());
        let all = slurm.show(&["partition", "-o"])?;
        let names: Vec<String> =
            all.lines().filter_map(|line| word(line, "PartitionName")).collect();
        let is_wanted = |line: &&str| match partition {
            Some(name) => word(line, "PartitionName").as_deref() == Some(name),
            None => word(line, "Default").as_deref() == Some("YES"),
        };
        let line = all.lines().find(is_wanted);
        if let (Some(name), None) = (partition, line) {
            let (name, known) = (name.to_owned(), names.join(", "));
            return Err(ClusterError::UnknownPartition { name, known });
        }
        let accounting = setting(&config, "AccountingStorageType").unwrap_or_default();
        let keeps_accounts = !accounting.is_empty() && !accounting.ends_with("none");
        Ok(Site {
            array: number("MaxArraySize").unwrap_or(1001),
            jobs: number("MaxJobCount").unwrap_or(10_000),
            user_jobs: keeps_accounts.then(|| slurm.most_submitted()).flatten(),
            minutes: line.and_then(|line| word(line, "MaxTime")).as_deref().and_then(minutes),
            partition: line.and_then(|line| word(line, "PartitionName")).unwrap_or_default(),
        })
    }

    /// So many chunks are in the queue at most.
    #[must_use]
    pub fn room(&self) -> usize {
        let share = (self.jobs / SHARE).max(1);
        self.user_jobs.map_or(share, |most| most.min(share)).max(1)
    }

    /// The limit of a chunk that takes so many seconds, in minutes: programs under way are finished, and nodes differ.
    #[must_use]
    pub fn limit(seconds: u64) -> u64 {
        seconds.div_ceil(60) * 2 + 10
    }

    /// The longest chunk whose limit the partition gives, in seconds.
    #[must_use]
    pub fn longest(&self) -> Option<u64> {
        self.minutes.map(|minutes| minutes.saturating_sub(10) / 2 * 60)
    }

    /// Is there time for such a chunk?
    ///
    /// # Errors
    /// When the partition does not give it.
    pub fn allows(&self, seconds: u64) -> Result<(), ClusterError> {
        let wanted = Site::limit(seconds);
        match self.minutes {
            Some(most) if wanted > most => {
                Err(ClusterError::TooLong { partition: self.partition.clone(), wanted, most })
            }
            _ => Ok(()),
        }
    }
}

/// How long files of another machine may take to be seen here: network file systems look at folders again after a
/// minute.
pub(crate) fn settling(dir: &std::path::Path) -> Duration {
    let is_network = || -> Option<bool> {
        let mounts = std::fs::read_to_string("/proc/self/mounts").ok()?;
        let dir = dir.canonicalize().ok()?;
        let of = mounts.lines().filter_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (place, kind) = (words.next()?, words.next()?);
            dir.starts_with(place).then_some((place.len(), kind.to_owned()))
        });
        let (_, kind) = of.max()?;
        let network =
            ["nfs", "cifs", "lustre", "gpfs", "beegfs", "ceph", "fuse", "afs", "9p", "pvfs"];
        Some(network.iter().any(|name| kind.starts_with(name)))
    };
    Duration::from_secs(if is_network().unwrap_or(false) { 90 } else { 3 })
}

/// `MaxArraySize            = 1001`.
fn setting(config: &str, key: &str) -> Option<String> {
    let is_it = |line: &&str| line.split('=').next().is_some_and(|name| name.trim() == key);
    let line = config.lines().find(is_it)?;
    Some(line.split_once('=')?.1.trim().to_owned())
}

/// `MaxTime=1-00:00:00` among other words.
pub(crate) fn word(line: &str, key: &str) -> Option<String> {
    let mut words = line.split_whitespace().filter_map(|word| word.split_once('='));
    words.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
}

/// `1-12:30:00`, `12:30:00`, `UNLIMITED`.
fn minutes(text: &str) -> Option<u64> {
    let (days, rest) = text.split_once('-').unwrap_or(("0", text));
    let mut parts = rest.split(':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    Some(days.parse::<u64>().ok()? * 24 * 60 + hours * 60 + minutes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_slurm_prints_is_understood() {
        let config = "MaxArraySize            = 20001\nMaxJobCount             = 50000\n";
        assert_eq!(setting(config, "MaxArraySize").as_deref(), Some("20001"));
        assert_eq!(setting(config, "MaxArray"), None);
        let line = "PartitionName=main AllowGroups=ALL Default=YES MaxTime=1-12:30:00 State=UP";
        assert_eq!(word(line, "MaxTime").as_deref().and_then(minutes), Some(36 * 60 + 30));
        assert_eq!(minutes("UNLIMITED"), None);
        assert_eq!(minutes("02:00:00"), Some(120));
    }

    #[test]
    fn a_site_says_how_much_fits() {
        let site = Site {
            array: 1001,
            jobs: 10_000,
            user_jobs: Some(500),
            minutes: Some(60),
            partition: "short".to_owned(),
        };
        assert_eq!(site.room(), 500);
        assert!(site.allows(25 * 60).is_ok());
        assert_eq!(site.longest(), Some(25 * 60));
        let said = site.allows(30 * 60).unwrap_err().to_string();
        assert!(said.contains("70") && said.contains("60") && said.contains("short"), "{said}");
    }
}
