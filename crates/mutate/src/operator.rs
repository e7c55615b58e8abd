//! RecBi's ten operators (its Table 1).

use crate::rule::{Family, Rule, rules};

/// One of RecBi's operators: four that change the structure of a program, six that each stand for
/// some of DiWi's rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// A statement is made conditional.
    InsertIf,
    /// A statement is repeated.
    InsertWhile,
    /// A function is copied in and called.
    InsertCall,
    /// A jump to a label further down.
    InsertGoto,
    /// A qualifier comes or goes.
    Qualifier,
    /// A modifier comes or goes.
    Modifier,
    /// A variable by another.
    Variable,
    /// An integer by another.
    Constant,
    /// A unary operator by another, or away.
    Unary,
    /// A binary operator by another.
    Binary,
}

impl Operator {
    /// All ten, in the order of the paper.
    pub const ALL: [Operator; 10] = [
        Operator::InsertIf,
        Operator::InsertWhile,
        Operator::InsertCall,
        Operator::InsertGoto,
        Operator::Qualifier,
        Operator::Modifier,
        Operator::Variable,
        Operator::Constant,
        Operator::Unary,
        Operator::Binary,
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operator::InsertIf => "insert if",
            Operator::InsertWhile => "insert while",
            Operator::InsertCall => "insert call",
            Operator::InsertGoto => "insert goto",
            Operator::Qualifier => "qualifier",
            Operator::Modifier => "modifier",
            Operator::Variable => "variable",
            Operator::Constant => "constant",
            Operator::Unary => "unary",
            Operator::Binary => "binary",
        }
    }

    /// Does it change the structure of a program? The rest stand for DiWi's rules.
    #[must_use]
    pub fn is_structural(self) -> bool {
        self <= Operator::InsertGoto
    }

    /// The operator that stands for a family of rules.
    #[must_use]
    pub fn of(family: Family) -> Operator {
        match family {
            Family::AddQualifier | Family::RemoveQualifier => Operator::Qualifier,
            Family::AddModifier | Family::RemoveModifier => Operator::Modifier,
            Family::Unary => Operator::Unary,
            Family::Constant => Operator::Constant,
            Family::Variable => Operator::Variable,
            _ => Operator::Binary,
        }
    }

    /// Its rules; none for the structural ones.
    pub fn rules(self) -> impl Iterator<Item = &'static Rule> {
        rules().iter().filter(move |rule| Operator::of(rule.family) == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_local_operators_share_all_rules_among_them() {
        let counts = Operator::ALL.map(|operator| operator.rules().count());
        assert_eq!(counts, [0, 0, 0, 0, 6, 8, 1, 4, 25, 88]);
    }
}
