//! A cheap look at a module that spares a compiler's.

use super::cfg::Graph;
use super::module::{Function, Module};
use super::token::Kind;
use std::collections::BTreeSet;

/// May the text be a valid module? False only if it surely is none: brackets don't match, a name
/// is used that nothing makes or made twice, a block has no end or one too many, a phi's entries
/// are not those of the edges.
#[must_use]
pub fn is_plausible(text: &[u8]) -> bool {
    let module = Module::read(text);
    brackets_match(&module)
        && names_exist(&module)
        && module.functions.iter().all(|function| is_plausible_function(&module, function))
}

fn brackets_match(module: &Module) -> bool {
    let mut open = Vec::new();
    module.source.tokens.iter().all(|token| match token.kind {
        Kind::Punct(bracket @ (b'(' | b'[' | b'{' | b'<')) => {
            open.push(bracket);
            true
        }
        Kind::Punct(b')') => open.pop() == Some(b'('),
        Kind::Punct(b']') => open.pop() == Some(b'['),
        Kind::Punct(b'}') => open.pop() == Some(b'{'),
        Kind::Punct(b'>') => open.pop() == Some(b'<'),
        _ => true,
    }) && open.is_empty()
}

/// Globals, nodes and attribute groups that are used are there.
fn names_exist(module: &Module) -> bool {
    let source = &module.source;
    let made: BTreeSet<&str> = module
        .items
        .iter()
        .filter_map(|item| item.name)
        .filter(|at| source.kind(*at) == Some(Kind::Global))
        .map(|at| source.name(at))
        .collect();
    let numbered = |kind: Kind| -> BTreeSet<&str> {
        let items = module.items.iter().filter_map(|item| item.name);
        items.filter(|at| source.kind(*at) == Some(kind)).map(|at| source.name(at)).collect()
    };
    let (nodes, groups) = (numbered(Kind::Meta), numbered(Kind::Group));
    // Modules may number their globals without naming them, and leave the numbers out.
    let number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    (0..source.tokens.len()).all(|at| {
        let name = source.name(at);
        match source.kind(at) {
            // Newer parsers declare intrinsics by themselves.
            Some(Kind::Global) => made.contains(name) || name.starts_with("llvm.") || number(name),
            Some(Kind::Meta) => !number(name) || nodes.contains(name),
            Some(Kind::Group) => groups.contains(name),
            _ => true,
        }
    })
}

fn is_plausible_function(module: &Module, function: &Function) -> bool {
    let Some(body) = &function.body else { return true };
    let source = &module.source;
    let mut made: BTreeSet<&str> = BTreeSet::new();
    let parameters = function.parameters.iter().map(|parameter| &parameter.name);
    let names = parameters
        .chain(function.blocks.iter().map(|block| &block.name))
        .chain(function.numbers.values());
    for name in names {
        if !made.insert(name) {
            return false;
        }
    }
    let used = body.clone().filter(|at| source.kind(*at) == Some(Kind::Local));
    let known = |name: &str| made.contains(name) || module.types.contains(name);
    used.into_iter().all(|at| known(source.name(at)))
        && !function.blocks.is_empty()
        && function.blocks.iter().all(|block| {
            let last = block.instructions.len().saturating_sub(1);
            let mut instructions = block.instructions.iter().enumerate();
            !block.instructions.is_empty()
                && instructions.all(|(at, it)| it.is_terminator(source) == (at == last))
        })
        && phis_match(module, function)
}

fn phis_match(module: &Module, function: &Function) -> bool {
    let source = &module.source;
    let graph = Graph::of(source, function);
    function.blocks.iter().enumerate().all(|(place, block)| {
        let mut wanted: Vec<&str> = graph
            .predecessors(place)
            .into_iter()
            .map(|from| function.blocks[from].name.as_str())
            .collect();
        wanted.sort_unstable();
        block.instructions.iter().filter(|phi| source.word(phi.opcode) == "phi").all(|phi| {
            let mut found: Vec<&str> =
                phi.entries.iter().map(|(_, from, _)| source.name(*from)).collect();
            found.sort_unstable();
            found == wanted
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
%T = type { i32 }
@g = global i32 0
declare void @h(ptr)
define i32 @f(i32, i32 %b) #0 {
  %1 = add i32 %0, %b
  switch i32 %1, label %2 [
    i32 1, label %x
    i32 2, label %x
  ]

  %3 = alloca %T
  call void @h(ptr %3), !dbg !0
  br label %x
x:
  %p = phi i32 [ 0, %2 ], [ 1, %entry ], [ 1, %entry ]
  ret i32 %p
}
attributes #0 = { nounwind }
!0 = !{}
";

    #[test]
    fn good_modules_are_plausible_and_broken_ones_are_not() {
        let good = GOOD.replace(" #0 {", " #0 {\nentry:");
        assert!(is_plausible(good.as_bytes()));
        let check = |from: &str, to: &str| {
            assert!(good.contains(from));
            assert!(!is_plausible(good.replace(from, to).as_bytes()), "{from:?} → {to:?}");
        };
        check("ret i32 %p", "");
        check("ret i32 %p", "ret i32 %q");
        check("ret i32 %p", "ret i32 %p\n  %t = add i32 1, 1");
        check(", [ 1, %entry ]", "");
        check("declare void @h(ptr)", "");
        check("!0 = !{}", "");
        check("attributes #0 = { nounwind }", "");
        check("%p = phi", "%b = phi");
        check("type { i32 }", "type { i32 )");
    }
}
