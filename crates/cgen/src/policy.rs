//! The policies that hold in a part of a program: contexts and regions of constants.
//!
//! A region is a run of statements or a subtree of an expression. Regions overlap: those of
//! statements start and end independently of each other, and a subtree may start another.

use crate::operator::{BinaryOp as B, OperatorSet, UnaryOp as U};
use crate::options::Policies;
use crate::parameter::{Parameter, Parameters};
use base::Random;

/// The six contexts of section 3.3, in the order of parameter 16.
const CONTEXTS: [OperatorSet; 6] = [
    OperatorSet::of(&[U::Minus], &[B::Add, B::Sub]),
    OperatorSet::of(&[U::Complement], &[B::And, B::Or, B::Xor]),
    LOGICAL,
    OperatorSet::of(&[], &[B::Mul, B::Div]),
    OperatorSet::of(&[U::Complement], &[B::And, B::Or, B::Xor, B::Shl, B::Shr]),
    OperatorSet::of(&[U::Minus], &[B::Add, B::Sub, B::Mul, B::Div]),
];

const LOGICAL: OperatorSet = OperatorSet::of(&[U::Not], &[B::LogAnd, B::LogOr]);

/// How many leaves of a subtree are constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstantUse {
    /// All of them.
    All,
    /// Half of them.
    Half,
    /// As many as parameter 13 says.
    Free,
}

/// What holds for an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    /// The operators it may use.
    pub operators: OperatorSet,
    /// Its constants.
    pub constants: ConstantUse,
}

impl Context {
    /// No policy.
    pub const FREE: Context = Context { operators: OperatorSet::ALL, constants: ConstantUse::Free };

    /// Whether this is the logical context, which uses no constants from the buffer.
    pub fn is_logical(self) -> bool {
        self.operators == LOGICAL
    }

    /// This context with another inside: where both restrict operators, what both allow, or the
    /// inner ones where they have nothing in common.
    fn with(self, inner: Context) -> Context {
        Context {
            operators: self.operators.intersection(inner.operators).unwrap_or(inner.operators),
            constants: match inner.constants {
                ConstantUse::Free => self.constants,
                inner => inner,
            },
        }
    }

    /// The context of a subtree of an expression in this context. Counts into `started`.
    #[inline]
    pub fn of_subtree(
        self,
        policies: Policies,
        parameters: &Parameters,
        random: &mut Random,
        started: &mut u64,
    ) -> Context {
        let closed = self != Context::FREE && !policies.overlap;
        if closed || !(policies.contexts || policies.constants) {
            return self;
        }
        let (operators, constants) =
            parameters.draw_two(Parameter::SimilarOperator, Parameter::ConstantUse, random);
        let mut context = self;
        if policies.contexts && operators < CONTEXTS.len() {
            let operators = CONTEXTS[operators];
            context = context.with(Context { operators, ..Context::FREE });
            *started += 1;
        }
        if policies.constants && constants < 2 && (context == self || policies.overlap) {
            let constants = [ConstantUse::All, ConstantUse::Half][constants];
            context = context.with(Context { constants, ..Context::FREE });
            *started += 1;
        }
        context
    }
}

/// The regions of statements that are open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions {
    /// What holds, and the number of statements that it still holds for.
    open: Vec<(Context, u32)>,
}

/// More regions at a time would leave nothing to intersect.
const MOST_REGIONS: usize = 3;

impl Regions {
    /// The context of the next statement; regions end, and a new one may start.
    pub fn next_statement(
        &mut self,
        policies: Policies,
        percent: u32,
        longest: u32,
        parameters: &Parameters,
        random: &mut Random,
        started: &mut u64,
    ) -> Context {
        for (_, left) in &mut self.open {
            *left -= 1;
        }
        self.open.retain(|(_, left)| *left > 0);
        let room = if policies.overlap { MOST_REGIONS } else { 1 };
        if self.open.len() < room && random.percent(u64::from(percent)) {
            let context = Context::FREE.of_subtree(policies, parameters, random, started);
            if context != Context::FREE {
                let length = 2 + random.below(u64::from(longest)) as u32;
                self.open.push((context, length));
            }
        }
        self.open.iter().fold(Context::FREE, |all, (context, _)| all.with(*context))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The different contexts that subtrees of `outer` get.
    fn subtrees(outer: Context, policies: Policies) -> Vec<Context> {
        let parameters = Parameters::new(None);
        let mut random = base::Seed(1).stream("test", 0);
        let mut found: Vec<Context> = Vec::new();
        for _ in 0..10_000 {
            let context = outer.of_subtree(policies, &parameters, &mut random, &mut 0);
            if !found.contains(&context) {
                found.push(context);
            }
        }
        found
    }

    #[test]
    fn six_contexts_and_two_uses_of_constants_combine() {
        assert_eq!(subtrees(Context::FREE, Policies::ALL).len(), 7 * 3);
        let contexts = Policies { contexts: true, ..Policies::NONE };
        assert_eq!(subtrees(Context::FREE, contexts).len(), 7);
        let constants = Policies { constants: true, ..Policies::NONE };
        assert_eq!(subtrees(Context::FREE, constants).len(), 3);
        assert_eq!(subtrees(Context::FREE, Policies::NONE), [Context::FREE]);
    }

    #[test]
    fn without_overlap_no_region_starts_in_another() {
        let outer = Context { operators: CONTEXTS[4], ..Context::FREE };
        let apart = Policies { overlap: false, ..Policies::ALL };
        assert_eq!(subtrees(outer, apart), [outer]);
        let free = subtrees(Context::FREE, apart);
        let both =
            |c: &Context| c.operators != OperatorSet::ALL && c.constants != ConstantUse::Free;
        assert!(!free.iter().any(both), "{free:?}");
    }

    #[test]
    fn overlapping_contexts_keep_what_they_share_or_the_inner_one() {
        let of = |operators| Context { operators, ..Context::FREE };
        assert_eq!(of(CONTEXTS[5]).with(of(CONTEXTS[0])), of(CONTEXTS[0]));
        assert_eq!(of(CONTEXTS[1]).with(of(CONTEXTS[3])), of(CONTEXTS[3]));
        assert!(of(CONTEXTS[2]).is_logical());
    }

    #[test]
    fn regions_of_statements_end() {
        let parameters = Parameters::new(None);
        let mut random = base::Seed(2).stream("test", 0);
        let mut regions = Regions::default();
        let mut next = |percent| {
            let (policies, longest) = (Policies::ALL, 4);
            regions.next_statement(policies, percent, longest, &parameters, &mut random, &mut 0)
        };
        let started: Vec<Context> = (0..50).map(|_| next(100)).collect();
        assert!(started.iter().any(|context| *context != Context::FREE));
        let after: Vec<Context> = (0..6).map(|_| next(0)).collect();
        assert_eq!(after[5], Context::FREE);
    }
}
