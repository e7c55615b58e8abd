//! DiWi's rules on small programs.

use crate::{dialect, library};
use base::Seed;
use mutate::{Host, Level, Operator, Pool, applicable, mutate_by_rule, rules};
use std::collections::BTreeSet;

/// All mutants that a rule makes of a program.
fn mutants(host: &Host, rule: &str) -> BTreeSet<String> {
    let rule = rules().iter().find(|known| known.name == rule).expect("a rule of this name");
    (0..200)
        .filter_map(|index| mutate_by_rule(host, rule, &mut Seed(1).stream("test", index)))
        .map(|mutant| String::from_utf8(mutant.text).unwrap())
        .collect()
}

fn check_host(host: &Host, text: &str, rule: &str, expect: &[&str]) {
    let expect: BTreeSet<String> = expect.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(mutants(host, rule), expect, "{rule} on {text}");
}

/// With its tree.
fn check(text: &str, rule: &str, expect: &[&str]) {
    let Some(library) = library() else { return };
    let host = Host::read(text.as_bytes(), &dialect(), Some(&library));
    assert_eq!(*host.level(), Level::Tree, "the test's own program is valid: {text}");
    check_host(&host, text, rule, expect);
}

/// By tokens.
fn check_tokens(text: &str, rule: &str, expect: &[&str]) {
    let host = Host::read(text.as_bytes(), &dialect(), None);
    assert!(matches!(host.level(), Level::Tokens(_)));
    check_host(&host, text, rule, expect);
}

/// With its tree and by tokens: both are the same.
fn check_both(text: &str, rule: &str, expect: &[&str]) {
    check(text, rule, expect);
    check_tokens(text, rule, expect);
}

#[test]
fn a_qualifier_is_inserted_in_front_and_behind_a_star() {
    check("int x;", "insert volatile", &["volatile int x;"]);
    check("int *p;", "insert volatile", &["volatile int *p;", "int *volatile p;"]);
    check("int *p;", "insert restrict", &["int *restrict p;"]);
    check("int (*f)(int);", "insert restrict", &[]);
    check("int (*f)(int);", "insert volatile", &["int (*volatile f)(int);"]);
    check("static int a, *b;", "insert restrict", &["static int a, *restrict b;"]);
    check("void f(int *p, int n) { }", "insert restrict", &["void f(int *restrict p, int n) { }"]);
    check("volatile int x;", "insert volatile", &[]);
    check_tokens("int *p;", "insert restrict", &["int *restrict p;"]);
    check_tokens("struct s { int *p; };", "insert const", &[]);
}

#[test]
fn const_goes_to_what_is_only_read() {
    check(
        "int f(void) { int a = 1, b = 2; b = 3; int c = 4; return a + b + c; }",
        "insert const",
        &["int f(void) { int a = 1, b = 2; b = 3; const int c = 4; return a + b + c; }"],
    );
    check("#define SET x = 1\nint x;", "insert const", &[]);
    check("int f(int *p) { p++; *p = 1; return 0; }", "insert const", &[]);
    check("int f(void) { int a[2]; a[0] = 1; return a[1]; }", "insert const", &[]);
    check(
        "int x; int *p = &x;",
        "insert const",
        &["int x; const int *p = &x;", "int x; int *const p = &x;"],
    );
}

#[test]
fn qualifiers_are_removed_wherever_they_stand() {
    check_both("const int x = 1;", "remove const", &["int x = 1;"]);
    check_both("int *const p = 0;", "remove const", &["int *p = 0;"]);
    check("int *restrict p;", "remove restrict", &["int *p;"]);
    check("void f(int *__restrict p) {}", "remove restrict", &["void f(int *p) {}"]);
    check("extern const int x; const int x = 1;", "remove const", &[]);
}

