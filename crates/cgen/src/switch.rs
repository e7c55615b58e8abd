//! The `switch` statement.

use crate::body::Body;
use crate::int_type::IntType;
use crate::node::{Node, NodeId};
use crate::policy::Context;
use crate::print::literal;

/// A part of a switch: a label, or `default`, and whether a break ends it.
struct Section {
    label: Option<i64>,
    ends: bool,
}

/// The most labels.
const LABELS: u64 = 4;
/// How often a section is ended by a break instead of running into the next.
const BREAK_PERCENT: u64 = 70;

impl Body<'_> {
    /// A switch. Which sections are executed, and in which lanes, is known; the others are made as
    /// branches that are not taken.
    pub(crate) fn switch(&mut self, context: Context) {
        let depth = self.statement_depth();
        let value = self.expression(depth, context);
        self.switch_on(value, &[]);
    }

    /// A switch over a value, with some of these labels.
    pub(crate) fn switch_on(&mut self, value: NodeId, labels: &[i64]) {
        let ty = self.node(value).ty.promoted();
        let sections = self.draw_sections(value, ty, labels);
        let node = self.node(value);
        let lanes = self.lanes.count();
        // The section that each lane enters.
        let entries: Vec<Option<usize>> =
            (0..lanes).map(|lane| entry(&sections, self.value_in(&node, lane))).collect();
        self.out.text(b"switch(", 2);
        self.print(value);
        self.out.text(b"){\n", 2);
        self.clear_nodes();
        let mut running = vec![false; lanes];
        for (at, section) in sections.iter().enumerate() {
            match section.label {
                Some(label) => {
                    self.out.text(b"case ", 1);
                    self.case_label(label, ty);
                    self.out.mark(b':');
                }
                None => self.out.text(b"default:", 2),
            }
            for (running, entry) in running.iter_mut().zip(&entries) {
                *running |= *entry == Some(at);
            }
            self.section(&node, &running);
            self.out.space(b'\n');
            if section.ends {
                self.out.text(b"break;\n", 2);
                running.fill(false);
            }
        }
        self.out.text(b"}\n", 1);
    }

    /// A label: a literal, or the name of a constant if one has that value. C++ takes no negative
    /// constant for an unsigned type.
    fn case_label(&mut self, label: i64, ty: IntType) {
        let memory = &self.environment.memory;
        let mut constants = self.environment.enums.iter().flat_map(|e| &e.constants);
        let named = constants.find(|c| c.value == label && (label >= 0 || ty.is_signed()));
        match named {
            Some(named) => {
                let spelling = memory.places[named.place as usize].spelling;
                self.out.text(memory.text(spelling), 1);
            }
            None => literal(&mut self.out, label, ty, self.rules),
        }
    }

    /// The block of a section, for the lanes that run through it.
    fn section(&mut self, node: &Node, running: &[bool]) {
        if node.varies {
            let lanes = (0..running.len() as u32).filter(|lane| running[*lane as usize]);
            let lanes: Vec<u32> = lanes.collect();
            self.branch_in_loop(&lanes);
        } else {
            self.branch(running[0]);
        }
    }

    /// Sections with different labels: values that occur, their neighbours, small numbers.
    fn draw_sections(&mut self, value: NodeId, ty: IntType, labels: &[i64]) -> Vec<Section> {
        let node = self.node(value);
        let mut sections: Vec<Section> = Vec::new();
        let default = self.random.below(LABELS + 1);
        for at in 0..=self.random.below(LABELS) {
            if at == default {
                let ends = self.random.percent(BREAK_PERCENT);
                sections.push(Section { label: None, ends });
            }
            let lane = self.random.index(self.lanes.count());
            let occurring = self.value_in(&node, lane);
            let label = match self.random.below(4) {
                0 | 1 if !labels.is_empty() => *self.random.pick(labels),
                0 => self.random.below(9) as i64,
                1 => occurring.wrapping_add(self.random.range(-2, 2)),
                _ => occurring,
            };
            let label = Some(self.rules.convert(label, ty));
            if sections.iter().all(|section| section.label != label) {
                let ends = self.random.percent(BREAK_PERCENT);
                sections.push(Section { label, ends });
            }
        }
        sections
    }
}

/// The section that a value enters.
fn entry(sections: &[Section], value: i64) -> Option<usize> {
    let labelled = sections.iter().position(|section| section.label == Some(value));
    labelled.or_else(|| sections.iter().position(|section| section.label.is_none()))
}
