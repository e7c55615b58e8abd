//! Putting nodes together: each is typed, evaluated and made safe when it is built, so every
//! subtree is free of undefined behaviour before anything is built on it.

use crate::body::Body;
use crate::int_type::{IntType, wrap};
use crate::node::{Node, NodeId, NodeKind};
use crate::operator::{BinaryOp, UnaryOp};
use crate::rewrite::{Operation, Replacement, Shape, negation_is_unsafe};

impl Body<'_> {
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: NodeKind, ty: IntType, size: u16, value: i64) -> NodeId {
        self.nodes.push(Node { kind, ty, size, varies: false, value });
        self.nodes.len() as NodeId - 1
    }

    #[inline]
    pub(crate) fn shape(&self, ty: IntType) -> Shape {
        Shape { width: self.rules.width(ty), signed: ty.is_signed() }
    }

    /// The value of a place.
    pub(crate) fn read(&mut self, place: u32, other: bool) -> NodeId {
        let index = self.environment.memory.cell_of(place);
        let cell = self.environment.memory.cells[index as usize];
        let kind = NodeKind::Place { place, other };
        if cell.bits == 0 {
            return self.push_place(kind, cell.ty, index, cell.value);
        }
        if cell.ty > IntType::UInt {
            // C++ says that such a bit-field is promoted by its width and otherwise keeps its
            // declared type, GCC gives it a type of its own; a cast leaves no doubt.
            let field = self.push_place(kind, cell.ty, index, cell.value);
            return self.cast(cell.ty, field);
        }
        // A bit-field whose values all fit is promoted to int, else to unsigned.
        let fits = cell.ty != IntType::UInt || u32::from(cell.bits) < self.rules.width(cell.ty);
        self.push_place(kind, if fits { IntType::Int } else { IntType::UInt }, index, cell.value)
    }

    #[inline]
    fn push_place(&mut self, kind: NodeKind, ty: IntType, cell: u32, value: i64) -> NodeId {
        if self.lanes.is_on() {
            return self.push_place_in_loop(kind, ty, cell, value);
        }
        self.push(kind, ty, 1, value)
    }

    /// A literal; below `int` there are none, so those are `int`.
    pub(crate) fn literal(&mut self, value: i64, ty: IntType) -> NodeId {
        self.push(NodeKind::Literal, ty.promoted(), 1, value)
    }

    /// A unary operation.
    pub(crate) fn unary(&mut self, mut op: UnaryOp, operand: NodeId) -> NodeId {
        let Node { ty, value, size, varies, .. } = self.node(operand);
        if varies {
            return self.unary_in_lanes(op, operand);
        }
        let promoted = ty.promoted();
        let shape = self.shape(promoted);
        if op == UnaryOp::Minus && negation_is_unsafe(value, shape) {
            op = UnaryOp::Plus;
            self.statistics.rewrites += 1;
        }
        let (ty, value) = match op {
            UnaryOp::Plus => (promoted, value),
            UnaryOp::Minus => (promoted, wrap(value.wrapping_neg(), shape.width, shape.signed)),
            UnaryOp::Complement => (promoted, wrap(!value, shape.width, shape.signed)),
            UnaryOp::Not => (IntType::Int, i64::from(value == 0)),
        };
        self.push(NodeKind::Unary(op, operand), ty, size.saturating_add(1), value)
    }

    /// A binary operation, or what Table 1 puts in its place.
    pub(crate) fn binary(&mut self, mut op: BinaryOp, mut l: NodeId, mut r: NodeId) -> NodeId {
        use BinaryOp::{Add, Sub};
        loop {
            let (left, right) = (self.node(l), self.node(r));
            if left.varies || right.varies {
                return self.binary_in_lanes(op, l, r);
            }
            let (left_ty, right_ty) = self.operand_types(op, left.ty, right.ty);
            let operation = Operation {
                op,
                // Logical operators compare each operand with 0, which conversion to the common
                // type cannot change: it is never narrower.
                a: self.rules.convert(left.value, left_ty),
                b: self.rules.convert(right.value, right_ty),
                left: self.shape(left_ty),
                right: self.shape(right_ty),
                negative_shifts: self.negative_shifts,
            };
            if !operation.is_unsafe() {
                let ty = if op.is_arithmetic() { left_ty } else { IntType::Int };
                let size = left.size.saturating_add(right.size).saturating_add(1);
                return self.push(NodeKind::Binary(op, l, r), ty, size, operation.result());
            }
            self.statistics.rewrites += 1;
            match operation.replacement().expect("Table 1 has a row for every unsafe operation") {
                Replacement::Operator(other) => op = other,
                Replacement::Left => return l,
                Replacement::Right => return r,
                Replacement::RaiseLeft => {
                    let max = self.literal(self.rules.max(left_ty), left_ty);
                    l = self.binary(Add, l, max);
                }
                by @ (Replacement::RaiseRight | Replacement::LowerRight) => {
                    let (low, high) = operation.amounts();
                    let span = high.wrapping_sub(low) as u64;
                    let amount = low.wrapping_add(self.random.below(span + 1) as i64);
                    let amount = self.literal(amount, right_ty);
                    let by = if by == Replacement::RaiseRight { Add } else { Sub };
                    r = self.binary(by, r, amount);
                }
            }
        }
    }

    /// The types that operands are converted to.
    #[inline]
    pub(crate) fn operand_types(
        &self,
        op: BinaryOp,
        left: IntType,
        right: IntType,
    ) -> (IntType, IntType) {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return (left.promoted(), right.promoted());
        }
        let common = self.rules.common(left, right);
        (common, common)
    }

    /// A conditional expression. The operand that is not chosen is as safe as the other.
    pub(crate) fn ternary(&mut self, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        let (yes, no) = (self.without_bit_field(yes), self.without_bit_field(no));
        let (c, a, b) = (self.node(condition), self.node(yes), self.node(no));
        // C++ leaves two operands of the same small type as they are where C promotes them; all
        // that is done with the result promotes it, so the difference cannot be seen.
        let ty = self.rules.common(a.ty, b.ty);
        if c.varies || a.varies || b.varies {
            return self.ternary_in_lanes(condition, yes, no, ty);
        }
        let value = self.rules.convert(if c.value != 0 { a.value } else { b.value }, ty);
        let size = c.size.saturating_add(a.size).saturating_add(b.size).saturating_add(1);
        self.push(NodeKind::Ternary(condition, yes, no), ty, size, value)
    }

    /// In C++ a conditional of two bit-fields is itself a bit-field, and compilers differ in how
    /// it is promoted; `+` promotes first.
    fn without_bit_field(&mut self, id: NodeId) -> NodeId {
        let NodeKind::Place { place, .. } = self.node(id).kind else { return id };
        let memory = &self.environment.memory;
        let is_bit_field = memory.cells[memory.cell_of(place) as usize].bits > 0;
        if self.cxx && is_bit_field { self.unary(UnaryOp::Plus, id) } else { id }
    }

    /// A cast.
    pub(crate) fn cast(&mut self, ty: IntType, operand: NodeId) -> NodeId {
        let Node { value, size, varies, .. } = self.node(operand);
        if varies {
            return self.cast_in_lanes(ty, operand);
        }
        let value = self.rules.convert(value, ty);
        self.push(NodeKind::Cast(operand), ty, size.saturating_add(1), value)
    }
}
