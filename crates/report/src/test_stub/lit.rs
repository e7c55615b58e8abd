//! lit and FileCheck, for LLVM.

use crate::bug::{Bug, Culprit, File, Language};
use crate::kind::{Shows, kind};
use crate::script::kept_args;
use crate::shell::{command_line, quote};

/// What is checked of the right output: more is no small test.
const MAX_CHECKS: usize = 20;

/// A test of IR where there is IR: the program itself, or what the guilty step got.
pub(super) fn stub(bug: &Bug, program: &File) -> File {
    let step = bug.culprit.as_ref().and_then(single_step);
    match (bug.language, step) {
        (Language::Ir, _) => module(bug, &command_line(&bug.fail.args), &program.text),
        (_, Some((pipeline, before))) => module(bug, &pipeline, before),
        _ => source(bug, program),
    }
}

/// The arguments and the module that show the bug in one step.
fn single_step(culprit: &Culprit) -> Option<(String, &str)> {
    let pair = culprit.pair.as_ref().filter(|pair| pair.form == "ll")?;
    let alone = culprit.alone.as_deref()?;
    let args =
        if alone.starts_with('-') { alone.to_owned() } else { format!("-passes={}", quote(alone)) };
    Some((args, &pair.before))
}

fn module(bug: &Bug, args: &str, text: &str) -> File {
    let crashes = kind(&bug.kind).shows != Shows::Behaviour;
    let head = if crashes {
        format!(
            "; RUN: opt {args} -disable-output %s\n\n; It must not crash: no output is checked.\n"
        )
    } else {
        let function = bug.culprit.as_ref().and_then(|culprit| culprit.function.as_deref());
        let function = function.or_else(|| defined(text)).unwrap_or("FUNCTION");
        format!(
            "; RUN: opt {args} -S < %s | FileCheck %s\n\n\
             ; To be done: the right code, for instance by utils/update_test_checks.py.\n\
             ; CHECK-LABEL: @{function}(\n"
        )
    };
    File { name: "pr000000.ll".to_owned(), text: format!("{head}\n{}\n", text.trim_end()) }
}

/// The first function that a module defines.
fn defined(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| line.starts_with("define "))?;
    line.split_once('@')?.1.split('(').next()
}

fn source(bug: &Bug, program: &File) -> File {
    let (libraries, mut args): (Vec<String>, Vec<String>) =
        kept_args(&bug.fail).into_iter().partition(|arg| arg.starts_with("-l"));
    args.extend(bug.fail.args.iter().cloned());
    let args = command_line(&args);
    let link = ["%s -o %t".to_owned(), command_line(&libraries)].join(" ");
    let ending = if bug.language == Language::Cxx { "cpp" } else { "c" };
    let output = bug.pass.as_ref().map_or("", |pass| pass.output.as_str());
    let head = match kind(&bug.kind).shows {
        Shows::Behaviour => {
            let run = if output.is_empty() { "%t" } else { "%t | FileCheck %s" };
            let link = link.trim_end();
            format!("// RUN: %clang {args} {link}\n// RUN: {run}\n{}", checks(output))
        }
        _ => format!("// RUN: %clang {args} -S -o /dev/null %s\n"),
    };
    let text = format!("{head}\n{}\n", program.text.trim_end());
    File { name: format!("pr000000.{ending}"), text }
}

/// The right output as lines for FileCheck.
fn checks(output: &str) -> String {
    let line = |(at, line): (usize, &str)| match at {
        0 => format!("\n// CHECK: {line}\n"),
        _ if line.is_empty() => "// CHECK-EMPTY:\n".to_owned(),
        _ => format!("// CHECK-NEXT: {line}\n"),
    };
    output.lines().take(MAX_CHECKS).enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bug::{Family, Pair};
    use crate::sample;
    use crate::test_stub::test_stub;

    #[test]
    fn a_crash_on_ir_runs_opt_alone() {
        let stub = test_stub(&sample::llvm_crash()).unwrap();
        assert!(
            stub.text.starts_with("; RUN: opt -passes=slp-vectorizer -disable-output %s\n"),
            "{}",
            stub.text
        );
        let bug = Bug { kind: "wrong-code".to_owned(), ..sample::llvm_crash() };
        let text = test_stub(&bug).unwrap().text;
        assert!(text.contains("-S < %s | FileCheck %s\n"), "{text}");
        assert!(text.contains("; CHECK-LABEL: @f(\n\ndefine i32 @f"), "{text}");
    }

    #[test]
    fn wrong_code_of_c_checks_the_output_or_the_single_step() {
        let mut bug = Bug { family: Family::Llvm, ..sample::wrong_code() };
        let text = test_stub(&bug).unwrap().text;
        assert!(
            text.starts_with(
                "// RUN: %clang -std=c11 -O2 %s -o %t -lm\n// RUN: %t | FileCheck %s\n\n\
                 // CHECK: 3\n\n#include"
            ),
            "{text}"
        );
        let culprit = bug.culprit.as_mut().unwrap();
        culprit.alone = Some("function(gvn<no-pre>)".to_owned());
        culprit.pair = Some(Pair {
            form: "ll".to_owned(),
            before: "define void @g() {\n  ret void\n}\n".to_owned(),
            after: String::new(),
        });
        let stub = test_stub(&bug).unwrap();
        assert_eq!(stub.name, "pr000000.ll");
        assert!(
            stub.text.starts_with("; RUN: opt -passes='function(gvn<no-pre>)' -S < %s"),
            "{}",
            stub.text
        );
    }

    #[test]
    fn several_files_and_other_compilers_get_none() {
        let mut bug = sample::wrong_code();
        bug.files.push(sample::file("b.h", ""));
        assert_eq!(test_stub(&bug), None);
        assert_eq!(test_stub(&sample::tcc()), None);
    }
}
