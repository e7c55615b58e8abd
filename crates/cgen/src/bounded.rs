//! Floating point that rounds: the paper's mode.
//!
//! All values lie between 0.5 and 1. Every form of expression keeps them there and makes an error of
//! its operands no larger, so that each operation adds at most its own rounding: 2^-24 for a `float`.
//! What memory holds knows the operations behind it, of which there are at most [`MOST_CHAIN`];
//! so whatever compilers do with the order, the width and the contraction of operations, results
//! differ by less than 2^-16. They become no integers and decide no branch.

use crate::body::Body;
use crate::int_type::IntType;
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::writer::Writer;

/// The most operations in a chain.
const MOST_CHAIN: u32 = 200;
/// The most depth of expressions.
const DEPTH: u32 = 3;

/// An expression: how it is written, its values by lane, and the operations behind it.
struct Bounded {
    text: Writer,
    values: Vec<f64>,
    chain: u32,
}

/// A form of expression. Literals with an `f` do not widen a `float`.
struct Form {
    /// What stands before, between and after the operands, with the tokens of each.
    text: [(&'static [u8], u64); 3],
    operations: u32,
    result: fn(f64, f64) -> f64,
    /// Whether there is one operand only.
    unary: bool,
}

/// The forms. None makes an error larger: the slopes in both operands together are at most 1.
const FORMS: [Form; 8] = [
    Form {
        text: [(b"((", 2), (b"+", 1), (b")*0.5)", 4)],
        operations: 2,
        result: |a, b| (a + b) * 0.5,
        unary: false,
    },
    Form {
        text: [(b"((", 2), (b"+", 1), (b")*0.5f)", 4)],
        operations: 2,
        result: |a, b| (a + b) * 0.5,
        unary: false,
    },
    Form {
        text: [(b"(", 1), (b"*", 1), (b"*0.5f+0.5f)", 5)],
        operations: 3,
        result: |a, b| a * b * 0.5 + 0.5,
        unary: false,
    },
    Form {
        text: [(b"(0.5+0.5*", 5), (b"*", 1), (b")", 1)],
        operations: 3,
        result: |a, b| 0.5 + 0.5 * a * b,
        unary: false,
    },
    Form {
        text: [(b"(0.75f+(", 4), (b"-", 1), (b")*0.5f)", 4)],
        operations: 3,
        result: |a, b| 0.75 + (a - b) * 0.5,
        unary: false,
    },
    // The quotient lies between 0.5 and 2, its slopes are below 2 and 4.
    Form {
        text: [(b"(0.75+", 3), (b"/", 1), (b"*0.125)", 3)],
        operations: 3,
        result: |a, b| 0.75 + a / b * 0.125,
        unary: false,
    },
    Form {
        text: [(b"(0.75f+0.125f*(", 6), (b"/", 1), (b"))", 2)],
        operations: 3,
        result: |a, b| 0.75 + 0.125 * (a / b),
        unary: false,
    },
    Form {
        text: [(b"(1.5f-", 3), (b"", 0), (b")", 1)],
        operations: 1,
        result: |a, _| 1.5 - a,
        unary: true,
    },
];

impl Body<'_> {
    /// A statement of floating point that rounds.
    pub(crate) fn bounded_reals(&mut self, context: Context) {
        let value = self.bounded(DEPTH, context);
        match self.random.below(3) {
            0 => self.bounded_recurrence(&value),
            _ => self.store_bounded(&value),
        }
    }

    fn bounded(&mut self, depth: u32, context: Context) -> Bounded {
        if depth == 0 || self.random.below(5) == 0 {
            return self.bounded_leaf(context);
        }
        let (a, b) = (self.bounded(depth - 1, context), self.bounded(depth - 1, context));
        let chain = a.chain.max(b.chain);
        let mut text = Writer::default();
        if self.random.below(7) == 0 {
            for (operand, after) in [(&a, b'<'), (&b, b'?'), (&a, b':'), (&b, b')')] {
                text.text(if text.len() == 0 { b"(" } else { b"" }, u64::from(text.len() == 0));
                text.append(&operand.text);
                text.mark(after);
            }
            let values = a.values.iter().zip(&b.values).map(|(a, b)| a.min(*b)).collect();
            return Bounded { text, values, chain };
        }
        let form = self.random.pick(&FORMS);
        let [before, between, after] = form.text;
        text.text(before.0, before.1);
        text.append(&a.text);
        text.text(between.0, between.1);
        if !form.unary {
            text.append(&b.text);
        }
        text.text(after.0, after.1);
        let pairs = a.values.iter().zip(&b.values);
        let values = pairs.map(|(a, b)| (form.result)(*a, *b)).collect();
        Bounded { text, values, chain: chain + form.operations }
    }

    /// An element, a literal, or an integer of four bits that becomes one of 16 numbers.
    fn bounded_leaf(&mut self, context: Context) -> Bounded {
        let kind = self.random.below(8);
        if kind < 5
            && let Some((access, values)) = self.draw_real_element()
        {
            let outside = std::mem::take(&mut self.out);
            self.print_access(&access);
            let text = std::mem::replace(&mut self.out, outside);
            let mut cells = std::mem::take(&mut self.cells);
            self.cells_of(&access, &mut cells);
            let chain = cells.iter().map(|cell| self.chain_of(*cell)).max().unwrap_or(0);
            self.cells = cells;
            return Bounded { text, values, chain };
        }
        let count = self.lanes.count();
        let mut text = Writer::default();
        if kind == 5 {
            let value = self.expression(1, context);
            let mask = self.literal(15, IntType::Int);
            let value = self.binary(BinaryOp::And, value, mask);
            let node = self.node(value);
            let number = |lane| 0.5 + self.value_in(&node, lane) as f64 * 0.03125;
            let values = (0..count).map(number).collect();
            text.text(b"(0.5f+(int)(", 7);
            text.append(&self.written(value));
            text.text(b")*0.03125f)", 4);
            return Bounded { text, values, chain: 0 };
        }
        const LITERALS: [(&[u8], f64); 5] = [
            (b"0.5", 0.5),
            (b"0.625", 0.625),
            (b"0.6875", 0.6875),
            (b"0.75", 0.75),
            (b"0.9375", 0.9375),
        ];
        let (digits, value) = *self.random.pick(&LITERALS);
        text.text(digits, 0);
        text.text(if self.random.next_u64() & 1 == 0 { b"f" } else { b"" }, 1);
        Bounded { text, values: vec![value; count], chain: 0 }
    }

    /// The operations behind what a cell holds.
    fn chain_of(&self, cell: u32) -> u32 {
        u32::from(self.environment.memory.cells[cell as usize].bits)
    }

    fn put_bounded(&mut self, cell: u32, value: f64, chain: u32) {
        let is_taken = self.environment.memory.is_taken();
        self.environment.memory.put(cell, value.to_bits() as i64);
        let held = &mut self.environment.memory.cells[cell as usize].bits;
        // What a branch does that is not taken is undone, but for this.
        *held = if is_taken { chain as u8 } else { (*held).max(chain as u8) };
    }

    /// `d0[i] = value;`
    fn store_bounded(&mut self, value: &Bounded) {
        // Storing rounds once more.
        let chain = value.chain + 1;
        let Some((access, _)) = self.real_to_write().filter(|_| chain <= MOST_CHAIN) else {
            // Nothing is left to write: the value is computed for nothing.
            self.out.text(b"(void)", 3);
            self.out.append(&value.text);
            return self.end_statement();
        };
        self.print_access(&access);
        self.out.mark(b'=');
        self.out.append(&value.text);
        self.end_statement();
        let mut cells = std::mem::take(&mut self.cells);
        self.cells_of(&access, &mut cells);
        for (lane, (cell, value)) in cells.iter().zip(&value.values).enumerate() {
            self.put_bounded(*cell, *value, chain);
            self.lanes.write_element(*cell, lane);
        }
        self.cells = cells;
    }

    /// `d0[i] = (d0[i-1] + value) * 0.5;`, lane by lane.
    fn bounded_recurrence(&mut self, value: &Bounded) {
        let Some((to, from)) = self.draw_recurrence() else { return self.store_bounded(value) };
        let (mut written, mut read) = (Vec::new(), Vec::new());
        self.cells_of(&to, &mut written);
        self.cells_of(&from, &mut read);
        if (0..read.len()).any(|lane| !self.lanes.may_read(read[lane], lane)) {
            return self.store_bounded(value);
        }
        // Each lane may build on the lane before.
        let longest = read.iter().map(|cell| self.chain_of(*cell)).max().unwrap_or(0);
        if longest.max(value.chain) + 3 * read.len() as u32 > MOST_CHAIN {
            return self.store_bounded(value);
        }
        for lane in 0..read.len() {
            let held = self.environment.memory.cells[read[lane] as usize].value;
            let mean = (f64::from_bits(held as u64) + value.values[lane]) * 0.5;
            let chain = self.chain_of(read[lane]).max(value.chain) + 3;
            self.put_bounded(written[lane], mean, chain);
        }
        for lane in 0..read.len() {
            self.lanes.read_element(read[lane], lane);
            self.lanes.write_element(written[lane], lane);
        }
        self.print_access(&to);
        self.out.text(b"=(", 2);
        self.print_access(&from);
        self.out.mark(b'+');
        self.out.append(&value.text);
        self.out.text(b")*0.5", 3);
        self.end_statement();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_stay_within_bounds_and_make_no_error_larger() {
        let steps: Vec<f64> = (0..=64).map(|n| 0.5 + f64::from(n) / 128.0).collect();
        const ERROR: f64 = 1e-6;
        for form in &FORMS {
            for a in &steps {
                for b in &steps {
                    let result = (form.result)(*a, *b);
                    assert!((0.5..=1.0).contains(&result), "{a} {b} {result}");
                    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                        let off = (form.result)(a + x * ERROR, b + y * ERROR);
                        assert!((off - result).abs() <= ERROR * 1.001, "{a} {b}");
                    }
                }
            }
        }
    }
}
