//! Ingredients out of other programs: conditions, calls and statements, each with what it depends
//! on (RecBi, section 3.1; DiWi, section 5.6.4).

mod donor;
mod harmless;
mod material;
mod snippet;

use csyntax::{Dialect, Library};
pub(crate) use donor::Donor;
pub(crate) use snippet::{Hole, Need, Snippet};

/// Ingredients out of donor programs.
#[derive(Debug, Default)]
pub struct Pool {
    pub(crate) donors: Vec<Donor>,
    pub(crate) conditions: Vec<Snippet>,
    pub(crate) calls: Vec<Snippet>,
    pub(crate) statements: Vec<Snippet>,
    unread: usize,
}

/// How much is in a pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Programs that something was taken from.
    pub programs: usize,
    /// Programs that clang can't read: nothing was taken.
    pub unread: usize,
    /// Conditions of branches and loops.
    pub conditions: usize,
    /// Functions with a call of them.
    pub calls: usize,
    /// Statements and blocks.
    pub statements: usize,
}

impl Pool {
    /// The ingredients of programs, each with the name that it is told by.
    pub fn of(
        programs: impl IntoIterator<Item = (String, Vec<u8>)>,
        dialect: &Dialect,
        library: &Library,
    ) -> Pool {
        let mut pool = Pool::default();
        for (name, text) in programs {
            match library.parse(&text, dialect) {
                Ok(tree) if tree.is_valid() => {
                    let at = pool.donors.len();
                    let donor = Donor::new(name, &tree);
                    pool.conditions.extend(snippet::conditions(&tree, &donor, at));
                    pool.calls.extend(snippet::calls(&tree, &donor, at));
                    pool.statements.extend(snippet::statements(&tree, &donor, at));
                    pool.donors.push(donor);
                }
                _ => pool.unread += 1,
            }
        }
        pool
    }

    /// How much is in it.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            programs: self.donors.len(),
            unread: self.unread,
            conditions: self.conditions.len(),
            calls: self.calls.len(),
            statements: self.statements.len(),
        }
    }

    /// Is there nothing in it?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.calls.is_empty() && self.statements.is_empty()
    }
}
