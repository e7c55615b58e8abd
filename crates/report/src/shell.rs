//! Words as a POSIX shell reads them.

/// `word`, such that the shell takes it for one word and changes nothing in it.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The words as one command.
#[must_use]
pub fn command_line(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_gets_them() {
        let check = |word: &str, expect: &str| assert_eq!(quote(word), expect);
        check("-O2", "-O2");
        check("-std=c++17", "-std=c++17");
        check("", "''");
        check("a b.c", "'a b.c'");
        check("it's.c", r"'it'\''s.c'");
        check("-Wl,-rpath,$ORIGIN", "'-Wl,-rpath,$ORIGIN'");
        check("-passes=default<O2>", "'-passes=default<O2>'");
    }
}
