//! Writing expressions with the parentheses that precedence asks for, and no others.

use crate::body::Body;
use crate::builtin::BUILTINS;
use crate::element::write_access;
use crate::environment::Environment;
use crate::grid::Access;
use crate::helper::Helper;
use crate::int_type::{IntType, TypeRules};
use crate::node::{Node, NodeId, NodeKind};
use crate::operator::{TERNARY_PRECEDENCE, UNARY_PRECEDENCE};
use crate::writer::Writer;

impl Body<'_> {
    /// Writes the expression.
    pub(crate) fn print(&mut self, node: NodeId) {
        let printer = Printer {
            nodes: &self.nodes,
            environment: &self.environment,
            accesses: &self.accesses,
            spelled: &self.spelled,
            parameters: &self.known,
            rules: self.rules,
            cxx: self.cxx,
        };
        printer.print(&mut self.out, node, 0);
    }
}

struct Printer<'a> {
    nodes: &'a [Node],
    environment: &'a Environment,
    accesses: &'a [Access],
    spelled: &'a [Writer],
    parameters: &'a [Helper],
    rules: &'a TypeRules,
    cxx: bool,
}

impl Printer<'_> {
    /// Writes a node where an operator of at least the precedence `least` must stand.
    fn print(&self, out: &mut Writer, id: NodeId, least: u8) {
        let node = &self.nodes[id as usize];
        match node.kind {
            NodeKind::Place { place, other } => {
                let memory = &self.environment.memory;
                let place = &memory.places[place as usize];
                let span = place.other.filter(|_| other).unwrap_or(place.spelling);
                if place.dereference {
                    out.keep_apart(b'*');
                }
                out.text(memory.text(span), u64::from(span.tokens));
            }
            NodeKind::Element { access } => {
                let access = &self.accesses[access as usize];
                let grid = &self.environment.grids[access.grid as usize];
                write_access(out, grid, access, &self.environment.memory);
            }
            NodeKind::VectorElement(at) => {
                out.text(b"x[", 2);
                out.digits(u64::from(at));
                out.text(b"]", 2);
            }
            NodeKind::Spelled(at) => out.append(&self.spelled[at as usize]),
            NodeKind::PointsTo { pointer, aim } => self.points_to(out, pointer, aim),
            NodeKind::Literal => literal(out, node.value, node.ty, self.rules),
            NodeKind::Builtin(at, operand) => {
                out.text(BUILTINS[usize::from(at)].name, 1);
                out.mark(b'(');
                self.print(out, operand, 0);
                out.mark(b')');
            }
            NodeKind::Call(helper, arguments) => {
                out.text(b"q", 1);
                out.digits(u64::from(helper));
                let count = self.parameters[usize::from(helper)].parameters();
                for (at, argument) in arguments[..count].iter().enumerate() {
                    out.mark(if at == 0 { b'(' } else { b',' });
                    self.print(out, *argument, 0);
                }
                out.mark(b')');
            }
            NodeKind::Unary(op, operand) => {
                out.prefix(op.byte());
                self.print(out, operand, UNARY_PRECEDENCE);
            }
            NodeKind::Cast(operand) => {
                let (spelling, tokens) = node.ty.spelling(self.cxx);
                out.mark(b'(');
                out.text(spelling, tokens);
                out.mark(b')');
                self.print(out, operand, UNARY_PRECEDENCE);
            }
            NodeKind::Binary(op, left, right) => {
                let precedence = op.precedence();
                // Clang 22 takes `a<b<c` for a mistake and refuses it, even with -w.
                let chains = matches!(precedence, 7 | 8);
                let open = precedence < least;
                if open {
                    out.mark(b'(');
                }
                self.print(out, left, precedence + u8::from(chains));
                out.text(op.text(), 1);
                self.print(out, right, precedence + 1);
                if open {
                    out.mark(b')');
                }
            }
            NodeKind::Ternary(condition, yes, no) => {
                let open = TERNARY_PRECEDENCE < least;
                if open {
                    out.mark(b'(');
                }
                self.print(out, condition, TERNARY_PRECEDENCE + 1);
                out.mark(b'?');
                self.print(out, yes, 0);
                out.mark(b':');
                self.print(out, no, TERNARY_PRECEDENCE);
                if open {
                    out.mark(b')');
                }
            }
        }
    }

    /// `(p0==&m0)`, `(p0==p1)`, or `(p0!=0)`.
    fn points_to(&self, out: &mut Writer, pointer: u32, aim: u32) {
        let memory = &self.environment.memory;
        let name = |out: &mut Writer, place: u32| {
            let pointer = memory.places[place as usize].target;
            out.text(memory.text(memory.pointers[pointer as usize].name), 1);
        };
        out.mark(b'(');
        name(out, pointer);
        if pointer == aim {
            out.text(b"!=0)", 3);
            return;
        }
        out.text(b"==", 1);
        let place = &memory.places[aim as usize];
        if place.dereference {
            name(out, aim);
        } else {
            out.mark(b'&');
            out.text(memory.text(place.spelling), u64::from(place.spelling.tokens));
        }
        out.mark(b')');
    }
}

/// Writes a literal of a type that is at least `int`. The least value of a signed type has no
/// literal: it is written as a difference.
pub(crate) fn literal(out: &mut Writer, value: i64, ty: IntType, rules: &TypeRules) {
    if !ty.is_signed() || value >= 0 {
        out.digits(value as u64);
        out.text(ty.suffix(), 1);
    } else if value == rules.min(ty) {
        out.text(b"(-", 2);
        out.digits(rules.max(ty) as u64);
        out.text(ty.suffix(), 1);
        out.text(b"-1)", 3);
    } else {
        out.prefix(b'-');
        out.digits(value.unsigned_abs());
        out.text(ty.suffix(), 1);
    }
}
