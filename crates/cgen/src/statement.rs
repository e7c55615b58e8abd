//! The table of statements.

use crate::body::Body;
use crate::construct::Construct;
use crate::floats::Floats;
use crate::policy::Context;

/// A construct of statements. Its weight is that of its name in parameter 11, or in that of the
/// statements beyond the paper.
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

/// How many of the statements are the paper's.
pub(crate) const PAPERS: usize = 3;

/// The constructs in the order of parameter 11, then in that of [`Parameter::MoreStatement`].
///
/// [`Parameter::MoreStatement`]: crate::Parameter::MoreStatement
pub(crate) const STATEMENTS: [StatementRow; 22] = [
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
    StatementRow {
        name: "loop",
        allowed: |body| body.may_loop(),
        generate: |body, _| body.make_loop(),
    },
    StatementRow {
        name: "reduction",
        allowed: |body| body.lanes.is_on() && body.options.allows(Construct::Reductions),
        generate: |body, context| body.reduction(context),
    },
    StatementRow {
        name: "continue",
        allowed: |body| body.may_continue(),
        generate: |body, context| body.continue_statement(context),
    },
    StatementRow {
        name: "goto",
        allowed: |body| {
            body.if_depth < body.limits.if_depth && body.options.allows(Construct::Goto)
        },
        generate: |body, context| body.goto_statement(context),
    },
    StatementRow {
        name: "compound",
        allowed: |body| body.options.allows(Construct::Compound),
        generate: |body, context| body.compound(context),
    },
    StatementRow {
        name: "increment",
        allowed: |body| body.options.allows(Construct::Increments),
        generate: |body, _| body.increment_statement(),
    },
    StatementRow {
        name: "recurrence",
        allowed: |body| body.lanes.is_on() && body.options.allows(Construct::Recurrences),
        generate: |body, context| body.recurrence(context),
    },
    StatementRow {
        name: "switch",
        allowed: |body| {
            body.if_depth < body.limits.if_depth && body.options.allows(Construct::Switch)
        },
        generate: |body, context| body.switch(context),
    },
    StatementRow {
        name: "overflow",
        allowed: |body| !body.lanes.is_on() && body.options.allows(Construct::Overflow),
        generate: |body, context| body.overflow(context),
    },
    StatementRow {
        name: "assumption",
        allowed: |body| body.options.allows(Construct::Assumptions),
        generate: |body, context| body.assumption(context),
    },
    StatementRow {
        name: "block memory",
        allowed: |body| body.may_use_block_memory(),
        generate: |body, _| body.block_memory(),
    },
    StatementRow {
        name: "outlined",
        allowed: |body| !body.in_outline && body.options.allows(Construct::Outlined),
        generate: |body, _| body.outlined(),
    },
    StatementRow {
        name: "vectors",
        allowed: |body| body.may_use_vectors(),
        generate: |body, context| body.vectors(context),
    },
    StatementRow {
        name: "reals",
        allowed: |body| body.may_use_reals(),
        generate: |body, context| match body.options.floats {
            Floats::Exact => body.reals(context),
            Floats::Bounded => body.bounded_reals(context),
        },
    },
    StatementRow {
        name: "enum",
        allowed: |body| !body.environment.enum_variables.is_empty(),
        generate: |body, context| body.enumeration(context),
    },
    StatementRow {
        name: "union",
        allowed: |body| body.options.allows(Construct::Unions),
        generate: |body, context| body.unions(context),
    },
    StatementRow {
        name: "int128",
        allowed: |body| body.may_use_int128(),
        generate: |body, context| body.int128(context),
    },
    StatementRow {
        name: "bit-int",
        allowed: |body| body.may_use_bit_int(),
        generate: |body, context| body.bit_int(context),
    },
    StatementRow {
        name: "side effect",
        allowed: |body| body.options.allows(Construct::SideEffects),
        generate: |body, context| body.side_effects(context),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::{Parameter, all_rows};

    #[test]
    fn rows_stand_in_the_order_of_their_parameter() {
        let names = STATEMENTS.map(|row| row.name);
        let values =
            |p: Parameter| all_rows().find(|row| row.parameter == p).expect("a row").values;
        let paper = values(Parameter::Statement);
        let all = paper.iter().chain(&values(Parameter::MoreStatement)[1..]);
        assert!(names.iter().eq(all.map(|(name, _)| name)), "{names:?}");
        assert_eq!(paper.len(), PAPERS);
        assert_eq!(names[ASSIGNMENT], "assignment");
    }
}
