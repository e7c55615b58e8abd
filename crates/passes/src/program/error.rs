//! Why a program could not be read.

use super::vocabulary::OPCODES;

/// Why a module, or what was printed about it, could not be read as a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing is defined.
    #[error("the module defines no function: is it the text of LLVM IR?")]
    NoFunction,
    /// The head of a function is not understood.
    #[error("this is not understood as the head of a function: {head}")]
    Head {
        /// The line.
        head: String,
    },
    /// The text ends inside a function.
    #[error("the module ends inside function {function}: was it cut off?")]
    Unclosed {
        /// The function.
        function: String,
    },
    /// Nothing stands in a function.
    #[error("function {function} has no blocks")]
    NoBlocks {
        /// The function.
        function: String,
    },
    /// An instruction is none.
    #[error("block {block} of function {function}: '{opcode}' is no instruction of LLVM")]
    Opcode {
        /// The function.
        function: String,
        /// The block.
        block: String,
        /// The word that should be an opcode.
        opcode: String,
    },
    /// A block does not end with a jump or a return.
    #[error("block {block} of function {function} has no instruction that ends it")]
    NoEnd {
        /// The function.
        function: String,
        /// The block.
        block: String,
    },
    /// The targets of a jump are not found.
    #[error("block {block} of function {function}: where its '{opcode}' goes to is not understood")]
    Targets {
        /// The function.
        function: String,
        /// The block.
        block: String,
        /// The opcode of its last instruction.
        opcode: String,
    },
    /// A line of a region tree is not as opt prints it, or names a block that the function lacks.
    #[error(
        "line {line} of the region trees is no region of function {function}: '{text}'; \
         were they printed for this module?"
    )]
    Region {
        /// The function.
        function: String,
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// There is no region tree for a function.
    #[error(
        "no region tree was printed for function {function}: opt may pass over functions that \
         are marked optnone, or have failed"
    )]
    NoRegions {
        /// The function.
        function: String,
    },
    /// A line of the call graph is not as opt prints it.
    #[error("line {line} of the call graph is not understood: '{text}'")]
    Call {
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// The call graph lacks a function.
    #[error("the call graph lacks function {function}: was it printed for this module?")]
    NoCalls {
        /// The function.
        function: String,
    },
}

impl ReadError {
    /// Where a block goes is not understood.
    pub(super) fn targets(function: &str, block: &str, words: &[u32]) -> ReadError {
        let opcode = words.last().map_or("", |word| OPCODES[*word as usize]);
        ReadError::Targets {
            function: function.to_owned(),
            block: block.to_owned(),
            opcode: opcode.to_owned(),
        }
    }
}
