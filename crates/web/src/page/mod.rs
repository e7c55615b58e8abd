//! The pages: values in, markup out. Everything that is not ours is escaped.

mod bugs;
mod experiment;
mod findings;
mod isolation;
mod overview;

pub(crate) use bugs::{bug, bug_file, bugs};
pub(crate) use experiment::{experiment, experiments};
pub(crate) use findings::{finding, findings};
pub(crate) use isolation::isolation;
pub(crate) use overview::overview;

use crate::site::Site;
use report::html::{Assets, document, escape};
use std::collections::BTreeMap;

/// Rows of a list on one page.
const ROWS: usize = 50;

/// A page with the way to the others above it.
fn framed(site: &Site, title: &str, here: &str, body: &str, live: bool) -> String {
    let mut links = Vec::new();
    if site.campaign().is_some() {
        links.extend([("/", "Overview"), ("/bugs", "Bugs"), ("/findings", "Findings")]);
    }
    if !site.experiments().is_empty() {
        links.push(("/experiments", "Experiments"));
    }
    let link = |(to, name): &(&str, &str)| {
        let current = if *to == here { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{to}\"{current}>{name}</a>\n")
    };
    let links: String = links.iter().map(link).collect();
    let body = format!(
        "<nav><b>whodunit</b>\n{links}</nav>\n<main>\n<h1>{}</h1>\n{body}</main>\n",
        escape(title)
    );
    document(&format!("{title} – whodunit"), &body, Assets::Served { live })
}

/// There is no such page.
pub(crate) fn missing(site: &Site) -> String {
    framed(site, "Nothing here", "", "<p>There is no such page, or what it was about.</p>\n", false)
}

/// Markup in a part of a page that is replaced when it changes.
fn live(id: &str, markup: &str) -> String {
    format!("<div id=\"{id}\" data-live>\n{markup}</div>\n")
}

/// The page of a list that is asked for, from 1.
fn page_number(query: &BTreeMap<String, String>) -> usize {
    query.get("page").and_then(|page| page.parse().ok()).unwrap_or(1).max(1)
}

/// The way to the pages before and after; `more` is what else stands behind the `?`.
fn pager(page: usize, all: usize, path: &str, more: &str) -> String {
    let pages = all.div_ceil(ROWS).max(1);
    if pages == 1 {
        return String::new();
    }
    let link = |to: usize, name: &str| {
        if to < 1 || to > pages || to == page {
            format!("<span class=\"quiet\">{name}</span>\n")
        } else {
            format!("<a href=\"{path}?{}page={to}\">{name}</a>\n", escape(more))
        }
    };
    format!(
        "<div class=\"pages\">{}{}<span>{page} of {pages}</span>\n{}{}</div>\n",
        link(1, "First"),
        link(page - 1, "Before"),
        link(page + 1, "Next"),
        link(pages, "Last")
    )
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}
