//! The page of a bug: all that is known about it.

use super::highlight::highlighted;
use super::{Assets, badge, copyable, definitions, document, escape, table};
use crate::bug::{Bug, File, Language, Pair, Run, Suspect, Version};
use crate::diff::{Line, hunks};
use crate::facts::{self, or_unknown};
use crate::title::title;
use crate::versions;

/// Lines of a difference that are shown; `step.diff` beside the page has all.
const DIFF_LINES: usize = 2000;

/// Suspicious files that are shown, functions of each, and ranges of lines of each piece of evidence; `bug.json` has
/// all.
const SUSPECTS: usize = 10;
const FUNCTIONS: usize = 4;
const EVIDENCE_RANGES: usize = 12;

/// Where the account of a bug stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// What the names of its files are put behind: its folder, as seen from the page.
    pub folder: &'a str,
    /// The level of its headings.
    pub heading: u8,
}

/// The page of a bug, self-contained.
#[must_use]
pub fn page(bug: &Bug) -> String {
    let title = title(bug);
    let body = format!(
        "<header>\n<p>{} <span class=\"quiet\">{}</span></p>\n<h1>{}</h1>\n</header>\n{}",
        badge(&bug.kind),
        escape(&bug.id),
        escape(&title),
        bug_sections(bug, Place { folder: "", heading: 2 })
    );
    document(&title, &body, Assets::Inside)
}

/// All about a bug, without a title.
#[must_use]
pub fn bug_sections(bug: &Bug, place: Place<'_>) -> String {
    let mut body = overview(bug, place.folder);
    let mut section = |name: &str, content: &str| {
        if !content.is_empty() {
            let level = place.heading;
            body.push_str(&format!(
                "<section>\n<h{level}>{name}</h{level}>\n{content}</section>\n"
            ));
        }
    };
    section("Program", &programs(&bug.files, bug.language));
    section("Commands", &runs(bug));
    if !bug.message.trim().is_empty() {
        section("What the compiler says", &pre(&bug.message));
    }
    section("Versions", &versions_table(bug));
    section("Culprit", &culprit(bug));
    section("Suspicious files", &suspicion(bug));
    section("Undefined behaviour", &checks(bug));
    section("Duplicates", &duplicates(bug));
    section("To file", &to_file(bug));
    section("More", &more(bug));
    body
}

/// The report in the form of the compiler's project, ready to be copied.
fn to_file(bug: &Bug) -> String {
    let name = crate::folder::report_name(bug.family);
    let text = copyable(&format!("text-{}", bug.id), &crate::folder::report(bug));
    format!("<details>\n<summary>{name}</summary>\n{text}</details>\n")
}

fn overview(bug: &Bug, folder: &str) -> String {
    let compiler = &bug.compiler;
    let mut rows = vec![
        ("What it is", escape(crate::kind::kind(&bug.kind).means)),
        ("Compiler", escape(&format!("{} {}", compiler.name, compiler.version))),
        ("Target", escape(or_unknown(&compiler.target))),
        ("Arguments", code(&bug.fail.args.join(" "))),
        ("Signature", code(&bug.signature)),
    ];
    if let Some(culprit) = &bug.culprit {
        rows.push(("Pass", code(&culprit.pass)));
    }
    if let Some((good, bad)) = versions::introduced(bug) {
        let (good, bad) = (versions::label(good), versions::label(bad));
        rows.push(("Introduced", escape(&format!("after {good}, up to {bad}"))));
    }
    if let Some(fixed) = versions::fixed_in(bug) {
        rows.push(("Does right since", escape(&versions::label(fixed))));
    }
    rows.push(("Size", escape(&facts::size(bug))));
    rows.push(("Found", escape(&facts::found(bug.found.as_ref()))));
    let report = crate::folder::report_name(bug.family);
    let links = [report, "reproduce.sh", "interesting.sh", "bug.json"];
    let folder = escape(folder);
    let link = |name: &str| format!("<a href=\"{folder}{name}\">{name}</a>");
    rows.push(("Files", links.map(link).join(", ")));
    definitions(&rows)
}

fn code(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { format!("<code>{}</code>", escape(text)) }
}

fn pre(text: &str) -> String {
    format!("<pre>{}</pre>\n", escape(text.trim_end()))
}

fn programs(files: &[File], language: Language) -> String {
    let show = |file: &File| {
        let (name, text) = (escape(&file.name), highlighted(file.text.trim_end(), language));
        format!("<h4>{name}</h4>\n<pre class=\"program\">{text}</pre>\n")
    };
    files.iter().map(show).collect()
}

