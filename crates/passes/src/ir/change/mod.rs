//! What may go from a module: families of changes, what takes most first.
//!
//! The changes of one family can be made together, as far as that can be had: alternatives to each
//! other are in different families. No change brings `undef`, `poison` or `unreachable` in.

mod attributes;
mod blocks;
mod branches;
mod constants;
mod flags;
mod globals;
mod instructions;
mod metadata;
mod names;
mod operands;
mod parameters;
mod returns;
mod spelling;

use super::module::Module;
use crate::Change;

/// Changes of one sort.
#[derive(Clone, Copy)]
pub struct Family {
    /// What they do.
    pub name: &'static str,
    /// When they are worth trying.
    pub when: When,
    changes: fn(&Module) -> Vec<Change>,
}

/// When the changes of a family are worth trying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Once, before all others: they need what it leaves.
    First,
    /// Again and again, until none can be made.
    Again,
    /// Once, when nothing else can be made: for the reader.
    Last,
}

impl Family {
    /// The changes of this sort that a text has.
    #[must_use]
    pub fn changes(&self, text: &[u8]) -> Vec<Change> {
        (self.changes)(&Module::read(text))
    }
}

/// What has no meaning in a text.
pub(super) fn strip(text: &[u8]) -> Vec<Change> {
    spelling::strip(&Module::read(text))
}

const fn family(name: &'static str, when: When, changes: fn(&Module) -> Vec<Change>) -> Family {
    Family { name, when, changes }
}

/// All families, in the order in which they are best tried.
pub const FAMILIES: &[Family] = &[
    family("strip comments and blank lines", When::First, spelling::strip),
    family("name what is numbered", When::First, names::name_numbers),
    family("functions to declarations", When::Again, globals::bodies),
    family("delete globals with their uses", When::Again, globals::with_uses),
    family("delete what is not used", When::Again, globals::unused),
    family("delete attachments of a kind", When::Again, metadata::kinds),
    family("delete lines of the module", When::Again, globals::lines),
    family("branches to their first target", When::Again, branches::to_first),
    family("branches to their last target", When::Again, branches::to_last),
    family("ends to returns", When::Again, branches::to_return),
    family("delete unreachable blocks", When::Again, blocks::unreachable),
    family("delete cases", When::Again, branches::cases),
    family("delete instructions", When::Again, instructions::to_zero),
    family("instructions to their first operand", When::Again, instructions::to_first),
    family("instructions to their last operand", When::Again, instructions::to_last),
    family("instructions to parameters", When::Again, instructions::to_parameter),
    family("merge blocks", When::Again, blocks::merge),
    family("pass by empty blocks", When::Again, blocks::forward),
    family("join blocks that return the same", When::Again, blocks::same_returns),
    family("invokes to calls", When::Again, branches::invoke_to_call),
    family("operands to zero", When::Again, operands::to_zero),
    family("operands to their operands", When::Again, operands::skip),
    family("operands to earlier values", When::Again, operands::to_earlier),
    family("delete parameters", When::Again, parameters::delete),
    family("delete variadic arguments", When::Again, parameters::variadic),
    family("results to void", When::Again, returns::to_void),
    family("delete attribute groups", When::Again, attributes::groups),
    family("delete attributes", When::Again, attributes::words),
    family("delete flags", When::Again, flags::of_instructions),
    family("delete calling conventions", When::Again, flags::conventions),
    family("atomic to plain", When::Again, flags::atomic),
    family("delete attachments", When::Again, metadata::attachments),
    family("delete parts of nodes", When::Again, metadata::parts),
    family("nodes to what they name", When::Again, metadata::skip),
    family("empty strings of nodes", When::Again, metadata::strings),
    family("delete parts of the data layout", When::Again, globals::layout),
    family("initializers away", When::Again, globals::initializers),
    family("constants to zero", When::Again, constants::to_zero),
    family("constants to one", When::Again, constants::to_one),
    family("delete labels of first blocks", When::Again, blocks::first_label),
    family("short names", When::Last, names::shorten),
    family("short names of globals", When::Last, names::shorten_globals),
    family("strip comments and blank lines", When::Last, spelling::strip),
];

#[cfg(test)]
pub(crate) mod testing {
    use super::FAMILIES;
    use base::Edit;

    /// What each change of a family makes of a text.
    pub fn each(family: &str, text: &str) -> Vec<String> {
        let family = FAMILIES.iter().find(|known| known.name == family).expect("a family's name");
        let changes = family.changes(text.as_bytes());
        let apply = |change| String::from_utf8(Edit::apply(change, text.as_bytes())).unwrap();
        changes.iter().map(apply).collect()
    }

    /// What all changes of a family together make of a text.
    pub fn all(family: &str, text: &str) -> String {
        let family = FAMILIES.iter().find(|known| known.name == family).expect("a family's name");
        let changes = family.changes(text.as_bytes());
        let edits = changes.iter().flatten();
        String::from_utf8(Edit::apply(edits, text.as_bytes())).unwrap()
    }
}
