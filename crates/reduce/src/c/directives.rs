//! Does without the preprocessor: headers cost every compilation the time to read them.

use crate::Change;
use base::Edit;
use csyntax::{Class, Kind, TokenKind, Tree, tokens};
use std::collections::BTreeMap;

/// Without each directive; then with declarations in the place of headers.
pub(super) const LISTS: usize = 2;

pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let text = tree.text();
    let lines = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Directive);
    if list == 0 {
        return lines.map(|line| vec![Edit::delete(line.range)]).collect();
    }
    let includes = lines.filter(|line| {
        let word = text[line.range.start + 1..line.range.end].trim_ascii_start();
        word.starts_with(b"include")
    });
    let mut change: Change = includes.map(|line| Edit::delete(line.range)).collect();
    if let Some(first) = change.first_mut() {
        first.with = declarations(tree).into_bytes();
        return vec![change];
    }
    Vec::new()
}

/// Declarations of the functions that are used and not declared here.
fn declarations(tree: &Tree) -> String {
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    for (_, node) in tree.nodes() {
        let Some(ty) = node.ty.as_ref() else { continue };
        let outside = node.kind == Kind::Name && node.entity.is_none();
        if outside
            && matches!(ty.class, Class::Function(_))
            && let Some((result, parameters)) = ty.spelling.split_once(" (")
        {
            found.insert(&node.name, format!("{result} {}({parameters};\n", node.name));
        }
    }
    found.into_values().collect()
}
