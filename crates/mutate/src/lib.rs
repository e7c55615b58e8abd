//! Changes to an existing C program.
//!
//! In: a program, a rule or an operator, a random stream, and ingredients out of other programs.
//! Out: the program with a small change, by exact byte ranges, everything else byte for byte.
//! DiWi's 132 rules (Chen et al., "Compiler bug isolation via effective witness test program
//! generation", ESEC/FSE 2019), RecBi's ten operators ("Enhanced compiler bug isolation via
//! memoized search", ASE 2020), and DiWi's synthesis with other programs (its section 5.6.4).
//! This crate has never heard of a compiler and does not know what the mutants are for; a mutant
//! is valid C nearly always, and may well have undefined behaviour.

mod compatible;
mod host;
mod insert;
mod lexed;
mod literal;
mod local;
mod mutant;
mod operator;
mod place;
mod plain;
mod pool;
mod protected;
mod rule;
mod site;
mod specifiers;
mod usage;
mod variables;

pub use host::{Host, Level};
pub use insert::synthesise;
pub use mutant::Mutant;
pub use operator::Operator;
pub use pool::{Counts, Pool};
pub use protected::protected_ranges;
pub use rule::{Family, Rule, rules};

use base::Random;

/// At how many places a rule applies to a program.
#[must_use]
pub fn applicable(host: &Host, rule: &Rule) -> usize {
    host.sites(rule).len()
}

/// A program changed by a rule, at one place chosen uniformly among all where it applies; nothing
/// if there is none.
#[must_use]
pub fn mutate_by_rule(host: &Host, rule: &Rule, random: &mut Random) -> Option<Mutant> {
    let sites = host.sites(rule);
    if sites.is_empty() {
        return None;
    }
    let (edits, what) = random.pick(sites).draw(random);
    let at = edits.iter().map(|edit| edit.range.start).min()?;
    Some(Mutant::new(host, edits, at, &what))
}

/// A program changed by an operator; nothing if it can't be. A local operator chooses uniformly
/// among its rules.
///
/// Deviation: only rules that apply somewhere are chosen from. RecBi's program chooses among all
/// and counts a try that failed, which says nothing about the operator.
#[must_use]
pub fn mutate_by_operator(
    host: &Host,
    operator: Operator,
    pool: &Pool,
    random: &mut Random,
) -> Option<Mutant> {
    if operator.is_structural() {
        return insert::insert(host, operator, pool, random);
    }
    let rules: Vec<&Rule> = operator.rules().filter(|rule| applicable(host, rule) > 0).collect();
    if rules.is_empty() {
        return None;
    }
    let rule: &Rule = rules[random.index(rules.len())];
    mutate_by_rule(host, rule, random)
}
