//! Making a C or C++ program small.

mod bodies;
mod constants;
mod declarations;
mod directives;
mod expressions;
mod functions;
mod initialisers;
mod layout;
mod members;
mod names;
mod parameters;
mod place;
mod statements;
mod token_runs;
mod types;
mod unused;
mod unwrap;

use crate::Change;
use crate::predicate::Halt;
use crate::search::Search;
use base::ContentId;
use csyntax::{Dialect, Library, Tree};
use std::collections::BTreeSet;

/// A transformation: the changes that it offers for a tree, in lists that are tried one after the
/// other, each on the tree that the one before has left.
struct Transformation {
    /// How many lists it has.
    lists: usize,
    /// One of them.
    changes: fn(&Tree, usize) -> Vec<Change>,
}

const fn row(lists: usize, changes: fn(&Tree, usize) -> Vec<Change>) -> Transformation {
    Transformation { lists, changes }
}

/// What takes much away at once.
const COARSE: [Transformation; 7] = [
    row(1, bodies::changes),
    row(1, functions::changes),
    row(1, unused::changes),
    row(1, declarations::changes),
    row(directives::LISTS, directives::changes),
    row(1, statements::changes),
    row(unwrap::LISTS, unwrap::changes),
];

/// What works inside of statements and declarations.
const FINE: [Transformation; 7] = [
    row(expressions::LISTS, expressions::changes),
    row(initialisers::LISTS, initialisers::changes),
    row(parameters::LISTS, parameters::changes),
    row(1, members::changes),
    row(types::LISTS, types::changes),
    row(1, functions::inline),
    row(constants::LISTS, constants::changes),
];

/// The last, which look at tokens: many questions for small gains.
const LAST: [Transformation; 2] =
    [row(token_runs::LISTS, token_runs::changes), row(1, names::changes)];

/// How C is read.
pub struct Reader<'a> {
    /// libclang.
    pub library: &'a Library,
    /// With which arguments.
    pub dialect: &'a Dialect,
}

/// Makes a program smaller until no transformation can. Programs that clang can't read are reduced
/// as far as their tree goes, and by tokens.
///
/// # Errors
/// When the predicate has no answer.
pub fn reduce_c(search: &Search<'_>, text: &[u8], reader: &Reader<'_>) -> Result<Vec<u8>, Halt> {
    let mut text = text.to_vec();
    let clean = layout::without_comments(&text);
    if clean != text && search.ask(&clean)? == crate::Answer::Interesting {
        text = clean;
    }
    // Round after round: what is coarse until it can do no more, since it makes all the rest
    // cheaper; then each of the others once; tokens only when nothing else goes.
    // Transformations that undo each other would go round for ever.
    let mut seen: BTreeSet<ContentId> = BTreeSet::new();
    loop {
        let before = text.clone();
        while once(search, &mut text, reader, &COARSE)? && seen.insert(ContentId::of(&text)) {}
        let fine = once(search, &mut text, reader, &FINE)?;
        if fine && seen.insert(ContentId::of(&text)) && search.may_go_on() {
            continue;
        }
        once(search, &mut text, reader, &LAST)?;
        let is_new = seen.insert(ContentId::of(&text));
        if text == before || !is_new || !search.may_go_on() {
            break;
        }
    }
    // Also when the budget is used up: what is left is for people to read.
    let tidy = layout::tidy(&text);
    if tidy != text && !search.is_stopped() && search.ask(&tidy)? == crate::Answer::Interesting {
        text = tidy;
    }
    Ok(text)
}

/// Tries each transformation once; tells whether any of them changed anything.
fn once(
    search: &Search<'_>,
    text: &mut Vec<u8>,
    reader: &Reader<'_>,
    transformations: &[Transformation],
) -> Result<bool, Halt> {
    let mut changed = false;
    for transformation in transformations {
        for list in 0..transformation.lists {
            if !search.may_go_on() {
                return Ok(false);
            }
            let tree = reader
                .library
                .parse(text, reader.dialect)
                .map_err(|error| Halt::Failed(Box::new(error)))?;
            let changes = (transformation.changes)(&tree, list);
            if let Some(smaller) = search.apply(text, &changes)? {
                *text = smaller;
                changed = true;
            }
        }
    }
    Ok(changed)
}
