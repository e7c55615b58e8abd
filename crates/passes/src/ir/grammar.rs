//! The grammar that all statements share: types and values.

use super::source::Source;
use super::token::Kind;
use std::ops::Range;

/// Opcodes of casts.
pub(super) const CASTS: [&str; 14] = [
    "trunc",
    "zext",
    "sext",
    "fptrunc",
    "fpext",
    "uitofp",
    "sitofp",
    "fptoui",
    "fptosi",
    "bitcast",
    "inttoptr",
    "ptrtoint",
    "ptrtoaddr",
    "addrspacecast",
];

/// Opcodes of two operands of one type.
pub(super) const BINARY: [&str; 18] = [
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
];

/// Other words that begin a constant expression, as casts and binary operators do: `add (i32 1,
/// i32 2)`.
const EXPRESSIONS: [&str; 13] = [
    "getelementptr",
    "fneg",
    "icmp",
    "fcmp",
    "select",
    "extractelement",
    "insertelement",
    "shufflevector",
    "extractvalue",
    "insertvalue",
    "splat",
    "blockaddress",
    "ptrauth",
];

fn begins_expression(word: &str) -> bool {
    [&CASTS[..], &BINARY, &EXPRESSIONS].iter().any(|words| words.contains(&word))
}

/// Words that are values by themselves.
const CONSTANTS: [&str; 7] =
    ["true", "false", "null", "undef", "poison", "zeroinitializer", "none"];

/// Types by name, but for the integers.
const TYPES: [&str; 15] = [
    "void",
    "half",
    "bfloat",
    "float",
    "double",
    "x86_fp80",
    "fp128",
    "ppc_fp128",
    "x86_mmx",
    "x86_amx",
    "label",
    "metadata",
    "token",
    "ptr",
    "opaque",
];

