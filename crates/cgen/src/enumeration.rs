//! Enumerated types: their constants, which expressions and labels name, and variables of them.
//!
//! A constant is a place that nobody writes. A variable holds what C++ lets its type hold: as many bits
//! as the constants need.

use crate::aggregate::{Base, Category, Shape, Variable};
use crate::body::Body;
use crate::construct::Construct;
use crate::environment::Maker;
use crate::int_type::IntType;
use crate::memory::{Cell, Place};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::target::Target;

/// A type. Types are named `E` and their position, constants `c` and a number.
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    pub constants: Vec<Constant>,
    /// All numbers up to this one, which is one less than a power of two, are values of the type.
    pub most: i64,
}

/// A constant of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    pub place: u32,
    pub value: i64,
}

/// The most constants of a type.
const MOST_CONSTANTS: u32 = 6;
/// Constants stay below this, so that all types fit into `int`.
const MOST_VALUE: i64 = 1 << 30;

impl Maker<'_> {
    /// Makes the types, and variables of each.
    pub fn make_enums(&mut self) {
        if !self.options.allows(Construct::Enums) {
            return;
        }
        let least = u32::from(self.options.require.contains(&Construct::Enums));
        for _ in 0..self.up_to(self.options.limits.enums).max(least) {
            let id = self.environment.enums.len();
            let mut constants: Vec<Constant> = Vec::new();
            for _ in 0..self.between(2, MOST_CONSTANTS) {
                let next = constants.last().map_or(0, |last| last.value + 1);
                let value = match self.random.below(6) {
                    0 => self.random.range(-9, 40),
                    1 => self.random.range(-MOST_VALUE, MOST_VALUE),
                    _ => next,
                };
                let place = self.new_constant(value);
                constants.push(Constant { place, value });
            }
            // -2^k has as many bits as 2^k - 1.
            let bits = |c: &Constant| 64 - (c.value ^ (c.value >> 63)).leading_zeros();
            let most = (1 << constants.iter().map(bits).max().unwrap_or(0)) - 1;
            self.environment.enums.push(Enumeration { constants, most });
            self.make_enum_variable(id, Category::Mixed);
            for _ in 0..self.up_to(2) {
                let category = *self.random.pick(&Category::ALL);
                self.make_enum_variable(id, category);
            }
        }
    }

    /// The place of a constant.
    fn new_constant(&mut self, value: i64) -> u32 {
        let number = self.count(b'c');
        let memory = &mut self.environment.memory;
        let spelling = memory.name(b'c', number);
        let target = memory.cells.len() as u32;
        memory.cells.push(Cell { value, ty: IntType::Int, bits: 0 });
        let place = memory.places.len() as u32;
        memory.places.push(Place {
            spelling,
            other: None,
            target,
            dereference: false,
            constant: true,
        });
        self.environment.readable.push(place);
        self.environment.inputs.push(place);
        place
    }

    fn make_enum_variable(&mut self, id: usize, category: Category) {
        let constants = &self.environment.enums[id].constants;
        let signed = constants.iter().any(|constant| constant.value < 0);
        let value = self.random.pick(constants).value;
        // C leaves the choice to the compiler, and all take `unsigned` where that holds all
        // constants. C++ promotes to `int` what fits.
        let ty =
            if signed || self.options.standard.is_cxx() { IntType::Int } else { IntType::UInt };
        let number = self.count(b'e');
        let memory = &mut self.environment.memory;
        let name = memory.name(b'e', number);
        let first_cell = memory.cells.len() as u32;
        memory.cells.push(Cell { value, ty, bits: 0 });
        let place = memory.places.len() as u32;
        let constant = category == Category::Input;
        memory.places.push(Place {
            spelling: name,
            other: None,
            target: first_cell,
            dereference: false,
            constant,
        });
        let shape = Shape::Single(Base::Enum(id));
        let places = place..place + 1;
        let variable =
            Variable { name, category, constant, volatile: false, shape, first_cell, places };
        self.environment.variables.push(variable);
        match category {
            Category::Mixed => self.environment.enum_variables.push((place, id)),
            Category::Input => self.environment.inputs.push(place),
            Category::Output => return self.environment.enum_variables.push((place, id)),
        }
        self.environment.readable.push(place);
    }
}

impl Body<'_> {
    /// An assignment to a variable of an enumerated type, or a switch over one.
    pub(crate) fn enumeration(&mut self, context: Context) {
        let (place, id) = *self.random.pick(&self.environment.enum_variables);
        let may_switch = self.if_depth < self.limits.if_depth
            && self.options.allows(Construct::Switch)
            && self.environment.readable.contains(&place);
        if may_switch && self.random.below(3) == 0 {
            let labels: Vec<i64> =
                self.environment.enums[id].constants.iter().map(|c| c.value).collect();
            let value = self.read(place, false);
            return self.switch_on(value, &labels);
        }
        let form = self.random.below(4);
        let constant = |body: &mut Self| {
            let place = body.random.pick(&body.environment.enums[id].constants).place;
            body.read(place, false)
        };
        let depth = self.statement_depth();
        let (value, is_of_type) = match form {
            0 => (constant(self), true),
            1 if self.options.allows(Construct::Ternary) => {
                let condition = self.expression(depth, context);
                let (yes, no) = (constant(self), constant(self));
                (self.ternary(condition, yes, no), true)
            }
            // In C the variable is an integer like others.
            2 if !self.cxx => (self.expression(depth, context), false),
            _ => {
                let value = self.expression(depth, context);
                let most = self.literal(self.environment.enums[id].most, IntType::Int);
                (self.binary(BinaryOp::And, value, most), false)
            }
        };
        let target = Target::Place { place, other: false };
        if !self.may_write(&target) {
            return self.assign_value(value);
        }
        self.print_target(&target);
        if is_of_type {
            self.out.mark(b'=');
            self.print(value);
        } else {
            self.out.text(b"=(enum E", 4);
            self.out.digits(id as u64);
            self.out.text(b")(", 2);
            self.print(value);
            self.out.mark(b')');
        }
        self.end_statement();
        self.store_target(&target, value);
    }
}
