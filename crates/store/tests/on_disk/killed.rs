//! SIGKILL at random moments. The child is this test binary again, with a folder in an environment
//! variable; it says on standard output what it has committed.

use crate::samples::{check_whole, commit, create, plan, source};
use base::{ContentId, Seed};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};
use store::{Campaign, Reader, StoreError};

const FOLDER: &str = "WHODUNIT_STORE_TEST_FOLDER";
const ROUNDS: u64 = 25;

#[test]
fn whatever_was_committed_before_a_kill_is_there_and_nothing_is_half() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("campaign");
    let mut random = Seed(1).stream("moments", 0);
    let mut all_acknowledged = 0;
    for round in 0..ROUNDS {
        // The first rounds are so short that they hit the making of the campaign.
        let most = if round < 12 { 15 } else { 200 };
        let moment = Duration::from_micros(random.below(most * 1000));
        let acknowledged = run_and_kill(&dir, moment);
        match Reader::open(&dir) {
            Ok(reader) => {
                let done = check_whole(&reader);
                let lost: Vec<_> = acknowledged.iter().filter(|i| !done.contains(i)).collect();
                assert!(lost.is_empty(), "round {round}: lost {lost:?}");
                all_acknowledged += acknowledged.len();
            }
            Err(StoreError::NotACampaign { why, .. }) if acknowledged.is_empty() => {
                println!("round {round}, {moment:?}: {why}");
            }
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    let campaign = Campaign::create_or_resume(&dir, &plan()).unwrap().campaign;
    check_files(&dir);
    let done = check_whole(campaign.reader());
    assert!(all_acknowledged > 100 && done.len() >= all_acknowledged, "too little was tested");
}

/// Starts a child, kills it after a while, and returns the indices that it said were committed.
fn run_and_kill(dir: &Path, after: Duration) -> Vec<u64> {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "killed::child", "--nocapture", "--test-threads=1"])
        .env(FOLDER, dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    // Read while it runs, or it would wait for room in the pipe.
    let reading = thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    thread::sleep(after);
    child.kill().unwrap();
    // By the kill, not by an error of its own before it.
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let text = reading.join().unwrap();
    let (whole_lines, _) = text.rsplit_once('\n').unwrap_or_default();
    whole_lines.lines().filter_map(|line| line.strip_prefix("done ")?.parse().ok()).collect()
}

/// Not a test by itself: the part of the child.
#[test]
fn child() {
    let Some(dir) = env::var_os(FOLDER) else { return };
    let campaign = Campaign::create_or_resume(Path::new(&dir), &plan()).unwrap().campaign;
    let done = campaign.reader().programs_done().unwrap();
    let start = done.last().map_or(0, |range| range.end);
    thread::scope(|scope| {
        for worker in 0..2 {
            let campaign = &campaign;
            scope.spawn(move || {
                for index in (start..).skip(worker).step_by(2) {
                    commit(campaign, index).unwrap();
                    // One write a line, past the buffer that would keep it from the parent.
                    let line = format!("\ndone {index}\n");
                    std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
                }
            });
        }
    });
}

/// No temporary file is left, and all that is there is what its name says.
fn check_files(dir: &Path) {
    for folder in fs::read_dir(dir.join("files")).unwrap().map(Result::unwrap) {
        for file in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
            let [first, rest] = [&folder, &file].map(|e| e.file_name().into_string().unwrap());
            let bytes = fs::read(file.path()).unwrap();
            assert_eq!(ContentId::of(&bytes).to_string(), format!("{first}{rest}"));
        }
    }
}

#[test]
fn the_next_writer_removes_unfinished_files_and_no_reader_takes_one_for_whole() {
    let dir = tempfile::tempdir().unwrap();
    drop(create(dir.path()));
    let id = ContentId::of(&source(3));
    let name = id.to_string();
    let folder = dir.path().join("files").join(&name[..2]);
    fs::create_dir_all(&folder).unwrap();
    let unfinished = folder.join(format!(".{}.1-0.tmp", &name[2..]));
    fs::write(&unfinished, &source(3)[..10]).unwrap();
    assert!(Reader::open(dir.path()).unwrap().get_file(id).is_err());
    let campaign = Campaign::open(dir.path()).unwrap();
    assert!(!unfinished.exists());
    assert_eq!(campaign.put_file(&source(3)).unwrap(), id);
    assert_eq!(campaign.reader().get_file(id).unwrap(), source(3));
}
