//! Amounts that several commands take.

use crate::exit::Failure;
use campaign::Config;
use std::time::Duration;

/// What `--jobs` says, by default one for each core.
pub fn jobs(jobs: Option<u32>) -> Result<usize, Failure> {
    match jobs {
        Some(jobs) if !Config::JOBS.contains(&jobs) => {
            Err(Failure::input(format!("--jobs must be 1 to {}", Config::JOBS.end())))
        }
        Some(jobs) => Ok(jobs as usize),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// What `--minutes` says.
pub fn minutes(minutes: Option<f64>) -> Result<Option<Duration>, Failure> {
    if minutes.is_some_and(|minutes| !(minutes > 0.0 && minutes < 1e7)) {
        return Err(Failure::input("--minutes must be more than 0"));
    }
    Ok(minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0)))
}
