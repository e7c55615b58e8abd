//! Table 1 of the paper: what an operation with undefined behaviour is replaced by.
//!
//! Each row is one step; the caller applies rows until the operation is safe, at most
//! [`MAX_STEPS`] times. The rows are tested exhaustively at 4 bits below, as the authors did, by
//! properties at 32 and 64 bits in `tests/rewrites.rs`, and proven there by
//! `scripts/prove-rewrites.py`.

use crate::int_type::wrap;
use crate::operator::BinaryOp;

/// The width and sign of an operand after promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Bits, the sign included: 32 or 64 in programs, 4 in the exhaustive test.
    pub width: u32,
    /// Whether the type is signed.
    pub signed: bool,
}

impl Shape {
    fn min(self) -> i64 {
        if self.signed { i64::MIN >> (64 - self.width) } else { 0 }
    }

    fn max(self) -> i64 {
        (u64::MAX >> (64 - self.width + u32::from(self.signed))) as i64
    }

    fn holds(self, value: i64) -> bool {
        value >= self.min() && value <= self.max()
    }
}

/// A binary operation with its concrete operands, promoted, and for all but shifts converted to
/// their common type.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The operator.
    pub op: BinaryOp,
    /// Value of the left operand.
    pub a: i64,
    /// Value of the right operand.
    pub b: i64,
    /// Type of the left operand.
    pub left: Shape,
    /// Type of the right operand; the same as `left` for all but shifts.
    pub right: Shape,
    /// Whether shifts of negative values are defined: see `Standard::defines_negative_shifts`.
    pub negative_shifts: bool,
}

/// What stands in place of an unsafe operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// The same operands under another operator.
    Operator(BinaryOp),
    /// Only the left operand.
    Left,
    /// Only the right operand.
    Right,
    /// `(a + MAX) op b`.
    RaiseLeft,
    /// `a op (b + c)`, c from [`Operation::amounts`].
    RaiseRight,
    /// `a op (b - c)`, c from [`Operation::amounts`].
    LowerRight,
}

/// One row of the table.
pub struct Row {
    /// The name under which `scripts/prove-rewrites.py` proves it.
    pub name: &'static str,
    /// The operator that the row is about.
    pub op: BinaryOp,
    /// The unsafe condition; rows above have failed to match.
    pub applies: fn(&Operation) -> bool,
    /// What to do.
    pub replacement: Replacement,
}

/// No operation needs more steps: a negative left operand is raised, then the right one fixed.
pub const MAX_STEPS: usize = 2;

use BinaryOp::{Add, Div, Mul, Rem, Shl, Shr, Sub};
use Replacement::{LowerRight, Operator, RaiseLeft, RaiseRight};

/// Table 1 for binary operators, `-a` being [`negation_is_unsafe`].
///
/// Deviation: (1) the paper's side condition of `mul-overflow` reads "a != MIN && b != -1", so
/// that `MIN * 2` matches no row; here it is "not (a == MIN and b == -1)", by the order of the
/// rows. (2) The paper's rows for `<<` ask whether b reaches the width, but a signed `1 << 31`
/// already shifts into the sign bit; here b may not pass the room above a's highest bit. (3) A
/// negative left operand of `<<` is undefined before C++20 and has no row in the paper; here it
/// gets the two of `>>`.
pub const ROWS: [Row; 18] = [
    Row {
        name: "add-overflow",
        op: Add,
        applies: Operation::overflows,
        replacement: Operator(Sub),
    },
    Row {
        name: "sub-overflow",
        op: Sub,
        applies: Operation::overflows,
        replacement: Operator(Add),
    },
    Row {
        name: "mul-min",
        op: Mul,
        applies: Operation::min_by_minus_one,
        replacement: Operator(Sub),
    },
    Row {
        name: "mul-overflow",
        op: Mul,
        applies: Operation::overflows,
        replacement: Operator(Div),
    },
    Row { name: "div-zero", op: Div, applies: Operation::by_zero, replacement: Operator(Mul) },
    Row {
        name: "div-min",
        op: Div,
        applies: Operation::min_by_minus_one,
        replacement: Operator(Sub),
    },
    Row { name: "rem-zero", op: Rem, applies: Operation::by_zero, replacement: Operator(Mul) },
    Row {
        name: "rem-min",
        op: Rem,
        applies: Operation::min_by_minus_one,
        replacement: Operator(Sub),
    },
    Row {
        name: "shl-amount-min",
        op: Shl,
        applies: Operation::amount_is_min,
        replacement: Replacement::Left,
    },
    Row {
        name: "shl-left-min",
        op: Shl,
        applies: Operation::left_is_min,
        replacement: Replacement::Right,
    },
    Row {
        name: "shl-left-negative",
        op: Shl,
        applies: Operation::left_is_negative,
        replacement: RaiseLeft,
    },
    Row {
        name: "shl-amount-negative",
        op: Shl,
        applies: Operation::amount_is_negative,
        replacement: RaiseRight,
    },
    Row {
        name: "shl-amount-large",
        op: Shl,
        applies: Operation::amount_is_large,
        replacement: LowerRight,
    },
    Row {
        name: "shr-amount-min",
        op: Shr,
        applies: Operation::amount_is_min,
        replacement: Replacement::Left,
    },
    Row {
        name: "shr-left-min",
        op: Shr,
        applies: Operation::left_is_min,
        replacement: Replacement::Right,
    },
    Row {
        name: "shr-left-negative",
        op: Shr,
        applies: Operation::left_is_negative,
        replacement: RaiseLeft,
    },
    Row {
        name: "shr-amount-negative",
        op: Shr,
        applies: Operation::amount_is_negative,
        replacement: RaiseRight,
    },
    Row {
        name: "shr-amount-large",
        op: Shr,
        applies: Operation::amount_is_large,
        replacement: LowerRight,
    },
];

