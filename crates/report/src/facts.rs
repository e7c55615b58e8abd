//! Facts about a bug that every text tells, each in words that need no formatting.

use crate::bug::{Bug, Check, Found, Run, Suspicion};
use crate::shell::command_line;

/// What a program is attached instead of shown above: more is not read in a report.
pub(crate) const INLINE_BYTES: usize = 4096;

/// A word that is not there.
pub(crate) const UNKNOWN: &str = "unknown";

/// `text`, or the word for nothing.
pub(crate) fn or_unknown(text: &str) -> &str {
    if text.trim().is_empty() { UNKNOWN } else { text.trim_end() }
}

/// `at -O2`, or `with -passes=gvn`; nothing when there are no arguments or too many to say.
pub(crate) fn at_arguments(args: &[String]) -> String {
    const LONG: usize = 40;
    let all = args.join(" ");
    let level = args.iter().rfind(|arg| arg.starts_with("-O"));
    match level {
        _ if all.is_empty() => String::new(),
        Some(_) if all.len() <= LONG && all.starts_with("-O") => format!(" at {all}"),
        _ if all.len() <= LONG => format!(" with {all}"),
        Some(level) => format!(" at {level} with further options"),
        None => String::new(),
    }
}

/// How a compiled program ended, with what it printed where that is one line.
pub(crate) fn behaviour(run: &Run) -> String {
    let end = run.end.as_deref().unwrap_or("not run");
    let output = run.output.trim_end();
    match output.lines().count() {
        0 if run.end.is_none() => end.to_owned(),
        0 => format!("{end}, prints nothing"),
        1 => format!("{end}, prints {output}"),
        lines => format!("{end}, prints {lines} lines"),
    }
}

/// The commands of a run as a person would type them, and the program that they make.
pub(crate) fn typed(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = run.commands.iter().map(|words| command_line(words)).collect();
    if let (Some(_), Some(executable)) = (&run.end, executable(run)) {
        lines.push(crate::shell::quote(&executable));
    }
    lines
}

/// The executable that a run makes, as it is called in the folder of the program.
pub(crate) fn executable(run: &Run) -> Option<String> {
    let last = run.commands.last()?;
    let at = last.iter().rposition(|word| word == "-o")?;
    let name = last.get(at + 1)?;
    Some(if name.starts_with('/') { name.clone() } else { format!("./{name}") })
}

/// Everything about the culprit, as label and text.
pub(crate) fn culprit(bug: &Bug) -> Vec<(&'static str, String)> {
    let Some(culprit) = &bug.culprit else { return Vec::new() };
    let mut facts = vec![("Pass", or_unknown(&culprit.pass).to_owned())];
    let mut more = |label, text: Option<String>| {
        facts.extend(text.filter(|text| !text.trim().is_empty()).map(|text| (label, text)));
    };
    more("Its file, where the search begins", culprit.file.clone());
    more("Function", culprit.function.clone());
    more("First bad step", culprit.step.map(|step| step.to_string()));
    more("First bad transformation", culprit.counter.clone());
    more("Needed", Some(culprit.needed.join(" ")));
    more("Shown alone by", culprit.alone.clone());
    more("How it was found out", Some(culprit.how.clone()));
    facts
}

/// Numbers in order, as ranges: `3-5, 9`; at most so many of them.
pub(crate) fn ranges(numbers: &[u32], most: usize) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut().filter(|(_, last)| last.checked_add(1) == Some(*number)) {
            Some((_, last)) => *last = *number,
            None => ranges.push((*number, *number)),
        }
    }
    let one = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut shown: Vec<String> = ranges.iter().take(most).map(one).collect();
    if ranges.len() > most {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// How suspicion was found out, as a sentence.
pub(crate) fn suspicion(suspicion: &Suspicion) -> String {
    let Suspicion { build, method, evaluations, witnesses, .. } = suspicion;
    format!(
        "By what {build} executed for {evaluations} variants of the compilation, {witnesses} of which avoid \
         the bug (method {method})."
    )
}

/// A check and its result in one line.
pub(crate) fn check(check: &Check) -> String {
    let by = match check.by.strip_suffix(" warnings") {
        Some(compiler) => format!("{compiler} -Wall -Wextra"),
        None => check.by.clone(),
    };
    match check.detail.trim() {
        "" => format!("{by}: {}", check.result),
        detail => format!("{by}: {} ({detail})", check.result),
    }
}

/// How it was found, as a sentence.
pub(crate) fn found(found: Option<&Found>) -> String {
    match found {
        None => "The program was given by a person, not generated.".to_owned(),
        Some(found) => format!(
            "Found by a fuzzer: whodunit {}, source {}, campaign seed {}, program {} (seed {}).",
            found.whodunit, found.source, found.campaign_seed, found.program, found.seed
        ),
    }
}

/// Was it reduced? With the numbers.
pub(crate) fn size(bug: &Bug) -> String {
    let bytes =
        |files: &[crate::bug::File]| files.iter().map(|file| file.text.len()).sum::<usize>();
    let lines: usize = bug.files.iter().map(|file| file.text.lines().count()).sum();
    let plural = if lines == 1 { "" } else { "s" };
    let now = format!("{lines} line{plural}, {} bytes", bytes(&bug.files));
    match bytes(&bug.original) {
        0 => format!("{now}, not reduced"),
        before => format!("{now}, reduced from {before} bytes"),
    }
}

/// The beginning of `text`, whole lines of at most `bytes`, and how many lines were left out.
pub(crate) fn head(text: &str, bytes: usize) -> (&str, usize) {
    if text.len() <= bytes {
        return (text, 0);
    }
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if end + line.len() > bytes {
            break;
        }
        end += line.len();
    }
    (&text[..end], text[end..].lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_said_shortly() {
        let check = |args: &str, expect: &str| {
            let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
            assert_eq!(at_arguments(&args), expect);
        };
        check("", "");
        check("-O2", " at -O2");
        check("-O2 -fno-tree-dce", " at -O2 -fno-tree-dce");
        check("-passes=gvn", " with -passes=gvn");
        check("-fno-tree-dce -O3 -fno-tree-vrp -fno-tree-dse", " at -O3 with further options");
    }

    #[test]
    fn neighbours_are_a_range() {
        assert_eq!(ranges(&[3, 4, 5, 9, 11, 12], 3), "3-5, 9, 11-12");
        assert_eq!(ranges(&[3, 4, 5, 9, 11, 12], 2), "3-5, 9, …");
        assert_eq!(ranges(&[], 2), "");
        assert_eq!(ranges(&[u32::MAX, u32::MAX], 9), format!("{0}, {0}", u32::MAX));
    }

    #[test]
    fn heads_end_with_a_line() {
        assert_eq!(head("a\nb\nc\n", 100), ("a\nb\nc\n", 0));
        assert_eq!(head("aa\nbb\ncc\n", 7), ("aa\nbb\n", 1));
        assert_eq!(head("äöü\n", 3), ("", 1));
    }
}
