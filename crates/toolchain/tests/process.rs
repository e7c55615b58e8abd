//! Programs that misbehave in every way we know, each run with and without a PID namespace: each
//! ends in time, leaves no process and no file, and is reported as what it was.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};
use toolchain::process::{
    Confine, Ended, Job, Limit, Limits, ProcessError, Run, Scratch, run, run_without_namespace,
};

type Runner = fn(&Job) -> Result<Run, ProcessError>;

const MIB: u64 = 1 << 20;

/// Small, but for the time on the clock: a loaded machine must not make it the first limit.
fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(20),
        cpu: Duration::from_secs(3),
        memory: 256 * MIB,
        output: MIB,
        file: 4 * MIB,
        processes: 32,
    }
}

fn a_second() -> Limits {
    Limits { wall: Duration::from_secs(1), ..limits() }
}

fn compile(source: &Path, program: &Path, flags: &[&str]) {
    let status = Command::new("cc")
        .args(["-w", "-O1", "-pthread", "-fno-builtin-malloc"])
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(program)
        .status()
        .unwrap();
    assert!(status.success());
}

/// The compiled `process_misbehaver.c`.
fn misbehaver() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        // Two test processes may compile it at once, so it is put in place whole.
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("misbehaver");
        let aside = program.with_extension(std::process::id().to_string());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process_misbehaver.c");
        compile(Path::new(source), &aside, &[]);
        fs::rename(&aside, &program).unwrap();
        program
    })
}

/// One misbehaving program in a directory of its own.
struct Case {
    home: tempfile::TempDir,
    scratch: Scratch,
    mark: String,
    mode: &'static str,
}

impl Case {
    fn new(mode: &'static str) -> Case {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let home = tempfile::tempdir().unwrap();
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        Case {
            scratch: Scratch::new_in(home.path()).unwrap(),
            home,
            mark: format!("mark-{}-{count}-", std::process::id()),
            mode,
        }
    }

    fn job(&self) -> Job {
        let job = Job::new(misbehaver(), self.scratch.path()).limits(limits());
        job.arg(self.mode).arg(&self.mark)
    }

    /// Runs the job, and checks what holds for every job.
    fn check(self, change: impl FnOnce(Job) -> Job, run: Runner) -> Run {
        let job = change(self.job());
        let start = Instant::now();
        let done = run(&job).unwrap();
        assert!(start.elapsed() < job.limits.wall + Duration::from_secs(2), "{done:?}");
        assert_eq!(processes_marked(&self.mark), 0, "survivors of {}", self.mode);
        drop(self.scratch);
        assert_eq!(fs::read_dir(self.home.path()).unwrap().count(), 0, "files left");
        done
    }
}

fn run_mode(mode: &'static str, run: Runner) -> Run {
    Case::new(mode).check(|job| job, run)
}

fn ended(mode: &'static str, run: Runner) -> Ended {
    run_mode(mode, run).ended
}

fn said(mode: &'static str, run: Runner) -> String {
    let run = run_mode(mode, run);
    assert_eq!(run.ended, Ended::Exit(0), "{run:?}");
    text(&run.stdout).to_owned()
}

