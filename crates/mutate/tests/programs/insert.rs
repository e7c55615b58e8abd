//! RecBi's structural operators and DiWi's synthesis on small programs.

use crate::{dialect, library};
use base::{Random, Seed};
use csyntax::Library;
use mutate::{Host, Level, Mutant, Operator, Pool, mutate_by_operator, synthesise};
use std::collections::BTreeSet;

fn pool(donor: &str, library: &Library) -> Pool {
    let programs = [("donor.c".to_owned(), donor.as_bytes().to_vec())];
    let pool = Pool::of(programs, &dialect(), library);
    assert_eq!(pool.counts().unread, 0, "the test's own donor is valid: {donor}");
    pool
}

/// All that a hundred streams draw; each is valid, repeatable, and spares the oracle.
fn drawn(
    host: &Host,
    library: &Library,
    draw: impl Fn(&mut Random) -> Option<Mutant>,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for index in 0..100 {
        let stream = || Seed(1).stream("test", index);
        let Some(mutant) = draw(&mut stream()) else { continue };
        assert_eq!(draw(&mut stream()).unwrap(), mutant, "the same stream makes the same mutant");
        assert_eq!(mutant.text, base::Edit::apply(&mutant.edits, host.text()));
        for edit in &mutant.edits {
            let at = &edit.range;
            let inside =
                host.protected().iter().any(|range| range.start < at.start && at.end < range.end);
            assert!(at.is_empty() && !inside, "{}", mutant.what);
        }
        let text = String::from_utf8(mutant.text).unwrap();
        let problems = library.problems(text.as_bytes(), &dialect()).unwrap();
        let error = problems.into_iter().find(|problem| problem.is_error);
        assert_eq!(error, None, "{text}");
        found.insert(text);
    }
    found
}

/// Everything that an operator makes of a host with the ingredients of a donor.
fn check(host: &str, operator: Operator, donor: &str, expect: &[&str]) {
    let Some(library) = library() else { return };
    let read = Host::read(host.as_bytes(), &dialect(), Some(&library));
    assert_eq!(*read.level(), Level::Tree, "the test's own program is valid: {host}");
    let pool = pool(donor, &library);
    let found = drawn(&read, &library, |random| mutate_by_operator(&read, operator, &pool, random));
    let expect: BTreeSet<String> = expect.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(found, expect, "{} on {host}", operator.name());
}

const CONDITION: &str = "void g(int a) { while (a < 3) a++; }";

