//! The difference of two texts, line by line.

/// Lines kept around a change.
const CONTEXT: usize = 3;

/// Above this product of the lengths in lines (after what is common at both ends), everything
/// between is shown as replaced: a table of 4 million numbers is 16 MiB and some milliseconds.
const MAX_CELLS: usize = 4_000_000;

/// One line of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line<'a> {
    /// In both texts.
    Kept(&'a str),
    /// Only in the first.
    Gone(&'a str),
    /// Only in the second.
    New(&'a str),
}

/// Changes that are near each other, with the lines around them.
#[derive(Debug)]
pub(crate) struct Hunk<'a> {
    /// `@@ -1,4 +1,3 @@`
    pub(crate) head: String,
    /// Its lines.
    pub(crate) lines: Vec<Line<'a>>,
}

/// The difference as `diff -u` prints it, empty for equal texts. Whether the last line ends with a
/// newline is not told.
pub(crate) fn unified(before: &str, after: &str, names: (&str, &str)) -> String {
    let hunks = hunks(before, after);
    if hunks.is_empty() {
        return String::new();
    }
    let mut text = format!("--- {}\n+++ {}\n", names.0, names.1);
    for hunk in hunks {
        text.push_str(&hunk.head);
        text.push('\n');
        for line in hunk.lines {
            let (sign, content) = line.parts();
            text.push(sign);
            text.push_str(content);
            text.push('\n');
        }
    }
    text
}

impl<'a> Line<'a> {
    /// The sign before the line, and the line.
    pub(crate) fn parts(self) -> (char, &'a str) {
        match self {
            Line::Kept(text) => (' ', text),
            Line::Gone(text) => ('-', text),
            Line::New(text) => ('+', text),
        }
    }
}

/// The changes, each with three lines around it.
pub(crate) fn hunks<'a>(before: &'a str, after: &'a str) -> Vec<Hunk<'a>> {
    let lines = lines(before, after);
    let changed: Vec<usize> =
        (0..lines.len()).filter(|&at| !matches!(lines[at], Line::Kept(_))).collect();
    let mut hunks = Vec::new();
    let mut rest = changed.as_slice();
    while let Some(&first) = rest.first() {
        let mut count = 1;
        while rest.get(count).is_some_and(|next| next - rest[count - 1] <= 2 * CONTEXT) {
            count += 1;
        }
        let from = first.saturating_sub(CONTEXT);
        let to = (rest[count - 1] + CONTEXT + 1).min(lines.len());
        hunks.push(Hunk { head: head(&lines, from, to), lines: lines[from..to].to_vec() });
        rest = &rest[count..];
    }
    hunks
}

fn head(lines: &[Line<'_>], from: usize, to: usize) -> String {
    let count = |range: &[Line<'_>], without: fn(&Line<'_>) -> bool| {
        range.iter().filter(|line| !without(line)).count()
    };
    let side = |without: fn(&Line<'_>) -> bool| {
        let (start, length) = (count(&lines[..from], without), count(&lines[from..to], without));
        // An empty side is named by the line before it.
        format!("{},{length}", if length == 0 { start } else { start + 1 })
    };
    let old = side(|line| matches!(line, Line::New(_)));
    let new = side(|line| matches!(line, Line::Gone(_)));
    format!("@@ -{old} +{new} @@")
}

fn lines<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, new_mid) = (&old_rest[..old_rest.len() - end], &new_rest[..new_rest.len() - end]);
    let mut lines: Vec<Line<'a>> = old[..start].iter().map(|line| Line::Kept(line)).collect();
    lines.extend(middle(old_mid, new_mid));
    lines.extend(old_rest[old_rest.len() - end..].iter().map(|line| Line::Kept(line)));
    lines
}

/// The longest common subsequence, by the table that every textbook has.
fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    let (mut at, mut to) = (0, 0);
    if old.len().saturating_mul(new.len()) <= MAX_CELLS {
        let width = new.len() + 1;
        let mut longest = vec![0_u32; (old.len() + 1) * width];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                longest[i * width + j] = if old[i] == new[j] {
                    longest[(i + 1) * width + j + 1] + 1
                } else {
                    longest[(i + 1) * width + j].max(longest[i * width + j + 1])
                };
            }
        }
        while at < old.len() && to < new.len() {
            if old[at] == new[to] {
                lines.push(Line::Kept(old[at]));
                (at, to) = (at + 1, to + 1);
            } else if longest[(at + 1) * width + to] >= longest[at * width + to + 1] {
                lines.push(Line::Gone(old[at]));
                at += 1;
            } else {
                lines.push(Line::New(new[to]));
                to += 1;
            }
        }
    }
    lines.extend(old[at..].iter().map(|line| Line::Gone(line)));
    lines.extend(new[to..].iter().map(|line| Line::New(line)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expect: &str) {
        assert_eq!(unified(before, after, ("a", "b")), expect);
    }

    #[test]
    fn differences_are_as_diff_prints_them() {
        check("same\n", "same\n", "");
        check("", "new\n", "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+new\n");
        check("old\n", "", "--- a\n+++ b\n@@ -1,1 +0,0 @@\n-old\n");
        check(
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
        );
    }

    #[test]
    fn changes_far_apart_are_separate_hunks() {
        let before: String = (0..20).map(|n| format!("n{n}\n")).collect();
        let after = before.replace("n2\n", "two\n").replace("n17\n", "");
        let hunks = hunks(&before, &after);
        let heads: Vec<&str> = hunks.iter().map(|hunk| hunk.head.as_str()).collect();
        assert_eq!(heads, ["@@ -1,6 +1,6 @@", "@@ -15,6 +15,5 @@"]);
    }

    #[test]
    fn huge_texts_are_replaced_whole() {
        let before: String = (0..3000).map(|n| format!("a{n}\n")).collect();
        let after: String = (0..3000).map(|n| format!("b{n}\n")).collect();
        let text = unified(&before, &after, ("a", "b"));
        assert!(text.starts_with("--- a\n+++ b\n@@ -1,3000 +1,3000 @@\n-a0\n"));
        assert_eq!(text.lines().count(), 3 + 6000);
    }

    #[test]
    fn applying_a_difference_gives_the_second_text() {
        let texts = ["a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", "", "x\n", "a\nb\nx\nc\n"];
        for before in texts {
            for after in texts {
                let (mut old, mut new) = (String::new(), String::new());
                for line in lines(before, after) {
                    let (sign, content) = line.parts();
                    if sign != '+' {
                        old.push_str(&format!("{content}\n"));
                    }
                    if sign != '-' {
                        new.push_str(&format!("{content}\n"));
                    }
                }
                assert_eq!((old.as_str(), new.as_str()), (before, after));
            }
        }
    }
}
