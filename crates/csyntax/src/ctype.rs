//! The types of expressions and declarations.

/// A type, without typedefs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// As C spells it.
    pub spelling: String,
    /// What it is.
    pub class: Class,
    /// Its size in bytes, where it has one.
    pub size: Option<u64>,
    /// May it not be written to?
    pub is_const: bool,
    /// Is every access to it to be kept?
    pub is_volatile: bool,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Nothing.
    Void,
    /// `_Bool`, `bool`.
    Bool,
    /// `char` to `__int128`.
    Integer {
        /// Can it be negative?
        signed: bool,
    },
    /// `float`, `double` and the like.
    Float,
    /// A complex number.
    Complex,
    /// An enumeration.
    Enum,
    /// A pointer to something.
    Pointer(Box<Type>),
    /// So many of something; none when that is not known.
    Array(Box<Type>, Option<u64>),
    /// A vector of GCC's and Clang's extension.
    Vector,
    /// A structure, union or class.
    Record,
    /// A function with this result.
    Function(Box<Type>),
    /// Anything else.
    Other,
}

impl Type {
    /// An integer, an enumeration or a boolean.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(self.class, Class::Bool | Class::Integer { .. } | Class::Enum)
    }

    /// What `+` takes.
    #[must_use]
    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || matches!(self.class, Class::Float | Class::Complex)
    }

    /// What can be compared with 0.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || matches!(self.class, Class::Pointer(_))
    }
}
