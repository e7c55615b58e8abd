//! The families of DiWi's rules, each a file, on trees; `plain` has those on tokens.

mod binary;
mod constant;
mod declaration;
mod modifier;
mod qualifier;
mod unary;
mod variable;

use crate::host::Host;
use crate::operator::Operator;
use crate::plain;
use crate::rule::{Action, Family, rules};
use crate::site::Site;
use std::collections::BTreeMap;
use std::sync::OnceLock;

pub(crate) use constant::changed;
pub(crate) use modifier::{added, removed};
pub(crate) use qualifier::with_blank;

/// All places of the rules of an operator, each with the number of its rule. What is protected is
/// not left out yet.
pub(crate) fn sites(host: &Host, operator: Operator) -> Vec<(u8, Site)> {
    let Some(program) = &host.program else { return plain::sites(host, operator) };
    match operator {
        Operator::Qualifier => qualifier::sites(host, program),
        Operator::Modifier => modifier::sites(host, program),
        Operator::Variable => variable::sites(host, program),
        Operator::Constant => constant::sites(host, program),
        Operator::Unary => unary::sites(host, program),
        Operator::Binary => binary::sites(host, program),
        _ => Vec::new(),
    }
}

/// The number of the rule that does this; none if no rule does.
pub(crate) fn rule_that(family: Family, action: Action) -> Option<u8> {
    static NUMBERS: OnceLock<BTreeMap<(Family, Action), u8>> = OnceLock::new();
    let numbers = NUMBERS
        .get_or_init(|| rules().iter().map(|rule| ((rule.family, rule.action), rule.id)).collect());
    numbers.get(&(family, action)).copied()
}
