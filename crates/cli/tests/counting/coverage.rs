//! From a source package to what a compiler executed.

use super::support::{self, Said};
use super::{build, file, text, whodunit};
use base::ContentId;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::{CountingPart, Manifest};

fn copy_folder(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").args([from, to]).status().unwrap();
    assert!(copied.success());
}

fn covered(file: &Path, build: &Path, level: &str) -> Value {
    let args = ["cover", text(file), "--compiler", text(build), "--level", level, "--json"];
    whodunit(&args).ends_with(0).json()
}

fn names(said: &Value) -> Vec<&str> {
    said["covered"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["function"].as_str().unwrap())
        .collect()
}

#[test]
fn what_a_program_needs_is_what_the_compiler_executes() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let plain = covered(&file(folder.path(), "return 0;"), build, "function");
    let looping = file(folder.path(), "float x = 1; for (int i = 0; i < 9; i++) x *= 2; return x;");
    let looping = covered(&looping, build, "function");
    assert!(names(&plain).contains(&"gen_function"), "{plain}");
    assert!(names(&looping).contains(&"gen_opf"), "{looping}");
    assert!(!names(&plain).contains(&"gen_opf"), "{plain}");
    let lines = covered(&file(folder.path(), "return 0;"), build, "line");
    let rows = lines["covered"].as_array().unwrap();
    let of = |name: &str| rows.iter().filter(|row| row["file"] == name).count();
    assert!(of("tccgen.c") > 300 && of("arm-gen.c") == 0, "{}", of("tccgen.c"));
    assert!(plain["edges"].as_u64().unwrap() < looping["edges"].as_u64().unwrap());
    // The same again is the same.
    assert_eq!(lines, covered(&file(folder.path(), "return 0;"), build, "line"));
}

#[test]
fn a_build_is_a_compiler_that_can_be_moved() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let moved = folder.path().join("moved");
    copy_folder(build, &moved);
    let program = file(folder.path(), "printf(\"%d\\n\", 6 * 7); return 0;");
    let check = ["check", text(&program), "--compiler", text(&moved), "--fail=-O0", "--pass=-O1"];
    whodunit(&check).ends_with(0);
    assert!(covered(&program, &moved, "file")["edges"].as_u64().unwrap() > 1000);
    let stock = ["cover", text(&program), "--compiler", "gcc-12"];
    whodunit(&stock).refuses(&["gcc-12 does not count", "whodunit instrument"]);
}

/// A build of LLVM as far as its use goes: the system's opt and llc, which do not count.
fn silent_llvm(folder: &Path) -> Option<PathBuf> {
    let build = folder.join("llvm");
    for inside in ["bin", "maps"] {
        fs::create_dir_all(build.join(inside)).unwrap();
    }
    let map = coverage::Map::new(Vec::new(), Vec::new(), Vec::new(), []).encode();
    let mut parts = Vec::new();
    for role in ["opt", "llc"] {
        let bytes = fs::read(support::installed(&format!("{role}-16"))?).unwrap();
        let file = build.join("bin").join(role);
        fs::write(&file, &bytes).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(build.join(format!("maps/{role}.map")), &map).unwrap();
        parts.push(CountingPart {
            role: role.to_owned(),
            file: format!("bin/{role}"),
            id: ContentId::of(&bytes),
            edges: 0,
            map: format!("maps/{role}.map"),
            map_id: ContentId::of(&map),
        });
    }
    let manifest = Manifest {
        version: Manifest::VERSION,
        family: "clang".to_owned(),
        compiler_version: "16.0.6".to_owned(),
        source: "a test".to_owned(),
        built_by: "nobody".to_owned(),
        options: Vec::new(),
        front: Some("clang-16".to_owned()),
        parts,
    };
    fs::write(build.join(Manifest::FILE), serde_json::to_vec(&manifest).unwrap()).unwrap();
    Some(build)
}

#[test]
fn front_end_optimiser_and_code_generator_make_one_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let Some(build) = silent_llvm(folder.path()) else {
        eprintln!("not tested: opt-16 and llc-16 are not installed");
        return;
    };
    let body =
        "int s = 0; for (int i = 0; i < 9; i++) s += i * i; printf(\"%d\\n\", s); return s & 1;";
    let program = file(folder.path(), body);
    for (fail, pass) in
        [("-O2", "-O0"), ("-Os", "-O1"), ("-O3 -mllvm -unroll-count=3", "-O3 -fwrapv")]
    {
        let run = whodunit(&[
            "check",
            text(&program),
            "--compiler",
            text(&build),
            &format!("--fail={fail}"),
            &format!("--pass={pass}"),
            "--json",
        ]);
        assert_eq!(run.ends_with(0).json()["verdict"], "agree");
    }
    // What optimiser and code generator say to an unknown argument is the compiler's refusal.
    let unknown = ["check", text(&program), "--compiler", text(&build)];
    let unknown = [&unknown[..], &["--fail=-O1 -mllvm -no-such-option", "--pass=-O1"]].concat();
    whodunit(&unknown).ends_with(4);
}

