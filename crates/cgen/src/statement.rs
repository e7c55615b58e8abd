//! The table of statements.

use crate::body::Body;
use crate::construct::Construct;
use crate::policy::Context;

/// A construct of statements. Its weight is that of its name in parameter 11.
pub(crate) struct StatementRow {
    /// The name of its value in parameter 11.
    pub name: &'static str,
    /// Whether it can be made now.
    pub allowed: fn(&Body) -> bool,
    /// Makes and writes one.
    pub generate: fn(&mut Body, Context),
}

/// The position of the statement that is always allowed.
pub(crate) const ASSIGNMENT: usize = 1;

/// The constructs in the order of parameter 11.
pub(crate) const STATEMENTS: [StatementRow; 3] = [
    StatementRow {
        name: "declaration",
        allowed: |body| body.options.allows(Construct::Locals),
        generate: |body, context| body.declare(context),
    },
    StatementRow {
        name: "assignment",
        allowed: |_| true,
        generate: |body, context| body.assign(context),
    },
    StatementRow {
        name: "if",
        allowed: |body| body.if_depth < body.limits.if_depth && body.options.allows(Construct::If),
        generate: |body, context| body.conditional(context),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::{PARAMETERS, Parameter};

    #[test]
    fn rows_stand_in_the_order_of_their_parameter() {
        let names = STATEMENTS.map(|row| row.name);
        let values = PARAMETERS[Parameter::Statement as usize].values;
        assert!(names.iter().eq(values.iter().map(|(name, _)| name)), "{names:?}");
        assert_eq!(names[ASSIGNMENT], "assignment");
    }
}
