//! A machine of its own for each test: a PATH with the compilers that it needs and no others, an
//! empty folder for temporary files, and compilers that can be told to misbehave.
#![allow(dead_code)] // Each file of tests uses a part of this.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A script that is a wrong GCC; what is wrong with it stands in it.
pub const BAD_GCC: &str = include_str!("bad_gcc.sh");

/// A folder that holds all of a test, and in which whodunit is run.
pub struct Machine {
    dir: TempDir,
}

impl Machine {
    /// A machine with these programs in PATH, and what GCC and Clang need beside them. Nothing, and
    /// a word on standard error, when one of them is not installed.
    pub fn with(programs: &[&str]) -> Option<Machine> {
        let machine = Machine::bare();
        for &name in programs {
            let Some(path) = installed(name) else {
                eprintln!("skipped: {name} is not installed");
                return None;
            };
            machine.link(&path, name);
        }
        for name in ["as", "ld"] {
            machine.link(&installed(name)?, name);
        }
        Some(machine)
    }

    /// A machine with nothing in PATH.
    pub fn bare() -> Machine {
        let machine = Machine { dir: tempfile::tempdir().unwrap() };
        for folder in ["bin", "tmp", "programs"] {
            fs::create_dir(machine.path(folder)).unwrap();
        }
        machine
    }

    fn link(&self, to: &Path, name: &str) {
        symlink(to, self.path("bin").join(name)).unwrap();
    }

    /// A file or folder of the test.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file, its folders included.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes an executable script.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A compiler in PATH that passes for GCC. When `when` (a shell pattern) is among its
    /// arguments, it mistreats the programs that ask for one of `misdeeds` in a comment such as
    /// `/* fake: crash */`; all others it hands to gcc-12.
    pub fn fake<const N: usize>(&self, name: &str, when: &str, misdeeds: [&str; N]) {
        let gcc = installed("gcc-12").expect("the test has asked for gcc-12");
        let text = FAKE
            .replace("@WHEN@", when)
            .replace("@MISDEEDS@", &misdeeds.map(|misdeed| format!("yes:{misdeed}")).join("|"))
            .replace("@GCC@", &gcc.to_string_lossy());
        self.script(&format!("bin/{name}"), &text);
    }

    /// A program in the folder of programs for each of `misdeeds`, called after it.
    pub fn programs(&self, misdeeds: &[&str]) {
        for misdeed in misdeeds {
            self.write(&format!("programs/{misdeed}.c"), program(misdeed));
        }
    }

    /// whodunit with these arguments, on this machine.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whodunit"));
        command.args(args);
        // Most tests are about findings; those about reductions say so.
        if args.first() == Some(&"hunt") && !args.contains(&"--reduce-tries") {
            command.args(["--reduce-tries", "0"]);
        }
        command
            .current_dir(self.dir.path())
            .env("PATH", self.path("bin"))
            .env("TMPDIR", self.path("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs whodunit; it must leave no temporary file.
    pub fn run(&self, args: &[&str]) -> Said {
        let said = Said::new(args, self.command(args).output().unwrap());
        let left: Vec<_> = fs::read_dir(self.path("tmp")).unwrap().flatten().collect();
        assert!(left.is_empty(), "{args:?} left temporary files: {left:?}");
        said
    }

    /// Starts whodunit.
    pub fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    /// All records of a campaign, without sessions and what may differ between two equal ones.
    pub fn records(&self, campaign: &str) -> Vec<Value> {
        let export = self.run(&["status", "--campaign", campaign, "--export"]).ends_with(0);
        export
            .stdout
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|record| record["record"] != "session")
            .map(|mut record| {
                record.as_object_mut().unwrap().remove("volatile");
                record
            })
            .collect()
    }

    /// The findings of a campaign as `status --json` lists them, each as `kind: culprits`.
    pub fn findings(&self, campaign: &str) -> Vec<String> {
        let status = self.run(&["status", "--campaign", campaign, "--json"]).ends_with(0).json();
        let findings = status["findings"].as_array().unwrap();
        let line = |finding: &Value| {
            format!("{}: {}", text(&finding["kind"]), list(&finding["culprits"]).join(", "))
        };
        findings.iter().map(line).collect()
    }
}

/// What whodunit said.
#[derive(Debug)]
pub struct Said {
    pub args: Vec<String>,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    pub fn new(args: &[&str], output: Output) -> Said {
        Said {
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It must have ended with this exit code.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Said {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Standard output must be one JSON document and nothing else.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }

    /// Standard output must hold all of `words`.
    #[track_caller]
    pub fn prints(self, words: &[&str]) -> Said {
        for word in words {
            assert!(self.stdout.contains(word), "no {word:?} in {self:#?}");
        }
        self
    }

    /// It must have refused: exit code 2, nothing on standard output, one line on standard error,
    /// which holds all of `words`.
    #[track_caller]
    pub fn refuses(self, words: &[&str]) -> Said {
        let said = self.ends_with(2);
        assert_eq!(said.stdout, "", "{said:#?}");
        assert_eq!(said.stderr.lines().count(), 1, "{said:#?}");
        assert!(said.stderr.starts_with("whodunit: "), "{said:#?}");
        for word in words {
            assert!(said.stderr.contains(word), "no {word:?} in {said:#?}");
        }
        said
    }
}

/// Where a program of the real machine is.
pub fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A JSON string as it is.
#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

/// A JSON list of strings.
#[track_caller]
pub fn list(value: &Value) -> Vec<&str> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter().map(text).collect()
}

/// Waits until `what` holds, and no longer than a loaded machine may need.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(120), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a signal, such as `INT`, to one process.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// The processes whose command line or working directory holds `marker`.
pub fn processes_with(marker: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == std::process::id().to_string() || !name.bytes().all(|c| c.is_ascii_digit()) {
            continue;
        }
        let argv = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let argv = String::from_utf8_lossy(&argv).replace('\0', " ");
        let dir = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        if argv.contains(marker) || dir.to_string_lossy().contains(marker) {
            found.push(format!("{name}: {argv}"));
        }
    }
    found
}

/// A small program that prints 45, and asks fake compilers for `misdeed`. What it does under one is
/// decided by the macros that the fake defines.
pub fn program(misdeed: &str) -> String {
    format!(
        "/* fake: {misdeed} */\n\
         #include <stdio.h>\n\
         #ifndef WRONG\n#define WRONG\n#endif\n\
         #ifndef NOISE\n#define NOISE 0\n#endif\n\
         int main(void) {{\n\
         \x20   int sum = 0;\n\
         \x20   for (int i = 0; i < 10; i++) sum += i;\n\
         \x20   WRONG;\n\
         #ifdef ALARM\n\
         \x20   fprintf(stderr, \"main.c:9:3: runtime error: shift exponent 33 is too large\\n\");\n\
         #endif\n\
         \x20   printf(\"%lld\\n\", sum + NOISE + 0LL);\n\
         \x20   return 0;\n}}\n"
    )
}

/// See [`Machine::fake`].
const FAKE: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
now=
wish=
for arg; do
    case "$arg" in
    *.c | *.cpp)
        asked=$(sed -n 's/.*fake: \([a-z-]*\).*/\1/p' "$arg")
        wish=$wish$asked
        ;;
    esac
    case "$arg" in @WHEN@) now=yes ;; esac
