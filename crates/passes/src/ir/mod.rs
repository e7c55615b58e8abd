//! Textual LLVM IR (13 to 22, typed or opaque pointers), read as far as changes to it need.
//!
//! The reader is tolerant: it finds statements, types, operands and edges, and leaves alone what it
//! does not know. So no version of LLVM is needed to read the text of another.

mod body;
mod cfg;
mod change;
mod grammar;
mod instruction;
mod module;
mod plausible;
mod shape;
mod source;
mod token;
mod variation;

pub use change::{FAMILIES, Family, When};
pub use plausible::is_plausible;
pub use variation::{Variations, variations};

/// A module without comments, empty lines, and space at the ends of lines.
#[must_use]
pub fn stripped(text: &[u8]) -> Vec<u8> {
    let changes = change::strip(text);
    base::Edit::apply(changes.iter().flatten(), text)
}
