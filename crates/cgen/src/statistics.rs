//! What a program is made of, counted while it was made.

use crate::expression::EXPRESSIONS;
use crate::statement::STATEMENTS;

/// Counts of one program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Statements by kind, in the order of parameter 11 (declaration, assignment, if), then those
    /// beyond the paper's.
    pub statements: [u64; STATEMENTS.len()],
    /// Statements that are executed; the others stand in branches that are not taken.
    pub executed: u64,
    /// Statements that are executed, each iteration of a loop counted.
    pub steps: u64,
    /// Nodes by kind, in the order of parameter 12, then those beyond the paper's; leaves at the depth limit are not counted.
    pub expressions: [u64; EXPRESSIONS.len()],
    /// Operations that Table 1 replaced.
    pub rewrites: u64,
    /// Regions of policies that were started.
    pub regions: u64,
    /// Constants that came from the buffer.
    pub reused_constants: u64,
    /// Integers in global data.
    pub cells: u64,
}

impl Statistics {
    /// Statements and nodes with the names of their constructs.
    pub fn constructs(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let statements = STATEMENTS.iter().map(|row| row.name).zip(self.statements);
        statements.chain(EXPRESSIONS.iter().map(|row| row.name).zip(self.expressions))
    }
}
