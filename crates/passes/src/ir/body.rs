//! Reading a function: its head, blocks and statements.

use super::instruction::{Instruction, begins};
use super::module::{Block, Function, Item, Parameter};
use super::source::Source;
use super::token::Kind;
use std::collections::BTreeMap;
use std::ops::Range;

/// Reads the function of an item; nothing if its head is not understood.
pub(super) fn function(source: &Source, item: &Item, typed: bool) -> Option<Function> {
    let name = item.name?;
    // The type stands right before the name; attributes may look like types only by their brackets.
    let ty = (item.tokens.start + 1..name).find(|at| source.ty(*at) == Some(name))?..name;
    let parens = name + 1..source.is(name + 1, b'(').then(|| source.close(name + 1))??;
    let mut next = 0usize;
    let parameters: Vec<Parameter> = source
        .parts(parens.start + 1..parens.end - 1)
        .into_iter()
        .filter(|tokens| !source.is_word(tokens.start, "..."))
        .map(|tokens| {
            let last = tokens.end - 1;
            let named =
                (last > tokens.start && source.kind(last) == Some(Kind::Local)).then_some(last);
            let name = local_name(source, named, &mut next);
            Parameter { tokens, name, named }
        })
        .collect();
    let mut open = parens.end;
    while open < item.tokens.end && !source.is(open, b'{') {
        open = match source.kind(open)? {
            Kind::Punct(b'(' | b'[' | b'<') => source.close(open)?,
            _ => open + 1,
        };
    }
    let body = (open < item.tokens.end && source.is_word(item.tokens.start, "define"))
        .then_some(open..item.tokens.end);
    let mut function = Function {
        tokens: item.tokens.clone(),
        name,
        ty,
        parens,
        parameters,
        body: body.clone(),
        blocks: Vec::new(),
        numbers: BTreeMap::new(),
    };
    if let Some(body) = body {
        let end = source.close(body.start).unwrap_or(body.end).min(body.end);
        function.body = Some(body.start..end);
        function.tokens.end = end;
        blocks(source, &mut function, body.start + 1..end - 1, typed, next);
    }
    Some(function)
}

/// A name that stands there, or the next number.
fn local_name(source: &Source, named: Option<usize>, next: &mut usize) -> String {
    let name = named.map_or_else(|| next.to_string(), |at| source.name(at).to_owned());
    if let Ok(number) = name.parse::<usize>() {
        *next = number + 1;
    }
    name
}

fn blocks(source: &Source, out: &mut Function, inner: Range<usize>, typed: bool, next: usize) {
    let mut next = next;
    for tokens in statements(source, inner) {
        let label = (source.kind(tokens.start) == Some(Kind::Label)).then_some(tokens.start);
        let ended = out.blocks.last().is_none_or(|block| {
            block.instructions.last().is_some_and(|last| last.is_terminator(source))
        });
        if label.is_some() || ended {
            let name = local_name(source, label, &mut next);
            let block = Block { label, name, instructions: Vec::new(), tokens: tokens.clone() };
            out.blocks.push(block);
        }
        let Some(block) = out.blocks.last_mut() else { continue };
        block.tokens.end = tokens.end;
        if label.is_none() {
            let instruction = Instruction::read(source, tokens.clone(), typed);
            if instruction.has_result(source) {
                let name = local_name(source, instruction.result, &mut next);
                out.numbers.insert(tokens.start, name);
            }
            block.instructions.push(instruction);
        }
    }
}

/// The labels and instructions of a body.
fn statements(source: &Source, inner: Range<usize>) -> Vec<Range<usize>> {
    let mut statements: Vec<Range<usize>> = Vec::new();
    let mut at = inner.start;
    while at < inner.end {
        let label = source.kind(at) == Some(Kind::Label);
        let behind_label =
            statements.last().is_some_and(|last| source.kind(last.start) == Some(Kind::Label));
        if label || behind_label || statements.is_empty() || begins(source, at) {
            if let Some(last) = statements.last_mut() {
                last.end = at;
            }
            statements.push(at..inner.end);
        }
        at = match source.kind(at) {
            Some(Kind::Punct(b'(' | b'[' | b'{' | b'<')) => {
                source.close(at).unwrap_or(at + 1).min(inner.end)
            }
            _ => at + 1,
        };
    }
    statements
}

#[cfg(test)]
mod tests {
    use crate::ir::module::Module;

    /// Blocks with the opcodes of their instructions.
    fn check(text: &str, expect: &[(&str, &[&str])]) {
        let module = Module::read(text.as_bytes());
        let function = module.defined().next().unwrap();
        let found: Vec<(&str, Vec<&str>)> = function
            .blocks
            .iter()
            .map(|block| {
                let words = block.instructions.iter().map(|it| module.source.word(it.opcode));
                (block.name.as_str(), words.collect())
            })
            .collect();
        let expect: Vec<_> = expect.iter().map(|(name, words)| (*name, words.to_vec())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn statements_may_share_lines_and_take_several() {
        check("define void @f(){call void @g() ret void}", &[("0", &["call", "ret"])]);
        check(
            "define i32 @f(i32, { i8, i8 } %b) personality ptr @p {
  %r = invoke i32 @g(i32 %0)
          to label %a
          unwind label %b
a: tail call void @h() br label %c
b:
  %l = landingpad { ptr, i32 }
          catch ptr null
  resume { ptr, i32 } %l
c:
  switch i32 %r, label %d [
    i32 1, label %d
  ]
d:
    #dbg_value(i32 %r, !1, !DIExpression(), !2)
  callbr void asm \"\", \"!i\"()
          to label %e [label %e]
e:
  ret i32 0
  unreachable
}",
            &[
                ("1", &["invoke"]),
                ("a", &["call", "br"]),
                ("b", &["landingpad", "resume"]),
                ("c", &["switch"]),
                ("d", &["#dbg_value", "callbr"]),
                ("e", &["ret"]),
                ("2", &["unreachable"]),
            ],
        );
    }

    #[test]
    fn what_is_not_closed_is_left_alone() {
        let module = Module::read(b"define void @f( {\n  ret void\n}\n");
        assert_eq!(module.functions.len(), 0);
        let module = Module::read(b"define void @f() {\n  ret void\n");
        assert_eq!(module.functions.len(), 1);
    }
}
