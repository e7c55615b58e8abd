//! The passes that a version of LLVM's optimiser offers, as `opt --print-passes` lists them.

use super::{Level, rows};

const ROLES: &str = include_str!("roles.tsv");

/// A pass that is offered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offered {
    /// Its name, without parameters.
    pub name: String,
    /// What it is given to change.
    pub level: Level,
    /// The parameters that it takes; those with a value end in `=N` or the like.
    pub parameters: Vec<String>,
    /// Does it only look?
    pub is_analysis: bool,
}

/// What becomes of a C program's IR by a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It may change something.
    Works,
    /// It has nothing to do there, or changes nothing that could go wrong.
    Idle,
    /// It prints, instruments, needs a profile or another language, or is not known.
    Foreign,
}

/// What a pass needs to be used as it is meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A manager of loops that keeps MemorySSA.
    LoopMssa,
    /// Passes right before it, in this order with `>` between them, each under whichever of its names with `|`
    /// between them is offered. What the legacy manager's `addRequiredID` saw to, and the new one leaves to whoever writes
    /// a pipeline.
    Before(&'static str),
    /// A pass at the very start of the pipeline.
    Start(&'static str),
}

/// Reads the list. What is under a heading that is not known is left out.
///
/// ```
/// let text = "Function passes:\n  adce\nLoop passes with params:\n  licm<allowspeculation>\n";
/// let offered = passes::catalogue::read_offered(text);
/// assert_eq!(offered[1].parameters, ["allowspeculation"]);
/// ```
#[must_use]
pub fn read_offered(text: &str) -> Vec<Offered> {
    let mut heading = None;
    let mut offered: Vec<Offered> = Vec::new();
    for line in text.lines() {
        let Some(entry) = line.strip_prefix("  ") else {
            heading = parse_heading(line);
            continue;
        };
        let Some((level, is_analysis)) = heading else { continue };
        let entry = entry.trim();
        let (name, parameters) = split_entry(entry);
        if offered
            .iter()
            .any(|one| one.name == name && one.level == level && is_analysis == one.is_analysis)
        {
            continue;
        }
        offered.push(Offered { name: name.to_owned(), level, parameters, is_analysis });
    }
    offered
}

fn parse_heading(line: &str) -> Option<(Level, bool)> {
    let line = line.trim_end_matches(':');
    let (level, rest) = line.split_once(' ')?;
    let level = match level {
        "Module" => Level::Module,
        "CGSCC" => Level::Cgscc,
        "Function" => Level::Function,
        "Loop" | "LoopNest" => Level::Loop,
        _ => return None,
    };
    match rest {
        "passes" | "passes with params" => Some((level, false)),
        "analyses" => Some((level, true)),
        _ => None,
    }
}

/// `licm<a;b>` has parameters; `print<domtree>` is a name, and `print<da><x>` is one with parameters.
fn split_entry(entry: &str) -> (&str, Vec<String>) {
    let is_name = ["print<", "verify<", "invalidate<"].iter().any(|start| entry.starts_with(start));
    let list = match is_name {
        true => entry.find("><").map(|at| at + 1),
        false => entry.find('<'),
    };
    let Some(at) = list else { return (entry, Vec::new()) };
    let parameters = entry[at..].trim_start_matches('<');
    let parameters = parameters.strip_suffix('>').unwrap_or(parameters);
    let parameters = parameters.split(';').filter(|one| !one.is_empty()).map(str::to_owned);
    (&entry[..at], parameters.collect())
}

/// What a pass of this name does with C, and what it needs.
#[must_use]
pub fn role(name: &str) -> (Role, Option<Need>) {
    let Some([_, role, need]) = rows::<3>(ROLES).find(|row| row[0] == name) else {
        return (Role::Foreign, None);
    };
    let need = match need.split_once(':') {
        Some(("before", pass)) => Some(Need::Before(pass)),
        Some(("start", pass)) => Some(Need::Start(pass)),
        _ => (need == "loop-mssa").then_some(Need::LoopMssa),
    };
    (if role == "works" { Role::Works } else { Role::Idle }, need)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "Module passes:\n  globaldce\nModule passes with params:\n  loop-extract<single>\n\
        Module analyses:\n  callgraph\nModule alias analyses:\n  globals-aa\nCGSCC passes:\n  \
        argpromotion\nFunction passes:\n  gvn-hoist\n  print<domtree>\nFunction passes with params:\n  \
        simplifycfg<keep-loops;bonus-inst-threshold=N>\n  print<da><normalized-results>\nFunction \
        analyses:\n  memdep\nLoopNest passes:\n  loop-flatten\nLoop passes:\n  indvars\nMachine \
        function passes (WIP):\n  machine-cse\n";

    #[test]
    fn the_list_is_read_with_levels_and_parameters() {
        let offered = read_offered(LIST);
        let names: Vec<&str> = offered.iter().map(|one| one.name.as_str()).collect();
        let expected = [
            "globaldce",
            "loop-extract",
            "callgraph",
            "argpromotion",
            "gvn-hoist",
            "print<domtree>",
            "simplifycfg",
            "print<da>",
            "memdep",
            "loop-flatten",
            "indvars",
        ];
        assert_eq!(names, expected);
        assert_eq!(offered[6].parameters, ["keep-loops", "bonus-inst-threshold=N"]);
        assert_eq!(offered[7].parameters, ["normalized-results"]);
        assert_eq!(offered[9].level, Level::Loop);
        assert!(offered[2].is_analysis && !offered[0].is_analysis);
        assert!(read_offered("garbage\n  more\n").is_empty());
    }

    #[test]
    fn roles_are_known() {
        assert_eq!(role("gvn"), (Role::Works, None));
        assert_eq!(role("licm"), (Role::Works, Some(Need::LoopMssa)));
        assert_eq!(role("chr").1, Some(Need::Start("require<profile-summary>")));
        assert_eq!(role("fix-irreducible").1, Some(Need::Before("lowerswitch|lower-switch")));
        assert_eq!(role("verify").0, Role::Idle);
        assert_eq!(role("asan").0, Role::Foreign);
    }

    #[test]
    fn every_line_is_well_formed_and_in_order() {
        let lines: Vec<&str> = ROLES.lines().skip(1).collect();
        assert!(lines.is_sorted_by(|a, b| a.split('\t').next() < b.split('\t').next()));
        for line in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 3, "{line}");
            assert!(matches!(cells[1], "works" | "idle"), "{line}");
            assert!(role(cells[0]).1.is_some() == (cells[2] != "-"), "{line}");
        }
    }
}
