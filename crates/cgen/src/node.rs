//! Expressions as nodes in a table that is emptied after every statement.

use crate::helper::MOST_PARAMETERS;
use crate::int_type::IntType;
use crate::operator::{BinaryOp, UnaryOp};

/// The position of a node.
pub(crate) type NodeId = u32;

/// What a node is, with its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodeKind {
    /// A place, in its other spelling or not.
    Place {
        place: u32,
        other: bool,
    },
    /// A literal.
    Literal,
    /// An element of a grid, by its position in the table of accesses.
    Element {
        access: u32,
    },
    /// An element of the vector that the present statement makes.
    VectorElement(u8),
    /// Something that only the present statement has, by its position in the table of texts.
    Spelled(u32),
    /// Whether the pointer that a place dereferences points to what another place names; or, if that
    /// is the same place, whether it points anywhere.
    PointsTo {
        pointer: u32,
        aim: u32,
    },
    /// A call of a builtin.
    Builtin(u8, NodeId),
    /// A call of a function, with as many arguments as it has parameters.
    Call(u8, [NodeId; MOST_PARAMETERS]),
    Unary(UnaryOp, NodeId),
    Binary(BinaryOp, NodeId, NodeId),
    Ternary(NodeId, NodeId, NodeId),
    /// A cast to the node's type.
    Cast(NodeId),
}

/// A node with its type and the value that it has when the program gets there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub kind: NodeKind,
    /// The type; a bit-field has the one that it is promoted to.
    pub ty: IntType,
    /// Nodes in the subtree, itself included.
    pub size: u16,
    /// Whether the value differs between the lanes of a loop.
    pub varies: bool,
    /// The value, or where the values of a node that varies start.
    pub value: i64,
}
