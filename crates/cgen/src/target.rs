//! What statements write: a scalar or an element of a grid.

use crate::aggregate::Category;
use crate::body::Body;
use crate::grid::Access;
use crate::int_type::IntType;
use crate::node::NodeId;
use crate::parameter::Parameter;

/// Something to write to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A place, in its other spelling or not.
    Place {
        place: u32,
        other: bool,
    },
    Element(Access),
}

/// How often a target is an element in loops and outside of them.
const ELEMENT_IN_LOOP_PERCENT: u64 = 75;
const ELEMENT_PERCENT: u64 = 12;

impl Body<'_> {
    /// Something that a statement reads and then writes: mixed data.
    pub(crate) fn draw_mixed_target(&mut self) -> Target {
        let percent = if self.lanes.is_on() { ELEMENT_IN_LOOP_PERCENT } else { ELEMENT_PERCENT };
        if self.random.percent(percent)
            && let Some(grid) = self.draw_grid(|category| category == Category::Mixed)
        {
            return Target::Element(self.draw_access(grid));
        }
        let kind = self.parameters.draw(Parameter::OutDataType, &mut self.random);
        let place = self.place_to_write(0, kind);
        let other = self.other_spelling(place);
        Target::Place { place, other }
    }

    /// The declared type of a target.
    pub(crate) fn type_of(&self, target: &Target) -> IntType {
        match target {
            Target::Place { place, .. } => {
                let memory = &self.environment.memory;
                memory.cells[memory.cell_of(*place) as usize].ty
            }
            Target::Element(access) => self.environment.grids[access.grid as usize].ty,
        }
    }

    /// The value that a target has now; none if it may not be read.
    pub(crate) fn read_target(&mut self, target: &Target) -> Option<NodeId> {
        match target {
            Target::Place { place, other } => Some(self.read(*place, *other)),
            Target::Element(access) => self.element(*access),
        }
    }

    /// Whether the present lanes may write it.
    pub(crate) fn may_write(&mut self, target: &Target) -> bool {
        match target {
            Target::Place { place, .. } => {
                self.lanes.may_write_scalar(self.environment.memory.cell_of(*place))
            }
            Target::Element(access) => self.may_store(access),
        }
    }

    /// Writes how it is written.
    pub(crate) fn print_target(&mut self, target: &Target) {
        match target {
            Target::Place { place, other } => self.print_place(*place, *other),
            Target::Element(access) => self.print_access(access),
        }
    }

    /// Lets it hold the value of a node.
    pub(crate) fn store_target(&mut self, target: &Target, value: NodeId) {
        match target {
            Target::Place { place, .. } if self.lanes.is_on() => {
                let cell = self.environment.memory.cell_of(*place);
                let values = self.values_stored(value, cell);
                self.lanes.write_scalar(cell, values, true);
            }
            Target::Place { place, .. } => {
                let value = self.node(value).value;
                self.environment.memory.store(*place, value, self.rules);
            }
            Target::Element(access) => self.store_element(access, value),
        }
    }
}
