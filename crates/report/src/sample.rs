//! Small hand-made bugs for the tests.

use crate::bug::{
    Bug, Check, CompilerText, Culprit, Family, File, Found, Language, Pair, Run, Suspect,
    Suspicion, Version,
};

pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

pub(crate) fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), text: text.to_owned() }
}

fn version(compiler: &str, version: &str, fails: Option<bool>) -> Version {
    Version {
        compiler: compiler.to_owned(),
        version: version.to_owned(),
        fails,
        note: String::new(),
    }
}

fn run(compiler: &str, args: &str, commands: &[&str], end: Option<&str>, output: &str) -> Run {
    Run {
        compiler: compiler.to_owned(),
        args: words(args),
        commands: commands.iter().map(|command| words(command)).collect(),
        end: end.map(str::to_owned),
        output: output.to_owned(),
    }
}

fn suspect(rank: usize, file: &str, score: f64) -> Suspect {
    Suspect {
        rank,
        file: file.to_owned(),
        score,
        functions: words("fold_range op1_range"),
        evidence: vec![("-fno-tree-vrp".to_owned(), vec![11, 12, 13, 20])],
    }
}

/// GCC compiles a C program wrongly at -O2.
pub(crate) fn wrong_code() -> Bug {
    Bug {
        id: "17-0".to_owned(),
        kind: "wrong-code".to_owned(),
        signature: "exit 0 and other output".to_owned(),
        family: Family::Gcc,
        compiler: CompilerText {
            name: "gcc-12".to_owned(),
            version: "12.2.0".to_owned(),
            says: "Using built-in specs.\nTarget: x86_64-linux-gnu\ngcc version 12.2.0\n"
                .to_owned(),
            target: "x86_64-linux-gnu".to_owned(),
        },
        language: Language::C,
        standard: Some("c11".to_owned()),
        files: vec![file(
            "main.c",
            "#include <stdio.h>\n\nint a = 3;\n\nint main(void) {\n  if (a < 4 && a > 2)\n    \
             printf(\"%d\\n\", a);\n  return 0;\n}\n",
        )],
        original: vec![file("main.c", &"int filler;\n".repeat(400))],
        preprocessed: vec![file("main.i", "int printf(const char *, ...);\nint a = 3;\n")],
        fail: run(
            "gcc-12",
            "-O2",
            &["gcc-12 -w -std=c11 -O2 main.c -o a.out -lm"],
            Some("exit 0"),
            "4\n",
        ),
        pass: Some(run(
            "gcc-12",
            "-O0",
            &["gcc-12 -w -std=c11 -O0 main.c -o a.out -lm"],
            Some("exit 0"),
            "3\n",
        )),
        message: String::new(),
        versions: vec![
            version("gcc-11", "11.4.0", Some(false)),
            version("gcc-12", "12.2.0", Some(true)),
            Version { note: "another crash".to_owned(), ..version("clang-16", "16.0.6", None) },
        ],
        culprit: Some(Culprit {
            pass: "vrp2".to_owned(),
            file: None,
            step: Some(113),
            function: Some("main".to_owned()),
            needed: words("-ftree-vrp -O2"),
            counter: Some("vrp:3".to_owned()),
            alone: None,
            pair: Some(Pair {
                form: "gimple".to_owned(),
                before: "main ()\n{\n  a.0 = a;\n  if (a.0 <= 3)\n    goto bb3;\n}\n".to_owned(),
                after: "main ()\n{\n  a.0 = a;\n  goto bb3;\n}\n".to_owned(),
            }),
            how: "Each pass was switched off in turn; only without vrp2 the result is right."
                .to_owned(),
        }),
        checks: vec![
            Check {
                by: "gcc-12 -fsanitize=address,undefined".to_owned(),
                result: "clean".to_owned(),
                detail: String::new(),
            },
            Check {
                by: "gcc-12 warnings".to_owned(),
                result: "caution".to_owned(),
                detail: "main.c:4:5: warning: 'x' may be used uninitialized \
                    [-Wmaybe-uninitialized]"
                    .to_owned(),
            },
        ],
        found: Some(Found {
            whodunit: "0.1.0".to_owned(),
            source: "cgen".to_owned(),
            campaign_seed: "0x2a".to_owned(),
            program: 17,
            seed: "0x1234".to_owned(),
        }),
        duplicates: vec![("23-1".to_owned(), "same pass and same counter".to_owned())],
        suspicion: Some(Suspicion {
            build: "counting".to_owned(),
            method: "combined".to_owned(),
            evaluations: 412,
            witnesses: 31,
            files: vec![suspect(1, "gcc/tree-vrp.cc", 1.0), suspect(2, "gcc/range-op.cc", 0.61)],
        }),
    }
}