fn runs(bug: &Bug) -> String {
    let kind = crate::kind::kind(&bug.kind);
    let fails = side("Fails", "fails", &bug.fail, kind.headline);
    match &bug.pass {
        None => fails,
        Some(pass) => {
            format!(
                "<div class=\"sides\">\n{fails}{}</div>\n",
                side("Does right", "right", pass, "it compiles")
            )
        }
    }
}

/// A run; `compiled` is what to say where no program was run.
fn side(name: &str, class: &str, run: &Run, compiled: &str) -> String {
    let commands: Vec<String> = facts::typed(run).iter().map(|line| format!("$ {line}")).collect();
    let mut text = format!(
        "<div>\n<h4><span class=\"{class}\">{name}</span>: {}</h4>\n",
        escape(&if run.end.is_some() { facts::behaviour(run) } else { compiled.to_owned() })
    );
    if !commands.is_empty() {
        text.push_str(&pre(&commands.join("\n")));
    }
    if !run.output.trim().is_empty() {
        text.push_str(&pre(&run.output));
    }
    text.push_str("</div>\n");
    text
}

fn versions_table(bug: &Bug) -> String {
    if bug.versions.is_empty() {
        return "<p>No other version was tried.</p>\n".to_owned();
    }
    let row = |version: &Version| {
        let class = match version.fails {
            Some(true) => "fails",
            Some(false) => "right",
            None => "unknown",
        };
        vec![
            escape(&version.compiler),
            escape(&version.version),
            format!("<span class=\"{class}\">{}</span>", versions::result(version)),
            escape(&version.note),
        ]
    };
    let rows: Vec<Vec<String>> = bug.versions.iter().map(row).collect();
    table(&["Compiler", "Version", "Result", "Note"], &rows)
}

fn culprit(bug: &Bug) -> String {
    let rows: Vec<(&str, String)> = facts::culprit(bug)
        .into_iter()
        .map(|(name, text)| match name {
            "How it was found out" => (name, escape(&text)),
            _ => (name, code(&text)),
        })
        .collect();
    if rows.is_empty() {
        return "<p>Not known.</p>\n".to_owned();
    }
    let pair = bug.culprit.as_ref().and_then(|culprit| culprit.pair.as_ref());
    format!("{}{}", definitions(&rows), pair.map(step).unwrap_or_default())
}

/// The compiler's files by suspicion, with a bar for each.
fn suspicion(bug: &Bug) -> String {
    let Some(suspicion) = &bug.suspicion else { return String::new() };
    let most = suspicion.files.iter().map(|file| file.score).fold(0.0, f64::max);
    let row = |suspect: &Suspect| {
        let evidence = suspect.evidence.iter().map(|(what, lines)| {
            format!(
                "<li>{} did without lines {}</li>",
                code(what),
                escape(&facts::ranges(lines, EVIDENCE_RANGES))
            )
        });
        let evidence: String = evidence.collect();
        let functions: Vec<String> =
            suspect.functions.iter().take(FUNCTIONS).map(|name| code(name)).collect();
        let share = if most > 0.0 { suspect.score / most } else { 0.0 };
        vec![
            suspect.rank.to_string(),
            code(&suspect.file),
            format!("<meter value=\"{share:.3}\">{:.0} %</meter>", 100.0 * share),
            functions.join(", "),
            if evidence.is_empty() { String::new() } else { format!("<ul>{evidence}</ul>") },
        ]
    };
    let rows: Vec<Vec<String>> = suspicion.files.iter().take(SUSPECTS).map(row).collect();
    let columns = ["Rank", "File", "Suspicion", "Functions", "Evidence"];
    format!("<p>{}</p>\n{}", escape(&facts::suspicion(suspicion)), table(&columns, &rows))
}

/// The guilty step as a difference in colours.
fn step(pair: &Pair) -> String {
    let mut text =
        format!("<h4>The code before and after the step ({})</h4>\n", escape(&pair.form));
    let hunks = hunks(&pair.before, &pair.after);
    if hunks.is_empty() {
        text.push_str("<p>The step changes nothing that is printed.</p>\n");
        return text;
    }
    let head = |hunk: &crate::diff::Hunk<'_>| ("step", hunk.head.clone());
    let line = |line: &Line<'_>| {
        let class = match line {
            Line::Kept(_) => "kept",
            Line::Gone(_) => "gone",
            Line::New(_) => "new",
        };
        let (sign, content) = line.parts();
        (class, format!("{sign}{content}"))
    };
    let lines: Vec<(&str, String)> = hunks
        .iter()
        .flat_map(|hunk| std::iter::once(head(hunk)).chain(hunk.lines.iter().map(line)))
        .collect();
    let spans: String = lines
        .iter()
        .take(DIFF_LINES)
        .map(|(class, line)| format!("<span class=\"{class}\">{}</span>", escape(line)))
        .collect();
    text.push_str(&format!("<pre class=\"diff\">{spans}</pre>\n"));
    if lines.len() > DIFF_LINES {
        let left = lines.len() - DIFF_LINES;
        text.push_str(&format!("<p class=\"quiet\">{left} more lines are in step.diff.</p>\n"));
    }
    text
}

