//! The buffer of common subexpressions: copies of subtrees to be used again.

use crate::body::Body;
use crate::node::{Node, NodeId, NodeKind};
use crate::parameter::Parameter;

/// A remembered subtree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subexpression {
    /// Operands before their operators; operands are positions in this list.
    nodes: Vec<Node>,
    /// All its places are below this number: it lives as long as they do.
    places: u32,
}

/// The buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct SubexpressionBuffer {
    entries: Vec<Subexpression>,
    next: usize,
}

impl SubexpressionBuffer {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Forgets what names places that have left scope: those from `places` on.
    pub fn leave_scope(&mut self, places: usize) {
        self.entries.retain(|entry| entry.places as usize <= places);
    }
}

impl Body<'_> {
    /// Remembers a subtree if parameter 14 says so. When the buffer is full, the oldest goes.
    #[inline]
    pub(crate) fn consider_subexpression(&mut self, node: NodeId) {
        if self.parameters.draw(Parameter::CommonSubexpression, &mut self.random) != 0
            || u32::from(self.node(node).size) > self.limits.common_subexpression_nodes
            || self.limits.common_subexpressions == 0
        {
            return;
        }
        let mut buffer = std::mem::take(&mut self.subexpressions);
        let most = self.limits.common_subexpressions as usize;
        if buffer.entries.len() < most {
            buffer.entries.push(Subexpression::default());
            buffer.next = buffer.entries.len() - 1;
        } else {
            buffer.next = (buffer.next + 1) % most;
        }
        let entry = &mut buffer.entries[buffer.next];
        entry.nodes.clear();
        entry.places = 0;
        self.copy_out(node, entry);
        self.subexpressions = buffer;
    }

    fn copy_out(&self, id: NodeId, entry: &mut Subexpression) -> NodeId {
        let mut node = self.node(id);
        match &mut node.kind {
            NodeKind::Place { place, .. } => entry.places = entry.places.max(*place + 1),
            NodeKind::Literal | NodeKind::VectorElement(_) | NodeKind::Spelled(_) => {}
            NodeKind::PointsTo { pointer, aim } => {
                entry.places = entry.places.max(*pointer.max(aim) + 1);
            }
            NodeKind::Element { access } => {
                let subscripts = &self.accesses[*access as usize].subscripts;
                for place in subscripts.iter().flat_map(|s| [s.variable, s.other]).flatten() {
                    entry.places = entry.places.max(place + 1);
                }
            }
            NodeKind::Unary(_, a) | NodeKind::Cast(a) | NodeKind::Builtin(_, a) => {
                *a = self.copy_out(*a, entry)
            }
            NodeKind::Call(helper, arguments) => {
                let count = self.known[usize::from(*helper)].parameters();
                for argument in &mut arguments[..count] {
                    *argument = self.copy_out(*argument, entry);
                }
            }
            NodeKind::Binary(_, a, b) => {
                *a = self.copy_out(*a, entry);
                *b = self.copy_out(*b, entry);
            }
            NodeKind::Ternary(a, b, c) => {
                *a = self.copy_out(*a, entry);
                *b = self.copy_out(*b, entry);
                *c = self.copy_out(*c, entry);
            }
        }
        entry.nodes.push(node);
        entry.nodes.len() as NodeId - 1
    }

    /// A remembered subtree, built again: mixed data may have changed since, so that its values
    /// are others and a node may need another repair. Where nothing changed it is the same text.
    pub(crate) fn reuse_subexpression(&mut self) -> NodeId {
        let chosen = self.random.index(self.subexpressions.entries.len());
        let buffer = std::mem::take(&mut self.subexpressions);
        let mut built = std::mem::take(&mut self.built);
        built.clear();
        for node in &buffer.entries[chosen].nodes {
            let at = |old: NodeId| built[old as usize];
            let new = match node.kind {
                NodeKind::Place { place, other } => self.read(place, other),
                NodeKind::Literal => self.literal(node.value, node.ty),
                NodeKind::PointsTo { pointer, aim } => self.points_to(pointer, aim),
                NodeKind::VectorElement(_) | NodeKind::Spelled(_) => {
                    unreachable!("what one statement has is put into no common subexpression")
                }
                NodeKind::Element { access } => {
                    let access = self.accesses[access as usize];
                    // A variable may have left its loop, and what a later iteration writes cannot be
                    // read any more.
                    let here = self.runs_here(&access).then(|| self.element(access)).flatten();
                    here.unwrap_or_else(|| self.literal(1, node.ty))
                }
                NodeKind::Builtin(builtin, a) => self.builtin(builtin, at(a)),
                NodeKind::Call(helper, mut arguments) => {
                    let count = self.known[usize::from(helper)].parameters();
                    for argument in &mut arguments[..count] {
                        *argument = at(*argument);
                    }
                    self.call(helper, arguments)
                }
                NodeKind::Unary(op, a) => self.unary(op, at(a)),
                NodeKind::Cast(a) => self.recast(node, at(a)),
                NodeKind::Binary(op, a, b) => self.binary(op, at(a), at(b)),
                NodeKind::Ternary(a, b, c) => self.ternary(at(a), at(b), at(c)),
            };
            built.push(new);
        }
        let root = *built.last().expect("a subtree has a root");
        self.built = built;
        self.subexpressions = buffer;
        root
    }

    /// A cast again. The cast of a wide bit-field comes with reading it.
    fn recast(&mut self, cast: &Node, operand: NodeId) -> NodeId {
        match self.node(operand).kind {
            NodeKind::Cast(field)
                if self.node(operand).ty == cast.ty && self.is_wide_bit_field(field) =>
            {
                operand
            }
            _ => self.cast(cast.ty, operand),
        }
    }

    fn is_wide_bit_field(&self, id: NodeId) -> bool {
        let NodeKind::Place { place, .. } = self.node(id).kind else { return false };
        let memory = &self.environment.memory;
        let cell = memory.cells[memory.cell_of(place) as usize];
        cell.bits > 0 && cell.ty > crate::int_type::IntType::UInt
    }
}
