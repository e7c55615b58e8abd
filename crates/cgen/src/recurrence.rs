//! Recurrences: an element that is computed from one that an earlier iteration computed.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::grid::Access;
use crate::int_type::IntType;
use crate::node::{Node, NodeId};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::rewrite::Operation;

/// What is drawn from.
const OPERATORS: [BinaryOp; 6] =
    [BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Xor, BinaryOp::Or];

/// `to = from op value`, with `from` cast to a type or not.
#[derive(Clone, Copy)]
struct Recurrence {
    op: BinaryOp,
    cast: Option<IntType>,
}

impl Body<'_> {
    /// A recurrence; something else where no elements are free for it.
    pub(crate) fn recurrence(&mut self, context: Context) {
        let depth = self.random_depth(2);
        let value = self.expression(depth, context);
        let Some(grid) = self.draw_grid(|category| category == Category::Mixed) else {
            return self.assign_value(value);
        };
        let (to, from) = (self.draw_access(grid), self.draw_access(grid));
        let (mut written, mut read) = (Vec::new(), Vec::new());
        self.cells_of(&to, &mut written);
        self.cells_of(&from, &mut read);
        let free = (0..self.lanes.count()).all(|lane| {
            self.lanes.may_write(written[lane], lane) && self.lanes.may_read(read[lane], lane)
        });
        if !free {
            return self.assign_value(value);
        }
        let ty = self.environment.grids[grid as usize].ty;
        let node = self.node(value);
        let op = *self.random.pick(&OPERATORS);
        let unsigned = self.operand_types(op, ty, node.ty).0.unsigned();
        let casts = self.options.allows(Construct::Casts);
        let tries = [
            Recurrence { op, cast: None },
            Recurrence { op, cast: casts.then_some(unsigned) },
            // Always defined.
            Recurrence { op: BinaryOp::Xor, cast: None },
        ];
        let done = tries
            .into_iter()
            .find(|recurrence| self.run(*recurrence, ty, &node, &written, &read))
            .expect("exclusive or is defined for all operands");
        for lane in 0..self.lanes.count() {
            self.lanes.read_element(read[lane], lane);
            self.lanes.write_element(written[lane], lane);
        }
        self.print_recurrence(done, &to, &from, value);
    }

    fn random_depth(&mut self, most: u64) -> u32 {
        (self.random.below(most + 1) as u32).min(self.limits.expression_depth)
    }

    /// Executes all lanes in their order; if one is undefined, what was done is undone.
    fn run(
        &mut self,
        recurrence: Recurrence,
        ty: IntType,
        value: &Node,
        written: &[u32],
        read: &[u32],
    ) -> bool {
        let from = recurrence.cast.unwrap_or(ty);
        let (left_ty, right_ty) = self.operand_types(recurrence.op, from, value.ty);
        let mut before = Vec::with_capacity(written.len());
        for lane in 0..written.len() {
            let held = self.environment.memory.cells[read[lane] as usize].value;
            let operation = Operation {
                op: recurrence.op,
                a: self.rules.convert(self.rules.convert(held, from), left_ty),
                b: self.rules.convert(self.value_in(value, lane), right_ty),
                left: self.shape(left_ty),
                right: self.shape(right_ty),
                negative_shifts: self.negative_shifts,
            };
            if operation.is_unsafe() {
                while let Some((cell, value)) = before.pop() {
                    self.environment.memory.put(cell, value);
                }
                return false;
            }
            let result = self.rules.convert(operation.result(), ty);
            let cell = written[lane];
            before.push((cell, self.environment.memory.cells[cell as usize].value));
            self.environment.memory.put(cell, result);
        }
        true
    }

    fn print_recurrence(
        &mut self,
        recurrence: Recurrence,
        to: &Access,
        from: &Access,
        value: NodeId,
    ) {
        self.print_access(to);
        self.out.mark(b'=');
        if let Some(ty) = recurrence.cast {
            let (spelling, tokens) = ty.spelling(self.cxx);
            self.out.mark(b'(');
            self.out.text(spelling, tokens);
            self.out.mark(b')');
        }
        self.print_access(from);
        self.out.text(recurrence.op.text(), 1);
        self.out.mark(b'(');
        self.print(value);
        self.out.mark(b')');
        self.end_statement();
    }
}
