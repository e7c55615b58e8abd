//! Filling, copying and moving whole grids and pieces of their rows.

use crate::aggregate::Category;
use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::{IntType, wrap};

impl Body<'_> {
    /// Whether this can be done here: in an outlined function `sizeof` would be that of a pointer.
    pub(crate) fn may_use_block_memory(&self) -> bool {
        !self.lanes.is_on() && !self.in_outline && self.options.allows(Construct::BlockMemory)
    }

    /// One of the three, outside of loops; an assignment where no grid is fit for it.
    pub(crate) fn block_memory(&mut self) {
        let done = match self.random.below(3) {
            0 => self.fill_memory(),
            1 => self.copy_memory(),
            _ => self.move_memory(),
        };
        if !done {
            let one = self.literal(1, IntType::Int);
            self.assign_value(one);
        }
    }

    /// `__builtin_memset(b0, 7, sizeof b0);`
    fn fill_memory(&mut self) -> bool {
        let Some(id) = self.draw_grid(|category| category != Category::Input) else { return false };
        let grid = self.environment.grids[id as usize].clone();
        // A bool has no other values than 0 and 1.
        let most = if grid.ty == IntType::Bool { 2 } else { 256 };
        let byte = self.random.below(most);
        let width = self.rules.width(grid.ty);
        let value = (byte * 0x0101_0101_0101_0101) as i64;
        let value = wrap(value, width, grid.ty.is_signed());
        for cell in grid.first_cell..grid.first_cell + grid.cells() {
            self.environment.memory.put(cell, value);
        }
        self.out.text(b"__builtin_memset(", 2);
        self.grid_name(id);
        self.out.mark(b',');
        self.out.digits(byte);
        self.out.text(b",sizeof ", 3);
        self.grid_name(id);
        self.out.mark(b')');
        self.end_statement();
        true
    }

    fn grid_name(&mut self, grid: u32) {
        let name = self.environment.grids[grid as usize].name;
        self.out.text(self.environment.memory.text(name), 1);
    }

    /// `__builtin_memcpy(b0, b1, sizeof b1);` for grids of one type, the second not the larger.
    fn copy_memory(&mut self) -> bool {
        let Some(to) = self.draw_grid(|category| category != Category::Input) else { return false };
        let grids = &self.environment.grids[..self.environment.integer_grids];
        let target = &grids[to as usize];
        let fits = |from: &usize| {
            let source = &grids[*from];
            *from != to as usize
                && source.category != Category::Output
                && source.ty == target.ty
                && source.cells() <= target.cells()
        };
        let all: Vec<usize> = (0..grids.len()).filter(fits).collect();
        if all.is_empty() {
            return false;
        }
        let from = *self.random.pick(&all) as u32;
        let (first, source) = (target.first_cell, &grids[from as usize]);
        for cell in 0..source.cells() {
            let value = self.environment.memory.cells[(source.first_cell + cell) as usize].value;
            self.environment.memory.put(first + cell, value);
        }
        self.out.text(b"__builtin_memcpy(", 2);
        self.grid_name(to);
        self.out.mark(b',');
        self.grid_name(from);
        self.out.text(b",sizeof ", 2);
        self.grid_name(from);
        self.out.mark(b')');
        self.end_statement();
        true
    }

    /// `__builtin_memmove(b0[2]+1, b0[2], 3*sizeof(int));`: within a row, where it may overlap.
    fn move_memory(&mut self) -> bool {
        let Some(id) = self.draw_grid(|category| category == Category::Mixed) else { return false };
        let grid = self.environment.grids[id as usize].clone();
        let length = *grid.sizes.last().expect("a grid has a dimension");
        let row = self.random.below(u64::from(grid.cells() / length)) as u32;
        let count = 1 + self.random.below(u64::from(length)) as u32;
        let mut start = || self.random.below(u64::from(length - count) + 1) as u32;
        let (to, from) = (start(), start());
        let first = grid.first_cell + row * length;
        let cells = &self.environment.memory.cells;
        let moved: Vec<i64> =
            (0..count).map(|at| cells[(first + from + at) as usize].value).collect();
        for (at, value) in moved.into_iter().enumerate() {
            self.environment.memory.put(first + to + at as u32, value);
        }
        self.out.text(b"__builtin_memmove(", 2);
        self.row(id, row, to);
        self.out.mark(b',');
        self.row(id, row, from);
        self.out.mark(b',');
        self.out.digits(u64::from(count));
        self.out.text(b"*sizeof(", 4);
        let (spelling, tokens) = grid.ty.spelling(self.cxx);
        self.out.text(spelling, tokens);
        self.out.text(b"))", 2);
        self.end_statement();
        true
    }

    /// `b0[2]+1`, the third row of a grid from its second element on.
    fn row(&mut self, id: u32, row: u32, start: u32) {
        self.grid_name(id);
        let sizes = self.environment.grids[id as usize].sizes.clone();
        let mut below: u32 = sizes[..sizes.len() - 1].iter().product();
        let mut left = row;
        for size in &sizes[..sizes.len() - 1] {
            below /= size;
            self.out.mark(b'[');
            self.out.digits(u64::from(left / below));
            self.out.text(b"]", 2);
            left %= below;
        }
        self.out.mark(b'+');
        self.out.digits(u64::from(start));
        self.out.text(b"", 1);
    }
}
