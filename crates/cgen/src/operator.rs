//! The operators: spelling, precedence, and sets of them.

/// A unary operator; the order is that of parameter 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

impl UnaryOp {
    /// Every unary operator.
    pub const ALL: [UnaryOp; 4] =
        [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Complement, UnaryOp::Not];

    pub(crate) fn byte(self) -> u8 {
        b"+-~!"[self as usize]
    }
}

/// A binary operator; the order is that of parameter 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
}

use BinaryOp::{
    Add, And, Div, Ge, Gt, Le, LogAnd, LogOr, Lt, Mul, Ne, Or, Rem, Shl, Shr, Sub, Xor,
};

impl BinaryOp {
    /// Every binary operator.
    pub const ALL: [BinaryOp; 18] = [
        Add,
        Sub,
        Mul,
        Div,
        Rem,
        Shl,
        Shr,
        Lt,
        Gt,
        Le,
        Ge,
        BinaryOp::Eq,
        Ne,
        And,
        Or,
        Xor,
        LogAnd,
        LogOr,
    ];

    pub(crate) fn text(self) -> &'static [u8] {
        const TEXT: [&[u8]; 18] = [
            b"+", b"-", b"*", b"/", b"%", b"<<", b">>", b"<", b">", b"<=", b">=", b"==", b"!=",
            b"&", b"|", b"^", b"&&", b"||",
        ];
        TEXT[self as usize]
    }

    /// Whether the result has the type of the operands, rather than `int`.
    #[inline]
    pub(crate) fn is_arithmetic(self) -> bool {
        matches!(self, Add | Sub | Mul | Div | Rem | Shl | Shr | And | Or | Xor)
    }

    /// How tightly the operator binds; all associate to the left.
    pub(crate) fn precedence(self) -> u8 {
        const PRECEDENCE: [u8; 18] = [10, 10, 11, 11, 11, 9, 9, 8, 8, 8, 8, 7, 7, 6, 4, 5, 3, 2];
        PRECEDENCE[self as usize]
    }
}

/// Precedence of `?:`.
pub(crate) const TERNARY_PRECEDENCE: u8 = 1;
/// Precedence of unary operators and casts.
pub(crate) const UNARY_PRECEDENCE: u8 = 12;

/// A set of operators: what an arithmetic context allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OperatorSet {
    /// Bit i is `UnaryOp::ALL[i]`.
    pub unary: u32,
    /// Bit i is `BinaryOp::ALL[i]`.
    pub binary: u32,
}

impl OperatorSet {
    /// Every operator.
    pub const ALL: OperatorSet = OperatorSet { unary: 0xf, binary: 0x3_ffff };

    /// The set of these operators.
    pub const fn of(unary: &[UnaryOp], binary: &[BinaryOp]) -> OperatorSet {
        let mut set = OperatorSet { unary: 0, binary: 0 };
        let mut i = 0;
        while i < unary.len() {
            set.unary |= 1 << unary[i] as u32;
            i += 1;
        }
        i = 0;
        while i < binary.len() {
            set.binary |= 1 << binary[i] as u32;
            i += 1;
        }
        set
    }

    /// What both sets allow, where each has a binary operator in common.
    pub fn intersection(self, other: OperatorSet) -> Option<OperatorSet> {
        let both =
            OperatorSet { unary: self.unary & other.unary, binary: self.binary & other.binary };
        (both.binary != 0).then_some(both)
    }
}