/// GCC crashes on a C++ program that a person gave.
pub(crate) fn gcc_crash() -> Bug {
    Bug {
        id: "3-1".to_owned(),
        kind: "crash".to_owned(),
        signature: "internal compiler error: in vect_slp_analyze, at tree-vect-slp.cc".to_owned(),
        language: Language::Cxx,
        standard: None,
        files: vec![file("main.cc", "void f() {}\n")],
        original: Vec::new(),
        preprocessed: Vec::new(),
        fail: run("gcc-12", "-O3", &["gcc-12 -w -O3 -S main.cc"], None, ""),
        pass: None,
        message:
            "during GIMPLE pass: slp\nmain.cc: In function 'void f()':\nmain.cc:1:6: internal \
             compiler error: in vect_slp_analyze, at tree-vect-slp.cc:4498\n"
                .to_owned(),
        versions: Vec::new(),
        culprit: None,
        checks: Vec::new(),
        found: None,
        duplicates: Vec::new(),
        ..wrong_code()
    }
}

/// LLVM's optimiser crashes on a module; the newest version does right.
pub(crate) fn llvm_crash() -> Bug {
    Bug {
        id: "8-0".to_owned(),
        kind: "crash".to_owned(),
        signature: "Segmentation fault during slp-vectorizer in llvm::slp::BoUpSLP::canMap"
            .to_owned(),
        family: Family::Llvm,
        compiler: CompilerText {
            name: "clang-16".to_owned(),
            version: "16.0.6".to_owned(),
            says: "Debian clang version 16.0.6\n".to_owned(),
            target: "x86_64-pc-linux-gnu".to_owned(),
        },
        language: Language::Ir,
        standard: None,
        files: vec![file(
            "main.ll",
            "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n",
        )],
        original: Vec::new(),
        preprocessed: Vec::new(),
        fail: run(
            "opt-16",
            "-passes=slp-vectorizer",
            &["opt-16 -passes=slp-vectorizer -S main.ll -o a.opt.ll"],
            None,
            "",
        ),
        pass: Some(run(
            "opt-16",
            "-passes=verify",
            &["opt-16 -passes=verify -S main.ll -o a.opt.ll"],
            None,
            "",
        )),
        message: "PLEASE submit a bug report\nStack dump:\n 0. Program arguments: opt\n #4 0x7f \
             llvm::slp::BoUpSLP::canMap(llvm::Type*) const (/lib/libLLVM-16.so.1+0x21)\n"
            .to_owned(),
        versions: vec![
            version("opt-16", "16.0.6", Some(true)),
            version("opt-19", "19.1.0", Some(false)),
        ],
        culprit: Some(Culprit {
            pass: "slp-vectorizer".to_owned(),
            file: None,
            step: None,
            function: Some("f".to_owned()),
            needed: Vec::new(),
            counter: None,
            alone: Some("slp-vectorizer".to_owned()),
            pair: None,
            how: "The stack names the pass.".to_owned(),
        }),
        checks: Vec::new(),
        duplicates: Vec::new(),
        ..wrong_code()
    }
}

/// tcc compiles a program wrongly, GCC is the reference.
pub(crate) fn tcc() -> Bug {
    Bug {
        id: "5-0".to_owned(),
        family: Family::Other,
        compiler: CompilerText {
            name: "tcc".to_owned(),
            version: "0.9.27".to_owned(),
            says: "tcc version 0.9.27 (x86_64 Linux)\n".to_owned(),
            target: "x86_64-linux".to_owned(),
        },
        fail: run("tcc", "-O0", &["tcc -w -O0 main.c -o a.out -lm"], Some("exit 0"), "4\n"),
        pass: Some(run(
            "gcc-12",
            "-O0",
            &["gcc-12 -w -std=c11 -O0 main.c -o a.out -lm"],
            Some("exit 0"),
            "3\n",
        )),
        versions: vec![
            version("tcc", "0.9.27", Some(true)),
            version("gcc-12", "12.2.0", Some(false)),
        ],
        culprit: None,
        ..wrong_code()
    }
}
