//! The small process that starts jobs: when it dies, and what it takes. One test, as all share one.

#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};
use toolchain::cpu_times;
use toolchain::process::{Ended, Job, ProcessError, Scratch, run};

#[test]
fn a_killed_zygote_takes_its_jobs_along_and_is_replaced() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let job = |script: &str| Job::new("/bin/sh", scratch.path()).args(["-c", script]);
    let before = cpu_times();
    let busy = run(&job("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")).unwrap();
    assert_eq!(busy.ended, Ended::Exit(0));
    let after = cpu_times();
    assert_eq!(after.children - before.children, busy.usage.cpu());
    assert!(after.own - before.own < busy.usage.cpu());

    let first = zygote().unwrap();
    let asleep = job("sleep 60");
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&asleep));
        let start = Instant::now();
        while children(first).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(20), "no supervisor is born");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::process::Command::new("kill").args(["-9", &first.to_string()]).status().unwrap();
        let lost = running.join().unwrap();
        assert!(matches!(lost, Err(ProcessError::SupervisorLost { .. })), "{lost:?}");
        assert!(start.elapsed() < Duration::from_secs(30));
    });
    assert_eq!(run(&job("exit 3")).unwrap().ended, Ended::Exit(3));
    assert_ne!(zygote(), Some(first));
}

fn zygote() -> Option<i32> {
    let is_it = |pid: &i32| {
        let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim() == "whodunit-zygote"
    };
    children(std::process::id() as i32).into_iter().find(is_it)
}

fn children(pid: i32) -> Vec<i32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = threads
        .filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().map(|one| one.parse().unwrap()).collect::<Vec<_>>()
        })
        .collect()
}
