//! Vectors of GCC's and Clang's extension: declared, computed with element by element, and read
//! again.
//!
//! A statement of vectors is a block of its own: a type, two vectors made of expressions, some
//! operations, and elements that go into data. Every element is tracked as an integer is. In a loop
//! each lane has its own vectors.

use crate::body::Body;
use crate::construct::Construct;
use crate::int_type::IntType;
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;
use crate::policy::Context;
use crate::rewrite::Operation;
use crate::standard::DataModel;

/// The operators between vectors. Those that compare give vectors of 0 and -1.
const OPERATORS: [BinaryOp; 12] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Lt,
    BinaryOp::Eq,
    BinaryOp::Div,
    BinaryOp::Rem,
];

/// A vector: for each element its values by lane.
type Elements = Vec<Vec<i64>>;

impl Body<'_> {
    /// Whether vectors can be made here.
    pub(crate) fn may_use_vectors(&self) -> bool {
        self.options.allows(Construct::Vectors)
            && self.options.allows(Construct::Casts)
            && self.environment.types.iter().any(|ty| *ty != IntType::Bool)
    }

    /// A block that computes with vectors.
    pub(crate) fn vectors(&mut self, context: Context) {
        let types: Vec<IntType> =
            self.environment.types.iter().copied().filter(|ty| *ty != IntType::Bool).collect();
        let ty = *self.random.pick(&types);
        let bytes = self.rules.width(ty) / 8;
        // On 32-bit x86 vectors of 8 bytes may use the registers of floating point and spoil them.
        let half = bytes < 8 && self.options.data_model == DataModel::Lp64;
        let size = if half && self.random.below(3) == 0 { 8 } else { 16 };
        let count = size / bytes;
        let number = self.vector_types;
        self.vector_types += 1;
        self.out.text(b"{\ntypedef ", 2);
        let (spelling, tokens) = ty.spelling(self.cxx);
        self.out.text(spelling, tokens);
        self.out.text(b" V", 1);
        self.out.digits(u64::from(number));
        self.out.text(b" __attribute__((vector_size(", 5);
        self.out.digits(u64::from(size));
        self.out.text(b")));\n", 5);
        let mut x = self.vector(number, b'x', ty, count, context);
        let y = self.vector(number, b'y', ty, count, context);
        for _ in 0..=self.random.below(3) {
            x = self.vector_step(ty, x, &y);
        }
        for _ in 0..=self.random.below(2) {
            self.read_vector(ty, &x);
        }
        self.out.text(b"}\n", 1);
    }

    /// `V0 x = {…};`
    fn vector(&mut self, number: u32, name: u8, ty: IntType, count: u32, c: Context) -> Elements {
        self.out.text(b"V", 1);
        self.out.digits(u64::from(number));
        self.out.space(b' ');
        self.out.mark(name);
        self.out.text(b"={", 2);
        let mut elements = Vec::new();
        for at in 0..count {
            if at > 0 {
                self.out.mark(b',');
            }
            let value = self.expression(1, c);
            // Without the cast C++ would call it narrowing.
            let value = self.cast(ty, value);
            self.print(value);
            elements.push(self.values_as(value, ty));
            self.clear_nodes();
        }
        self.out.text(b"};\n", 2);
        elements
    }

    /// `x = x op y;`, or `x[2] = y[1];`
    fn vector_step(&mut self, ty: IntType, x: Elements, y: &Elements) -> Elements {
        let drawn = *self.random.pick(&OPERATORS);
        // Exclusive or is always defined.
        for op in [drawn, BinaryOp::Xor] {
            if let Some(result) = self.vector_operation(op, ty, &x, y) {
                self.out.text(b"x=x", 3);
                self.out.text(op.text(), 1);
                self.out.text(b"y;\n", 2);
                return result;
            }
        }
        x
    }

    /// What each element becomes; none if one is undefined. Elements are not promoted, and the
    /// comparison of two gives -1 where it holds. Unsigned elements stay what they are only where
    /// the comparison's type, which is signed, is converted back: so those are left out.
    fn vector_operation(
        &self,
        op: BinaryOp,
        ty: IntType,
        x: &Elements,
        y: &Elements,
    ) -> Option<Elements> {
        let compares = !op.is_arithmetic();
        if compares && !ty.is_signed() {
            return None;
        }
        let shape = self.shape(ty);
        let mut result = Vec::with_capacity(x.len());
        for (x, y) in x.iter().zip(y) {
            let mut lanes = Vec::with_capacity(x.len());
            for (a, b) in x.iter().zip(y) {
                let operation = Operation {
                    op,
                    a: *a,
                    b: *b,
                    left: shape,
                    right: shape,
                    negative_shifts: self.negative_shifts,
                };
                if operation.is_unsafe() {
                    return None;
                }
                lanes.push(if compares { -operation.result() } else { operation.result() });
            }
            result.push(lanes);
        }
        Some(result)
    }

    /// `m0 = x[2];`
    fn read_vector(&mut self, ty: IntType, x: &Elements) {
        let at = self.random.index(x.len());
        let start = self.lanes.values.len();
        let kind = NodeKind::VectorElement(at as u8);
        let node: NodeId = if self.lanes.is_on() {
            self.lanes.values.extend(&x[at]);
            self.push_varying(kind, ty, 1, start)
        } else {
            self.push(kind, ty, 1, x[at][0])
        };
        let value = if self.random.next_u64() & 1 == 0 {
            let other = self.expression(1, Context::FREE);
            self.binary(BinaryOp::Xor, node, other)
        } else {
            node
        };
        self.assign_to_data(value);
        self.clear_nodes();
    }
}
