//! Floating point that every compiler computes alike.
//!
//! Every operation has an exact result: no rounding takes place, so that contraction to fused
//! operations, the wider registers of x87 and the widths of `long double` cannot be seen. Values are
//! multiples of 2^-20 below 2^22; in memory, in grids of their own, of 2^-6 below 2^20. There are no
//! infinities and no NaN, and nothing asks for the sign of a zero.

use crate::aggregate::Category;
use crate::body::Body;
use crate::grid::Access;
use crate::int_type::IntType;
use crate::node::NodeKind;
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::writer::Writer;

/// A type of floating point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum RealType {
    Float,
    Double,
    LongDouble,
}

impl RealType {
    /// The types.
    pub const ALL: [RealType; 3] = [RealType::Float, RealType::Double, RealType::LongDouble];

    /// The spelling, and how many tokens it has.
    pub fn spelling(self) -> (&'static [u8], u64) {
        match self {
            RealType::Float => (b"float", 1),
            RealType::Double => (b"double", 1),
            RealType::LongDouble => (b"long double", 2),
        }
    }
}

/// An expression: how it is written, its values by lane, and its type; none for an `int`.
struct Real {
    text: Writer,
    values: Vec<f64>,
    ty: Option<RealType>,
}

/// Whether a value may be that of an expression of the type.
fn is_plain(value: f64, ty: Option<RealType>) -> bool {
    let exact = ty != Some(RealType::Float) || f64::from(value as f32) == value;
    exact && value.abs() <= 4_194_304.0 && (value * 1_048_576.0).fract() == 0.0
}

/// Whether memory may hold a value.
fn is_storable(value: f64, ty: RealType) -> bool {
    is_plain(value, Some(ty)) && value.abs() <= 1_048_576.0 && (value * 64.0).fract() == 0.0
}

/// The exact result of an operation; none where there is no plain one.
fn exact(op: BinaryOp, a: f64, b: f64, ty: Option<RealType>) -> Option<f64> {
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul if a.mul_add(b, -(a * b)) == 0.0 => a * b,
        BinaryOp::Div if b != 0.0 && (a / b).mul_add(b, -a) == 0.0 => a / b,
        _ => return None,
    };
    is_plain(result, ty).then_some(result)
}

/// A quotient that is small, and far enough from any integer for all roundings to agree on its
/// integer part. Operands are exact, so a `float`'s is off by 2^-24 of itself at most; options that
/// approximate quotients are off by a few times that.
fn safe_quotient(a: f64, b: f64) -> Option<f64> {
    let quotient = a / b;
    let distance = (quotient - quotient.round()).abs();
    let is_safe = b != 0.0 && quotient.abs() < 1_048_576.0;
    (is_safe && distance > (1.0 + quotient.abs()) / 262_144.0).then_some(quotient)
}

/// The most depth of expressions.
const DEPTH: u32 = 2;

