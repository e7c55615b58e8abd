//! Trees of real C. A machine without libclang says so.
#![allow(clippy::unwrap_used)]

use csyntax::{Class, Dialect, Kind, Library, Tree};

fn library() -> Option<Library> {
    match Library::find() {
        Ok(library) => Some(library),
        Err(error) => {
            println!("not tested: {error}");
            None
        }
    }
}

fn tree(text: &str) -> Option<Tree> {
    let dialect = Dialect { file_name: "a.c".to_owned(), args: vec!["-std=c99".to_owned()] };
    Some(library()?.parse(text.as_bytes(), &dialect).unwrap())
}

const TEXT: &str = "\
struct s { int a; unsigned b : 3; };
static long f(int n, struct s *p) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p->a * (i - 2);
  return sum;
}
int main(void) { struct s x = {1, 2}; return (int)f(3, &x); }
";

#[test]
fn every_node_has_its_exact_bytes() {
    let Some(tree) = tree(TEXT) else { return };
    assert!(tree.is_valid(), "{:?}", tree.problems());
    let texts = |kind: Kind| -> Vec<String> {
        tree.nodes()
            .filter(|(_, node)| node.kind == kind)
            .map(|(id, _)| String::from_utf8_lossy(tree.text_of(id)).into_owned())
            .collect()
    };
    assert_eq!(texts(Kind::Field), ["int a", "unsigned b : 3"]);
    assert_eq!(texts(Kind::Binary), ["i < n", "p->a * (i - 2)", "i - 2"]);
    assert_eq!(texts(Kind::CompoundAssignment), ["sum += p->a * (i - 2)"]);
    assert_eq!(texts(Kind::Call), ["f(3, &x)"]);
    assert_eq!(texts(Kind::InitList), ["{1, 2}"]);
    assert_eq!(tree.roots().len(), 3);
}

#[test]
fn operators_types_and_names_are_told() {
    let Some(tree) = tree(TEXT) else { return };
    let operators: Vec<&str> = tree.nodes().filter_map(|(_, node)| node.operator).collect();
    assert_eq!(operators, ["<", "++x", "+=", "*", "-", "&"]);
    let sum = tree.nodes().find(|(_, node)| node.name == "sum").unwrap().1;
    let ty = sum.ty.as_ref().unwrap();
    assert_eq!((ty.spelling.as_str(), ty.size), ("long", Some(8)));
    assert_eq!(ty.class, Class::Integer { signed: true });
    let uses = tree.nodes().filter(|(_, node)| node.entity == sum.entity).count();
    assert_eq!(uses, 3, "a declaration and two uses");
    let p = tree.nodes().find(|(_, node)| node.name == "p").unwrap().1;
    assert!(matches!(p.ty.as_ref().unwrap().class, Class::Pointer(_)));
}

#[test]
fn types_without_a_size_have_none() {
    let text = "struct s; void g(struct s *); int f(int n) { int v[n]; return __builtin_memcmp(v, v, n); }";
    let Some(tree) = tree(text) else { return };
    let name = tree.nodes().find(|(_, node)| node.name == "__builtin_memcmp").unwrap().1;
    assert!(tree.is_valid() && name.kind == Kind::Call);
}

#[test]
fn what_a_macro_writes_is_known_to_be_inexact() {
    let Some(tree) = tree("#define ONE (1)\nint f(void) { return ONE + 2; }\n") else { return };
    let exact: Vec<bool> = tree
        .nodes()
        .filter(|(_, node)| node.kind == Kind::Integer)
        .map(|(_, node)| node.is_exact)
        .collect();
    assert_eq!(exact, [false, true]);
}

#[test]
fn invalid_text_has_problems_and_still_a_tree() {
    let Some(tree) = tree("int f(void) { return x; }\nint y;\n") else { return };
    assert!(!tree.is_valid());
    assert_eq!(tree.roots().len(), 2);
}

#[test]
fn trees_are_made_by_several_threads_at_once() {
    let Some(library) = library() else { return };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let library = &library;
            scope.spawn(move || {
                let dialect = Dialect { file_name: "a.c".to_owned(), args: Vec::new() };
                for _ in 0..10 {
                    let text = format!("int v{thread}; {TEXT}");
                    let tree = library.parse(text.as_bytes(), &dialect).unwrap();
                    assert_eq!(tree.node(tree.roots()[0]).name, format!("v{thread}"));
                }
            });
        }
    });
}

#[test]
fn the_same_file_read_again_is_read_anew() {
    let Some(library) = library() else { return };
    let args = vec!["-pedantic-errors".to_owned()];
    let dialect = Dialect { file_name: "a.c".to_owned(), args };
    let errors = |text: &str| {
        let problems = library.problems(text.as_bytes(), &dialect).unwrap();
        problems.iter().filter(|problem| problem.is_error).count()
    };
    let names = |text: &str| -> Vec<String> {
        let tree = library.parse(text.as_bytes(), &dialect).unwrap();
        tree.roots().iter().map(|&root| tree.node(root).name.clone()).collect()
    };
    for _ in 0..3 {
        assert_eq!(errors("#include <stdio.h>\nint f(void) { return printf(\"\"); }\n"), 0);
        assert!(errors("#include <stdio.h>\nint f(void) { return x; }\n") > 0);
        assert!(errors("int f(void) { FILE *f; }\n") > 0, "the header is gone");
        assert_eq!(names("#include <stdio.h>\nint a;\nint b;\n"), ["a", "b"]);
        assert_eq!(names("#include <stdio.h>\nint c;\n"), ["c"]);
        assert_eq!(names("int d;\n"), ["d"]);
        assert_eq!(errors("\n\nint g(void) { return 1; }\n"), 0);
        assert!(errors("#include <no-such-header.h>\n@ @ @ x y z; int f( { ) } return\n") > 0);
    }
}

#[test]
fn a_tree_may_be_deep_and_too_deep_is_said() {
    let Some(library) = library() else { return };
    let chain = |terms: usize| format!("int f(int a) {{ return a{}; }}\n", " + a".repeat(terms));
    let dialect = Dialect { file_name: "a.c".to_owned(), args: Vec::new() };
    let tree = library.parse(chain(1000).as_bytes(), &dialect).unwrap();
    let binary = tree.nodes().filter(|(_, node)| node.kind == Kind::Binary);
    assert_eq!(binary.count(), 1000);
    let error = library.parse(chain(20_000).as_bytes(), &dialect).unwrap_err().to_string();
    assert!(error.contains("nested deeper"), "{error}");
}

#[test]
fn a_library_that_is_none_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libclang.so");
    std::fs::write(&path, "text").unwrap();
    let error = Library::open(&path).unwrap_err().to_string();
    assert!(error.contains("can't be used as libclang"), "{error}");
}
