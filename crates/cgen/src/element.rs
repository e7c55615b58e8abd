//! Elements of grids in expressions: subscripts that stay within bounds in every lane.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::grid::{Access, Grid, MOST_DIMENSIONS, Subscript};
use crate::memory::Memory;
use crate::moving_pointer::write_walk;
use crate::node::{NodeId, NodeKind};
use crate::writer::Writer;

/// A variable of a loop, as subscripts use it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Induction {
    pub place: u32,
    /// Its least and its greatest value in any lane.
    pub least: i64,
    pub most: i64,
    /// Whether its type is signed after promotion.
    pub signed: bool,
}

/// How often a subscript is a constant although there are variables.
const CONSTANT_PERCENT: u64 = 6;
/// How often a subscript runs against the variable. YARPGen v2 draws the order of subscripts evenly
/// among in order, reversed, diagonal and random; in order is what vectorisers are written for.
const REVERSED_PERCENT: u64 = 12;
/// How often a subscript is made of two variables.
const DIAGONAL_PERCENT: u64 = 10;
/// How often an element is written with a pointer.
const BY_POINTER_PERCENT: u64 = 8;
/// How often it has a stride of two.
const STRIDED_PERCENT: u64 = 7;
/// How often an element is drawn from the grid that a pointer moves through.
const WALKED_PERCENT: u64 = 30;
/// How often an element is drawn from the grid that the statement has used before.
const FAVOURITE_PERCENT: u64 = 60;

