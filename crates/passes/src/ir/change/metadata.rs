//! Attachments and nodes.

use crate::Change;
use crate::ir::module::{Module, What};
use crate::ir::token::Kind;
use base::Edit;
use std::collections::BTreeMap;
use std::ops::Range;

/// Every attachment, `!dbg !4` with the comma before it: its kind and bytes.
fn all<'a>(module: &Module<'a>) -> Vec<(&'a str, Range<usize>)> {
    let source = &module.source;
    let node = |at: usize| match source.kind(at)? {
        Kind::Meta if source.is(at + 1, b'(') => source.close(at + 1),
        Kind::Meta => Some(at + 1),
        Kind::Punct(b'!') if source.is(at + 1, b'{') => source.close(at + 1),
        _ => None,
    };
    let named = |at: usize| {
        source.kind(at) == Some(Kind::Meta)
            && !source.name(at).starts_with(|letter: char| letter.is_ascii_digit())
    };
    let places = (1..source.tokens.len()).filter(|at| named(*at) && !source.tokens[*at].first);
    places
        .filter_map(|at| {
            let bytes = source.bytes(&(at..node(at + 1)?));
            let before = if source.is(at - 1, b',') { at.checked_sub(2)? } else { at - 1 };
            let start = source.bytes(&(before..before + 1)).end;
            Some((source.name(at), start..bytes.end))
        })
        .collect()
}

/// Deletes all attachments of a kind.
pub(super) fn kinds(module: &Module) -> Vec<Change> {
    let mut kinds: BTreeMap<&str, Change> = BTreeMap::new();
    for (kind, bytes) in all(module) {
        kinds.entry(kind).or_default().push(Edit::delete(bytes));
    }
    kinds.into_values().collect()
}

/// Deletes each attachment.
pub(super) fn attachments(module: &Module) -> Vec<Change> {
    all(module).into_iter().map(|(_, bytes)| vec![Edit::delete(bytes)]).collect()
}

/// Deletes the elements and fields of nodes, and the word that makes a node distinct.
pub(super) fn parts(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for item in module.items.iter().filter(|item| item.what == What::Metadata) {
        let distinct = item.tokens.start + 2;
        if source.is_word(distinct, "distinct") {
            let end = source.bytes(&(distinct + 1..distinct + 2)).start;
            let start = source.bytes(&(distinct..distinct + 1)).start;
            changes.push(vec![Edit::delete(start..end)]);
        }
        let open = item.tokens.clone().find(|at| source.is(*at, b'{') || source.is(*at, b'('));
        let Some(open) = open else { continue };
        let parts = source.parts(open + 1..item.tokens.end - 1);
        changes.extend((0..parts.len()).map(|at| vec![source.delete_of_list(&parts, at)]));
    }
    changes
}

/// Puts an earlier node that a node names in the node's place.
pub(super) fn skip(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let numbered = |at: usize| {
        source.kind(at) == Some(Kind::Meta)
            && source.name(at).bytes().all(|byte| byte.is_ascii_digit())
    };
    let items = module.items.iter().filter(|item| item.what == What::Metadata);
    let made: BTreeMap<&str, &Range<usize>> =
        items.filter_map(|item| Some((source.name(item.name?), &item.tokens))).collect();
    let uses = (0..source.tokens.len()).filter(|at| numbered(*at) && !source.is(at + 1, b'='));
    uses.filter_map(|at| {
        let node = made.get(source.name(at))?;
        let with = (node.start + 1..node.end).find(|part| {
            // Never a later one, or nodes could be exchanged for each other for ever.
            numbered(*part) && made.get(source.name(*part)).is_some_and(|it| it.start < node.start)
        })?;
        Some(vec![Edit::replace(source.bytes(&(at..at + 1)), source.word(with))])
    })
    .collect()
}

/// Empties the strings in nodes.
pub(super) fn strings(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let items = module.items.iter().filter(|item| item.what == What::Metadata);
    let texts = items.flat_map(|item| item.tokens.clone());
    texts
        .filter(|at| source.kind(*at) == Some(Kind::Text) && source.word(*at).len() > 2)
        .map(|at| vec![Edit::replace(source.bytes(&(at..at + 1)), "\"\"")])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "define void @f() !dbg !1 {
  store i32 0, ptr null, align 4, !dbg !2, !tbaa !0
  ret void, !dbg !DILocation(line: 1, scope: !1)
}
!llvm.x = !{!0}
!0 = distinct !{!0, !\"a\", i32 1}
!1 = !DIFile(filename: \"a\", directory: \"b\")
";

    #[test]
    fn attachments_go_by_kind_and_one_by_one() {
        let found = each("delete attachments of a kind", TEXT);
        assert_eq!(found.len(), 2);
        assert!(found[0].starts_with(
            "define void @f() {\n  store i32 0, ptr null, align 4, !tbaa !0\n  ret void\n}"
        ));
        assert_eq!(each("delete attachments", TEXT).len(), 4);
        assert!(all("delete attachments", TEXT).contains("align 4\n"));
    }

    #[test]
    fn nodes_lose_parts() {
        let found = each("delete parts of nodes", TEXT);
        assert!(found[0].contains("!llvm.x = !{}"));
        assert!(found[1].contains("!0 = !{!0, !\"a\""));
        assert!(found[2].contains("!{!\"a\", i32 1}"));
        assert!(found[6].contains("!DIFile(filename: \"a\")"), "{}", found[6]);
    }

    #[test]
    fn nodes_are_skipped_and_strings_emptied() {
        let text = "!0 = !{!\"a\"}\n!1 = !{!0}\n!x = !{!1}\n";
        let skipped = each("nodes to what they name", text);
        assert_eq!(skipped, ["!0 = !{!\"a\"}\n!1 = !{!0}\n!x = !{!0}\n"]);
        assert!(all("empty strings of nodes", text).starts_with("!0 = !{!\"\"}"));
    }
}
