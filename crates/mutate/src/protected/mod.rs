//! The oracle in a program: what tells whether the program is right. Nobody changes it, since a
//! program that no longer looks can't fail (DiWi, section 6: fake passing programs).
//!
//! Deviation: DiWi's program refuses mutants whose difference names `printf`. Here the calls that
//! print or give up, what is given to them, the conditions that lead to nothing else, and what
//! `main` returns are never touched in the first place.

mod tokens;

use crate::lexed::merged;
use crate::place::{callee, function_of, is_statement, statement_range};
use csyntax::{Entity, Kind, NodeId, Tree};
use std::collections::BTreeSet;
use std::ops::Range;
pub(crate) use tokens::protected_tokens;

/// Functions that print or end the program.
const ORACLES: [&str; 34] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "write",
    "perror",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "assert",
    "__assert",
    "__assert_fail",
    "link_error",
    "__builtin_printf",
    "__builtin_fprintf",
    "__builtin_vprintf",
    "__builtin_puts",
    "__builtin_putchar",
    "__builtin_fputs",
    "__builtin_abort",
    "__builtin_exit",
    "__builtin__exit",
    "__builtin_trap",
    "transparent_crc",
    "platform_main_end",
];

/// Does a function of this name print or end the program?
pub(crate) fn is_oracle(name: &str) -> bool {
    ORACLES.contains(&name)
}

/// The ranges of a program that no edit may touch, in order and apart: calls of functions that
/// print, end the program or do nothing but call such functions, with the expressions that they
/// are in; the `if` and the head of the loop that holds nothing else; the `return`s of `main`.
#[must_use]
pub fn protected_ranges(tree: &Tree) -> Vec<Range<usize>> {
    let wrappers = wrappers(tree);
    let mut found = Vec::new();
    for (id, node) in tree.nodes() {
        let is_main_return = node.kind == Kind::Return
            && function_of(tree, id).is_some_and(|function| tree.node(function).name == "main");
        if is_main_return {
            found.push(tree.with_semicolon(node.range.clone()));
        } else if is_oracle_call(tree, id, &wrappers) {
            let whole = std::iter::once(id)
                .chain(tree.ancestors(id).take_while(|&id| tree.node(id).kind.is_expression()))
                .take_while(|&id| tree.node(id).kind != Kind::StatementExpression)
                .last()
                .unwrap_or(id);
            found.push(tree.with_semicolon(tree.node(whole).range.clone()));
        } else if let Some(&body) = body(tree, id)
            && is_oracle_statement_of(tree, body, &wrappers)
        {
            found.push(node.range.start..statement_range(tree, body).end.max(head_end(tree, id)));
        }
    }
    merged(found)
}

/// Is the statement one of the oracle's: such a call, alone or in a block or behind a condition?
pub(crate) fn is_oracle_statement(tree: &Tree, id: NodeId, wrappers: &BTreeSet<Entity>) -> bool {
    tree.node(id).kind == Kind::Return || is_oracle_statement_of(tree, id, wrappers)
}

fn is_oracle_statement_of(tree: &Tree, id: NodeId, wrappers: &BTreeSet<Entity>) -> bool {
    let node = tree.node(id);
    let every = |ids: &[NodeId]| {
        !ids.is_empty() && ids.iter().all(|&id| is_oracle_statement_of(tree, id, wrappers))
    };
    match node.kind {
        Kind::Compound => every(&node.children),
        Kind::If => every(node.children.get(1..).unwrap_or_default()),
        Kind::For | Kind::While | Kind::Do => {
            body(tree, id).is_some_and(|&body| is_oracle_statement_of(tree, body, wrappers))
        }
        kind if kind.is_expression() => {
            is_oracle_call(tree, id, wrappers)
                || match (kind, node.operator) {
                    (Kind::Binary, Some("&&" | "||" | "," | "=")) | (Kind::Conditional, _) => {
                        node.children.iter().any(|&id| is_oracle_statement_of(tree, id, wrappers))
                    }
                    (Kind::Unexposed | Kind::Parenthesis | Kind::Cast, _) => every(
                        node.children
                            .get(node.children.len().saturating_sub(1)..)
                            .unwrap_or_default(),
                    ),
                    _ => false,
                }
        }
        _ => false,
    }
}

