//! The shapes of instructions: where each opcode has its types, values and blocks.

use super::grammar::{BINARY, CASTS};
use super::instruction::{Call, Instruction, Operand};
use super::source::Source;
use super::token::Kind;
use std::ops::Range;

/// Reads what follows the opcode, as far as it goes; gives the type of the result.
pub(super) fn read(source: &Source, out: &mut Instruction, typed: bool) -> Option<String> {
    Reader { source, at: out.opcode + 1, typed }.rest(out)
}

/// A place in an instruction.
struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    at: usize,
    typed: bool,
}

impl Reader<'_, '_> {
    fn rest(&mut self, out: &mut Instruction) -> Option<String> {
        let source = self.source;
        let end = out.tokens.end;
        let word = source.word(out.opcode);
        match word {
            _ if BINARY.contains(&word) || matches!(word, "icmp" | "fcmp") => {
                let ty = self.operand(out, true)?;
                self.comma()?;
                self.same(out)?;
                Some(if BINARY.contains(&word) {
                    source.slice(&ty).to_owned()
                } else {
                    match source.vector(&ty) {
                        Some((begin, _)) => format!("{begin}i1>"),
                        None => "i1".to_owned(),
                    }
                })
            }
            _ if CASTS.contains(&word) => {
                self.operand(out, true)?;
                self.at += 1;
                self.take_type()
            }
            "fneg" | "freeze" => Some(source.slice(&self.operand(out, true)?).to_owned()),
            "select" => {
                self.operand(out, true)?;
                self.comma()?;
                let ty = self.operand(out, false)?;
                self.comma()?;
                self.operand(out, false)?;
                Some(source.slice(&ty).to_owned())
            }
            "load" => {
                self.skip_flags()?;
                let ty = self.take_type()?;
                self.more(out, 1);
                Some(ty)
            }
            "store" => {
                self.operand(out, true)?;
                self.more(out, 1);
                None
            }
            "alloca" => self.alloca(out),
            "getelementptr" => self.address(out, end),
            "extractvalue" => {
                let mut ty = self.operand(out, true)?;
                while self.comma().is_some() && source.kind(self.at) == Some(Kind::Word) {
                    ty = self.element(&ty, source.word(self.at).parse().ok()?)?;
                    self.at += 1;
                }
                Some(source.slice(&ty).to_owned())
            }
            "insertvalue" | "insertelement" | "extractelement" | "shufflevector" => {
                let ty = self.operand(out, true)?;
                self.more(out, 2);
                Some(match word {
                    "extractelement" => source.slice(&source.vector(&ty)?.1).to_owned(),
                    "shufflevector" => {
                        // The mask must stay a constant, and gives the length.
                        let mask = out.operands.pop()?;
                        let begin = mask.ty.rfind(" x ")?;
                        let part = source.slice(&source.vector(&ty)?.1);
                        format!("{} x {part}>", &mask.ty[..begin])
                    }
                    _ => source.slice(&ty).to_owned(),
                })
            }
            "atomicrmw" => {
                self.operand(out, true)?;
                self.comma()?;
                Some(source.slice(&self.operand(out, false)?).to_owned())
            }
            "cmpxchg" => {
                self.operand(out, true)?;
                self.more(out, 2);
                Some(format!("{{ {}, i1 }}", out.operands.last()?.ty))
            }
            "va_arg" => {
                self.operand(out, true)?;
                self.comma()?;
                self.take_type()
            }
            "phi" => self.phi(out),
            "call" | "invoke" | "callbr" => self.call(out, end),
            "ret" | "resume" => {
                self.operand(out, false);
                None
            }
            "br" | "switch" | "indirectbr" => {
                self.operand(out, false);
                self.targets(out, end);
                if word == "switch" {
                    self.cases(out, end);
                }
                None
            }
            _ => {
                self.targets(out, end);
                None
            }
        }
    }

    fn comma(&mut self) -> Option<()> {
        self.source.is(self.at, b',').then(|| self.at += 1)
    }

    fn skip_flags(&mut self) -> Option<()> {
        self.at = self.source.skip_to(self.at, |at| self.source.ty(at).is_some())?;
        Some(())
    }

