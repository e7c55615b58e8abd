//! Random C and C++ programs without undefined behaviour, after YARPGen (Livinskii, Babokin and
//! Regehr, OOPSLA 2020).
//!
//! In: a seed and options. Out: the files of a program as bytes, and the checksum that it prints
//! when compiled correctly. This crate does not know what a compiler is, nor where files go.
//!
//! A program is made in one pass. `environment` makes types and global data; `body` makes
//! functions out of the tables of `statement` and `expression`; `build` types, evaluates and
//! repairs each node by the table of `rewrite`; `memory` knows what all data holds. In loops
//! `lanes` keeps the values of every iteration. What is likely is said by `parameter`, and for
//! parts of a program by `policy`.
//!
//! ```
//! let options = cgen::Options::default();
//! options.check()?;
//! let program = cgen::generate(base::Seed(42), &options);
//! assert_eq!(program.files.len(), 3);
//! # Ok::<(), cgen::OptionsError>(())
//! ```

mod aggregate;
mod assignment;
mod assumption;
mod block_memory;
mod body;
mod bool_trick;
mod bounded;
mod build;
mod builtin;
mod checksum;
mod compound;
mod conditional;
mod constant;
mod construct;
mod construct_set;
mod declaration;
mod definitions;
mod distribution;
mod element;
mod enumeration;
mod environment;
mod expression;
mod floats;
mod grid;
mod helper;
mod int_type;
mod jump;
mod lane_build;
mod lanes;
mod limits;
mod loop_body;
mod loop_head;
mod loop_store;
mod memory;
mod moving_pointer;
mod node;
mod operator;
mod options;
mod outline;
mod overflow;
mod parameter;
mod policy;
mod pragma;
mod print;
mod program;
mod real;
mod recurrence;
mod reduction;
pub mod rewrite;
mod seed;
mod side_effect;
mod standard;
mod statement;
mod statistics;
mod subexpression;
mod switch;
mod target;
mod unions;
mod vector;
mod wide;
mod writer;

pub use construct::Construct;
pub use construct_set::ConstructSet;
pub use floats::Floats;
pub use int_type::{IntType, TypeRules};
pub use limits::Limits;
pub use operator::{BinaryOp, UnaryOp};
pub use options::{Options, OptionsError, Policies, Size};
pub use parameter::{MORE_PARAMETERS, PARAMETERS, Parameter, ParameterRow};
pub use program::{Generated, GeneratedFile, generate};
pub use seed::{SeedError, VERSION, VersionedSeed};
pub use standard::{DataModel, Standard, UnknownName};
pub use statistics::Statistics;
