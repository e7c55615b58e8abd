//! The screen on programs whose undefined behaviour is known.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

use oracle::{Limiting, Screen, ScreenResult, Screener};
use std::sync::Arc;
use toolchain::{Compiler, DataModel, Language, Program};

/// The screen of a program, by gcc-12 and clang-16; nothing, and a word, without them.
fn screen(text: &str) -> Option<Screen> {
    screen_in(text, DataModel::Lp64)
}

fn screen_in(text: &str, data_model: DataModel) -> Option<Screen> {
    let compilers: Vec<Arc<Compiler>> = ["gcc-12", "clang-16"]
        .iter()
        .filter_map(|name| Compiler::named(name).ok())
        .map(Arc::new)
        .collect();
    if compilers.len() < 2 {
        eprintln!("skipped: gcc-12 and clang-16 are not both installed");
        return None;
    }
    let scratch = tempfile::tempdir().unwrap();
    let program = Program::single("main.c", Language::C, text);
    let screener = Screener::new(&compilers, Limiting::default());
    Some(screener.screen(&program, data_model, scratch.path()).unwrap())
}

fn check(text: &str, by: &str, expect: ScreenResult) {
    let Some(screen) = screen(text) else { return };
    let Some(check) = screen.checks.iter().find(|check| check.by.contains(by)) else {
        panic!("no check by {by} in {screen:#?}")
    };
    if check.detail.contains("not installed") || check.detail.contains("cannot build with it") {
        eprintln!("skipped: {by}: {}", check.detail);
        return;
    }
    assert_eq!(check.result, expect, "{screen:#?}");
    assert!(screen.result >= expect, "{screen:#?}");
}

#[test]
fn a_clean_program_is_clean_to_all() {
    let Some(screen) = screen(
        "int printf(const char *, ...);\nint a[4];\nint main(void) {\n  \
        for (int i = 0; i < 4; i++) a[i] = i * 7;\n  printf(\"%d\\n\", a[3]);\n  return 0;\n}\n",
    ) else {
        return;
    };
    assert_eq!(screen.result, ScreenResult::Clean, "{screen:#?}");
    assert_eq!(screen.alarm(), None);
    let made = screen.checks.iter().filter(|check| check.result == ScreenResult::Clean).count();
    assert!(made >= 4, "{screen:#?}");
}

#[test]
fn signed_overflow_is_seen_by_the_sanitizers_of_both_families() {
    let text = "int main(int c, char **v) { int x = 2147483647; x += c; return x < 0; }\n";
    check(text, "gcc-12 -fsanitize=address,undefined", ScreenResult::Alarm);
    check(text, "clang-16 -fsanitize=address,undefined", ScreenResult::Alarm);
}

#[test]
fn an_access_out_of_bounds_is_seen_by_address_sanitizer_and_eva() {
    let text = "int a[4], b[4];\nint main(void) { int i = 9; int *p = a; return p[i]; }\n";
    check(text, "gcc-12 -fsanitize=address,undefined", ScreenResult::Alarm);
    check(text, "frama-c eva", ScreenResult::Alarm);
}

#[test]
fn an_uninitialised_value_is_seen_by_memory_sanitizer() {
    let text =
        "int main(int c, char **v) { int x; if (c > 5) x = 1; if (x) return 1; return 0; }\n";
    check(text, "clang-16 -fsanitize=memory", ScreenResult::Alarm);
}

#[test]
fn unsequenced_changes_are_seen_by_warnings() {
    let text = "int main(void) { int i = 1; i = i++ + i++; return i; }\n";
    check(text, "gcc-12 warnings", ScreenResult::Alarm);
    check(text, "clang-16 warnings", ScreenResult::Alarm);
}

#[test]
fn a_main_without_a_result_is_seen_by_warnings() {
    let text = "int f(void) { return 0; }\nvoid main() { f(); }\n";
    check(text, "gcc-12 warnings", ScreenResult::Alarm);
    check(text, "clang-16 warnings", ScreenResult::Alarm);
}

#[test]
fn a_program_is_screened_in_the_data_model_in_which_it_misbehaved() {
    let text = "int main(int c, char **v) { long x = 2147483647; x += c; return x < 0; }\n";
    let gcc = |data_model| {
        let screen = screen_in(text, data_model)?;
        let check = screen.checks.into_iter().find(|check| check.by.starts_with("gcc-12 -f"))?;
        (check.result != ScreenResult::Unchecked).then_some(check.result)
    };
    let (Some(wide), Some(narrow)) = (gcc(DataModel::Lp64), gcc(DataModel::Ilp32)) else {
        eprintln!("skipped: gcc-12 has no sanitizers for both data models here");
        return;
    };
    assert_eq!((wide, narrow), (ScreenResult::Clean, ScreenResult::Alarm));
}