impl Body<'_> {
    /// An element to read; none if there is no grid, or no subscript that may be read now.
    pub(crate) fn draw_element(&mut self) -> Option<NodeId> {
        let grid = self.draw_grid(|category| category != Category::Output)?;
        let access = self.draw_access(grid);
        self.element(access)
    }

    /// A grid of the categories that may be had.
    pub(crate) fn draw_grid(&mut self, may: fn(Category) -> bool) -> Option<u32> {
        let pure = self.pure;
        let may = |category| may(category) && (!pure || category == Category::Input);
        let grids = &self.environment.grids[..self.environment.integer_grids];
        if let Some(grid) = self.favourite
            && may(grids[grid as usize].category)
            && self.random.percent(FAVOURITE_PERCENT)
        {
            return Some(grid);
        }
        if grids.is_empty() {
            return None;
        }
        if let Some(walker) = self.walkers.last()
            && may(grids[walker.grid as usize].category)
            && self.random.percent(WALKED_PERCENT)
        {
            self.favourite = Some(walker.grid);
            return self.favourite;
        }
        let start = self.random.index(grids.len());
        let all = (start..grids.len()).chain(0..start);
        let grid = all.into_iter().find(|at| may(grids[*at].category))? as u32;
        self.favourite = Some(grid);
        Some(grid)
    }

    /// Subscripts for a grid.
    pub(crate) fn draw_access(&mut self, grid: u32) -> Access {
        if let Some(access) = self.draw_walk(grid) {
            return access;
        }
        let mut subscripts = [Subscript::default(); MOST_DIMENSIONS];
        let dimensions = self.environment.grids[grid as usize].sizes.len();
        // The innermost loop runs along the innermost dimension, mostly.
        let turned = self.random.percent(REVERSED_PERCENT);
        for (dimension, subscript) in subscripts[..dimensions].iter_mut().enumerate() {
            let size = self.environment.grids[grid as usize].sizes[dimension];
            let inward = dimensions - 1 - dimension;
            let inward = if turned { dimension } else { inward };
            *subscript = self.draw_subscript(i64::from(size), inward);
        }
        let by_pointer = self.options.allows(Construct::PointerArithmetic)
            && self.random.percent(BY_POINTER_PERCENT);
        Access { grid, subscripts, by_pointer, walker: None }
    }

    /// A subscript below `size`; `inward` says how far out the loop is whose variable it prefers.
    pub(crate) fn draw_subscript(&mut self, size: i64, inward: usize) -> Subscript {
        let constant = |body: &mut Self| Subscript {
            offset: body.random.below(size as u64) as i32,
            ..Subscript::default()
        };
        let count = self.inductions.len();
        if count == 0 || self.random.percent(CONSTANT_PERCENT) {
            return constant(self);
        }
        let preferred = count.checked_sub(1 + inward);
        let pick = match preferred {
            Some(at) if !self.random.percent(15) => at,
            _ => self.random.index(count),
        };
        let mut variable = self.inductions[pick];
        if variable.most - variable.least >= size {
            // Another may fit.
            variable = self.inductions[self.random.index(count)];
        }
        let mut subscript =
            Subscript { variable: Some(variable.place), scale: 1, ..Subscript::default() };
        let (mut low, mut high) = (variable.least, variable.most);
        let kind = self.random.below(100);
        if kind < REVERSED_PERCENT {
            subscript.scale = -1;
            (low, high) = (-high, -low);
        } else if kind < REVERSED_PERCENT + STRIDED_PERCENT {
            subscript.scale = 2;
            (low, high) = (2 * low, 2 * high);
        } else if kind < REVERSED_PERCENT + STRIDED_PERCENT + DIAGONAL_PERCENT {
            let other = self.inductions[self.random.index(count)];
            // Two unsigned or mixed types would wrap differently on the way.
            if other.signed && variable.signed && other.place != variable.place {
                subscript.other = Some(other.place);
                (low, high) = (low + other.least, high + other.most);
            }
        }
        if high - low < size {
            // Offsets from which the whole range fits: -low ..= size - 1 - high.
            let span = size - (high - low);
            // Neighbours of the nearest fit make stencils.
            let near = self.random.percent(70);
            let reach = if near { span.min(3) } else { span };
            let off = -low + self.random.below(reach as u64) as i64;
            subscript.offset = off as i32;
            return subscript;
        }
        if variable.least >= 0 {
            let offset = self.random.below(4) as i32;
            let modulus = size as u32;
            return Subscript { scale: 1, other: None, offset, modulus, ..subscript };
        }
        constant(self)
    }

    /// The value of an element; none if a lane may not read it.
    pub(crate) fn element(&mut self, access: Access) -> Option<NodeId> {
        let mut cells = std::mem::take(&mut self.cells);
        let varies = self.cells_of(&access, &mut cells);
        let may = cells.iter().enumerate().all(|(lane, cell)| self.lanes.may_read(*cell, lane));
        let node = may.then(|| {
            let ty = self.environment.grids[access.grid as usize].ty;
            let kind = NodeKind::Element { access: self.keep_access(access) };
            let value = |body: &Self, cell: u32| body.environment.memory.cells[cell as usize].value;
            if varies {
                let start = self.lanes.values.len();
                for (lane, cell) in cells.iter().enumerate() {
                    self.lanes.read_element(*cell, lane);
                    let value = value(self, *cell);
                    self.lanes.values.push(value);
                }
                self.push_varying(kind, ty, 1, start)
            } else {
                self.lanes.read_scalar(cells[0]);
                self.push(kind, ty, 1, value(self, cells[0]))
            }
        });
        self.cells = cells;
        node
    }

    pub(crate) fn keep_access(&mut self, access: Access) -> u32 {
        self.accesses.push(access);
        self.accesses.len() as u32 - 1
    }

    /// Whether all variables of an access are those of loops around.
    pub(crate) fn runs_here(&self, access: &Access) -> bool {
        let variables = access.subscripts.iter().flat_map(|s| [s.variable, s.other]).flatten();
        variables.into_iter().all(|place| self.inductions.iter().any(|i| i.place == place))
            && access.walker.is_none_or(|id| self.may_walk(id))
    }

    /// The cells that an access names in every lane, and whether they differ.
    pub(crate) fn cells_of(&self, access: &Access, cells: &mut Vec<u32>) -> bool {
        let grid = &self.environment.grids[access.grid as usize];
        let count = self.lanes.count();
        let mut stride = grid.cells();
        let mut varies = access.walker.is_some();
        let mut start = i64::from(grid.first_cell);
        for (size, subscript) in grid.sizes.iter().zip(&access.subscripts) {
            stride /= size;
            varies |= subscript.variable.is_some();
            if subscript.modulus == 0 {
                start += i64::from(subscript.offset) * i64::from(stride);
            }
        }
        cells.clear();
        // Sums may be below 0 on the way; they wrap back.
        cells.resize(count, start as u32);
        if !varies {
            return false;
        }
        let mut stride = grid.cells();
        for (size, subscript) in grid.sizes.iter().zip(&access.subscripts) {
            stride /= size;
            let Some(variable) = subscript.variable else { continue };
            let cell = self.environment.memory.cell_of(variable);
            if subscript.modulus > 0 {
                let (offset, modulus) = (i64::from(subscript.offset), i64::from(subscript.modulus));
                self.lanes
                    .add_to(cells, cell, |value| (value + offset) % modulus * i64::from(stride));
            } else {
                let scale = i64::from(subscript.scale) * i64::from(stride);
                self.lanes.add_to(cells, cell, |value| value * scale);
            }
            if let Some(other) = subscript.other {
                let cell = self.environment.memory.cell_of(other);
                self.lanes.add_to(cells, cell, |value| value * i64::from(stride));
            }
        }
        if let Some(id) = access.walker {
            let walker = self.walkers.iter().find(|walker| walker.id == id);
            let cell = walker.expect("a pointer is used where it moves").cell;
            self.lanes.add_to(cells, cell, |value| value);
        }
        debug_assert!(
            cells
                .iter()
                .all(|cell| (grid.first_cell..grid.first_cell + grid.cells()).contains(cell)),
            "{access:?} of {grid:?}"
        );
        true
    }

    /// Writes an access outside of an expression.
    pub(crate) fn print_access(&mut self, access: &Access) {
        let grid = &self.environment.grids[access.grid as usize];
        write_access(&mut self.out, grid, access, &self.environment.memory);
    }
}

