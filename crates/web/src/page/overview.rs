//! What the campaign is, how fast it goes, what it found.

use super::{framed, live};
use crate::site::Site;
use crate::watch::Moment;
use plot::{AxisLabels, Series, line_chart};
use report::Summary;
use report::html::{
    bug_table, definitions, escape, figure, grouped, numbers, timeline, version_matrix,
};
use std::time::Duration;

/// Bugs that are shown here; the others are on pages of their own.
const BUGS: usize = 20;

pub(crate) fn overview(site: &Site, moment: &Moment) -> String {
    let overview = &moment.overview;
    let counts = &moment.counts;
    // The newest numbers, even where bugs are still being read.
    let summary = Summary {
        programs: counts.programs,
        findings: counts.findings,
        cpu_time: report::duration(Duration::from_millis(cpu(moment))),
        ..overview.summary.clone()
    };
    let mut body = live("state", &state(moment));
    body.push_str(&live("numbers", &numbers(&summary)));
    let shown = &overview.bugs[..overview.bugs.len().min(BUGS)];
    let mut bugs = bug_table(shown, &|bug| format!("/bugs/{}", bug.id));
    if overview.bugs.len() > BUGS {
        let all = overview.bugs.len();
        bugs.push_str(&format!("<p><a href=\"/bugs\">All {all} bugs</a></p>\n"));
    }
    body.push_str(&format!("<h2>Bugs</h2>\n{}", live("bugs", &bugs)));
    let matrix = version_matrix(shown, &|bug| format!("/bugs/{}", bug.id));
    body.push_str(&live("versions", &headed("Versions", &matrix)));
    body.push_str(&live("findings", &headed("Findings", &timeline(&summary))));
    body.push_str(&live("speed", &headed("Speed", &speed(moment))));
    body.push_str(&live("chunks", &headed("Chunks", &chunks(moment))));
    body.push_str(&live("sessions", &headed("Sessions", &sessions(moment))));
    body.push_str(&headed("What is tested", &tested(moment)));
    framed(site, &summary.campaign, "/", &body, true)
}

fn headed(name: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("<h2>{name}</h2>\n{content}") }
}

fn cpu(moment: &Moment) -> u64 {
    let of = |usage: &store::Usage| usage.cpu_children_ms + usage.cpu_own_ms;
    moment.sessions.iter().map(|session| of(&session.usage)).sum()
}

fn state(moment: &Moment) -> String {
    let mut text = match moment.sessions.last() {
        None => "<p>No hunt has begun.</p>\n".to_owned(),
        Some(last) if last.is_running() => format!(
            "<p class=\"running\">Running since {}, {} at work.</p>\n",
            last.started,
            if last.jobs == 1 { "1 worker".to_owned() } else { format!("{} workers", last.jobs) }
        ),
        Some(last) => match last.ended {
            Some(ended) => format!("<p>Ended {ended}. The same command goes on.</p>\n"),
            None => format!(
                "<p>Killed, or its machine is gone: the last sign of life is of {}. Nothing was lost; the same \
                 command goes on.</p>\n",
                last.updated
            ),
        },
    };
    let in_queue = moment.chunks.as_ref().map_or(0, |chunks| chunks.queued + chunks.running.len());
    if in_queue > 0 && !moment.sessions.last().is_some_and(|last| last.is_running()) {
        let what =
            if in_queue == 1 { "1 job is".to_owned() } else { format!("{in_queue} jobs are") };
        text.push_str(&format!(
            "<p>{what} left on the cluster; the same command takes up the results.</p>\n"
        ));
    }
    if let Some(trouble) = &moment.trouble {
        text.push_str(&format!("<p class=\"error\">{}</p>\n", escape(trouble)));
    }
    text
}

/// Programs a minute, while we have looked.
fn speed(moment: &Moment) -> String {
    // Over half a minute each, or single programs would make it jump.
    const OVER: f64 = 30.0;
    let samples: Vec<(f64, u64)> = moment.speed.iter().copied().collect();
    let mut points = Vec::new();
    for (at, (now, programs)) in samples.iter().enumerate() {
        let before = samples[..at].iter().rev().find(|(then, _)| now - then >= OVER);
        if let Some((then, before)) = before {
            let rate = programs.saturating_sub(*before) as f64 / ((now - then) / 60.0);
            points.push((now / 60.0, rate));
        }
    }
    if points.len() < 2 {
        return String::new();
    }
    let labels = AxisLabels {
        x: "minutes since this page is served".to_owned(),
        y: "programs a minute".to_owned(),
    };
    let series = [Series { name: String::new(), points }];
    figure(&line_chart(&series, &labels), "Programs tested a minute, over half a minute each")
}

/// Chunks that are listed one by one.
const RUNNING: usize = 200;

/// What is where on the cluster.
fn chunks(moment: &Moment) -> String {
    let Some(chunks) = &moment.chunks else { return String::new() };
    let number = |number: usize| grouped(number as u64);
    let mut text = definitions(&[
        ("Queued", number(chunks.queued)),
        ("Running", number(chunks.running.len())),
        ("Done", number(chunks.done)),
        ("Lost", number(chunks.lost)),
        ("Repeated", number(chunks.repeated)),
    ]);
    let rows: Vec<Vec<String>> = chunks
        .running
        .iter()
        .take(RUNNING)
        .map(|(chunk, host)| vec![escape(host), escape(chunk)])
        .collect();
    if !rows.is_empty() {
        text.push_str(&report::html::table(&["Node", "Works on"], &rows));
    }
    text
}

fn sessions(moment: &Moment) -> String {
    if moment.sessions.is_empty() {
        return String::new();
    }
    let columns = ["Started", "Took", "Workers", "CPU of compilers", "CPU of whodunit", "End"];
    let time = |ms: u64| report::duration(Duration::from_millis(ms));
    // The newest are what people look for.
    let rows = moment.sessions.iter().rev().take(20).map(|session| {
        let end = match session.ended {
            Some(ended) => ended.to_string(),
            None if session.is_running() => "running".to_owned(),
            None => "killed".to_owned(),
        };
        vec![
            session.started.to_string(),
            time(session.usage.wall_ms),
            session.jobs.to_string(),
            time(session.usage.cpu_children_ms),
            time(session.usage.cpu_own_ms),
            end,
        ]
    });
    report::html::table(&columns, &rows.collect::<Vec<_>>())
}

fn tested(moment: &Moment) -> String {
    let outcomes: Vec<String> = moment
        .counts
        .by_outcome
        .iter()
        .map(|(what, count)| format!("{} {what}", grouped(*count)))
        .collect();
    let compilers: Vec<String> =
        moment.plan.compilers.iter().map(|compiler| compiler.version_line.clone()).collect();
    let rows = [
        ("Source", moment.plan.source.clone()),
        ("Seed", moment.plan.seed.to_string()),
        ("Compilers", compilers.join(", ")),
        ("Configurations", moment.plan.configurations.join(", ")),
    ];
    let rows: Vec<(&str, String)> =
        rows.iter().map(|(name, value)| (*name, escape(value))).collect();
    let verdicts = definitions(&[("Verdicts", escape(&outcomes.join(", ")))]);
    format!("{}{}", live("verdicts", &verdicts), definitions(&rows))
}
