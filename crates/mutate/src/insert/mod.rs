//! RecBi's structural operators and DiWi's synthesis: something is put before a statement.

mod adapt;
mod jump;
mod place;

use crate::host::Host;
use crate::mutant::Mutant;
use crate::operator::Operator;
use crate::pool::{Pool, Snippet};
use adapt::{Adapted, adapt};
use base::{Edit, Random};
pub(crate) use place::{Place, places};

/// How many pairs of an ingredient and a place are tried until one fits. Most fit at once.
const TRIES: usize = 60;

/// A program with an `if`, a `while`, a call or a `goto` more.
pub(crate) fn insert(
    host: &Host,
    operator: Operator,
    pool: &Pool,
    random: &mut Random,
) -> Option<Mutant> {
    match operator {
        Operator::InsertIf => wrap(host, pool, random, "if"),
        Operator::InsertWhile => wrap(host, pool, random, "while"),
        Operator::InsertCall => put(host, pool, &pool.calls, random, "a call"),
        Operator::InsertGoto => jump::insert(host, random),
        _ => None,
    }
}

/// A program with a statement or block of another one in it, and with what that depends on: DiWi's
/// synthesis. Nothing if none fits, or the host is known by its tokens only.
#[must_use]
pub fn synthesise(host: &Host, pool: &Pool, random: &mut Random) -> Option<Mutant> {
    put(host, pool, &pool.statements, random, "a statement")
}

/// Draws an ingredient and a place until they fit.
fn draw<'a, 'b>(
    host: &'a Host,
    pool: &'b Pool,
    snippets: &'b [Snippet],
    random: &mut Random,
    fits: impl Fn(&Place) -> bool,
    suits: impl Fn(&Adapted) -> bool,
) -> Option<(&'a Place, Adapted, &'b str)> {
    let places: Vec<&Place> = host.places().iter().filter(|place| fits(place)).collect();
    if places.is_empty() || snippets.is_empty() {
        return None;
    }
    (0..TRIES).find_map(|_| {
        let place = places[random.index(places.len())];
        let snippet = random.pick(snippets);
        let donor = &pool.donors[snippet.donor];
        let adapted = adapt(host, donor, snippet, place.range.start, random)?;
        suits(&adapted).then_some((place, adapted, donor.name.as_str()))
    })
}

/// The statement at a place becomes the body of what is put before it, as in RecBi's figure 3.
///
/// Deviation: no `while` has a condition without variables, which would never be left.
fn wrap(host: &Host, pool: &Pool, random: &mut Random, word: &str) -> Option<Mutant> {
    let fits = |adapted: &Adapted| word == "if" || !adapted.is_constant;
    let (place, adapted, _) =
        draw(host, pool, &pool.conditions, random, |place| place.may_be_wrapped, fits)?;
    let text = format!("{word} ({}) ", adapted.text);
    let mut edits = adapted.head_edits();
    let (start, end) = (place.range.start, place.range.end);
    if place.has_else {
        edits.push(Edit::replace(start..start, format!("{{ {text}")));
        edits.push(Edit::replace(end..end, " }"));
    } else {
        edits.push(Edit::replace(start..start, text.as_str()));
    }
    Some(Mutant::new(host, edits, start, &format!("inserted {}", short(&text))))
}

/// A call or a statement before the one at a place.
fn put(
    host: &Host,
    pool: &Pool,
    snippets: &[Snippet],
    random: &mut Random,
    what: &str,
) -> Option<Mutant> {
    let (place, adapted, donor) = draw(host, pool, snippets, random, |_| true, |_| true)?;
    let text = adapted.text.trim_end();
    let end = if text.ends_with([';', '}']) { "" } else { ";" };
    let mut edits = adapted.head_edits();
    edits.extend(place.before(&format!("{text}{end}")));
    let what = format!("inserted {what} out of {donor}: {}", short(text));
    Some(Mutant::new(host, edits, place.range.start, &what))
}

/// The first words of a text, on one line.
fn short(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
