//! The conditional statement.

use crate::body::Body;
use crate::construct::Construct;
use crate::operator::UnaryOp;
use crate::parameter::Parameter;
use crate::policy::Context;

impl Body<'_> {
    /// `if`, with an else or without. Which branch is taken is known; the other is generated as
    /// if it were taken, so that it is free of undefined behaviour as well, and then forgotten.
    pub(crate) fn conditional(&mut self, context: Context) {
        let mut condition = self.expression(self.limits.expression_depth, context);
        let with_else = self.parameters.draw(Parameter::Else, &mut self.random) == 0;
        let skipped = !with_else && self.node(condition).value == 0;
        if skipped && self.options.allows(Construct::Unary) && self.random.next_u64() & 1 == 0 {
            // Deviation: what is not executed cannot show a miscompilation, and nested branches
            // left two thirds of the statements so; half of the branches that would be skipped
            // without an alternative are taken after all.
            condition = self.unary(UnaryOp::Not, condition);
        }
        let taken = self.node(condition).value != 0;
        self.out.text(b"if(", 2);
        self.print(condition);
        self.out.mark(b')');
        // The branches make their own expressions.
        self.nodes.clear();
        self.branch(taken);
        if with_else {
            self.out.text(b"else", 1);
            self.branch(!taken);
        }
        self.out.space(b'\n');
    }

    fn branch(&mut self, taken: bool) {
        let (low, high) = (self.limits.scope_min, self.limits.scope_max);
        let statements = self.random.range(i64::from(low), i64::from(high)) as u32;
        self.out.text(b"{\n", 1);
        self.if_depth += 1;
        if taken {
            self.block(statements, 0);
        } else {
            let start = self.environment.memory.enter_untaken();
            self.block(statements, 0);
            self.environment.memory.leave_untaken(start);
        }
        self.if_depth -= 1;
        self.out.mark(b'}');
    }
}
