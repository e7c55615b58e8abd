//! Growing random expressions, top-down, from a table of their constructs.

use crate::body::Body;
use crate::construct::Construct;
use crate::node::NodeId;
use crate::operator::{BinaryOp, UnaryOp};
use crate::parameter::Parameter;
use crate::policy::{ConstantUse, Context};

/// A construct of expressions. Its weight is that of its name in parameter 12: a new one is a row
/// here and a weight there.
pub(crate) struct ExpressionRow {
    /// The name of its value in parameter 12.
    pub name: &'static str,
    /// Whether it can be made now; a leaf is made otherwise.
    pub allowed: fn(&Body, Context) -> bool,
    /// Makes one whose operands have at most this depth.
    pub generate: fn(&mut Body, u32, Context) -> NodeId,
}

/// How many of the nodes are the paper's.
const PAPERS: usize = 6;

/// The constructs in the order of parameter 12, then in that of [`Parameter::MoreNode`].
pub(crate) const EXPRESSIONS: [ExpressionRow; 9] = [
    ExpressionRow { name: "data", allowed: |_, _| true, generate: |body, _, c| body.leaf(c) },
    ExpressionRow {
        name: "unary",
        allowed: |_, context| context.operators.unary != 0,
        generate: |body, depth, context| {
            let op = body.draw_operator(Parameter::UnaryOperator, context.operators.unary);
            let operand = body.expression(depth, context);
            body.unary(UnaryOp::ALL[op], operand)
        },
    },
    ExpressionRow {
        name: "binary",
        allowed: |_, _| true,
        generate: |body, depth, context| {
            let op = body.draw_operator(Parameter::BinaryOperator, context.operators.binary);
            let left = body.expression(depth, context);
            let right = body.expression(depth, context);
            body.binary(BinaryOp::ALL[op], left, right)
        },
    },
    ExpressionRow {
        name: "conditional",
        allowed: |_, _| true,
        generate: |body, depth, context| {
            let condition = body.expression(depth, context);
            let yes = body.expression(depth, context);
            let no = body.expression(depth, context);
            body.ternary(condition, yes, no)
        },
    },
    ExpressionRow {
        name: "cast",
        allowed: |_, _| true,
        generate: |body, depth, context| {
            let ty = *body.random.pick(&body.environment.types);
            let operand = body.expression(depth, context);
            body.cast(ty, operand)
        },
    },
    ExpressionRow {
        name: "common subexpression",
        allowed: |body, context| {
            !body.subexpressions.is_empty() && context.constants != ConstantUse::All
        },
        generate: |body, _, _| body.reuse_subexpression(),
    },
    ExpressionRow {
        name: "builtin",
        allowed: |body, _| body.options.allows(Construct::Builtins),
        generate: |body, depth, context| {
            let operand = body.expression(depth, context);
            body.draw_builtin(operand)
        },
    },
    ExpressionRow {
        name: "call",
        allowed: |body, _| !body.known.is_empty() && body.options.allows(Construct::Calls),
        generate: |body, depth, context| body.draw_call(depth, context),
    },
    ExpressionRow {
        name: "bool trick",
        allowed: |body, _| body.may_use_bool_tricks(),
        generate: |body, depth, context| body.bool_trick(depth, context),
    },
];

/// How often data is a local, where there are any, rather than one of the many more globals.
const LOCAL_PERCENT: u64 = 35;

/// How often data is one of the mixed globals that were written last. Deviation: v1 draws from all
/// data alike, so that with hundreds of array elements a stored value is rarely read again and
/// nothing depends on it.
const RECENT_PERCENT: u64 = 15;

/// How often data is an element of a grid outside of loops, and in them.
const ELEMENT_PERCENT: u64 = 10;
const ELEMENT_IN_LOOP_PERCENT: u64 = 55;

/// How often data is the variable of a loop.
const VARIABLE_PERCENT: u64 = 12;

