//! C made small, with predicates that look at the text. A machine without libclang says so.
#![allow(clippy::unwrap_used)]
use base::Budget;
use csyntax::{Dialect, Library};
use reduce::{Answer, Halt, Predicate, Reader, Search, Settings, reduce_c};

struct Keeps<'a> {
    reader: Reader<'a>,
    what: fn(&str) -> bool,
}

impl Predicate for Keeps<'_> {
    fn is_plausible(&self, text: &[u8]) -> bool {
        let problems = self.reader.library.problems(text, self.reader.dialect).unwrap();
        !problems.iter().any(|problem| problem.is_error)
    }

    fn ask(&self, text: &[u8]) -> Result<Answer, Halt> {
        let keeps = (self.what)(std::str::from_utf8(text).unwrap());
        Ok(if keeps { Answer::Interesting } else { Answer::Boring })
    }
}

/// Reduces a program while `what` holds and clang takes it.
fn check(text: &str, what: fn(&str) -> bool, expect: &str) {
    let library = match Library::find() {
        Ok(library) => library,
        Err(error) => return println!("not tested: {error}"),
    };
    let args = ["-std=c17", "-pedantic-errors", "-Werror=return-type"].map(str::to_owned);
    let dialect = Dialect { file_name: "a.c".to_owned(), args: args.to_vec() };
    let reader = || Reader { library: &library, dialect: &dialect };
    let predicate = Keeps { reader: reader(), what };
    assert!(predicate.is_plausible(text.as_bytes()), "the test's own program is valid: {text}");
    let reduced = |jobs| {
        let settings = Settings { jobs, ..Settings::default() };
        let search = Search::new(&predicate, settings);
        String::from_utf8(reduce_c(&search, text.as_bytes(), &reader()).unwrap()).unwrap()
    };
    let found = reduced(1);
    assert_eq!(found, expect, "of {text}");
    assert_eq!(found, reduced(3), "with three jobs");
}

#[test]
fn what_is_not_needed_goes() {
    check(
        "typedef unsigned long word;\nstruct s { int a; word b; };\nstatic int g = 3, h = 4;\n\
         int helper(struct s *p) { return p->a + g; }\n\
         int main(void) { struct s x = {1, 2}; if (helper(&x) > h) { return 1; } return 0; }\n",
        |text| text.contains("main"),
        "int main(void) {}\n",
    );
}

#[test]
fn headers_give_way_to_declarations() {
    check(
        "#include <stdio.h>\n#include <string.h>\n#define X 3\n\
         int main(void) { printf(\"%d\\n\", 7); return 0; }\n",
        |text| text.contains("printf(\"\""),
        "int printf(char *);\nint main(void) {\n  printf(\"\");\n}\n",
    );
}

#[test]
fn nests_are_opened() {
    check(
        "int a[9], n;\nvoid f(void) { for (int i = 0; i < 9; i++) { if (n) { while (a[i] > 2) \
         { switch (n) { case 1: a[3] = n ^ 5; break; default: break; } } } else n++; } }\n",
        |text| text.contains('^'),
        "void f(void) {\n  0 ^ 0;\n}\n",
    );
}

#[test]
fn expressions_shrink_to_what_matters() {
    check(
        "int f(int a, int b, int c) { return ((a + b * 2 - c) << 3) + (b / (c | 1)) + a * b * c + 7; }\n",
        |text| text.contains('/'),
        "int f(void) {\n  return 0 / 0;\n}\n",
    );
    check(
        "int x; int f(int a) { return a || x || a > 2 || x % 3 || x > 9 || a < -4; }\n",
        |text| text.contains('%'),
        "int f(void) {\n  return 0 % 0;\n}\n",
    );
}

#[test]
fn parameters_go_with_their_arguments() {
    check(
        "static int add(int first, long second, int third) { return first - third; }\n\
         int f(void) { return add(1, 2, 3) + add(4, 5, 6); }\n",
        |text| text.matches("add").count() > 1 && text.contains("add("),
        "int add(void) {\n  return 0;\n}\nint f(void) {\n  return add();\n}\n",
    );
}

#[test]
fn arrays_pointers_and_types_become_plain() {
    check(
        "static const unsigned long long table[4] = {1, 2, 3, 4};\n\
         unsigned long long f(unsigned long long *p) { return table[*p & 3] << 2; }\n",
        |text| text.contains("<<"),
        "int f(void) {\n  return 0 << 0;\n}\n",
    );
}

#[test]
fn names_become_short() {
    check(
        "int counter; void increment(int by_how_much) { counter += by_how_much; }\n",
        |text| text.contains("+="),
        "int a;\nvoid f(void) {\n  a += 0;\n}\n",
    );
}

#[test]
fn a_declaration_of_several_loses_what_it_need_not_have() {
    check(
        "int a = 1, *b = &a, c[3], d;\nint f(void) { return d & 1; }\n",
        |text| text.contains("d &"),
        "int d;\nint f(void) {\n  return d & 1;\n}\n",
    );
}

#[test]
fn what_a_small_budget_leaves_is_laid_out_too() {
    let Ok(library) = Library::find() else { return };
    let dialect = Dialect { file_name: "a.c".to_owned(), args: Vec::new() };
    let reader = Reader { library: &library, dialect: &dialect };
    let read = Reader { library: &library, dialect: &dialect };
    let predicate = Keeps { reader: read, what: |text| text.contains("g(") };
    let settings = Settings { budget: Budget::new(None, Some(0)), ..Settings::default() };
    let search = Search::new(&predicate, settings);
    let text = b"int  f(void)\n\n\n\n{return 1 ;}\n\n\nint g(void) {  return f(); }\n";
    let found = String::from_utf8(reduce_c(&search, text, &reader).unwrap()).unwrap();
    assert_eq!(found, "int f(void) {\n  return 1;\n}\nint g(void) {\n  return f();\n}\n");
}

#[test]
fn what_clang_can_not_read_is_left_as_valid_as_it_was() {
    // Not even this brings the reducer down.
    let library = match Library::find() {
        Ok(library) => library,
        Err(error) => return println!("not tested: {error}"),
    };
    let dialect = Dialect { file_name: "a.c".to_owned(), args: Vec::new() };
    let reader = Reader { library: &library, dialect: &dialect };
    let predicate = |text: &[u8]| {
        let keeps = text.windows(2).any(|two| two == b"@@");
        Ok(if keeps { Answer::Interesting } else { Answer::Boring })
    };
    let settings = Settings::default();
    let search = Search::new(&predicate, settings);
    let text = b"int f( { return @@ ) ; } \xff\xfe struct { { \" \n int g(void) { return 3; }";
    let found = reduce_c(&search, text, &reader).unwrap();
    assert!(found.len() < 40, "{}", String::from_utf8_lossy(&found));
}