#[test]
fn modifiers_change_the_words_of_the_type_and_nothing_else() {
    check_both("int printed;", "insert unsigned", &["unsigned int printed;"]);
    check_both("signed point;", "insert unsigned", &["unsigned point;"]);
    check_both("unsigned long x;", "remove unsigned", &["long x;"]);
    check_both("unsigned x;", "remove unsigned", &["int x;"]);
    check_both("long long x;", "insert short", &["short x;"]);
    check_both("long long x;", "remove long", &["long x;"]);
    check_both("short x;", "insert long", &["long x;"]);
    check_both("char c;", "insert short", &[]);
    check("double d; struct s { int a; } x; typedef int word; word y;", "insert unsigned", &[]);
    check("int f(int a) { return a; }", "insert signed", &["int f(signed int a) { return a; }"]);
    check("int f(int); int f(int a) { return a; }", "insert long", &[]);
    check("int main(int argc, char **argv) { return 0; }", "insert long", &[]);
}

#[test]
fn binary_operators_keep_the_tree_of_the_expression() {
    check(
        "int f(int a, int b) { return a + b; }",
        "replace + by %",
        &["int f(int a, int b) { return a % b; }"],
    );
    check(
        "int f(int a, int b) { return a - b * 2; }",
        "replace * by -",
        &["int f(int a, int b) { return a - (b - 2); }"],
    );
    check(
        "int f(int a, int b) { return a + b - 2; }",
        "replace - by *",
        &["int f(int a, int b) { return (a + b) * 2; }"],
    );
    check(
        "int f(int a, int b) { return a < b == 1; }",
        "replace < by ==",
        &["int f(int a, int b) { return a == b == 1; }"],
    );
    check(
        "int f(int a, int b) { return a || a && b; }",
        "replace && by ||",
        &["int f(int a, int b) { return a || (a || b); }"],
    );
    check("int f(int *a) { return *(a + 1); }", "replace + by *", &[]);
    check("double f(double a) { return a * 2; }", "replace * by %", &[]);
}

#[test]
fn compound_assignments_are_operators_of_their_own() {
    check_both("void f(int a) { a += 1; }", "replace += by %=", &["void f(int a) { a %= 1; }"]);
    check_both("void f(int a) { a <<= 1; }", "replace <<= by >>=", &["void f(int a) { a >>= 1; }"]);
    check("void f(double a) { a += 1; }", "replace += by %=", &[]);
}

#[test]
fn unary_operators_change_sides_without_falling_apart() {
    check_both("void f(int a) { a++; }", "replace x++ by --x", &["void f(int a) { --a; }"]);
    check_both("void f(int a) { ++a; }", "replace ++x by x--", &["void f(int a) { a--; }"]);
    check_both("void f(int a) { a++; }", "delete x++", &["void f(int a) { a; }"]);
    check_both(
        "int f(int a) { return !a; }",
        "replace !x by ++x",
        &["int f(int a) { return ++a; }"],
    );
    check_both(
        "int f(int a) { return 1-a--; }",
        "replace x-- by --x",
        &["int f(int a) { return 1- --a; }"],
    );
    check("void f(int *p) { ++*p; }", "replace ++x by x++", &["void f(int *p) { (*p)++; }"]);
    check("int f(int *p) { return *p++; }", "replace x++ by !x", &[]);
    check("int f(int *p) { return !p; }", "delete !x", &[]);
    check(
        "int f(int *p) { if (!p) return 1; return 0; }",
        "delete !x",
        &["int f(int *p) { if (p) return 1; return 0; }"],
    );
    check("int f(void) { return !3; }", "replace !x by ++x", &[]);
    check(
        "struct s { int a; }; int f(struct s *p) { return p++->a; }",
        "replace x++ by ++x",
        &["struct s { int a; }; int f(struct s *p) { return (++p)->a; }"],
    );
}

#[test]
fn integers_keep_their_radix_and_suffix() {
    check_both("int x = 0x0F;", "replace c by c + 1", &["int x = 0x10;"]);
    check_both("int x = 017;", "replace c by c + 1", &["int x = 020;"]);
    check_both("long x = 10UL;", "replace c by c - 1", &["long x = 9UL;"]);
    check_both("long x = 10UL;", "replace c by 0", &["long x = 0UL;"]);
    check_both("long x = 0x10L;", "replace c by -c", &["long x = (-0x10L);"]);
    check_both("int x = 0;", "replace c by c - 1", &["int x = (-1);"]);
    check_both("int x = 0;", "replace c by 0", &[]);
    check_both("unsigned long x = 18446744073709551615u;", "replace c by c + 1", &[]);
    check_both("double x = 1.5;", "replace c by c + 1", &[]);
}

