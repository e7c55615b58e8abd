//! All findings, and each of them: also those that nobody has looked into.

use super::{ROWS, code, framed, live, page_number, pager};
use crate::site::Site;
use crate::watch::Watch;
use campaign::{FindingBody, Stages};
use report::html::{badge, definitions, escape, table};
use std::collections::BTreeMap;
use store::{Finding, FindingId, Reader, StoreError};

pub(crate) fn findings(site: &Site, watch: &Watch, query: &BTreeMap<String, String>) -> String {
    let page = page_number(query);
    let moment = watch.moment();
    let kind = query.get("kind").filter(|kind| moment.counts.by_kind.contains_key(*kind));
    let all = match kind {
        Some(kind) => moment.counts.by_kind[kind],
        None => moment.counts.findings,
    };
    let mut kinds = vec![link("/findings", "all", moment.counts.findings, kind.is_none())];
    for (name, count) in &moment.counts.by_kind {
        let to = format!("/findings?kind={name}");
        kinds.push(link(&to, name, *count, kind == Some(name)));
    }
    let first = (page - 1) * ROWS;
    let listed = watch.reader().findings_at(kind.map(String::as_str), first as u64, ROWS as u32);
    let list = match listed {
        Ok(list) => rows(watch.reader(), &list),
        Err(error) => format!("<p class=\"error\">{}</p>\n", escape(&error.to_string())),
    };
    let more = kind.map(|kind| format!("kind={kind}&")).unwrap_or_default();
    let pager = pager(page, all as usize, "/findings", &more);
    let body = format!("<p class=\"pages\">{}</p>\n{pager}{list}{pager}", kinds.concat());
    framed(site, "Findings", "/findings", &live("list", &body), true)
}

fn link(to: &str, name: &str, count: u64, is_here: bool) -> String {
    let (to, name) = (escape(to), escape(name));
    match is_here {
        true => format!("<b>{name} {count}</b>\n"),
        false => format!("<a href=\"{to}\">{name} {count}</a>\n"),
    }
}

fn rows(reader: &Reader, findings: &[Result<Finding, StoreError>]) -> String {
    if findings.is_empty() {
        return "<p>None.</p>\n".to_owned();
    }
    let row = |finding: &Result<Finding, StoreError>| match finding {
        Err(error) => vec![
            String::new(),
            String::new(),
            String::new(),
            escape(&error.to_string()),
            String::new(),
        ],
        Ok(finding) => {
            let culprits = finding.body["bug"]["culprits"].as_array().cloned().unwrap_or_default();
            let culprits: Vec<&str> = culprits.iter().filter_map(|label| label.as_str()).collect();
            let shown = match culprits.as_slice() {
                [] => "–".to_owned(),
                [one] => escape(one),
                [one, others @ ..] => format!("{} and {} more", escape(one), others.len()),
            };
            vec![
                format!("<a href=\"/findings/{0}\">{0}</a>", finding.id),
                badge(&finding.kind),
                shown,
                escape(&finding.signature),
                state(reader, &finding.id),
            ]
        }
    };
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    table(&["Id", "Kind", "By", "Signature", "State"], &rows)
}

/// What became of a finding.
fn state(reader: &Reader, id: &FindingId) -> String {
    let Ok(stages) = Stages::of(reader, id) else { return "can't be read".to_owned() };
    if let Some(known) = stages.known_bug() {
        format!("known: {}", escape(&known))
    } else if let Some(of) = stages.repeated() {
        format!("<a href=\"/bugs/{of}\">{of}</a> again")
    } else if stages.looked.is_some() {
        format!("<a href=\"/bugs/{id}\">a bug</a>")
    } else {
        "waits".to_owned()
    }
}

pub(crate) fn finding(site: &Site, reader: &Reader, id: FindingId) -> Option<String> {
    let finding = reader.finding(&id).ok()??;
    let title = format!("Finding {id}");
    let Ok(body) = serde_json::from_value::<FindingBody>(finding.body.clone()) else {
        let body = "<p class=\"error\">It was written by another version of whodunit.</p>\n";
        return Some(framed(site, &title, "", body, false));
    };
    let repeats = Stages::of(reader, &id).ok().and_then(|stages| stages.repeats);
    let mut facts = vec![
        ("Kind", badge(&finding.kind)),
        ("Signature", code(&finding.signature)),
        ("By", escape(&body.bug.culprits.join(", "))),
        ("State", state(reader, &id)),
        ("Program", escape(&format!("{}, seed {}", body.source, body.seed))),
    ];
    if let Some(repeats) = repeats {
        facts.push(("Evidence", escape(&repeats.evidence.join("; "))));
    }
    let mut text = definitions(&facts);
    if !body.bug.message.is_empty() {
        text.push_str(&format!(
            "<h2>What the compiler says</h2>\n<pre>{}</pre>\n",
            escape(&body.bug.message)
        ));
    }
    let rows: Vec<Vec<String>> = body
        .observations
        .iter()
        .map(|seen| {
            let commands: Vec<String> = seen.commands.iter().map(|words| words.join(" ")).collect();
            let at_fault = body.bug.culprits.contains(&seen.label);
            let class = if at_fault { "fails" } else { "" };
            vec![
                format!("<span class=\"{class}\">{}</span>", escape(&seen.label)),
                escape(&seen.in_words()),
                commands.iter().map(|command| format!("{}<br>", code(command))).collect(),
            ]
        })
        .collect();
    text.push_str(&format!(
        "<h2>What each did</h2>\n{}",
        table(&["Configuration", "Outcome", "Commands"], &rows)
    ));
    Some(framed(site, &title, "", &text, false))
}