fn checks(bug: &Bug) -> String {
    if bug.checks.is_empty() {
        let matters = bug.kind == "wrong-code";
        return if matters { "<p>No check was made.</p>\n".to_owned() } else { String::new() };
    }
    let rows: Vec<Vec<String>> = bug
        .checks
        .iter()
        .map(|check| {
            let class = match check.result.as_str() {
                "clean" => "right",
                "alarm" => "fails",
                _ => "unknown",
            };
            let result = format!("<span class=\"{class}\">{}</span>", escape(&check.result));
            vec![escape(&check.by), result, escape(&check.detail)]
        })
        .collect();
    table(&["By", "Result", "Detail"], &rows)
}

fn duplicates(bug: &Bug) -> String {
    if bug.duplicates.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> =
        bug.duplicates.iter().map(|(id, evidence)| vec![escape(id), escape(evidence)]).collect();
    table(&["Finding", "Evidence"], &rows)
}

/// What few people look at, folded.
fn more(bug: &Bug) -> String {
    let fold = |name: &str, content: String| {
        format!("<details>\n<summary>{name}</summary>\n{content}</details>\n")
    };
    let mut text = String::new();
    if !bug.original.is_empty() {
        text.push_str(&fold("The program as it was found", programs(&bug.original, bug.language)));
    }
    if !bug.preprocessed.is_empty() {
        text.push_str(&fold(
            "The program after the preprocessor",
            programs(&bug.preprocessed, bug.language),
        ));
    }
    if !bug.compiler.says.trim().is_empty() {
        text.push_str(&fold("The compiler about itself", pre(&bug.compiler.says)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn a_page_shows_everything() {
        let text = page(&sample::wrong_code());
        for part in [
            "<h1>[12 Regression] wrong code at -O2 (vrp2)</h1>",
            "<span class=\"badge error\"",
            "<span class=\"d\">#include &lt;stdio.h&gt;</span>",
            "data-copy=\"text-17-0\"",
            "$ gcc-12 -w -std=c11 -O2 main.c -o a.out -lm\n$ ./a.out</pre>",
            "<span class=\"gone\">-  if (a.0 &lt;= 3)</span>",
            "<span class=\"step\">@@ -1,6 +1,5 @@</span>",
            "<td data-column=\"Finding\"><div>23-1</div></td>",
            "reduced from 4800 bytes",
            "<code>gcc/range-op.cc</code>",
            "<meter value=\"0.610\">61 %</meter>",
            "<li><code>-fno-tree-vrp</code> did without lines 11-13, 20</li>",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
    }

    #[test]
    fn no_text_of_a_bug_becomes_markup() {
        let evil = "</pre><script>alert(1)</script>";
        let mut bug = sample::wrong_code();
        bug.files[0].text = evil.to_owned();
        bug.files[0].name = evil.to_owned();
        bug.id = evil.to_owned();
        bug.kind = evil.to_owned();
        bug.message = evil.to_owned();
        bug.signature = evil.to_owned();
        bug.compiler.says = evil.to_owned();
        bug.fail.output = evil.to_owned();
        bug.fail.end = Some(evil.to_owned());
        bug.fail.args = vec![evil.to_owned()];
        bug.versions[0].note = evil.to_owned();
        bug.checks[0].by = evil.to_owned();
        bug.duplicates[0].1 = evil.to_owned();
        let culprit = bug.culprit.as_mut().unwrap();
        culprit.pass = evil.to_owned();
        culprit.how = evil.to_owned();
        culprit.pair.as_mut().unwrap().before = evil.to_owned();
        culprit.pair.as_mut().unwrap().form = evil.to_owned();
        let suspicion = bug.suspicion.as_mut().unwrap();
        suspicion.build = evil.to_owned();
        suspicion.files[0].file = evil.to_owned();
        suspicion.files[0].functions = vec![evil.to_owned()];
        suspicion.files[0].evidence[0].0 = evil.to_owned();
        assert_eq!(page(&bug).matches("<script").count(), 1, "our own");
    }
}