impl Body<'_> {
    /// An expression of at most `depth`.
    pub(crate) fn expression(&mut self, depth: u32, context: Context) -> NodeId {
        if depth == 0 {
            return self.leaf(context);
        }
        let mut context = context;
        if self.random.percent(u64::from(self.limits.subtree_percent)) {
            context = context.of_subtree(
                self.policies,
                self.parameters,
                &mut self.random,
                &mut self.statistics.regions,
            );
        }
        let more =
            if self.more { self.parameters.draw(Parameter::MoreNode, &mut self.random) } else { 0 };
        let row = match more {
            0 => self.parameters.draw(Parameter::ArithmeticNode, &mut self.random),
            more => PAPERS + more - 1,
        };
        if !(EXPRESSIONS[row].allowed)(self, context) {
            return self.leaf(context);
        }
        let node = (EXPRESSIONS[row].generate)(self, depth - 1, context);
        self.statistics.expressions[row] += 1;
        if self.policies.cse && self.nodes[node as usize].size > 1 {
            self.consider_subexpression(node);
        }
        node
    }

    /// Data or a constant.
    pub(crate) fn leaf(&mut self, context: Context) -> NodeId {
        let constant = match context.constants {
            ConstantUse::All => true,
            ConstantUse::Half => self.random.next_u64() & 1 == 0,
            ConstantUse::Free => {
                self.parameters.draw(Parameter::ArithmeticData, &mut self.random) == 1
            }
        };
        if constant { self.constant(context) } else { self.data() }
    }

    /// A local or global that may be read.
    fn data(&mut self) -> NodeId {
        if self.more
            && let Some(node) = self.more_data()
        {
            return node;
        }
        let all = self.environment.memory.places.len();
        let percent = self.random.below(100);
        if self.pure {
            let local = percent < 2 * LOCAL_PERCENT || self.environment.inputs.is_empty();
            let place = if local {
                (self.locals + self.random.index(all - self.locals)) as u32
            } else {
                *self.random.pick(&self.environment.inputs)
            };
            return self.read(place, false);
        }
        let place = if percent < LOCAL_PERCENT && all > self.locals {
            (self.locals + self.random.index(all - self.locals)) as u32
        } else if percent >= 100 - RECENT_PERCENT && self.written > 0 {
            self.recent[self.random.index(self.written.min(self.recent.len()))]
        } else {
            *self.random.pick(&self.environment.readable)
        };
        let other = self.other_spelling(place);
        self.read(place, other)
    }

    /// Data that the paper does not have: an element of a grid or, in a loop, its variable.
    fn more_data(&mut self) -> Option<NodeId> {
        let percent = self.random.below(100);
        let count = self.inductions.len();
        if count == 0 {
            return if percent < ELEMENT_PERCENT { self.draw_element() } else { None };
        }
        if percent < ELEMENT_IN_LOOP_PERCENT {
            return self.draw_element();
        }
        if percent < ELEMENT_IN_LOOP_PERCENT + VARIABLE_PERCENT {
            let variable = self.inductions[self.random.index(count)];
            return Some(self.read(variable.place, false));
        }
        None
    }

    /// Whether a place is to be written in its other spelling, if it has one.
    #[inline]
    pub(crate) fn other_spelling(&mut self, place: u32) -> bool {
        self.environment.memory.places[place as usize].other.is_some()
            && self.parameters.draw(Parameter::ArraySubscript, &mut self.random) == 1
    }

    /// An operator of the set `allowed`, which has one at least.
    pub(crate) fn draw_operator(&mut self, parameter: Parameter, allowed: u32) -> usize {
        // Drawing again keeps the proportions; a set that shuffling has left without weight gets
        // equal ones.
        for _ in 0..8 {
            let op = self.parameters.draw(parameter, &mut self.random);
            if allowed >> op & 1 == 1 {
                return op;
            }
        }
        let skip = self.random.below(u64::from(allowed.count_ones()));
        let mut left = allowed;
        for _ in 0..skip {
            left &= left - 1;
        }
        left.trailing_zeros() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::all_rows;

    #[test]
    fn rows_stand_in_the_order_of_their_parameter() {
        let names = EXPRESSIONS.map(|row| row.name);
        let values =
            |p: Parameter| all_rows().find(|row| row.parameter == p).expect("a row").values;
        let paper = values(Parameter::ArithmeticNode);
        let all = paper.iter().chain(&values(Parameter::MoreNode)[1..]);
        assert!(names.iter().eq(all.map(|(name, _)| name)), "{names:?}");
        assert_eq!(paper.len(), PAPERS);
    }
}
