//! Flags, alignments, bundles, calling conventions and orderings.

use super::attributes::{attributes, with_space};
use crate::Change;
use crate::ir::module::Module;
use crate::ir::token::Kind;
use base::Edit;
use std::collections::BTreeMap;

/// Words of instructions that may go by themselves.
const FLAGS: [&str; 24] = [
    "nsw",
    "nuw",
    "exact",
    "inbounds",
    "nusw",
    "nneg",
    "disjoint",
    "samesign",
    "fast",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "contract",
    "afn",
    "reassoc",
    "volatile",
    "tail",
    "notail",
    "musttail",
    "weak",
    "inalloca",
    "swifterror",
    "cleanup",
];

/// Orderings of atomic instructions.
const ORDERINGS: [&str; 6] = ["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];

/// Flags, alignments, and what stands around a call's type and arguments.
pub(super) fn of_instructions(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for (_, it) in module.instructions() {
        for at in it.tokens.clone().filter(|at| FLAGS.contains(&source.word(*at))) {
            let next = source.bytes(&(at + 1..at + 2)).start;
            changes.push(vec![Edit::delete(source.bytes(&(at..at + 1)).start..next)]);
        }
        if let Some(call) = &it.call {
            let to = (call.parens.end..it.tokens.end).find(|at| source.is_word(*at, "to"));
            let end = to.unwrap_or(it.tokens.end);
            let before = attributes(source, it.opcode + 1..call.ty.start);
            let behind = attributes(source, call.parens.end..end);
            // Flags are among the words before the type: the same change twice does no harm.
            changes.extend(before.into_iter().chain(behind).map(|it| vec![with_space(source, it)]));
            let bundles = (call.parens.end..end).find(|at| source.is(*at, b'['));
            if let Some((open, close)) = bundles.and_then(|open| Some((open, source.close(open)?)))
            {
                changes.push(vec![with_space(source, open..close)]);
            }
        }
    }
    for at in 1..source.tokens.len() {
        if source.is_word(at, "align") && source.is(at - 1, b',') {
            changes.push(vec![Edit::delete(source.bytes(&(at - 1..at + 2)))]);
        }
    }
    changes
}

/// Deletes a calling convention everywhere: a call must have its function's.
pub(super) fn conventions(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut found: BTreeMap<&str, Change> = BTreeMap::new();
    for at in 0..source.tokens.len() {
        let word = source.word(at);
        let number = word == "cc" && source.kind(at + 1) == Some(Kind::Word);
        if source.kind(at) == Some(Kind::Word) && word.len() > 2 && word.ends_with("cc") || number {
            let end = if number { at + 2 } else { at + 1 };
            let name = source.slice(&(at..end));
            found.entry(name).or_default().push(with_space(source, at..end));
        }
    }
    found.into_values().collect()
}

/// Atomic loads and stores become plain ones.
pub(super) fn atomic(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for (_, it) in module.instructions() {
        if !source.is_word(it.opcode + 1, "atomic") {
            continue;
        }
        let mut change = vec![with_space(source, it.opcode + 1..it.opcode + 2)];
        for at in it.tokens.clone() {
            if ORDERINGS.contains(&source.word(at)) {
                change.push(with_space(source, at..at + 1));
            } else if source.is_word(at, "syncscope") {
                change.push(with_space(source, at..at + 4));
            }
        }
        changes.push(change);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "@g = global i32 0, align 4
define fastcc i32 @f(ptr %p) {
  %a = add nuw nsw i32 1, 2
  %b = load atomic volatile i32, ptr %p syncscope(\"x\") seq_cst, align 4
  %c = tail call fast fastcc noundef float @h(float 1.0) nounwind #0 [ \"deopt\"() ]
  ret i32 %a
}
declare fastcc float @h(float)
attributes #0 = { nounwind }
";

    #[test]
    fn flags_go_wherever_they_stand() {
        let expect = "@g = global i32 0
define fastcc i32 @f(ptr %p) {
  %a = add i32 1, 2
  %b = load atomic i32, ptr %p syncscope(\"x\") seq_cst
  %c = call float @h(float 1.0) #0
  ret i32 %a
}
declare fastcc float @h(float)
attributes #0 = { nounwind }
";
        assert_eq!(all("delete flags", TEXT), expect);
    }

    #[test]
    fn conventions_and_orderings_go_as_a_whole() {
        assert!(!each("delete calling conventions", TEXT)[0].contains("fastcc"));
        let plain = all("atomic to plain", TEXT);
        assert!(plain.contains("load volatile i32, ptr %p, align 4"), "{plain}");
    }
}
