//! Nodes whose value differs between lanes: evaluated for all of them, and repaired so that every
//! lane is defined.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::{IntType, wrap};
use crate::node::{Node, NodeId, NodeKind};
use crate::operator::{BinaryOp, UnaryOp};
use crate::rewrite::{Operation, negation_is_unsafe};
use BinaryOp::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, Xor};

/// A binary operation in all lanes: its operands, and the types that they are converted to.
#[derive(Clone, Copy)]
struct Wide {
    op: BinaryOp,
    left: Node,
    right: Node,
    left_ty: IntType,
    right_ty: IntType,
}

impl Body<'_> {
    /// A node whose values start at `start`.
    pub(crate) fn push_varying(
        &mut self,
        kind: NodeKind,
        ty: IntType,
        size: u16,
        start: usize,
    ) -> NodeId {
        self.nodes.push(Node { kind, ty, size, varies: true, value: start as i64 });
        self.nodes.len() as NodeId - 1
    }

    /// The value of a node in a lane.
    #[inline]
    pub(crate) fn value_in(&self, node: &Node, lane: usize) -> i64 {
        if node.varies { self.lanes.values[node.value as usize + lane] } else { node.value }
    }

    /// The values of a node in all lanes, converted to a type.
    pub(crate) fn values_as(&self, node: NodeId, ty: IntType) -> Vec<i64> {
        let node = self.node(node);
        let value = |lane| self.rules.convert(self.value_in(&node, lane), ty);
        (0..self.lanes.count()).map(value).collect()
    }

    /// A scalar that is read in a loop: its version, if it was written there.
    pub(crate) fn push_place_in_loop(
        &mut self,
        kind: NodeKind,
        ty: IntType,
        cell: u32,
        value: i64,
    ) -> NodeId {
        self.lanes.read_scalar(cell);
        let start = self.lanes.values.len();
        let mut values = std::mem::take(&mut self.lanes.values);
        let varies = self.lanes.gather(cell, &mut values);
        self.lanes.values = values;
        if varies { self.push_varying(kind, ty, 1, start) } else { self.push(kind, ty, 1, value) }
    }

    /// Appends a value for every lane, made of that of `operand`.
    pub(crate) fn map_lanes(&mut self, operand: NodeId, map: impl Fn(i64) -> i64) -> usize {
        let node = self.node(operand);
        let (from, start) = (node.value as usize, self.lanes.values.len());
        for lane in 0..self.lanes.count() {
            let value = map(self.lanes.values[from + lane]);
            self.lanes.values.push(value);
        }
        start
    }

    pub(crate) fn unary_in_lanes(&mut self, mut op: UnaryOp, operand: NodeId) -> NodeId {
        let Node { ty, value, size, .. } = self.node(operand);
        let promoted = ty.promoted();
        let shape = self.shape(promoted);
        let values = &self.lanes.values[value as usize..][..self.lanes.count()];
        if op == UnaryOp::Minus && values.iter().any(|value| negation_is_unsafe(*value, shape)) {
            op = UnaryOp::Plus;
            self.statistics.rewrites += 1;
        }
        let wrapped = |value| wrap(value, shape.width, shape.signed);
        let (ty, start) = match op {
            UnaryOp::Plus => (promoted, value as usize),
            UnaryOp::Minus => (promoted, self.map_lanes(operand, |a| wrapped(a.wrapping_neg()))),
            UnaryOp::Complement => (promoted, self.map_lanes(operand, |a| wrapped(!a))),
            UnaryOp::Not => (IntType::Int, self.map_lanes(operand, |a| i64::from(a == 0))),
        };
        self.push_varying(NodeKind::Unary(op, operand), ty, size.saturating_add(1), start)
    }

    pub(crate) fn cast_in_lanes(&mut self, ty: IntType, operand: NodeId) -> NodeId {
        let rules = self.rules;
        let start = self.map_lanes(operand, |value| rules.convert(value, ty));
        let size = self.node(operand).size.saturating_add(1);
        self.push_varying(NodeKind::Cast(operand), ty, size, start)
    }

    pub(crate) fn ternary_in_lanes(
        &mut self,
        condition: NodeId,
        yes: NodeId,
        no: NodeId,
        ty: IntType,
    ) -> NodeId {
        let (c, a, b) = (self.node(condition), self.node(yes), self.node(no));
        let start = self.lanes.values.len();
        for lane in 0..self.lanes.count() {
            let chosen = if self.value_in(&c, lane) != 0 { &a } else { &b };
            let value = self.rules.convert(self.value_in(chosen, lane), ty);
            self.lanes.values.push(value);
        }
        let size = c.size.saturating_add(a.size).saturating_add(b.size).saturating_add(1);
        self.push_varying(NodeKind::Ternary(condition, yes, no), ty, size, start)
    }

    /// A binary operation, or what takes its place where a lane would be undefined. Table 1 knows
    /// one value only, and its replacement may be wrong for the next lane; these do for all.
    pub(crate) fn binary_in_lanes(
        &mut self,
        mut op: BinaryOp,
        mut l: NodeId,
        mut r: NodeId,
    ) -> NodeId {
        let mut swapped = false;
        loop {
            let (left, right) = (self.node(l), self.node(r));
            let (left_ty, right_ty) = self.operand_types(op, left.ty, right.ty);
            let wide = Wide { op, left, right, left_ty, right_ty };
            let start = self.lanes.values.len();
            let Err(bad) = self.evaluate(&wide) else {
                let ty = if op.is_arithmetic() { left_ty } else { IntType::Int };
                let size = left.size.saturating_add(right.size).saturating_add(1);
                return self.push_varying(NodeKind::Binary(op, l, r), ty, size, start);
            };
            self.statistics.rewrites += 1;
            let width = i64::from(self.rules.width(left_ty));
            match op {
                Add | Sub if !swapped => {
                    swapped = true;
                    op = if op == Add { Sub } else { Add };
                }
                Div | Rem if bad.b == 0 => {
                    let one = self.literal(1, right_ty);
                    r = self.binary(Or, r, one);
                }
                Shl | Shr if bad.b < 0 || bad.b >= width => {
                    let mask = self.literal(width - 1, right_ty);
                    r = self.binary(And, r, mask);
                }
                // Unsigned arithmetic wraps; shifts of it may go past the sign.
                _ if self.options.allows(Construct::Casts) => {
                    l = self.cast(left_ty.unsigned(), l);
                }
                Mul => op = And,
                Shl | Shr => op = Or,
                _ => op = Xor,
            }
        }
    }

    /// Appends the results of all lanes, or gives the first operation that is undefined.
    fn evaluate(&mut self, wide: &Wide) -> Result<(), Operation> {
        // A loop for each operator: which one it is need not be asked in every lane.
        match wide.op as usize {
            0 => self.each::<0>(wide),
            1 => self.each::<1>(wide),
            2 => self.each::<2>(wide),
            3 => self.each::<3>(wide),
            4 => self.each::<4>(wide),
            5 => self.each::<5>(wide),
            6 => self.each::<6>(wide),
            7 => self.each::<7>(wide),
            8 => self.each::<8>(wide),
            9 => self.each::<9>(wide),
            10 => self.each::<10>(wide),
            11 => self.each::<11>(wide),
            12 => self.each::<12>(wide),
            13 => self.each::<13>(wide),
            14 => self.each::<14>(wide),
            15 => self.each::<15>(wide),
            16 => self.each::<16>(wide),
            _ => self.each::<17>(wide),
        }
    }

    /// [`Body::evaluate`] for the operator at a position of `BinaryOp::ALL`.
    fn each<const OP: usize>(&mut self, wide: &Wide) -> Result<(), Operation> {
        let start = self.lanes.values.len();
        let count = self.lanes.count();
        self.lanes.values.reserve(count);
        let mut operation = Operation {
            op: BinaryOp::ALL[OP],
            a: 0,
            b: 0,
            left: self.shape(wide.left_ty),
            right: self.shape(wide.right_ty),
            negative_shifts: self.negative_shifts,
        };
        for lane in 0..count {
            operation.a = self.rules.convert(self.value_in(&wide.left, lane), wide.left_ty);
            operation.b = self.rules.convert(self.value_in(&wide.right, lane), wide.right_ty);
            if operation.is_unsafe() {
                self.lanes.values.truncate(start);
                return Err(operation);
            }
            self.lanes.values.push(operation.result());
        }
        Ok(())
    }
}
