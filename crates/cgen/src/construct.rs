//! The constructs that can be switched off one by one.

use crate::parameter::{Parameter, Parameters};
use crate::standard::{Standard, UnknownName};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A construct of the language that programs may do without.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Construct {
    /// `bool` and `_Bool`.
    Bool,
    /// Structs.
    Structs,
    /// Bit-fields, named and unnamed.
    BitFields,
    /// Static members of structs; C++ only.
    StaticMembers,
    /// Arrays of every kind.
    Arrays,
    /// `std::array`, `std::vector`, `std::valarray`; C++ only.
    Containers,
    /// Pointers, global and local.
    Pointers,
    /// `const`.
    Const,
    /// Declarations of locals.
    Locals,
    /// Conditionals.
    If,
    /// The else of conditionals.
    Else,
    /// Unary operators, but for the `+` that C++ needs before bit-fields in `?:`.
    Unary,
    /// `?:`.
    Ternary,
    /// Casts, but for those that reading a bit-field wider than `int` needs in C++.
    Casts,
    /// Loops over grids, which are arrays of several dimensions.
    Loops,
    /// Scalars that each iteration of a loop adds something to.
    Reductions,
    /// `break` out of loops.
    Break,
    /// `continue`.
    Continue,
    /// Pragmas before loops.
    Pragmas,
    /// `goto`.
    Goto,
    /// Compound assignments such as `+=`.
    Compound,
    /// `++` and `--`.
    Increments,
    /// Elements computed from those that earlier iterations computed.
    Recurrences,
    /// `switch`.
    Switch,
    /// Builtin arithmetic that tells whether it overflowed.
    Overflow,
    /// `__builtin_unreachable` where it is.
    Assumptions,
    /// `memset`, `memcpy` and `memmove`.
    BlockMemory,
    /// Builtins that count or swap bits.
    Builtins,
    /// Volatile globals.
    Volatile,
    /// Elements written as `*(b0+i)`.
    PointerArithmetic,
    /// Functions with parameters and results.
    Calls,
    /// Functions that call themselves.
    Recursion,
    /// Blocks in functions of their own, with grids and locals as parameters.
    Outlined,
    /// `restrict` for the grids of such functions.
    Restrict,
    /// Vectors of GCC's and Clang's extension.
    Vectors,
    /// Floating point, in grids of its own.
    Reals,
    /// Enumerated types.
    Enums,
    /// Arithmetic on truth values, truth of pointers, `_Bool` bit-fields.
    BoolTricks,
    /// Unions; in C read by other members than they were written by.
    Unions,
    /// `__int128`, with and without a sign.
    Int128,
    /// C23's `_BitInt(N)`: only where it is asked for, since few compilers know it.
    BitInt,
    /// `++`, `--` and assignments as operands.
    SideEffects,
    /// Pointers that move through arrays in step with loops.
    MovingPointers,
}

use Construct as C;

impl Construct {
    /// Every construct.
    pub const ALL: [Construct; 43] = [
        C::Bool,
        C::Structs,
        C::BitFields,
        C::StaticMembers,
        C::Arrays,
        C::Containers,
        C::Pointers,
        C::Const,
        C::Locals,
        C::If,
        C::Else,
        C::Unary,
        C::Ternary,
        C::Casts,
        C::Loops,
        C::Reductions,
        C::Break,
        C::Continue,
        C::Pragmas,
        C::Goto,
        C::Compound,
        C::Increments,
        C::Recurrences,
        C::Switch,
        C::Overflow,
        C::Assumptions,
        C::BlockMemory,
        C::Builtins,
        C::Volatile,
        C::PointerArithmetic,
        C::Calls,
        C::Recursion,
        C::Outlined,
        C::Restrict,
        C::Vectors,
        C::Reals,
        C::Enums,
        C::BoolTricks,
        C::Unions,
        C::Int128,
        C::BitInt,
        C::SideEffects,
        C::MovingPointers,
    ];

