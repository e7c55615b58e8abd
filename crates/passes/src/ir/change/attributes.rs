//! Attributes of items, parameters and arguments.

use crate::Change;
use crate::ir::module::{Module, What};
use crate::ir::source::Source;
use crate::ir::token::Kind;
use base::Edit;
use std::collections::BTreeMap;
use std::ops::Range;

/// Words of items that are more than attributes.
const STRUCTURE: [&str; 12] = [
    "define",
    "declare",
    "global",
    "constant",
    "alias",
    "ifunc",
    "type",
    "external",
    "personality",
    "prefix",
    "prologue",
    "extern_weak",
];

/// Deletes a group with its uses; each use of one.
pub(super) fn groups(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut uses: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in (1..source.tokens.len()).filter(|at| source.kind(*at) == Some(Kind::Group)) {
        if !source.is_word(at - 1, "attributes") {
            uses.entry(source.name(at)).or_default().push(at);
        }
    }
    let mut changes = Vec::new();
    for item in module.items.iter().filter(|item| item.what == What::Attributes) {
        let mut change = vec![Edit::delete(source.lines(&item.tokens))];
        let own = item.name.and_then(|name| uses.get(source.name(name)));
        change.extend(own.into_iter().flatten().map(|at| with_space(source, *at..at + 1)));
        changes.push(change);
    }
    changes.extend(uses.into_values().flatten().map(|at| vec![with_space(source, at..at + 1)]));
    changes
}

/// Deletes tokens with the space before them.
pub(super) fn with_space(source: &Source, tokens: Range<usize>) -> Edit {
    let bytes = source.bytes(&tokens);
    let space = source.text[..bytes.start].iter().rev().take_while(|byte| **byte == b' ').count();
    Edit::delete(bytes.start - space..bytes.end)
}

/// The attributes among tokens where nothing else stands: `nounwind`, `align 4`, `range(i32 0, 1)`,
/// `"key"="value"`.
pub(super) fn attributes(source: &Source, tokens: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = tokens.start;
    while at < tokens.end {
        let end = match source.kind(at) {
            Some(Kind::Word) if STRUCTURE.contains(&source.word(at)) => {
                at += 1;
                continue;
            }
            Some(Kind::Word) if source.is(at + 1, b'(') => source.close(at + 1),
            Some(Kind::Word) if matches!(source.word(at), "align" | "alignstack" | "cc") => {
                Some(if source.is(at + 1, b'=') { at + 3 } else { at + 2 })
            }
            Some(Kind::Word) if matches!(source.word(at), "section" | "gc" | "partition") => {
                Some(at + 2)
            }
            Some(Kind::Text) if source.is(at + 1, b'=') => Some(at + 3),
            Some(Kind::Word | Kind::Text) => Some(at + 1),
            _ => None,
        };
        match end.filter(|end| *end <= tokens.end) {
            Some(end) => {
                found.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// Deletes attributes one by one, wherever they stand.
pub(super) fn words(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut places: Vec<Range<usize>> = Vec::new();
    for item in &module.items {
        match item.what {
            What::Attributes => {
                let open = item.tokens.clone().find(|at| source.is(*at, b'{'));
                places.extend(open.map(|open| open + 1..item.tokens.end - 1));
            }
            What::Variable => {
                let ty = item
                    .tokens
                    .clone()
                    .find(|at| matches!(source.word(*at), "global" | "constant" | "alias"));
                places.extend(ty.map(|ty| item.tokens.start + 2..ty));
            }
            _ => {}
        }
    }
    for function in &module.functions {
        places.push(function.tokens.start + 1..function.ty.start);
        let end = function.body.as_ref().map_or(function.tokens.end, |body| body.start);
        // What a personality is follows the word.
        let cut = (function.parens.end..end).find(|at| STRUCTURE.contains(&source.word(*at)));
        places.push(function.parens.end..cut.unwrap_or(end));
        for parameter in &function.parameters {
            if let Some(ty) = source.ty(parameter.tokens.start) {
                places.push(ty..parameter.named.unwrap_or(parameter.tokens.end));
            }
        }
    }
    for call in module.instructions().filter_map(|(_, it)| it.call.as_ref()) {
        for arg in call.args.iter().filter(|arg| !source.is_word(arg.start, "metadata")) {
            if let Some(ty) = source.ty(arg.start)
                && let Some(value) = source.skip_to(ty, |at| source.value(at).is_some())
            {
                places.push(ty..value);
            }
        }
    }
    let mut changes: Vec<Change> = constants(module);
    for place in places {
        let found = attributes(source, place);
        changes.extend(found.into_iter().map(|it| vec![with_space(source, it)]));
    }
    changes
}

/// Personalities, prefixes and prologues: a word, a type and a value.
fn constants(module: &Module) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for function in module.defined() {
        let end = function.body.as_ref().map_or(function.tokens.end, |body| body.start);
        for at in function.parens.end..end {
            if matches!(source.word(at), "personality" | "prefix" | "prologue")
                && let Some(end) = source.ty(at + 1).and_then(|value| source.value(value))
            {
                changes.push(vec![with_space(source, at..end)]);
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, each};

    const TEXT: &str = "@g = internal unnamed_addr global i32 0, align 4
define dso_local fastcc noundef i32 @f(ptr nocapture align 8 %p) #0 \"k\"=\"v\" personality ptr @h {
  %a = add i32 1, 2
  %c = tail call fast fastcc float @h(float noundef nofpclass(nan) 1.0) #0
  ret i32 %a
}
declare fastcc float @h(float)
attributes #0 = { nounwind \"a\"=\"b\" memory(none) }
";

    #[test]
    fn attributes_go_wherever_they_stand() {
        let expect = "@g = global i32 0, align 4
define i32 @f(ptr %p) #0 {
  %a = add i32 1, 2
  %c = tail call fast fastcc float @h(float 1.0) #0
  ret i32 %a
}
declare float @h(float)
attributes #0 = { }
";
        assert_eq!(all("delete attributes", TEXT), expect);
    }

    #[test]
    fn groups_go_with_their_uses() {
        let found = each("delete attribute groups", TEXT);
        assert!(!found[0].contains("#0") && found[0].contains("%p) \"k\"=\"v\" personality"));
        assert_eq!(found.len(), 3);
    }
}