#[test]
fn sizes_and_labels_stay_plausible() {
    check("int a[3];", "replace c by -c", &[]);
    check("int a[3];", "replace c by c - 1", &["int a[2];"]);
    check("int a[1];", "replace c by c - 1", &[]);
    check("struct s { unsigned a : 32; };", "replace c by c + 1", &[]);
    check(
        "int f(int a) { switch (a) { case 1: case 2: return a; } return a; }",
        "replace c by c + 1",
        &["int f(int a) { switch (a) { case 1: case 3: return a; } return a; }"],
    );
    check("int a[] = { [2] = 5 };", "replace c by c + 1", &["int a[] = { [2] = 6 };"]);
    check("_Static_assert(1, \"\"); int x __attribute__((aligned(8)));", "replace c by 0", &[]);
}

const SWAP: &str = "replace a variable by another";

#[test]
fn a_variable_gives_way_to_one_that_can_be_named_there() {
    check_both("int g(int a, int b) { return a; }", SWAP, &["int g(int a, int b) { return b; }"]);
    check("int f(int a) { { int b = 1; } return a; }", SWAP, &[]);
    check("int f(int a) { return a; int late = 0; }", SWAP, &[]);
    check("void g(void) {} int f(int a) { g(); return a; }", SWAP, &[]);
    check("int f(int a, int *p, double d) { return a % 2; }", SWAP, &[]);
    check(
        "int f(int a, double d) { return a + 2; }",
        SWAP,
        &["int f(int a, double d) { return d + 2; }"],
    );
}

#[test]
fn a_hidden_variable_is_not_named() {
    check("int x; int f(int y) { { char *x = 0; return y; } }", SWAP, &[]);
    check(
        "int x; int f(int y) { { int x = 0; return y; } }",
        SWAP,
        &["int x; int f(int y) { { int x = 0; return x; } }"],
    );
    check_tokens("int x; int f(int y) { { char *x = 0; return y; } }", SWAP, &[]);
}

#[test]
fn what_is_written_to_is_not_constant_and_an_address_has_its_type() {
    check("int f(const int a, int b) { b = 1; return 0; }", SWAP, &[]);
    check(
        "long l; int x, y; int *f(void) { return &x; }",
        SWAP,
        &["long l; int x, y; int *f(void) { return &y; }"],
    );
    check(
        "int a[4], b[3], c[5]; int f(void) { return a[0]; }",
        SWAP,
        &["int a[4], b[3], c[5]; int f(void) { return c[0]; }"],
    );
    check("int x, y; int *p = &x;", SWAP, &["int x, y; int *p = &y;"]);
}

#[test]
fn tokens_tell_unary_from_binary_operators() {
    check_tokens(
        "int f(int *a, int b) { return *a - -b; }",
        "replace - by +",
        &["int f(int *a, int b) { return *a + -b; }"],
    );
    check_tokens(
        "int f(int *a, int b) { return *a * b; }",
        "replace * by /",
        &["int f(int *a, int b) { return *a / b; }"],
    );
    check_tokens("int f(int a, int b) { return (int) -b & a; }", "replace - by +", &[]);
    check_tokens(
        "int f(int a, int b) { return (b) - a; }",
        "replace - by +",
        &["int f(int a, int b) { return (b) + a; }"],
    );
    check_tokens("void f(int *a) { if (a) *a = 1; word *p; }", "replace * by /", &[]);
    check_tokens(
        "int f(int a) { return a++ + ++a; }",
        "delete ++x",
        &["int f(int a) { return a++ + a; }"],
    );
    check_tokens("int f(int *a) { return &a == 0; }", "replace & by |", &[]);
}

