//! Hunts on a cluster: a private Slurm with two nodes on this machine, whose nodes and controllers die.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use support::{BAD_GCC, Machine, Said, installed, wait_until};

/// A Slurm of the test's own.
struct Cluster {
    dir: PathBuf,
    script: PathBuf,
}

impl Cluster {
    /// Nothing, and a word on standard error, when it is not installed.
    fn start(machine: &Machine) -> Option<Cluster> {
        for name in ["sbatch", "squeue", "scontrol", "scancel"] {
            let Some(path) = installed(name) else {
                eprintln!("skipped: {name} is not installed");
                return None;
            };
            std::os::unix::fs::symlink(path, machine.path("bin").join(name)).unwrap();
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/private-slurm");
        let cluster = Cluster { dir: machine.path("slurm"), script };
        let mut start = Command::new(&cluster.script);
        // A node that says nothing for so many seconds is dead.
        let said = start.arg("start").arg(&cluster.dir).env("NODE_TIMEOUT", "5").output().unwrap();
        assert!(said.status.success(), "{said:?}");
        Some(cluster)
    }

    fn command(&self, machine: &Machine, args: &[&str]) -> Command {
        let mut command = machine.command(args);
        command.env("SLURM_CONF", self.dir.join("slurm.conf"));
        command
    }

    fn run(&self, machine: &Machine, args: &[&str]) -> Said {
        Said::new(args, self.command(machine, args).output().unwrap())
    }

    /// The node's own process and all that it runs, at once.
    fn kill_node(&self, name: &str) {
        let pid = fs::read_to_string(self.dir.join(format!("run/slurmd-{name}.pid"))).unwrap();
        let spool = format!("spool-{name}");
        kill(pid.trim());
        let ours = self.dir.to_str().unwrap();
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let read = |file| fs::read(process.path().join(file)).unwrap_or_default();
            let (line, vars) = (read("cmdline"), read("environ"));
            let has = |text: &[u8], words: &str| String::from_utf8_lossy(text).contains(words);
            let node = format!("SLURMD_NODENAME={name}");
            let is_step = has(&line, "slurmstepd") && has(&line, &spool);
            let is_job = has(&vars, &node) && has(&vars, ours);
            if is_step || is_job {
                kill(process.file_name().to_str().unwrap());
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(&self.script).arg("stop").arg(&self.dir).output();
    }
}

fn kill(pid: &str) {
    let _ = Command::new("kill").args(["-9", pid]).output();
}

/// A machine with a bad compiler, and so many programs, of which every fifth divides by 3, by 7 or multiplies by 5.
fn machine(programs: u32) -> Option<Machine> {
    let machine = Machine::with(&["gcc-12"])?;
    // One that takes its time.
    machine.script("bin/bad", &BAD_GCC.replacen("/bin\n", "/bin\nsleep 0.1\n", 1));
    for at in 0..programs {
        let expression = match at % 5 {
            1 => "x / 3",
            2 => "x * 5",
            3 if at > 10 => "x / 7",
            _ => "x + 2",
        };
        let text = format!(
            "extern int printf(const char *, ...);\nvolatile int n = 4;\nint unused_{at};\n\
             int main(void) {{ int x = n; printf(\"%d\\n\", {expression}); return 0; }}\n"
        );
        machine.write(&format!("programs/{at:02}.c"), text);
    }
    machine.write(
        "whodunit.toml",
        "[[set]]\ncompilers = [\"gcc-12\", \"bad\"]\nlevels = [\"-O0\", \"-O2\"]\n",
    );
    Some(machine)
}

/// Without work on what is found, unless that is asked for: see [`Machine::command`].
const HUNT: [&str; 5] = ["hunt", "--source", "programs", "--campaign", "c"];
const REDUCING: [&str; 2] = ["--reduce-tries", "30"];
const ON: [&str; 9] =
    ["--on", "slurm", "--mem", "300M", "--poll", "1", "--chunk-minutes", "0.05", "--json"];

fn chunks(cluster: &Cluster, machine: &Machine) -> Option<Value> {
    let said = cluster.command(machine, &["status", "--campaign", "c", "--json"]).output().unwrap();
    let status: Value = serde_json::from_slice(&said.stdout).ok()?;
    Some(status["chunks"].clone()).filter(|chunks| !chunks.is_null())
}

fn running(chunks: &Value, node: &str) -> bool {
    chunks["running"].as_array().is_some_and(|all| all.iter().any(|one| one[1] == node))
}

fn killed(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_hunt_on_a_cluster_finds_what_one_here_does_though_a_node_and_the_controller_die() {
    let Some(machine) = machine(14) else { return };
    let Some(cluster) = Cluster::start(&machine) else { return };
    let here = ["hunt", "--source", "programs", "--campaign", "here", "--reduce-tries", "30"];
    machine.run(&here).ends_with(1);
    let on: Vec<&str> = HUNT.into_iter().chain(REDUCING).chain(ON).collect();

    // Killed as soon as both nodes work.
    let controller = cluster.command(&machine, &on).spawn().unwrap();
    wait_until("both nodes work", || {
        chunks(&cluster, &machine).is_some_and(|now| running(&now, "w1") && running(&now, "w2"))
    });
    killed(controller);
    cluster.run(&machine, &on).ends_with(1);

    // Again from the beginning, and a node dies.
    fs::rename(machine.path("c"), machine.path("first")).unwrap();
    let controller = cluster.command(&machine, &on).spawn().unwrap();
    wait_until("w2 works", || chunks(&cluster, &machine).is_some_and(|now| running(&now, "w2")));
    cluster.kill_node("w2");
    let said = Said::new(&on, controller.wait_with_output().unwrap()).ends_with(1);
    let repeated = chunks(&cluster, &machine).unwrap()["repeated"].as_u64().unwrap();
    assert!(said.stderr.contains("it is submitted again") && repeated > 0, "{said:#?}");
    let _ = fs::remove_dir_all(machine.path("tmp"));
    fs::create_dir(machine.path("tmp")).unwrap();

    let here = machine.records("here");
    assert_eq!(here.iter().filter(|record| record["stage"] == "look").count(), 3);
    for campaign in ["first", "c"] {
        assert_eq!(machine.records(campaign), here, "{campaign}");
        assert!(machine.path(campaign).join("bugs").join("1-0").is_dir());
    }

    // What is done is done.
    let again = cluster.run(&machine, &on).ends_with(1);
    assert!(!again.stderr.contains("submitted"), "{again:#?}");
    assert_eq!(machine.records("c"), here);
}

#[test]
fn jobs_can_be_left_taken_up_and_cancelled() {
    let Some(machine) = machine(8) else { return };
    let Some(cluster) = Cluster::start(&machine) else { return };
    let on: Vec<&str> = HUNT.into_iter().chain(ON).collect();
    let with = |word: &'static str| on.iter().copied().chain([word]).collect::<Vec<_>>();

    let dry = cluster.run(&machine, &with("--dry-run")).ends_with(0);
    let dry = dry.prints(&["sbatch --parsable", "--mem=300M", "test-0-", " work '"]);
    assert!(!machine.path("c").exists() && dry.stderr.is_empty(), "{dry:#?}");

    let left = cluster.run(&machine, &with("--detach"));
    assert!(left.stderr.contains("jobs are left in the queue"), "{left:#?}");
    let queue = || {
        let mut squeue = Command::new("squeue");
        let said = squeue.arg("-h").env("SLURM_CONF", cluster.dir.join("slurm.conf")).output();
        String::from_utf8(said.unwrap().stdout).unwrap()
    };
    assert!(queue().contains("whodunit"), "{}", queue());
    wait_until("a chunk came back by itself", || {
        fs::read_dir(machine.path("c/slurm/results")).unwrap().count() > 0
    });
    let cancelled = cluster.run(&machine, &with("--cancel"));
    assert!(cancelled.stderr.contains("jobs are cancelled"), "{cancelled:#?}");
    assert!(cancelled.json()["programs"].as_u64() > Some(0), "{cancelled:#?}");
    wait_until("the queue is empty", || queue().is_empty());
    cluster.run(&machine, &on).ends_with(1);
    let standing = chunks(&cluster, &machine).unwrap();
    assert_eq!((&standing["queued"], &standing["lost"]), (&0.into(), &0.into()), "{standing}");
    let counts = cluster.run(&machine, &["status", "--campaign", "c"]).ends_with(0);
    counts.prints(&["8 programs", "chunks", "repeated"]);
}

#[test]
fn what_a_cluster_does_not_have_is_said_before_anything_is_submitted() {
    let Some(machine) = machine(2) else { return };
    let on: Vec<&str> = HUNT.into_iter().chain(ON).collect();
    machine.run(&on).refuses(&["there is no Slurm here", "sbatch", "apt install"]);
    machine
        .run(&["hunt", "--on", "slurm", "--learn"])
        .refuses(&["--learn", "leave out one of --learn and --on"]);
    let Some(cluster) = Cluster::start(&machine) else { return };
    let with = |words: &[&'static str]| {
        let args: Vec<&str> = on.iter().chain(words).copied().collect();
        cluster.run(&machine, &args)
    };
    let said = with(&["--partition", "lon"]);
    assert!(said.stderr.contains("no partition lon here; known: main, short"), "{said:#?}");
    let long: Vec<&str> = HUNT
        .into_iter()
        .chain(["--on", "slurm", "--mem", "300M", "--partition", "short"])
        .collect();
    let said = cluster.run(&machine, &long);
    assert!(said.stderr.contains("--chunk-minutes"), "{said:#?}");
    let said = with(&["--sbatch-arg", "--mem=900G"]);
    assert!(said.stderr.contains("Slurm refuses") && said.stderr.contains("--mem"), "{said:#?}");
    assert_eq!(said.code, Some(2), "{said:#?}");
}

#[test]
fn nodes_that_are_not_right_are_named_and_nothing_is_lost() {
    let Some(machine) = machine(8) else { return };
    let Some(cluster) = Cluster::start(&machine) else { return };
    let on: Vec<&str> = HUNT.into_iter().chain(ON).collect();

    // Slurm takes only one job at a time: an array is refused, and another job until the first has ended.
    let real = installed("sbatch").unwrap();
    fs::remove_file(machine.path("bin/sbatch")).unwrap();
    let busy = format!(
        "#!/bin/sh\nqueue=$(/usr/bin/squeue -h -r | /usr/bin/wc -l)\n\
         case \"$queue $*\" in \"0 \"*--array=0-*) ;; \"0 \"*) exec {} \"$@\" ;; esac\n\
         echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2\nexit 1\n",
        real.display()
    );
    machine.script("bin/sbatch", &busy);
    let said = cluster.run(&machine, &on).ends_with(1);
    assert!(said.stderr.contains("Slurm takes no more jobs at the moment"), "{said:#?}");
    fs::rename(machine.path("c"), machine.path("busy")).unwrap();

    // The nodes have another whodunit than the one that submits.
    let other = format!(
        "#!/bin/sh\n/usr/bin/sed 's,{whodunit},{other},' | exec {} \"$@\"\n",
        real.display(),
        whodunit = env!("CARGO_BIN_EXE_whodunit"),
        other = machine.path("other").display()
    );
    machine.script("bin/sbatch", &other);
    fs::copy(env!("CARGO_BIN_EXE_whodunit"), machine.path("other")).unwrap();
    let mut bytes = fs::read(machine.path("other")).unwrap();
    bytes.push(0);
    fs::write(machine.path("other"), bytes).unwrap();
    let said = cluster.run(&machine, &on).ends_with(3);
    assert!(said.stderr.contains("it was submitted by whodunit"), "{said:#?}");
    assert!(said.stderr.contains("gave up") && said.stderr.contains("goes on"), "{said:#?}");

    // None at all.
    fs::remove_file(machine.path("other")).unwrap();
    let said = cluster.run(&machine, &on).ends_with(3);
    assert!(said.stderr.contains("put it where all nodes see it"), "{said:#?}");

    // And the folder is another one there.
    let elsewhere = other
        .replace(&format!("{}", machine.path("other").display()), env!("CARGO_BIN_EXE_whodunit"))
        .replace("sed '", "sed 's,--token [0-9a-f]*,--token other,;");
    machine.script("bin/sbatch", &elsewhere);
    let said = cluster.run(&machine, &on).ends_with(3);
    assert!(said.stderr.contains("it must be shared by all nodes"), "{said:#?}");

    // All is right again: it goes on as if nothing had been.
    machine.script("bin/sbatch", &format!("#!/bin/sh\nexec {} \"$@\"\n", real.display()));
    cluster.run(&machine, &on).ends_with(1);
    assert_eq!(machine.records("c"), machine.records("busy"));
}
