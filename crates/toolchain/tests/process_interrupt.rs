//! Interruption, in a process of its own: it ends the jobs of all threads.

#![allow(clippy::unwrap_used)]

use std::thread;
use std::time::{Duration, Instant};
use toolchain::process::{
    Ended, Job, ProcessError, Scratch, interrupt_all, resume_all, run, run_without_namespace,
};

#[test]
fn an_interruption_ends_all_jobs_until_we_resume() {
    let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
    let sleep = &Job::new("sleep", scratch.path()).arg("50");
    let start = Instant::now();
    thread::scope(|scope| {
        let runners = [run, run_without_namespace, run, run_without_namespace];
        let jobs = runners.map(|run| scope.spawn(move || run(sleep)));
        thread::sleep(Duration::from_millis(200));
        interrupt_all();
        for job in jobs {
            assert!(matches!(job.join().unwrap(), Err(ProcessError::Interrupted { .. })));
        }
    });
    assert!(start.elapsed() < Duration::from_secs(5));
    let quick = Job::new("true", scratch.path());
    assert!(matches!(run(&quick), Err(ProcessError::Interrupted { .. })));
    resume_all();
    assert_eq!(run(&quick).unwrap().ended, Ended::Exit(0));
    resume_all();
    assert_eq!(run(&quick).unwrap().ended, Ended::Exit(0));
}
