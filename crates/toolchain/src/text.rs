//! Making two messages of the same failure the same text.

/// `text` without what changes from run to run and machine to machine: hexadecimal addresses
/// become `0x…`, folders before a file name and line and column numbers go, runs of white space
/// become one space.
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&normalise_word(word));
    }
    out
}

fn normalise_word(word: &str) -> String {
    without_line_numbers(&without_folders(&without_addresses(word)))
}

/// `text` with `0x…` for each hexadecimal address: they change from run to run.
#[must_use]
pub fn without_addresses(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].chars().take_while(char::is_ascii_hexdigit).count();
        out.push_str(&rest[..at]);
        out.push_str(if digits > 0 { "0x…" } else { "0x" });
        rest = &rest[at + 2 + digits..];
    }
    out.push_str(rest);
    out
}

/// `/usr/src/gcc/expr.cc` → `expr.cc`, also behind a bracket or quote.
fn without_folders(word: &str) -> String {
    let Some(last) = word.rfind('/') else { return word.to_owned() };
    let start = word[..last]
        .rfind(|c: char| !(c.is_alphanumeric() || "/._-+~".contains(c)))
        .map_or(0, |at| at + word[at..].chars().next().map_or(1, char::len_utf8));
    // A lone slash is an operator in an assertion's text, not a path.
    if word[start..].len() < 3 {
        return word.to_owned();
    }
    format!("{}{}", &word[..start], &word[last + 1..])
}

/// `expr.cc:1829:3:` → `expr.cc:`
fn without_line_numbers(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(':') {
        let digits = rest[at + 1..].chars().take_while(char::is_ascii_digit).count();
        out.push_str(&rest[..at]);
        if digits == 0 {
            out.push(':');
        }
        rest = &rest[at + 1 + digits..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_goes_and_meaning_stays() {
        let check = |text, expect: &str| assert_eq!(normalise(text), expect);
        check("in emit_block, at /src/gcc/expr.cc:1829", "in emit_block, at expr.cc");
        check("#4 0x00007f79dee00000 llvm::f(int)", "#4 0x… llvm::f(int)");
        check("a.c:3:1:  internal   error", "a.c: internal error");
        check("Assertion `a / b == 0' failed", "Assertion `a / b == 0' failed");
        check("llvm::Value::use()", "llvm::Value::use()");
        check("(/lib/x86/libLLVM.so.1+0xe3f1)", "(libLLVM.so.1+0x…)");
    }
}
