//! Assignments in loops: to an element, or to a scalar.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::grid::Access;
use crate::memory::stored;
use crate::node::NodeId;
use crate::parameter::Parameter;
use crate::policy::Context;

/// How often an assignment in a loop writes an element rather than a scalar.
const ELEMENT_PERCENT: u64 = 75;
/// How many targets are tried.
const TRIES: u32 = 5;

impl Body<'_> {
    /// The depth of a statement's expressions. Those of loops are evaluated for every iteration, and
    /// large bodies are not vectorised.
    pub(crate) fn statement_depth(&mut self) -> u32 {
        if self.lanes.is_on() {
            self.limits.expression_depth.min(1 + self.random.below(3) as u32)
        } else {
            self.limits.expression_depth
        }
    }

    /// An assignment in a loop.
    pub(crate) fn assign_in_loop(&mut self, context: Context) {
        let depth = self.statement_depth();
        let value = self.expression(depth, context);
        self.assign_value(value);
    }

    /// An assignment of a value to something that may be written. It never fails: what a statement
    /// has made can always be put to use.
    pub(crate) fn assign_value(&mut self, value: NodeId) {
        if self.assign_to_data(value) {
            return;
        }
        if self.options.allows(Construct::Locals) {
            self.declare_integer(value);
        } else {
            self.print(value);
            self.end_statement();
        }
    }

    /// An assignment of a value to an element or a scalar; false if a loop leaves none to write.
    pub(crate) fn assign_to_data(&mut self, value: NodeId) -> bool {
        if self.random.percent(ELEMENT_PERCENT) && self.assign_element(value) {
            return true;
        }
        if !self.lanes.is_on() {
            let place = self.place_to_write(1, 0);
            self.print_place(place, false);
            self.out.mark(b'=');
            self.print(value);
            self.end_statement();
            let value = self.node(value).value;
            self.environment.memory.store(place, value, self.rules);
        } else if let Some((place, cell)) = self.scalar_to_write() {
            let other = self.other_spelling(place);
            self.print_place(place, other);
            self.out.mark(b'=');
            self.print(value);
            self.end_statement();
            let values = self.values_stored(value, cell);
            self.lanes.write_scalar(cell, values, true);
        } else {
            return false;
        }
        true
    }

    /// The values of a node in all lanes, as a cell holds them.
    pub(crate) fn values_stored(&self, value: NodeId, cell: u32) -> Vec<i64> {
        let node = self.node(value);
        let cell = self.environment.memory.cells[cell as usize];
        let value = |lane| stored(self.value_in(&node, lane), cell.ty, cell.bits, self.rules);
        (0..self.lanes.count()).map(value).collect()
    }

    /// A scalar that the present lanes may write, with its cell.
    pub(crate) fn scalar_to_write(&mut self) -> Option<(u32, u32)> {
        for _ in 0..TRIES {
            if self.pure {
                let all = self.environment.memory.places.len();
                let place = (self.locals + self.random.index(all - self.locals)) as u32;
                let cell = self.environment.memory.cell_of(place);
                let constant = self.environment.memory.places[place as usize].constant;
                if !constant && self.lanes.may_write_scalar(cell) {
                    return Some((place, cell));
                }
                continue;
            }
            let category = self.parameters.draw(Parameter::OutDataCategory, &mut self.random);
            let kind = self.parameters.draw(Parameter::OutDataType, &mut self.random);
            let place = self.place_to_write(category, kind);
            let cell = self.environment.memory.cell_of(place);
            if self.lanes.may_write_scalar(cell) {
                return Some((place, cell));
            }
        }
        None
    }

    /// `b0[i] = value`; false if no element may be written.
    pub(crate) fn assign_element(&mut self, value: NodeId) -> bool {
        let Some(access) = self.element_to_write() else { return false };
        self.print_access(&access);
        self.out.mark(b'=');
        self.print(value);
        self.end_statement();
        self.store_element(&access, value);
        true
    }

    /// An element that every present lane may write.
    pub(crate) fn element_to_write(&mut self) -> Option<Access> {
        for _ in 0..TRIES {
            let grid = self.draw_grid(|category| category != Category::Input)?;
            let access = self.draw_access(grid);
            if self.may_store(&access) {
                return Some(access);
            }
            self.favourite = None;
        }
        None
    }

    pub(crate) fn may_store(&mut self, access: &Access) -> bool {
        let mut cells = std::mem::take(&mut self.cells);
        self.cells_of(access, &mut cells);
        let may = cells.iter().enumerate().all(|(lane, cell)| self.lanes.may_write(*cell, lane));
        self.cells = cells;
        may
    }

    /// Stores a node's values into the elements of all lanes, in their order.
    pub(crate) fn store_element(&mut self, access: &Access, value: NodeId) {
        let node = self.node(value);
        let ty = self.environment.grids[access.grid as usize].ty;
        let mut cells = std::mem::take(&mut self.cells);
        self.cells_of(access, &mut cells);
        for (lane, cell) in cells.iter().enumerate() {
            let value = self.rules.convert(self.value_in(&node, lane), ty);
            self.environment.memory.put(*cell, value);
            self.lanes.write_element(*cell, lane);
        }
        self.cells = cells;
    }
}
