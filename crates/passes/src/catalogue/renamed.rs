//! Passes that have another name in another version.

use super::Offered;
use crate::pipeline::{Pipeline, parse};
use base::Edit;

/// The names of one pass.
const NAMES: [[&str; 2]; 2] = [["lowerswitch", "lower-switch"], ["flattencfg", "flatten-cfg"]];

/// A pipeline with the names of another version, which offers these.
///
/// ```
/// let offered = passes::catalogue::read_offered("Function passes:\n  lower-switch\n  gvn\n");
/// let there = passes::catalogue::respelled("function(gvn,lowerswitch),gvn", &offered);
/// assert_eq!(there, "function(gvn,lower-switch),gvn");
/// ```
#[must_use]
pub fn respelled(pipeline: &str, offered: &[Offered]) -> String {
    let Ok(parsed) = parse(pipeline) else { return pipeline.to_owned() };
    let mut edits = Vec::new();
    respell(&parsed, offered, &mut edits);
    String::from_utf8_lossy(&Edit::apply(&edits, pipeline.as_bytes())).into_owned()
}

fn respell(pipeline: &Pipeline, offered: &[Offered], edits: &mut Vec<Edit>) {
    for element in &pipeline.elements {
        let is_offered = |name: &str| offered.iter().any(|one| one.name == name);
        let names = NAMES.iter().find(|names| names.contains(&element.name.as_str()));
        let there = names.and_then(|names| names.iter().find(|name| is_offered(name)));
        if let Some(there) = there.filter(|there| **there != element.name) {
            let start = element.range.start;
            edits.push(Edit::replace(start..start + element.name.len(), *there));
        }
        if let Some(inner) = &element.inner {
            respell(inner, offered, edits);
        }
    }
}
