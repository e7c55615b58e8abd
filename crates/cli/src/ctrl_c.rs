//! Ctrl-C: once to stop in order, twice to stop at once.

use crate::exit::Failure;
use campaign::Stop;
use std::sync::Arc;
use toolchain::process;

/// From now on Ctrl-C asks `stop`, saying `how`; the second time it interrupts every process.
pub fn listen(stop: &Arc<Stop>, how: &'static str) -> Result<(), Failure> {
    let stop = Arc::clone(stop);
    ctrlc::set_handler(move || {
        if stop.is_requested() {
            process::interrupt_all();
        } else {
            eprintln!("\n{how}; once more to stop at once");
            stop.request();
        }
    })
    .map_err(|error| Failure::ours(format!("cannot listen to Ctrl-C: {error}")))
}
