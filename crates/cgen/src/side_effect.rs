//! Side effects within expressions: `++`, `--` and assignments as operands.
//!
//! What an effect writes is read and written nowhere else in its statement, so that no order of
//! evaluation matters; behind a comma it may be. Which effects take place, and in which lanes, is found by walking
//! the expression as it was built: `&&`, `||` and `?:` may skip them, a repair may drop them.

use crate::body::Body;
use crate::int_type::IntType;
use crate::memory::stored;
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::parameter::Parameter;
use crate::policy::Context;
use crate::target::Target;
use crate::writer::Writer;

/// An effect. Its node is the text of its position.
struct Effect {
    target: Target,
    cell: u32,
    /// By lane, what its target holds before and after.
    before: Vec<i64>,
    after: Vec<i64>,
    /// The lanes that get there.
    evaluated: Vec<bool>,
}

/// How often something to write is looked for.
const TRIES: u32 = 6;

impl Body<'_> {
    /// `m0 = (m1 += 3) < i0 && m2++;`
    pub(crate) fn side_effects(&mut self, context: Context) {
        let depth = self.statement_depth().min(2);
        let mut operands = Vec::new();
        let mut touched = Vec::new();
        for _ in 0..2 + self.random.below(2) {
            let operand = self.expression(depth, context);
            self.cells_read(operand, &mut touched);
            operands.push(operand);
        }
        let mut effects: Vec<Effect> = Vec::new();
        let mut value = operands[0];
        for operand in &operands[1..] {
            let Some(effect) = self.effect(*operand, &mut touched, &mut effects) else { continue };
            value = self.join(value, effect);
        }
        if effects.is_empty() {
            return self.assign_value(value);
        }
        let lanes = vec![true; self.lanes.count()];
        self.settle(value, &lanes, &mut effects);
        let mut text = Writer::default();
        text.mark(b'(');
        text.append(&self.written(value));
        for effect in &effects {
            self.perform(effect);
        }
        if self.random.below(4) == 0 {
            // The comma is a sequence point: what comes after may read what was written.
            let Target::Place { place, other } = effects[0].target else {
                unreachable!("effects are on scalars")
            };
            let written = self.read(place, other);
            let operand = self.expression(1, context);
            value = self.join(written, operand);
            text.mark(b',');
            text.append(&self.written(value));
        }
        text.mark(b')');
        let target = self.free_target(&effects);
        if let Some(target) = &target {
            self.print_target(target);
            self.out.mark(b'=');
        }
        self.out.append(&text);
        self.end_statement();
        if let Some(target) = target {
            self.store_target(&target, value);
        }
    }

    /// Two operands under an operator.
    fn join(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let op = match self.random.below(4) {
            0 => BinaryOp::LogAnd,
            1 => BinaryOp::LogOr,
            _ => BinaryOp::ALL[self.parameters.draw(Parameter::BinaryOperator, &mut self.random)],
        };
        match self.random.below(6) {
            0 => {
                let no = self.literal(1, IntType::Int);
                self.ternary(left, right, no)
            }
            _ => self.binary(op, left, right),
        }
    }

    /// Adds the cells of all scalars that an expression reads.
    fn cells_read(&self, id: NodeId, cells: &mut Vec<u32>) {
        let memory = &self.environment.memory;
        match self.node(id).kind {
            NodeKind::Place { place, .. } => cells.push(memory.cell_of(place)),
            NodeKind::Element { access } => {
                let subscripts = self.accesses[access as usize].subscripts;
                let variables = subscripts.iter().flat_map(|s| [s.variable, s.other]).flatten();
                cells.extend(variables.map(|place| memory.cell_of(place)));
            }
            NodeKind::Literal
            | NodeKind::VectorElement(_)
            | NodeKind::Spelled(_)
            | NodeKind::PointsTo { .. } => {}
            NodeKind::Builtin(_, a) | NodeKind::Unary(_, a) | NodeKind::Cast(a) => {
                self.cells_read(a, cells);
            }
            NodeKind::Call(helper, arguments) => {
                let count = self.known[usize::from(helper)].parameters();
                for argument in &arguments[..count] {
                    self.cells_read(*argument, cells);
                }
            }
            NodeKind::Binary(_, a, b) => {
                self.cells_read(a, cells);
                self.cells_read(b, cells);
            }
            NodeKind::Ternary(a, b, c) => {
                for operand in [a, b, c] {
                    self.cells_read(operand, cells);
                }
            }
        }
    }

    /// An effect on something that the statement does not touch, with an operand or without.
    fn effect(
        &mut self,
        operand: NodeId,
        touched: &mut Vec<u32>,
        effects: &mut Vec<Effect>,
    ) -> Option<NodeId> {
        let (place, cell) = self.untouched(touched)?;
        let ty = self.environment.memory.cells[cell as usize].ty;
        let other = self.other_spelling(place);
        let target = Target::Place { place, other };
        let left = self.read(place, other);
        let one = self.literal(1, IntType::Int);
        let form = self.random.below(4);
        let (op, right) = match form {
            0 => (BinaryOp::Add, one),
            1 => (BinaryOp::Sub, one),
            _ => (self.draw_arithmetic(Context::FREE), operand),
        };
        let assigns = form == 3;
        let result = if assigns { operand } else { self.binary(op, left, right) };
        let (op, right) = match self.node(result).kind {
            _ if assigns => (op, operand),
            // A repair may have changed the right operand, but not what is assigned to.
            NodeKind::Binary(op, l, r) if l == left && (form > 1 || r == one) => (op, r),
            _ => return None,
        };
        if !self.may_write(&target) {
            return None;
        }
        let mut text = Writer::default();
        let name = self.target_text(&target);
        let twice: &[u8] = if op == BinaryOp::Sub { b"--" } else { b"++" };
        let is_old = form < 2 && self.random.next_u64() & 1 == 0;
        match form {
            0 | 1 if is_old && self.is_dereference(&target) => {
                text.mark(b'(');
                text.append(&name);
                text.mark(b')');
                text.text(twice, 1);
            }
            0 | 1 if is_old => {
                text.append(&name);
                text.text(twice, 1);
            }
            0 | 1 => {
                text.text(twice, 1);
                text.append(&name);
            }
            _ => {
                text.mark(b'(');
                text.append(&name);
                text.text(if assigns { b"" } else { op.text() }, 0);
                text.mark(b'=');
                text.append(&self.written(right));
                text.mark(b')');
            }
        }
        let before = self.values_as(left, ty);
        let after: Vec<i64> = {
            let node = self.node(result);
            let lanes = 0..self.lanes.count();
            lanes.map(|lane| stored(self.value_in(&node, lane), ty, 0, self.rules)).collect()
        };
        let node = self.spelled(text, ty, if is_old { &before } else { &after });
        touched.push(cell);
        let evaluated = vec![false; self.lanes.count()];
        effects.push(Effect { target, cell, before, after, evaluated });
        Some(node)
    }

    /// A scalar that the statement does not touch.
    fn untouched(&mut self, touched: &[u32]) -> Option<(u32, u32)> {
        for _ in 0..TRIES {
            let kind = self.parameters.draw(Parameter::OutDataType, &mut self.random);
            let place = self.place_to_write(0, kind);
            let cell = self.environment.memory.cell_of(place);
            let held = self.environment.memory.cells[cell as usize];
            // C++ has no increment of bool, and what a bit-field is as a result compilers differ in.
            let plain = held.bits == 0 && (held.ty != IntType::Bool || !self.cxx);
            if plain && !touched.contains(&cell) && self.lanes.may_write_scalar(cell) {
                return Some((place, cell));
            }
        }
        None
    }

    fn target_text(&mut self, target: &Target) -> Writer {
        let outside = std::mem::take(&mut self.out);
        self.print_target(target);
        std::mem::replace(&mut self.out, outside)
    }

    /// Something to write that no effect writes.
    fn free_target(&mut self, effects: &[Effect]) -> Option<Target> {
        for _ in 0..TRIES {
            let target = self.draw_mixed_target();
            let taken = match target {
                Target::Place { place, .. } => {
                    let cell = self.environment.memory.cell_of(place);
                    effects.iter().any(|effect| effect.cell == cell)
                }
                Target::Element(_) => false,
            };
            if !taken && self.may_write(&target) {
                return Some(target);
            }
        }
        None
    }

    /// Finds the effects that these lanes meet on their way through an expression.
    fn settle(&self, id: NodeId, lanes: &[bool], effects: &mut [Effect]) {
        let among = |condition: NodeId, holds: bool| -> Vec<bool> {
            let node = self.node(condition);
            let meets =
                |(lane, is): (usize, &bool)| *is && (self.value_in(&node, lane) != 0) == holds;
            lanes.iter().enumerate().map(meets).collect()
        };
        match self.node(id).kind {
            NodeKind::Spelled(at) => effects[at as usize].evaluated = lanes.to_vec(),
            NodeKind::Place { .. }
            | NodeKind::Literal
            | NodeKind::Element { .. }
            | NodeKind::VectorElement(_)
            | NodeKind::PointsTo { .. } => {}
            NodeKind::Builtin(_, a) | NodeKind::Unary(_, a) | NodeKind::Cast(a) => {
                self.settle(a, lanes, effects);
            }
            NodeKind::Call(helper, arguments) => {
                let count = self.known[usize::from(helper)].parameters();
                for argument in &arguments[..count] {
                    self.settle(*argument, lanes, effects);
                }
            }
            NodeKind::Binary(op, a, b) => {
                self.settle(a, lanes, effects);
                match op {
                    BinaryOp::LogAnd => self.settle(b, &among(a, true), effects),
                    BinaryOp::LogOr => self.settle(b, &among(a, false), effects),
                    _ => self.settle(b, lanes, effects),
                }
            }
            NodeKind::Ternary(condition, yes, no) => {
                self.settle(condition, lanes, effects);
                self.settle(yes, &among(condition, true), effects);
                self.settle(no, &among(condition, false), effects);
            }
        }
    }

    /// Lets memory hold what an effect leaves.
    fn perform(&mut self, effect: &Effect) {
        let held = |lane: usize| {
            if effect.evaluated[lane] { effect.after[lane] } else { effect.before[lane] }
        };
        if self.lanes.is_on() {
            let values = (0..effect.before.len()).map(held).collect();
            self.lanes.write_scalar(effect.cell, values, true);
        } else {
            self.environment.memory.put(effect.cell, held(0));
        }
    }
}
