//! Assumptions: conditions of which compilers are told that they hold.

use crate::body::Body;
use crate::policy::Context;

impl Body<'_> {
    /// `if (…) __builtin_unreachable();` for a condition that never holds here, or the other way
    /// round.
    pub(crate) fn assumption(&mut self, context: Context) {
        let depth = self.statement_depth().min(3);
        let condition = self.expression(depth, context);
        let (yes, no) = self.lanes_by(condition);
        if !yes.is_empty() && !no.is_empty() {
            return self.assign_value(condition);
        }
        self.out.text(if yes.is_empty() { b"if(" } else { b"if(!(" }, 2);
        self.out.text(b"", if yes.is_empty() { 0 } else { 2 });
        self.print(condition);
        self.out.text(if yes.is_empty() { b")" } else { b"))" }, 1);
        self.out.text(b"", u64::from(!yes.is_empty()));
        self.out.text(b"__builtin_unreachable();\n", 4);
    }
}