/// Whether `-a` overflows; `+a` then takes its place.
#[inline]
#[must_use]
pub fn negation_is_unsafe(a: i64, shape: Shape) -> bool {
    shape.signed && a == shape.min()
}

impl Operation {
    /// Whether executing the operation is undefined, or implementation-defined (a negative value
    /// shifted right, the rows marked † in the paper).
    #[inline]
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        match self.op {
            Add | Sub | Mul => self.overflows(),
            Div | Rem => self.b == 0 || self.min_by_minus_one(),
            Shl | Shr => {
                self.left_is_negative() || self.amount_is_negative() || self.amount_is_large()
            }
            _ => false,
        }
    }

    /// The replacement for an unsafe operation: that of the first row that matches.
    #[must_use]
    pub fn replacement(&self) -> Option<Replacement> {
        ROWS.iter().find(|row| row.op == self.op && (row.applies)(self)).map(|row| row.replacement)
    }

    /// The lowest and highest `c` of `RaiseRight` and `LowerRight`, inclusive.
    #[must_use]
    pub fn amounts(&self) -> (i64, i64) {
        let room = i64::from(self.room());
        if self.amount_is_negative() {
            // c itself must fit, which matters next to MIN. The paper does not say so.
            (-self.b, (-self.b).saturating_add(room).min(self.right.max()))
        } else {
            // As unsigned numbers: b may be 2⁶³ or more.
            ((self.b as u64 - room as u64) as i64, self.b)
        }
    }

    /// The result; the operation must be safe.
    #[inline(always)]
    #[must_use]
    pub fn result(&self) -> i64 {
        let (a, b) = (self.a, self.b);
        let value = match self.op {
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            Div if self.left.signed => a / b,
            Div => (a as u64 / b as u64) as i64,
            Rem if self.left.signed => a % b,
            Rem => (a as u64 % b as u64) as i64,
            Shl => a << b,
            Shr if self.left.signed => a >> b,
            Shr => (a as u64 >> b) as i64,
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Eq => return i64::from(a == b),
            BinaryOp::Ne => return i64::from(a != b),
            BinaryOp::Lt => return i64::from(self.less(a, b)),
            BinaryOp::Gt => return i64::from(self.less(b, a)),
            BinaryOp::Le => return i64::from(!self.less(b, a)),
            BinaryOp::Ge => return i64::from(!self.less(a, b)),
            BinaryOp::LogAnd => return i64::from(a != 0 && b != 0),
            BinaryOp::LogOr => return i64::from(a != 0 || b != 0),
        };
        wrap(value, self.left.width, self.left.signed)
    }

    fn less(&self, a: i64, b: i64) -> bool {
        if self.left.signed { a < b } else { (a as u64) < b as u64 }
    }

    fn overflows(&self) -> bool {
        if !self.left.signed {
            return false;
        }
        let (result, wrapped) = match self.op {
            Add => self.a.overflowing_add(self.b),
            Sub => self.a.overflowing_sub(self.b),
            _ => self.a.overflowing_mul(self.b),
        };
        wrapped || !self.left.holds(result)
    }

    fn by_zero(&self) -> bool {
        self.b == 0
    }

    fn min_by_minus_one(&self) -> bool {
        self.left.signed && self.b == -1 && self.a == self.left.min()
    }

    fn amount_is_min(&self) -> bool {
        self.right.signed && self.b == self.right.min()
    }

    fn amount_is_negative(&self) -> bool {
        self.right.signed && self.b < 0
    }

    fn amount_is_large(&self) -> bool {
        !self.amount_is_negative() && self.b as u64 > u64::from(self.room())
    }

    fn left_is_negative(&self) -> bool {
        self.left.signed && !self.negative_shifts && self.a < 0
    }

    fn left_is_min(&self) -> bool {
        self.left_is_negative() && self.a == self.left.min()
    }

    /// The largest amount that the left operand may be shifted by.
    fn room(&self) -> u32 {
        let widest = self.left.width - 1;
        if self.op == Shr || !self.left.signed || self.negative_shifts || self.a <= 0 {
            widest
        } else {
            widest - (64 - self.a.leading_zeros())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the standard calls undefined, said without the code above: in wide arithmetic.
    fn is_defined(o: &Operation) -> bool {
        let (a, b) = (i128::from(o.a), i128::from(o.b));
        let fits = |value: i128| {
            !o.left.signed
                || (value >= -(1 << (o.left.width - 1)) && value < 1 << (o.left.width - 1))
        };
        match o.op {
            Add => fits(a + b),
            Sub => fits(a - b),
            Mul => fits(a * b),
            Div | Rem => b != 0 && fits(a / b),
            Shl | Shr if b < 0 || b >= i128::from(o.left.width) => false,
            Shl => o.negative_shifts || a >= 0 && fits(a << b),
            Shr => o.negative_shifts || a >= 0,
            _ => true,
        }
    }

    /// Applies rows with every `c` in turn and checks that each end is safe.
    fn check_all_repairs(o: Operation, steps: usize) {
        assert_eq!(o.is_unsafe(), !is_defined(&o), "{o:?}");
        if is_defined(&o) {
            return;
        }
        assert!(steps < MAX_STEPS, "no end: {o:?}");
        match o.replacement().unwrap_or_else(|| panic!("no row for {o:?}")) {
            Operator(op) => check_all_repairs(Operation { op, ..o }, MAX_STEPS),
            Replacement::Left | Replacement::Right => {}
            RaiseLeft => {
                let sum = Operation { op: Add, b: o.left.max(), right: o.left, ..o };
                assert!(is_defined(&sum), "{sum:?}");
                check_all_repairs(Operation { a: sum.result(), ..o }, steps + 1);
            }
            by @ (RaiseRight | LowerRight) => {
                let op = if by == RaiseRight { Add } else { Sub };
                let (low, high) = o.amounts();
                assert!(low <= high || !o.right.signed, "{o:?}");
                let mut c = low;
                loop {
                    assert!(wrap(c, o.right.width, o.right.signed) == c, "{c} too large: {o:?}");
                    let amount = Operation { op, a: o.b, b: c, left: o.right, ..o };
                    assert!(is_defined(&amount), "{amount:?}");
                    let fixed = Operation { b: amount.result(), ..o };
                    assert!(is_defined(&fixed), "{fixed:?} of {o:?}");
                    if c == high {
                        break;
                    }
                    c += 1;
                }
            }
        }
    }

    #[test]
    fn every_repair_of_every_four_bit_operation_is_safe() {
        let shapes = [false, true].map(|signed| Shape { width: 4, signed });
        let mut repaired = 0;
        for op in BinaryOp::ALL {
            for (left, right) in shapes.iter().flat_map(|l| shapes.iter().map(move |r| (*l, *r))) {
                if !matches!(op, Shl | Shr) && left != right {
                    continue;
                }
                for a in left.min()..=left.max() {
                    for b in right.min()..=right.max() {
                        for negative_shifts in [false, true] {
                            let o = Operation { op, a, b, left, right, negative_shifts };
                            repaired += u32::from(o.is_unsafe());
                            check_all_repairs(o, 0);
                        }
                    }
                }
            }
        }
        assert!(repaired > 1000, "only {repaired} unsafe operations were met");
    }

    #[test]
    fn results_wrap_to_the_width() {
        let shape = Shape { width: 4, signed: true };
        let shift =
            Operation { op: Shl, a: -3, b: 2, left: shape, right: shape, negative_shifts: true };
        assert_eq!(shift.result(), 4, "-12 modulo 16, as C++20 has it");
        assert!(negation_is_unsafe(-8, shape) && !negation_is_unsafe(-7, shape));
    }
}
