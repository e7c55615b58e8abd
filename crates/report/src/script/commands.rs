//! Recorded commands as lines of a script, the compilers in them named by variables.

use crate::bug::{Bug, Language, Run};
use crate::facts::executable;
use crate::shell::quote;

/// The variables of a script, and what they hold unless the caller says otherwise.
pub(super) struct Variables {
    /// The compiler under test; nothing where only the optimiser is.
    cc: Option<String>,
    /// The optimiser under test, for IR.
    opt: Option<String>,
    /// The compiler that does right, if it is another one.
    reference: Option<String>,
}

impl Variables {
    /// Names and defaults of those that the script uses.
    pub(super) fn list(&self) -> Vec<(&'static str, &str)> {
        let mut list = Vec::new();
        list.extend(self.cc.iter().map(|cc| ("CC", cc.as_str())));
        list.extend(self.opt.iter().map(|opt| ("OPT", opt.as_str())));
        list.extend(self.reference.iter().map(|name| ("REFERENCE", name.as_str())));
        list
    }
}

/// The variables of a script that has `pass` as its reference.
pub(super) fn variables(bug: &Bug, pass: Option<&Run>) -> Variables {
    let opt = bug.fail.commands.iter().find_map(|words| optimiser_of(bug, words)).cloned();
    let firsts = bug.fail.commands.iter().filter_map(|words| words.first());
    let driver = firsts.into_iter().find(|word| Some(*word) != opt.as_ref());
    Variables {
        cc: match (driver, &opt) {
            (None, Some(_)) => None,
            (driver, _) => Some(driver.unwrap_or(&bug.compiler.name).clone()),
        },
        opt,
        reference: pass
            .filter(|pass| pass.compiler != bug.fail.compiler)
            .map(|pass| pass.compiler.clone()),
    }
}

/// The optimiser, if it is what a command runs: with IR the compiler itself, with source and a pipeline the
/// command that has one.
fn optimiser_of<'a>(bug: &Bug, words: &'a [String]) -> Option<&'a String> {
    let first = words.first()?;
    let is_it = match bug.language {
        Language::Ir => *first == bug.fail.compiler,
        _ => has_pipeline(words),
    };
    is_it.then_some(first)
}

/// Is a pipeline for the optimiser among these words?
pub(crate) fn has_pipeline(words: &[String]) -> bool {
    words.iter().any(|word| is_pipeline(word))
}

/// Is this word a pipeline for the optimiser?
pub(crate) fn is_pipeline(word: &str) -> bool {
    word.trim_start_matches('-').starts_with("passes=")
}

/// A function of the shell that does what `run` did in the current folder.
pub(super) fn function(name: &str, bug: &Bug, run: &Run, variables: &Variables) -> String {
    let commands: Vec<String> = run
        .commands
        .iter()
        .map(|words| format!("    {}", line(bug, run, words, variables)))
        .collect();
    let body = if commands.is_empty() { "    false".to_owned() } else { commands.join(" &&\n") };
    format!("{name}() {{\n{body}\n}}\n")
}

fn line(bug: &Bug, run: &Run, words: &[String], variables: &Variables) -> String {
    let Some((first, args)) = words.split_first() else { return "true".to_owned() };
    let own = run.compiler == bug.fail.compiler;
    let compiler = match (own, optimiser_of(bug, words).is_some()) {
        (true, true) if variables.opt.is_some() => "$OPT".to_owned(),
        (true, _) => "$CC".to_owned(),
        (false, _) if *first == run.compiler => "$REFERENCE".to_owned(),
        (false, _) => quote(first),
    };
    let args: Vec<String> = args.iter().map(|arg| quote(arg)).collect();
    format!("limit \"$COMPILE_SECONDS\" {compiler} {}", args.join(" "))
}

/// The executable that `run` makes, as a word for the shell.
pub(super) fn made(run: &Run) -> String {
    quote(executable(run).as_deref().unwrap_or("./a.out"))
}

/// Arguments that belong to the program, not to what is under test: standard, data model, macros,
/// libraries.
pub(crate) fn kept_args(run: &Run) -> Vec<String> {
    const STARTS: [&str; 8] = ["-std=", "-m32", "-m64", "-D", "-U", "-I", "-l", "-pthread"];
    let words = run.commands.iter().flat_map(|words| words.iter().skip(1));
    let mut kept: Vec<String> = Vec::new();
    for word in words {
        if STARTS.iter().any(|start| word.starts_with(start))
            && !run.args.contains(word)
            && !kept.contains(word)
        {
            kept.push(word.clone());
        }
    }
    kept
}

/// The files of the program that commands name: its units, without headers.
pub(super) fn units(bug: &Bug) -> Vec<String> {
    let named = |name: &String| bug.fail.commands.iter().flatten().any(|word| word == name);
    bug.files.iter().map(|file| file.name.clone()).filter(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn compilers_are_variables() {
        let mut bug = sample::llvm_crash();
        assert_eq!(variables(&bug, None).list(), [("OPT", "opt-16")]);
        let codegen = sample::words("clang-16 -O0 -x ir a.opt.ll -o a.out");
        bug.fail.commands.push(codegen);
        let variables = variables(&bug, None);
        assert_eq!(variables.list(), [("CC", "clang-16"), ("OPT", "opt-16")]);
        assert_eq!(
            function("fail", &bug, &bug.fail, &variables),
            "fail() {\n    limit \"$COMPILE_SECONDS\" $OPT -passes=slp-vectorizer -S main.ll -o \
             a.opt.ll &&\n    limit \"$COMPILE_SECONDS\" $CC -O0 -x ir a.opt.ll -o a.out\n}\n"
        );
    }

    #[test]
    fn a_reference_of_another_compiler_has_its_own_variable() {
        let bug = sample::tcc();
        let pass = bug.pass.as_ref().unwrap();
        let variables = variables(&bug, Some(pass));
        assert_eq!(variables.list(), [("CC", "tcc"), ("REFERENCE", "gcc-12")]);
        assert!(function("pass", &bug, pass, &variables).contains(" $REFERENCE -w -std=c11 "));
    }

    #[test]
    fn what_belongs_to_the_program_is_kept() {
        let mut run = sample::wrong_code().fail;
        run.commands = vec![sample::words("gcc-12 -w -std=c11 -DX=1 -DBAD main.c -o a.out -lm")];
        run.args = sample::words("-DBAD");
        assert_eq!(kept_args(&run), ["-std=c11", "-DX=1", "-lm"]);
    }
}
