//! What the kinds of bug mean to a reader, and how a script tells that one shows.

/// A kind of bug, in words.
pub(crate) struct Kind {
    /// As in [`crate::Bug::kind`].
    pub(crate) name: &'static str,
    /// For a badge or a heading.
    pub(crate) headline: &'static str,
    /// A sentence.
    pub(crate) means: &'static str,
    /// SARIF's word for how bad it is.
    pub(crate) level: &'static str,
    /// How it shows.
    pub(crate) shows: Shows,
}

/// Where a bug is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shows {
    /// In what the compiled program does.
    Behaviour,
    /// In a crash of the compiler.
    Crash,
    /// In a compiler that does not end.
    Endless,
    /// In the memory that the compiler wants.
    Memory,
    /// In an error message.
    Rejection,
    /// In what a sanitizer says while the compiled program runs.
    Alarm,
}

pub(crate) const KINDS: [Kind; 8] = [
    Kind {
        name: "wrong-code",
        headline: "Wrong code",
        means: "The compiled program does something else than its source says.",
        level: "error",
        shows: Shows::Behaviour,
    },
    Kind {
        name: "crash",
        headline: "Compiler crash",
        means: "The compiler crashes on the program.",
        level: "error",
        shows: Shows::Crash,
    },
    Kind {
        name: "hang",
        headline: "Endless compilation",
        means: "The compiler does not end on the program.",
        level: "warning",
        shows: Shows::Endless,
    },
    Kind {
        name: "memory",
        headline: "Memory hog",
        means: "The compiler wants far more memory than the program is worth.",
        level: "warning",
        shows: Shows::Memory,
    },
    Kind {
        name: "invalid-ir",
        headline: "Invalid IR",
        means: "A pass of the compiler leaves a module that the verifier refuses.",
        level: "error",
        shows: Shows::Crash,
    },
    Kind {
        name: "codegen",
        headline: "Code generator crash",
        means: "The code generator fails on a module that the optimiser made.",
        level: "error",
        shows: Shows::Crash,
    },
    Kind {
        name: "rejects-valid",
        headline: "Valid program rejected",
        means: "The compiler refuses a program that is valid.",
        level: "warning",
        shows: Shows::Rejection,
    },
    Kind {
        name: "sanitizer-alarm",
        headline: "False sanitizer alarm",
        means: "A sanitizer reports undefined behaviour in a program that has none.",
        level: "warning",
        shows: Shows::Alarm,
    },
];

/// The kind called `name`. One that is not known is told like a crash: as a failed compilation.
pub(crate) fn kind(name: &str) -> &'static Kind {
    KINDS.iter().find(|kind| kind.name == name).unwrap_or(&KINDS[1])
}
