//! Can a program read what it never wrote? Only then is there something to look for.

use csyntax::{Dialect, Kind, Library, NodeId, TokenKind, Tree, tokens};
use toolchain::{Language, Program};

/// Is every automatic variable of this C program given a value where it is declared, and is there no other
/// way to get at memory that was never written? What can't be read, or is not known, is not.
pub(super) fn is_initialised(library: &Library, program: &Program) -> bool {
    program.language == Language::C
        && program.files.iter().all(|file| {
            let args = ["-std=gnu11", "-w", "-Wno-error"].map(str::to_owned).to_vec();
            let dialect = Dialect { file_name: file.name.clone(), args };
            library.parse(&file.bytes, &dialect).is_ok_and(|tree| is_tree_initialised(&tree))
        })
}

fn is_tree_initialised(tree: &Tree) -> bool {
    let jumps = tree.nodes().any(|(_, node)| matches!(node.kind, Kind::Goto | Kind::IndirectGoto));
    tree.is_valid()
        && !tokens(tree.text()).iter().any(|token| {
            token.kind == TokenKind::Word
                && String::from_utf8_lossy(&tree.text()[token.range.clone()]).contains("alloc")
        })
        && tree.nodes().all(|(id, node)| match node.kind {
            Kind::Variable => is_variable_initialised(tree, id, jumps),
            Kind::Function if node.is_definition => node.name == "main" || ends_well(tree, id),
            Kind::Union | Kind::Asm => false,
            _ => true,
        })
}

/// A jump, or a case of a switch, may pass over the value.
fn is_variable_initialised(tree: &Tree, id: NodeId, jumps: bool) -> bool {
    let node = tree.node(id);
    let is_automatic = tree.ancestors(id).any(|above| tree.node(above).kind == Kind::Compound);
    let has = |range: std::ops::Range<usize>, words: &[&str]| {
        let text = &tree.text()[range];
        tokens(text)
            .iter()
            .any(|token| words.iter().any(|word| text[token.range.clone()] == *word.as_bytes()))
    };
    let is_static = has(node.range.start..node.name_at, &["static", "extern"]);
    let below_switch = || {
        let mut above = tree.ancestors(id).skip(1).map(|above| tree.node(above).kind);
        above.next() == Some(Kind::Compound) && above.next() == Some(Kind::Switch)
    };
    !is_automatic
        || is_static
        || node.is_exact && !jumps && has(node.name_at..node.range.end, &["="]) && !below_switch()
}

/// Does a function end with a result, or have none?
fn ends_well(tree: &Tree, function: NodeId) -> bool {
    let node = tree.node(function);
    let body = node.children.iter().rfind(|&&child| tree.node(child).kind == Kind::Compound);
    let last = body.and_then(|&body| tree.node(body).children.last());
    let is_void = tree.text()[node.range.start..node.name_at].ends_with(b"void ");
    is_void || last.is_some_and(|&last| tree.node(last).kind == Kind::Return)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_programs_without_room_for_garbage_are_initialised() {
        let Ok(library) = Library::find() else {
            eprintln!("no libclang here: not tested");
            return;
        };
        let is = |text: &str| is_initialised(&library, &Program::single("a.c", Language::C, text));
        assert!(is(
            "int a[3], g; int f(int x) { int y = x; static int z; return y + z; } int main(void) { for (int i = 0; i < 3; i++) a[i] = f(i); return g; }"
        ));
        assert!(is("volatile void f(void) { } int main(void) { f(); }"));
        assert!(!is("int main(void) { int x; x = 1; return x; }"));
        assert!(!is("int main(void) { int a = 1, b; b = a; return b; }"));
        assert!(!is("int main(int c, char **v) { int a[c == 1]; return a[0]; }"));
        assert!(!is("int main(int c, char **v) { if (c) goto l; int x = 1; l: return x; }"));
        assert!(!is(
            "int main(int c, char **v) { switch (c) { int x = 1; case 1: return x; } return 0; }"
        ));
        assert!(!is("int f(int x) { if (x) return 1; } int main(void) { return f(0); }"));
        assert!(!is("int main(void) { int *p = __builtin_malloc(4); return *p; }"));
        assert!(!is("int main(void) { int x = 1; return y; }"));
        assert!(!is(
            "union u { short s; long l; }; int main(void) { union u x = { 1 }; return x.l; }"
        ));
    }
}
