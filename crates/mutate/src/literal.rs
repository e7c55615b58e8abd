//! Integer literals: radix, value and suffix, each kept when the value changes.

/// An integer as C spells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    /// `0x`, `0X`, `0b`, `0B`, `0` for octal numbers, nothing for decimal ones.
    prefix: String,
    radix: u32,
    /// Its value, without a sign: C's literals have none.
    pub value: u128,
    /// `u`, `LL` and the like.
    suffix: String,
    upper_case: bool,
}

impl Literal {
    /// Reads a number; nothing for floating ones and for suffixes that are not those of integers.
    pub fn read(text: &str) -> Option<Literal> {
        // Separators of C23.
        let text = text.replace('\'', "");
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let (prefix, radix) = match text.get(..2) {
            Some("0x" | "0X") => (&text[..2], 16),
            Some("0b" | "0B") => (&text[..2], 2),
            Some(two) if two.starts_with('0') && two.as_bytes()[1].is_ascii_digit() => ("0", 8),
            _ => ("", 10),
        };
        let rest = &text[prefix.len()..];
        let len = rest.find(|c: char| !c.is_digit(radix)).unwrap_or(rest.len());
        let (digits, suffix) = rest.split_at(len);
        if digits.is_empty() || !is_suffix(suffix) {
            return None;
        }
        let value = u128::from_str_radix(digits, radix).ok()?;
        let upper_case = digits.contains(|c: char| c.is_ascii_uppercase());
        let (prefix, suffix) = (prefix.to_owned(), suffix.to_owned());
        Some(Literal { prefix, radix, value, suffix, upper_case })
    }

    /// The same kind of literal with another value; nothing when C has no literal for it.
    pub fn with(&self, value: u128) -> Option<String> {
        if value > u128::from(u64::MAX) {
            return None;
        }
        let digits = match self.radix {
            _ if value == 0 => return Some(format!("0{}", self.suffix)),
            16 if self.upper_case => format!("{value:X}"),
            16 => format!("{value:x}"),
            8 => format!("{value:o}"),
            2 => format!("{value:b}"),
            _ => value.to_string(),
        };
        Some(format!("{}{digits}{}", self.prefix, self.suffix))
    }

    /// One less than nothing, in the literal's type.
    pub fn minus_one(&self) -> String {
        format!("(-1{})", self.suffix)
    }
}

fn is_suffix(suffix: &str) -> bool {
    let lower = suffix.to_ascii_lowercase();
    matches!(lower.as_str(), "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radix_and_suffix_stay_when_the_value_changes() {
        let next = |text: &str| Literal::read(text).and_then(|l| l.with(l.value + 1));
        let check = |text: &str, expect: &str| assert_eq!(next(text).as_deref(), Some(expect));
        check("0", "1");
        check("9", "10");
        check("0x1f", "0x20");
        check("0XFFu", "0X100u");
        check("017", "020");
        check("0b111", "0b1000");
        check("41ULL", "42ULL");
        check("1'000", "1001");
        check("18446744073709551614u", "18446744073709551615u");
    }

    #[test]
    fn zero_keeps_its_suffix_and_no_prefix() {
        let zero = |text: &str| Literal::read(text).unwrap().with(0).unwrap();
        assert_eq!(zero("0x1ful"), "0ul");
        assert_eq!(zero("7"), "0");
        assert_eq!(Literal::read("0L").unwrap().minus_one(), "(-1L)");
    }

    #[test]
    fn what_is_no_integer_or_too_large_is_refused() {
        for text in
            ["1.5", "1e3", "0x1p3", "1f", "x", "5i", "09.", "0xffffffffffffffffffffffffffffffffff"]
        {
            assert_eq!(Literal::read(text), None, "{text}");
        }
        let most = Literal::read("0xffffffffffffffff").unwrap();
        assert_eq!(most.with(most.value + 1), None);
    }
}
