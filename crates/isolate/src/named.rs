//! Files of the compiler that its own message and its stack name when it crashes.

use crate::method::Parameters;
use crate::ranking::{is_ranked_file, sorted};
use coverage::{Map, Set};
use passes::catalogue::{gcc_file, kin, llvm};
use serde::Serialize;
use toolchain::family::{Crash, Family, Stepping};

/// Files that stand out without any witness.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Named {
    /// The first file in the message of a crash that the build has; failing that, in its stack.
    pub said: Option<String>,
    /// The own file of the pass that the message names.
    pub said_pass: Option<String>,
    /// The own file of the pass with which it begins to fail.
    pub step: Option<String>,
    /// The files of the stack of a crash, the innermost first.
    pub stack: Vec<String>,
}

impl Named {
    pub(crate) fn by(crash: &Crash, family: &dyn Family, map: &Map) -> Named {
        let said_pass = crash.pass.as_deref().and_then(|pass| own_file(pass, family));
        Named { said: file_in(&crash.message, map), said_pass, ..Named::default() }
    }

    /// The stack of a crash, the innermost frame first; frames of libraries are nothing.
    pub(crate) fn take_stack(&mut self, stack: &[Option<usize>], map: &Map) {
        // A signal comes by way of the C library; what is above it reports it. What calls main is there too.
        let library = stack.iter().position(Option::is_none).unwrap_or_default();
        let below = &stack[library..];
        let below = if below.iter().any(Option::is_some) { below } else { stack };
        let frames = below.iter().flatten().skip_while(|edge| reports(map, **edge));
        let files = frames.map(|edge| &map.files[map.file_of(*edge)]);
        self.stack = files.filter(|file| is_ranked_file(file)).cloned().collect();
        if self.said.is_none() {
            self.said = self.stack.first().cloned();
        }
    }

    /// All of them, each with its weight.
    pub(crate) fn weighted(&self, parameters: &Parameters) -> Vec<Standing<'_>> {
        let all = [
            (&self.said, parameters.named, 0.0),
            (&self.said_pass, parameters.named_pass, parameters.kin),
            (&self.step, parameters.own, parameters.kin),
        ];
        let standing =
            |(file, weight, kin)| Option::as_deref(file).map(|file| Standing { file, weight, kin });
        all.into_iter().filter_map(standing).collect()
    }
}

/// A file that stands out, for a pass all that are its.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Standing<'a> {
    pub file: &'a str,
    pub weight: f64,
    /// How far other files of the pass share it, by their blame.
    pub kin: f64,
}

impl Standing<'_> {
    /// Gives its weight to files that it is about; each is blamed as `by_blame` says. Of a pass that has several the
    /// most blamed has all of it.
    pub(crate) fn lift(&self, map: &Map, by_blame: &[(usize, f64)], scores: &mut [(usize, f64)]) {
        let starts: Vec<&str> = kin(self.file).filter(|_| self.kin > 0.0).collect();
        let is_own = |file: usize| map.files[file] == self.file;
        let is_kin = |file: usize| starts.iter().any(|start| map.files[file].starts_with(start));
        let all = by_blame.iter().filter(|(file, _)| is_own(*file) || is_kin(*file));
        let most = all.map(|(_, blame)| *blame).fold(0.0, f64::max);
        for ((file, score), (_, blame)) in scores.iter_mut().zip(by_blame) {
            let by_blame = if most > 0.0 { blame / most } else { f64::from(is_own(*file)) };
            if is_own(*file) {
                let shared = if starts.is_empty() { 0.0 } else { self.kin };
                *score += self.weight * (1.0 - shared + shared * by_blame);
            } else if is_kin(*file) {
                *score += self.weight * self.kin * by_blame;
            }
        }
    }
}

/// Files whose functions say that something is wrong.
const REPORTERS: [&str; 3] =
    ["gcc/diagnostic.cc", "llvm/lib/Support/ErrorHandling.cpp", "llvm/lib/Support/Error.cpp"];

/// Is it in a function that only says what others found wrong, such as GCC's `tree_check_failed`?
fn reports(map: &Map, edge: usize) -> bool {
    REPORTERS.contains(&map.files[map.file_of(edge)].as_str())
        || map.functions[map.function_of(edge)].name.contains("_check_failed")
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
        let files =
            ["gcc/toplev.cc", "gcc/tree.h", "gcc/attribs.cc", "gcc/diagnostic.cc", "gcc/tree.cc"];
        let files = files.map(str::to_owned);
        let function = |file| {
            let name = if file == 4 { "tree_check_failed(tree_node*)" } else { "f" };
            Function { name: name.to_owned(), file }
        };
        let functions = (0..5).map(function).collect();
        let map =
            Map::new(files.to_vec(), functions, Vec::new(), (0..5).map(|at| (at, Vec::new())));
        let said = |stack: &[Option<usize>], said: Option<&str>| {
            let mut named = Named { said: said.map(str::to_owned), ..Named::default() };
            named.take_stack(stack, &map);
            named.said
        };
        let attribs = Some("gcc/attribs.cc".to_owned());
        assert_eq!(said(&[Some(0), None, Some(1), Some(2), Some(0), None], None), attribs);
        assert_eq!(said(&[Some(2), Some(0), None], None), attribs, "no signal");
        assert_eq!(said(&[Some(3), Some(4), Some(2), Some(0), None], None), attribs, "reported");
        assert_eq!(said(&[], None), None);
        assert_eq!(said(&[Some(0)], attribs.as_deref()), attribs, "the message knows better");
    }

    #[test]
    fn files_of_a_pass_share_its_weight_by_their_blame() {
        let own = "llvm/lib/Transforms/InstCombine/InstructionCombining.cpp";
        let casts = "llvm/lib/Transforms/InstCombine/InstCombineCasts.cpp";
        let files = [own, casts, "llvm/lib/IR/Value.cpp"].map(str::to_owned).to_vec();
        let map = Map::new(files, Vec::new(), Vec::new(), []);
        let lifted = |kin: f64, blame: [f64; 3]| {
            let by_blame: Vec<(usize, f64)> = blame.into_iter().enumerate().collect();
            let mut scores = by_blame.clone();
            Standing { file: own, weight: 0.5, kin }.lift(&map, &by_blame, &mut scores);
            scores.into_iter().map(|(_, score)| score).collect::<Vec<_>>()
        };
        assert_eq!(lifted(1.0, [0.25, 0.5, 1.0]), [0.5, 1.0, 1.0]);
        assert_eq!(lifted(0.0, [0.25, 0.5, 1.0]), [0.75, 0.5, 1.0]);
        assert_eq!(lifted(0.5, [0.25, 0.5, 1.0]), [0.625, 0.75, 1.0]);
        assert_eq!(lifted(1.0, [0.0, 0.0, 1.0]), [0.5, 0.0, 1.0], "nothing tells them apart");
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
