//! A compiler's version number.

use serde::{Deserialize, Serialize};
use std::fmt;

/// `major.minor.patch`; what is not given counts as 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl Version {
    /// The first dotted number in `text`, such as the `16.0.6` of `clang version 16.0.6 (15~x)`.
    #[must_use]
    pub fn find(text: &str) -> Option<Version> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(Version::parse)
    }

    fn parse(word: &str) -> Option<Version> {
        let mut numbers = word.split('.').map(str::parse::<u32>);
        let major = numbers.next()?.ok()?;
        let minor = numbers.next()?.ok()?;
        let patch = numbers.next().and_then(Result::ok).unwrap_or(0);
        Some(Version { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_compilers_print() {
        let check = |text: &str, expect: &str| {
            assert_eq!(Version::find(text).map(|v| v.to_string()).unwrap_or_default(), expect);
        };
        check("Debian clang version 16.0.6 (15~deb12u1)", "16.0.6");
        check("tcc version 0.9.27 (x86_64 Linux)", "0.9.27");
        check("12.2.0", "12.2.0");
        check("gcc version 4.8", "4.8.0");
        check("hello, I am 7 years old", "");
        check("", "");
    }
}
