//! The tree of a file: plain values, which need libclang no more.

use crate::ctype::Type;
use crate::kind::Kind;
use std::ops::Range;

/// A node's place in its tree. Nodes are in the order of the text, parents before children.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

/// What has one name however often it is declared: a variable, a function, a type, a member, a
/// label. Redeclarations and uses share it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entity(pub(crate) u32);

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text. Of statements that end in a semicolon, those without it, except for
    /// declarations inside of functions: libclang has it so.
    pub range: Range<usize>,
    /// What it is part of.
    pub parent: Option<NodeId>,
    /// Its parts, in the order of the text.
    pub children: Vec<NodeId>,
    /// What it declares or names; empty for the rest.
    pub name: String,
    /// Where the name stands, for what declares or uses one.
    pub name_at: usize,
    /// What it declares, or refers to, if that is declared in this file.
    pub entity: Option<Entity>,
    /// Its type, for declarations and expressions.
    pub ty: Option<Type>,
    /// Its operator, if it has one: `+`, `+=`, `-`, `x++`, `++x`.
    pub operator: Option<&'static str>,
    /// Does it define what it declares?
    pub is_definition: bool,
    /// Do its bytes stand in the text as they are, not in a macro?
    pub is_exact: bool,
}

/// What clang says about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Is it an error? Otherwise a warning.
    pub is_error: bool,
    /// What it says.
    pub message: String,
    /// The option that asks for it, such as `-Wuninitialized`.
    pub option: String,
    /// Where.
    pub at: usize,
}

/// A file as a tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) text: Vec<u8>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) roots: Vec<NodeId>,
    pub(crate) problems: Vec<Problem>,
}

impl Tree {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The declarations at the top.
    #[must_use]
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All nodes in the order of the text, parents before children.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> + ExactSizeIterator {
        self.nodes.iter().enumerate().map(|(at, node)| (NodeId(at as u32), node))
    }

    /// The text of a node.
    #[must_use]
    pub fn text_of(&self, id: NodeId) -> &[u8] {
        &self.text[self.node(id).range.clone()]
    }

    /// What clang said.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Is it valid C?
    #[must_use]
    pub fn is_valid(&self) -> bool {
        !self.problems.iter().any(|problem| problem.is_error)
    }

    /// The node's ancestors, the nearest first.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).parent, |&id| self.node(id).parent)
    }

    /// The node and all below it.
    #[must_use]
    pub fn below(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = vec![id];
        let mut at = 0;
        while at < found.len() {
            found.extend_from_slice(&self.node(found[at]).children);
            at += 1;
        }
        found.sort_unstable();
        found
    }

    /// The first position after `at` that is neither white space nor comment.
    #[must_use]
    pub fn skip_blank(&self, mut at: usize) -> usize {
        let text = &self.text;
        loop {
            match text.get(at) {
                Some(c) if c.is_ascii_whitespace() => at += 1,
                Some(b'/') if text.get(at + 1) == Some(&b'*') => {
                    let end = text[at + 2..].windows(2).position(|two| two == b"*/");
                    at = end.map_or(text.len(), |end| at + 2 + end + 2);
                }
                Some(b'/') if text.get(at + 1) == Some(&b'/') => {
                    let end = text[at..].iter().position(|&c| c == b'\n');
                    at = end.map_or(text.len(), |end| at + end);
                }
                _ => return at,
            }
        }
    }

    /// A range with the semicolon behind it, if there is one.
    #[must_use]
    pub fn with_semicolon(&self, range: Range<usize>) -> Range<usize> {
        let ends_with = range.end > range.start && self.text[range.end - 1] == b';';
        let after = self.skip_blank(range.end);
        if !ends_with && self.text.get(after) == Some(&b';') {
            range.start..after + 1
        } else {
            range
        }
    }
}
