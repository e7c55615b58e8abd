//! Making a C or C++ program small.

mod bodies;
mod constants;
mod declarations;
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
use csyntax::{Dialect, Library, Tree};

pub use layout::without_comments;

/// A transformation: the changes that it offers for a tree, in lists that are tried one after the
/// other, each on the tree that the one before has left.
struct Transformation {
    /// How it is called in progress and statistics.
    #[allow(dead_code)]
    name: &'static str,
    /// How many lists it has.
    lists: usize,
    /// One of them.
    changes: fn(&Tree, usize) -> Vec<Change>,
}

const fn row(
    name: &'static str,
    lists: usize,
    changes: fn(&Tree, usize) -> Vec<Change>,
) -> Transformation {
    Transformation { name, lists, changes }
}

/// What takes much away at once.
const COARSE: [Transformation; 6] = [
    row("bodies", 1, bodies::changes),
    row("functions", 1, functions::changes),
    row("unused", 1, unused::changes),
    row("declarations", 1, declarations::changes),
    row("statements", 1, statements::changes),
    row("unwrap", unwrap::LISTS, unwrap::changes),
];

/// What works inside of statements and declarations.
const FINE: [Transformation; 7] = [
    row("expressions", expressions::LISTS, expressions::changes),
    row("initialisers", initialisers::LISTS, initialisers::changes),
    row("parameters", parameters::LISTS, parameters::changes),
    row("members", 1, members::changes),
    row("types", types::LISTS, types::changes),
    row("inline", 1, functions::inline),
    row("constants", constants::LISTS, constants::changes),
];

/// The last, which look at tokens: many questions for small gains.
const LAST: [Transformation; 2] =
    [row("tokens", token_runs::LISTS, token_runs::changes), row("names", 1, names::changes)];

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
    loop {
        let before = text.clone();
        while once(search, &mut text, reader, &COARSE)? {}
        if once(search, &mut text, reader, &FINE)? && search.may_go_on() {
            continue;
        }
        once(search, &mut text, reader, &LAST)?;
        if text == before || !search.may_go_on() {
            break;
        }
    }
    let tidy = layout::tidy(&text);
    if tidy != text && search.may_go_on() && search.ask(&tidy)? == crate::Answer::Interesting {
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
            let p0 = search.progress();
            let ch = (transformation.changes)(&tree, list);
            let r = search.apply(text, &ch)?;
            let p1 = search.progress();
            if std::env::var_os("WTRACE").is_some() {
                eprintln!(
                    "{} {list}: {} changes, {} tries {} kept {} impl, {} -> {}",
                    transformation.name,
                    ch.len(),
                    p1.tries - p0.tries,
                    p1.kept - p0.kept,
                    p1.implausible - p0.implausible,
                    text.len(),
                    r.as_ref().map_or(text.len(), Vec::len)
                );
            }
            if let Some(smaller) = r {
                *text = smaller;
                changed = true;
            }
        }
    }
    Ok(changed)
}
