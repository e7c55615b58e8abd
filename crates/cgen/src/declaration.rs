//! The declaration statement: a local integer, or a local pointer.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::memory::{Cell, Place, Pointer};
use crate::node::NodeId;
use crate::parameter::Parameter;
use crate::policy::Context;

/// How many locals are looked at for one that a pointer can point to.
const LOOK_BACK: usize = 8;

impl Body<'_> {
    /// A declaration with an initial value.
    pub(crate) fn declare(&mut self, context: Context) {
        let is_pointer = self.parameters.draw(Parameter::DeclarationKind, &mut self.random) == 1
            && !self.pure
            && self.options.allows(Construct::Pointers);
        if is_pointer && self.declare_pointer() {
            return;
        }
        let ty = *self.random.pick(&self.environment.types);
        let constant = self.draw_const();
        let depth = self.statement_depth();
        let value = self.expression(depth, context);
        self.declare_as(ty, constant, value);
    }

    /// A declaration of a local with a given initial value.
    pub(crate) fn declare_integer(&mut self, value: NodeId) {
        let ty = *self.random.pick(&self.environment.types);
        self.declare_as(ty, false, value);
    }

    fn declare_as(&mut self, ty: IntType, constant: bool, value: NodeId) {
        self.print_type(ty, constant);
        self.out.space(b' ');
        let memory = &mut self.environment.memory;
        let spelling = memory.name(b'v', memory.places.len() - self.globals);
        self.out.text(memory.text(spelling), 1);
        self.out.mark(b'=');
        self.print(value);
        self.end_statement();
        let memory = &mut self.environment.memory;
        let target = memory.cells.len() as u32;
        if self.lanes.is_on() {
            let values = self.values_as(value, ty);
            self.lanes.new_local(target);
            self.lanes.write_scalar(target, values, true);
        }
        let value = self.rules.convert(self.node(value).value, ty);
        let memory = &mut self.environment.memory;
        memory.cells.push(Cell { value, ty, bits: 0 });
        memory.places.push(Place { spelling, other: None, target, dereference: false, constant });
    }

    fn draw_const(&mut self) -> bool {
        self.options.allows(Construct::Const)
            && self.random.percent(u64::from(self.limits.const_percent))
    }

    fn print_type(&mut self, ty: IntType, constant: bool) {
        if constant {
            self.out.text(b"const ", 1);
        }
        let (spelling, tokens) = ty.spelling(self.cxx);
        self.out.text(spelling, tokens);
    }

    /// A pointer to a local, to mixed data, or (to const) to an input. False if there is none of
    /// the type drawn.
    fn declare_pointer(&mut self) -> bool {
        let ty = *self.random.pick(&self.environment.types);
        let to_const = self.draw_const();
        let Some(aim) = self.local_aim(ty, to_const).or_else(|| self.global_aim(ty, to_const))
        else {
            return false;
        };
        let other = self.other_spelling(aim);
        self.print_type(ty, to_const);
        self.out.mark(b'*');
        let memory = &mut self.environment.memory;
        let name = memory.name(b'v', memory.places.len() - self.globals);
        self.out.text(memory.text(name), 1);
        self.out.text(b"=&", 2);
        self.print_place(aim, other);
        self.end_statement();
        let memory = &mut self.environment.memory;
        let spelling = memory.dereferenced(name);
        let pointer = memory.pointers.len() as u32;
        let target = memory.cell_of(aim);
        memory.pointers.push(Pointer { name, ty, to_const, target });
        memory.places.push(Place {
            spelling,
            other: None,
            target: pointer,
            dereference: true,
            constant: to_const,
        });
        true
    }

    fn global_aim(&mut self, ty: IntType, to_const: bool) -> Option<u32> {
        let to_input = to_const && self.random.next_u64() & 1 == 0;
        let category = if to_input { Category::Input } else { Category::Mixed };
        let list = &self.environment.addressable[category as usize][ty as usize];
        if list.is_empty() { None } else { Some(*self.random.pick(list)) }
    }

    fn local_aim(&mut self, ty: IntType, to_const: bool) -> Option<u32> {
        if self.random.next_u64() & 1 == 0 {
            return None;
        }
        let memory = &self.environment.memory;
        let locals = &memory.places[self.locals..];
        let newest = locals.iter().enumerate().rev().take(LOOK_BACK);
        newest
            .filter(|(_, place)| !place.dereference && (to_const || !place.constant))
            .find(|(_, place)| memory.cells[place.target as usize].ty == ty)
            .map(|(index, _)| (self.locals + index) as u32)
    }
}