    fn take_type(&mut self) -> Option<String> {
        let start = self.at;
        self.at = self.source.ty(start)?;
        Some(self.source.slice(&(start..self.at)).to_owned())
    }

    /// A type and a value; flags may stand before.
    fn operand(&mut self, out: &mut Instruction, flags: bool) -> Option<Range<usize>> {
        if flags {
            self.skip_flags()?;
        }
        let source = self.source;
        let ty = self.at..source.ty(self.at)?;
        if matches!(source.word(ty.start), "label" | "metadata" | "void") {
            return None;
        }
        let value = source.skip_to(ty.end, |at| source.value(at).is_some())?;
        self.at = source.value(value)?;
        out.operands.push(Operand { ty: source.slice(&ty).to_owned(), value: value..self.at });
        Some(ty)
    }

    /// A value of the same type as the one before.
    fn same(&mut self, out: &mut Instruction) -> Option<()> {
        let ty = out.operands.last()?.ty.clone();
        let start = self.at;
        self.at = self.source.value(start)?;
        out.operands.push(Operand { ty, value: start..self.at });
        Some(())
    }

    fn more(&mut self, out: &mut Instruction, most: usize) {
        for _ in 0..most {
            if self.comma().is_none() || self.operand(out, false).is_none() {
                break;
            }
        }
    }

    fn alloca(&mut self, out: &mut Instruction) -> Option<String> {
        self.skip_flags()?;
        let ty = self.take_type()?;
        self.more(out, 1);
        let space = (out.opcode..out.tokens.end)
            .find(|at| self.source.is_word(*at, "addrspace") && self.source.is(at - 1, b','));
        match (self.typed, space) {
            (true, None) => Some(format!("{ty}*")),
            (true, Some(_)) => None,
            (false, None) => Some("ptr".to_owned()),
            (false, Some(at)) => Some(format!("ptr {}", self.source.slice(&(at..at + 4)))),
        }
    }

    fn address(&mut self, out: &mut Instruction, end: usize) -> Option<String> {
        self.skip_flags()?;
        self.take_type()?;
        self.more(out, end);
        let base = out.operands.first()?;
        // A field's index must stay the constant that it is; others are tried and refused.
        let vector = out.operands.iter().find(|operand| operand.ty.starts_with('<'));
        match vector {
            _ if base.ty.ends_with('*') => None,
            Some(vector) if !base.ty.starts_with('<') => {
                let begin = vector.ty.rfind(" x ")?;
                Some(format!("{} x {}>", &vector.ty[..begin], base.ty))
            }
            _ => Some(base.ty.clone()),
        }
    }

    fn phi(&mut self, out: &mut Instruction) -> Option<String> {
        self.skip_flags()?;
        let ty = self.take_type()?;
        let source = self.source;
        while source.is(self.at, b'[') {
            let all = self.at..source.close(self.at)?;
            let value = self.at + 1..source.value(self.at + 1)?;
            out.entries.push((value.clone(), value.end + 1, all.clone()));
            out.operands.push(Operand { ty: ty.clone(), value });
            self.at = all.end;
            if !source.is(self.at, b',') || !source.is(self.at + 1, b'[') {
                break;
            }
            self.at += 1;
        }
        Some(ty)
    }

    fn call(&mut self, out: &mut Instruction, end: usize) -> Option<String> {
        let source = self.source;
        let plain = |at| source.plain_type(at).filter(|_| source.kind(at) != Some(Kind::Group));
        self.at = source.skip_to(self.at, |at| plain(at).is_some())?;
        let ty = self.at..source.plain_type(self.at)?;
        let mut callee = ty.end;
        while source.is(callee, b'(') {
            callee = source.close(callee)?;
            while source.is(callee, b'*') {
                callee += 1;
            }
        }
        let open = source.value(callee)?;
        let close = source.is(open, b'(').then(|| source.close(open))??;
        let args = source.parts(open + 1..close - 1);
        for arg in &args {
            self.at = arg.start;
            self.operand(out, false);
        }
        out.call = Some(Call { ty: ty.clone(), callee: callee..open, args, parens: open..close });
        self.at = close;
        self.targets(out, end);
        Some(source.slice(&ty).to_owned())
    }

