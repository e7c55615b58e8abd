//! Makes constants simpler.

use crate::Change;
use base::Edit;
use csyntax::{TokenKind, Tree, tokens};

/// 0, 1, without suffix, without the last digit, empty strings.
pub(super) const LISTS: usize = 5;

pub(super) fn changes(tree: &Tree, list: usize) -> Vec<Change> {
    let text = tree.text();
    tokens(text)
        .into_iter()
        .filter_map(|token| {
            let old = std::str::from_utf8(&text[token.range.clone()]).ok()?;
            let new = match (token.kind, list) {
                (TokenKind::Number | TokenKind::Character, 0) if old != "0" && old != "1" => {
                    "0".to_owned()
                }
                (TokenKind::Number | TokenKind::Character, 1) if old != "0" && old != "1" => {
                    "1".to_owned()
                }
                (TokenKind::Number, 2) => without_suffix(old)?,
                (TokenKind::Number, 3) => shorter(old)?,
                (TokenKind::String, 4) if old != "\"\"" => "\"\"".to_owned(),
                _ => return None,
            };
            Some(vec![Edit::replace(token.range, new)])
        })
        .collect()
}

/// `0x1fUL` → `0x1f`, `1.5f` → `1.5`
fn without_suffix(old: &str) -> Option<String> {
    let hexadecimal = old.starts_with("0x") || old.starts_with("0X");
    let suffix: &[char] =
        if hexadecimal { &['u', 'U', 'l', 'L'] } else { &['u', 'U', 'l', 'L', 'f', 'F'] };
    let new = old.trim_end_matches(suffix);
    (new.len() < old.len() && !new.is_empty()).then(|| new.to_owned())
}

/// `1234` → `123`; a hexadecimal number becomes a decimal one when that is shorter.
fn shorter(old: &str) -> Option<String> {
    let digits = old.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &old[digits.len()..];
    if let Some(hexadecimal) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let decimal = u64::from_str_radix(hexadecimal, 16).ok()?.to_string();
        return (decimal.len() <= digits.len()).then(|| format!("{decimal}{suffix}"));
    }
    let all_digits = digits.bytes().all(|c| c.is_ascii_digit());
    (all_digits && digits.len() > 1).then(|| format!("{}{suffix}", &digits[..digits.len() - 1]))
}
