//! Files of the compiler that its own message and its stack name when it crashes.

use crate::method::Parameters;
use crate::ranking::{is_ranked_file, sorted};
use coverage::{Map, Set};
use passes::catalogue::{gcc_file, llvm};
use toolchain::family::{Crash, Family, Stepping};

/// Files that stand out without any witness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Named {
    /// The first file in the message of a crash that the build has; failing that, in its stack.
    pub said: Option<String>,
    /// The own file of the pass that the message names.
    pub said_pass: Option<String>,
    /// The own file of the pass with which it begins to fail.
    pub step: Option<String>,
}

impl Named {
    pub(crate) fn by(crash: &Crash, family: &dyn Family, map: &Map) -> Named {
        let said_pass = crash.pass.as_deref().and_then(|pass| own_file(pass, family));
        Named { said: file_in(&crash.message, map), said_pass, step: None }
    }

    /// The stack of a crash, the innermost frame first; frames of libraries are nothing.
    pub(crate) fn take_stack(&mut self, stack: &[Option<usize>], map: &Map) {
        // A signal comes by way of the C library; what is above it reports it. What calls main is there too.
        let library = stack.iter().position(Option::is_none).unwrap_or_default();
        let below = &stack[library..];
        let below = if below.iter().any(Option::is_some) { below } else { stack };
        let mut files = below.iter().flatten().map(|edge| &map.files[map.file_of(*edge)]);
        if self.said.is_none() {
            self.said = files.find(|file| is_ranked_file(file)).cloned();
        }
    }

    /// All of them, each with its weight.
    pub(crate) fn weighted(&self, parameters: &Parameters) -> Vec<(&str, f64)> {
        let said = self.said.as_deref().map(|file| (file, parameters.named));
        let pass = self.said_pass.as_deref().map(|file| (file, parameters.named_pass));
        let step = self.step.as_deref().map(|file| (file, parameters.own));
        said.into_iter().chain(pass).chain(step).collect()
    }
}

/// The file that holds a pass.
pub(crate) fn own_file(pass: &str, family: &dyn Family) -> Option<String> {
    match family.stepping() {
        Stepping::None => None,
        Stepping::Counted(_) => llvm(pass).map(|pass| pass.file.to_owned()),
        Stepping::Named(_) => gcc_file(pass).map(str::to_owned),
    }
}

/// All ranked files that were executed: the one has 1, the others nothing.
pub(crate) fn only(map: &Map, executed: &Set, one: Option<&String>) -> Vec<(usize, f64)> {
    let files = map.files(executed);
    let ranked = files.iter().filter(|file| is_ranked_file(&map.files[*file]));
    let score = |file: usize| f64::from(u8::from(Some(&map.files[file]) == one));
    sorted(ranked.map(|file| (file, score(file))).collect(), |file| &map.files[file])
}

/// The first `PATH:LINE` whose path is that of a file.
fn file_in(message: &str, map: &Map) -> Option<String> {
    let words = message.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
    words.into_iter().find_map(|word| {
        let (path, line) = word.split_once(':')?;
        let is_line = line.starts_with(|c: char| c.is_ascii_digit());
        let is_it = |file: &&String| {
            is_ranked_file(file) && (ends_with(path, file) || ends_with(file, path))
        };
        map.files.iter().find(|file| is_line && !path.is_empty() && is_it(file)).cloned()
    })
}

/// Is one path the other, seen from further outside?
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use coverage::Function;

    #[test]
    fn a_message_names_files_by_some_of_their_path() {
        let files = ["gcc/expr.cc", "gcc/tree.h", "llvm/lib/IR/Value.cpp"].map(str::to_owned);
        let function = Function { name: "f".to_owned(), file: 0 };
        let map = Map::new(files.to_vec(), vec![function], Vec::new(), []);
        let file = |message| file_in(message, &map);
        let expr = Some("gcc/expr.cc".to_owned());
        assert_eq!(file("a.c:3:1: internal compiler error: in f, at expr.cc:1829"), expr);
        assert_eq!(file("in tree_check, at tree.h:46"), None, "headers are not ranked");
        assert_eq!(file("in f, at notexpr.cc:1829"), None);
        let value = Some("llvm/lib/IR/Value.cpp".to_owned());
        assert_eq!(file("opt: /b/llvm/lib/IR/Value.cpp:97: llvm::Value::~Value(): Assert"), value);
        assert_eq!(file("expr.cc: no line"), None);
    }

    #[test]
    fn a_stack_names_the_file_below_the_signal() {
        let files = ["gcc/toplev.cc", "gcc/tree.h", "gcc/attribs.cc"].map(str::to_owned);
        let function = |file| Function { name: "f".to_owned(), file };
        let functions = (0..3).map(function).collect();
        let map =
            Map::new(files.to_vec(), functions, Vec::new(), (0..3).map(|at| (at, Vec::new())));
        let said = |stack: &[Option<usize>], said: Option<&str>| {
            let mut named = Named { said: said.map(str::to_owned), ..Named::default() };
            named.take_stack(stack, &map);
            named.said
        };
        let attribs = Some("gcc/attribs.cc".to_owned());
        assert_eq!(said(&[Some(0), None, Some(1), Some(2), Some(0), None], None), attribs);
        assert_eq!(said(&[Some(2), Some(0), None], None), attribs, "no signal");
        assert_eq!(said(&[], None), None);
        assert_eq!(said(&[Some(0)], attribs.as_deref()), attribs, "the message knows better");
    }

    #[test]
    fn one_file_is_first_and_all_others_are_last() {
        let files = ["gcc/a.cc", "gcc/b.cc", "gcc/c.h"].map(str::to_owned);
        let function = |file| Function { name: "f".to_owned(), file };
        let map = Map::new(
            files.to_vec(),
            (0..3).map(function).collect(),
            Vec::new(),
            (0..3).map(|at| (at, Vec::new())),
        );
        let executed = Set::of(3, 0..3);
        assert_eq!(only(&map, &executed, Some(&files[1])), [(1, 1.0), (0, 0.0)]);
        assert_eq!(only(&map, &executed, None), [(0, 0.0), (1, 0.0)]);
    }
}
