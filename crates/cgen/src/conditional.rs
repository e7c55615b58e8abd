//! The conditional statement.

use crate::body::Body;
use crate::construct::Construct;
use crate::node::NodeId;
use crate::operator::UnaryOp;
use crate::parameter::Parameter;
use crate::policy::Context;

impl Body<'_> {
    /// `if`, with an else or without. Which branch is taken is known; the other is generated as
    /// if it were taken, so that it is free of undefined behaviour as well, and then forgotten.
    pub(crate) fn conditional(&mut self, context: Context) {
        let depth = self.statement_depth();
        let mut condition = self.expression(depth, context);
        let with_else = self.parameters.draw(Parameter::Else, &mut self.random) == 0;
        if self.node(condition).varies {
            return self.conditional_in_loop(condition, with_else);
        }
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
        self.clear_nodes();
        self.branch(taken);
        if with_else {
            self.out.text(b"else", 1);
            self.branch(!taken);
        }
        self.out.space(b'\n');
    }

    pub(crate) fn branch(&mut self, taken: bool) {
        let (low, high) = (self.limits.scope_min, self.limits.scope_max);
        let statements = self.random.range(i64::from(low), i64::from(high)) as u32;
        self.out.text(b"{\n", 1);
        self.if_depth += 1;
        if taken {
            self.block(statements, 0);
        } else {
            self.untaken(|body| body.block(statements, 0));
        }
        self.if_depth -= 1;
        self.out.mark(b'}');
    }

    /// Makes what is never executed: as if it were, and then forgotten.
    pub(crate) fn untaken(&mut self, make: impl FnOnce(&mut Self)) {
        let versions = self.lanes.is_on().then(|| self.lanes.versions.clone());
        let start = self.environment.memory.enter_untaken();
        make(self);
        self.environment.memory.leave_untaken(start);
        if let Some(versions) = versions {
            self.lanes.versions = versions;
        }
    }

    /// A conditional that some lanes take and others do not.
    fn conditional_in_loop(&mut self, condition: NodeId, with_else: bool) {
        let (yes, no) = self.lanes_by(condition);
        self.out.text(b"if(", 2);
        self.print(condition);
        self.out.mark(b')');
        self.clear_nodes();
        self.branch_in_loop(&yes);
        if with_else {
            self.out.text(b"else", 1);
            self.branch_in_loop(&no);
        }
        self.out.space(b'\n');
    }

    /// The lanes in which a condition holds, and the others.
    pub(crate) fn lanes_by(&self, condition: NodeId) -> (Vec<u32>, Vec<u32>) {
        let node = self.node(condition);
        let count = self.lanes.count() as u32;
        (0..count).partition(|lane| self.value_in(&node, *lane as usize) != 0)
    }

    /// A block that only some lanes execute.
    pub(crate) fn branch_in_loop(&mut self, lanes: &[u32]) {
        let (low, high) = (self.limits.scope_min, self.limits.scope_max);
        let statements = self.random.range(i64::from(low), i64::from(high)).min(3) as u32;
        self.out.text(b"{\n", 1);
        self.if_depth += 1;
        if lanes.is_empty() {
            self.untaken(|body| body.block(statements, 0));
        } else {
            self.lanes.enter_branch(lanes);
            self.block(statements, 0);
            self.leave_level();
        }
        self.if_depth -= 1;
        self.out.mark(b'}');
    }
}
