//! Searches over lists of switches. They know a question, not what it is about.

use crate::failing::Side;

/// A question about a number or a list, which may fail.
pub(crate) type Asked<E> = Result<Side, E>;

/// The first bad number: `good` is known to be good, `bad` to be bad. What is unclear is taken for
/// neither: the search goes on beside it, or gives up when nothing else is left.
///
/// Gives the last number before the flip and the number at the flip; they differ by more than one
/// when all between them are unclear.
pub(crate) fn first_bad<E>(
    good: u64,
    bad: u64,
    ask: &mut dyn FnMut(u64) -> Asked<E>,
) -> Result<(u64, u64), E> {
    let (mut good, mut bad) = (good, bad);
    let mut unclear: Vec<u64> = Vec::new();
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        // The nearest to the middle that is not unclear. A long run of those is not worth a
        // question each.
        let at = (0..8)
            .flat_map(|off| [middle.saturating_sub(off), middle + off])
            .find(|n| (good + 1..bad).contains(n) && !unclear.contains(n));
        let Some(at) = at else { break };
        match ask(at)? {
            Side::Good => good = at,
            Side::Bad => bad = at,
            Side::Unclear => unclear.push(at),
        }
        unclear.retain(|n| (good + 1..bad).contains(n));
    }
    Ok((good, bad))
}

/// As many of `items` as can be chosen together while `holds`, found by halves: all that fits of
/// the later half first, then of the earlier. `chosen` holds already.
pub(crate) fn most<T: Clone, E>(
    chosen: Vec<T>,
    items: &[T],
    holds: &mut dyn FnMut(&[T]) -> Result<bool, E>,
) -> Result<Vec<T>, E> {
    if items.is_empty() {
        return Ok(chosen);
    }
    let mut all = chosen.clone();
    all.extend_from_slice(items);
    if holds(&all)? {
        return Ok(all);
    }
    if items.len() == 1 {
        return Ok(chosen);
    }
    let (early, late) = items.split_at(items.len() / 2);
    let chosen = most(chosen, late, holds)?;
    most(chosen, early, holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn the_flip_is_found_beside_unclear_numbers() {
        let check = |flip: u64, unclear: &[u64], expect: (u64, u64)| {
            let mut ask = |n: u64| -> Asked<Infallible> {
                Ok(match n {
                    n if unclear.contains(&n) => Side::Unclear,
                    n if n >= flip => Side::Bad,
                    _ => Side::Good,
                })
            };
            assert_eq!(first_bad(0, 100, &mut ask), Ok(expect));
        };
        check(37, &[], (36, 37));
        check(1, &[], (0, 1));
        check(100, &[50], (99, 100));
        check(37, &[50, 25], (36, 37));
        check(37, &[36, 37], (35, 38));
    }

    #[test]
    fn most_leaves_out_only_what_does_not_fit() {
        let items: Vec<u32> = (0..50).collect();
        let mut asked = 0;
        let mut holds = |chosen: &[u32]| -> Result<bool, Infallible> {
            asked += 1;
            Ok(!chosen.contains(&7) && !chosen.contains(&33))
        };
        let mut found = most(Vec::new(), &items, &mut holds).expect("never fails");
        found.sort_unstable();
        let expect: Vec<u32> = (0..50).filter(|n| *n != 7 && *n != 33).collect();
        assert_eq!(found, expect);
        assert!(asked < 30, "{asked}");
    }
}
