//! What the door costs: `cargo test -p toolchain --release --test process_cost -- --ignored
//! --nocapture`.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};
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
        let (before, mut of_jobs) = (cpu_of_us(), Duration::ZERO);
        let cost = measure(name, || of_jobs += run(job).unwrap().usage.cpu());
        let own = (cpu_of_us() - before).saturating_sub(of_jobs) / (TIMES + WARM_UP);
        println!("  {:.2} times std; {own:?} of processor time ours", ratio(cost, by_std));
    }
}

/// A fork copies our page tables, so what we hold in memory makes every job slower.
#[test]
#[ignore = "a measurement"]
fn cost_of_our_own_memory() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let job = Job::new("/bin/true", scratch.path());
    for mib in [0, 50, 200] {
        let ballast = vec![1u8; mib << 20];
        let name = format!("with {mib} MiB of ours");
        measure(&name, || {
            run(&job).unwrap();
        });
        assert!(ballast.iter().all(|byte| *byte == 1));
    }
}

#[test]
#[ignore = "a measurement"]
fn cost_of_watching() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let script = "for i in 1 2 3 4 5 6 7 8; do sleep 5 & done; wait";
    let before = cpu_of_us();
    let run = run(&Job::new("sh", scratch.path()).args(["-c", script])).unwrap();
    let own = (cpu_of_us() - before).saturating_sub(run.usage.cpu());
    println!("watching 9 processes: {:.2} % of a processor", ratio(own, run.wall) * 100.0);
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// Processor time of this process and all it has waited for, to 10 ms.
fn cpu_of_us() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(')').next().unwrap().split_whitespace().skip(11).take(4);
    Duration::from_millis(fields.map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum())
}

fn measure(name: &str, mut once: impl FnMut()) -> Duration {
    (0..WARM_UP).for_each(|_| once());
    let start = Instant::now();
    (0..TIMES).for_each(|_| once());
    let each = start.elapsed() / TIMES;
    println!("{name}: {each:?}");
    each
}
