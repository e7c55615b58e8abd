//! The words that documents are made of: LLVM's opcodes.

/// The opcodes of LLVM 13 to 22, in order. A word is the place of its opcode.
pub const OPCODES: [&str; 66] = [
    "add",
    "addrspacecast",
    "alloca",
    "and",
    "ashr",
    "atomicrmw",
    "bitcast",
    "br",
    "call",
    "callbr",
    "catchpad",
    "catchret",
    "catchswitch",
    "cleanuppad",
    "cleanupret",
    "cmpxchg",
    "extractelement",
    "extractvalue",
    "fadd",
    "fcmp",
    "fdiv",
    "fence",
    "fmul",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "freeze",
    "frem",
    "fsub",
    "getelementptr",
    "icmp",
    "indirectbr",
    "insertelement",
    "insertvalue",
    "inttoptr",
    "invoke",
    "landingpad",
    "load",
    "lshr",
    "mul",
    "or",
    "phi",
    "ptrtoaddr",
    "ptrtoint",
    "resume",
    "ret",
    "sdiv",
    "select",
    "sext",
    "shl",
    "shufflevector",
    "sitofp",
    "srem",
    "store",
    "sub",
    "switch",
    "trunc",
    "udiv",
    "uitofp",
    "unreachable",
    "urem",
    "va_arg",
    "xor",
    "zext",
];

/// The word of an opcode; nothing if LLVM has no such instruction.
///
/// ```
/// use passes::program::{OPCODES, word};
///
/// assert_eq!(word("load").map(|word| OPCODES[word as usize]), Some("load"));
/// assert_eq!(word("laod"), None);
/// ```
#[must_use]
pub fn word(opcode: &str) -> Option<u32> {
    OPCODES.binary_search(&opcode).ok().and_then(|place| u32::try_from(place).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_in_order() {
        assert!(OPCODES.is_sorted_by(|a, b| a < b));
    }
}