impl Body<'_> {
    /// Whether there is anything to compute with.
    pub(crate) fn may_use_reals(&self) -> bool {
        self.environment.integer_grids < self.environment.grids.len()
    }

    /// A statement of floating point.
    pub(crate) fn reals(&mut self, context: Context) {
        let value = self.real(DEPTH, context);
        match self.random.below(5) {
            0 => self.real_to_integer(&value),
            4 => self.quotient(value, context),
            1 => self.real_recurrence(value),
            _ => self.store_real(&value),
        }
    }

    /// A grid of floating point, and its type.
    fn draw_real_grid(&mut self, may: fn(Category) -> bool) -> Option<(u32, RealType)> {
        let (first, all) = (self.environment.integer_grids, self.environment.grids.len());
        let start = self.random.index(all - first);
        let grids = &self.environment.grids;
        let at = (0..all - first)
            .map(|at| first + (start + at) % (all - first))
            .find(|at| may(grids[*at].category))?;
        Some((at as u32, grids[at].real.expect("grids from the first real one on are real")))
    }

    fn real(&mut self, depth: u32, context: Context) -> Real {
        if depth == 0 || self.random.below(5) == 0 {
            return self.real_leaf(context);
        }
        let (a, mut b) = (self.real(depth - 1, context), self.real(depth - 1, context));
        if self.random.below(6) == 0 {
            return lesser(&a, &b);
        }
        let drawn = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];
        let drawn = drawn[self.random.index(4)];
        if drawn == BinaryOp::Div && self.random.below(4) > 0 {
            // Few other quotients are exact.
            b = self.power_of_two();
        }
        let ty = a.ty.max(b.ty);
        if ty.is_none() && drawn == BinaryOp::Div {
            // The quotient of two integers is an integer.
            return a;
        }
        for op in [drawn, BinaryOp::Sub, BinaryOp::Add] {
            let pairs = a.values.iter().zip(&b.values);
            let values: Option<Vec<f64>> = pairs.map(|(a, b)| exact(op, *a, *b, ty)).collect();
            if let Some(values) = values {
                let mut text = Writer::default();
                text.mark(b'(');
                text.append(&a.text);
                text.text(op.text(), 1);
                text.append(&b.text);
                text.mark(b')');
                return Real { text, values, ty };
            }
        }
        a
    }

    /// `0.25`, `0.5`, `2.0`, `4.0` or `8.0`.
    fn power_of_two(&mut self) -> Real {
        let powers: [(&[u8], f64); 5] =
            [(b"0.25", 0.25), (b"0.5", 0.5), (b"2.0", 2.0), (b"4.0", 4.0), (b"8.0", 8.0)];
        let (digits, value) = *self.random.pick(&powers);
        let single = self.random.next_u64() & 1 == 0;
        let mut text = Writer::default();
        text.text(digits, 0);
        text.text(if single { b"f" } else { b"" }, 1);
        let ty = if single { RealType::Float } else { RealType::Double };
        Real { text, values: vec![value; self.lanes.count()], ty: Some(ty) }
    }

    /// An element, a literal, or an integer of four bits.
    fn real_leaf(&mut self, context: Context) -> Real {
        let count = self.lanes.count();
        let kind = self.random.below(8);
        if kind < 5
            && let Some((access, values)) = self.draw_real_element()
        {
            let outside = std::mem::take(&mut self.out);
            self.print_access(&access);
            let text = std::mem::replace(&mut self.out, outside);
            return Real { text, values, ty: self.environment.grids[access.grid as usize].real };
        }
        let mut text = Writer::default();
        if kind == 5 {
            let value = self.expression(1, context);
            let mask = self.literal(15, IntType::Int);
            let value = self.binary(BinaryOp::And, value, mask);
            let node = self.node(value);
            let values = (0..count).map(|lane| self.value_in(&node, lane) as f64).collect();
            text.text(b"(int)(", 4);
            text.append(&self.written(value));
            text.mark(b')');
            return Real { text, values, ty: None };
        }
        let quarters = self.random.below(33);
        let single = self.random.next_u64() & 1 == 0;
        text.digits(quarters / 4);
        text.text([b".0", b".2", b".5", b".7"][quarters as usize % 4], 0);
        text.text(if quarters % 2 == 1 { b"5" } else { b"" }, 0);
        text.text(if single { b"f" } else { b"" }, 1);
        let ty = if single { RealType::Float } else { RealType::Double };
        Real { text, values: vec![quarters as f64 / 4.0; count], ty: Some(ty) }
    }

    /// An element to read with its values; none if a lane may not read it.
    pub(crate) fn draw_real_element(&mut self) -> Option<(Access, Vec<f64>)> {
        let (grid, _) = self.draw_real_grid(|category| category != Category::Output)?;
        let access = self.draw_access(grid);
        let values = self.real_elements(&access)?;
        Some((access, values))
    }

    /// The values of an element; none if a lane may not read it.
    fn real_elements(&mut self, access: &Access) -> Option<Vec<f64>> {
        let mut cells = std::mem::take(&mut self.cells);
        self.cells_of(access, &mut cells);
        let may = cells.iter().enumerate().all(|(lane, cell)| self.lanes.may_read(*cell, lane));
        let values = may.then(|| {
            for (lane, cell) in cells.iter().enumerate() {
                self.lanes.read_element(*cell, lane);
            }
            cells.iter().map(|cell| self.real_in(*cell)).collect()
        });
        self.cells = cells;
        values
    }

    /// What a cell of a real grid holds.
    fn real_in(&self, cell: u32) -> f64 {
        f64::from_bits(self.environment.memory.cells[cell as usize].value as u64)
    }

    /// `d0[i] = value;`, or an integer where no element may be written or holds the value.
    fn store_real(&mut self, value: &Real) {
        let Some((access, ty)) = self.real_to_write() else {
            return self.real_to_integer(value);
        };
        if !value.values.iter().all(|value| is_storable(*value, ty)) {
            return self.real_to_integer(value);
        }
        self.print_access(&access);
        self.out.mark(b'=');
        self.out.append(&value.text);
        self.end_statement();
        let mut cells = std::mem::take(&mut self.cells);
        self.cells_of(&access, &mut cells);
        for (lane, (cell, value)) in cells.iter().zip(&value.values).enumerate() {
            self.environment.memory.put(*cell, value.to_bits() as i64);
            self.lanes.write_element(*cell, lane);
        }
        self.cells = cells;
    }

    /// An element that every lane may write.
    pub(crate) fn real_to_write(&mut self) -> Option<(Access, RealType)> {
        let (grid, ty) = self.draw_real_grid(|category| category != Category::Input)?;
        let access = self.draw_access(grid);
        self.may_store(&access).then_some((access, ty))
    }

    /// Elements of one grid: one to write, and one that the lanes before may have written.
    pub(crate) fn draw_recurrence(&mut self) -> Option<(Access, Access)> {
        let (to, _) = self.real_to_write()?;
        if self.environment.grids[to.grid as usize].category == Category::Output {
            return None;
        }
        let from = self.draw_access(to.grid);
        Some((to, from))
    }

    /// `m0 = (int)value;`
    fn real_to_integer(&mut self, value: &Real) {
        let target = self.draw_mixed_target();
        if !self.may_write(&target) {
            // Nothing is left to write: the value is computed for nothing.
            self.out.text(b"(void)", 3);
            self.out.append(&value.text);
            return self.end_statement();
        }
        self.print_target(&target);
        self.out.text(b"=(int)", 4);
        // An element or a literal has no parentheses of its own, and needs none.
        self.out.append(&value.text);
        self.end_statement();
        let start = self.lanes.values.len();
        let whole = |value: &f64| value.trunc() as i64;
        let node = if self.lanes.is_on() {
            self.lanes.values.extend(value.values.iter().map(whole));
            self.push_varying(NodeKind::Literal, IntType::Int, 1, start)
        } else {
            self.push(NodeKind::Literal, IntType::Int, 1, whole(&value.values[0]))
        };
        self.store_target(&target, node);
    }

    /// `m0 = (int)(value / other);` where rounding cannot change the integer: the exact quotient is
    /// further from any integer than any type of floating point rounds.
    fn quotient(&mut self, value: Real, context: Context) {
        let other = self.real(1, context);
        let quotients = value.values.iter().zip(&other.values).map(|(a, b)| safe_quotient(*a, *b));
        let quotients: Option<Vec<f64>> = quotients.collect();
        let ty = value.ty.max(other.ty);
        let (Some(values), Some(_)) = (quotients, ty) else { return self.store_real(&value) };
        let mut text = Writer::default();
        text.mark(b'(');
        text.append(&value.text);
        text.mark(b'/');
        text.append(&other.text);
        text.mark(b')');
        self.real_to_integer(&Real { text, values, ty });
    }

    /// `d0[i] = d0[i-1] + value;`, lane by lane; a store where that is not exact.
    fn real_recurrence(&mut self, value: Real) {
        let Some((to, from)) = self.draw_recurrence() else { return self.store_real(&value) };
        let ty = self.environment.grids[to.grid as usize].real.expect("a grid of reals");
        let (mut written, mut read) = (Vec::new(), Vec::new());
        self.cells_of(&to, &mut written);
        self.cells_of(&from, &mut read);
        let mut before = Vec::new();
        for lane in 0..written.len() {
            let sum = exact(BinaryOp::Add, self.real_in(read[lane]), value.values[lane], Some(ty));
            let sum = sum.filter(|sum| is_storable(*sum, ty));
            let Some(sum) = sum.filter(|_| self.lanes.may_read(read[lane], lane)) else {
                while let Some((cell, bits)) = before.pop() {
                    self.environment.memory.put(cell, bits);
                }
                return self.store_real(&value);
            };
            let cell = written[lane];
            before.push((cell, self.environment.memory.cells[cell as usize].value));
            self.environment.memory.put(cell, sum.to_bits() as i64);
        }
        for lane in 0..written.len() {
            self.lanes.read_element(read[lane], lane);
            self.lanes.write_element(written[lane], lane);
        }
        self.print_access(&to);
        self.out.mark(b'=');
        self.print_access(&from);
        self.out.mark(b'+');
        self.out.append(&value.text);
        self.end_statement();
    }
}

