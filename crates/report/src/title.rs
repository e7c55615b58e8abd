//! The one line that a maintainer reads first.

use crate::bug::{Bug, Family, Language};
use crate::facts::at_arguments;
use crate::needle::{assertion, during, error_text, ice, needles};
use crate::{llvm_pass, versions};

/// Longer ones are cut off in lists of bugs.
const MAX_CHARS: usize = 99;

/// The title of a report: short, and in the words of the project that it goes to. "Regression" is
/// said only if an older version is known to do right.
#[must_use]
pub fn title(bug: &Bug) -> String {
    shorten(&match bug.family {
        Family::Gcc => gcc(bug),
        Family::Llvm => llvm(bug),
        Family::Other => other(bug),
    })
}

fn gcc(bug: &Bug) -> String {
    let majors: Vec<String> =
        versions::regression(bug).iter().map(|major| major.to_string()).collect();
    let regression = match majors.join("/") {
        majors if majors.is_empty() => String::new(),
        majors => format!("[{majors} Regression] "),
    };
    let at = at_arguments(&bug.fail.args);
    let pass = match &bug.culprit {
        Some(culprit) if !culprit.pass.is_empty() => format!(" ({})", culprit.pass),
        _ => String::new(),
    };
    let what = match (bug.kind.as_str(), ice(&bug.message)) {
        ("crash" | "codegen" | "invalid-ir", Some(error)) if error.starts_with("in ") => {
            format!("ICE {error}")
        }
        ("crash" | "codegen" | "invalid-ir", Some(error)) => {
            let pass = during(&bug.message).map_or(pass, |during| format!(" {during}"));
            format!("ICE: {error}{at}{pass}")
        }
        ("crash" | "codegen" | "invalid-ir", None) => format!("ICE: {}{at}{pass}", bug.signature),
        ("hang", _) => format!("compiler does not end{at}{pass}"),
        ("memory", _) => format!("compiler takes all memory{at}{pass}"),
        ("rejects-valid", _) => format!("valid code rejected{}", why(bug)),
        ("sanitizer-alarm", _) => format!("false sanitizer alarm{at}{pass}"),
        _ => format!("wrong code{at}{pass}"),
    };
    format!("{regression}{what}")
}

fn llvm(bug: &Bug) -> String {
    let part = match (&bug.culprit, bug.language) {
        (Some(culprit), _) if !culprit.pass.is_empty() => llvm_pass::known(&culprit.pass).0,
        (_, Language::Ir) => "opt".to_owned(),
        _ => "clang".to_owned(),
    };
    let at = at_arguments(&bug.fail.args);
    let what = match bug.kind.as_str() {
        "crash" | "codegen" | "invalid-ir" => match assertion(&bug.message) {
            Some(assertion) => assertion.concat(),
            None => format!("Crash{}{at}", crash_place(bug)),
        },
        "hang" => format!("Compilation does not end{at}"),
        "memory" => format!("Compilation takes all memory{at}"),
        "rejects-valid" => format!("Valid code rejected{}", why(bug)),
        "sanitizer-alarm" => format!("False sanitizer alarm{at}"),
        _ => format!("Miscompilation{at}"),
    };
    format!("[{part}] {what}")
}

fn crash_place(bug: &Bug) -> String {
    match needles(bug).last() {
        Some(needle) if bug.signature.ends_with(needle.as_str()) && needle.contains("::") => {
            format!(" in {needle}")
        }
        Some(needle) => format!(": {needle}"),
        None if bug.signature.is_empty() => String::new(),
        None => format!(": {}", bug.signature),
    }
}

fn other(bug: &Bug) -> String {
    let at = at_arguments(&bug.fail.args);
    let what = match bug.kind.as_str() {
        "crash" | "codegen" | "invalid-ir" => format!("crash: {}{at}", bug.signature),
        "hang" => format!("does not end{at}"),
        "memory" => format!("takes all memory{at}"),
        "rejects-valid" => format!("valid code rejected{}", why(bug)),
        "sanitizer-alarm" => format!("false sanitizer alarm{at}"),
        _ => format!("wrong code{at}"),
    };
    format!("{} {}: {what}", bug.compiler.name, bug.compiler.version)
}

fn why(bug: &Bug) -> String {
    error_text(&bug.message).map(|text| format!(": {text}")).unwrap_or_default()
}

fn shorten(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() <= MAX_CHARS {
        return one_line;
    }
    let mut short: String = one_line.chars().take(MAX_CHARS - 1).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn titles_are_in_the_words_of_each_project() {
        assert_eq!(title(&sample::wrong_code()), "[12 Regression] wrong code at -O2 (vrp2)");
        assert_eq!(
            title(&sample::gcc_crash()),
            "ICE in vect_slp_analyze, at tree-vect-slp.cc:4498"
        );
        assert_eq!(
            title(&sample::llvm_crash()),
            "[SLPVectorizer] Crash in llvm::slp::BoUpSLP::canMap with -passes=slp-vectorizer"
        );
        assert_eq!(title(&sample::tcc()), "tcc 0.9.27: wrong code at -O0");
        let bug = Bug { kind: "wrong-code".to_owned(), ..sample::llvm_crash() };
        assert_eq!(title(&bug), "[SLPVectorizer] Miscompilation with -passes=slp-vectorizer");
        let bug = Bug {
            kind: "rejects-valid".to_owned(),
            message: "main.c:1:2: error: unknown type name 'foo'\n".to_owned(),
            ..sample::wrong_code()
        };
        assert_eq!(title(&bug), "[12 Regression] valid code rejected: unknown type name 'foo'");
    }

    #[test]
    fn titles_stay_short() {
        let long = format!("a.c:1:1: internal compiler error: in {}, at b.cc:1\n", "ä".repeat(200));
        let bug = Bug { message: long, ..sample::gcc_crash() };
        assert!(title(&bug).chars().count() < 100);
        assert!(title(&bug).ends_with('…'));
    }
}
