//! The policy for constants: special ones, patterns of bits, and constants used before.

use crate::body::Body;
use crate::int_type::{IntType, wrap};
use crate::node::NodeId;
use crate::parameter::Parameter;
use crate::policy::Context;

/// The constants used last.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstantBuffer {
    constants: Vec<(i64, IntType)>,
    next: usize,
}

impl ConstantBuffer {
    fn remember(&mut self, constant: (i64, IntType), most: usize) {
        if self.constants.len() < most {
            self.constants.push(constant);
        } else if most > 0 {
            self.constants[self.next % most] = constant;
            self.next += 1;
        }
    }
}

impl Body<'_> {
    /// A constant.
    pub(crate) fn constant(&mut self, context: Context) -> NodeId {
        if !self.policies.constants {
            let ty = *self.random.pick(&self.environment.types);
            let value = self.rules.convert(self.random.next_u64() as i64, ty);
            return self.literal(value, ty);
        }
        // "In all but logical context" (section 3.3).
        let reuse = !context.is_logical()
            && !self.constants.constants.is_empty()
            && self.parameters.draw(Parameter::NewConstant, &mut self.random) == 1;
        if reuse {
            self.statistics.reused_constants += 1;
            let (value, ty) = *self.random.pick(&self.constants.constants);
            let value = self.transformed(value, ty.promoted());
            return self.literal(value, ty);
        }
        let ty = *self.random.pick(&self.environment.types);
        let value = self.new_constant(ty);
        self.constants.remember((value, ty), self.limits.constant_buffer as usize);
        self.literal(value, ty)
    }

    /// A used constant, negated, complemented or as it was.
    fn transformed(&mut self, value: i64, ty: IntType) -> i64 {
        let changed = match self.parameters.draw(Parameter::ConstantTransform, &mut self.random) {
            // The negation of the least value is itself, by wrapping here and not in the program.
            0 => value.wrapping_neg(),
            1 => !value,
            _ => value,
        };
        self.rules.convert(changed, ty)
    }

    fn new_constant(&mut self, ty: IntType) -> i64 {
        let draw = |body: &mut Self, p| body.parameters.draw(p, &mut body.random);
        if draw(self, Parameter::NewConstantType) == 0 {
            const SMALL: [i64; 7] = [0, 1, 2, 3, 4, 8, 16];
            let choice = draw(self, Parameter::SpecialConstant);
            let value = SMALL.get(choice).copied().unwrap_or_else(|| self.near_limit(ty));
            return self.rules.convert(value, ty);
        }
        let width = self.rules.width(ty);
        let bits = match draw(self, Parameter::ConstantKind) {
            0 => self.end_bits(width),
            1 => self.bit_block(width),
            _ => self.random.next_u64(),
        };
        wrap(bits as i64, width, ty.is_signed())
    }

    /// Deviation: v1 has only MAX here; the paper speaks of constants *near* values such as
    /// INT_MAX, so these are MAX and MIN and their neighbours.
    fn near_limit(&mut self, ty: IntType) -> i64 {
        let off = self.random.below(3) as i64 / 2;
        if self.random.next_u64() & 1 == 0 {
            self.rules.max(ty).wrapping_sub(off)
        } else {
            self.rules.min(ty).wrapping_add(off)
        }
    }

    /// Ones, or zeros, at the low or the high end.
    fn end_bits(&mut self, width: u32) -> u64 {
        let ones = u64::MAX >> (63 - self.random.below(u64::from(width)));
        let block = if self.random.next_u64() & 1 == 0 { ones } else { !(ones >> 1) };
        if self.random.next_u64() & 1 == 0 { block } else { !block }
    }

    /// A block of ones among zeros, or the reverse.
    fn bit_block(&mut self, width: u32) -> u64 {
        let (a, b) = (self.random.below(u64::from(width)), self.random.below(u64::from(width)));
        let block = (u64::MAX >> (63 - a.max(b))) & (u64::MAX << a.min(b));
        if self.random.next_u64() & 1 == 0 { block } else { !block }
    }
}