#[test]
fn a_build_that_was_changed_is_refused() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), "return 0;");
    let check = |name: &str, change: &dyn Fn(&Path), says: &str| {
        let copy = folder.path().join(name);
        copy_folder(build, &copy);
        change(&copy);
        whodunit(&["cover", text(&program), "--compiler", text(&copy)]).refuses(&[says]);
    };
    let append = |file: &'static str| {
        move |copy: &Path| {
            let mut bytes = fs::read(copy.join(file)).unwrap();
            bytes.push(0);
            fs::write(copy.join(file), bytes).unwrap();
        }
    };
    let manifest = "whodunit-build.json";
    let edit = |from: &'static str, to: &'static str| {
        move |copy: &Path| {
            let path = copy.join(manifest);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{text}");
            fs::write(&path, text.replace(from, to)).unwrap();
        }
    };
    check("binary", &append("bin/tcc"), "is not the one that was built");
    check("map", &append("maps/tcc.map"), "damaged");
    check("version", &edit("\"version\": 1", "\"version\": 9"), "version 9");
    check("field", &edit("\"edges\"", "\"hedges\""), "damaged");
    check("family", &edit("\"family\": \"tcc\"", "\"family\": \"gcc\""), "gcc");
    check("missing map", &|copy| fs::remove_file(copy.join("maps/tcc.map")).unwrap(), "tcc.map");
    check("empty", &|copy| fs::remove_file(copy.join(manifest)).unwrap(), "nor a build");
    check("cut off", &|copy| fs::write(copy.join(manifest), "{").unwrap(), "damaged");
}

#[test]
fn what_can_not_be_built_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let check = |args: &[&str], says: &str| {
        let mut all = vec!["instrument"];
        all.extend(args);
        all.extend(["--out", text(&out)]);
        whodunit(&all).refuses(&[says]);
        assert!(!out.exists());
    };
    let here = text(folder.path());
    check(&["tcc", "--source", here], "is not the source of tcc: it has no tccgen.c");
    check(&["gcc", "--source", here], "is not the source of GCC");
    check(&["llvm", "--source", here], "is not the source of LLVM");
    check(&["rustc", "--source", here], "gcc, llvm and tcc can be built");
    check(&["tcc"], "say where the source is");
    check(&["tcc", "--debian", "tcc", "--assertions"], "tcc has no");
    check(&["gcc", "--debian", "gcc-12", "--assertions"], "LLVM's");
    fs::create_dir(&out).unwrap();
    whodunit(&["instrument", "tcc", "--debian", "tcc", "--out", text(&out)])
        .refuses(&["is there already"]);
}

#[test]
fn a_disk_that_fills_up_leaves_no_half_made_build() {
    let machine = support::Machine::bare();
    let Some(disk) = support::Disk::mount(&machine, "1200m") else { return };
    let (out, work) = (disk.path.join("tcc"), disk.path.join("tcc.work"));
    let args = ["instrument", "tcc", "--debian", "tcc", "--out", text(&out)];
    let child = Command::new(env!("CARGO_BIN_EXE_whodunit"))
        .args(args)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Its tools are the first that it compiles: from then on there is no room.
    let is_under_way = || work.join("tools").exists() || !work.parent().unwrap().exists();
    support::wait_until("the build is under way", is_under_way);
    let filler = disk.path.join("filler");
    let _ = fs::write(&filler, vec![0_u8; 1200 << 20]);
    let said = Said::new(&args, child.wait_with_output().unwrap());
    if said.code == Some(0) {
        eprintln!("not tested: the build was quicker than the disk");
        return;
    }
    if said.stderr.contains("Debian's list of sources failed") {
        eprintln!("not tested: {}", said.stderr);
        return;
    }
    assert!(!out.exists(), "{}", said.stderr);
    assert!(said.stderr.contains("is full") || said.stderr.contains("No space left"), "{said:?}");
    fs::remove_file(filler).unwrap();
    whodunit(&args).ends_with(0);
    whodunit(&[
        "check",
        text(&file(disk.path.as_path(), "return 0;")),
        "--compiler",
        text(&out),
        "--fail=-O0",
        "--pass=-O1",
    ])
    .ends_with(0);
}

#[test]
fn a_disk_that_is_too_small_is_told_at_once() {
    let machine = support::Machine::bare();
    let Some(disk) = support::Disk::mount(&machine, "64m") else { return };
    let out = disk.path.join("tcc");
    let run = whodunit(&["instrument", "tcc", "--debian", "tcc", "--out", text(&out)]);
    assert!(run.stderr.contains("the build needs 1 GB"), "{run:?}");
    assert!(!out.exists() && run.code != Some(0));
}

#[test]
fn a_hunt_learns_the_same_whatever_the_jobs_and_however_often_it_is_killed() {
    let Some(build) = build() else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("whodunit.toml"), "[gen]\nconstructs = \"paper\"\n").unwrap();
    let hunt = |campaign: &str, programs: &str, jobs: &str| {
        let campaign = folder.path().join(campaign);
        let mut command = Command::new(env!("CARGO_BIN_EXE_whodunit"));
        command.args(["hunt", "--learn", "--reduce-tries", "0", "--campaign"]).arg(&campaign);
        command.args(["--compiler", text(build), "--args=-O0", "--args=-O1"]);
        command.args(["--programs", programs, "--jobs", jobs]).current_dir(folder.path());
        (campaign, command)
    };
    let learned = |campaign: &Path| fs::read(campaign.join("learned")).unwrap();
    let (whole, mut command) = hunt("whole", "104", "2");
    assert!(matches!(command.output().unwrap().status.code(), Some(0 | 1)));
    let (killed, mut command) = hunt("killed", "104", "1");
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    support::wait_until("a round and more is tested", || {
        killed.join("learned").exists() || child.try_wait().unwrap().is_some()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(command.output().unwrap().status.code(), Some(0 | 1)));
    assert_eq!(learned(&killed), learned(&whole));
    let status = whodunit(&["status", "--campaign", text(&whole)]).ends_with(0);
    status.prints(&["learning from findings and from", "learned   2 rounds, ", "; mostly "]);
    let other = ["hunt", "--learn", "--source", text(folder.path()), "--compiler", text(build)];
    let other = [&other[..], &["--args=-O0", "--args=-O1"]].concat();
    fs::write(folder.path().join("main.c"), "int main(void) { return 0; }\n").unwrap();
    whodunit(&other).refuses(&["the constructs of generated programs can be learned"]);
}
