//! "Did you mean …?"

/// The candidate that `word` was probably meant to be: the one with the fewest edits, if they are
/// at most a third of the letters (and one for short words).
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (edits(word, candidate), candidate))
        .min()
        .filter(|(edits, _)| *edits <= most)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let change = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_understood_and_a_stranger_is_not() {
        let keys = ["compilers", "flags", "jobs"];
        assert_eq!(nearest("compiler", keys), Some("compilers"));
        assert_eq!(nearest("flgas", keys), None);
        assert_eq!(nearest("flag", keys), Some("flags"));
        assert_eq!(nearest("job", keys), Some("jobs"));
        assert_eq!(nearest("zzz", keys), None);
    }
}
