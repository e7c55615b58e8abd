//! Pointers that move through a row of a grid in step with a loop.
//!
//! A pointer is known by its position in the row, which is kept as a scalar that no expression names.
//! It moves in the head of the loop or at the start of the body, always to an element or just behind
//! the last one.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::grid::{Access, MOST_DIMENSIONS, Subscript};
use crate::int_type::IntType;
use crate::memory::Cell;
use crate::policy::Context;
use crate::writer::Writer;

/// A pointer that moves with a loop around. Pointers are named `j` and their id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker {
    pub id: u32,
    pub grid: u32,
    /// The row.
    subscripts: [Subscript; MOST_DIMENSIONS],
    /// Holds the position.
    pub cell: u32,
    /// The least and the greatest position in any lane, after the step in the body if there is one.
    least: i64,
    most: i64,
    /// Whether the present statement moves it, and so may not use it otherwise.
    moving: bool,
}

/// A pointer that is to move with the loop that is being made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    walker: Walker,
    start: i64,
    step: i64,
    in_body: bool,
}

/// How often a loop has a moving pointer, if one fits.
const WALK_PERCENT: u64 = 30;
/// How often an element of a grid that a pointer moves through is reached by the pointer.
const BY_WALKER_PERCENT: u64 = 60;

impl Body<'_> {
    /// Draws a pointer for a loop of so many iterations at most, and writes its declaration.
    pub(crate) fn draw_walker(&mut self, trips: i64) -> Option<Walk> {
        let grids = self.environment.integer_grids;
        if grids == 0
            || !self.options.allows(Construct::MovingPointers)
            || !self.random.percent(WALK_PERCENT)
        {
            return None;
        }
        let grid = self.random.index(grids) as u32;
        let sizes = self.environment.grids[grid as usize].sizes.clone();
        let last = sizes.len() - 1;
        let size = i64::from(sizes[last]);
        let drawn = [1, 1, 2, 3][self.random.index(4)];
        let step = [drawn, 1].into_iter().find(|step| step * trips <= size && trips > 0)?;
        let down = self.random.below(3) == 0 && step * trips < size;
        // Positions from which all iterations stay within the row.
        let spare = (size - step * trips - i64::from(down)).max(0) as u64;
        let first = self.random.below(spare + 1) as i64;
        let (start, step) = if down { (first + step * trips, -step) } else { (first, step) };
        let mut subscripts = [Subscript::default(); MOST_DIMENSIONS];
        for (dimension, subscript) in subscripts[..last].iter_mut().enumerate() {
            *subscript = self.draw_subscript(i64::from(sizes[dimension]), last - 1 - dimension);
        }
        subscripts[last] = Subscript { offset: start as i32, ..Subscript::default() };
        let id = self.walks;
        self.walks += 1;
        let memory = &mut self.environment.memory;
        let cell = memory.cells.len() as u32;
        memory.cells.push(Cell { value: 0, ty: IntType::Int, bits: 0 });
        let in_body = self.random.below(3) == 0;
        let walker = Walker { id, grid, subscripts, cell, least: 0, most: 0, moving: false };

        let (spelling, tokens) = self.environment.grids[grid as usize].ty.spelling(self.cxx);
        self.out.text(spelling, tokens);
        self.out.mark(b'*');
        write_name(&mut self.out, id);
        self.out.text(b"=&", 2);
        self.print_access(&Access { grid, subscripts, by_pointer: false, walker: None });
        self.end_statement();
        Some(Walk { walker, start, step, in_body })
    }

    /// Lets the pointer have its position in every lane of the loop, which has just started.
    pub(crate) fn start_walk(&mut self, walk: &Walk, trips: &[u32]) {
        let first = walk.start + if walk.in_body { walk.step } else { 0 };
        let positions: Vec<i64> = trips
            .iter()
            .flat_map(|trips| (0..i64::from(*trips)).map(|k| first + k * walk.step))
            .collect();
        let mut walker = walk.walker;
        walker.least = positions.iter().min().copied().unwrap_or(0);
        walker.most = positions.iter().max().copied().unwrap_or(0);
        self.lanes.new_local(walker.cell);
        self.lanes.write_scalar(walker.cell, positions, true);
        self.walkers.push(walker);
    }

    /// `,j0++` after the increment of the loop's variable.
    pub(crate) fn step_in_head(&mut self, walk: &Walk) {
        if !walk.in_body {
            self.out.mark(b',');
            self.print_step_of(walk);
        }
    }

    fn print_step_of(&mut self, walk: &Walk) {
        let sign = if walk.step < 0 { b'-' } else { b'+' };
        let single = walk.step.abs() == 1;
        let before = single && self.random.next_u64() & 1 == 0;
        if before {
            self.out.text(&[sign, sign], 1);
        }
        write_name(&mut self.out, walk.walker.id);
        if single && !before {
            self.out.text(&[sign, sign], 1);
        } else if !single {
            self.out.text(&[sign, b'='], 1);
            self.out.digits(walk.step.unsigned_abs());
            self.out.text(b"", 1);
        }
    }

    /// At the start of the body: `m0=*j0++;`, `*j0--=m0;` or `j0+=2;`.
    pub(crate) fn step_in_body(&mut self, walk: &Walk) {
        if walk.in_body {
            let at = self.walkers.len() - 1;
            self.walkers[at].moving = true;
            self.step(walk);
            self.walkers[at].moving = false;
        }
    }

    fn step(&mut self, walk: &Walk) {
        let Walker { id, grid, mut subscripts, .. } = walk.walker;
        let category = self.environment.grids[grid as usize].category;
        let last = self.environment.grids[grid as usize].sizes.len() - 1;
        // Where the pointer was before its step.
        subscripts[last] = Subscript { offset: -walk.step as i32, ..Subscript::default() };
        let access = Access { grid, subscripts, by_pointer: false, walker: Some(id) };
        let mut text = Writer::default();
        text.mark(b'*');
        write_name(&mut text, id);
        text.text(if walk.step < 0 { b"--" } else { b"++" }, 1);
        let single = walk.step.abs() == 1;
        if single && category != Category::Input && self.may_store(&access) {
            let value = self.expression(1, Context::FREE);
            // The expression may have read what is to be written, in a later lane.
            if self.may_store(&access) {
                self.out.append(&text);
                self.out.mark(b'=');
                self.print(value);
                self.end_statement();
                self.store_element(&access, value);
                return self.clear_nodes();
            }
            self.clear_nodes();
        }
        if single && category != Category::Output {
            let ty = self.environment.grids[grid as usize].ty;
            if let Some(node) = self.element(access) {
                let values = self.values_as(node, ty);
                let node = self.spelled(text, ty, &values);
                let done = self.assign_to_data(node);
                self.clear_nodes();
                if done {
                    return;
                }
            }
        }
        self.print_step_of(walk);
        self.end_statement();
    }

    /// Whether a pointer of that id may be used here.
    pub(crate) fn may_walk(&self, id: u32) -> bool {
        self.walkers.iter().any(|walker| walker.id == id && !walker.moving)
    }

    /// An element that a moving pointer reaches in every lane.
    pub(crate) fn draw_walk(&mut self, grid: u32) -> Option<Access> {
        let usable = |walker: &&Walker| walker.grid == grid && !walker.moving;
        let walker = *self.walkers.iter().rev().find(usable)?;
        if !self.random.percent(BY_WALKER_PERCENT) {
            return None;
        }
        let sizes = &self.environment.grids[grid as usize].sizes;
        let last = sizes.len() - 1;
        // Offsets that stay within the row: near ones, if there is a choice.
        let low = (-walker.least).max(-2);
        let high = (i64::from(sizes[last]) - 1 - walker.most).min(2);
        if low > high {
            return None;
        }
        let near = self.random.next_u64() & 1 == 0 && (low..=high).contains(&0);
        let offset = if near { 0 } else { self.random.range(low, high) as i32 };
        let mut subscripts = walker.subscripts;
        subscripts[last] = Subscript { offset, ..Subscript::default() };
        let by_pointer = self.random.below(3) == 0;
        Some(Access { grid, subscripts, by_pointer, walker: Some(walker.id) })
    }
}

fn write_name(out: &mut Writer, id: u32) {
    out.text(b"j", 1);
    out.digits(u64::from(id));
}

/// Writes an element by a moving pointer: `*j0`, `j0[1]` or `*(j0-1)`.
pub(crate) fn write_walk(out: &mut Writer, id: u32, offset: i32, by_pointer: bool) {
    if offset == 0 || by_pointer {
        out.prefix(b'*');
    }
    if offset == 0 {
        return write_name(out, id);
    }
    if by_pointer {
        out.mark(b'(');
    }
    write_name(out, id);
    match (by_pointer, offset < 0) {
        (true, true) => out.mark(b'-'),
        (true, false) => out.mark(b'+'),
        (false, true) => out.text(b"[-", 2),
        (false, false) => out.mark(b'['),
    }
    out.digits(u64::from(offset.unsigned_abs()));
    out.text(if by_pointer { b")" } else { b"]" }, 2);
}
