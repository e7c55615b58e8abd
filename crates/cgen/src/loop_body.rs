//! The loop statement: head, body, and how control leaves them.

use crate::body::Body;
use crate::construct::Construct;
use crate::element::Induction;
use crate::int_type::IntType;
use crate::loop_head::{Head, Relation};
use crate::memory::{Cell, Place};
use crate::moving_pointer::Walk;
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::writer::Writer;

/// How a loop is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    For,
    /// A variable that outlives the loop.
    ForOutside,
    While,
    Do,
    /// A label and a jump back to it; the number of the label.
    Goto(u32),
}

/// A loop around the present statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// Whether `continue` may stand in its body: not where it would skip the increment.
    pub may_continue: bool,
    /// The nesting of conditionals at its body.
    pub if_depth: u32,
}

/// The end of a loop that a break makes, planned before its body.
struct Break {
    /// The condition, written.
    condition: Writer,
    /// The statement before which it stands.
    at: u32,
    /// The lanes that go on.
    lanes: Vec<u32>,
    /// The lanes outside whose loop it ends.
    broken: Vec<u32>,
}

impl Body<'_> {
    /// Whether a loop can be made here.
    pub(crate) fn may_loop(&self) -> bool {
        let depth = self.arounds.len() as u32;
        self.options.allows(Construct::Loops)
            && !self.is_full()
            && depth < self.limits.loop_depth
            && self.most_iterations() > 1
            && self.statistics.steps < u64::from(self.limits.steps)
    }

    fn most_iterations(&self) -> u32 {
        let count = self.lanes.count() as u32;
        (self.limits.iterations / count).min(self.limits.trip).min(self.lanes.room() as u32)
    }

    /// A loop.
    pub(crate) fn make_loop(&mut self) {
        let most = self.most_iterations();
        let trip = 1 + self.random.below(u64::from(most)).max(self.random.below(u64::from(most)));
        let mut head = Head::draw(trip as u32, self.rules, &mut self.random);
        let ends = self.triangle(&mut head, most);
        let count = self.lanes.count();
        let mut all = Vec::with_capacity(count);
        for lane in 0..count {
            let end = ends.as_ref().map_or(head.end, |(_, _, ends)| ends[lane]);
            all.push(head.values(end, most, self.rules).expect("heads are tried before"));
        }
        let never_empty = all.iter().all(|(values, _)| !values.is_empty());
        let form = self.draw_form(never_empty);

        let mark = self.environment.memory.mark();
        let end =
            self.loop_end(&head, ends.as_ref().map(|(variable, offset, _)| (*variable, *offset)));
        let start = self.hidden_number(head.start, head.ty);
        let place = self.new_variable(head.ty);
        let start = self.written(start);
        let most_trips = all.iter().map(|(values, _)| values.len()).max().unwrap_or(0);
        let moves = matches!(form, Form::For | Form::ForOutside);
        let walk = if moves { self.draw_walker(most_trips as i64) } else { None };
        self.loop_start(form, &head, place, start);
        let (end, frozen) = end;
        self.loop_opening(form, &head, place, &end, walk.as_ref());

        let trips: Vec<u32> = all.iter().map(|(values, _)| values.len() as u32).collect();
        self.lanes.enter_loop(&trips);
        let level = self.lanes.levels.len();
        let values: Vec<i64> = all.iter().flat_map(|(values, _)| values.iter().copied()).collect();
        let (least, most) = (values.iter().min().copied(), values.iter().max().copied());
        let cell = self.environment.memory.cell_of(place);
        self.lanes.new_local(cell);
        self.lanes.write_scalar(cell, values, true);
        self.inductions.push(Induction {
            place,
            least: least.expect("a loop has an iteration"),
            most: most.expect("a loop has an iteration"),
            signed: head.ty.promoted().is_signed(),
        });
        if let Some(cell) = frozen {
            self.freeze(|body| body.lanes.read_scalar(cell));
        }
        if let Some(walk) = &walk {
            self.start_walk(walk, &trips);
        }
        let may_continue = !matches!(form, Form::While | Form::Goto(_));
        self.arounds.push(Around { may_continue, if_depth: self.if_depth });
        let (low, high) = (self.limits.scope_min, self.limits.scope_max);
        let statements = 1 + self.random.below(u64::from(low.max(high / 2))) as u32;
        let breakable = !matches!(form, Form::Goto(_));
        let planned = if breakable { self.plan_break(place, statements) } else { None };
        let after = self.final_values(&all, cell, planned.as_ref());
        if let Some(walk) = &walk {
            self.step_in_body(walk);
        }
        self.loop_statements(statements, planned);
        if walk.is_some() {
            self.walkers.pop();
        }
        self.arounds.pop();
        while self.lanes.levels.len() >= level {
            self.leave_level();
        }
        self.inductions.pop();
        self.loop_closing(form, &head, place, &end);
        if form == Form::ForOutside {
            self.environment.memory.places[place as usize].constant = false;
            self.set_scalar(cell, after);
        } else {
            self.environment.memory.leave_scope(mark);
            self.lanes.leave_scope(self.environment.memory.cells.len());
            self.subexpressions.leave_scope(self.environment.memory.places.len());
        }
    }

    fn draw_form(&mut self, never_empty: bool) -> Form {
        let goto = self.options.allows(Construct::Goto);
        match self.random.below(12) {
            0 | 1 => Form::ForOutside,
            2 => Form::While,
            3 if never_empty => Form::Do,
            4 if never_empty && goto => {
                self.labels += 1;
                Form::Goto(self.labels - 1)
            }
            _ => Form::For,
        }
    }

    /// Ends that depend on the variable of a loop outside: it, an offset, and the ends by lane.
    fn triangle(&mut self, head: &mut Head, most: u32) -> Option<(u32, i64, Vec<i64>)> {
        let outer = *self.inductions.last()?;
        if !outer.signed || self.random.below(5) > 0 {
            return None;
        }
        let cell = self.environment.memory.cell_of(outer.place);
        let mut ends = Vec::new();
        if !self.lanes.gather(cell, &mut ends) {
            return None;
        }
        let offset = self.random.range(0, 3) - outer.least.min(0);
        ends.iter_mut().for_each(|end| *end += offset);
        let (start, relation) = (0, Relation::Less);
        let triangle = Head { ty: IntType::Int, start, step: 1, relation, end: 0, trip: most };
        let lengths = ends.iter().map(|end| triangle.values(*end, most, self.rules));
        let total: Option<usize> =
            lengths.map(|values| values.map(|(values, _)| values.len())).sum();
        let fits =
            total.is_some_and(|total| (1..=self.limits.iterations as usize).contains(&total));
        if !fits {
            return None;
        }
        *head = triangle;
        Some((outer.place, offset, ends))
    }

    /// The end as it is written, and the scalar that must not change in the loop.
    fn loop_end(&mut self, head: &Head, outer: Option<(u32, i64)>) -> (Writer, Option<u32>) {
        if let Some((variable, offset)) = outer {
            let outside = std::mem::take(&mut self.out);
            self.print_place(variable, false);
            if offset != 0 {
                self.out.mark(b'+');
                self.out.digits(offset as u64);
                self.out.text(b"", 1);
            }
            return (std::mem::replace(&mut self.out, outside), None);
        }
        let node = self.hidden_number(head.end, head.ty.promoted());
        let scalar = self.scalar_in(node);
        (self.written(node), scalar)
    }

    /// The scalar that a hidden number is made of.
    fn scalar_in(&self, node: NodeId) -> Option<u32> {
        match self.node(node).kind {
            NodeKind::Place { place, .. } => Some(self.environment.memory.cell_of(place)),
            NodeKind::Cast(inner) | NodeKind::Binary(_, inner, _) => self.scalar_in(inner),
            _ => None,
        }
    }

    /// A number that compilers know or, half of the time, do not: made of data.
    pub(crate) fn hidden_number(&mut self, value: i64, ty: IntType) -> NodeId {
        if self.options.allows(Construct::Casts) && self.random.next_u64() & 1 == 0 {
            let place = *self.random.pick(&self.environment.readable);
            let cell = self.environment.memory.cell_of(place);
            let is_bit_field = self.environment.memory.cells[cell as usize].bits > 0;
            if !is_bit_field && self.lanes.version(cell).is_none() {
                let data = self.read(place, false);
                let node = self.node(data);
                let promoted = node.ty.promoted();
                let difference = self.rules.convert(node.value ^ value, promoted);
                let difference = self.literal(difference, promoted);
                let hidden = self.binary(BinaryOp::Xor, data, difference);
                let hidden = self.cast(ty, hidden);
                // A negative number may be lost in a narrower unsigned type.
                if self.node(hidden).value == value {
                    return hidden;
                }
            }
        }
        self.literal(value, ty)
    }

    /// An expression as it is written.
    pub(crate) fn written(&mut self, node: NodeId) -> Writer {
        let outside = std::mem::take(&mut self.out);
        self.print(node);
        std::mem::replace(&mut self.out, outside)
    }

    /// A local that only its loop writes.
    fn new_variable(&mut self, ty: IntType) -> u32 {
        let memory = &mut self.environment.memory;
        let place = memory.places.len() as u32;
        let spelling = memory.name(b'v', memory.places.len() - self.globals);
        let target = memory.cells.len() as u32;
        memory.cells.push(Cell { value: 0, ty, bits: 0 });
        memory.places.push(Place {
            spelling,
            other: None,
            target,
            dereference: false,
            constant: true,
        });
        place
    }

    /// What stands before the loop.
    fn loop_start(&mut self, form: Form, head: &Head, place: u32, start: Writer) {
        let (spelling, tokens) = head.ty.spelling(self.cxx);
        match form {
            Form::For => {}
            Form::ForOutside => {
                self.out.text(spelling, tokens);
                self.out.space(b' ');
                self.print_place(place, false);
                self.end_statement();
            }
            Form::While | Form::Do | Form::Goto(_) => self.out.text(b"{\n", 1),
        }
        self.clear_nodes();
        let outside = std::mem::take(&mut self.out);
        if form != Form::ForOutside {
            self.out.text(spelling, tokens);
            self.out.space(b' ');
        }
        self.print_place(place, false);
        self.out.mark(b'=');
        self.out.append(&start);
        let initial = std::mem::replace(&mut self.out, outside);
        if matches!(form, Form::For | Form::ForOutside) {
            self.pragma(head.trip);
            self.out.text(b"for(", 2);
            self.out.append(&initial);
            self.out.mark(b';');
        } else {
            self.out.append(&initial);
            self.end_statement();
        }
    }

    /// The condition `v < end`.
    fn condition(&mut self, head: &Head, place: u32, end: &Writer) {
        self.print_place(place, false);
        self.compare(head, end);
    }

    fn compare(&mut self, head: &Head, end: &Writer) {
        self.out.text(head.relation.text(), 1);
        self.out.append(end);
    }

    fn loop_opening(
        &mut self,
        form: Form,
        head: &Head,
        place: u32,
        end: &Writer,
        walk: Option<&Walk>,
    ) {
        match form {
            Form::For | Form::ForOutside => {
                self.condition(head, place, end);
                self.out.mark(b';');
                self.increment(head, place);
                if let Some(walk) = walk {
                    self.step_in_head(walk);
                }
                self.out.text(b"){\n", 2);
            }
            Form::While => {
                self.pragma(head.trip);
                self.out.text(b"while(", 2);
                self.condition(head, place, end);
                self.out.text(b"){\n", 2);
            }
            Form::Do => {
                self.pragma(head.trip);
                self.out.text(b"do{\n", 2);
            }
            Form::Goto(label) => {
                self.label(label);
                self.out.text(b":{\n", 2);
            }
        }
    }

    /// Writes the label of that number.
    pub(crate) fn label(&mut self, number: u32) {
        self.out.text(b"l", 1);
        self.out.digits(u64::from(number));
    }

    fn increment(&mut self, head: &Head, place: u32) {
        let down = head.step < 0;
        let form = self.random.below(4);
        let sign = if down { b'-' } else { b'+' };
        if head.step.abs() == 1 && form < 3 {
            let twice = [sign, sign];
            if form == 0 {
                self.out.text(&twice, 1);
            }
            self.print_place(place, false);
            if form > 0 {
                self.out.text(&twice, 1);
            }
            return;
        }
        self.print_place(place, false);
        if form == 3 {
            self.out.mark(b'=');
            self.print_place(place, false);
            self.out.mark(sign);
        } else {
            self.out.text(&[sign, b'='], 1);
        }
        self.out.digits(head.step.unsigned_abs());
        self.out.text(b"", 1);
    }

    fn loop_closing(&mut self, form: Form, head: &Head, place: u32, end: &Writer) {
        match form {
            Form::For | Form::ForOutside => self.out.text(b"}\n", 1),
            Form::While => {
                self.increment(head, place);
                self.out.text(b";\n}\n}\n", 3);
            }
            Form::Do => {
                self.out.text(b"}while((", 4);
                self.increment_for_value(head, place);
                self.out.mark(b')');
                self.compare(head, end);
                self.out.text(b");\n}\n", 3);
            }
            Form::Goto(label) => {
                self.out.text(b"}\nif((", 4);
                self.increment_for_value(head, place);
                self.out.mark(b')');
                self.compare(head, end);
                self.out.text(b")goto ", 2);
                self.label(label);
                self.out.text(b";\n}\n", 2);
            }
        }
    }

    /// An increment whose value is the new one.
    fn increment_for_value(&mut self, head: &Head, place: u32) {
        self.print_place(place, false);
        self.out.text(if head.step < 0 { b"-=" } else { b"+=" }, 1);
        self.out.digits(head.step.unsigned_abs());
        self.out.text(b"", 1);
    }

    /// What the variable holds after the loop, for each lane outside.
    fn final_values(
        &self,
        all: &[(Vec<i64>, i64)],
        cell: u32,
        planned: Option<&Break>,
    ) -> Vec<i64> {
        let mut values: Vec<i64> = all.iter().map(|(_, after)| *after).collect();
        let Some(planned) = planned else { return values };
        let level = self.lanes.levels.last().expect("a loop has a level");
        let version = self.lanes.version(cell).expect("a variable has a version");
        for (value, parent) in version.values.iter().zip(&level.parent) {
            if planned.broken.contains(parent) {
                values[*parent as usize] = *value;
            }
        }
        values
    }

    /// Gives a scalar values by lane, or one value outside of loops.
    fn set_scalar(&mut self, cell: u32, values: Vec<i64>) {
        if self.lanes.is_on() {
            self.lanes.write_scalar(cell, values, true);
        } else {
            self.environment.memory.put(cell, values[0]);
        }
    }

    /// Does something while all that is read may not be written in the nest.
    fn freeze(&mut self, what: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.lanes.frozen, true);
        what(self);
        self.lanes.frozen = before;
    }

    /// Ends a level.
    pub(crate) fn leave_level(&mut self) {
        let cells = &self.environment.memory.cells;
        let written = self.lanes.leave(|cell| cells[cell as usize].value);
        for (cell, value) in written {
            self.environment.memory.put(cell, value);
        }
    }

    /// Decides whether the loop ends early. What the condition reads stays as it is, so that the
    /// lanes which there are can be known before the statements that stand before it.
    fn plan_break(&mut self, place: u32, statements: u32) -> Option<Break> {
        if !self.options.allows(Construct::Break) || self.random.below(5) > 0 {
            return None;
        }
        let mut condition = 0;
        self.freeze(|body| {
            condition = if body.random.next_u64() & 1 == 0 {
                let variable = body.read(place, false);
                let Induction { least, most, .. } = *body.inductions.last().expect("this loop's");
                let last = body.random.range(least, most);
                let last = body.literal(last, body.node(variable).ty);
                body.binary(BinaryOp::Eq, variable, last)
            } else {
                body.expression(2, Context::FREE)
            };
        });
        let node = self.node(condition);
        let level = self.lanes.levels.last().expect("a loop has a level");
        let (mut keep, mut going, mut broken) = (Vec::new(), Vec::new(), Vec::new());
        for (lane, parent) in level.parent.iter().enumerate() {
            if broken.last() == Some(parent) {
                continue;
            }
            if self.value_in(&node, lane) != 0 {
                broken.push(*parent);
            } else {
                going.push(keep.len() as u32);
            }
            keep.push(lane);
        }
        if going.is_empty() {
            self.clear_nodes();
            return None;
        }
        let condition = self.written(condition);
        self.clear_nodes();
        self.lanes.retain(&keep);
        let at = self.random.below(u64::from(statements) + 1) as u32;
        Some(Break { condition, at, lanes: going, broken })
    }

    /// The statements of a loop's body.
    fn loop_statements(&mut self, statements: u32, mut planned: Option<Break>) {
        let mark = self.environment.memory.mark();
        let at = self.arounds.len() - 1;
        let may_continue = self.arounds[at].may_continue;
        // A lane that continues before the break would not come to it.
        self.arounds[at].may_continue &= planned.is_none();
        for index in 0..=statements {
            if planned.as_ref().is_some_and(|planned| planned.at == index) {
                let planned = planned.take().expect("checked");
                self.out.text(b"if(", 2);
                self.out.append(&planned.condition);
                self.out.text(b")break;\n", 3);
                self.lanes.enter_branch(&planned.lanes);
                self.arounds[at].may_continue = may_continue;
            }
            // One at least, whatever the limits.
            if index < statements && (index == 0 || !self.is_full()) {
                self.statement();
            }
        }
        self.environment.memory.leave_scope(mark);
        self.lanes.leave_scope(self.environment.memory.cells.len());
        self.subexpressions.leave_scope(self.environment.memory.places.len());
    }
}
