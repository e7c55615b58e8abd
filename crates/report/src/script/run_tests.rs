//! The scripts, run: with a real compiler where a program must be compiled, and with scripts that
//! play a compiler where it must crash, hang or refuse.

use super::{interesting_script, reproduce_script};
use crate::bug::{Bug, Run};
use crate::sample;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder with a bug's program and scripts, as a reader gets them.
struct Stage(tempfile::TempDir);

impl Stage {
    fn new(bug: &Bug) -> Stage {
        let stage = Stage(tempfile::tempdir().unwrap());
        for file in &bug.files {
            fs::write(stage.path().join(&file.name), &file.text).unwrap();
        }
        fs::write(stage.path().join("reproduce.sh"), reproduce_script(bug)).unwrap();
        fs::write(stage.path().join("interesting.sh"), interesting_script(bug)).unwrap();
        stage
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A program in the folder that plays a compiler.
    fn compiler(&self, name: &str, body: &str) -> String {
        let path = self.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn run(&self, script: &str, variables: &[(&str, &str)]) -> (i32, String) {
        self.run_in(self.path(), script, &[], variables)
    }

    fn run_in(
        &self,
        folder: &Path,
        script: &str,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> (i32, String) {
        let output = Command::new("sh")
            .arg(self.path().join(script))
            .args(args)
            .current_dir(folder)
            .env_remove("CC")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8_lossy(&said).into_owned())
    }

    #[track_caller]
    fn check(&self, script: &str, variables: &[(&str, &str)], expect: i32) {
        let (status, said) = self.run(script, variables);
        assert_eq!(status, expect, "{script} says {said}");
    }
}

/// "Wrong code" that a macro makes: the failing side prints 1, the passing side 2.
fn by_macro(name: &str) -> Bug {
    let mut bug = sample::wrong_code();
    bug.files = vec![sample::file(
        name,
        "#include <stdio.h>\nint main(void) {\n#ifdef BAD\n  puts(\"1\");\n#else\n  puts(\"2\");\n\
         #endif\n  return 0;\n}\n",
    )];
    let run = |arg: &str, output: &str| Run {
        compiler: "gcc-12".to_owned(),
        args: vec![arg.to_owned()],
        commands: vec![
            ["gcc-12", "-w", "-std=c11", arg, name, "-o", "a.out", "-lm"]
                .map(str::to_owned)
                .to_vec(),
        ],
        end: Some("exit 0".to_owned()),
        output: output.to_owned(),
    };
    bug.fail = run("-DBAD", "1\n");
    bug.pass = Some(run("-DGOOD", "2\n"));
    bug
}

fn crash() -> Bug {
    let mut bug = sample::gcc_crash();
    bug.message = "main.cc:1:1: internal compiler error: in foo, at bar.cc:12\n".to_owned();
    bug
}

#[test]
fn wrong_code_is_bad_good_or_unknown() {
    let bug = by_macro("main.c");
    let stage = Stage::new(&bug);
    stage.check("reproduce.sh", &[], 1);
    // A compiler that is not impressed by the macro.
    let good = stage.compiler("good", "exec gcc-12 \"$@\" -UBAD");
    stage.check("reproduce.sh", &[("CC", &good)], 0);
    stage.check("reproduce.sh", &[("CC", "./good")], 0);
    stage.check("reproduce.sh", &[("CC", "gcc-12 -UBAD")], 1);
    let refuses_bad = stage.compiler("bad", "case $* in *BAD*) exit 1 ;; esac; exec gcc-12 \"$@\"");
    stage.check("reproduce.sh", &[("CC", &refuses_bad)], 125);
    stage.check("reproduce.sh", &[("CC", "false")], 125);
    stage.check("reproduce.sh", &[("CC", "no-such-compiler")], 125);
    fs::remove_file(stage.path().join("main.c")).unwrap();
    stage.check("reproduce.sh", &[], 125);
}

#[test]
fn names_with_spaces_quotes_and_dollars_survive() {
    let bug = by_macro("it's a $HOME \"x\".c");
    let stage = Stage::new(&bug);
    stage.check("reproduce.sh", &[], 1);
    stage.check("interesting.sh", &[], 0);
}

#[test]
fn a_reference_of_another_compiler_can_be_replaced() {
    let mut bug = by_macro("main.c");
    let pass = bug.pass.as_mut().unwrap();
    pass.compiler = "other-cc".to_owned();
    pass.commands[0][0] = "other-cc".to_owned();
    let stage = Stage::new(&bug);
    stage.check("reproduce.sh", &[], 125);
    stage.check("reproduce.sh", &[("REFERENCE", "gcc-12")], 1);
}

#[test]
fn without_a_reference_the_recorded_result_decides() {
    let mut bug = by_macro("main.c");
    bug.pass.as_mut().unwrap().commands.clear();
    Stage::new(&bug).check("reproduce.sh", &[], 1);
    bug.pass.as_mut().unwrap().output = "1\n".to_owned();
    Stage::new(&bug).check("reproduce.sh", &[], 0);
    bug.pass = None;
    Stage::new(&bug).check("reproduce.sh", &[], 1);
    bug.fail.output = "something else\n".to_owned();
    Stage::new(&bug).check("reproduce.sh", &[], 0);
}

#[test]
fn a_program_that_does_not_end_is_wrong_too() {
    let mut bug = by_macro("main.c");
    bug.files[0].text =
        "int main(void) {\n#ifdef BAD\n  for (volatile int i = 0;; i = 1) ;\n#endif\n  \
         return 0;\n}\n"
            .to_owned();
    bug.fail.end = Some("does not end".to_owned());
    bug.fail.output = String::new();
    let stage = Stage::new(&bug);
    stage.check("reproduce.sh", &[("RUN_SECONDS", "1")], 1);
    stage.check("interesting.sh", &[("RUN_SECONDS", "1")], 0);
}

#[test]
fn a_crash_is_known_by_its_message() {
    let stage = Stage::new(&crash());
    let says = |text: &str| format!("echo '{text}' >&2; exit 1");
    let same =
        stage.compiler("same", &says("a.cc:7:7: internal compiler error: in foo, at bar.cc:99"));
    let other =
        stage.compiler("other", &says("a.cc:7:7: internal compiler error: in oops, at x.cc:1"));
    let error = stage.compiler("error", &says("a.cc:7:7: error: no"));
    stage.check("reproduce.sh", &[("CC", &same)], 1);
    stage.check("reproduce.sh", &[("CC", &other)], 125);
    stage.check("reproduce.sh", &[("CC", &error)], 125);
    stage.check("reproduce.sh", &[("CC", "true")], 0);
    stage.check("interesting.sh", &[("CC", &same)], 0);
    stage.check("interesting.sh", &[("CC", &other)], 1);
    stage.check("interesting.sh", &[("CC", "true")], 1);
}

#[test]
fn a_crash_without_a_message_is_any_crash() {
    let stage = Stage::new(&Bug { message: String::new(), ..crash() });
    let dies = stage.compiler("dies", "kill -SEGV $$");
    stage.check("reproduce.sh", &[("CC", &dies)], 1);
    stage.check("reproduce.sh", &[("CC", "false")], 125);
    stage.check("interesting.sh", &[("CC", &dies)], 0);
}

#[test]
fn hangs_rejections_and_memory_are_told() {
    let of_kind = |kind: &str, message: &str| {
        Stage::new(&Bug { kind: kind.to_owned(), message: message.to_owned(), ..crash() })
    };
    let stage = of_kind("hang", "");
    let sleeps = stage.compiler("sleeps", "sleep 60");
    stage.check("reproduce.sh", &[("CC", &sleeps), ("COMPILE_SECONDS", "1")], 1);
    stage.check("interesting.sh", &[("CC", &sleeps), ("COMPILE_SECONDS", "1")], 0);
    stage.check("reproduce.sh", &[("CC", "true")], 0);
    stage.check("reproduce.sh", &[("CC", "false")], 125);

    let stage = of_kind("rejects-valid", "main.cc:1:1: error: no such thing\n");
    let refuses = stage.compiler("refuses", "echo 'x.cc:9:9: error: no such thing'; exit 1");
    stage.check("reproduce.sh", &[("CC", &refuses)], 1);
    stage.check("interesting.sh", &[("CC", &refuses)], 0);
    stage.check("interesting.sh", &[("CC", "false")], 1);
    stage.check("reproduce.sh", &[("CC", "true")], 0);
    stage.check("reproduce.sh", &[("CC", "no-such-compiler")], 125);

    let stage = of_kind("memory", "");
    let greedy = stage.compiler("greedy", "echo 'cc1: out of memory allocating 9 bytes'; exit 1");
    stage.check("reproduce.sh", &[("CC", &greedy)], 1);
    stage.check("interesting.sh", &[("CC", &greedy)], 0);
    stage.check("reproduce.sh", &[("CC", "false")], 125);
}

#[test]
fn a_false_alarm_is_seen_when_the_program_runs() {
    let mut bug = by_macro("main.c");
    bug.kind = "sanitizer-alarm".to_owned();
    bug.files[0].text = "#include <stdio.h>\nint main(void) {\n#ifdef BAD\n  \
         fputs(\"main.c:3: runtime error: none\\n\", stderr);\n#endif\n  return 0;\n}\n"
        .to_owned();
    let stage = Stage::new(&bug);
    stage.check("reproduce.sh", &[], 1);
    stage.check("interesting.sh", &[], 0);
    let good = stage.compiler("good", "exec gcc-12 \"$@\" -UBAD");
    stage.check("reproduce.sh", &[("CC", &good)], 0);
    stage.check("interesting.sh", &[("CC", &good)], 1);
}

#[test]
fn a_reducer_gets_no_undefined_program() {
    let bug = by_macro("main.c");
    let stage = Stage::new(&bug);
    let smaller = tempfile::tempdir().unwrap();
    let look = |text: &str| {
        fs::write(smaller.path().join("main.c"), text).unwrap();
        stage.run_in(smaller.path(), "interesting.sh", &[], &[])
    };
    let program = |declaration: &str, good: &str| {
        format!(
            "int printf(const char *, ...);\nint main(void) {{\n{declaration}\n#ifdef BAD\n  \
             printf(\"1\\n\");\n#else\n  {good}\n#endif\n}}\n"
        )
    };
    let check = |text: &str, expect: i32, why: &str| {
        let (status, said) = look(text);
        assert_eq!(status, expect, "{text}\n{said}");
        assert!(said.contains(why), "{said}");
    };
    check(&program("", "printf(\"2\\n\");"), 0, "");
    check(&program("", "printf(\"1\\n\");"), 1, "the results are equal");
    check(&program("volatile int x = 2147483647;", "printf(\"%d\\n\", x + 1);"), 1, "undefined");
    check(&program("int x;", "printf(\"7%d\\n\", x);"), 1, "warnings of gcc-12");
    check("int main(void) { return", 1, "does not compile");
    // The same program under another name, as llvm-reduce hands it over.
    fs::write(smaller.path().join("candidate"), program("", "printf(\"2\\n\");")).unwrap();
    let (status, said) = stage.run_in(smaller.path(), "interesting.sh", &["candidate"], &[]);
    assert_eq!(status, 0, "{said}");
}

#[test]
fn nothing_is_left_behind() {
    let bug = by_macro("main.c");
    let stage = Stage::new(&bug);
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().to_str().unwrap();
    stage.check("reproduce.sh", &[("TMPDIR", folder)], 1);
    stage.check("interesting.sh", &[("TMPDIR", folder)], 0);
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(stage.path()).unwrap().count(), 3);
}
