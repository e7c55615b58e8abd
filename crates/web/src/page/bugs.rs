//! The list of bugs, and each of them.

use super::{ROWS, framed, live, page_number, pager};
use crate::site::Site;
use crate::watch::Moment;
use report::Bug;
use report::html::{Place, badge, bug_sections, bug_table, escape};
use std::collections::BTreeMap;

pub(crate) fn bugs(site: &Site, moment: &Moment, query: &BTreeMap<String, String>) -> String {
    let all = &moment.overview.bugs;
    let page = page_number(query);
    let shown: Vec<Bug> = all.iter().skip((page - 1) * ROWS).take(ROWS).cloned().collect();
    let pager = pager(page, all.len(), "/bugs", "");
    let table = bug_table(&shown, &|bug| format!("/bugs/{}", bug.id));
    let notes: String = moment
        .overview
        .summary
        .notes
        .iter()
        .map(|note| format!("<li>{}</li>\n", escape(note)))
        .collect();
    let notes = if notes.is_empty() { notes } else { format!("<ul>\n{notes}</ul>\n") };
    framed(site, "Bugs", "/bugs", &live("list", &format!("{pager}{table}{pager}{notes}")), true)
}

fn found<'a>(moment: &'a Moment, id: &str) -> Option<&'a Bug> {
    moment.overview.bugs.iter().find(|bug| bug.id == id)
}

pub(crate) fn bug(site: &Site, moment: &Moment, id: &str) -> Option<String> {
    let bug = found(moment, id)?;
    let isolation = match &bug.suspicion {
        Some(_) => {
            format!(" <a href=\"/bugs/{0}/isolation\">How the files were isolated</a>", escape(id))
        }
        None => String::new(),
    };
    let body = format!(
        "<p>{} <span class=\"quiet\">{}</span>{isolation}</p>\n{}",
        badge(&bug.kind),
        escape(&bug.id),
        bug_sections(bug, Place { folder: &format!("/bugs/{id}/"), heading: 2 })
    );
    Some(framed(site, &report::title(bug), "", &body, false))
}

/// A file of the folder that `whodunit report` would write.
pub(crate) fn bug_file(moment: &Moment, id: &str, name: &str) -> Option<String> {
    report::folder_file(found(moment, id)?, name)
}
