//! One instruction: its result, operands, targets and callee.

use super::shape::read;
use super::source::Source;
use super::token::Kind;
use std::ops::Range;

/// A value that an instruction uses.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    /// Its type's text.
    pub ty: String,
    /// Its tokens.
    pub value: Range<usize>,
}

/// What a call calls, and with what.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The type of the result.
    pub ty: Range<usize>,
    /// What is called.
    pub callee: Range<usize>,
    /// Each argument with its type.
    pub args: Vec<Range<usize>>,
    /// The arguments' parentheses.
    pub parens: Range<usize>,
}

/// One instruction, as far as it could be understood: what is missing was not.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// All its tokens.
    pub tokens: Range<usize>,
    /// The name of its result.
    pub result: Option<usize>,
    /// Its first word behind the result.
    pub opcode: usize,
    /// The type of its result.
    pub ty: Option<String>,
    pub operands: Vec<Operand>,
    /// The blocks that it may go to.
    pub targets: Vec<usize>,
    /// The entries of a phi: the tokens of the value, the block, and all of it.
    pub entries: Vec<(Range<usize>, usize, Range<usize>)>,
    /// The cases of a switch.
    pub cases: Vec<Range<usize>>,
    pub call: Option<Call>,
}

const TERMINATORS: [&str; 11] = [
    "ret",
    "br",
    "switch",
    "indirectbr",
    "invoke",
    "callbr",
    "resume",
    "unreachable",
    "cleanupret",
    "catchret",
    "catchswitch",
];

/// Words that may begin an instruction without a result.
const STATEMENTS: [&str; 7] = ["store", "fence", "call", "tail", "musttail", "notail", "cmpxchg"];

/// Words that may begin a line of an instruction that began before.
const CONTINUATIONS: [&str; 5] = ["to", "unwind", "catch", "filter", "cleanup"];

/// Does an instruction begin at the token, which no bracket holds?
pub(crate) fn begins(source: &Source, at: usize) -> bool {
    let word = source.word(at);
    match source.kind(at) {
        Some(Kind::Local) => source.is(at + 1, b'='),
        Some(Kind::Word) => {
            let prefixed = at > 0
                && (source.is(at - 1, b'=')
                    || matches!(source.word(at - 1), "tail" | "musttail" | "notail"));
            let begins = TERMINATORS.contains(&word)
                || STATEMENTS.contains(&word)
                || word.starts_with("#dbg")
                || source.tokens[at].first && !CONTINUATIONS.contains(&word);
            begins && !prefixed
        }
        _ => false,
    }
}

impl Instruction {
    /// Reads the instruction of these tokens.
    pub fn read(source: &Source, tokens: Range<usize>, typed: bool) -> Instruction {
        let named = source.kind(tokens.start) == Some(Kind::Local);
        let start = if named { tokens.start + 2 } else { tokens.start };
        let prefix = matches!(source.word(start), "tail" | "musttail" | "notail");
        let opcode = if prefix { start + 1 } else { start };
        let mut instruction = Instruction {
            result: named.then_some(tokens.start),
            opcode,
            ty: None,
            operands: Vec::new(),
            targets: Vec::new(),
            entries: Vec::new(),
            cases: Vec::new(),
            call: None,
            tokens,
        };
        instruction.ty = read(source, &mut instruction, typed);
        instruction
    }

    /// Is it the last of its block?
    pub fn is_terminator(&self, source: &Source) -> bool {
        TERMINATORS.contains(&source.word(self.opcode))
    }

    /// Is there a result, named or numbered?
    pub fn has_result(&self, source: &Source) -> bool {
        self.result.is_some()
            || self.ty.as_deref().is_some_and(|ty| ty != "void")
            || matches!(source.word(self.opcode), "landingpad" | "catchpad" | "cleanuppad")
    }
}
