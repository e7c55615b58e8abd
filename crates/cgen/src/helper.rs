//! Functions that test functions call: pure functions of small domains, so that their results are
//! known for every argument that a call may pass.
//!
//! The body of such a function is made as that of a loop is, with a lane for each tuple of
//! arguments. It reads parameters, locals and inputs, which nobody writes, and writes locals. A call
//! masks its arguments so that they lie in the domain.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::memory::{Cell, Place};
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::policy::{Context, Regions};
use crate::rewrite::Operation;
use base::Random;

/// The most parameters.
pub(crate) const MOST_PARAMETERS: usize = 3;

/// A parameter: its values are `scale * n + offset` for `n` below `count`, a power of two.
#[derive(Clone, Copy, Debug)]
struct Domain {
    ty: IntType,
    count: u32,
    scale: i64,
    offset: i64,
}

/// A function. Functions are named `q` and their position.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    domains: Vec<Domain>,
    gives: IntType,
    /// The result for each tuple of arguments, the first parameter changing fastest.
    results: Vec<i64>,
    /// The most statements that a call executes.
    steps: u64,
}

/// What stands before a function: how it is linked, and what compilers are told about inlining.
/// `pure` is true: there are no side effects, and there is always an end.
const KINDS: [(&[u8], u64); 7] = [
    (b"static ", 1),
    (b"static ", 1),
    (b"static inline ", 2),
    (b"static __attribute__((noinline)) ", 7),
    (b"static __attribute__((noinline,pure)) ", 9),
    (b"", 0),
    // The last is not for functions that call themselves.
    (b"static inline __attribute__((always_inline)) ", 8),
];