done
case "$now:$wish" in @MISDEEDS@) ;; *) wish= ;; esac
case "$wish" in
miscompile) set -- '-DWRONG=sum++' "$@" ;;
miscompile-to-crash) set -- '-DWRONG=__builtin_trap()' "$@" ;;
miscompile-to-hang) set -- '-DWRONG=for(volatile int i=0;;)i=1' "$@" ;;
noise) set -- "-DNOISE=1$(date +%N)LL" "$@" ;;
alarm) case "$*" in *-fsanitize=undefined*) set -- -DALARM "$@" ;; esac ;;
crash)
    echo "during GIMPLE pass: vect" >&2
    echo "$PWD/main.c:3:1: internal compiler error: in vect_loop, at /src/tree-vect.cc:12" >&2
    echo "0x7f$(date +%N) vect_loop(int)" >&2
    exit 1
    ;;
segfault) kill -SEGV $$ ;;
hang) while :; do :; done ;;
# Processor time, which takes longer where others want it too.
long) sh -c '(ulimit -t 2) 2>/dev/null && ulimit -t 2; while :; do :; done' ;;
memory) exec tail /dev/zero ;;
out-of-memory)
    echo "cc1: out of memory allocating 65536 bytes after a total of 123 bytes" >&2
    exit 1
    ;;
reject)
    echo "main.c:1:1: error: unknown type name 'int'" >&2
    exit 1
    ;;
no-file) exit 0 ;;
no-program)
    for arg; do [ "$last" = -o ] && echo nonsense >"$arg" && chmod +x "$arg"; last=$arg; done
    exit 0
    ;;
slow) sleep 0.05 ;;
esac
exec @GCC@ "$@"
"#;

/// A small file system of its own, mounted in the test's folder.
pub struct Disk {
    /// Where it is.
    pub path: PathBuf,
}

impl Disk {
    /// Nothing, and a word on standard error, when mounting is not permitted.
    pub fn mount(machine: &Machine, size: &str) -> Option<Disk> {
        let path = machine.path("disk");
        fs::create_dir(&path).unwrap();
        let options = format!("size={size}");
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path).stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            Some(Disk { path })
        } else {
            eprintln!("skipped: mounting a tmpfs is not permitted here");
            None
        }
    }

    /// Changes one of its options.
    pub fn remount(&self, option: &str) {
        let options = format!("remount,{option}");
        // The kernel lets go of the folders that jobs were confined to a moment after these end.
        wait_until("the disk can be remounted", || {
            let mut command = Command::new("mount");
            command.args(["-o", &options]).arg(&self.path).stderr(Stdio::null());
            command.status().unwrap().success()
        });
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}