#[test]
fn a_statement_becomes_the_body_of_an_if_or_a_while() {
    let host = "void f(int x) { int y = 0; x = 1; { y = x; } }";
    // Three statements: the two in the outer block and the one in the inner.
    let made = |word: &str| {
        ["x", "y"]
            .into_iter()
            .flat_map(|v| {
                let c = format!("{word} ({v} < 3) ");
                [
                    format!("void f(int x) {{ int y = 0; {c}x = 1; {{ y = x; }} }}"),
                    format!("void f(int x) {{ int y = 0; x = 1; {c}{{ y = x; }} }}"),
                    format!("void f(int x) {{ int y = 0; x = 1; {{ {c}y = x; }} }}"),
                ]
            })
            .collect::<Vec<String>>()
    };
    for (operator, word) in [(Operator::InsertIf, "if"), (Operator::InsertWhile, "while")] {
        let expect = made(word);
        check(host, operator, CONDITION, &expect.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn an_else_stays_with_its_if() {
    check(
        "void f(int x) { if (x) x = 1; else return; }",
        Operator::InsertIf,
        CONDITION,
        &[
            "void f(int x) { if (x < 3) if (x) x = 1; else return; }",
            "void f(int x) { if (x) { if (x < 3) x = 1; } else return; }",
        ],
    );
}

#[test]
fn nothing_is_put_before_the_oracle_or_around_it_or_outside_of_functions() {
    check(
        "int x; int main(void) { for (;;) if (x != 5) __builtin_abort(); int y; return 0; }",
        Operator::InsertIf,
        CONDITION,
        &[],
    );
}

#[test]
fn a_variable_that_nothing_fits_becomes_a_number_or_comes_along() {
    let host = "void g(void); void f(void) { g(); }";
    check(
        host,
        Operator::InsertIf,
        "int flag = 7; int d(void) { if (flag) return 1; return 0; }",
        &["int flag = 7;\nvoid g(void); void f(void) { if (flag) g(); }"],
    );
    check(host, Operator::InsertWhile, "int d(int a) { if (a < 3) return 1; return 0; }", &[]);
    let expect: Vec<String> =
        (0..10).map(|n| format!("void g(void); void f(void) {{ if ({n} < 3) g(); }}")).collect();
    check(
        host,
        Operator::InsertIf,
        "int d(int a) { if (a < 3) return 1; return 0; }",
        &expect.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn a_function_comes_with_all_that_it_needs_and_clashes_are_renamed() {
    let donor = "typedef unsigned word;\nstruct s { word a; };\nstatic struct s global;\n\
                 static word deep(word x) { return x + global.a; }\n\
                 word f(int n) { struct s local = { n }; return deep(local.a); }\n\
                 int unused;\nint main(void) { return f(3); }\n";
    let host = "struct s { char c; }; int f(int n) { n = 1; return n; }";
    check(
        host,
        Operator::InsertCall,
        donor,
        &["typedef unsigned word;\nstruct s_1 { word a; };\nstatic struct s_1 global;\n\
         static word deep(word x) { return x + global.a; }\n\
         word f_1(int n) { struct s_1 local = { n }; return deep(local.a); }\n\
         struct s { char c; }; int f(int n) { f_1(3); n = 1; return n; }"],
    );
}

#[test]
fn functions_that_print_or_end_the_program_are_not_copied() {
    let Some(library) = library() else { return };
    let donor = "void abort(void); void fail(void) { abort(); } int g(int x) { if (x) fail(); return x; }\n\
                 int h(int x) { __builtin_printf(\"%d\", x); return x; } extern int missing(int); int i(int x) { return missing(x); }";
    let pool = pool(donor, &library);
    assert_eq!(pool.counts().calls, 0);
    assert_eq!(pool.counts().statements, 0);
    assert_eq!(pool.counts().conditions, 1);
}

#[test]
fn a_jump_goes_forward_and_not_over_the_oracle() {
    check(
        "int main(void) { int x = 0; x = 1; x = 2; if (x != 2) __builtin_abort(); x = 3; return 0; }",
        Operator::InsertGoto,
        "",
        &[
            "int main(void) { int x = 0; goto label_1; x = 1; label_1: x = 2; if (x != 2) __builtin_abort(); x = 3; return 0; }",
        ],
    );
    check("void f(int n) { n = 1; int v[n]; n = 2; v[0] = n; }", Operator::InsertGoto, "", &[]);
}

#[test]
fn a_statement_of_another_program_is_put_in_with_the_hosts_variables() {
    let Some(library) = library() else { return };
    let donor = "static int twice(int a) { return a * 2; }\n\
                 int g(int n, int *p) { int sum = 0; for (int i = 0; i < n; i++) { sum += twice(p[i]); } return sum; }";
    let pool = pool(donor, &library);
    let host =
        Host::read(b"int a[4]; int f(int n) { n = 2; return n; }", &dialect(), Some(&library));
    let found = drawn(&host, &library, |random| synthesise(&host, &pool, random));
    let copied = "static int twice(int a) { return a * 2; }\nint a[4]; int f(int n) { ";
    let expect =
        format!("{copied}for (int i = 0; i < n; i++) {{ n += twice(a[i]); }} n = 2; return n; }}");
    assert!(found.contains(&expect), "{found:#?}");
    assert!(
        found.iter().all(|text| text.starts_with(copied) && text.ends_with("n = 2; return n; }"))
    );
}

#[test]
fn programs_that_clang_cannot_read_keep_their_structure() {
    let Some(library) = library() else { return };
    let pool = pool(CONDITION, &library);
    let host =
        Host::read(b"int f(int x) { unknown y; x = 1; return x; }", &dialect(), Some(&library));
    assert!(matches!(host.level(), Level::Tokens(reason) if reason.contains("clang can't read")));
    for operator in Operator::ALL.into_iter().filter(|operator| operator.is_structural()) {
        assert_eq!(mutate_by_operator(&host, operator, &pool, &mut Seed(1).stream("x", 0)), None);
    }
}