/// `(a<b?a:b)`
fn lesser(a: &Real, b: &Real) -> Real {
    let ty = a.ty.max(b.ty);
    let mut text = Writer::default();
    text.mark(b'(');
    text.append(&a.text);
    text.mark(b'<');
    text.append(&b.text);
    text.mark(b'?');
    text.append(&a.text);
    text.mark(b':');
    text.append(&b.text);
    text.mark(b')');
    let values = a.values.iter().zip(&b.values).map(|(a, b)| if a < b { *a } else { *b });
    Real { text, values: values.collect(), ty }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_results_are_plain() {
        let float = Some(RealType::Float);
        let double = Some(RealType::Double);
        assert_eq!(exact(BinaryOp::Add, 0.25, 4_000_000.0, double), Some(4_000_000.25));
        assert_eq!(exact(BinaryOp::Add, 0.25, 4_000_000.0, float), Some(4_000_000.25));
        assert_eq!(exact(BinaryOp::Add, 0.125, 4_000_000.0, float), None, "25 bits");
        assert_eq!(exact(BinaryOp::Mul, 3000.0, 3000.0, double), None, "too large");
        assert_eq!(exact(BinaryOp::Mul, 0.0009765625, 0.0009765625, double), Some(0.5f64.powi(20)));
        assert_eq!(exact(BinaryOp::Mul, 0.5f64.powi(20), 0.5, double), None, "too fine");
        assert_eq!(exact(BinaryOp::Div, 3.0, 0.25, float), Some(12.0));
        assert_eq!(exact(BinaryOp::Div, 1.0, 3.0, double), None, "it rounds");
        assert_eq!(exact(BinaryOp::Div, 1.0, 0.0, double), None);
        assert_eq!(safe_quotient(7.0, 2.0), Some(3.5));
        assert_eq!(safe_quotient(6.0, 2.0), None, "a rounding below 3 would be 2");
        assert_eq!(safe_quotient(3.0, 0.0), None);
        assert!(
            is_storable(-0.015625, RealType::Float) && !is_storable(0.0078125, RealType::Float)
        );
    }
}
