//! Reductions: a scalar that each iteration of a loop adds something to.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::memory::{Cell, stored};
use crate::node::{Node, NodeId};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::rewrite::Operation;

/// What a reduction does with what it has so far and the value of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// `x op= e`, or `x = x op e`.
    Operator(BinaryOp),
    /// `x = (unsigned)x op e`.
    Unsigned(BinaryOp),
    /// `x = x < e ? e : x`, or `if (x < e) x = e`.
    Extreme(BinaryOp),
}

/// What is drawn from; sums are what most loops compute.
const STEPS: [Step; 12] = [
    Step::Operator(BinaryOp::Add),
    Step::Operator(BinaryOp::Add),
    Step::Operator(BinaryOp::Add),
    Step::Operator(BinaryOp::Sub),
    Step::Operator(BinaryOp::Mul),
    Step::Operator(BinaryOp::Xor),
    Step::Operator(BinaryOp::Or),
    Step::Operator(BinaryOp::And),
    Step::Operator(BinaryOp::Shl),
    Step::Operator(BinaryOp::Shr),
    Step::Extreme(BinaryOp::Lt),
    Step::Extreme(BinaryOp::Gt),
];

impl Body<'_> {
    /// A reduction; something else where no scalar may be written.
    pub(crate) fn reduction(&mut self, context: Context) {
        let depth = self.random.below(3) as u32;
        let value = self.expression(depth.min(self.limits.expression_depth), context);
        let Some((place, cell)) = self.scalar_to_write() else { return self.assign_value(value) };
        let held = self.environment.memory.cells[cell as usize];
        if held.bits > 0 && held.ty > IntType::UInt {
            return self.assign_value(value);
        }
        let drawn = *self.random.pick(&STEPS);
        // The last always works.
        let tries = match drawn {
            Step::Operator(op) if self.options.allows(Construct::Casts) => {
                [drawn, Step::Unsigned(op), Step::Operator(BinaryOp::Xor)]
            }
            _ => [drawn, Step::Operator(BinaryOp::Sub), Step::Operator(BinaryOp::Xor)],
        };
        let node = self.node(value);
        let folded = tries
            .into_iter()
            .find_map(|step| Some((step, self.fold(step, cell, held, &node)?)))
            .expect("exclusive or is defined for all operands");
        let (step, values) = folded;
        self.print_step(step, place, held, value);
        self.lanes.read_scalar(cell);
        self.lanes.write_scalar(cell, values, false);
    }

    /// The type that the scalar has in an expression.
    fn promoted(&self, held: Cell) -> IntType {
        let whole = held.bits == 0 || u32::from(held.bits) == self.rules.width(held.ty);
        if held.bits > 0 && !(whole && held.ty == IntType::UInt) {
            return IntType::Int;
        }
        held.ty.promoted()
    }

    /// What the scalar holds after each lane; none if a lane is undefined.
    fn fold(&self, step: Step, cell: u32, held: Cell, value: &Node) -> Option<Vec<i64>> {
        let level = self.lanes.levels.len() - 1;
        let mut ty = self.promoted(held);
        let op = match step {
            Step::Operator(op) | Step::Extreme(op) => op,
            Step::Unsigned(op) => {
                ty = self.operand_types(op, ty, value.ty).0.unsigned();
                op
            }
        };
        let (left_ty, right_ty) = self.operand_types(op, ty, value.ty);
        let mut operation = Operation {
            op,
            a: 0,
            b: 0,
            left: self.shape(left_ty),
            right: self.shape(right_ty),
            negative_shifts: self.negative_shifts,
        };
        let mut values: Vec<i64> = Vec::with_capacity(self.lanes.count());
        for lane in 0..self.lanes.count() {
            let previous = values.last().copied();
            let before = self.lanes.carried(cell, level, lane, previous, held.value);
            let added = self.value_in(value, lane);
            operation.a = self.rules.convert(before, left_ty);
            operation.b = self.rules.convert(added, right_ty);
            if operation.is_unsafe() {
                return None;
            }
            let result = match step {
                Step::Extreme(_) if operation.result() == 0 => before,
                Step::Extreme(_) => added,
                _ => operation.result(),
            };
            values.push(stored(result, held.ty, held.bits, self.rules));
        }
        Some(values)
    }

    fn print_step(&mut self, step: Step, place: u32, held: Cell, value: NodeId) {
        let other = self.other_spelling(place);
        match step {
            Step::Extreme(op) => {
                self.out.text(b"if(", 2);
                self.print_place(place, other);
                self.out.text(op.text(), 1);
                // As the operand of a comparison it needs parentheses.
                self.out.mark(b'(');
                self.print(value);
                self.out.text(b"))", 2);
                self.print_place(place, other);
                self.out.mark(b'=');
                self.print(value);
            }
            Step::Operator(op) => {
                self.print_place(place, other);
                if self.random.next_u64() & 1 == 0 {
                    self.out.text(op.text(), 0);
                    self.out.mark(b'=');
                    self.print(value);
                } else {
                    self.out.mark(b'=');
                    self.print_sum(b"", place, other, op, value);
                }
            }
            Step::Unsigned(op) => {
                self.print_place(place, other);
                self.out.mark(b'=');
                let ty = self.promoted(held);
                let ty = self.operand_types(op, ty, self.node(value).ty).0.unsigned();
                let (spelling, tokens) = ty.spelling(self.cxx);
                self.out.mark(b'(');
                self.out.text(spelling, tokens);
                self.print_sum(b")", place, other, op, value);
            }
        }
        self.end_statement();
    }

    fn print_sum(&mut self, before: &[u8], place: u32, other: bool, op: BinaryOp, value: NodeId) {
        self.out.text(before, before.len() as u64);
        self.print_place(place, other);
        self.out.text(op.text(), 1);
        self.out.mark(b'(');
        self.print(value);
        self.out.mark(b')');
    }
}
