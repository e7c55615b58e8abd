//! Bugs that are known already: a file that campaigns and people share.

use crate::config::{ConfigError, line_of, with_nearest};
use crate::record::RepeatsBody;
use oracle::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use triage::Fingerprint;

/// The whole file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownBugs {
    /// One by one; the first that fits is taken.
    #[serde(rename = "bug")]
    pub bugs: Vec<KnownBug>,
}

/// A bug, by what tells it from others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownBug {
    /// What it is called: the number of a report, or the finding that showed it.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The family of the compiler: `gcc`, `clang`, `tcc`.
    pub family: String,
    /// The compiler's message; needed for crashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The pass; needed for wrong code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// The compilers that fail; any if there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub compilers: BTreeSet<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl KnownBugs {
    /// Reads the file.
    ///
    /// # Errors
    /// When it can't be read, or a bug in it can't be told from others.
    pub fn read(path: &Path) -> Result<KnownBugs, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let wrong =
            |line: String, what: String| ConfigError::Wrong { path: path.to_owned(), line, what };
        let known: KnownBugs = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or_else(String::new, |span| line_of(&text, span.start));
            wrong(line, with_nearest(error.message()))
        })?;
        for (at, bug) in known.bugs.iter().enumerate() {
            let line = || {
                let start = text.match_indices("[[bug]]").nth(at).map_or(0, |(start, _)| start);
                line_of(&text, start)
            };
            if known.bugs[..at].iter().any(|other| other.name == bug.name) {
                return Err(wrong(line(), format!("two bugs are called {}", bug.name)));
            }
            if toolchain::family::family(&bug.family).is_none() {
                return Err(wrong(
                    line(),
                    format!("{}: no family is called {}", bug.name, bug.family),
                ));
            }
            if bug.needs_signature() && bug.signature.is_none() {
                let what = format!("{}: a {} is told by its signature", bug.name, bug.kind);
                return Err(wrong(line(), what));
            }
            if !bug.needs_signature() && bug.pass.is_none() {
                let what = format!("{}: a {} is told by its pass", bug.name, bug.kind);
                return Err(wrong(line(), what));
            }
        }
        Ok(known)
    }

    /// The known bug that a fingerprint shows.
    pub(crate) fn find(&self, print: &Fingerprint) -> Option<RepeatsBody> {
        self.bugs.iter().find_map(|bug| {
            let evidence = print.same(&bug.fingerprint())?;
            Some(RepeatsBody { of: format!("known bug {}", bug.name), evidence })
        })
    }
}

impl KnownBug {
    fn needs_signature(&self) -> bool {
        matches!(self.kind, Kind::Crash | Kind::InvalidIr | Kind::Codegen | Kind::RejectsValid)
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint {
            kind: self.kind,
            family: self.family.clone(),
            signature: self.signature.clone().unwrap_or_default(),
            pass: self.pass.clone(),
            last_pass: None,
            counter: None,
            compilers: self.compilers.clone(),
            shape: BTreeSet::new(),
        }
    }

    /// A bug of a campaign as a known one; nothing when there is too little to tell it by.
    #[must_use]
    pub fn of(name: &str, print: &Fingerprint, note: &str) -> Option<KnownBug> {
        let bug = KnownBug {
            name: name.to_owned(),
            kind: print.kind,
            family: print.family.clone(),
            signature: None,
            pass: print.pass.clone(),
            compilers: print.compilers.clone(),
            note: note.to_owned(),
        };
        match bug.needs_signature() {
            true => Some(KnownBug { signature: Some(print.signature.clone()), ..bug }),
            false if bug.pass.is_some() => Some(bug),
            false => None,
        }
    }
}
