//! How long a controller takes to gather: 1,000 chunks with 100 programs each, every one with a finding among them,
//! from a Slurm that does everything at once.
//!
//! `cargo run --release -p campaign --example gather_thousand [CHUNKS] [PROGRAMS]`; needs gcc-12.

use base::{ContentId, Seed};
use campaign::{Choice, Config, OnCluster, Parcel, Plan, TestSet, hunt_on_cluster};
use cluster::{Envelope, Folder, Resources, Spent, Submission, Wish};
use serde_json::json;
use std::error::Error;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{FindingRow, ProgramRow};

const FAKES: [(&str, &str); 4] = [
    ("sbatch", "#!/bin/sh\n/bin/cat > /dev/null\necho 1\n"),
    ("squeue", "#!/bin/sh\n"),
    ("scancel", "#!/bin/sh\n"),
    (
        "scontrol",
        "#!/bin/sh\ncase $2 in config) echo MaxArraySize = 1001; echo MaxJobCount = 100000 ;; \
         partition) echo PartitionName=all Default=YES MaxTime=UNLIMITED ;; esac\n",
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let number = |at| std::env::args().nth(at).and_then(|text| text.parse::<u64>().ok());
    let (chunks, programs) = (number(1).unwrap_or(1000), number(2).unwrap_or(100));
    // Slurm's commands are looked for in PATH.
    if std::env::var_os("WITH_FAKES").is_none() {
        let dir = std::env::temp_dir().join(format!("gather-{}", std::process::id()));
        fs::create_dir_all(dir.join("bin"))?;
        for (name, text) in FAKES {
            fs::write(dir.join("bin").join(name), text)?;
            fs::set_permissions(dir.join("bin").join(name), fs::Permissions::from_mode(0o755))?;
        }
        let path = format!("{}:/usr/bin:/bin", dir.join("bin").display());
        let mut again = Command::new(std::env::current_exe()?);
        again.args(std::env::args().skip(1)).env("WITH_FAKES", &dir).env("PATH", path);
        let status = again.status()?;
        fs::remove_dir_all(&dir)?;
        return if status.success() { Ok(()) } else { Err("it failed".into()) };
    }
    let dir = std::env::var("WITH_FAKES")?;
    let dir = Path::new(&dir);
    let (scratch, campaign) = (dir.join("scratch"), dir.join("campaign"));
    fs::create_dir_all(&scratch)?;
    let mut config =
        Config { programs: Some(chunks * programs), jobs: Some(1), ..Config::default() };
    config.reduce.tries = Some(0);
    let levels = Some(vec!["-O0".to_owned(), "-O1".to_owned()]);
    config.sets =
        vec![TestSet { compilers: vec!["gcc-12".to_owned()], levels, ..TestSet::default() }];
    let plan =
        Plan::make(&config, Choice { scratch: &scratch, cores: 1, finishes: true, kept: None })?;
    let on = OnCluster {
        resources: Resources { cores: 1, ..Resources::default() },
        // As long as the programs take by the controller's guess, and then by what workers say.
        chunk: Duration::from_millis(600 * programs),
        poll: Duration::from_secs(1),
        args: Vec::new(),
        dir: dir.to_owned(),
        wish: &|| Wish::GoOn,
    };
    let ended = AtomicBool::new(false);
    let start = Instant::now();
    let hunted = std::thread::scope(|scope| {
        scope.spawn(|| serve(&campaign.join("slurm"), &ended));
        let hunted = hunt_on_cluster(&plan, &campaign, &on, &|_| ());
        ended.store(true, Ordering::SeqCst);
        hunted
    })?;
    let took = start.elapsed();
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let size = fs::metadata(campaign.join("campaign.db"))?.len();
    let kept = fs::read_dir(campaign.join("slurm/results"))?.count();
    println!(
        "{} programs from about {chunks} chunks in {:.1} s, CPU of the controller {:.1} s; peak memory {}; database {} MB; \
         {kept} result files left",
        hunted.0.last.programs,
        took.as_secs_f64(),
        hunted.0.usage.cpu_own_ms as f64 / 1000.0,
        peak.trim_start_matches("VmHWM:").trim(),
        size >> 20
    );
    Ok(())
}

/// Does what is submitted.
fn serve(dir: &Path, ended: &AtomicBool) {
    let folder = Folder::new(dir);
    let mut number = 1;
    while !ended.load(Ordering::SeqCst) {
        let submitted = fs::read(dir.join("submissions").join(number.to_string())).ok();
        let submission =
            submitted.and_then(|bytes| serde_json::from_slice::<Submission>(&bytes).ok());
        let (Some(submission), Ok(order)) = (submission, folder.order()) else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        // The controller removes what earlier tries left when it submits.
        std::thread::sleep(Duration::from_millis(300));
        for (_, chunk) in &submission.chunks {
            let range: Vec<u64> = ["start", "end"]
                .iter()
                .filter_map(|key| chunk.body["test"][key].as_u64())
                .collect();
            let content = parcel(range[0]..range[1]).pack();
            let envelope = Envelope {
                chunk: chunk.name.clone(),
                token: order.token.clone(),
                whodunit: order.whodunit.clone(),
                host: "node".to_owned(),
                job: "1_0".to_owned(),
                spent: Spent { wall_ms: 600 * (range[1] - range[0]), ..Spent::default() },
                written: 0,
                refused: None,
                content: ContentId::of(&content),
            };
            let aside = dir.join("aside").join(&chunk.name);
            let written = fs::write(&aside, envelope.close(&content))
                .and_then(|()| fs::rename(&aside, folder.result(&chunk.name)));
            written.expect("the folder can be written");
        }
        number += 1;
    }
}

fn parcel(range: std::ops::Range<u64>) -> Parcel {
    let mut parcel = Parcel::default();
    for index in range.clone() {
        let findings = match index == range.start {
            true => vec![FindingRow {
                ordinal: 0,
                kind: "crash".to_owned(),
                signature: "internal compiler error: in a place".to_owned(),
                body: json!({ "observations": vec!["a command and what came of it"; 400] }),
            }],
            false => Vec::new(),
        };
        let row = ProgramRow {
            index,
            seed: Seed(index),
            outcome: if findings.is_empty() { "agree" } else { "bug" }.to_owned(),
            cpu_ms: 600,
            body: json!({ "bytes": 31_000 }),
        };
        parcel.programs.push((row, findings));
        if index == range.start {
            parcel.files.push(format!("int main(void) {{ return {index}; }}\n").repeat(200).into());
        }
    }
    parcel
}
