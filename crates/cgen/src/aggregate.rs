//! The types and variables of a program, as they are declared.

use crate::int_type::IntType;
use crate::memory::Span;

/// Who reads and writes a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Category {
    /// Read and written by the test functions.
    Mixed,
    /// Written only.
    Output,
    /// Read only.
    Input,
}

impl Category {
    /// Every category, in the order in which globals are made.
    pub const ALL: [Category; 3] = [Category::Input, Category::Mixed, Category::Output];
}

/// A member of a struct. Members are named `f` and their position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Member {
    /// An integer.
    Integer(IntType),
    /// A bit-field of so many bits as declared; values never need more than the type has.
    BitField(IntType, u8),
    /// A bit-field without a name.
    Unnamed(IntType, u8),
    /// A static member with its cell; C++ only.
    Static(IntType, u32),
    /// An earlier struct type.
    Struct(usize),
}

/// A struct type. Types are named `S` and their position.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructType {
    pub members: Vec<Member>,
    /// Integers in it, those of inner structs included, static ones not.
    pub fields: u32,
    /// 1, or one more than the deepest inner struct.
    pub depth: u32,
}

/// What an array, or a variable that is none, is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    Integer(IntType),
    Struct(usize),
    Enum(usize),
}

/// How an array is lowered, in the order of parameter 7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrayKind {
    /// `T a[n]`.
    C,
    /// `std::valarray<T>`, which has no `at`.
    Valarray,
    /// `std::array<T,n>`. The paper uses it from C++14 on; C++11 has it as well.
    Array,
    /// `std::vector<T>`; never of bool, whose elements have no address.
    Vector,
}

impl ArrayKind {
    /// The kinds in the order of parameter 7.
    pub const ALL: [ArrayKind; 4] =
        [ArrayKind::C, ArrayKind::Valarray, ArrayKind::Array, ArrayKind::Vector];
}

/// What a variable is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Single(Base),
    Array(ArrayKind, Base, u32),
    /// The pointer, the place it points to at first, and another of the same type if there is one.
    Pointer {
        pointer: u32,
        aim: u32,
        other: u32,
    },
}

/// A global variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: Span,
    pub category: Category,
    pub constant: bool,
    pub volatile: bool,
    pub shape: Shape,
    /// Its first cell; the others follow in the order of members and elements.
    pub first_cell: u32,
    /// Its places.
    pub places: std::ops::Range<u32>,
}
