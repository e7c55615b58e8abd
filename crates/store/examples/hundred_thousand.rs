//! What a large campaign costs: 100,000 programs by four threads, findings with a file in every
//! 200th, then everything read back. Prints times and the peak of memory.
//!
//! `cargo run --release -p store --example hundred_thousand [DIR]`; DIR must be absent or empty, and
//! without it a temporary one is used.

use base::{Seed, Stopwatch};
use serde_json::json;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use store::{Campaign, FindingRow, Page, ProgramRow, Reader, StoreError};

const PROGRAMS: u64 = 100_000;
const FINDING_EVERY: u64 = 200;
const THREADS: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let dir = std::env::args_os().nth(1).map_or(temporary.path().to_owned(), PathBuf::from);

    let watch = Stopwatch::start();
    let campaign = Campaign::create_or_resume(&dir, &json!({ "programs": PROGRAMS }))?.campaign;
    let next = AtomicU64::new(0);
    let work = || -> Result<(), StoreError> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= PROGRAMS {
                return Ok(());
            }
            commit(&campaign, index)?;
        }
    };
    std::thread::scope(|scope| -> Result<(), StoreError> {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    let seconds = watch.elapsed().as_secs_f64();
    println!("commit     {seconds:8.2} s = {:.1} µs each", seconds * 1e6 / PROGRAMS as f64);
    drop(campaign);

    let reader = Reader::open(&dir)?;
    timed("ranges", || reader.programs_done().map(|ranges| ranges.len() as u64))?;
    timed("counts", || reader.counts().map(|counts| counts.programs))?;
    timed("findings", || Ok(reader.findings(Page::first(u32::MAX))?.rows.len() as u64))?;
    timed("export", || reader.export_jsonl(&mut std::io::sink()).map(|lines| lines.records))?;
    println!(
        "database   {:8.1} MB",
        std::fs::metadata(dir.join("campaign.db"))?.len() as f64 / 1e6
    );
    println!("{}", memory_peak()?);
    Ok(())
}

fn timed(name: &str, read: impl FnOnce() -> Result<u64, StoreError>) -> Result<(), StoreError> {
    let watch = Stopwatch::start();
    let count = read()?;
    println!("{name:10} {:8.1} ms ({count})", watch.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

/// About 700 bytes a program: what six configurations with their output hashes take.
fn commit(campaign: &Campaign, index: u64) -> Result<(), StoreError> {
    let configurations: Vec<_> = (0..6)
        .map(|number| {
            let output = base::ContentId::of(&index.to_le_bytes()).short();
            json!({ "compiler": number / 2, "flags": "-O2", "output": output, "exit": 0,
                    "seconds": [0.1, 0.2] })
        })
        .collect();
    let found = index.is_multiple_of(FINDING_EVERY);
    let program = ProgramRow {
        index,
        seed: Seed(1).derive("program", index),
        outcome: if found { "bug" } else { "agree" }.to_owned(),
        cpu_ms: index % 1000,
        body: json!({ "size": 40_000, "configurations": configurations }),
    };
    let mut findings = Vec::new();
    if found {
        let source = format!("int f{index}(void) {{ return {index}; }}\n").repeat(500);
        findings.push(FindingRow {
            ordinal: 0,
            kind: "wrong-code".to_owned(),
            signature: format!("odd one out {}", index % 7),
            body: json!({ "source": campaign.put_file(source.as_bytes())? }),
        });
    }
    campaign.commit_program(&program, &findings)
}

fn memory_peak() -> std::io::Result<String> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    Ok(status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: ?").to_owned())
}
