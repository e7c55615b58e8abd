//! Compound assignments, `++` and `--`.

use crate::body::Body;
use crate::int_type::IntType;
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::target::Target;

impl Body<'_> {
    /// `x op= e`, or `x = …` where the operation had to be repaired.
    pub(crate) fn compound(&mut self, context: Context) {
        let target = self.draw_mixed_target();
        let depth = self.statement_depth();
        let value = self.expression(depth.saturating_sub(1), context);
        let Some(left) = self.read_target(&target) else { return self.assign_value(value) };
        let op = self.draw_arithmetic(context);
        let result = self.binary(op, left, value);
        if !self.may_write(&target) {
            return self.assign_value(value);
        }
        self.print_target(&target);
        match self.node(result).kind {
            // Reading a wide bit-field needs a cast, which a compound assignment has no place for.
            NodeKind::Binary(op, l, r) if l == left && !self.is_cast(left) => {
                self.out.text(op.text(), 0);
                self.out.mark(b'=');
                self.print(r);
            }
            _ => {
                self.out.mark(b'=');
                self.print(result);
            }
        }
        self.end_statement();
        self.store_target(&target, result);
    }

    fn is_cast(&self, node: NodeId) -> bool {
        matches!(self.node(node).kind, NodeKind::Cast(_))
    }

    /// `x++`, `++x`, `x--` or `--x`.
    pub(crate) fn increment_statement(&mut self) {
        let target = self.draw_mixed_target();
        // C++ has no increment of bool since C++17, and never had a decrement.
        let no_bool = self.type_of(&target) != IntType::Bool || !self.cxx;
        let left = if no_bool { self.read_target(&target) } else { None };
        let one = self.literal(1, IntType::Int);
        let Some(left) = left.filter(|left| !self.is_cast(*left)) else {
            return self.assign_value(one);
        };
        let down = self.random.next_u64() & 1 == 0;
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        let result = self.binary(op, left, one);
        let kept = match self.node(result).kind {
            NodeKind::Binary(op, l, r) if l == left && r == one => Some(op),
            _ => None,
        };
        let Some(op) = kept.filter(|_| self.may_write(&target)) else {
            return self.assign_value(result);
        };
        let twice: &[u8] = if op == BinaryOp::Sub { b"--" } else { b"++" };
        // `*p++` would move the pointer.
        if self.random.next_u64() & 1 == 0 || self.is_dereference(&target) {
            self.out.text(twice, 1);
            self.print_target(&target);
        } else {
            self.print_target(&target);
            self.out.text(twice, 1);
        }
        self.end_statement();
        self.store_target(&target, result);
    }

    pub(crate) fn is_dereference(&self, target: &Target) -> bool {
        match target {
            Target::Place { place, .. } => {
                self.environment.memory.places[*place as usize].dereference
            }
            Target::Element(access) => access.by_pointer || access.walker.is_some(),
        }
    }

    /// An arithmetic operator of a context, or any if it has none.
    pub(crate) fn draw_arithmetic(&mut self, context: Context) -> BinaryOp {
        let arithmetic = (0..BinaryOp::ALL.len())
            .filter(|at| BinaryOp::ALL[*at].is_arithmetic())
            .fold(0, |set, at| set | 1 << at);
        let allowed = context.operators.binary & arithmetic;
        let allowed = if allowed == 0 { arithmetic } else { allowed };
        let op = self.draw_operator(crate::parameter::Parameter::BinaryOperator, allowed);
        BinaryOp::ALL[op]
    }
}
