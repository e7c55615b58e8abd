//! A program to be mutated.

use crate::insert::Place;
use crate::lexed::{Lexed, merged};
use crate::local;
use crate::operator::Operator;
use crate::protected::{protected_ranges, protected_tokens};
use crate::site::{Site, Table};
use crate::usage::{Usage, usages};
use crate::variables::Variables;
use csyntax::{Dialect, Entity, Library, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

/// How well a program is understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Level {
    /// As a typed tree.
    Tree,
    /// By its tokens only, for this reason: mutants are more often invalid, and the structure of
    /// the program can't be changed.
    Tokens(String),
}

/// A program to be mutated: its text, its tokens, its tree if clang can read it, and what of it is
/// protected. Places are looked for when they are first asked for, and then kept.
#[derive(Debug)]
pub struct Host {
    pub(crate) lexed: Lexed,
    pub(crate) program: Option<Program>,
    level: Level,
    protected: Vec<Range<usize>>,
    forbidden: Vec<Range<usize>>,
    pub(crate) is_cpp: bool,
    /// Does the dialect know `restrict` only with underscores?
    pub(crate) is_old: bool,
    tables: [OnceLock<Table>; Operator::ALL.len()],
    places: OnceLock<Vec<Place>>,
    words: OnceLock<BTreeSet<String>>,
}

/// What a tree says about a program.
#[derive(Debug)]
pub(crate) struct Program {
    pub tree: Tree,
    pub variables: Variables,
    pub usages: BTreeMap<Entity, Usage>,
}

impl Host {
    /// Reads a program. It never fails: without libclang, or when clang finds errors, the program
    /// is known by its tokens.
    #[must_use]
    pub fn read(text: &[u8], dialect: &Dialect, library: Option<&Library>) -> Host {
        let lexed = Lexed::new(text);
        let (tree, level) = match library.map(|library| library.parse(text, dialect)) {
            None => (None, Level::Tokens("there is no libclang".to_owned())),
            Some(Err(error)) => (None, Level::Tokens(error.to_string())),
            Some(Ok(tree)) => match tree.problems().iter().find(|problem| problem.is_error) {
                Some(problem) => {
                    let reason = format!("clang can't read the program: {}", problem.message);
                    (None, Level::Tokens(reason))
                }
                None => (Some(tree), Level::Tree),
            },
        };
        // A macro that expands to a call of `abort` shows in the tokens where it is called
        // directly, and in the tree where it is not.
        let mut protected = tree.as_ref().map(protected_ranges).unwrap_or_default();
        if tree.is_none() || uses_assert(&lexed) {
            protected.extend(protected_tokens(&lexed));
        }
        let protected = merged(protected);
        let forbidden = merged([protected.clone(), lexed.untouchable()].concat());
        let program = tree.map(|tree| Program {
            variables: Variables::of(&tree, &lexed),
            usages: usages(&tree, &lexed.directive_words()),
            tree,
        });
        let ending = dialect.file_name.rsplit('.').next().unwrap_or_default();
        let is_cpp = matches!(ending, "cpp" | "cc" | "cxx" | "C" | "c++" | "ii");
        let is_old = is_cpp
            || dialect.args.iter().any(|arg| {
                matches!(
                    arg.as_str(),
                    "-ansi" | "-std=c89" | "-std=c90" | "-std=gnu89" | "-std=gnu90"
                )
            });
        Host {
            lexed,
            program,
            level,
            protected,
            forbidden,
            is_cpp,
            is_old,
            tables: Default::default(),
            places: OnceLock::new(),
            words: OnceLock::new(),
        }
    }

    /// How well it is understood.
    #[must_use]
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The program as it is.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.lexed.text
    }

    /// The oracle in the program: what no mutant changes. In order and apart.
    #[must_use]
    pub fn protected(&self) -> &[Range<usize>] {
        &self.protected
    }

    /// The places of the rules of a local operator.
    pub(crate) fn table(&self, operator: Operator) -> &Table {
        self.tables[operator as usize].get_or_init(|| {
            let mut table = Table::new();
            for (rule, site) in local::sites(self, operator) {
                if site.spares(&self.forbidden) {
                    table.entry(rule).or_default().push(site);
                }
            }
            table
        })
    }

    /// The places of one rule.
    pub(crate) fn sites(&self, rule: &crate::Rule) -> &[Site] {
        let table = self.table(Operator::of(rule.family));
        table.get(&rule.id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Where a statement can be put.
    pub(crate) fn places(&self) -> &[Place] {
        self.places.get_or_init(|| crate::insert::places(self))
    }

    /// A name that the program does not have.
    pub(crate) fn fresh(&self, name: &str, also: &BTreeSet<String>) -> String {
        let words = self.words();
        let is_free = |name: &String| !words.contains(name) && !also.contains(name);
        (1..).map(|number| format!("{name}_{number}")).find(is_free).unwrap_or_default()
    }

    pub(crate) fn words(&self) -> &BTreeSet<String> {
        self.words.get_or_init(|| self.lexed.words())
    }
}

fn uses_assert(lexed: &Lexed) -> bool {
    (0..lexed.tokens.len()).any(|at| lexed.is(at, "assert"))
}
