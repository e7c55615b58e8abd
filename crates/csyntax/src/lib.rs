//! Any C or C++ file as a typed, byte-exact tree.
//!
//! In: a text and the arguments that clang reads it with. Out: a tree of plain values (kinds,
//! types, what a name refers to, and the exact bytes of each node), what clang says about the
//! text, and its tokens. libclang is opened at run time, so a machine without it can do all the
//! rest. This crate does not know what anybody wants to change.

mod ctype;
mod ffi;
mod kind;
mod library;
mod parse;
mod token;
mod tree;

pub use ctype::{Class, Type};
pub use kind::Kind;
pub use library::{Library, LibraryError};
pub use parse::{Dialect, ParseError};
pub use token::{Token, TokenKind, is_keyword, tokens};
pub use tree::{Entity, Node, NodeId, Problem, Tree};
