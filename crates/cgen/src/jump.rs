//! `continue`, and `goto` over some statements.

use crate::body::Body;
use crate::construct::Construct;
use crate::policy::Context;

impl Body<'_> {
    /// Whether a `continue` can stand here: directly in the body of a loop whose variable it does
    /// not leave behind.
    pub(crate) fn may_continue(&self) -> bool {
        let here = |around: &crate::loop_body::Around| {
            around.may_continue && around.if_depth == self.if_depth
        };
        self.options.allows(Construct::Continue) && self.arounds.last().is_some_and(here)
    }

    /// `if (…) continue;`: the other lanes go on alone.
    pub(crate) fn continue_statement(&mut self, context: Context) {
        let depth = self.statement_depth();
        let condition = self.expression(depth, context);
        let (_, no) = self.lanes_by(condition);
        if no.is_empty() || !self.node(condition).varies {
            return self.assign_value(condition);
        }
        self.out.text(b"if(", 2);
        self.print(condition);
        self.out.text(b")continue;\n", 3);
        self.lanes.enter_branch(&no);
    }

    /// `if (…) goto l; … l:;`: statements that are jumped over, or not.
    pub(crate) fn goto_statement(&mut self, context: Context) {
        let depth = self.statement_depth();
        let condition = self.expression(depth, context);
        let label = self.labels;
        self.labels += 1;
        self.out.text(b"if(", 2);
        self.print(condition);
        self.out.text(b")goto ", 2);
        self.label(label);
        self.end_statement();
        let node = self.node(condition);
        let (_, no) = self.lanes_by(condition);
        self.clear_nodes();
        // Braces: C++ does not jump over declarations.
        if node.varies {
            self.branch_in_loop(&no);
        } else {
            self.branch(node.value == 0);
        }
        self.out.space(b'\n');
        self.label(label);
        self.out.text(b":;\n", 2);
    }
}
