//! A module: its top-level items, and the functions with their blocks.

use super::body::function;
use super::instruction::{Instruction, begins};
use super::source::Source;
use super::token::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// A function's definition or declaration.
    Function,
    /// A variable, an alias or an ifunc.
    Variable,
    Type,
    /// `!0 = …` or `!llvm.ident = …`.
    Metadata,
    /// `attributes #0 = …`.
    Attributes,
    Comdat,
    /// Target lines, the source's name, inline assembly, use lists, summaries.
    Other,
}

/// Something at the top level.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub what: What,
    pub tokens: Range<usize>,
    /// The token that names it.
    pub name: Option<usize>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub tokens: Range<usize>,
    /// Its name; an unnamed one has a number.
    pub name: String,
    pub named: Option<usize>,
}

/// A block of a function.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub label: Option<usize>,
    /// Its name; an unnamed one has a number.
    pub name: String,
    pub instructions: Vec<Instruction>,
    pub tokens: Range<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub tokens: Range<usize>,
    /// The token that names it.
    pub name: usize,
    /// The type of its result.
    pub ty: Range<usize>,
    /// The parentheses of its parameters.
    pub parens: Range<usize>,
    pub parameters: Vec<Parameter>,
    /// The braces and what they hold; nothing for a declaration.
    pub body: Option<Range<usize>>,
    pub blocks: Vec<Block>,
    /// The numbers of unnamed results, by the first token of the instruction.
    pub numbers: BTreeMap<usize, String>,
}

/// A module, as far as it could be understood.
pub(crate) struct Module<'a> {
    pub source: Source<'a>,
    pub items: Vec<Item>,
    pub functions: Vec<Function>,
    /// Names of types, which look like values.
    pub types: BTreeSet<&'a str>,
}

impl<'a> Module<'a> {
    /// Reads a module. What is not understood is left alone.
    pub fn read(text: &'a [u8]) -> Module<'a> {
        let source = Source::new(text);
        let items = items(&source);
        let types = items.iter().filter(|item| item.what == What::Type);
        let types = types.filter_map(|item| item.name).map(|at| source.name(at)).collect();
        let opaque = (0..source.tokens.len()).any(|at| source.is_word(at, "ptr"));
        let typed = !opaque && (0..source.tokens.len()).any(|at| source.is(at, b'*'));
        let functions = items.iter().filter(|item| item.what == What::Function);
        let functions = functions.filter_map(|item| function(&source, item, typed)).collect();
        Module { source, items, functions, types }
    }

    /// Functions that have a body with at least one block.
    pub fn defined(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|function| !function.blocks.is_empty())
    }

    /// All instructions.
    pub fn instructions(&self) -> impl Iterator<Item = (&Function, &Instruction)> {
        self.functions.iter().flat_map(|function| {
            let blocks = function.blocks.iter();
            blocks
                .flat_map(|block| &block.instructions)
                .map(move |instruction| (function, instruction))
        })
    }

    /// The places where a global is named, but for the one that makes it.
    pub fn uses_of_global(&self, name: usize) -> impl Iterator<Item = usize> + '_ {
        let named = self.source.name(name);
        (0..self.source.tokens.len()).filter(move |at| {
            *at != name
                && self.source.kind(*at) == Some(Kind::Global)
                && self.source.name(*at) == named
        })
    }

    /// The calls of a function by its name. Nothing if it is also used in another way.
    pub fn calls_of(&self, name: usize) -> Option<Vec<(&Function, &Instruction)>> {
        let uses: BTreeSet<usize> = self.uses_of_global(name).collect();
        let calls: Vec<_> = self
            .instructions()
            .filter(|(_, instruction)| {
                let callee = instruction.call.as_ref().map(|call| &call.callee);
                callee.is_some_and(|callee| callee.len() == 1 && uses.contains(&callee.start))
            })
            .collect();
        (calls.len() == uses.len()).then_some(calls)
    }
}

impl Function {
    /// The places in the body where a local name stands, but for those that make it.
    pub fn uses(&self, source: &Source, name: &str) -> Vec<usize> {
        let body = self.body.clone().unwrap_or_default();
        body.filter(|at| {
            source.kind(*at) == Some(Kind::Local)
                && source.name(*at) == name
                && !(source.is(at + 1, b'=') && begins(source, *at))
        })
        .collect()
    }
}

/// Does an item begin at the token, which no bracket holds?
fn item_at(source: &Source, at: usize) -> Option<(What, Option<usize>)> {
    let assigned = source.is(at + 1, b'=');
    Some(match source.kind(at)? {
        Kind::Word => match source.word(at) {
            "define" | "declare" => (What::Function, None),
            "attributes" => (What::Attributes, Some(at + 1)),
            "target" if !source.is(at + 1, b'(') => (What::Other, None),
            "source_filename" | "module" | "uselistorder" | "uselistorder_bb" => {
                (What::Other, None)
            }
            _ => return None,
        },
        Kind::Global if assigned => (What::Variable, Some(at)),
        Kind::Local if assigned => (What::Type, Some(at)),
        Kind::Meta if assigned => (What::Metadata, Some(at)),
        Kind::Comdat if assigned => (What::Comdat, Some(at)),
        // Summaries name each other with the sign that begins them.
        Kind::Punct(b'^') if source.tokens[at].first => (What::Other, None),
        _ => return None,
    })
}

fn items(source: &Source) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < source.tokens.len() {
        if let Some((what, name)) = item_at(source, at) {
            if let Some(last) = items.last_mut() {
                last.tokens.end = at;
            }
            items.push(Item { what, tokens: at..source.tokens.len(), name });
        }
        at = match source.kind(at) {
            Some(Kind::Punct(b'(' | b'[' | b'{' | b'<')) => source.close(at).unwrap_or(at + 1),
            _ => at + 1,
        };
    }
    for item in items.iter_mut().filter(|item| item.what == What::Function) {
        item.name = item.tokens.clone().find(|at| source.kind(*at) == Some(Kind::Global));
    }
    items
}