fn is_oracle_call(tree: &Tree, id: NodeId, wrappers: &BTreeSet<Entity>) -> bool {
    let node = tree.node(id);
    node.kind == Kind::Call
        && (is_oracle(&node.name)
            || callee(tree, id)
                .and_then(|name| tree.node(name).entity)
                .is_some_and(|entity| wrappers.contains(&entity)))
}

/// What an `if` does first and what a loop repeats.
fn body(tree: &Tree, id: NodeId) -> Option<&NodeId> {
    let node = tree.node(id);
    let found = match node.kind {
        Kind::If => node.children.get(1),
        Kind::For | Kind::While => node.children.last(),
        Kind::Do => node.children.first(),
        _ => None,
    };
    found.filter(|&&body| is_statement(tree, body))
}

/// The head of a `do` stands behind its body.
fn head_end(tree: &Tree, id: NodeId) -> usize {
    if tree.node(id).kind == Kind::Do { statement_range(tree, id).end } else { 0 }
}

/// Functions of the program that do nothing but call the oracle's: `void fail(void) { abort(); }`.
pub(crate) fn wrappers(tree: &Tree) -> BTreeSet<Entity> {
    let mut found = BTreeSet::new();
    loop {
        let more: BTreeSet<Entity> = tree
            .roots()
            .iter()
            .filter_map(|&root| {
                let node = tree.node(root);
                let last = *node.children.last()?;
                let wraps = node.kind == Kind::Function
                    && node.name != "main"
                    && tree.node(last).kind == Kind::Compound
                    && is_oracle_statement_of(tree, last, &found);
                node.entity.filter(|_| wraps)
            })
            .collect();
        if more == found {
            return found;
        }
        found = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexed::Lexed;
    use csyntax::{Dialect, Library};

    /// What is protected, by the tree if there is a library.
    fn texts(text: &str, library: Option<&Library>) -> Vec<String> {
        let dialect = Dialect { file_name: "a.c".to_owned(), args: Vec::new() };
        let ranges = match library {
            Some(library) => protected_ranges(&library.parse(text.as_bytes(), &dialect).unwrap()),
            None => protected_tokens(&Lexed::new(text.as_bytes())),
        };
        ranges.into_iter().map(|range| text[range].to_owned()).collect()
    }

    fn check(text: &str, expect: &[&str]) {
        assert_eq!(texts(text, None), expect, "tokens of {text}");
        match Library::find() {
            Ok(library) => assert_eq!(texts(text, Some(&library)), expect, "tree of {text}"),
            Err(error) => println!("not tested: {error}"),
        }
    }

    #[test]
    fn calls_conditions_and_results_of_main_are_the_oracle() {
        check("int main(void) { return 1 + 2; }", &["return 1 + 2;"]);
        check("int f(int x) { return x; }", &[]);
        check(
            "void f(int x) { x = 1; __builtin_printf(\"%d\", x + 1); x = 2; }",
            &["__builtin_printf(\"%d\", x + 1);"],
        );
        check(
            "void f(int x) { if (x != 5) __builtin_abort(); }",
            &["if (x != 5) __builtin_abort();"],
        );
        check("void f(int x) { while (x) x--; }", &[]);
        check(
            "void f(int *a) { for (int i = 0; i < 3; i++) __builtin_printf(\"%d\", a[i]); }",
            &["for (int i = 0; i < 3; i++) __builtin_printf(\"%d\", a[i]);"],
        );
        check("void f(int x) { x && (__builtin_abort(), 1); }", &["x && (__builtin_abort(), 1);"]);
    }

    #[test]
    fn what_does_more_than_look_is_not_protected() {
        check("void f(int x) { if (x) { x = 1; __builtin_abort(); } }", &["__builtin_abort();"]);
    }

    #[test]
    fn functions_that_only_fail_are_the_oracles_too() {
        let Ok(library) = Library::find() else { return println!("not tested: no libclang") };
        let text = "void fail(void) { __builtin_abort(); } void f(int x) { if (x + 1) fail(); }";
        assert_eq!(texts(text, Some(&library)), ["__builtin_abort();", "if (x + 1) fail();"]);
    }
}