fn processes_marked(mark: &str) -> usize {
    let marked = |pid: PathBuf| {
        let line = fs::read(pid.join("cmdline")).unwrap_or_default();
        line.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    fs::read_dir("/proc").unwrap().filter(|entry| marked(entry.as_ref().unwrap().path())).count()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Each function becomes two tests.
macro_rules! in_both_cages {
    ($(fn $name:ident($run:ident) $body:block)*) => {
        $(fn $name($run: Runner) $body)*
        mod in_a_namespace { $(#[test] fn $name() { super::$name(super::run) })* }
        mod hunted { $(#[test] fn $name() { super::$name(super::run_without_namespace) })* }
    };
}

in_both_cages! {
    fn a_fork_bomb_has_too_many_processes(run) {
        assert_eq!(ended("fork bomb", run), Ended::Limit(Limit::Processes));
    }

    fn a_chain_of_forks_has_too_many_processes(run) {
        assert_eq!(ended("chain of forks", run), Ended::Limit(Limit::Processes));
    }

    fn endless_output_is_too_much(run) {
        let flood = run_mode("flood stdout", run);
        assert_eq!(flood.ended, Ended::Limit(Limit::Output));
        assert_eq!((flood.stdout.len() as u64, flood.stderr.len()), (MIB, 0));
        let flood = run_mode("flood stderr", run);
        assert_eq!(flood.ended, Ended::Limit(Limit::Output));
        assert_eq!((flood.stdout.len(), flood.stderr.len() as u64), (0, MIB));
    }

    fn an_endless_loop_runs_out_of_processor_time(run) {
        let case = Case::new("loop");
        let limits = Limits { cpu: Duration::from_secs(1), ..limits() };
        let looped = case.check(|job| job.limits(limits), run);
        assert_eq!(looped.ended, Ended::Limit(Limit::Cpu));
        assert!(looped.usage.cpu() >= Duration::from_millis(900), "{looped:?}");
    }

    fn children_use_up_the_processor_time_together(run) {
        let case = Case::new("loop in children");
        let limits = Limits { cpu: Duration::from_secs(1), ..limits() };
        let looped = case.check(|job| job.limits(limits), run);
        assert_eq!(looped.ended, Ended::Limit(Limit::Cpu));
        assert!((1..=3).contains(&looped.killed), "{looped:?}");
        assert!(looped.usage.cpu() >= Duration::from_millis(900), "{looped:?}");
        assert!(looped.usage.cpu() < Duration::from_secs(3), "{looped:?}");
    }

    fn one_huge_allocation_is_out_of_memory(run) {
        assert_eq!(ended("allocate", run), Ended::Limit(Limit::Memory));
        assert_eq!(ended("allocate in a child", run), Ended::Limit(Limit::Memory));
        assert_eq!(ended("reallocate", run), Ended::Limit(Limit::Memory));
        assert_eq!(ended("allocate little", run), Ended::Exit(0));
    }

    fn many_allocations_are_out_of_memory(run) {
        assert_eq!(ended("allocate and touch", run), Ended::Limit(Limit::Memory));
    }

    fn memory_is_watched_where_the_address_space_is_spared(run) {
        let case = Case::new("allocate and touch");
        let touched = case.check(|job| job.confine(Confine::sanitizer()), run);
        assert_eq!(touched.ended, Ended::Limit(Limit::Memory));
    }

    fn our_own_memory_is_not_the_jobs(run) {
        // More than the limit.
        let ballast = vec![1u8; 300 << 20];
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..3).for_each(|_| assert_eq!(said("signals", run), "")));
            }
        });
        assert_eq!(ballast[ballast.len() / 2], 1);
    }

    fn a_stopped_program_is_told_from_a_slow_one(run) {
        let ended = |mode| Case::new(mode).check(|job| job.limits(a_second()), run).ended;
        assert_eq!(ended("stop"), Ended::Limit(Limit::Stopped));
        assert_eq!(ended("ignore signals"), Ended::Limit(Limit::Wall));
    }

    fn a_daemon_does_not_outlive_the_job(run) {
        for mode in ["daemon", "daemon with stdout"] {
            let run = run_mode(mode, run);
            assert_eq!((run.ended, run.killed), (Ended::Exit(5), 1), "{mode}");
            assert!(run.wall < Duration::from_secs(10), "{run:?}");
        }
    }

    fn children_of_threads_do_not_outlive_the_job(run) {
        let forked = Case::new("threads that fork").check(|job| job.limits(a_second()), run);
        assert_eq!((forked.ended, forked.killed), (Ended::Limit(Limit::Wall), 3));
    }

    fn a_program_cannot_kill_its_supervisor(run) {
        assert_eq!(ended("kill the parent", run), Ended::Exit(6));
        assert_eq!(ended("kill the group", run), Ended::Signal(libc::SIGKILL));
    }

    fn writes_outside_of_the_directory_are_refused(run) {
        let case = Case::new("write");
        // Only files of the test's own: should the confinement fail, they are overwritten.
        let beside = case.home.path().join("beside");
        fs::write(&beside, "kept").unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let by_the_compiler = misbehaver().with_file_name(format!("{}x", case.mark));
        let paths = [&beside, &elsewhere.path().join("x"), &by_the_compiler];
        let written = run(&case.job().args(paths)).unwrap();
        let leaked = fs::remove_file(&by_the_compiler).is_ok();
        assert_eq!(text(&written.stdout).matches(": Permission denied").count(), 3, "{written:?}");
        assert_eq!(fs::read_to_string(&beside).unwrap(), "kept");
        assert!(!leaked && fs::read_dir(elsewhere.path()).unwrap().count() == 0);
        fs::remove_file(&beside).unwrap();
        let written = case.check(|job| job.args(["inside", "/dev/null", "/dev/zero"]), run);
        assert_eq!(text(&written.stdout).matches(": written").count(), 3, "{written:?}");
    }

    fn a_program_may_remove_its_directory(run) {
        // Its name stands in the parent, where a confined one may not write.
        assert_eq!(ended("remove the directory", run), Ended::Exit(1));
        let removed = Case::new("remove the directory").check(|job| job.confine(Confine::none()), run);
        assert_eq!(removed.ended, Ended::Exit(4));
    }

    fn a_program_may_close_its_directories(run) {
        assert_eq!(ended("close directories", run), Ended::Exit(0));
    }

    fn a_huge_file_is_too_large(run) {
        assert_eq!(ended("grow a file", run), Ended::Limit(Limit::FileSize));
    }

    fn there_is_no_network(run) {
        let refused = "udp: Permission denied\nunix: Permission denied\npair: made\n";
        assert_eq!(said("network", run), refused);
        let case = Case::new("network");
        let free = case.check(|job| job.confine(Confine::none()), run);
        assert_eq!(text(&free.stdout), "udp: connected\nunix: made\npair: made\n");
    }

    fn exits_and_signals_are_told(run) {
        for code in [0, 1, 42, 255] {
            let case = Case::new("exit");
            let exited = case.check(|job| job.arg(code.to_string()), run);
            assert_eq!(exited.ended, Ended::Exit(code));
        }
        for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGTERM, libc::SIGSYS, libc::SIGXCPU] {
            let case = Case::new("raise");
            let raised = case.check(|job| job.arg(signal.to_string()), run);
            assert_eq!(raised.ended, Ended::Signal(signal));
        }
    }

    fn stdin_is_passed_and_both_outputs_are_kept(run) {
        let bytes: Vec<u8> = (0..300_000u32).map(|i| i as u8).collect();
        let case = Case::new("echo");
        let echoed = case.check(|job| job.stdin(bytes.clone()), run);
        assert_eq!(echoed.ended, Ended::Exit(0));
        assert!(echoed.stdout == bytes && echoed.stderr == bytes);
        assert_eq!(run_mode("echo", run).stdout, b"");
    }

    fn the_environment_is_clean(run) {
        let case = Case::new("list environment");
        let dir = case.scratch.path().display().to_string();
        let set = |job: Job| job.env("ASAN_OPTIONS", "detect_leaks=0").env("TZ", "CET");
        let listed = case.check(set, run);
        let mut lines: Vec<_> = text(&listed.stdout).lines().collect();
        lines.sort_unstable();
        let path = format!("PATH={}", std::env::var("PATH").unwrap());
        let [home, tmp] = ["HOME", "TMPDIR"].map(|name| format!("{name}={dir}"));
        let expected =
            ["ASAN_OPTIONS=detect_leaks=0", &home, "LANG=C", "LC_ALL=C", &path, &tmp, "TZ=CET"];
        assert_eq!(lines, expected);
    }

    fn memory_lies_at_the_same_addresses_if_it_is_asked_for(run) {
        let address = |fixed: bool| {
            let case = Case::new("address");
            let ask = |job: Job| if fixed { job.fixed_addresses() } else { job };
            text(&case.check(ask, run).stdout).to_owned()
        };
        assert_eq!(address(true), address(true));
        let several: BTreeSet<String> = (0..5).map(|_| address(false)).collect();
        assert!(several.len() > 1, "{several:?}");
    }

    fn no_descriptor_and_no_signal_state_is_passed_on(run) {
        let _inheritable = Inheritable::new();
        assert_eq!(said("list descriptors", run), "0 1 2 ");
        assert_eq!(said("signals", run), "");
    }

    fn jobs_at_once_do_not_mix(run) {
        thread::scope(|scope| {
            for worker in 0..6 {
                scope.spawn(move || {
                    for round in 0..8 {
                        let case = Case::new("echo");
                        let bytes = format!("{worker} {round}").repeat(1000).into_bytes();
                        let echoed = case.check(|job| job.stdin(bytes.clone()), run);
                        assert_eq!(echoed.ended, Ended::Exit(0), "{echoed:?}");
                        assert!(echoed.stdout == bytes);
                        assert_eq!(said("list descriptors", run), "0 1 2 ");
                    }
                });
            }
        });
    }

    fn what_cannot_run_is_our_error(run) {
        let case = Case::new("exit");
        let try_to_run = |program: &Path| run(&Job { program: program.into(), ..case.job() });
        let file = case.scratch.path().join("file");
        fs::write(&file, "not a program").unwrap();
        let missing = case.scratch.path().join("missing");
        assert!(matches!(try_to_run(&missing), Err(ProcessError::NotFound { .. })));
        let bare = Path::new("no-such-program-anywhere");
        assert!(matches!(try_to_run(bare), Err(ProcessError::NotFound { .. })));
        assert!(matches!(try_to_run(&file), Err(ProcessError::NotExecutable { .. })));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(matches!(try_to_run(&file), Err(ProcessError::NotExecutable { .. })));
        let result = try_to_run(case.scratch.path());
        assert!(matches!(result, Err(ProcessError::NotExecutable { .. })));
        let result = run(&Job { dir: missing, ..case.job() });
        assert!(matches!(result, Err(ProcessError::Dir { .. })));
        assert!(matches!(run(&case.job().arg("a\0b")), Err(ProcessError::NulByte { .. })));
        let huge = run(&case.job().arg("x".repeat(10 << 20)));
        assert!(matches!(huge, Err(ProcessError::Setup { .. })), "{huge:?}");
    }

    fn a_bare_name_is_found_in_the_path(run) {
        let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
        let job = Job::new("sh", scratch.path()).args(["-c", "sleep 100 & exit 3"]);
        let shell = run(&job).unwrap();
        assert_eq!(shell.ended, Ended::Exit(3));
        assert!(shell.wall < Duration::from_secs(5));
    }

    fn a_compiler_works_when_confined(run) {
        let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
        fs::write(scratch.path().join("a.c"), "int main(void) { return 9; }").unwrap();
        let job = Job::new("cc", scratch.path()).limits(Limits::compiler());
        let compiled = run(&job.clone().args(["a.c", "-o", "a.out"])).unwrap();
        assert_eq!(compiled.ended, Ended::Exit(0), "{}", text(&compiled.stderr));
        let ran = run(&Job::new(scratch.path().join("a.out"), scratch.path())).unwrap();
        assert_eq!(ran.ended, Ended::Exit(9));
        let elsewhere = tempfile::tempdir().unwrap();
        let output = elsewhere.path().join("a.out");
        let nowhere = run(&job.args(["a.c", "-o"]).arg(output)).unwrap();
        assert_eq!(nowhere.ended, Ended::Exit(1));
        let discarded = Job::new("cc", scratch.path()).args(["-c", "a.c", "-o", "/dev/null"]);
        assert_eq!(run(&discarded).unwrap().ended, Ended::Exit(0));
    }

    fn sanitizers_work_where_the_address_space_is_spared(run) {
        let scratch = Scratch::new_in(&std::env::temp_dir()).unwrap();
        let source = scratch.path().join("leak.c");
        let leak = "#include <stdlib.h>\nint main(int c, char **v) { char *volatile p = malloc(7); p = 0; return 0; }";
        fs::write(&source, leak).unwrap();
        let program = scratch.path().join("leak");
        compile(&source, &program, &["-fsanitize=address"]);
        let job = Job::new(&program, scratch.path()).confine(Confine::sanitizer());
        let leaked = run(&job).unwrap();
        assert_eq!(leaked.ended, Ended::Exit(1), "{leaked:?}");
        assert!(text(&leaked.stderr).contains("detected memory leaks"), "{leaked:?}");
    }

    fn nothing_survives_when_we_are_killed(run) {
        let mark = format!("mark-of-helper-{}-{}", std::process::id(), run as usize);
        let namespace = if run as usize == self::run as Runner as usize { "1" } else { "0" };
        let home = tempfile::tempdir().unwrap();
        let mut helper = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "helper_runs_a_job", "--ignored"])
            .env("TMPDIR", home.path())
            .envs([("HELPER_MARK", mark.as_str()), ("HELPER_NAMESPACE", namespace)])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        wait_until(|| processes_marked(&mark) > 0);
        helper.kill().unwrap();
        helper.wait().unwrap();
        wait_until(|| processes_marked(&mark) == 0);
    }
}

/// A descriptor of ours that does not close on exec.
struct Inheritable(i32);

impl Inheritable {
    #[allow(unsafe_code)]
    fn new() -> Inheritable {
        // SAFETY: the path is a string that outlives the call.
        Inheritable(unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY) })
    }
}

impl Drop for Inheritable {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        unsafe { libc::close(self.0) };
    }
}

fn wait_until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(5), "it does not come");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "a helper that another test starts and kills"]
fn helper_runs_a_job() {
    let Ok(mark) = std::env::var("HELPER_MARK") else { return };
    let case = Case::new("ignore signals");
    let limits = Limits { wall: Duration::from_secs(60), ..limits() };
    // A shell, its child, and the child's child which ignores all signals.
    let script = format!("setsid {} 'ignore signals' {mark} & sleep 50", misbehaver().display());
    let job = Job::new("sh", case.scratch.path()).args(["-c", &script, &mark]).limits(limits);
    let namespace = std::env::var("HELPER_NAMESPACE").unwrap() == "1";
    let run = if namespace { run } else { run_without_namespace };
    run(&job).unwrap();
}
