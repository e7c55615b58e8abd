//! The assignment statement: to an integer, or to a pointer.

use crate::body::Body;
use crate::environment::PLACE_KINDS;
use crate::parameter::Parameter;
use crate::policy::Context;

/// How often a mixed variable to write to is a local, where there are any.
const LOCAL_PERCENT: u64 = 35;

/// How often an assignment outside of loops writes an element of a grid, if there are any.
const ELEMENT_PERCENT: u64 = 8;

impl Body<'_> {
    /// An assignment of a random expression, or of an address.
    pub(crate) fn assign(&mut self, context: Context) {
        if self.lanes.is_on() {
            return self.assign_in_loop(context);
        }
        if self.more && self.random.percent(ELEMENT_PERCENT) {
            let value = self.expression(self.limits.expression_depth, context);
            if self.assign_element(value) {
                return;
            }
            self.clear_nodes();
        }
        let category = self.parameters.draw(Parameter::OutDataCategory, &mut self.random);
        let kind = self.parameters.draw(Parameter::OutDataType, &mut self.random);
        if kind == PLACE_KINDS && self.assign_pointer(category) {
            return;
        }
        let place = self.place_to_write(category, kind);
        let value = self.expression(self.limits.expression_depth, context);
        let other = self.other_spelling(place);
        self.print_place(place, other);
        self.out.mark(b'=');
        self.print(value);
        self.end_statement();
        let value = self.node(value).value;
        self.environment.memory.store(place, value, self.rules);
        if category == 0 && (place as usize) < self.globals {
            self.recent[self.written % self.recent.len()] = place;
            self.written += 1;
        }
    }

    pub(crate) fn end_statement(&mut self) {
        self.out.text(b";\n", 1);
    }

    /// A place of mixed (0) or output data; a variable where there is none of the kind.
    pub(crate) fn place_to_write(&mut self, category: usize, kind: usize) -> u32 {
        let all = self.environment.memory.places.len();
        let mixed_variable = category == 0 && kind == 0;
        if mixed_variable && all > self.locals && self.random.percent(LOCAL_PERCENT) {
            let place = self.locals + self.random.index(all - self.locals);
            if !self.environment.memory.places[place].constant {
                return place as u32;
            }
        }
        let lists = &self.environment.writable[category];
        let list = lists.get(kind).filter(|list| !list.is_empty()).unwrap_or(&lists[0]);
        *self.random.pick(list)
    }

    /// `p = &x` or `p = q`; false if there is no pointer to assign to.
    fn assign_pointer(&mut self, category: usize) -> bool {
        let pointers = &self.environment.assignable_pointers[category];
        if pointers.is_empty() {
            return false;
        }
        let (id, source) = (*self.random.pick(pointers), *self.random.pick(pointers));
        let memory = &self.environment.memory;
        let (pointer, from) = (memory.pointers[id as usize], memory.pointers[source as usize]);
        self.out.text(memory.text(pointer.name), 1);
        self.out.mark(b'=');
        let target = if source != id && from.ty == pointer.ty {
            // Both are global and of one category, so that p may do what q may.
            self.out.text(memory.text(from.name), 1);
            from.target
        } else {
            // Not empty: its first target was one of these.
            let aims = &self.environment.addressable[category][pointer.ty as usize];
            let aim = *self.random.pick(aims);
            let other = self.other_spelling(aim);
            self.out.mark(b'&');
            self.print_place(aim, other);
            self.environment.memory.cell_of(aim)
        };
        self.end_statement();
        self.environment.memory.aim(id, target);
        true
    }
}