    /// The name in options and configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            C::Bool => "bool",
            C::Structs => "structs",
            C::BitFields => "bit-fields",
            C::StaticMembers => "static-members",
            C::Arrays => "arrays",
            C::Containers => "containers",
            C::Pointers => "pointers",
            C::Const => "const",
            C::Locals => "locals",
            C::If => "if",
            C::Else => "else",
            C::Unary => "unary",
            C::Ternary => "ternary",
            C::Casts => "casts",
            C::Loops => "loops",
            C::Reductions => "reductions",
            C::Break => "break",
            C::Continue => "continue",
            C::Pragmas => "pragmas",
            C::Goto => "goto",
            C::Compound => "compound",
            C::Increments => "increments",
            C::Recurrences => "recurrences",
            C::Switch => "switch",
            C::Overflow => "overflow",
            C::Assumptions => "assumptions",
            C::BlockMemory => "block-memory",
            C::Builtins => "builtins",
            C::Volatile => "volatile",
            C::PointerArithmetic => "pointer-arithmetic",
            C::Calls => "calls",
            C::Recursion => "recursion",
            C::Outlined => "outlined",
            C::Restrict => "restrict",
            C::Vectors => "vectors",
            C::Reals => "reals",
            C::Enums => "enums",
            C::BoolTricks => "bool-tricks",
            C::Unions => "unions",
            C::Int128 => "int128",
            C::BitInt => "bit-int",
            C::SideEffects => "side-effects",
            C::MovingPointers => "moving-pointers",
        }
    }

    /// Whether programs of `standard` can have the construct.
    #[must_use]
    pub fn exists_in(self, standard: Standard) -> bool {
        match self {
            C::StaticMembers | C::Containers => standard.is_cxx(),
            // Clang has it in C++, GCC has not.
            C::BitInt => !standard.is_cxx(),
            _ => true,
        }
    }

    /// Whether the paper's generator has the construct.
    #[must_use]
    pub fn is_in_paper(self) -> bool {
        self <= C::Casts
    }

    /// Whether only some compilers know what the construct is written with: GCC's builtins, its vectors,
    /// its wide integers.
    #[must_use]
    pub fn is_extension(self) -> bool {
        matches!(
            self,
            C::Assumptions | C::Builtins | C::Overflow | C::Vectors | C::Int128 | C::BitInt
        )
    }

    /// Whether programs have the construct unless it is excluded; others must be included.
    #[must_use]
    pub fn is_default(self) -> bool {
        self != C::BitInt
    }

    /// The values of parameters that stand for the construct.
    fn values(self) -> &'static [(Parameter, usize)] {
        match self {
            C::Bool
            | C::StaticMembers
            | C::Const
            | C::Structs
            | C::Arrays
            | C::Break
            | C::Pragmas
            | C::Volatile
            | C::PointerArithmetic
            | C::Recursion
            | C::Restrict
            | C::MovingPointers => &[],
            C::BitFields => &[(Parameter::BitField, 0), (Parameter::BitField, 1)],
            C::Containers => {
                &[(Parameter::ArrayKind, 1), (Parameter::ArrayKind, 2), (Parameter::ArrayKind, 3)]
            }
            C::Pointers => &[
                (Parameter::OutDataType, 4),
                (Parameter::OutDataType, 5),
                (Parameter::DeclarationKind, 1),
            ],
            C::Locals => &[(Parameter::Statement, 0)],
            C::If => &[(Parameter::Statement, 2)],
            C::Else => &[(Parameter::Else, 0)],
            C::Unary => &[(Parameter::ArithmeticNode, 1)],
            C::Ternary => &[(Parameter::ArithmeticNode, 3)],
            C::Casts => &[(Parameter::ArithmeticNode, 4)],
            C::Loops => &[(Parameter::MoreStatement, 1)],
            C::Reductions => &[(Parameter::MoreStatement, 2)],
            C::Continue => &[(Parameter::MoreStatement, 3)],
            C::Goto => &[(Parameter::MoreStatement, 4)],
            C::Compound => &[(Parameter::MoreStatement, 5)],
            C::Increments => &[(Parameter::MoreStatement, 6)],
            C::Recurrences => &[(Parameter::MoreStatement, 7)],
            C::Switch => &[(Parameter::MoreStatement, 8)],
            C::Overflow => &[(Parameter::MoreStatement, 9)],
            C::Assumptions => &[(Parameter::MoreStatement, 10)],
            C::BlockMemory => &[(Parameter::MoreStatement, 11)],
            C::Outlined => &[(Parameter::MoreStatement, 12)],
            C::Vectors => &[(Parameter::MoreStatement, 13)],
            C::Reals => &[(Parameter::MoreStatement, 14)],
            C::Enums => &[(Parameter::MoreStatement, 15)],
            C::Unions => &[(Parameter::MoreStatement, 16)],
            C::Int128 => &[(Parameter::MoreStatement, 17)],
            C::BitInt => &[(Parameter::MoreStatement, 18)],
            C::SideEffects => &[(Parameter::MoreStatement, 19)],
            C::Builtins => &[(Parameter::MoreNode, 1)],
            C::Calls => &[(Parameter::MoreNode, 2)],
            C::BoolTricks => &[(Parameter::MoreNode, 3)],
        }
    }

    /// Takes the construct's weights away. The last value of a parameter gets `fallback` first.
    pub(crate) fn exclude_from(self, parameters: &mut Parameters) {
        for (parameter, value) in self.values() {
            let others = |p: &Parameters| {
                p.weights(*parameter).iter().enumerate().any(|(i, w)| i != *value && *w > 0)
            };
            if !others(parameters) {
                // Shuffling left only what is excluded: the plainest value takes over, which is
                // the last for bit-fields ("none") and for else ("no"), the second for
                // statements ("assignment") and the first elsewhere.
                let plain = match parameter {
                    Parameter::BitField => 2,
                    Parameter::Else | Parameter::Statement => 1,
                    _ => 0,
                };
                parameters.set(*parameter, plain, 1);
            }
            parameters.set(*parameter, *value, 0);
        }
    }

    /// Gives the construct's values a weight where shuffling took it.
    pub(crate) fn require_in(self, parameters: &mut Parameters) {
        for (parameter, value) in self.values() {
            if parameters.weights(*parameter)[*value] == 0 {
                let total: u32 = parameters.weights(*parameter).iter().sum();
                parameters.set(*parameter, *value, (total / 10).max(1));
            }
        }
    }
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Construct {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Construct, UnknownName> {
        Construct::ALL.into_iter().find(|c| c.name() == name).ok_or_else(|| {
            UnknownName::new("construct", name, &Construct::ALL.map(Construct::name))
        })
    }
}
