//! What in a compiler's message tells this crash from others, whatever the program and, as far as
//! can be, the version: the words that scripts look for.

use crate::bug::Bug;

/// Texts that all stand in the message of this bug, each in one line; empty when there is nothing
/// better than "it crashed".
pub(crate) fn needles(bug: &Bug) -> Vec<String> {
    let message = bug.message.as_str();
    let mut needles = gcc(message)
        .or_else(|| assertion(message))
        .or_else(|| verifier(bug))
        .or_else(|| llvm_error(message))
        .or_else(|| unreachable(message))
        .or_else(|| frame(bug))
        .unwrap_or_default();
    needles.retain(|needle| !needle.is_empty() && message.contains(needle.as_str()));
    needles
}

/// What an error message says after place and `error: `, to be found again in a smaller program.
pub(crate) fn error_text(message: &str) -> Option<&str> {
    let text = rest_of_line(message, "error: ")?.trim();
    (!text.is_empty()).then_some(text)
}

/// The internal compiler error without the line number that it was raised at. Those that name no
/// function (`Segmentation fault`) need the pass as well.
fn gcc(message: &str) -> Option<Vec<String>> {
    let error = ice(message)?;
    let text = error.split(", at ").next().unwrap_or(error);
    let mut needles = vec![format!("internal compiler error: {text}")];
    if !text.starts_with("in ") {
        needles.extend(during(message).map(str::to_owned));
    }
    Some(needles)
}

/// `in f, at tree.cc:12`, of GCC's message for its own faults.
pub(crate) fn ice(message: &str) -> Option<&str> {
    rest_of_line(message, "internal compiler error: ").map(str::trim_end)
}

/// `during GIMPLE pass: vect`
pub(crate) fn during(message: &str) -> Option<&str> {
    message.lines().find(|line| line.starts_with("during ") && line.contains("pass: "))
}

/// The assertion that failed, without file and line.
pub(crate) fn assertion(message: &str) -> Option<Vec<String>> {
    let text = rest_of_line(message, "Assertion `")?;
    Some(vec![format!("Assertion `{}", text.trim_end())])
}

fn verifier(bug: &Bug) -> Option<Vec<String>> {
    let complaint = bug.signature.strip_prefix("broken IR: ")?;
    Some(vec![complaint.split(" during ").next().unwrap_or(complaint).to_owned()])
}

/// What `opt` calls `LLVM ERROR` and `clang` an error in the backend, up to the first number:
/// those are of the program.
fn llvm_error(message: &str) -> Option<Vec<String>> {
    let text = rest_of_line(message, "LLVM ERROR: ")
        .or_else(|| rest_of_line(message, "error in backend: "))?;
    let constant = text.split(|c: char| c.is_ascii_digit()).next().unwrap_or(text).trim_end();
    Some(vec![if constant.len() < 8 { text.trim_end() } else { constant }.to_owned()])
}

/// The file, not the line, of code that LLVM holds for unreachable.
fn unreachable(message: &str) -> Option<Vec<String>> {
    let place = rest_of_line(message, "UNREACHABLE executed at ")?;
    let file = place.split(':').next()?.rsplit('/').next()?;
    Some(vec!["UNREACHABLE executed at ".to_owned(), file.to_owned()])
}

/// The frame that the signature names.
fn frame(bug: &Bug) -> Option<Vec<String>> {
    let (_, frame) = bug.signature.rsplit_once(" in ")?;
    Some(vec![frame.strip_prefix("endless recursion of ").unwrap_or(frame).to_owned()])
}

fn rest_of_line<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.split_once(start)?.1.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn the_constant_part_of_a_message_is_found() {
        let check = |message: &str, signature: &str, expect: &[&str]| {
            let bug = Bug {
                message: message.to_owned(),
                signature: signature.to_owned(),
                ..sample::wrong_code()
            };
            assert_eq!(needles(&bug), expect, "{message}");
        };
        check(
            "during GIMPLE pass: vect\na.c:4:6: internal compiler error: in vect_slp_analyze, at \
             tree-vect-slp.cc:4498\n    4 | void\n",
            "",
            &["internal compiler error: in vect_slp_analyze"],
        );
        check(
            "during RTL pass: combine\na.c:4:6: internal compiler error: Segmentation fault\n",
            "",
            &["internal compiler error: Segmentation fault", "during RTL pass: combine"],
        );
        check(
            "opt: /src/Value.cpp:123: void f(): Assertion `a == b && \"x\"' failed.\nPLEASE\n",
            "",
            &["Assertion `a == b && \"x\"' failed."],
        );
        check("LLVM ERROR: Cannot select: t33: i64 = X\n", "", &["Cannot select: t"]);
        check(
            "x\nUNREACHABLE executed at /src/lib/A.cpp:12!\n",
            "",
            &["UNREACHABLE executed at ", "A.cpp"],
        );
        check(
            "Stack dump:\n #4 0x7f llvm::slp::BoUpSLP::canMap(llvm::Type*) const\n",
            "Segmentation fault during slp-vectorizer in llvm::slp::BoUpSLP::canMap",
            &["llvm::slp::BoUpSLP::canMap"],
        );
        check(
            "Instruction does not dominate all uses!\nLLVM ERROR: Broken module found\n",
            "broken IR: Instruction does not dominate all uses!",
            &["Instruction does not dominate all uses!"],
        );
        check("", "Segmentation fault", &[]);
    }
}
