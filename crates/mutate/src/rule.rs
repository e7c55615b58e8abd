//! DiWi's 132 rules (its Table 1) as a plain table.

use std::sync::OnceLock;

/// Which rules belong together: one row of DiWi's table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// `volatile`, `const` or `restrict` is put to a variable.
    AddQualifier,
    /// One of them is taken away.
    RemoveQualifier,
    /// `unsigned`, `signed`, `short` or `long` is put to an integer, in the place of its contrary.
    AddModifier,
    /// One of them is taken away.
    RemoveModifier,
    /// `+ - * / %`
    Arithmetic,
    /// `> >= < <= == !=`
    Relational,
    /// `& | ^`
    Bitwise,
    /// `<< >>`
    Shift,
    /// `&& ||`
    Logical,
    /// `+= -= *= /= %=`
    CompoundArithmetic,
    /// `<<= >>=`
    CompoundShift,
    /// `&= |= ^=`
    CompoundBitwise,
    /// `++x --x x++ x-- !x`, one by another, or away.
    Unary,
    /// Integers.
    Constant,
    /// A variable by another.
    Variable,
}

/// What a rule does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Action {
    Add(&'static str),
    Remove(&'static str),
    /// An operator by another; by nothing, it is deleted. `x++` and `++x` are told apart.
    Replace(&'static str, Option<&'static str>),
    Constant(Arithmetic),
    Variable,
}

/// What becomes of an integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Arithmetic {
    Increment,
    Decrement,
    Negate,
    Zero,
}

/// One of DiWi's rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// 1 to 132, in the order of DiWi's own program.
    pub id: u8,
    /// What it belongs to.
    pub family: Family,
    /// Such as `replace + by -`.
    pub name: String,
    pub(crate) action: Action,
}

/// All 132, by their numbers.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(table)
}

pub(crate) const QUALIFIERS: [&str; 3] = ["volatile", "const", "restrict"];
pub(crate) const MODIFIERS: [&str; 4] = ["unsigned", "signed", "short", "long"];

/// The families whose rules are all ordered pairs of some operators.
pub(crate) const OPERATORS: [(Family, &[&str]); 8] = [
    (Family::Arithmetic, &["+", "-", "*", "/", "%"]),
    (Family::Relational, &[">", ">=", "<", "<=", "==", "!="]),
    (Family::Bitwise, &["&", "|", "^"]),
    (Family::Shift, &["<<", ">>"]),
    (Family::Logical, &["&&", "||"]),
    (Family::CompoundArithmetic, &["+=", "-=", "*=", "/=", "%="]),
    (Family::CompoundShift, &["<<=", ">>="]),
    (Family::CompoundBitwise, &["&=", "|=", "^="]),
];

/// Deviation: DiWi's program has `~` in the place of `!`; its paper says logical negation.
pub(crate) const UNARY: [&str; 5] = ["++x", "--x", "x++", "x--", "!x"];

fn table() -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::with_capacity(132);
    let mut put = |family, name: String, action| {
        let id = found.len() as u8 + 1;
        found.push(Rule { id, family, name, action });
    };
    for word in QUALIFIERS {
        put(Family::AddQualifier, format!("insert {word}"), Action::Add(word));
    }
    for word in QUALIFIERS {
        put(Family::RemoveQualifier, format!("remove {word}"), Action::Remove(word));
    }
    for word in MODIFIERS {
        put(Family::AddModifier, format!("insert {word}"), Action::Add(word));
    }
    for word in MODIFIERS {
        put(Family::RemoveModifier, format!("remove {word}"), Action::Remove(word));
    }
    for (family, operators) in OPERATORS {
        for &from in operators {
            for &to in operators.iter().filter(|&&to| to != from) {
                let action = Action::Replace(from, Some(to));
                put(family, format!("replace {from} by {to}"), action);
            }
        }
    }
    for from in UNARY {
        for to in UNARY.into_iter().filter(|&to| to != from) {
            let action = Action::Replace(from, Some(to));
            put(Family::Unary, format!("replace {from} by {to}"), action);
        }
        put(Family::Unary, format!("delete {from}"), Action::Replace(from, None));
    }
    for (to, what) in [
        ("c + 1", Arithmetic::Increment),
        ("c - 1", Arithmetic::Decrement),
        ("-c", Arithmetic::Negate),
        ("0", Arithmetic::Zero),
    ] {
        put(Family::Constant, format!("replace c by {to}"), Action::Constant(what));
    }
    put(Family::Variable, "replace a variable by another".to_owned(), Action::Variable);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_families_have_the_sizes_and_numbers_of_the_paper() {
        let check = |first: u8, last: u8, families: &[Family]| {
            let ids: Vec<u8> = rules()
                .iter()
                .filter(|rule| families.contains(&rule.family))
                .map(|rule| rule.id)
                .collect();
            assert_eq!(ids, (first..=last).collect::<Vec<u8>>(), "{families:?}");
        };
        check(1, 3, &[Family::AddQualifier]);
        check(4, 6, &[Family::RemoveQualifier]);
        check(7, 10, &[Family::AddModifier]);
        check(11, 14, &[Family::RemoveModifier]);
        check(15, 34, &[Family::Arithmetic]);
        check(35, 64, &[Family::Relational]);
        check(65, 70, &[Family::Bitwise]);
        check(71, 72, &[Family::Shift]);
        check(73, 74, &[Family::Logical]);
        check(75, 94, &[Family::CompoundArithmetic]);
        check(95, 96, &[Family::CompoundShift]);
        check(97, 102, &[Family::CompoundBitwise]);
        check(103, 127, &[Family::Unary]);
        check(128, 131, &[Family::Constant]);
        check(132, 132, &[Family::Variable]);
    }

    #[test]
    fn every_name_is_another() {
        let mut names: Vec<(Family, &str)> =
            rules().iter().map(|rule| (rule.family, rule.name.as_str())).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 132);
    }
}
