//! Small changes to a module that are not meant to make it smaller: other constants, predicates, opcodes, flags.

use super::change::{FAMILIES, When};
use super::grammar::{BINARY, is_number};
use super::instruction::Instruction;
use super::module::Module;
use crate::Change;
use base::Edit;

/// Changes of one sort.
#[derive(Clone, Debug)]
pub struct Variations {
    /// What they do.
    pub name: &'static str,
    /// Each is made alone.
    pub changes: Vec<Change>,
}

/// All small changes of a module, those that make it smaller among them; sorts without any are left out. A changed
/// module is valid nearly always.
///
/// ```
/// let text = b"define i32 @f(i32 %x) {\n  %r = add nsw i32 %x, 7\n  ret i32 %r\n}\n";
/// let sorts: Vec<&str> = passes::ir::variations(text).iter().map(|sort| sort.name).collect();
/// assert!(sorts.contains(&"constant") && sorts.contains(&"opcode") && sorts.contains(&"delete flags"));
/// assert!(!sorts.contains(&"predicate"));
/// ```
#[must_use]
pub fn variations(text: &[u8]) -> Vec<Variations> {
    let module = Module::read(text);
    let of = |name, changes: fn(&Module, &Instruction) -> Vec<Change>| Variations {
        name,
        changes: module.instructions().flat_map(|(_, it)| changes(&module, it)).collect(),
    };
    let own = [
        of("constant", constants),
        of("predicate", predicates),
        of("opcode", opcodes),
        of("flag", flags),
        of("operands swapped", swapped),
    ];
    let smaller = FAMILIES.iter().filter(|family| family.when == When::Again);
    let smaller =
        smaller.map(|family| Variations { name: family.name, changes: family.changes(text) });
    own.into_iter().chain(smaller).filter(|sort| !sort.changes.is_empty()).collect()
}

/// Numbers become their neighbours, their opposites, their halves and doubles.
fn constants(module: &Module, it: &Instruction) -> Vec<Change> {
    let source = &module.source;
    let mut changes = Vec::new();
    for operand in it.operands.iter().filter(|it| it.value.len() == 1) {
        let word = source.word(operand.value.start);
        if !is_number(word) || !operand.ty.starts_with('i') {
            continue;
        }
        let Ok(number) = word.parse::<i128>() else { continue };
        let mut others = vec![number + 1, number - 1, -number, number / 2];
        others.extend(number.checked_mul(2));
        others.sort_unstable();
        others.dedup();
        let others = others.into_iter().filter(|other| *other != number);
        changes.extend(
            others.map(|it| vec![Edit::replace(source.bytes(&operand.value), it.to_string())]),
        );
    }
    changes
}

const PREDICATES: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
const FLOAT_PREDICATES: [&str; 8] = ["oeq", "one", "ogt", "oge", "olt", "ole", "ueq", "une"];

fn predicates(module: &Module, it: &Instruction) -> Vec<Change> {
    let all: &[&str] = match module.source.word(it.opcode) {
        "icmp" => &PREDICATES,
        "fcmp" => &FLOAT_PREDICATES,
        _ => return Vec::new(),
    };
    let place = it.tokens.clone().find(|at| all.contains(&module.source.word(*at)));
    place.map_or_else(Vec::new, |at| others(module, at, all))
}

/// The word at a place becomes each of the others.
fn others(module: &Module, at: usize, all: &[&str]) -> Vec<Change> {
    let (word, range) = (module.source.word(at), module.source.bytes(&(at..at + 1)));
    let others = all.iter().filter(|other| **other != word);
    others.map(|other| vec![Edit::replace(range.clone(), *other)]).collect()
}

/// Opcodes that may stand for each other; of what may trap only with what may.
const GROUPS: [&[&str]; 4] = [
    &["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"],
    &["udiv", "sdiv", "urem", "srem"],
    &["fadd", "fsub", "fmul", "fdiv"],
    &["zext", "sext"],
];

