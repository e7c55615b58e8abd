//! Ending all jobs at once, as Ctrl-C does.

use std::sync::atomic::{AtomicU64, Ordering};

/// Odd while interrupted. A count and not a flag, so that a job under way sees an interruption
/// even when it was followed at once by [`resume_all`].
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// Kills every job now under way: each [`run`](super::run) returns
/// [`Interrupted`](super::ProcessError::Interrupted) within about 50 ms, as do all later ones
/// until [`resume_all`]. May be called from any thread, and from a signal handler.
pub fn interrupt_all() {
    EPOCH.fetch_or(1, Ordering::SeqCst);
}

/// Lets jobs run again after [`interrupt_all`].
pub fn resume_all() {
    let odd = |epoch: u64| (!epoch.is_multiple_of(2)).then(|| epoch + 1);
    // An error means that nothing was interrupted.
    let _ = EPOCH.fetch_update(Ordering::SeqCst, Ordering::SeqCst, odd);
}

/// The time between two interruptions in which a job runs.
#[derive(Clone, Copy)]
pub(super) struct Epoch(u64);

impl Epoch {
    /// The present one; none while interrupted.
    pub(super) fn now() -> Option<Epoch> {
        let epoch = EPOCH.load(Ordering::SeqCst);
        epoch.is_multiple_of(2).then_some(Epoch(epoch))
    }

    pub(super) fn is_over(self) -> bool {
        EPOCH.load(Ordering::Relaxed) != self.0
    }
}
