//! What the table of versions tells.

use crate::bug::{Bug, Family, Version};

/// A version as numbers, to be compared: `12.2.0` → 12, 2, 0.
pub(crate) fn numbers(version: &str) -> Vec<u64> {
    version.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The versions of the compiler that has the bug, oldest first: the table may hold others.
fn kin(bug: &Bug) -> Vec<&Version> {
    // A build has any name.
    let own = stem(&bug.compiler.name);
    let usual = match bug.family {
        Family::Gcc => "gcc",
        Family::Llvm => "clang",
        Family::Other => &own,
    };
    let is_kin = |name: &str| name == own || name == usual;
    let mut kin: Vec<&Version> =
        bug.versions.iter().filter(|version| is_kin(&stem(&version.compiler))).collect();
    kin.sort_by_key(|version| numbers(&version.version));
    kin
}

/// What a compiler is called without version and target: `x86_64-linux-gnu-gcc-12` → `gcc`.
fn stem(name: &str) -> String {
    let lower = name.to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let last = bare.rsplit(['-', '/']).next().unwrap_or(bare);
    match last {
        "g++" => "gcc".to_owned(),
        "clang++" | "opt" | "llc" => "clang".to_owned(),
        other => other.to_owned(),
    }
}

/// The major versions that fail although an older one does right; empty for no regression.
pub(crate) fn regression(bug: &Bug) -> Vec<u64> {
    let kin = kin(bug);
    let Some(good) = kin.iter().position(|version| version.fails == Some(false)) else {
        return Vec::new();
    };
    let failing = kin[good..].iter().filter(|version| version.fails == Some(true));
    let mut majors: Vec<u64> =
        failing.filter_map(|version| numbers(&version.version).first().copied()).collect();
    majors.dedup();
    majors
}

/// The newest version that does right before the oldest that fails, and that one.
pub(crate) fn introduced(bug: &Bug) -> Option<(&Version, &Version)> {
    let kin = kin(bug);
    let bad = kin.iter().position(|version| version.fails == Some(true))?;
    let good = kin[..bad].iter().rfind(|version| version.fails == Some(false))?;
    Some((good, kin[bad]))
}

/// The newest version about which anything is known.
pub(crate) fn newest(bug: &Bug) -> Option<&Version> {
    kin(bug).into_iter().rfind(|version| version.fails.is_some())
}

/// The oldest version since which all do right.
pub(crate) fn fixed_in(bug: &Bug) -> Option<&Version> {
    let kin = kin(bug);
    let bad = kin.iter().rposition(|version| version.fails == Some(true))?;
    kin[bad..].iter().find(|version| version.fails == Some(false)).copied()
}

/// The names of those that fail, or nothing in a table without any.
pub(crate) fn failing(bug: &Bug) -> String {
    let names = bug.versions.iter().filter(|version| version.fails == Some(true));
    names.map(label).collect::<Vec<_>>().join(", ")
}

/// `gcc-12 12.2.0`
pub(crate) fn label(version: &Version) -> String {
    format!("{} {}", version.compiler, version.version)
}

/// What a version makes of the program.
pub(crate) fn result(version: &Version) -> &'static str {
    match version.fails {
        Some(true) => "fails",
        Some(false) => "does right",
        None => "can't be told",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn with(table: &[(&str, &str, Option<bool>)]) -> Bug {
        let row = |&(compiler, version, fails): &(&str, &str, Option<bool>)| Version {
            compiler: compiler.to_owned(),
            version: version.to_owned(),
            fails,
            note: String::new(),
        };
        Bug { versions: table.iter().map(row).collect(), ..sample::wrong_code() }
    }

    #[test]
    fn a_regression_needs_an_older_version_that_does_right() {
        let check = |table: &[(&str, &str, Option<bool>)], expect: &[u64]| {
            assert_eq!(regression(&with(table)), expect, "{table:?}");
        };
        let (right, fails) = (Some(false), Some(true));
        check(&[], &[]);
        check(&[("gcc-12", "12.2.0", fails)], &[]);
        check(&[("gcc-12", "12.2.0", fails), ("gcc-13", "13.1.0", right)], &[]);
        check(&[("clang-11", "11.0.1", right), ("gcc-12", "12.2.0", fails)], &[]);
        check(&[("gcc-11", "11.4.0", right), ("gcc-12", "12.2.0", fails)], &[12]);
        let long = [
            ("gcc-13", "13.1.0", fails),
            ("x86_64-linux-gnu-gcc-9", "9.5.0", right),
            ("g++-12", "12.1.0", fails),
            ("gcc-12", "12.2.0", fails),
            ("gcc-14", "14.1.0", right),
        ];
        check(&long, &[12, 13]);
        let bug = with(&long);
        assert_eq!(fixed_in(&bug).map(|version| version.version.as_str()), Some("14.1.0"));
        let (good, bad) = introduced(&bug).unwrap();
        assert_eq!((good.version.as_str(), bad.version.as_str()), ("9.5.0", "12.1.0"));
    }

    #[test]
    fn a_build_is_one_of_its_family_whatever_its_name() {
        let table = [("clang-15", "15.0.6", Some(true)), ("clang-19", "19.1.7", Some(true))];
        let mut bug = Bug { family: Family::Llvm, ..with(&table) };
        bug.compiler.name = "llvm-16-asserts".to_owned();
        assert_eq!(newest(&bug).map(|version| version.compiler.as_str()), Some("clang-19"));
        bug.compiler.name = "gcc-16".to_owned();
        bug.family = Family::Gcc;
        assert_eq!(newest(&bug), None);
    }

    #[test]
    fn a_newest_version_that_fails_is_no_fix() {
        let bug = with(&[("gcc-12", "12.2.0", Some(false)), ("gcc-13", "13.1.0", Some(true))]);
        assert_eq!(fixed_in(&bug), None);
        assert_eq!(newest(&bug).map(|version| version.compiler.as_str()), Some("gcc-13"));
    }
}
