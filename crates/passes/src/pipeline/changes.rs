//! What may go from a pipeline.

use super::{Element, Pipeline, parse, split};
use crate::Change;
use base::Edit;

/// Changes that can be made together, in any selection; those of another stage can't be mixed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Deletes an element with the comma before it: every element but the first of its group.
    Tail,
    /// Deletes the first element of a group with the comma behind it. Apart from the tail, since
    /// the comma between them can be given to one only.
    Head,
    /// Puts a group's content in its place: the manager's own work goes, or a level that is not
    /// needed.
    Hoist,
    /// Drops a list of parameters.
    List,
    /// Drops one parameter but the first.
    Parameter,
    /// Drops the first of several parameters.
    FirstParameter,
}

impl Stage {
    /// All of them, what takes most first.
    pub const ALL: [Stage; 6] = [
        Stage::Tail,
        Stage::Head,
        Stage::Hoist,
        Stage::List,
        Stage::Parameter,
        Stage::FirstParameter,
    ];
}

/// What may go from a pipeline; nothing if the text is no pipeline.
///
/// The last element of a group goes with the group, and the last of all stays: an empty pipeline
/// is none.
#[must_use]
pub fn changes(text: &str, stage: Stage) -> Vec<Change> {
    let mut changes = Vec::new();
    if let Ok(pipeline) = parse(text) {
        collect(&pipeline, stage, &mut changes);
    }
    changes
}

fn collect(pipeline: &Pipeline, stage: Stage, changes: &mut Vec<Change>) {
    let elements = &pipeline.elements;
    match stage {
        Stage::Tail => changes.extend(
            elements
                .windows(2)
                .map(|pair| vec![Edit::delete(pair[0].range.end..pair[1].range.end)]),
        ),
        Stage::Head if elements.len() > 1 => {
            changes.push(vec![Edit::delete(elements[0].range.start..elements[1].range.start)]);
        }
        _ => {}
    }
    for element in elements {
        own(element, stage, changes);
        if let Some(inner) = &element.inner {
            collect(inner, stage, changes);
        }
    }
}

/// Changes to an element itself.
fn own(element: &Element, stage: Stage, changes: &mut Vec<Change>) {
    let list = element.list_range();
    match (stage, &element.inner, list) {
        (Stage::Hoist, Some(inner), _) => {
            let first = inner.elements.first().map_or(element.range.end, |first| first.range.start);
            changes.push(vec![
                Edit::delete(element.range.start..first),
                Edit::delete(element.range.end - 1..element.range.end),
            ]);
        }
        (Stage::List, _, Some(list)) => changes.push(vec![Edit::delete(list)]),
        (Stage::Parameter | Stage::FirstParameter, _, Some(list)) => {
            let parameters = split(element.list.as_deref().unwrap_or_default());
            let mut at = list.start + 1;
            for (index, parameter) in parameters.iter().enumerate() {
                let end = at + parameter.len();
                match stage {
                    Stage::Parameter if index > 0 => {
                        changes.push(vec![Edit::delete(at - 1..end)]);
                    }
                    Stage::FirstParameter if index == 0 && parameters.len() > 1 => {
                        changes.push(vec![Edit::delete(at..end + 1)]);
                    }
                    _ => {}
                }
                at = end + 1;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, stage: Stage, expect: &[&str]) {
        let found: Vec<String> = changes(text, stage)
            .iter()
            .map(|change| String::from_utf8(Edit::apply(change, text.as_bytes())).unwrap())
            .collect();
        assert_eq!(found, expect, "{text} {stage:?}");
    }

    #[test]
    fn each_stage_does_what_it_says() {
        let text = "f<x>(a,l(b),c),d<y;z<w;v>;u>";
        check(
            text,
            Stage::Tail,
            &["f<x>(a,l(b),c)", "f<x>(a,c),d<y;z<w;v>;u>", "f<x>(a,l(b)),d<y;z<w;v>;u>"],
        );
        check(text, Stage::Head, &["d<y;z<w;v>;u>", "f<x>(l(b),c),d<y;z<w;v>;u>"]);
        check(text, Stage::Hoist, &["a,l(b),c,d<y;z<w;v>;u>", "f<x>(a,b,c),d<y;z<w;v>;u>"]);
        check(text, Stage::List, &["f(a,l(b),c),d<y;z<w;v>;u>", "f<x>(a,l(b),c),d"]);
        check(text, Stage::Parameter, &["f<x>(a,l(b),c),d<y;u>", "f<x>(a,l(b),c),d<y;z<w;v>>"]);
        check(text, Stage::FirstParameter, &["f<x>(a,l(b),c),d<z<w;v>;u>"]);
    }

    #[test]
    fn any_selection_of_a_stage_leaves_a_pipeline() {
        let text = "a,f<x;y;z>(b,l(c,d,e),g(h)),i<j;k>,m(n,o)";
        for stage in Stage::ALL {
            let changes = changes(text, stage);
            for selection in 0u32..1 << changes.len() {
                let chosen =
                    changes.iter().enumerate().filter(|(at, _)| selection & (1 << at) != 0);
                let edits = chosen.flat_map(|(_, change)| change);
                let left = String::from_utf8(Edit::apply(edits, text.as_bytes())).unwrap();
                assert!(parse(&left).is_ok(), "{stage:?} {selection:b} {left}");
            }
        }
    }

    #[test]
    fn what_is_no_pipeline_has_no_changes() {
        assert!(Stage::ALL.iter().all(|stage| changes("a,(", *stage).is_empty()));
    }
}
