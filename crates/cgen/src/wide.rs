//! Integers beyond 64 bits and of odd widths: `__int128`, and C23's `_BitInt(N)`.
//!
//! As with vectors, a statement is a block of its own: two variables made of expressions, some
//! operations, and what they give goes into data. Widths stay within 128 bits, which is what all
//! compilers that know `_BitInt` have.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::standard::DataModel;
use crate::writer::Writer;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WideType {
    bits: u32,
    signed: bool,
    /// Whether it is `_BitInt(bits)`; else it is `__int128`.
    bit_int: bool,
}

/// The operators between two variables; shifts have amounts of their own.
const OPERATORS: [BinaryOp; 9] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];

impl WideType {
    fn print(self, out: &mut Writer) {
        if !self.signed {
            out.text(b"unsigned ", 1);
        }
        if self.bit_int {
            out.text(b"_BitInt(", 2);
            out.digits(u64::from(self.bits));
            out.text(b")", 2);
        } else {
            out.text(b"__int128", 1);
        }
    }

    /// The lowest bits of a number as a value of the type; 128 unsigned bits are kept as they are.
    fn wrap(self, value: i128) -> i128 {
        let shift = 128 - self.bits;
        if self.signed {
            (value << shift) >> shift
        } else {
            (((value as u128) << shift) >> shift) as i128
        }
    }

    /// The type in which two operands are computed with: neither is promoted, the wider one wins, and
    /// at equal widths the unsigned one.
    fn common(self, other: WideType) -> WideType {
        if self.bits == other.bits {
            return WideType { signed: self.signed && other.signed, ..self };
        }
        if self.bits > other.bits { self } else { other }
    }

    fn less(self, a: i128, b: i128) -> bool {
        if self.signed { a < b } else { (a as u128) < b as u128 }
    }

    /// The result for operands of the type; none if it is undefined.
    fn result(self, op: BinaryOp, a: i128, b: i128) -> Option<i128> {
        use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub};
        if matches!(op, Div | Rem) && b == 0 {
            return None;
        }
        if matches!(op, Shl | Shr) && (!(0..i128::from(self.bits)).contains(&b)) {
            return None;
        }
        if !self.signed {
            let (a, b) = (a as u128, b as u128);
            let result = match op {
                Add => a.wrapping_add(b),
                Sub => a.wrapping_sub(b),
                Mul => a.wrapping_mul(b),
                Div => a / b,
                Rem => a % b,
                Shl => a << b,
                Shr => a >> b,
                And => a & b,
                Or => a | b,
                _ => a ^ b,
            };
            return Some(self.wrap(result as i128));
        }
        let exact = match op {
            Add => a.checked_add(b)?,
            Sub => a.checked_sub(b)?,
            Mul => a.checked_mul(b)?,
            Div => a.checked_div(b)?,
            // Undefined where the quotient is.
            Rem => self.result(Div, a, b).map(|_| a % b)?,
            Shl | Shr if a < 0 => return None,
            Shl if a.leading_zeros() as i128 <= b => return None,
            Shl => a << b,
            Shr => a >> b,
            And => a & b,
            Or => a | b,
            _ => a ^ b,
        };
        (self.wrap(exact) == exact).then_some(exact)
    }
}

/// A variable with its values by lane.
struct Variable {
    ty: WideType,
    name: u8,
    values: Vec<i128>,
}

