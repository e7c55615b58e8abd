//! What the documents name is there, and they tell nothing of any one machine.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let docs = root().join("docs");
    for folder in [root(), docs.join("guide/methods"), docs.join("guide"), docs] {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "md") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    assert!(found.len() >= 25, "the documents are elsewhere now: {found:?}");
    found
}

/// Words in back quotes that begin with a folder of the repository, and links to files.
fn named_paths(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    quoted
        .filter(|word| ["crates/", "scripts/", "docs/"].iter().any(|top| word.starts_with(top)))
        .chain(linked.filter(|link| !link.contains("://") && !link.starts_with('#')))
        .filter_map(|word| word.split([' ', '#']).next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for path in named_paths(&text).iter().filter(|path| !path.contains("NAME")) {
            let beside = document.parent().unwrap().join(path);
            assert!(
                root().join(path).exists() || beside.exists(),
                "{} names {path}, which does not exist",
                document.display()
            );
        }
    }
}

/// The anchors that a page has, as GitHub makes them of headings.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let slug = |heading: &str| {
        let kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        text.chars().filter(kept).collect::<String>().replace(' ', "-")
    };
    headings.map(slug).collect()
}

#[test]
fn every_heading_that_a_link_names_exists() {
    let mut seen = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for (path, anchor) in links.filter_map(|link| link.split_once('#')) {
            if path.contains("://") {
                continue;
            }
            let page = match path {
                "" => document.clone(),
                path => document.parent().unwrap().join(path),
            };
            let there = anchors(&fs::read_to_string(&page).unwrap());
            let document = document.display();
            assert!(there.iter().any(|a| a == anchor), "{document}: {path}#{anchor} in {there:?}");
            seen += 1;
        }
    }
    assert!(seen > 30, "only {seen} links to headings were seen");
}

#[test]
fn named_paths_are_seen() {
    let text =
        "see `crates/x/src` and [this](docs/y.md#part), not `cargo build` or [that](https://z)";
    assert_eq!(named_paths(text), ["crates/x/src", "docs/y.md"]);
}