/// Writes an element.
pub(crate) fn write_access(out: &mut Writer, grid: &Grid, access: &Access, memory: &Memory) {
    let last = grid.sizes.len() - 1;
    if let Some(walker) = access.walker {
        return write_walk(out, walker, access.subscripts[last].offset, access.by_pointer);
    }
    if access.by_pointer {
        out.keep_apart(b'*');
        out.text(b"*(", 2);
    }
    out.text(memory.text(grid.name), 1);
    for (dimension, subscript) in access.subscripts[..=last].iter().enumerate() {
        let pointer = access.by_pointer && dimension == last;
        out.mark(if pointer { b'+' } else { b'[' });
        // `b0+i-2` might leave the grid on its way.
        let is_plain = subscript.modulus == 0
            && subscript.offset == 0
            && subscript.scale == 1
            && subscript.other.is_none();
        let open = pointer && subscript.variable.is_some() && !is_plain;
        if open {
            out.mark(b'(');
        }
        write_subscript(out, subscript, memory);
        if open {
            out.mark(b')');
        }
        if !pointer {
            out.mark(b']');
        }
    }
    if access.by_pointer {
        out.mark(b')');
    }
}

fn write_subscript(out: &mut Writer, subscript: &Subscript, memory: &Memory) {
    let name = |out: &mut Writer, place: u32| {
        out.text(memory.text(memory.places[place as usize].spelling), 1);
    };
    let number = |out: &mut Writer, value: i32| {
        out.digits(u64::from(value.unsigned_abs()));
        out.text(b"", 1);
    };
    let Some(variable) = subscript.variable else { return number(out, subscript.offset) };
    if subscript.modulus > 0 {
        out.mark(b'(');
        name(out, variable);
        out.mark(b'+');
        number(out, subscript.offset);
        out.text(b")%", 2);
        return number(out, subscript.modulus as i32);
    }
    if subscript.scale < 0 {
        if subscript.offset < 0 {
            out.prefix(b'-');
        }
        number(out, subscript.offset);
        out.mark(b'-');
        name(out, variable);
    } else {
        if subscript.scale > 1 {
            number(out, i32::from(subscript.scale));
            out.mark(b'*');
        }
        name(out, variable);
    }
    if let Some(other) = subscript.other {
        out.mark(b'+');
        name(out, other);
    }
    if subscript.scale > 0 && subscript.offset != 0 {
        out.mark(if subscript.offset < 0 { b'-' } else { b'+' });
        number(out, subscript.offset);
    }
}
