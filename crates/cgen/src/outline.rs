//! Outlined blocks: statements that stand in a function of their own, with grids and locals as
//! parameters.
//!
//! The parameters of grids have the names of the grids, so that the statements read as they would
//! without the function. Nothing else in the function reaches those grids, and grids do not overlap:
//! `restrict` is true.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::loop_body::Around;
use crate::node::NodeKind;
use crate::policy::Context;

/// The most grids that are passed.
const MOST_GRIDS: u64 = 3;
/// The most statements.
const MOST_STATEMENTS: u64 = 4;

/// What stands before such a function.
const KINDS: [(&[u8], u64); 4] =
    [(b"static ", 1), (b"static inline ", 2), (b"static __attribute__((noinline)) ", 7), (b"", 0)];

impl Body<'_> {
    /// A call of a function that is made for it, with a result or without.
    pub(crate) fn outlined(&mut self) {
        let grids = self.draw_passed();
        let number = self.outlines;
        self.outlines += 1;
        let passed = self.draw_passed_locals();

        // The function is written elsewhere, and knows no local but its parameters.
        let outside = std::mem::take(&mut self.out);
        self.written_before += outside.len();
        let subexpressions = std::mem::take(&mut self.subexpressions);
        let inductions = std::mem::take(&mut self.inductions);
        let walkers = std::mem::take(&mut self.walkers);
        let mark = self.environment.memory.mark();
        let locals = std::mem::replace(&mut self.locals, self.environment.memory.places.len());
        self.arounds.push(Around { may_continue: false, if_depth: self.if_depth });
        self.in_outline = true;

        let gives =
            (self.random.next_u64() & 1 == 0).then(|| *self.random.pick(&self.environment.types));
        let (kind, tokens) = *self.random.pick(&KINDS);
        self.out.text(kind, tokens);
        match gives {
            Some(ty) => {
                let (spelling, tokens) = ty.spelling(self.cxx);
                self.out.text(spelling, tokens);
            }
            None => self.out.text(b"void", 1),
        }
        self.out.text(b" k", 1);
        self.out.digits(u64::from(number));
        self.out.mark(b'(');
        for (at, grid) in grids.iter().enumerate() {
            if at > 0 {
                self.out.mark(b',');
            }
            self.grid_parameter(*grid);
        }
        for (at, (_, ty, values)) in passed.iter().enumerate() {
            if at > 0 || !grids.is_empty() {
                self.out.mark(b',');
            }
            self.parameter(*ty, values.clone(), false);
        }
        self.out.text(b"){\n", 2);
        for _ in 0..=self.random.below(MOST_STATEMENTS) {
            if !self.is_full() {
                self.statement();
            }
        }
        let mut result = Vec::new();
        if let Some(ty) = gives {
            let depth = self.statement_depth();
            let value = self.expression(depth, Context::FREE);
            self.out.text(b"return ", 1);
            self.print(value);
            self.end_statement();
            result = self.values_as(value, ty);
            self.clear_nodes();
        }
        self.out.text(b"}\n", 1);

        self.in_outline = false;
        self.arounds.pop();
        self.locals = locals;
        self.environment.memory.leave_scope(mark);
        self.lanes.leave_scope(self.environment.memory.cells.len());
        self.inductions = inductions;
        self.walkers = walkers;
        self.subexpressions = subexpressions;
        self.written_before -= outside.len();
        let function = std::mem::replace(&mut self.out, outside);
        self.functions.append(&function);
        self.call_outlined(number, &grids, &passed, gives.map(|ty| (ty, result)));
    }

    /// Grids to pass.
    fn draw_passed(&mut self) -> Vec<u32> {
        let count = self.environment.integer_grids;
        let mut grids = Vec::new();
        for _ in 0..self.random.below(MOST_GRIDS + 1) {
            let grid = self.random.below(count.max(1) as u64) as u32;
            if count > 0 && !grids.contains(&grid) {
                grids.push(grid);
            }
        }
        grids
    }

    /// Locals to pass by value: place, type and values by lane.
    fn draw_passed_locals(&mut self) -> Vec<(u32, IntType, Vec<i64>)> {
        let all = self.environment.memory.places.len();
        let mut passed = Vec::new();
        // One at least: C's `()` is not C++'s.
        for at in 0..=self.random.below(2) {
            let place = if all > self.locals && (at == 0 || self.random.next_u64() & 1 == 0) {
                (self.locals + self.random.index(all - self.locals)) as u32
            } else {
                *self.random.pick(&self.environment.readable)
            };
            let cell = self.environment.memory.cell_of(place);
            let ty = self.environment.memory.cells[cell as usize].ty;
            let node = self.read(place, false);
            let values = self.values_as(node, ty);
            passed.push((place, ty, values));
        }
        self.clear_nodes();
        passed
    }

    /// `int(*restrict b0)[5]`, or `int*restrict b0`.
    fn grid_parameter(&mut self, id: u32) {
        let grid = &self.environment.grids[id as usize];
        let (spelling, tokens) = grid.ty.spelling(self.cxx);
        let deep = grid.sizes.len() > 1;
        self.out.text(spelling, tokens);
        self.out.text(if deep { b"(*" } else { b"*" }, 1 + u64::from(deep));
        if self.options.allows(Construct::Restrict) {
            self.out.text(if self.cxx { b"__restrict " } else { b"restrict " }, 1);
        }
        self.out.text(self.environment.memory.text(grid.name), 1);
        self.out.text(if deep { b")" } else { b"" }, u64::from(deep));
        for size in &grid.sizes[1..] {
            self.out.mark(b'[');
            self.out.digits(u64::from(*size));
            self.out.text(b"]", 2);
        }
    }

    /// `x = k0(b0, v1);`, or without a result.
    fn call_outlined(
        &mut self,
        number: u32,
        grids: &[u32],
        passed: &[(u32, IntType, Vec<i64>)],
        result: Option<(IntType, Vec<i64>)>,
    ) {
        let outside = std::mem::take(&mut self.out);
        self.out.text(b"k", 1);
        self.out.digits(u64::from(number));
        self.out.mark(b'(');
        let mut first = true;
        for grid in grids {
            if !std::mem::take(&mut first) {
                self.out.mark(b',');
            }
            let name = self.environment.grids[*grid as usize].name;
            self.out.text(self.environment.memory.text(name), 1);
        }
        for (place, ..) in passed {
            if !std::mem::take(&mut first) {
                self.out.mark(b',');
            }
            self.print_place(*place, false);
        }
        self.out.mark(b')');
        let call = std::mem::replace(&mut self.out, outside);
        let target = result.as_ref().map(|_| self.draw_mixed_target());
        // Where a pointer points that the function moves is not specified.
        let target = target.filter(|target| !self.is_dereference(target) && self.may_write(target));
        if let (Some(target), Some((ty, values))) = (target, result) {
            let node = if self.lanes.is_on() {
                let start = self.lanes.values.len();
                self.lanes.values.extend(values);
                self.push_varying(NodeKind::Literal, ty, 1, start)
            } else {
                self.push(NodeKind::Literal, ty, 1, values[0])
            };
            self.print_target(&target);
            self.out.mark(b'=');
            self.store_target(&target, node);
        }
        self.out.append(&call);
        self.end_statement();
    }
}