impl Body<'_> {
    /// Whether `__int128` can be had: machines of 32 bits have none.
    pub(crate) fn may_use_int128(&self) -> bool {
        self.options.allows(Construct::Int128)
            && self.options.allows(Construct::Casts)
            && self.options.data_model == DataModel::Lp64
    }

    /// A block of `__int128`.
    pub(crate) fn int128(&mut self, context: Context) {
        let sign = self.random.next_u64();
        let ty = |signed| WideType { bits: 128, signed, bit_int: false };
        self.wide(ty(sign & 1 == 0), ty(sign & 2 == 0), context);
    }

    /// Whether `_BitInt` can be had.
    pub(crate) fn may_use_bit_int(&self) -> bool {
        self.options.allows(Construct::BitInt) && self.options.allows(Construct::Casts)
    }

    /// A block of `_BitInt`.
    pub(crate) fn bit_int(&mut self, context: Context) {
        let mut draw = || {
            let bits = match self.random.below(4) {
                0 => [8, 16, 24, 32, 33, 48, 63, 64, 65, 96, 127, 128][self.random.index(12)],
                _ => self.random.range(2, 128) as u32,
            };
            WideType { bits, signed: self.random.next_u64() & 1 == 0, bit_int: true }
        };
        let (x, y) = (draw(), draw());
        self.wide(x, y, context);
    }

    fn wide(&mut self, x: WideType, y: WideType, context: Context) {
        self.out.text(b"{\n", 1);
        let mut x = self.wide_variable(b'x', x, context);
        let y = self.wide_variable(b'y', y, context);
        for _ in 0..2 + self.random.below(4) {
            self.wide_step(&mut x, &y, context);
        }
        for _ in 0..=self.random.below(2) {
            self.read_wide(&x, &y);
        }
        self.out.text(b"}\n", 1);
    }

    /// `__int128 x=(__int128)(…);`
    fn wide_variable(&mut self, name: u8, ty: WideType, context: Context) -> Variable {
        let depth = self.statement_depth().min(3);
        let value = self.expression(depth, context);
        ty.print(&mut self.out);
        self.out.space(b' ');
        self.out.mark(name);
        self.out.text(b"=(", 2);
        ty.print(&mut self.out);
        self.out.text(b")(", 2);
        self.print(value);
        self.out.text(b");\n", 2);
        let node = self.node(value);
        let number = |lane| {
            let value = self.value_in(&node, lane);
            ty.wrap(if node.ty.is_signed() { value.into() } else { (value as u64).into() })
        };
        let values = (0..self.lanes.count()).map(number).collect();
        self.clear_nodes();
        Variable { ty, name, values }
    }

    fn wide_step(&mut self, x: &mut Variable, y: &Variable, context: Context) {
        match self.random.below(8) {
            0 => self.wide_unary(x),
            1 | 2 => self.wide_shift(x, context),
            3 => {
                let common = x.ty.common(y.ty);
                self.out.text(b"x=x<y?y:x;\n", 10);
                for (x_value, y_value) in x.values.iter_mut().zip(&y.values) {
                    let (a, b) = (common.wrap(*x_value), common.wrap(*y_value));
                    *x_value = x.ty.wrap(if common.less(a, b) { b } else { a });
                }
            }
            _ => {
                let common = x.ty.common(y.ty);
                let drawn = *self.random.pick(&OPERATORS);
                // Exclusive or is always defined.
                for op in [drawn, BinaryOp::Xor] {
                    let pairs = x.values.iter().zip(&y.values);
                    let result = |(a, b): (&i128, &i128)| {
                        common.result(op, common.wrap(*a), common.wrap(*b))
                    };
                    let results: Option<Vec<i128>> = pairs.map(result).collect();
                    if let Some(results) = results {
                        if self.random.next_u64() & 1 == 0 {
                            self.out.text(b"x=x", 3);
                            self.out.text(op.text(), 1);
                        } else {
                            self.out.text(b"x", 1);
                            self.out.text(op.text(), 0);
                            self.out.mark(b'=');
                        }
                        self.out.text(b"y;\n", 2);
                        x.values = results.into_iter().map(|value| x.ty.wrap(value)).collect();
                        return;
                    }
                }
            }
        }
    }

    /// `x=~x;` or, where it is defined, `x=-x;`
    fn wide_unary(&mut self, x: &mut Variable) {
        let negate = |value: &i128| x.ty.result(BinaryOp::Sub, 0, *value);
        let negated: Option<Vec<i128>> = x.values.iter().map(negate).collect();
        match negated.filter(|_| self.random.next_u64() & 1 == 0) {
            Some(negated) => {
                self.out.text(b"x=-x;\n", 5);
                x.values = negated;
            }
            None => {
                self.out.text(b"x=~x;\n", 5);
                x.values.iter_mut().for_each(|value| *value = x.ty.wrap(!*value));
            }
        }
    }

    /// `x<<=65;`, `x=x>>65;`, or by an amount that is computed; nothing where all are undefined.
    fn wide_shift(&mut self, x: &mut Variable, context: Context) {
        let amount = if x.ty.bits > 31 && self.random.below(3) == 0 {
            let value = self.expression(1, context);
            let mask = self.literal(31, IntType::Int);
            self.binary(BinaryOp::And, value, mask)
        } else {
            let amount = self.random.below(u64::from(x.ty.bits)) as i64;
            self.literal(amount, IntType::Int)
        };
        let node = self.node(amount);
        let left = self.random.below(3) > 0;
        let ops = [BinaryOp::Shl, BinaryOp::Shr];
        for op in if left { ops } else { [ops[1], ops[0]] } {
            let lanes = x.values.iter().enumerate();
            let result = |(lane, value): (usize, &i128)| {
                x.ty.result(op, *value, self.value_in(&node, lane).into())
            };
            let results: Option<Vec<i128>> = lanes.map(result).collect();
            if let Some(results) = results {
                let assigns: &[u8] = if op == BinaryOp::Shl { b"x<<=" } else { b"x>>=" };
                self.out.text(assigns, 2);
                self.print(amount);
                self.end_statement();
                x.values = results;
                break;
            }
        }
        self.clear_nodes();
    }

    /// `m0=(int)(x>>70);`, `m0=x<y;` and so on.
    fn read_wide(&mut self, x: &Variable, y: &Variable) {
        let mut text = Writer::default();
        let common = x.ty.common(y.ty);
        let pairs =
            || x.values.iter().zip(&y.values).map(|(a, b)| (common.wrap(*a), common.wrap(*b)));
        let (ty, values): (IntType, Vec<i64>) = match self.random.below(6) {
            0 => {
                text.text(b"(x<y)", 5);
                (IntType::Int, pairs().map(|(a, b)| common.less(a, b).into()).collect())
            }
            1 => {
                text.text(b"(x==y)", 5);
                (IntType::Int, pairs().map(|(a, b)| (a == b).into()).collect())
            }
            2 => {
                text.text(b"!x", 2);
                (IntType::Int, x.values.iter().map(|value| (*value == 0).into()).collect())
            }
            _ => {
                let ty = *self.random.pick(&self.environment.types);
                let (spelling, tokens) = ty.spelling(self.cxx);
                let amount = self.random.below(u64::from(x.ty.bits));
                let shift = |value: &i128| x.ty.result(BinaryOp::Shr, *value, amount.into());
                let shifted: Option<Vec<i128>> = x.values.iter().map(shift).collect();
                text.mark(b'(');
                text.text(spelling, tokens);
                text.mark(b')');
                let values = match shifted {
                    Some(shifted) => {
                        text.mark(b'(');
                        text.mark(x.name);
                        text.text(b">>", 1);
                        text.digits(amount);
                        text.text(b")", 2);
                        shifted
                    }
                    None => {
                        text.mark(x.name);
                        x.values.clone()
                    }
                };
                let convert = |value: i128| match ty {
                    IntType::Bool => i64::from(value != 0),
                    _ => self.rules.convert(value as i64, ty),
                };
                (ty, values.into_iter().map(convert).collect())
            }
        };
        let node = self.spelled(text, ty, &values);
        self.use_spelled(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn bit_int(bits: u32, signed: bool) -> WideType {
        WideType { bits, signed, bit_int: true }
    }

    #[test]
    fn results_wrap_if_unsigned_and_are_none_where_they_would_overflow() {
        let (u, s) = (bit_int(5, false), bit_int(5, true));
        assert_eq!(u.result(BinaryOp::Add, 31, 2), Some(1));
        assert_eq!(u.result(BinaryOp::Sub, 0, 1), Some(31));
        assert_eq!(s.result(BinaryOp::Add, 15, 1), None);
        assert_eq!(s.result(BinaryOp::Mul, -4, 4), Some(-16));
        assert_eq!(s.result(BinaryOp::Div, -16, -1), None);
        assert_eq!(s.result(BinaryOp::Rem, -16, -1), None);
        assert_eq!(s.result(BinaryOp::Rem, -7, 4), Some(-3));
        assert_eq!(s.result(BinaryOp::Shl, 3, 2), Some(12));
        assert_eq!(s.result(BinaryOp::Shl, 3, 3), None, "into the sign");
        assert_eq!(s.result(BinaryOp::Shr, -1, 1), None, "implementation-defined");
        assert_eq!(u.result(BinaryOp::Shl, 31, 5), None, "by its width");
        let wide = WideType { bits: 128, signed: false, bit_int: false };
        assert_eq!(wide.result(BinaryOp::Sub, 0, 1), Some(-1), "all bits");
        assert_eq!(wide.result(BinaryOp::Shr, -1, 127), Some(1));
        assert!(wide.less(1, -1));
        let wide = WideType { signed: true, ..wide };
        assert_eq!(wide.result(BinaryOp::Mul, i128::MIN, -1), None);
        assert_eq!(wide.result(BinaryOp::Shl, 1, 127), None);
    }

    #[test]
    fn the_wider_type_wins_and_at_equal_widths_the_unsigned_one() {
        assert_eq!(bit_int(5, false).common(bit_int(6, true)), bit_int(6, true));
        assert_eq!(bit_int(5, true).common(bit_int(5, false)), bit_int(5, false));
        assert_eq!(bit_int(9, false).common(bit_int(5, true)), bit_int(9, false));
    }
}
