//! What copied code may call and what it may not be tied to.

use crate::protected::is_oracle;

/// Functions of the C library that programs call without harm.
const LIBRARY: [&str; 20] = [
    "memcpy", "memset", "memcmp", "memmove", "strlen", "strcmp", "strncmp", "strcpy", "strncpy",
    "strchr", "strrchr", "strcat", "malloc", "calloc", "realloc", "free", "abs", "labs", "llabs",
    "atoi",
];

/// Attributes and words that tie a declaration to its file, or run it unasked.
pub(super) const TIES: [&str; 12] = [
    "alias",
    "constructor",
    "destructor",
    "weakref",
    "ifunc",
    "target_clones",
    "asm",
    "__asm__",
    "__asm",
    "cleanup",
    "__builtin_apply_args",
    "weak",
];

/// What can't be moved from one function into another, or ends a program.
const BUILTINS: [&str; 10] = [
    "__builtin_va_",
    "__builtin_apply",
    "__builtin_return",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_abort",
    "__builtin_longjmp",
    "__builtin_setjmp",
    "__builtin_frame",
    "__builtin_eh_",
];

/// May what is copied call this function, which its own program does not define?
pub(super) fn is_harmless(name: &str) -> bool {
    LIBRARY.contains(&name)
        || name.starts_with("__builtin_")
            && !BUILTINS.iter().any(|harm| name.starts_with(harm))
            && !is_oracle(name)
        || matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
}
