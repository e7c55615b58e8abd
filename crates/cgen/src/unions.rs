//! Unions: a block with a union that is written and read.
//!
//! In C any member may be read after any other: its value is that of the bytes (C11 6.5.2.3), which
//! stand in the order of little endian. In C++ only the member that was written last is read.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::{IntType, wrap};
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::writer::Writer;

/// What a member is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Integer(IntType),
    /// `float` or `double`: written, never read, so that its bits are.
    Real,
}

/// A member: one element, or an array of them that fills the union. Members are named `f` and their
/// position.
#[derive(Clone, Copy, Debug)]
struct UnionMember {
    element: Element,
    /// Bits of an element.
    width: u32,
    count: u32,
}

impl Body<'_> {
    /// A block that writes and reads a union.
    pub(crate) fn unions(&mut self, context: Context) {
        let members = self.draw_members();
        self.print_union(&members);
        // By lane, the bytes.
        let mut bytes = vec![0u64; self.lanes.count()];
        // The first member covers all of them.
        self.write_member(&members, 0, &mut bytes, context);
        if self.cxx {
            let mut last = 0;
            for _ in 0..self.random.below(3) {
                last = self.random.index(members.len());
                self.write_member(&members, last, &mut bytes, context);
            }
            if members[last].element != Element::Real {
                self.read_member(&members, last, &bytes);
            }
        } else {
            for _ in 0..self.random.below(3) {
                let at = self.random.index(members.len());
                self.write_member(&members, at, &mut bytes, context);
            }
            for _ in 0..=self.random.below(2) {
                let at = self.random.index(members.len());
                let at = if members[at].element == Element::Real { 0 } else { at };
                self.read_member(&members, at, &bytes);
            }
        }
        self.out.text(b"}\n", 1);
    }

    /// Members; the first is an integer as wide as the union, and so are all in C++.
    fn draw_members(&mut self) -> Vec<UnionMember> {
        let size = if self.random.next_u64() & 1 == 0 { 32 } else { 64 };
        let fits = |width: u32| if self.cxx { width == size } else { width <= size };
        let fitting: Vec<IntType> =
            IntType::ALL[1..].iter().copied().filter(|ty| fits(self.rules.width(*ty))).collect();
        let whole: Vec<IntType> =
            fitting.iter().copied().filter(|ty| self.rules.width(*ty) == size).collect();
        let integer = |body: &Self, ty: IntType| {
            let width = body.rules.width(ty);
            UnionMember { element: Element::Integer(ty), width, count: size / width }
        };
        let first = *self.random.pick(&whole);
        let mut members = vec![integer(self, first)];
        for _ in 0..=self.random.below(3) {
            if self.options.allows(Construct::Reals) && self.random.below(6) == 0 {
                members.push(UnionMember { element: Element::Real, width: size, count: 1 });
            } else {
                let ty = *self.random.pick(&fitting);
                members.push(integer(self, ty));
            }
        }
        members
    }

    fn print_union(&mut self, members: &[UnionMember]) {
        self.out.text(b"{\nunion{", 3);
        for (at, member) in members.iter().enumerate() {
            let (spelling, tokens): (&[u8], u64) = match member.element {
                Element::Integer(ty) => ty.spelling(self.cxx),
                Element::Real if member.width == 32 => (b"float", 1),
                Element::Real => (b"double", 1),
            };
            self.out.text(spelling, tokens);
            self.out.text(b" f", 1);
            self.out.digits(at as u64);
            if member.count > 1 {
                self.out.mark(b'[');
                self.out.digits(u64::from(member.count));
                self.out.text(b"]", 2);
            }
            self.out.mark(b';');
        }
        self.out.text(b"}x;\n", 3);
    }

    /// `x.f1[2]`, and which element it is in each lane.
    fn member(&mut self, members: &[UnionMember], at: usize) -> (Writer, Vec<u32>) {
        let count = members[at].count;
        let mut text = Writer::default();
        text.text(b"x.f", 3);
        text.digits(at as u64);
        if count == 1 {
            return (text, vec![0; self.lanes.count()]);
        }
        text.mark(b'[');
        let index = if self.random.below(3) == 0 {
            let value = self.expression(1, Context::FREE);
            let mask = self.literal(i64::from(count) - 1, IntType::Int);
            self.binary(BinaryOp::And, value, mask)
        } else {
            let index = self.random.below(u64::from(count)) as i64;
            self.literal(index, IntType::Int)
        };
        text.append(&self.written(index));
        text.mark(b']');
        let node = self.node(index);
        let lanes = 0..self.lanes.count();
        (text, lanes.map(|lane| self.value_in(&node, lane) as u32).collect())
    }

    fn write_member(
        &mut self,
        members: &[UnionMember],
        at: usize,
        bytes: &mut [u64],
        context: Context,
    ) {
        let member = members[at];
        let (text, indices) = self.member(members, at);
        let depth = self.random.below(3) as u32;
        let mut value = self.expression(depth.min(self.limits.expression_depth), context);
        self.out.append(&text);
        self.out.mark(b'=');
        let values: Vec<u64> = match member.element {
            Element::Integer(ty) => {
                self.values_as(value, ty).into_iter().map(|value| value as u64).collect()
            }
            Element::Real => {
                // Small enough for every type to hold.
                let mask = self.literal(1023, IntType::Int);
                value = self.binary(BinaryOp::And, value, mask);
                let bits = |value: i64| match member.width {
                    32 => u64::from((value as f32).to_bits()),
                    _ => (value as f64).to_bits(),
                };
                self.values_as(value, IntType::Int).into_iter().map(bits).collect()
            }
        };
        self.print(value);
        self.end_statement();
        let mask = u64::MAX >> (64 - member.width);
        for ((bytes, value), index) in bytes.iter_mut().zip(values).zip(indices) {
            let shift = index * member.width;
            *bytes = *bytes & !(mask << shift) | (value & mask) << shift;
        }
        self.clear_nodes();
    }

    /// `m0 = x.f1[2];`
    fn read_member(&mut self, members: &[UnionMember], at: usize, bytes: &[u64]) {
        let member = members[at];
        let Element::Integer(ty) = member.element else { unreachable!("never read") };
        let (text, indices) = self.member(members, at);
        let value = |(bytes, index): (&u64, u32)| {
            wrap((bytes >> (index * member.width)) as i64, member.width, ty.is_signed())
        };
        let values: Vec<i64> = bytes.iter().zip(indices).map(value).collect();
        let node = self.spelled(text, ty, &values);
        self.use_spelled(node);
    }

    /// A node that only the present statement has, with its values by lane.
    pub(crate) fn spelled(&mut self, text: Writer, ty: IntType, values: &[i64]) -> NodeId {
        // No common subexpression is as large: the text means nothing elsewhere.
        const SIZE: u16 = u16::MAX;
        let kind = NodeKind::Spelled(self.spelled.len() as u32);
        self.spelled.push(text);
        if self.lanes.is_on() {
            let start = self.lanes.values.len();
            self.lanes.values.extend(values);
            self.push_varying(kind, ty, SIZE, start)
        } else {
            self.push(kind, ty, SIZE, values[0])
        }
    }

    /// Puts a node into data, by itself or with something else.
    pub(crate) fn use_spelled(&mut self, node: NodeId) {
        let value = if self.random.next_u64() & 1 == 0 {
            let other = self.expression(1, Context::FREE);
            let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor][self.random.index(3)];
            self.binary(op, node, other)
        } else {
            node
        };
        self.assign_to_data(value);
        self.clear_nodes();
    }
}
