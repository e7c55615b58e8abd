//! What the door costs: `cargo test -p toolchain --release --test process_cost -- --ignored
//! --nocapture`.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};
use toolchain::cpu_times;
use toolchain::process::{Confine, Job, Scratch, run, run_without_namespace};

const TIMES: u32 = 300;
const WARM_UP: u32 = 20;

#[test]
#[ignore = "a measurement"]
fn cost_of_running_true() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let job = Job::new("/bin/true", scratch.path());
    let spare = job.clone().confine(Confine::sanitizer());
    let bare = job.clone().confine(Confine::none());
    let by_std = measure("std::process::Command", || {
        std::process::Command::new("/bin/true").output().unwrap();
    });
    for (name, job, run) in [
        ("namespace", &job, run as fn(&Job) -> _),
        ("namespace, own /proc", &spare, run),
        ("namespace, own /proc, unconfined", &bare, run),
        ("no namespace", &job, run_without_namespace),
    ] {
        let before = cpu_times().own;
        let cost = measure(name, || {
            run(job).unwrap();
        });
        let own = (cpu_times().own - before) / (TIMES + WARM_UP);
        println!("  {:.2} times std; {own:?} of processor time ours", ratio(cost, by_std));
    }
}

/// A fork would copy our page tables; the zygote's are small, whatever we hold.
#[test]
#[ignore = "a measurement"]
fn cost_of_our_own_memory() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let job = Job::new("/bin/true", scratch.path());
    for mib in [0, 50, 200] {
        let ballast = vec![1u8; mib << 20];
        let name = format!("with {mib} MiB of ours");
        let before = cpu_times().own;
        measure(&name, || {
            run(&job).unwrap();
        });
        println!("  {:?} of processor time ours", (cpu_times().own - before) / (TIMES + WARM_UP));
        assert!(ballast.iter().all(|byte| *byte == 1));
    }
}

#[test]
#[ignore = "a measurement"]
fn cost_of_watching() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let script = "for i in 1 2 3 4 5 6 7 8; do sleep 5 & done; wait";
    let before = cpu_times().own;
    let run = run(&Job::new("sh", scratch.path()).args(["-c", script])).unwrap();
    let own = cpu_times().own - before;
    println!("watching 9 processes: {:.2} % of a processor", ratio(own, run.wall) * 100.0);
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn measure(name: &str, mut once: impl FnMut()) -> Duration {
    (0..WARM_UP).for_each(|_| once());
    let start = Instant::now();
    (0..TIMES).for_each(|_| once());
    let each = start.elapsed() / TIMES;
    println!("{name}: {each:?}");
    each
}