impl Source<'_> {
    /// The end of the type at `at`, without a list of parameters that would make it a function's.
    pub fn plain_type(&self, at: usize) -> Option<usize> {
        let mut end = match self.kind(at)? {
            Kind::Word if self.is_word(at, "target") && self.is(at + 1, b'(') => {
                self.close(at + 1)?
            }
            Kind::Word if is_type(self.word(at)) => at + 1,
            Kind::Local => at + 1,
            Kind::Punct(b'[' | b'{' | b'<') => self.close(at)?,
            _ => return None,
        };
        loop {
            if self.is(end, b'*') {
                end += 1;
            } else if self.is_word(end, "addrspace") && self.is(end + 1, b'(') {
                end = self.close(end + 1)?;
            } else {
                return Some(end);
            }
        }
    }

    /// The end of the type at `at`.
    pub fn ty(&self, at: usize) -> Option<usize> {
        let mut end = self.plain_type(at)?;
        while self.is(end, b'(') {
            end = self.close(end)?;
            while self.is(end, b'*') {
                end += 1;
            }
        }
        Some(end)
    }

    /// The end of the value at `at`.
    pub fn value(&self, at: usize) -> Option<usize> {
        match self.kind(at)? {
            Kind::Local | Kind::Global | Kind::Text => Some(at + 1),
            Kind::Punct(b'[' | b'{' | b'<') => self.close(at),
            Kind::Word => match self.word(at) {
                word if is_number(word) || CONSTANTS.contains(&word) => Some(at + 1),
                "dso_local_equivalent" | "no_cfi" => Some(at + 2),
                "asm" => {
                    let code = (at..at + 6).find(|at| self.kind(*at) == Some(Kind::Text))?;
                    Some(code + 3)
                }
                word if begins_expression(word) => {
                    let open = (at + 1..at + 8)
                        .find(|at| self.is(*at, b'(') && !matches!(self.word(at - 1), "inrange"))?;
                    self.close(open)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Skips attributes and flags up to what `wanted` accepts.
    pub fn skip_to(&self, mut at: usize, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        while !wanted(at) {
            at = match self.kind(at)? {
                Kind::Word if self.is(at + 1, b'(') => self.close(at + 1)?,
                Kind::Word | Kind::Text | Kind::Group => at + 1,
                Kind::Punct(b'=') => at + 1,
                _ => return None,
            };
        }
        Some(at)
    }

    /// The type of the parts of a vector, and how the vector begins: `<4 x `.
    pub fn vector(&self, ty: &Range<usize>) -> Option<(String, Range<usize>)> {
        if !self.is(ty.start, b'<') || self.is(ty.start + 1, b'{') {
            return None;
        }
        let mut by = (ty.start..ty.end).find(|at| self.is_word(*at, "x"))?;
        if self.is_word(ty.start + 1, "vscale") {
            by = (by + 1..ty.end).find(|at| self.is_word(*at, "x"))?;
        }
        Some((format!("{} ", self.slice(&(ty.start..by + 1))), by + 1..ty.end - 1))
    }
}

/// Is this the name of a type?
pub(crate) fn is_type(word: &str) -> bool {
    let digits = word.strip_prefix('i').unwrap_or_default();
    TYPES.contains(&word) || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Is this a number?
pub(crate) fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let digits = digits.strip_prefix("u0x").or(digits.strip_prefix("s0x")).unwrap_or(digits);
    digits.as_bytes().first().is_some_and(u8::is_ascii_digit)
}

/// The zero of a type; nothing for those without one that can be written.
pub(crate) fn zero(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "i1" => "false",
        "half" | "bfloat" | "float" | "double" => "0.0",
        "x86_fp80" => "0xK00000000000000000000",
        "fp128" => "0xL00000000000000000000000000000000",
        "ppc_fp128" => "0xM00000000000000000000000000000000",
        _ if ty.ends_with('*') || ty == "ptr" || ty.starts_with("ptr addrspace") => "null",
        _ if ty.starts_with('i') && is_type(ty) => "0",
        _ if ty.starts_with(['[', '{', '<', '%']) => "zeroinitializer",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_values_end_where_they_end() {
        let check = |text: &str, ty: &str, value: &str| {
            let source = Source::new(text.as_bytes());
            let end = source.ty(0).unwrap();
            assert_eq!(source.slice(&(0..end)), ty);
            let start = source.skip_to(end, |at| source.value(at).is_some()).unwrap();
            assert_eq!(source.slice(&(start..source.value(start).unwrap())), value);
        };

        check("i32 noundef range(i32 0, 5) %x", "i32", "%x");
        check("ptr addrspace(1) @g)", "ptr addrspace(1)", "@g");
        check("i8* (i32, ...)* @f", "i8* (i32, ...)*", "@f");
        check("<vscale x 4 x i32> zeroinitializer", "<vscale x 4 x i32>", "zeroinitializer");
        check("<{ i8, %T }> <{ i8 1, %T { i8 0 } }>", "<{ i8, %T }>", "<{ i8 1, %T { i8 0 } }>");
        let gep = "getelementptr inbounds (i8, ptr @g, i64 4)";
        check(&format!("ptr nonnull {gep}, i32"), "ptr", gep);
        check(
            "void ()* asm sideeffect \"nop\", \"~{x}\"()",
            "void ()*",
            "asm sideeffect \"nop\", \"~{x}\"",
        );
        check(
            "target(\"spirv.Image\", i32, 0) poison",
            "target(\"spirv.Image\", i32, 0)",
            "poison",
        );
    }

    #[test]
    fn zeros_are_of_their_type() {
        assert_eq!(zero("i1"), Some("false"));
        assert_eq!(zero("i128"), Some("0"));
        assert_eq!(zero("i8*"), Some("null"));
        assert_eq!(zero("<4 x float>"), Some("zeroinitializer"));
        assert_eq!(zero("token"), None);
        assert_eq!(zero("void"), None);
    }
}