    /// Every block that is named from here on.
    fn targets(&self, out: &mut Instruction, end: usize) {
        let names = (self.at..end).filter(|at| self.source.is_word(at - 1, "label"));
        out.targets = names.filter(|at| self.source.kind(*at) == Some(Kind::Local)).collect();
    }

    fn cases(&self, out: &mut Instruction, end: usize) {
        let Some(open) = (self.at..end).find(|at| self.source.is(*at, b'[')) else { return };
        let mut start = open + 1;
        for target in out.targets.iter().filter(|target| **target > open) {
            out.cases.push(start..target + 1);
            start = target + 1;
        }
    }

    /// The type of a part of a structure or array that is written out.
    fn element(&self, ty: &Range<usize>, index: usize) -> Option<Range<usize>> {
        let source = self.source;
        match source.kind(ty.start)? {
            Kind::Punct(b'[') => Some(ty.start + 3..ty.end - 1),
            Kind::Punct(b'{') => source.parts(ty.start + 1..ty.end - 1).get(index).cloned(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The type of an instruction's result, and its operands.
    fn check(text: &str, ty: Option<&str>, operands: &[&str]) {
        let source = Source::new(text.as_bytes());
        let typed = text.contains('*');
        let found = Instruction::read(&source, 0..source.tokens.len(), typed);
        assert_eq!(found.ty.as_deref(), ty, "{text}");
        let show = |it: &Operand| format!("{} {}", it.ty, source.slice(&it.value));
        assert_eq!(found.operands.iter().map(show).collect::<Vec<_>>(), operands, "{text}");
    }

    #[test]
    fn types_and_operands_are_found() {
        check("%r = add nuw i8 %a, 1", Some("i8"), &["i8 %a", "i8 1"]);
        let vector = "<vscale x 2 x float>";
        let compare = format!("%r = fcmp fast olt {vector} %a, zeroinitializer");
        let zero = format!("{vector} zeroinitializer");
        check(&compare, Some("<vscale x 2 x i1>"), &[&format!("{vector} %a"), &zero]);
        check("%r = zext nneg i8 %a to i32", Some("i32"), &["i8 %a"]);
        check("%r = load volatile i8, i8* %p, align 1", Some("i8"), &["i8* %p"]);
        check("store atomic i8 1, ptr %p seq_cst, align 1", None, &["i8 1", "ptr %p"]);
        check("%r = alloca [2 x i8], i32 4, align 1", Some("ptr"), &["i32 4"]);
        check("%r = alloca i8, align 1, addrspace(5)", Some("ptr addrspace(5)"), &[]);
        check("%r = alloca i8*", Some("i8**"), &[]);
        check(
            "%r = getelementptr inbounds %T, ptr addrspace(1) %p, i64 0, i32 1",
            Some("ptr addrspace(1)"),
            &["ptr addrspace(1) %p", "i64 0", "i32 1"],
        );
        check(
            "%r = extractvalue { i8, [2 x ptr] } %a, 1, 0",
            Some("ptr"),
            &["{ i8, [2 x ptr] } %a"],
        );
        check("%r = extractvalue %T %a, 1", None, &["%T %a"]);
        check(
            "%r = shufflevector <2 x i8> %a, <2 x i8> poison, <4 x i32> zeroinitializer",
            Some("<4 x i8>"),
            &["<2 x i8> %a", "<2 x i8> poison"],
        );
        check(
            "%r = cmpxchg ptr %p, i8 0, i8 1 monotonic monotonic",
            Some("{ i8, i1 }"),
            &["ptr %p", "i8 0", "i8 1"],
        );
        check("%r = atomicrmw add ptr %p, i8 1 seq_cst", Some("i8"), &["ptr %p", "i8 1"]);
        check("%r = va_arg ptr %p, i32", Some("i32"), &["ptr %p"]);
        check(
            "%r = tail call fastcc noundef i32 (ptr, ...) @f(ptr nonnull %p, i8 signext 1, metadata !0) #1",
            Some("i32"),
            &["ptr %p", "i8 1"],
        );
        check("%r = call i32* bitcast (i8 ()* @f to i32* ()*)()", Some("i32*"), &[]);
        check("ret { i8, i8 } { i8 1, i8 2 }", None, &["{ i8, i8 } { i8 1, i8 2 }"]);
        check("%r = quantum i8 %a", None, &[]);
    }
}