/// Another operation, without the flags of the one that was there.
fn opcodes(module: &Module, it: &Instruction) -> Vec<Change> {
    let source = &module.source;
    let word = source.word(it.opcode);
    let Some(group) = GROUPS.iter().find(|group| group.contains(&word)) else { return Vec::new() };
    let is_flag = |at: &usize| ADDED.iter().any(|(flag, _)| source.word(*at) == *flag);
    let behind = (it.opcode + 1..it.tokens.end).take_while(is_flag).count();
    let range = source.bytes(&(it.opcode..it.opcode + 1 + behind));
    let others = group.iter().filter(|other| **other != word);
    others.map(|other| vec![Edit::replace(range.clone(), *other)]).collect()
}

/// Flags, and what may have them.
const ADDED: [(&str, &[&str]); 4] = [
    ("nsw", &["add", "sub", "mul", "shl"]),
    ("nuw", &["add", "sub", "mul", "shl"]),
    ("exact", &["udiv", "sdiv", "lshr", "ashr"]),
    ("inbounds", &["getelementptr"]),
];

fn flags(module: &Module, it: &Instruction) -> Vec<Change> {
    let source = &module.source;
    let word = source.word(it.opcode);
    let has = |flag: &str| it.tokens.clone().any(|at| source.is_word(at, flag));
    let missing = ADDED.iter().filter(|(flag, of)| of.contains(&word) && !has(flag));
    let end = source.bytes(&(it.opcode..it.opcode + 1)).end;
    missing.map(|(flag, _)| vec![Edit::replace(end..end, format!(" {flag}"))]).collect()
}

/// Two operands of one type change places.
fn swapped(module: &Module, it: &Instruction) -> Vec<Change> {
    let source = &module.source;
    let word = source.word(it.opcode);
    let is_meant = BINARY.contains(&word) || matches!(word, "icmp" | "fcmp" | "select");
    let [.., one, other] = it.operands.as_slice() else { return Vec::new() };
    let (first, last) = (source.bytes(&one.value), source.bytes(&other.value));
    let (text, with) = (source.slice(&one.value), source.slice(&other.value));
    match is_meant && one.ty == other.ty && text != with {
        true => vec![vec![Edit::replace(first, with), Edit::replace(last, text)]],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "define i32 @f(i32 %x, i32 %y) {\n  %a = add nsw i32 %x, 7\n  \
        %c = icmp slt i32 %a, %y\n  %r = select i1 %c, i32 %a, i32 %y\n  ret i32 %r\n}\n";

    fn each(name: &str) -> Vec<String> {
        let all = variations(TEXT.as_bytes());
        let found = all.iter().find(|sort| sort.name == name).expect("a sort's name");
        let apply = |change| String::from_utf8(Edit::apply(change, TEXT.as_bytes())).unwrap();
        found.changes.iter().map(apply).collect()
    }

    fn has(name: &str, from: &str, to: &str) {
        let expect = TEXT.replace(from, to);
        let found = each(name);
        assert!(found.contains(&expect), "{name}: {expect} is not in {found:?}");
        assert!(!found.iter().any(|text| text == TEXT), "{name} changes nothing");
    }

    #[test]
    fn each_change_is_made_alone() {
        has("constant", "7", "8");
        has("constant", "7", "-7");
        has("constant", "7", "14");
        has("predicate", "slt", "ule");
        has("opcode", "add nsw", "shl");
        has("flag", "add nsw", "add nuw nsw");
        has("operands swapped", "%x, 7", "7, %x");
        has("operands swapped", "i32 %a, i32 %y", "i32 %y, i32 %a");
        has("delete flags", "add nsw", "add");
        assert_eq!(each("predicate").len(), 9);
    }

    #[test]
    fn any_text_has_changes_or_none() {
        for text in [&b""[..], b"%", b"define", b"define void @f() {\n  %r = add\n}"] {
            let changes = variations(text).into_iter().flat_map(|sort| sort.changes);
            changes.for_each(|change| assert_ne!(Edit::apply(&change, text), text));
        }
    }
}
