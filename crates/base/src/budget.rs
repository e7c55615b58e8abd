//! The only place where time is read, so that results can't come to depend on it unnoticed.

use std::time::{Duration, Instant};

/// How long something took.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[must_use]
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// How much work may still be done: a time decides when to stop, an amount makes it repeatable.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    watch: Stopwatch,
    time: Option<Duration>,
    amount: Option<u64>,
}

impl Budget {
    /// A budget that starts now; without time and amount it never ends.
    #[must_use]
    pub fn new(time: Option<Duration>, amount: Option<u64>) -> Budget {
        Budget { watch: Stopwatch::start(), time, amount }
    }

    /// May one more be started when `done` are?
    #[must_use]
    pub fn allows(&self, done: u64) -> bool {
        self.amount.is_none_or(|amount| done < amount)
            && self.time.is_none_or(|time| self.watch.elapsed() < time)
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// The time that is left, if time is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.watch.elapsed()))
    }

    /// The amount that may be done in all, if it is limited.
    #[must_use]
    pub fn amount(&self) -> Option<u64> {
        self.amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_ends_a_budget_and_so_does_time() {
        assert!(Budget::new(None, None).allows(u64::MAX));
        assert!(Budget::new(None, Some(3)).allows(2));
        assert!(!Budget::new(None, Some(3)).allows(3));
        assert!(!Budget::new(Some(Duration::ZERO), None).allows(0));
    }
}