#[test]
fn what_macros_and_directives_hold_stays() {
    check("#define ONE 1\nint x = ONE;", "replace c by c + 1", &[]);
    check_tokens("#define ONE 1\nint x = ONE;", "replace c by c + 1", &[]);
}

#[test]
fn the_oracle_is_protected() {
    let text = "int printf(const char *, ...);\nint x;\nint main(void) { if (x != 5) __builtin_abort(); printf(\"%d\", x + 1); return 0; }";
    for rule in rules() {
        let expect: &[&str] = &[];
        if rule.family != mutate::Family::AddQualifier
            && rule.family != mutate::Family::AddModifier
            && rule.family != mutate::Family::RemoveQualifier
        {
            check_both(text, &rule.name, expect);
        }
    }
}

/// Something for every rule.
const EVERYTHING: &str = "\
int printf(const char *, ...);
volatile int v; const int k = 3; unsigned u; signed s; short h; long l;
int arithmetic(int a, int b) { return a + b - a * b / 3 % 5; }
int relations(int a, int b) { return (a > b) + (a >= b) + (a < b) + (a <= b) + (a == b) + (a != b); }
int bits(int a, int b) { return (a & b) + (a | b) + (a ^ b) + (a << 2) + (b >> 2) + (a && b) + (a || b); }
void compound(int a, int b) { a += b; a -= b; a *= b; a /= b; a %= b; a <<= b; a >>= b; a &= b; a |= b; a ^= b; }
int steps(int a, int *restrict p, int *q) { ++a; --a; a++; a--; *q = !a; return *p; }
int main(void) { if (arithmetic(7, 2)) __builtin_abort(); printf(\"%d\\n\", bits(1, 2) + 9); return 0; }
";

#[test]
fn all_rules_can_be_reached() {
    let library = library();
    for library in [None, library.as_ref()] {
        let host = Host::read(EVERYTHING.as_bytes(), &dialect(), library);
        for rule in rules() {
            assert!(applicable(&host, rule) > 0, "{} at {:?}", rule.name, host.level());
        }
    }
}

#[test]
fn a_mutant_is_its_host_but_for_its_edits_and_never_touches_the_oracle() {
    let library = library();
    for library in [None, library.as_ref()] {
        let host = Host::read(EVERYTHING.as_bytes(), &dialect(), library);
        assert!(!host.protected().is_empty());
        for rule in rules() {
            for index in 0..6 {
                let draw =
                    || mutate_by_rule(&host, rule, &mut Seed(2).stream("test", index)).unwrap();
                let mutant = draw();
                assert_eq!(mutant, draw(), "the same stream makes the same mutant");
                assert_ne!(mutant.text, host.text());
                assert!(mutant.what.starts_with(&format!("line {}: ", mutant.line)));
                assert_eq!(mutant.text, base::Edit::apply(&mutant.edits, host.text()));
                for edit in &mutant.edits {
                    for range in host.protected() {
                        let apart = edit.range.end <= range.start || range.end <= edit.range.start;
                        assert!(apart, "{}: {edit:?} in {range:?}", mutant.what);
                    }
                }
                if let Some(library) = library {
                    let problems = library.problems(&mutant.text, &dialect()).unwrap();
                    let error = problems.into_iter().find(|problem| problem.is_error);
                    assert_eq!(error, None, "{}", mutant.what);
                }
            }
        }
    }
}

#[test]
fn a_local_operator_uses_all_its_rules() {
    let host = Host::read(EVERYTHING.as_bytes(), &dialect(), None);
    let pool = Pool::default();
    let mut random = Seed(3).stream("test", 0);
    let mut found = BTreeSet::new();
    for _ in 0..100 {
        let mutant = mutate::mutate_by_operator(&host, Operator::Constant, &pool, &mut random);
        found.insert(mutant.unwrap().text);
    }
    assert!(found.len() > 8, "{}", found.len());
    assert_eq!(mutate::mutate_by_operator(&host, Operator::InsertIf, &pool, &mut random), None);
}
