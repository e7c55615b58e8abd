//! Files of the compiler that its own message names when it crashes.

use crate::method::Parameters;
use crate::ranking::is_ranked_file;
use coverage::Map;
use passes::catalogue::{gcc_file, llvm};
use toolchain::family::{Crash, Family, Stepping};

/// The first file in the message that the build has, and the own file of the pass that it names, each with its weight.
pub(crate) fn named(
    crash: &Crash,
    family: &dyn Family,
    map: &Map,
    parameters: &Parameters,
) -> Vec<(String, f64)> {
    let said = file_in(&crash.message, map).map(|file| (file, parameters.named));
    let pass = crash.pass.as_deref().and_then(|pass| match family.stepping() {
        Stepping::None => None,
        Stepping::Counted(_) => llvm(pass).map(|pass| pass.file),
        Stepping::Named(_) => gcc_file(pass),
    });
    let pass = pass.map(|file| (file.to_owned(), parameters.named_pass));
    said.into_iter().chain(pass).collect()
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
}
