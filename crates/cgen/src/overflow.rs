//! Builtin arithmetic that tells whether it overflowed.

use crate::aggregate::Category;
use crate::body::Body;
use crate::int_type::IntType;
use crate::node::Node;
use crate::policy::Context;

/// Arithmetic without bounds, or none where 127 bits do not do.
type Exact = fn(i128, i128) -> Option<i128>;

impl Body<'_> {
    /// `x = __builtin_add_overflow(a, b, &y);` outside of loops.
    pub(crate) fn overflow(&mut self, context: Context) {
        let depth = self.limits.expression_depth.min(3);
        let (a, b) = (self.expression(depth, context), self.expression(depth, context));
        let ty = *self.random.pick(&self.environment.types);
        let category =
            if self.random.next_u64() & 1 == 0 { Category::Mixed } else { Category::Output };
        let aims = &self.environment.addressable[category as usize][ty as usize];
        if aims.is_empty() || ty == IntType::Bool {
            // The result may not be a bool.
            return self.assign_value(a);
        }
        let aim = *self.random.pick(aims);
        let flag = self.place_to_write(1, 0);
        let memory = &self.environment.memory;
        if memory.cell_of(flag) == memory.cell_of(aim) {
            // Which of the two would be written last is not specified.
            return self.assign_value(a);
        }
        let (name, exact): (&[u8], Exact) = match self.random.below(3) {
            0 => (b"__builtin_add_overflow(", i128::checked_add),
            1 => (b"__builtin_sub_overflow(", i128::checked_sub),
            _ => (b"__builtin_mul_overflow(", i128::checked_mul),
        };
        let (left, right) = (number(&self.node(a)), number(&self.node(b)));
        // Only the product of two large unsigned numbers needs more than 127 bits.
        let exact = exact(left, right);
        let low = exact.unwrap_or_else(|| left.wrapping_mul(right)) as i64;
        let held = self.rules.convert(low, ty);
        let fits = exact.is_some_and(|exact| number_of(held, ty) == exact);
        self.print_place(flag, false);
        self.out.mark(b'=');
        self.out.text(name, 2);
        self.print(a);
        self.out.mark(b',');
        self.print(b);
        self.out.text(b",&", 2);
        self.print_place(aim, false);
        self.out.mark(b')');
        self.end_statement();
        self.environment.memory.store(aim, held, self.rules);
        self.environment.memory.store(flag, i64::from(!fits), self.rules);
    }
}

/// The number that a node stands for.
fn number(node: &Node) -> i128 {
    number_of(node.value, node.ty)
}

fn number_of(value: i64, ty: IntType) -> i128 {
    if ty.is_signed() { i128::from(value) } else { i128::from(value as u64) }
}
