//! What the optimiser gets, with a real one.

use std::sync::Arc;
use toolchain::process::Limits;
use toolchain::{Compiler, Configuration, Language, Program};
use toolchain::{is_not_asserted, optimiser_input, optimiser_pipeline};

const SOURCE: &str = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n";

fn clang() -> Option<Arc<Compiler>> {
    let clang = Compiler::named("clang-16").ok().filter(|it| it.companions.contains_key("opt"));
    if clang.is_none() {
        eprintln!("not tested: clang-16 and its opt are not installed");
    }
    clang.map(Arc::new)
}

fn input(fail: &str, program: &Program) -> Option<(Program, Vec<String>)> {
    let scratch = tempfile::tempdir().expect("a folder for a test");
    let fail = Configuration::new(clang()?, fail);
    optimiser_input(&fail, program, Limits::compiler(), scratch.path()).expect("it is asked")
}

#[test]
fn a_level_and_a_pipeline_give_the_optimiser_ir_and_its_arguments() {
    if clang().is_none() {
        return;
    }
    let program = Program::single("a.c", Language::C, SOURCE);
    let (module, args) = input("-Os -fwrapv -mllvm -unroll-count=3", &program).unwrap();
    assert_eq!(args, ["-passes=default<Os>", "-unroll-count=3"]);
    let text = String::from_utf8(module.files[0].bytes.clone()).unwrap();
    assert!(text.contains("alloca") && text.contains("optsize"), "not optimised yet: {text}");
    // With a pipeline, the arguments are the optimiser's.
    let (module, args) = input("-passes=function(sroa) -debugify", &program).unwrap();
    assert_eq!(args, ["-passes=function(sroa)", "-debugify"]);
    assert_eq!(module.language, Language::Ir);
    let ir = module.clone();
    assert_eq!(input("-passes=function(sroa)", &ir).unwrap().0, ir, "IR is what it is");
    let wrong = Program::single("a.c", Language::C, "int f(");
    assert_eq!(input("-O2", &wrong), None);
}

#[test]
fn a_pipeline_that_stands_for_others_is_spelled_out() {
    let Some(clang) = clang() else { return };
    let scratch = tempfile::tempdir().unwrap();
    let pipeline = |args: &str| {
        let configuration = Configuration::new(Arc::clone(&clang), args);
        optimiser_pipeline(&configuration, scratch.path()).unwrap()
    };
    let spelled = pipeline("-passes=default<O1>").unwrap();
    assert!(spelled.contains("function<eager-inv>(") && !spelled.contains("default"), "{spelled}");
    assert_eq!(pipeline("-passes=function(gvn)").as_deref(), Some("function(gvn)"));
    assert_eq!(pipeline("-O2"), None, "the driver optimises by itself");
}

#[test]
fn debians_builds_do_not_check_assertions() {
    let Some(clang) = clang() else { return };
    let mut alone = Compiler::clone(&clang);
    alone.companions.clear();
    for clang in [&clang, &alone] {
        assert!(is_not_asserted(clang, "Assertion `x' failed.").unwrap());
        assert!(!is_not_asserted(clang, "Segmentation fault").unwrap());
    }
    if let Ok(gcc) = Compiler::named("gcc-12") {
        assert!(!is_not_asserted(&gcc, "Assertion `x' failed.").unwrap());
    }
}
