//! Truth values that are computed with: converted from wide values and pointers, added, negated,
//! used as masks; and `_Bool` bit-fields.

use crate::aggregate::{Base, Category, Member, Shape, StructType};
use crate::body::Body;
use crate::construct::Construct;
use crate::environment::Maker;
use crate::int_type::IntType;
use crate::node::{NodeId, NodeKind};
use crate::operator::{BinaryOp, UnaryOp};
use crate::policy::Context;

/// What is done with two truth values. They are promoted to `int` before.
const OPERATORS: [BinaryOp; 9] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Lt,
    BinaryOp::Eq,
    BinaryOp::Shl,
];

impl Maker<'_> {
    /// Structs with `_Bool` bit-fields, which the paper has in C++ only.
    pub fn make_flags(&mut self) {
        let needed =
            [Construct::BoolTricks, Construct::Bool, Construct::Structs, Construct::BitFields];
        if !needed.into_iter().all(|construct| self.options.allows(construct)) {
            return;
        }
        for _ in 0..self.up_to(2) {
            let mut made = StructType { depth: 1, ..StructType::default() };
            for _ in 0..self.between(2, 5) {
                let bits = self.between(1, 31) as u8;
                made.members.push(match self.random.below(6) {
                    0 => Member::BitField(IntType::UInt, bits),
                    1 => Member::BitField(IntType::Int, bits.max(2)),
                    2 => Member::Integer(self.any_type()),
                    _ => Member::BitField(IntType::Bool, 1),
                });
                made.fields += 1;
            }
            let base = Base::Struct(self.environment.structs.len());
            self.environment.structs.push(made);
            for category in Category::ALL {
                self.make_variable(b's', category, Shape::Single(base));
            }
        }
    }
}

impl Body<'_> {
    /// Whether truth values can be made here.
    pub(crate) fn may_use_bool_tricks(&self) -> bool {
        [Construct::BoolTricks, Construct::Bool, Construct::Casts, Construct::Unary]
            .into_iter()
            .all(|construct| self.options.allows(construct))
    }

    /// Something made of truth values.
    pub(crate) fn bool_trick(&mut self, depth: u32, context: Context) -> NodeId {
        let form = self.random.below(7);
        if form < 2
            && let Some(node) = self.draw_points_to()
        {
            return node;
        }
        let operand = self.expression(depth, context);
        match form {
            2 => {
                let not = self.unary(UnaryOp::Not, operand);
                self.unary(UnaryOp::Not, not)
            }
            3 => {
                let truth = self.cast(IntType::Bool, operand);
                let op = if self.random.next_u64() & 1 == 0 {
                    UnaryOp::Minus
                } else {
                    UnaryOp::Complement
                };
                self.unary(op, truth)
            }
            4 => {
                // All bits of the other operand, or none.
                let truth = self.cast(IntType::Bool, operand);
                let mask = self.unary(UnaryOp::Minus, truth);
                let other = self.expression(depth, context);
                self.binary(BinaryOp::And, other, mask)
            }
            5 => {
                let left = self.cast(IntType::Bool, operand);
                let right = self.expression(depth, context);
                let right = self.cast(IntType::Bool, right);
                let op = *self.random.pick(&OPERATORS);
                self.binary(op, left, right)
            }
            _ => self.cast(IntType::Bool, operand),
        }
    }

    /// A question about a pointer; none if there is no pointer.
    fn draw_points_to(&mut self) -> Option<NodeId> {
        if self.pure {
            return None;
        }
        let pointer = self.draw_dereference()?;
        let memory = &self.environment.memory;
        let target = memory.places[pointer as usize].target;
        let ty = memory.pointers[target as usize].ty;
        let aim = match self.random.below(3) {
            0 => pointer,
            1 => {
                let other = self.draw_dereference()?;
                let memory = &self.environment.memory;
                let target = memory.places[other as usize].target;
                if memory.pointers[target as usize].ty != ty {
                    return None;
                }
                other
            }
            _ => {
                let category = *self.random.pick(&Category::ALL);
                let aims = &self.environment.addressable[category as usize][ty as usize];
                if aims.is_empty() {
                    return None;
                }
                *self.random.pick(aims)
            }
        };
        Some(self.points_to(pointer, aim))
    }

    /// A place that dereferences a pointer, global or local.
    fn draw_dereference(&mut self) -> Option<u32> {
        const TRIES: usize = 6;
        let all = self.environment.memory.places.len();
        for _ in 0..TRIES {
            let local = all > self.locals && self.random.next_u64() & 1 == 0;
            let place = if local {
                (self.locals + self.random.index(all - self.locals)) as u32
            } else {
                *self.random.pick(&self.environment.readable)
            };
            if self.environment.memory.places[place as usize].dereference {
                return Some(place);
            }
        }
        None
    }

    /// Whether a pointer points to what a place names. No pointer is null, and none points behind an
    /// object, so that equal pointers point to the same object.
    pub(crate) fn points_to(&mut self, pointer: u32, aim: u32) -> NodeId {
        let memory = &self.environment.memory;
        let same = memory.cell_of(pointer) == memory.cell_of(aim);
        let kind = NodeKind::PointsTo { pointer, aim };
        self.push(kind, IntType::Int, 2, i64::from(same))
    }
}
