//! The runtime, in a program that ends in all the ways there are.

use super::work::Command;
use super::*;
use crate::Counts;
use std::fs;
use std::time::Duration;
use toolchain::COUNTERS_VARIABLE;
use toolchain::process::{self, Confine, Ended, Job, Limits};

/// `twice` runs two times, `often` 65,537 times, `never` not at all; then it ends as it is told to.
const PROGRAM: &str = r#"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
volatile int sink;
__attribute__((noinline)) void twice(void) { sink = 1; }
__attribute__((noinline)) void often(void) { sink = 2; }
__attribute__((noinline)) void never(void) { sink = 3; }
int main(int argc, char **argv) {
    twice();
    twice();
    for (int i = 0; i < 65537; i++) often();
    const char *how = argc > 1 ? argv[1] : "";
    if (!strcmp(how, "wait")) { (void)!write(1, "x", 1); pause(); }
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "segv")) raise(SIGSEGV);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "never")) never();
    return 0;
}
"#;

struct Counted {
    folder: tempfile::TempDir,
    program: PathBuf,
    edges: usize,
}

impl Counted {
    /// Builds the program as compilers are built; nothing, and a word, where that can't be.
    fn build() -> Option<Counted> {
        let folder = tempfile::tempdir().unwrap();
        let request = Request {
            kind: Kind::Tcc,
            from: From::Folder(folder.path().to_owned()),
            out: folder.path().join("out"),
            jobs: 1,
            cxx: false,
            clang: false,
            assertions: false,
            checking: false,
            stats: false,
        };
        let (clock, mut say) = (Stopwatch::start(), |_: Progress| {});
        let mut work = Work::new(&request, &mut say, &clock).unwrap();
        let clang = match packages::provide(&tcc::Tcc, &request, &mut work) {
            Err(error @ InstrumentError::Missing(_)) => {
                eprintln!("not tested: {error}");
                return None;
            }
            provided => provided.unwrap(),
        };
        let runtime = packages::tools(&clang, &mut work).unwrap();
        let at = work.folder.clone();
        fs::write(at.join("p.c"), PROGRAM).unwrap();
        let version = String::new();
        let source = at.clone();
        let mut making = Making { request: &request, work, source, version, clang, runtime };
        let mut argv = vec![making.clang.cc()];
        argv.extend(making.compile_flags());
        argv.push("p.c".to_owned());
        argv.extend(making.link_flags());
        argv.extend(["-o", "p"].map(str::to_owned));
        making.work.run(&Command { argv, ..Command::new("compile", &at, &[]) }).unwrap();
        let roots = crate::symbolise::Roots { source: &at, build: Path::new("/none") };
        let elf = fs::read(at.join("p")).unwrap();
        let map = crate::symbolise::symbolise(&elf, &roots, |names| names).unwrap();
        let names: Vec<&str> = map.functions.iter().map(|function| &*function.name).collect();
        assert!(["main", "never", "often", "twice"].iter().all(|name| names.contains(name)));
        assert_eq!(map.files, ["p.c"]);
        Some(Counted { program: at.join("p"), edges: map.edges(), folder })
    }

    fn run(&self, how: &str, counters: &str) -> (Ended, Result<Counts, crate::CountsError>) {
        let job = Job::new(&self.program, self.folder.path()).arg(how).confine(Confine::none());
        let run = process::run(&job.env(COUNTERS_VARIABLE, counters)).unwrap();
        (run.ended, Counts::read(&self.folder.path().join(counters), self.edges))
    }
}

#[test]
fn counts_survive_every_end_and_never_mix() {
    let Some(counted) = Counted::build() else { return };
    let (ended, plain) = counted.run("", "plain");
    let plain = plain.unwrap();
    assert_eq!(ended, Ended::Exit(0));
    assert!(plain.0.contains(&2), "{plain:?}");
    // A counter of 8 bits would say 1 as well here, and 0 for 65,536 calls of anything.
    assert!(plain.0.contains(&1), "65,537 is 1 in 16 bits: {plain:?}");
    for how in ["abort", "segv", "kill", "_exit"] {
        let (ended, counts) = counted.run(how, how);
        assert_ne!(ended, Ended::Exit(0), "{how}");
        let counts = counts.unwrap();
        assert!(counts.0.contains(&2), "{how}: {counts:?}");
    }
    let (_, more) = counted.run("never", "never");
    assert!(!more.unwrap().edges().difference(&plain.edges()).is_empty());
    // The same file again is added to.
    let (_, again) = counted.run("", "plain");
    assert!(again.unwrap().0.contains(&4));
    // Without the variable there is no file, and nothing fails.
    let job = Job::new(&counted.program, counted.folder.path());
    assert_eq!(process::run(&job).unwrap().ended, Ended::Exit(0));
}

#[test]
fn two_at_once_do_not_share_a_file() {
    let Some(counted) = Counted::build() else { return };
    let file = counted.folder.path().join("busy");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let limits = Limits { wall: Duration::from_secs(5), ..Limits::program() };
            let job = Job::new(&counted.program, counted.folder.path()).arg("wait").limits(limits);
            process::run(&job.env(COUNTERS_VARIABLE, "busy")).unwrap()
        });
        while fs::metadata(&file).map_or(0, |meta| meta.len()) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(counted.run("", "busy").0, Ended::Exit(120));
        assert_eq!(waiting.join().unwrap().stdout, b"x");
    });
    // Whoever held it is gone.
    assert_eq!(counted.run("", "busy").0, Ended::Exit(0));
}

#[test]
fn a_file_that_cannot_hold_the_counts_stops_the_program() {
    let Some(counted) = Counted::build() else { return };
    fs::write(counted.folder.path().join("other"), "something else").unwrap();
    assert_eq!(counted.run("", "other").0, Ended::Exit(120));
    assert_eq!(counted.run("", "no/such/folder").0, Ended::Exit(120));
    assert_eq!(fs::read(counted.folder.path().join("other")).unwrap(), b"something else");
    // A disk that is full: the room is asked for before the first count.
    let full = Job::new(&counted.program, counted.folder.path())
        .env(COUNTERS_VARIABLE, "/dev/full")
        .confine(Confine::none());
    assert_eq!(process::run(&full).unwrap().ended, Ended::Exit(120));
}
