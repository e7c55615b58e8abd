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

/// What a flag such as `--minutes` says.
pub fn minutes(flag: &str, minutes: Option<f64>) -> Result<Option<Duration>, Failure> {
    if minutes.is_some_and(|minutes| !(minutes > 0.0 && minutes < 1e7)) {
        return Err(Failure::input(format!("{flag} must be more than 0")));
    }
    Ok(minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0)))
}

/// What `--budget` says: `60s`, `5m`, `1h`, or a number of seconds.
pub fn time(text: &str) -> Result<Duration, Failure> {
    let (number, unit) = match text.trim().strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, text.trim().chars().next_back()),
        None => (text.trim(), None),
    };
    let seconds = match unit {
        Some('m') => 60.0,
        Some('h') => 3600.0,
        _ => 1.0,
    };
    let number = number.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 1e7);
    let number = number.ok_or_else(|| {
        Failure::input(format!("{text} is no time; say 60s, 5m or 1h, and more than 0"))
    })?;
    Ok(Duration::from_secs_f64(number * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, seconds) in [("60s", 60.0), ("1.5m", 90.0), ("2h", 7200.0), ("7", 7.0)] {
            assert_eq!(time(text).unwrap(), Duration::from_secs_f64(seconds));
        }
        for text in ["", "s", "-1s", "0", "60x", "1d"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