impl Body<'_> {
    /// Makes the functions that may be called.
    pub(crate) fn helpers(&mut self, random: Random) {
        if !self.options.allows(Construct::Calls) {
            return;
        }
        self.random = random;
        self.pure = true;
        (self.last_byte, self.last_statement) = (usize::MAX, u64::MAX);
        for _ in 0..self.random.below(u64::from(self.limits.helpers) + 1) {
            self.regions = Regions::default();
            self.subexpressions.clear();
            self.accesses.clear();
            self.helper();
        }
        self.pure = false;
    }

    fn draw_domains(&mut self) -> Vec<Domain> {
        let mut domains: Vec<Domain> = Vec::new();
        let mut left = self.limits.iterations.min(64);
        for _ in 0..=self.random.below(MOST_PARAMETERS as u64) {
            let ty = *self.random.pick(&self.environment.types);
            let count = [2, 4, 8][self.random.index(3)];
            let count = if ty == IntType::Bool { 2 } else { count };
            if count > left {
                continue;
            }
            left /= count;
            let plain =
                domains.is_empty() || self.rules.width(ty) < 16 || self.random.next_u64() & 1 == 0;
            let (scale, offset) =
                if plain { (1, 0) } else { (self.random.range(1, 99), self.random.range(0, 500)) };
            domains.push(Domain { ty, count, scale, offset });
        }
        domains
    }

    fn helper(&mut self) {
        let domains = self.draw_domains();
        if domains.is_empty() {
            return;
        }
        let gives = *self.random.pick(&self.environment.types);
        let calls_itself = self.options.allows(Construct::Recursion)
            && domains[0].count > 2
            && self.random.below(3) == 0;
        let kinds = if calls_itself { KINDS.len() - 1 } else { KINDS.len() };
        let (kind, tokens) = KINDS[self.random.index(kinds)];
        self.out.text(kind, tokens);
        let (spelling, tokens) = gives.spelling(self.cxx);
        self.out.text(spelling, tokens);
        self.out.text(b" q", 1);
        self.out.digits(self.known.len() as u64);
        self.out.mark(b'(');

        let total: u32 = domains.iter().map(|domain| domain.count).product();
        let mark = self.environment.memory.mark();
        let executed = self.statistics.steps;
        self.lanes.enter_loop(&[total]);
        let first = self.environment.memory.places.len() as u32;
        let mut stride = 1;
        for (at, domain) in domains.iter().enumerate() {
            if at > 0 {
                self.out.mark(b',');
            }
            let value = |lane: u32| {
                let n = i64::from(lane / stride % domain.count);
                domain.scale * n + domain.offset
            };
            let values = (0..total).map(value).collect();
            // The first decides how deep a function that calls itself goes.
            self.parameter(domain.ty, values, at == 0);
            stride *= domain.count;
        }
        self.out.text(b"){\n", 2);
        let mut results = vec![0; total as usize];
        for _ in 0..self.random.below(4) {
            if self.random.below(4) == 0 {
                self.early_return(gives, &mut results);
            } else {
                self.statement();
            }
        }
        let mut steps = self.statistics.steps - executed;
        if calls_itself {
            steps *= u64::from(domains[0].count);
            self.recursive_return(first, &domains, gives, &mut results);
        } else {
            let depth = self.statement_depth();
            let value = self.expression(depth, Context::FREE);
            self.return_value(value, gives, &mut results);
        }
        self.out.text(b"}\n", 1);
        self.clear_nodes();
        while self.lanes.is_on() {
            self.leave_level();
        }
        self.environment.memory.leave_scope(mark);
        self.statistics.steps = executed;
        let steps = steps / u64::from(total) + u64::from(domains[0].count) + 1;
        self.known.push(Helper { domains, gives, results, steps });
    }

    /// A parameter with its values by lane.
    pub(crate) fn parameter(&mut self, ty: IntType, values: Vec<i64>, constant: bool) {
        let (spelling, tokens) = ty.spelling(self.cxx);
        self.out.text(spelling, tokens);
        self.out.space(b' ');
        let memory = &mut self.environment.memory;
        let spelling = memory.name(b'v', memory.places.len() - self.globals);
        self.out.text(memory.text(spelling), 1);
        let target = memory.cells.len() as u32;
        memory.cells.push(Cell { value: values[0], ty, bits: 0 });
        memory.places.push(Place { spelling, other: None, target, dereference: false, constant });
        if self.lanes.is_on() {
            self.lanes.new_local(target);
            self.lanes.write_scalar(target, values, true);
        }
    }

    /// `return e;` in the present lanes.
    fn return_value(&mut self, value: NodeId, gives: IntType, results: &mut [i64]) {
        self.out.text(b"return ", 1);
        self.print(value);
        self.end_statement();
        let values = self.values_as(value, gives);
        for (lane, value) in values.into_iter().enumerate() {
            results[self.lanes.outermost(lane)] = value;
        }
    }

    /// `if (…) return e;`: the other lanes go on.
    fn early_return(&mut self, gives: IntType, results: &mut [i64]) {
        let depth = self.statement_depth();
        let condition = self.expression(depth, Context::FREE);
        let (yes, no) = self.lanes_by(condition);
        if yes.is_empty() || no.is_empty() {
            return self.clear_nodes();
        }
        self.return_if(condition, &yes, gives, results);
        self.lanes.enter_branch(&no);
    }

    /// `if (condition) return e;` for the lanes in which it holds.
    fn return_if(&mut self, condition: NodeId, lanes: &[u32], gives: IntType, results: &mut [i64]) {
        self.out.text(b"if(", 2);
        self.print(condition);
        self.out.mark(b')');
        self.clear_nodes();
        self.lanes.enter_branch(lanes);
        let value = self.expression(1, Context::FREE);
        self.return_value(value, gives, results);
        self.clear_nodes();
        self.leave_level();
    }

    /// `if (n == 0) return e; return q(n - 1, …) op e;`
    fn recursive_return(
        &mut self,
        first: u32,
        domains: &[Domain],
        gives: IntType,
        results: &mut [i64],
    ) {
        let n = self.read(first, false);
        let zero = self.literal(0, IntType::Int);
        let is_zero = self.binary(BinaryOp::Eq, n, zero);
        let (yes, no) = self.lanes_by(is_zero);
        if !yes.is_empty() {
            self.return_if(is_zero, &yes, gives, results);
            if no.is_empty() {
                // Every other tuple has returned before.
                self.out.text(b"return 0;\n", 3);
                return;
            }
            self.lanes.enter_branch(&no);
        }
        self.clear_nodes();
        let mut arguments = Vec::new();
        for domain in &domains[1..] {
            arguments.push(self.argument(domain, 1, Context::FREE));
        }
        let value = self.expression(1, Context::FREE);
        let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor, BinaryOp::Mul][self.random.index(4)];
        let casts = self.options.allows(Construct::Casts);
        let unsigned = self.operand_types(op, gives, self.node(value).ty).0.unsigned();
        let tries = [(op, None), (op, casts.then_some(unsigned)), (BinaryOp::Xor, None)];
        let (op, cast) = tries
            .into_iter()
            .find(|(op, cast)| self.recur(*op, *cast, domains, &arguments, value, gives, results))
            .expect("exclusive or is defined for all operands");
        self.out.text(b"return ", 1);
        if let Some(ty) = cast {
            let (spelling, tokens) = ty.spelling(self.cxx);
            self.out.mark(b'(');
            self.out.text(spelling, tokens);
            self.out.mark(b')');
        }
        self.out.text(b"q", 1);
        self.out.digits(self.known.len() as u64);
        self.out.mark(b'(');
        self.print_place(first, false);
        self.out.text(b"-1", 2);
        for argument in arguments {
            self.out.mark(b',');
            self.print(argument);
        }
        self.out.mark(b')');
        self.out.text(op.text(), 1);
        self.out.mark(b'(');
        self.print(value);
        self.out.mark(b')');
        self.end_statement();
    }

    /// Computes the results of the present lanes in the order of their first argument; false if one
    /// is undefined.
    #[expect(clippy::too_many_arguments, reason = "all of it is what one line of C says")]
    fn recur(
        &self,
        op: BinaryOp,
        cast: Option<IntType>,
        domains: &[Domain],
        arguments: &[NodeId],
        value: NodeId,
        gives: IntType,
        results: &mut [i64],
    ) -> bool {
        let node = self.node(value);
        let from = cast.unwrap_or(gives);
        let (left_ty, right_ty) = self.operand_types(op, from, node.ty);
        for n in 1..domains[0].count {
            for lane in 0..self.lanes.count() {
                let outermost = self.lanes.outermost(lane);
                if outermost as u32 % domains[0].count != n {
                    continue;
                }
                let mut index = n - 1;
                let mut stride = domains[0].count;
                for (domain, argument) in domains[1..].iter().zip(arguments) {
                    index += stride * domain.position(self.value_in(&self.node(*argument), lane));
                    stride *= domain.count;
                }
                let held = self.rules.convert(results[index as usize], from);
                let operation = Operation {
                    op,
                    a: self.rules.convert(held, left_ty),
                    b: self.rules.convert(self.value_in(&node, lane), right_ty),
                    left: self.shape(left_ty),
                    right: self.shape(right_ty),
                    negative_shifts: self.negative_shifts,
                };
                if operation.is_unsafe() {
                    return false;
                }
                results[outermost] = self.rules.convert(operation.result(), gives);
            }
        }
        true
    }

    /// An argument in a domain: `(e & 7) * 3 + 5`, or a literal.
    fn argument(&mut self, domain: &Domain, depth: u32, context: Context) -> NodeId {
        if self.random.below(4) == 0 {
            let n = self.random.below(u64::from(domain.count)) as i64;
            return self.literal(domain.scale * n + domain.offset, IntType::Int);
        }
        let value = self.expression(depth, context);
        let mask = self.literal(i64::from(domain.count) - 1, IntType::Int);
        let mut node = self.binary(BinaryOp::And, value, mask);
        if domain.scale != 1 {
            let scale = self.literal(domain.scale, IntType::Int);
            node = self.binary(BinaryOp::Mul, node, scale);
        }
        if domain.offset != 0 {
            let offset = self.literal(domain.offset, IntType::Int);
            node = self.binary(BinaryOp::Add, node, offset);
        }
        node
    }

    /// A call of one of the functions.
    pub(crate) fn draw_call(&mut self, depth: u32, context: Context) -> NodeId {
        let helper = self.random.index(self.known.len());
        let steps = self.known[helper].steps * self.lanes.count() as u64;
        let left = u64::from(self.limits.steps).saturating_sub(self.statistics.steps);
        if steps > left / 16 {
            // Functions that call functions that call themselves take long.
            return self.leaf(context);
        }
        let domains = self.known[helper].domains.clone();
        let mut arguments = [0; MOST_PARAMETERS];
        for (argument, domain) in arguments.iter_mut().zip(&domains) {
            *argument = self.argument(domain, depth.min(2), context);
        }
        self.call(helper as u8, arguments)
    }

    /// A call with arguments that lie in the domains.
    pub(crate) fn call(&mut self, helper: u8, arguments: [NodeId; MOST_PARAMETERS]) -> NodeId {
        let at = usize::from(helper);
        let count = self.known[at].domains.len();
        let nodes: Vec<_> = arguments[..count].iter().map(|id| self.node(*id)).collect();
        let gives = self.known[at].gives;
        let size = nodes.iter().fold(1, |sum: u16, node| sum.saturating_add(node.size));
        let kind = NodeKind::Call(helper, arguments);
        let result = |body: &Self, lane: usize| {
            let (mut index, mut stride) = (0, 1);
            for (domain, node) in body.known[at].domains.iter().zip(&nodes) {
                index += stride * domain.position(body.value_in(node, lane));
                stride *= domain.count;
            }
            body.known[at].results[index as usize]
        };
        if self.environment.memory.is_taken() {
            self.statistics.steps += self.known[at].steps * self.lanes.count() as u64;
        }
        if nodes.iter().any(|node| node.varies) {
            let start = self.lanes.values.len();
            for lane in 0..self.lanes.count() {
                let value = result(self, lane);
                self.lanes.values.push(value);
            }
            self.push_varying(kind, gives, size, start)
        } else {
            let value = result(self, 0);
            self.push(kind, gives, size, value)
        }
    }
}

impl Helper {
    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.domains.len()
    }
}

impl Domain {
    /// Which of its values an argument is.
    fn position(&self, value: i64) -> u32 {
        let n = (value - self.offset) / self.scale;
        debug_assert!((0..i64::from(self.count)).contains(&n), "{value} is not in {self:?}");
        n as u32
    }
}
